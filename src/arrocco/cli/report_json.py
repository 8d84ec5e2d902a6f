"""A rated period as JSON: ids and ratings as numbers, decimals as strings, words beside keys."""

from __future__ import annotations

from typing import Any

from arrocco.cli.calc import game_record
from arrocco.cli.output import Output
from arrocco.cli.report_text import state_of
from arrocco.cli.report_view import (
    ExcludedGame,
    RatedFiles,
    average_of_opponents,
    excluded_games,
    known_id,
    rating_after,
    result_text,
)
from arrocco.engine.admission import waiver_key
from arrocco.engine.explain import EventRow, GameRow, PlayerRows, Step
from arrocco.engine.rate_reports import RatedReports
from arrocco.engine.rated_steps import articles_of, closing_steps, event_steps, open_readings
from arrocco.engine.wording import sentence
from arrocco.units import decimal, points


def period_record(out: Output, files: RatedFiles) -> dict[str, Any]:
    """Everything about a rated period."""
    rated = files.rated
    return {
        **head_record(files),
        "players": [player_record(rated, player) for player in files.players],
        "initial": [initial_record(rated, player) for player in files.newcomers],
        "excluded": [excluded_record(out, rated, game) for game in excluded_games(rated)],
        "findings": [out.finding_record(finding) for finding in files.findings],
    }


def head_record(files: RatedFiles) -> dict[str, Any]:
    """Under which law, against which list, which tournaments."""
    period, listed = files.rated.period, files.listed
    return {
        "law": files.law,
        "edition": period.law.edition,
        "editions": files.editions,
        "readings": dict(period.law.readings),
        "list": None
        if listed is None
        else {"file": listed.source, "kind": listed.system, "on": listed.on},
        "next_list": files.next_list,
        "waived": [
            {"key": waiver_key(finding), "file": finding.place.file, "reason": reason}
            for finding, reason in files.waived
        ],
        "tournaments": [
            {
                "file": report.source,
                "name": report.name,
                "city": report.city,
                "start": tournament.start,
                "end": tournament.end,
                "edition": tournament.law.edition,
                "system": tournament.system.value,
                "time_control": None if tournament.control is None else str(tournament.control),
                "online": tournament.facts.online,
                "k": tournament.k,
                "k_reason": tournament.k_reason or None,
                "players": len(report.entries),
                "games": len(report.games),
            }
            for report, tournament in zip(
                files.rated.assembled.reports, period.tournaments, strict=True
            )
        ],
    }


def player_record(rated: RatedReports, player: PlayerRows) -> dict[str, Any]:
    """A player who had a rating. `new_rating` is rating plus change, also when delisted."""
    of_tournaments = rated.period.law.K_FROM_TOURNAMENT
    return {
        "id": known_id(player.id),
        "name": rated.name(player.row),
        "rating": player.rating,
        "k": None if of_tournaments else player.k,
        "k_reason": None if of_tournaments else player.k_reason,
        "k_applied": None if of_tournaments else player.k_applied,
        "n": player.n,
        "score": points(player.half_points),
        "average": average_of_opponents(player),
        "expected": decimal(player.expected),
        "expected_unrounded": decimal(player.expected_unrounded),
        "delta": decimal(player.delta),
        "variation": decimal(player.variation),
        "change": player.change,
        "new_rating": rating_after(player),
        "delisted": player.delisted,
        "tournaments": [event_record(rated, event) for event in player.events],
    }


def event_record(rated: RatedReports, event: EventRow) -> dict[str, Any]:
    """One tournament of a player, game by game."""
    return {
        "file": event.tournament.key,
        "name": event.tournament.name,
        "rating": event.own_rating,
        "n": event.n,
        "score": points(event.half_points),
        "average": event.average,
        "expected": decimal(event.expected),
        "expected_unrounded": decimal(event.expected_unrounded),
        "delta": decimal(event.delta),
        "k": event.k or None,
        "variation": decimal(event.variation),
        "games": [_game_record(rated, game) for game in event.games],
    }


def _game_record(rated: RatedReports, game: GameRow) -> dict[str, Any]:
    return {
        **game_record(game),
        "opponent_id": known_id(int(rated.period.players.id[game.opponent])),
        "opponent_name": rated.name(game.opponent),
    }


def initial_record(rated: RatedReports, player: PlayerRows) -> dict[str, Any]:
    """A player without a rating: what the results come to, and whether that is published."""
    first = player.first_rating
    initial_rating = None if first is None else first.rating
    return {
        "id": known_id(player.id),
        "name": rated.name(player.row),
        "n": 0 if initial_rating is None else initial_rating.games,
        "score": "0.0" if initial_rating is None else points(initial_rating.half_points),
        "average": None if initial_rating is None else decimal(initial_rating.average_hundredths),
        "p": None if initial_rating is None else decimal(initial_rating.percent),
        "dp": None if initial_rating is None else initial_rating.dp,
        "initial": None if initial_rating is None else initial_rating.rating,
        "publishable": first is not None and first.publishable,
        "reasons": [state_of(player)] if first is None else list(first.reasons),
        "tournaments": [event_record(rated, event) for event in player.events],
    }


def excluded_record(out: Output, rated: RatedReports, excluded: ExcludedGame) -> dict[str, Any]:
    """A game that does not count, for whom, and why."""
    game, ids = excluded.game, rated.period.players.id
    white, black = rated.name(excluded.white), rated.name(excluded.black)
    return {
        "tournament": rated.period.tournaments[excluded.tournament].key,
        "round": game.round,
        "white": known_id(int(ids[excluded.white])),
        "black": known_id(int(ids[excluded.black])),
        "game": f"{white} – {black} {result_text(game)}",
        "for": excluded.side,
        "reason": excluded.reason.value,
        "text": out.say(f"explain.exclusion.{excluded.reason}"),
        "article": excluded.article,
    }


def explanation_record(out: Output, files: RatedFiles, player: PlayerRows) -> dict[str, Any]:
    """One player's whole computation: the figures, and the steps in words.

    Each tournament has its own steps; those of the player follow them.
    """
    rated = files.rated
    is_new = player.rating is None
    record = initial_record(rated, player) if is_new else player_record(rated, player)
    for event, of_event in zip(player.events, record["tournaments"], strict=True):
        steps = event_steps(rated, player, event, out.language)
        of_event["steps"] = [step_record(out, step) for step in steps]
    record["steps"] = [step_record(out, step) for step in closing_steps(rated, player)]
    law = rated.period.law
    articles = articles_of(rated, player, out.language)
    record["readings"] = {r.name: r.default for r in open_readings(law, articles)}
    return record


def step_record(out: Output, step: Step) -> dict[str, Any]:
    """A step with its article; `details` holds hundredths as whole numbers."""
    return {
        "key": step.key,
        "article": step.article,
        "text": sentence(out.language, step),
        "details": step.details,
    }
