"""Numbers that decide whether, and on which list, a tournament is rated: reports checked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import combinations
from typing import Any

from arrocco.engine.categories import CATEGORY_COLUMN
from arrocco.engine.checks import check_report
from arrocco.laws.systems import SYSTEMS, RatingSystem
from arrocco.office.cutoff import calendar, list_for
from arrocco.office.player_changes import with_categories
from arrocco.office.records import Registration, RoundTime
from arrocco.office.registration import assess
from arrocco.office.tournaments import new_tournament, refused
from arrocco.records.report import Entry, Game, Report, System
from arrocco.records.timecontrol import parse
from arrocco.units import HalfPoints, Rating
from tests.laws.values.periods import CONTROLS
from tests.laws.values.trial import Scenario, World
from tests.office.build import opening as opening_of


def check(
    world: World,
    ratings: Sequence[int | None] = (1500, 1500),
    *,
    on: date | None = None,
    readings: dict[str, str] | None = None,
    women: bool = False,
    **given: Any,
) -> object:
    """The findings of a report with one game, changed by what is given."""
    start = given.pop("start", world.day)
    report = Report(
        source="t.trf",
        name="Torneo di prova",
        start=start,
        end=given.pop("end", start),
        system=System.SWISS,
        rounds=1,
        round_dates=(start,),
        time_control=parse(given.pop("control", CONTROLS[world.law])),
        entries=[
            Entry(
                n,
                f"Finta, {n}",
                99_000_000 + n,
                None if rating is None else Rating(rating),
                sex="w" if women else "m",
            )
            for n, rating in enumerate(ratings, start=1)
        ],
        games=[Game(1, 1, 2, HalfPoints(1), HalfPoints(1))],
    )
    report.facts.online = world.law == "rio"
    for name, value in given.items():
        setattr(report.facts if hasattr(report.facts, name) else report, name, value)
    return check_report(report, world.rating_law(**(readings or {})), on=on)


# --- registration ---------------------------------------------------------------------------------


def announced(world: World) -> object:
    return check(world)


def with_a_top_player(world: World) -> object:
    """One point above the rating from which the long notice applies."""
    return check(world, (world.number("TOP_PLAYER") + 1, 2400))


def with_a_top_woman(world: World) -> object:
    return check(world, (world.number("TOP_WOMAN") + 1, 2400), women=True)


def refusal(world: World) -> object:
    """A refusal to rate, and until when one can appeal against it."""
    day = world.day
    asked = Registration(
        name="Torneo",
        city="Borgo",
        federation="ITA",
        systems=(world.law,),
        start=day,
        end=day,
        schedule=(RoundTime(day),),
        time_control=CONTROLS[world.law],
        pairing=System.SWISS,
        chief_arbiter="Abete, Anna",
    )
    on = day - timedelta(days=60)
    at = datetime(on.year, on.month, on.day, 12, tzinfo=UTC)
    tournament = new_tournament(1, asked, assess(asked, on), by=1, at=at)
    return refused(tournament, "no", on=on).appeal_until


# --- the time control -----------------------------------------------------------------------------


def minutes_of(name: str, rating: int = 1500, band: str = "") -> Scenario:
    """Exactly so many minutes as a number says, for players at the rating of a band."""

    def play(world: World) -> object:
        rated = world.number(band) if band else rating
        return check(world, (rated, 1500), control=f"{world.number(name)}'")

    return play


def just_more_than(name: str) -> Scenario:
    """One second an hour's worth more than a limit that is not reached."""

    def play(world: World) -> object:
        return check(world, control=f"{world.number(name)}'+1\"")

    return play


def first_control(world: World) -> object:
    moves = world.number("FIRST_CONTROL_MOVES")
    return check(world, control=f"{moves}/90'+30'+30\"")


# --- the schedule ---------------------------------------------------------------------------------


def rounds_in_a_day(rounds: int, control: str) -> Scenario:
    def play(world: World) -> object:
        return check(world, rounds=rounds, round_dates=(world.day,) * rounds, control=control)

    return play


def as_many_hours_as_allowed(world: World) -> object:
    """Two rounds that take, both players together, exactly the hours of a day."""
    minutes = world.number("HOURS_PER_DAY") * 60 // 4
    return rounds_in_a_day(2, f"{minutes}'")(world)


def as_many_games_as_allowed(world: World) -> object:
    return rounds_in_a_day(world.number("GAMES_PER_DAY"), "60'")(world)


def as_many_rounds_as_allowed(world: World) -> object:
    return rounds_in_a_day(world.number("ROUNDS_PER_DAY"), CONTROLS[world.law])(world)


