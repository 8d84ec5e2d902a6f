"""What was decided when the texts were read again, in an office that is run by its acts.

The calculators and both commands have the same articles in `tests/runs/test_same_on_every_road.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path

import pytest

from arrocco.desk import Office
from arrocco.desk.desk import operator
from arrocco.formats.lists import read_list
from arrocco.laws.systems import system_named
from arrocco.office.records import ReportStatus
from arrocco.office.roles import Role
from arrocco.records.ratinglist import RatingList
from arrocco.records.report import Report
from arrocco.store.list_folder import ListFolder
from tests.cli.tournaments import Pairing, player_id, report, write_list
from tests.desk.offices import Clock, People, data_of, people_of, published, registration_of

APRIL, MAY, JUNE, JULY = (date(2024, month, 1) for month in (4, 5, 6, 7))


@pytest.fixture
def people(small_office: Office) -> People:
    return people_of(small_office)


def played(
    field: Sequence[int | None], games: Sequence[Pairing], start: date, control: str = "90'+30\""
) -> Report:
    """A tournament of one day with the days of its rounds, as an arbiter sends it."""
    made = report(field, games, start=start, control=control)
    made.end, made.round_dates = start, (start,) * made.rounds
    return made


def imported(
    office: Office,
    people: People,
    folder: Path,
    system: str,
    lists: Mapping[date, dict[int, int]],
    births: Mapping[int, str] | None = None,
) -> None:
    """Lists that were published elsewhere: by day, by starting number, the rating."""
    born = {player_id(n): birth for n, birth in (births or {}).items()}
    for day, ratings in lists.items():
        rows = [(player_id(n), rating, 20) for n, rating in ratings.items()]
        path = Path(write_list(folder, rows, f"{system}-{day}.csv", births=born))
        office.lists.import_list(people.administrator, system, day, path)


def taken(
    office: Office, clock: Clock, people: People, made: Report, system: str, on: date | None = None
) -> None:
    """Registers a tournament, and accepts its report on a day."""
    assert made.start is not None
    clock.go_to(made.start - timedelta(days=40))
    registration = registration_of(made, (system,), online=system.startswith("rio"))
    number = office.tournaments.register(people.arbiter, registration).id
    clock.go_to(on or made.start + timedelta(days=1))
    sent = office.reports.send(people.arbiter, number, "report.trf", data_of(made))
    assert sent.status is not ReportStatus.RETURNED, list(sent.findings)
    warned = {i: "so it was" for i, f in enumerate(sent.findings) if f.severity == "warning"}
    if warned:
        office.reports.answer(people.arbiter, sent.id, warned)
    office.reports.accept(people.administrator, sent.id)


def chosen(office: Office, system: str, day: date, readings: Mapping[str, str]) -> None:
    """Has the head of the office choose readings for the lists from a day on."""
    for name, way in readings.items():
        head, law = operator(Role.HEAD_OF_OFFICE), system_named(system).law
        office.readings.choose(head, law, name, way, day, "the board has decided")


def came_out(office: Office, clock: Clock, people: People, system: str, day: date) -> RatingList:
    """Publishes a list; all lists of the office must verify."""
    clock.go_to(day)
    published(office, people, system, day)
    assert all(one.is_good for one in office.lists.verify_all())
    return read_list(office.lists.folder(system, day) / "list.parquet")[0]


def rating_of(listed: RatingList, number: int) -> int | None:
    player = listed.player(player_id(number))
    return None if player is None or player.rating is None else int(player.rating)


@pytest.mark.parametrize(("counts", "month"), [("played", 4), ("rated", 5)])
def test_7_1_4_months_are_counted_from_the_period_played_in(
    small_office: Office, clock: Clock, people: People, tmp_path: Path, counts: str, month: int
) -> None:
    """Two games of April that the list of June rates."""
    office, others = small_office, {2: 1500, 3: 1500}
    imported(office, people, tmp_path, "fide", {APRIL: others, MAY: others})
    chosen(office, "fide", JUNE, {} if counts == "played" else {"unrated_pool_counts": counts})
    made = played([None, 1500, 1500], [(1, 1, 2, "="), (2, 1, 3, "=")], date(2024, 4, 13))
    taken(office, clock, people, made, "fide", date(2024, 5, 10))
    came_out(office, clock, people, "fide", JUNE)
    pools = ListFolder(office.lists.folder("fide", JUNE).parent, "standard").read(JUNE).pools
    (pooled,) = pools.of(player_id(1))
    assert pooled.month == 2024 * 12 + month


@pytest.mark.parametrize(("shown", "games"), [("of_period", 3), ("of_pool", 5)])
def test_7_1_2_the_games_of_a_newcomer_are_those_of_the_period(
    small_office: Office, clock: Clock, people: People, tmp_path: Path, shown: str, games: int
) -> None:
    office, others = small_office, dict.fromkeys(range(2, 7), 1500)
    imported(office, people, tmp_path, "fide", {MAY: others})
    chosen(office, "fide", JUNE, {} if shown == "of_period" else {"newcomer_games": shown})
    field: list[int | None] = [None, *[1500] * 5]
    may = played(field, [(1, 1, 2, "="), (2, 1, 3, "=")], date(2024, 5, 11))
    june = played(field, [(1, 1, 4, "="), (2, 1, 5, "="), (3, 1, 6, "=")], date(2024, 6, 8))
    taken(office, clock, people, may, "fide")
    came_out(office, clock, people, "fide", JUNE)
    taken(office, clock, people, june, "fide")
    listed = came_out(office, clock, people, "fide", JULY)
    newcomer = listed.player(player_id(1))
    assert newcomer is not None
    assert newcomer.rating is not None
    assert newcomer.games == games


@pytest.mark.parametrize(("since", "gained"), [("entry_rating", 5), ("current", 4)])
def test_8_2_4_a_late_report_counts_on_the_rating_of_entry(
    small_office: Office, clock: Clock, people: People, tmp_path: Path, since: str, gained: int
) -> None:
    """1 is unrated in April, enters in May with 1600 and has 1650 in June, which opens the period.

    A draw against 1800 in April: D is -200 (PD .24) or -150 (.30), and K is 20.
    """
    office, others = small_office, {2: 1800, 3: 1800}
    lists = {APRIL: others, MAY: {1: 1600, **others}, JUNE: {1: 1650, **others}}
    imported(office, people, tmp_path, "fide", lists)
    chosen(office, "fide", JULY, {} if since == "entry_rating" else {"listed_since": since})
    made = played([None, 1800, 1800], [(1, 1, 2, "="), (2, 2, 3, "=")], date(2024, 4, 13))
    taken(office, clock, people, made, "fide", date(2024, 6, 10))
    listed = came_out(office, clock, people, "fide", JULY)
    assert [rating_of(listed, n) for n in (1, 2)] == [1650 + gained, 1800]


@pytest.mark.parametrize(("way", "k"), [("once", 20), ("while_below", 40)])
def test_8_3_3_a_junior_published_at_2300_who_fell_below(
    small_office: Office, clock: Clock, people: People, tmp_path: Path, way: str, k: int
) -> None:
    """1 was published with 2310, loses twice to others of 2310, and beats one of 2290 in June."""
    office, others = small_office, {2: 2310, 3: 2310, 4: 2290}
    lists = {MAY: {1: 2310, **others}}
    imported(office, people, tmp_path, "fide", lists, {1: "2010"})
    chosen(office, "fide", JUNE, {} if way == "once" else {"junior_2300": way})
    games: list[Pairing] = [(1, 1, 2, "0"), (2, 1, 3, "0")]
    may = played([2310, 2310, 2310], games, date(2024, 5, 11), "120'")
    taken(office, clock, people, may, "fide")
    fallen = came_out(office, clock, people, "fide", JUNE)
    assert rating_of(fallen, 1) == 2310 - 20
    taken(office, clock, people, beaten_in_june(), "fide")
    assert rating_of(came_out(office, clock, people, "fide", JULY), 1) == 2290 + k // 2


def beaten_in_june() -> Report:
    """1 beats 4, who stands second in the report."""
    made = played([2290, 2290], [(1, 1, 2, "1")], date(2024, 6, 8), "120'")
    made.entries[1].id = player_id(4)
    return made


@pytest.mark.parametrize(
    ("way", "categories"),
    [("same_list", ["OM", "OM", "OCM"]), ("next_list", ["OCM", "", "OCM"])],
)
def test_rio_14_6_a_category_stands_on_the_list_that_publishes_its_rating(
    small_office: Office,
    clock: Clock,
    people: People,
    tmp_path: Path,
    way: str,
    categories: list[str],
) -> None:
    """1 goes from 2195 to 2207 and is OM at once; 2 is new with 2230 and OM on the first list.

    3 was published with 2001 and falls: what is obtained stays.
    """
    office, opened, closed = small_office, date(2025, 6, 1), date(2025, 7, 1)
    imported(office, people, tmp_path, "rio-blitz", {opened: {1: 2195, 3: 2001}})
    imported(office, people, tmp_path, "fide", {opened: {2: 2230}})
    chosen(office, "rio-blitz", closed, {} if way == "same_list" else {"category_list": way})
    games: list[Pairing] = [(1, 1, 2, "1"), (2, 2, 3, "1")]
    made = played([2195, None, 2001], games, date(2025, 6, 14), "3'+2\"")
    taken(office, clock, people, made, "rio-blitz")
    listed = came_out(office, clock, people, "rio-blitz", closed)
    assert rating_of(listed, 1) == 2207
    assert (rating_of(listed, 3) or 0) < 2000
    assert [str(listed.extra["o_title"][row]) for row in range(3)] == categories


@pytest.mark.parametrize(
    ("readings", "ratings"), [({}, [1506, 1594]), ({"entry_lists": "at_opening"}, [1518, 1682])]
)
def test_uisp_i_5_the_lists_in_force_when_the_first_tournament_starts(
    small_office: Office,
    clock: Clock,
    people: People,
    tmp_path: Path,
    readings: dict[str, str],
    ratings: list[int],
) -> None:
    """2 is new in May, and again in June: both count with the FIDE list of May, 1600."""
    office = small_office
    imported(office, people, tmp_path, "uisp", {APRIL: {1: 1500}})
    fide = {APRIL: {2: 1700}, MAY: {2: 1600}, JUNE: {2: 1800}}
    imported(office, people, tmp_path, "fide", fide)
    chosen(office, "uisp", JULY, readings)
    for month in (5, 6):
        made = played([1500, None], [(1, 1, 2, "=")], date(2024, month, 11), "30'+10\"")
        taken(office, clock, people, made, "uisp")
    listed = came_out(office, clock, people, "uisp", JULY)
    assert [rating_of(listed, n) for n in (1, 2)] == ratings


@pytest.mark.parametrize(("way", "entered"), [("entry_rating", 1440), ("not_rated", None)])
def test_uisp_i_1_who_takes_part_gets_a_rating_without_a_game_that_counts(
    small_office: Office,
    clock: Clock,
    people: People,
    tmp_path: Path,
    way: str,
    entered: int | None,
) -> None:
    office = small_office
    imported(office, people, tmp_path, "uisp", {APRIL: {1: 1500, 2: 1500}})
    chosen(office, "uisp", JULY, {} if entered else {"without_games": way})
    games: list[Pairing] = [(1, 1, 2, "="), (2, 3, 1, "+")]
    made = played([1500, 1500, None], games, date(2024, 5, 11), "30'+10\"")
    taken(office, clock, people, made, "uisp")
    listed = came_out(office, clock, people, "uisp", JULY)
    assert [rating_of(listed, n) for n in (1, 2, 3)] == [1500, 1500, entered]


def test_2010_7_13_an_event_of_2011_goes_to_a_list_of_2011_in_an_office_of_today(
    small_office: Office, clock: Clock, people: People, tmp_path: Path
) -> None:
    """An office that begins with the list of September 2011, and rates what was played then."""
    office, opened, november = small_office, date(2011, 9, 1), date(2011, 11, 1)
    imported(office, people, tmp_path, "fide", {opened: {1: 2000, 2: 2000}})
    made = played([2000, 2000], [(1, 1, 2, "1")], date(2011, 9, 10), "120'")
    taken(office, clock, people, made, "fide", date(2026, 3, 1))
    calendar = office.lists.calendar("fide", count=1)
    assert calendar[0].upcoming.list_date == november
    clock.go_to(date(2026, 3, 2))
    published(office, people, "fide", november)
    listed = read_list(office.lists.folder("fide", november) / "list.parquet")[0]
    assert (rating_of(listed, 1) or 0) > 2000
    assert all(one.is_good for one in office.lists.verify_all())
