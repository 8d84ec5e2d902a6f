"""Numbers that decide a rating: small periods, rated on the road that published lists go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from arrocco.dates import Month as CalendarMonth
from arrocco.engine.batch import ListColumns, PeriodContext, rate_batch
from arrocco.engine.month import PeriodBuilder, rate_month
from arrocco.engine.players import month_number, players_of_list
from arrocco.engine.pools import Pools
from arrocco.engine.publish import next_list
from arrocco.laws.rating import Tranche
from arrocco.office.adjustment import adjusted_column
from arrocco.records.ratinglist import UNKNOWN, RatingList
from arrocco.records.report import Entry, Facts, Game, Report, System
from arrocco.records.reportbatch import batch_of
from arrocco.records.timecontrol import parse
from arrocco.units import HalfPoints
from tests.laws.values.trial import Scenario, World

NEWCOMER = 99_000_099
CONTROLS = {
    "fide": "180'",
    "fide-rapid": "15'+10\"",
    "fide-blitz": "3'+2\"",
    "rio": "3'+2\"",
    "uisp": "90'",
}


@dataclass(frozen=True)
class Player:
    """A player of the list that opens the period."""

    rating: int
    completed_games: int = 100
    birth: int = 19600000
    months_since_game: int = 0
    title: str = ""


def publish(
    world: World,
    players: Sequence[Player],
    games: Sequence[tuple[int, int, int]] = (),
    *,
    newcomer: bool = False,
    control: str = "",
    system: System = System.SWISS,
    facts: Mapping[str, Any] | None = None,
    pool: Sequence[Tranche] = (),
    readings: Mapping[str, str] | None = None,
    opened: date | None = None,
) -> object:
    """The list that closes a period with one tournament, row by row.

    Players have the numbers 1, 2 ...; games are White, Black and White's half points. A newcomer,
    whom no list has, has the number after the last.
    """
    law = world.original(**(readings or {}))
    opened = opened or law.list_in_force(world.day)
    closed = law.next_list(opened)
    before = _list(players, opened)
    known = players_of_list(before)
    known.completed_games = np.array([p.completed_games for p in players], dtype=np.int64)
    since = np.array([p.months_since_game for p in players], dtype=np.int64)
    known.last_rated = month_number(opened) - since
    entries = [Entry(n, f"Finto, {n}", 99_000_000 + n) for n in range(1, len(players) + 1)]
    if newcomer:
        entries.append(Entry(len(entries) + 1, "Nuova, Ada", NEWCOMER))
    report = Report(
        source="t",
        start=opened,
        end=opened,
        system=system,
        rounds=len(games),
        time_control=parse(control or CONTROLS[world.law]),
        entries=entries,
        games=[
            Game(n, white, black, HalfPoints(half), HalfPoints(2 - half))
            for n, (white, black, half) in enumerate(games, start=1)
        ],
        facts=Facts(**{"online": world.law == "rio", **(facts or {})}),
    )
    context = PeriodContext(
        world.law,
        dict(readings or {}),
        opened,
        closed,
        ListColumns(known.id, known.rating),
        kind="blitz" if world.law == "rio" else "",
    )
    pools = Pools({NEWCOMER: tuple(pool)} if pool else {})
    month = PeriodBuilder(context, known, pools)
    outcome = rate_month(month, [rate_batch(context, batch_of([report]), keep_sides=True)])
    listed, after = next_list(outcome, before, month.newcomers)
    return (
        [listed.at(row) for row in range(len(listed))],
        outcome.variation.tolist(),
        sorted(month.excluded.items()),
        sorted(outcome.pools.tranches),
        after.decimals.tolist(),
    )


def _list(players: Sequence[Player], on: date) -> RatingList:
    size = len(players)

    def numbers(values: Sequence[int]) -> Any:
        return np.array(values, dtype=np.int32)

    def texts(value: str) -> Any:
        return np.full(size, value, dtype=np.object_)

    return RatingList(
        id=np.arange(99_000_001, 99_000_001 + size, dtype=np.int64),
        name=texts("Finto"),
        federation=texts("ITA"),
        sex=texts("M"),
        title=np.array([player.title for player in players], dtype=np.object_),
        rating=numbers([player.rating for player in players]),
        games=numbers([0] * size),
        k=numbers([UNKNOWN] * size),
        birth=numbers([player.birth for player in players]),
        flag=texts(""),
        on=on,
    )


# --- K --------------------------------------------------------------------------------------------


def one_win(player: Player, opponent: int = 0) -> Scenario:
    """A player beats another of the same rating, or of the one given."""

    def play(world: World) -> object:
        return publish(world, (player, Player(opponent or player.rating)), [(1, 2, 2)])

    return play


def new_player(world: World) -> object:
    return one_win(Player(1800, completed_games=0))(world)


def at_end_of_new(world: World) -> object:
    return one_win(Player(1800, completed_games=world.number("K_NEW_GAMES")))(world)


def normal_player(world: World) -> object:
    return one_win(Player(1800))(world)


def top_player(world: World) -> object:
    return one_win(Player(world.number("K_TOP_RATING")))(world)


def junior(world: World) -> object:
    return one_win(Player(1800, birth=(world.day.year - 10) * 10_000))(world)


def grown_up_today(world: World) -> object:
    """Who has the decisive birthday on the day of the list that opens the period."""
    opened = world.original().list_in_force(world.day)
    birth = opened.replace(year=opened.year - world.number("K_JUNIOR_AGE"))
    packed = birth.year * 10_000 + birth.month * 100 + birth.day
    return one_win(Player(1800, birth=packed))(world)


def strong_junior(world: World) -> object:
    rating = world.number("K_JUNIOR_RATING")
    return one_win(Player(rating, birth=(world.day.year - 10) * 10_000))(world)


def as_many_games_as_fit(world: World) -> object:
    """So many games that K times their number is exactly the limit."""
    k = world.number("K_ALL" if world.has("K_ALL") else "K_NORMAL")
    games = world.number("K_TIMES_GAMES") // k
    rivals = [Player(1800)] * games
    return publish(world, (Player(1800), *rivals), [(1, n + 2, 2) for n in range(games)])


# --- the difference -------------------------------------------------------------------------------


def far_apart(world: World) -> object:
    """Ten games with a difference far beyond the cap: RIO and UISP round what they add up to."""
    rival = Player(1500 + world.number("DIFFERENCE_CAP") + 100)
    return publish(world, (Player(1500), *[rival] * 10), [(1, n, 2) for n in range(2, 12)])


def strongest_against_weak(world: World) -> object:
    rating = world.number("FULL_DIFFERENCE_RATING")
    return one_win(Player(rating), rating - 600)(world)


def exactly_the_gap(world: World) -> object:
    top = world.number("GAP_TOP_PLAYER") + 50
    return one_win(Player(top), top - world.number("GAP"))(world)


def just_above_the_gap_rating(world: World) -> object:
    top = world.number("GAP_TOP_PLAYER") + 1
    return one_win(Player(top), top - world.number("GAP") - 100)(world)


# --- first ratings --------------------------------------------------------------------------------


def newcomer_with(
    wins: int, games: int, opponents: int = 9, rating: int = 1900, **given: Any
) -> Scenario:
    """A newcomer meets so many opponents, in turn, and wins the first games."""

    def play(world: World) -> object:
        rivals = [Player(rating + 10 * n) for n in range(opponents)]
        results = [(opponents + 1, n % opponents + 1, 2 if n < wins else 0) for n in range(games)]
        return publish(world, rivals, results, newcomer=True, **given)

    return play


def first_rating(world: World) -> object:
    """Above one half, with exactly the games that are needed."""
    games = world.number("FIRST_RATING_GAMES")
    return newcomer_with(games // 2 + 1, games)(world)


def first_rating_of_perfect_score(world: World) -> object:
    games = world.number("FIRST_RATING_GAMES")
    return newcomer_with(games, games, rating=2300)(world)


def first_rating_from_team_event(world: World) -> object:
    games = world.number("FIRST_RATING_GAMES_REDUCED")
    return newcomer_with(4, games, facts={"world_team_event": True})(world)


def one_point_in_the_first_event(world: World) -> object:
    wins = world.number("FIRST_EVENT_HALF_POINTS") // 2
    return newcomer_with(wins, world.number("FIRST_RATING_GAMES"), rating=2300)(world)


def few_opponents_in_the_first_event(world: World) -> object:
    opponents = world.number("FIRST_EVENT_RATED_OPPONENTS")
    return newcomer_with(5, world.number("FIRST_RATING_GAMES"), opponents)(world)


def oldest_result_that_pools(world: World) -> object:
    """A result of the first list that still counts, and the one game that is missing."""
    law, games = world.original(), world.number("FIRST_RATING_GAMES")
    closed = law.next_list(law.list_in_force(world.day))
    kept = Tranche(
        month_number(law.pool_starts(closed)), "old", games - 1, 1900 * (games - 1), games
    )
    return newcomer_with(1, 3, pool=[kept])(world)


# --- who is on the list ---------------------------------------------------------------------------


def at_the_floor(world: World) -> object:
    return publish(world, (Player(world.number("FLOOR")), Player(1900)))


def silent_for(months: int) -> Scenario:
    """Players whose last rated game is so many months before the list that closes the period."""

    def play(world: World) -> object:
        law = world.original()
        opened = law.list_in_force(world.day)
        length = CalendarMonth.of(law.next_list(opened)).minus(CalendarMonth.of(opened))
        return publish(world, (Player(1900, months_since_game=months - length), Player(1900)))

    return play


def silent_for_the_year(world: World) -> object:
    return silent_for(world.number("INACTIVE_AFTER"))(world)


def silent_until_off_the_list(world: World) -> object:
    return silent_for(world.number("INACTIVE_AFTER") + world.number("LISTED_AS_INACTIVE"))(world)


def silent_until_off_the_top(world: World) -> object:
    return silent_for(world.number("TOP_LIST_MONTHS"))(world)


# --- RIO and UISP ---------------------------------------------------------------------------------


def somebody_enters(world: World) -> object:
    return newcomer_with(1, 2, 2)(world)


def at_control(control: str, **facts: Any) -> Scenario:
    """A tournament at this time control."""

    def play(world: World) -> object:
        return publish(
            world, (Player(1800), Player(1800)), [(1, 2, 2)], control=control, facts=facts
        )

    return play


def at_the_shortest_standard(world: World) -> object:
    """The least minutes and increment that UISP takes for the highest K."""
    minutes, seconds = world.number("K_STANDARD_MINUTES"), world.number("K_STANDARD_INCREMENT")
    return at_control(f"{minutes}'+{seconds}\"")(world)


# --- the adjustment of a list ---------------------------------------------------------------------


def adjusted(world: World) -> object:
    """The list of the day, adjusted as an office does it."""
    ratings = np.array([0, 1400, 1999, 2000], dtype=np.int64)
    return adjusted_column(world.rating_law(), ratings).tolist()
