"""Turns the judge's plain histories into the engine's columns, and the engine's answers back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

import numpy as np

from arrocco.engine.columns import Entries, Games, Tournament
from arrocco.engine.outcome import coefficients, players_after
from arrocco.engine.period import Period, rate_period
from arrocco.engine.players import Players
from arrocco.engine.pools import Pools
from arrocco.engine.report_columns import exclusions_in
from arrocco.errors import Illegal
from arrocco.laws.rating import RatingLaw, Tranche
from arrocco.laws.registry import edition_in_force, edition_named
from arrocco.records.ratinglist import UNKNOWN
from arrocco.records.report import Entry, Facts, Game, GameKind, Report, System
from arrocco.records.timecontrol import Period as ClockPeriod
from arrocco.records.timecontrol import TimeControl
from arrocco.units import HalfPoints
from tests.judge.random_periods import JHistory, JPeriod
from tests.judge.records import JPlayer, JPlayerResult, JPoolResult, JResult, JTournament

LAW_NAMES = {
    "fide_standard": "fide",
    "fide_rapid": "fide-rapid",
    "fide_blitz": "fide-blitz",
    "rio_rapid": "rio",
    "rio_blitz": "rio",
    "rio_bullet": "rio",
    "uisp": "uisp",
}
ONE_DAY = timedelta(days=1)
READING_NAMES = {
    "uisp_decimals": "decimals",
    "rio_update_cycle": "update_cycle",
    "uisp_late_tournaments": "late_tournaments",
}


class Laws:
    """The editions of a history with its readings, each made once."""

    def __init__(self, history: JHistory) -> None:
        self.name = LAW_NAMES[history.law]
        self.is_2010 = history.edition == "2011-07-01"
        # Lists stay two months apart in the judge's 2010, whatever the day.
        self.readings = history.readings | {"monthly_lists": "never"}
        self.kind = history.law.partition("_")[2]
        self.made: dict[type[RatingLaw], RatingLaw] = {}
        self.of_period = self.make(edition_named(self.name, history.edition))

    def make(self, edition: type[RatingLaw]) -> RatingLaw:
        if edition not in self.made:
            known = {reading.name for reading in edition.READINGS}
            chosen = {READING_NAMES.get(name, name): value for name, value in self.readings.items()}
            self.made[edition] = edition(**{n: v for n, v in chosen.items() if n in known})
        return self.made[edition]

    def at(self, start: date) -> RatingLaw:
        # The judge reads an edition on after its end, and RIO before its day.
        if self.is_2010 or self.name == "rio":
            return self.of_period
        ends = self.of_period.in_force.end
        return self.make(edition_in_force(self.name, min(start, ends - ONE_DAY) if ends else start))


def control_of(tournament: JTournament, laws: Laws) -> TimeControl:
    periods = (ClockPeriod(60 * tournament.base_minutes, tournament.increment),)
    # The judge does not ask RIO and UISP about unequal times; the editions do.
    if tournament.equal_times or not laws.of_period.HAS_UNRATED:
        return TimeControl(periods, periods)
    return TimeControl(
        periods, (ClockPeriod(60 * tournament.base_minutes + 1, tournament.increment),)
    )


def tournaments_of(laws: Laws, period: JPeriod) -> list[tuple[Tournament, JTournament]]:
    """The tournaments that RIO's type or UISP's K let into the period at all."""
    found = []
    for source in period.tournaments:
        law, control = laws.at(source.start), control_of(source, laws)
        tournament = Tournament(
            source.id,
            law,
            source.start,
            source.end,
            System(source.system),
            control,
            Facts(
                online=source.online,
                official=source.official,
                world_team_event=source.world_team,
                match_games=source.match_games,
                match_waiver=source.match_waiver,
            ),
        )
        if law.K_FROM_TOURNAMENT:
            try:
                tournament.k = law.tournament_coefficient(control, online=source.online).k
            except Illegal:
                continue
            if laws.name == "rio" and str(law.time_class(control)) != laws.kind:  # type: ignore[attr-defined]
                continue
        found.append((tournament, source))
    return found


@dataclass
class Answer:
    """The engine's period beside the judge's."""

    period: Period
    before: dict[int, JPlayer]
    judged: JResult
    laws: Laws


def base_of(player: JPlayer, laws: Laws, period: JPeriod) -> tuple[int, bool]:
    """The rating a period starts from and whether it stands in for a missing one."""
    if player.rating is not None:
        return player.rating, False
    if laws.name in {"fide-rapid", "fide-blitz"} and player.standard is not None:
        return player.standard, True
    if not laws.of_period.HAS_UNRATED:
        for tournament in sorted(period.tournaments, key=lambda t: (t.start, t.end, t.id)):
            rating = tournament.ratings.get(player.id)
            if rating is not None:
                return rating, True
    return 0, False


def players_of(before: dict[int, JPlayer], laws: Laws, period: JPeriod) -> Players:
    ordered = [before[id_] for id_ in sorted(before)]
    bases = [base_of(player, laws, period) for player in ordered]

    def column(values: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.array(values, dtype=np.int64)

    def flags(values: list[bool]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return np.array(values, dtype=np.bool_)

    return Players(
        id=column([p.id for p in ordered]),
        rating=column([base for base, _ in bases]),
        k=column([p.k if p.k is not None else UNKNOWN for p in ordered]),
        birth=column([birth_number(p) for p in ordered]),
        completed_games=column([p.games_total for p in ordered]),
        highest_published=column([highest_of(p) for p in ordered]),
        last_rated=column([p.last_rated_month or 0 for p in ordered]),
        first_event=flags([p.first_event_done or p.rating is not None for p in ordered]),
        stands_in=flags([stands for _, stands in bases]),
        affiliated=flags([p.special_body for p in ordered]),
        decimals=column(
            [int(100 * (p.exact - (p.rating or 0))) if p.exact is not None else 0 for p in ordered]
        ),
    )


def highest_of(player: JPlayer) -> int:
    """The least rating that says of the past what the judge remembers of it."""
    return max(player.rating or 0, 2400 * player.ever_2400, 2300 * player.ever_2300)


def birth_number(player: JPlayer) -> int:
    if player.birth is not None:
        return player.birth.year * 10_000 + player.birth.month * 100 + player.birth.day
    return (player.birth_year or 0) * 10_000


def rate(history: JHistory, index: int) -> Answer:
    """Rates one period of a history with the engine."""
    period, laws = history.periods[index], Laws(history)
    before = history.players
    if index:
        before = {id_: r.after for id_, r in history.results[index - 1].players.items()}
    players = players_of(before, laws, period)
    tournaments: list[Tournament] = []
    entry_rows: list[tuple[int, int, int]] = []
    game_rows: list[tuple[int, int, int, int, int, int]] = []
    for tournament, source in tournaments_of(laws, period):
        row_of: dict[int, int] = {}
        shown: dict[int, int] = {}
        for player, rating in source.ratings.items():
            standard = source.standard_ratings.get(player)
            shown[player] = rating or (standard if tournament.law.STANDARD_STANDS_IN else 0) or 0
            row_of[player] = len(entry_rows)
            entry_rows.append((len(tournaments), player, shown[player]))
        games = [
            Game(
                g.round,
                g.white,
                g.black,
                HalfPoints(g.white_half),
                HalfPoints(g.black_half),
                GameKind.PLAYED if g.played else GameKind.FORFEIT,
            )
            for g in source.games
        ]
        made = Report(entries=[Entry(player, str(player)) for player in shown], games=games)
        for game, code in zip(games, exclusions_in(tournament, made, shown), strict=True):
            game_rows.append(
                (
                    game.round,
                    row_of[game.white],
                    row_of[game.black],
                    game.white_score,
                    game.black_score,
                    code,
                )
            )
        tournaments.append(tournament)
    entry = np.array(entry_rows, dtype=np.int64).reshape(-1, 3).T
    columns = np.array(game_rows, dtype=np.int64).reshape(-1, 6).T
    rows = players.rows(entry[1])
    current = players.rating[rows]
    own = np.where(current > 0, np.where(entry[2] > 0, entry[2], current), 0)
    if laws.of_period.listed_since_by_entry():
        for at, (tournament_at, player, shown_) in enumerate(entry_rows):
            start = tournaments[tournament_at].start
            since = [rating for day, rating in before[player].entered if day > start]
            if since and not shown_ and own[at]:
                own[at] = since[0]
    pools = Pools(
        {
            id_: tuple(
                Tranche(
                    t.month,
                    t.tournament,
                    t.n,
                    t.opponent_sum,
                    t.half,
                    t.round_robin_opponents,
                    t.world_team,
                )
                for t in player.pool
            )
            for id_, player in before.items()
            if player.pool
        }
    )
    rated = rate_period(
        laws.of_period,
        period.list_date,
        tournaments,
        players,
        Entries(entry[0], rows, entry[2], own),
        Games(
            columns[0],
            columns[1],
            columns[2],
            columns[3].astype(np.int8),
            columns[4].astype(np.int8),
            columns[5].astype(np.int8),
        ),
        pools,
        opened_on=period.previous_list,
    )
    return Answer(rated, before, history.results[index], laws)


def differences(answer: Answer) -> list[str]:
    """What the engine and the judge do not agree on, in words."""
    found: list[str] = []
    period = answer.period
    after = players_after(period.outcome)
    k_printed, _, _ = (
        coefficients(period.law, after, period.outcome.list_date)
        if not period.law.K_FROM_TOURNAMENT
        else (period.outcome.k, [], period.outcome.k)
    )
    for row, id_ in enumerate(period.players.id.tolist()):
        judged = answer.judged.players[id_]
        for name, engine, judge in compared(period, after, k_printed, row, judged, answer.laws):
            if engine != judge:
                found.append(f"player {id_} {name}: engine {engine}, judge {judge}")
    return found


def compared(
    period: Period, after: Players, k_printed: object, row: int, judged: JPlayerResult, laws: Laws
) -> list[tuple[str, object, object]]:
    unrated = judged.base is None
    first = period.outcome.first_ratings.by_row.get(row)
    pool = period.outcome.pools.of(int(period.players.id[row]))
    rows: list[tuple[str, object, object]] = [
        ("n", int(period.outcome.totals.games[row]), judged.n),
        ("score", Fraction(int(period.outcome.totals.half[row]), 2), judged.score),
        ("expected", Fraction(int(period.outcome.totals.expected[row]), 100), judged.expected),
        ("variation", Fraction(int(period.outcome.variation[row]), 100), judged.variation),
        (
            "first rating",
            None if first is None else first.rating.rating,
            None if judged.initial is None else judged.initial.initial,
        ),
        (
            "publishable",
            first is not None and first.publishable,
            judged.published_first and unrated,
        ),
        ("delisted", bool(period.outcome.delisted[row]), judged.delisted),
    ]
    if laws.of_period.HAS_UNRATED or judged.n:
        rows.append(("new rating", int(period.outcome.new_rating[row]) or None, judged.new_rating))
        rows.append(("completed games", int(after.completed_games[row]), judged.after.games_total))
    if laws.of_period.HAS_UNRATED:
        rows += [
            ("change", int(period.outcome.change[row]), judged.change),
            ("reached 2400", bool(after.highest_published[row] >= 2400), judged.after.ever_2400),
            ("reached 2300", bool(after.highest_published[row] >= 2300), judged.after.ever_2300),
            ("last rated", int(after.last_rated[row]) or None, judged.after.last_rated_month),
            ("first event", bool(after.first_event[row]), judged.after.first_event_done),
            ("pool", [tranche_tuple(t) for t in pool], [pool_tuple(t) for t in judged.after.pool]),
        ]
        if judged.k is not None:
            applied = int(period.outcome.k_applied[row])
            rows += [
                ("k", int(period.outcome.k[row]), judged.k),
                ("k applied", applied, judged.k_applied),
            ]
        if judged.k_printed is not None:
            rows.append(("k printed", int(k_printed[row]), judged.k_printed))  # type: ignore[index]
    return rows


def tranche_tuple(tranche: Tranche) -> tuple[object, ...]:
    return (
        tranche.month,
        tranche.tournament,
        tranche.games,
        tranche.ratings,
        tranche.half_points,
        tranche.round_robin_opponents,
    )


def pool_tuple(result: JPoolResult) -> tuple[object, ...]:
    return (
        result.month,
        result.tournament,
        result.n,
        result.opponent_sum,
        result.half,
        result.round_robin_opponents,
    )