def lasting(name: str) -> Scenario:
    """A tournament of exactly so many days."""

    def play(world: World) -> object:
        return check(world, end=world.day + timedelta(days=world.number(name) - 1))

    return play


# --- the lists ------------------------------------------------------------------------------------


def lists_to_come(world: World) -> object:
    """The next lists, and those of FIDE 2010 where they never become monthly."""
    system = next(system for system in SYSTEMS.values() if system.law == world.law)
    never = {"monthly_lists": "never"} if world.has("MONTHS_PER_MONTHLY_LIST") else {}
    return calendar(system, world.day), check(world, readings=never)


def first_monthly_lists(world: World) -> object:
    """FIDE 2010: a tournament that ends once lists are monthly."""
    return check(world, start=date(2012, 6, 28), end=date(2012, 7, 20))


def ending_on_closing_day(world: World) -> object:
    law = world.original()
    closing = law.closing_date(law.next_list(world.day))
    return check(world, start=closing, end=closing)


def official_ending_on_closing_day(world: World) -> object:
    law = world.original()
    closing = law.closing_date(law.next_list(world.day), official=True)
    return check(world, start=closing, end=closing, official=True)


def due_today(world: World) -> object:
    """UISP: the ranking on the first day on which it is late."""
    ranking = world.original().next_list(world.day)
    today = ranking + timedelta(days=world.number("EMISSION_DAYS"))
    before = world.original().list_in_force(world.day)
    return calendar(SYSTEMS["uisp"], today, [before], count=1)


def received_on_closing_day(world: World) -> object:
    """UISP: the list a report goes on that comes in on the last day for it."""
    law = world.original()
    closing = law.closing_date(law.next_list(world.day))
    return list_for(world.rating_law(), RatingSystem("uisp", "uisp", "uisp"), world.day, closing)


# --- round robins ---------------------------------------------------------------------------------


def round_robin(players: int, rated: int, **given: Any) -> Scenario:
    """A round robin of so many players, the first of whom are rated, with every game played."""

    def play(world: World) -> object:
        ratings = [2000 if n < rated else None for n in range(players)]
        drawn = HalfPoints(1), HalfPoints(1)
        cycles = 2 if given.get("system") is System.DOUBLE_ROUND_ROBIN else 1
        pairs = list(combinations(range(1, players + 1), 2)) * cycles  # else a Swiss (6.43)
        games = [Game(1, white, black, *drawn) for white, black in pairs]
        return check(world, ratings, **{"system": System.ROUND_ROBIN, "games": games, **given})

    return play


def one_third_rated(world: World) -> object:
    """Exactly one rated for each so many players, in an event that is not small."""
    return round_robin(4 * world.number("RATED_SHARE"), 4)(world)


def smallest_event_that_is_not_small(world: World) -> object:
    """With three rated it misses the number of a small event, and here one third."""
    return round_robin(world.number("SMALL_EVENT"), world.number("SMALL_EVENT_RATED") - 1)(world)


def small_event(world: World) -> object:
    """Exactly the number that must be rated in the largest small event."""
    return round_robin(world.number("SMALL_EVENT") - 1, world.number("SMALL_EVENT_RATED"))(world)


def double_round_robin(world: World) -> object:
    return round_robin(
        world.number("DOUBLE_PLAYERS"),
        world.number("DOUBLE_RATED"),
        system=System.DOUBLE_ROUND_ROBIN,
    )(world)


def championship(world: World) -> object:
    return round_robin(20, world.number("CHAMPIONSHIP_MEN"), national_championship=True)(world)


def womens_championship(world: World) -> object:
    return round_robin(
        20,
        world.number("CHAMPIONSHIP_WOMEN"),
        national_championship=True,
        women_only=True,
        women=True,
    )(world)


# --- RIO 14.3 -------------------------------------------------------------------------------------


def event_at(name: str, more: str = "") -> Scenario:
    """A tournament announced to RIO at exactly so many minutes for 60 moves."""

    def play(world: World) -> object:
        control = f"{world.number(name)}'{more}"
        return [world.rating_law().is_of_kind(parse(control), kind) for kind in _RIO_KINDS], check(
            world, control=control
        )

    return play


_RIO_KINDS = ("rapid", "blitz", "bullet")


def category(name: str) -> Scenario:
    """RIO: the category of a player published at exactly the rating that earns it."""

    def play(world: World) -> object:
        opening = opening_of([{"id": 99_000_001, "rating": world.number(name)}])
        return with_categories(opening, world.rating_law()).listed.extra[CATEGORY_COLUMN].tolist()

    return play
