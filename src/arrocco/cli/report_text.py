"""Text for the terminal: the table of a period, and one player's computation as a receipt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from arrocco.cli.output import Column, Output
from arrocco.cli.report_view import (
    ExcludedGame,
    RatedFiles,
    average_of_opponents,
    coefficients_of,
    days_text,
    excluded_games,
    id_text,
    rating_after,
    result_text,
)
from arrocco.engine.explain import EventRow, GameRow, PlayerRows, Step
from arrocco.engine.rate_reports import RatedReports
from arrocco.engine.rated_steps import articles_of, closing_steps, event_steps, open_readings
from arrocco.engine.wording import sentence
from arrocco.findings import Finding, by_severity, count_of
from arrocco.laws.edition import Reading
from arrocco.laws.rating import Exclusion, RatingLaw
from arrocco.units import decimal, points, signed
from arrocco.words import number

FIRST_FEW = 3
"""So many excluded games of a reason and equal findings are shown unless all are asked for."""


# --- a period -------------------------------------------------------------------------------------


def print_period(out: Output, files: RatedFiles, *, show_all: bool = False) -> None:
    """The tournaments, the table of the rated, the newcomers, what does not count, the findings."""
    print_head(out, files)
    out.line()
    print_rated(out, files)
    if files.newcomers:
        out.line()
        print_newcomers(out, files)
    excluded = [game for game in excluded_games(files.rated) if not game.counts_elsewhere]
    if excluded:
        out.line()
        print_excluded(out, files.rated, excluded, show_all=show_all)
    if files.findings:
        out.line()
        print_findings(out, files.findings, show_all=show_all)


def print_findings(out: Output, findings: Sequence[Finding], *, show_all: bool) -> None:
    """Findings, the gravest first; of equal ones the first few, or all."""
    by_key: dict[str, list[Finding]] = defaultdict(list)
    for finding in by_severity(findings):
        by_key[finding.key].append(finding)
    for equal in by_key.values():
        out.findings(equal if show_all else equal[:FIRST_FEW])
        if not show_all and len(equal) > FIRST_FEW:
            out.line(out.say("report.findings_more", count=count_of(equal[FIRST_FEW:])), dim=True)


def print_head(out: Output, files: RatedFiles) -> None:
    """One line for the law and the list, one for each tournament."""
    listed = files.listed
    key = "report.title" if files.next_list is None else "report.title_for"
    editions = ", ".join(files.editions)
    out.line(out.say(key, law=files.law, edition=editions, next=files.next_list), bold=True)
    if listed is not None:
        key = "report.list_dated" if listed.on else "report.list"
        out.line(out.say(key, file=listed.source, kind=listed.system or "-", on=listed.on))
    for report in files.rated.assembled.reports:
        details = {
            "name": report.name or report.source,
            "days": days_text(out.language, report),
            "control": report.time_control or "-",
            "players": len(report.entries),
            "games": len(report.games),
        }
        out.line(out.say("report.tournament", **details))


def print_rated(out: Output, files: RatedFiles) -> None:
    """The table of everyone who had a rating."""
    heads = ("rank", "id", "name", "ro", "rc", "w", "n", "we", "chg", "k", "kchg", "new")
    columns = [
        Column(out.say(f"report.heading.{head}"), right=head not in {"name"}) for head in heads
    ]
    rows = [
        _rated_cells(out, files.rated, rank, player)
        for rank, player in enumerate(files.players, start=1)
    ]
    if not rows:
        out.line(out.say("report.nobody_rated"))
        return
    out.table(columns, rows)


def _rated_cells(out: Output, rated: RatedReports, rank: int, player: PlayerRows) -> list[str]:
    language = out.language
    applied = coefficients_of(player, of_tournaments=rated.period.law.K_FROM_TOURNAMENT)
    gone = "†" if player.delisted else ""
    return [
        str(rank),
        id_text(player.id),
        rated.name(player.row),
        str(player.rating),
        str(average_of_opponents(player) or ""),
        number(language, points(player.half_points)) if player.n else "",
        str(player.n),
        number(language, decimal(player.expected)) if player.n else "",
        number(language, signed(player.delta)) if player.n else "",
        "/".join(map(str, applied)),
        number(language, signed(player.variation)) if player.n else "",
        f"{rating_after(player)}{gone}",
    ]


def print_newcomers(out: Output, files: RatedFiles) -> None:
    """The table of those without a rating: what their results come to so far."""
    heads = ("id", "name", "n", "w", "ra", "p", "dp", "ru", "state")
    columns = [
        Column(out.say(f"report.heading.{head}"), right=head not in {"name", "state"})
        for head in heads
    ]
    rows = [_newcomer_cells(out, files.rated, player) for player in files.newcomers]
    out.table(columns, rows, title=out.say("report.newcomers"))


def _newcomer_cells(out: Output, rated: RatedReports, player: PlayerRows) -> list[str]:
    cells = [id_text(player.id), rated.name(player.row)]
    first, language = player.first_rating, out.language
    if first is None:
        return [*cells, "0", "", "", "", "", "", out.say(f"report.state.{state_of(player)}")]
    initial_rating = first.rating
    return [
        *cells,
        str(initial_rating.games),
        number(language, points(initial_rating.half_points)),
        number(language, decimal(initial_rating.average_hundredths)),
        number(language, decimal(initial_rating.percent)),
        f"{initial_rating.dp:+d}",
        str(initial_rating.rating),
        out.say(f"report.state.{state_of(player)}"),
    ]


def state_of(player: PlayerRows) -> str:
    """What becomes of a newcomer: published, or the reason why not yet."""
    first = player.first_rating
    if first is None:
        reasons = {game.exclusion for event in player.events for game in event.games}
        if Exclusion.BELOW_FLOOR_IGNORED in reasons:
            return "below_floor_ignored"
        return "first_event_ignored" if Exclusion.FIRST_EVENT_IGNORED in reasons else "no_games"
    if first.publishable:
        return "published"
    return "below_floor" if "below_floor" in first.reasons else "too_few_games"


def print_excluded(
    out: Output, rated: RatedReports, excluded: Sequence[ExcludedGame], *, show_all: bool
) -> None:
    """The games that do not count, by reason: how many, and the first few or all."""
    by_reason: dict[tuple[str, str], list[ExcludedGame]] = defaultdict(list)
    for game in excluded:
        by_reason[(game.reason.value, game.article)].append(game)
    out.line(out.say("report.excluded"), bold=True)
    for (reason, article), games in by_reason.items():
        words = out.say(f"explain.exclusion.{reason}")
        out.line(out.say("report.excluded_reason", count=len(games), words=words, article=article))
        for excluded_game in games if show_all else games[:FIRST_FEW]:
            out.line(f"    {_excluded_line(out, rated, excluded_game)}", indent=6)
        if not show_all and len(games) > FIRST_FEW:
            more = out.say("report.excluded_more", count=len(games) - FIRST_FEW)
            out.line(f"    {more}", dim=True)


def _excluded_line(out: Output, rated: RatedReports, excluded: ExcludedGame) -> str:
    game = excluded.game
    text = out.say(
        "report.excluded_game",
        round=game.round,
        white=rated.name(excluded.white),
        black=rated.name(excluded.black),
        result=result_text(game),
    )
    if excluded.side == "both":
        return text
    player = excluded.white if excluded.side == "white" else excluded.black
    return f"{text} ({out.say('report.excluded_for', player=rated.name(player))})"


# --- one player -----------------------------------------------------------------------------------


def print_player(out: Output, rated: RatedReports, player: PlayerRows) -> None:
    """One player's whole computation: every tournament as a receipt, then the steps."""
    key = "report.player_unrated" if player.rating is None else "report.player"
    out.line(
        out.say(key, name=rated.name(player.row), id=id_text(player.id), rating=player.rating),
        bold=True,
    )
    for event in player.events:
        names = {game.opponent: rated.name(game.opponent) for game in event.games}
        print_event(out, event, names, title=len(rated.period.tournaments) > 1)
        print_steps(out, event_steps(rated, player, event, out.language))
    print_steps(out, closing_steps(rated, player))


def print_readings(out: Output, rated: RatedReports, players: Sequence[PlayerRows]) -> None:
    """The readings behind these computations that are ours: whoever relies on them should know."""
    articles = [a for player in players for a in articles_of(rated, player, out.language)]
    law = rated.period.law
    print_readings_of(out, law, open_readings(law, articles))


def print_readings_of(out: Output, law: RatingLaw, readings: Sequence[Reading]) -> None:
    """How a law is read, where that is nobody's but ours."""
    if not readings:
        return
    out.line()
    out.line(out.say("report.readings"), dim=True)
    for reading in readings:
        choice = reading.choice(law.readings[reading.name])
        words = choice.it if out.language == "it" else choice.en
        text = out.say(
            "report.reading",
            name=reading.name,
            choice=choice.name,
            article=reading.article,
            words=words,
        )
        out.line(f"    {text}", indent=6, dim=True)


def print_event(
    out: Output, event: EventRow, names: Mapping[int, str], *, title: bool = True
) -> None:
    """One tournament: a line a game. Columns that no game fills are left out."""
    tournament = event.tournament
    if title:
        out.line(
            out.say(
                "explain.event.title",
                name=tournament.name or tournament.key,
                start=tournament.start,
                end=tournament.end,
            )
        )
    heads = ["round", "opponent", "rating", "score"]
    if any(game.exclusion is None for game in event.games):
        heads += ["difference", "counted", "expected", "delta"]
    heads.append("article")
    if any(game.exclusion is not None for game in event.games):
        heads.append("why")
    if not any(names.values()):
        heads.remove("opponent")
    left = {"opponent", "article", "why"}
    columns = [
        Column(out.say(f"explain.heading.{head}"), right=head not in left, dim=head == "why")
        for head in heads
    ]
    rows = [_game_cells(out, game, names) for game in event.games]
    out.table(columns, [[row[head] for head in heads] for row in rows])


def _game_cells(out: Output, game: GameRow, names: Mapping[int, str]) -> dict[str, str]:
    language, capped = out.language, "*" if game.is_capped else ""
    return {
        "round": str(game.round),
        "opponent": names.get(game.opponent, ""),
        "rating": str(game.opponent_rating or "-"),
        "score": number(language, points(game.half_points)),
        "difference": "" if game.difference is None else f"{game.difference:+d}",
        "counted": (
            "" if game.counted_difference is None else f"{game.counted_difference:+d}{capped}"
        ),
        "expected": "" if game.expected is None else number(language, decimal(game.expected)),
        "delta": "" if game.delta is None else number(language, signed(game.delta)),
        "article": game.article,
        "why": out.say(f"explain.exclusion.{game.exclusion}") if game.exclusion else "",
    }


def print_steps(out: Output, steps: Sequence[Step]) -> None:
    """Each step as a sentence with its article."""
    for step in steps:
        out.line(f"[{step.article}] {sentence(out.language, step)}", indent=4)
