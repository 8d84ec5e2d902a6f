"""Days that decide in the office: when a ranking really comes out, when a long tournament began."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from arrocco.desk import Office
from arrocco.formats.lists import read_list
from arrocco.office.ledger import ListPublished, ReportAccepted
from arrocco.records.report import Report
from arrocco.units import Rating
from tests.desk.offices import (
    HEADING,
    RATINGS,
    Clock,
    accepted,
    data_of,
    name_of,
    people_of,
    player_id,
    published,
    registration_of,
    report,
    write_opening,
)

APRIL, JULY, OCTOBER = (date(2025, month, 1) for month in (4, 7, 10))


def emitted(office: Office, day: date) -> date | None:
    with office.desk.database.reading() as connection:
        for _, entry in office.desk.book(connection).of(ListPublished):
            if entry.list_date == day:
                return entry.emitted or None
    return None


def test_uisp_i_2_and_i_4_the_real_day_of_emission(
    small_office: Office, clock: Clock, tmp_path: Path
) -> None:
    """A report of 26 June is too late for 1 July, and in time for a ranking of 8 July.

    A tournament of 5 July starts before it is out: it is rated with the ranking of April.
    """
    office, people = small_office, people_of(small_office)
    boss = people.administrator
    office.lists.import_list(boss, "uisp", APRIL, write_opening(tmp_path / "uisp.csv"))
    june = accepted(office, clock, people, report(1, date(2025, 6, 25), control="15'"), ("uisp",))
    assert office.reports.lists(boss, june.id) == {"uisp": (OCTOBER, False)}
    clock.go_to(date(2025, 7, 8))
    published(office, people, "uisp", JULY)
    assert office.reports.lists(boss, june.id) == {"uisp": (JULY, True)}
    assert emitted(office, JULY) == date(2025, 7, 8)
    july = report(2, date(2025, 7, 5), control="15'")
    accepted(office, clock, people, july, ("uisp",))
    clock.go_to(OCTOBER)
    published(office, people, "uisp", OCTOBER)
    ratings = read_list(office.lists.folder("uisp", JULY) / "list.parquet")[0]
    changed = [n for n in range(1, 9) if _rating(ratings, n) != RATINGS[n - 1]]
    assert changed, "the tournament of June is on the ranking of July"
    for number in range(1, 9):
        rows = office.people.period("uisp", player_id(number), OCTOBER).rows
        assert [event.own_rating for event in rows.events] == [RATINGS[number - 1]]
        assert rows.rating == _rating(ratings, number)
    assert all(one.is_good for one in office.lists.verify_all())


def _rating(listed: object, number: int) -> int | None:
    found = listed.player(player_id(number))  # type: ignore[attr-defined]
    return None if found is None else int(found.rating)


def test_0_1_and_4_an_interim_report_knows_its_tournament(
    small_office: Office, clock: Clock, tmp_path: Path
) -> None:
    """Registered from 20 September to 16 November; the rounds of October come with October."""
    office, people = small_office, people_of(small_office)
    day = date(2025, 9, 1)
    office.lists.import_list(people.administrator, "fide", day, write_opening(tmp_path / "f.csv"))
    whole = report(3, date(2025, 9, 20), rounds=3)
    days = (date(2025, 9, 20), date(2025, 10, 18), date(2025, 11, 15))
    whole.round_dates, whole.end = days, days[-1]
    clock.go_to(day)
    registered = office.tournaments.register(people.arbiter, registration_of(whole, ("fide",)))
    part = _round_of(whole, 2, days[1])
    clock.go_to(days[1] + timedelta(days=2))
    sent = office.reports.send(people.arbiter, registered.id, "october.trf", data_of(part))
    warned = {i: "so it was" for i, f in enumerate(sent.findings) if f.severity == "warning"}
    if warned:
        office.reports.answer(people.arbiter, sent.id, warned)
    office.reports.accept(people.administrator, sent.id)
    with office.desk.database.reading() as connection:
        ((_, entry),) = office.desk.book(connection).of(ReportAccepted)
    assert entry.facts.began == days[0]
    assert entry.facts.event == f"tournament:{registered.id}"


def test_0_1_and_0_2_1_a_part_is_judged_by_the_day_its_tournament_began(
    small_office: Office, clock: Clock, tmp_path: Path
) -> None:
    """Above 2700 it is 30 days from 25 December 2023 on, not in a tournament of the 20th."""
    office, people = small_office, people_of(small_office)
    boss, opened = people.administrator, date(2023, 12, 1)
    ratings = [2710, *RATINGS[1:]]
    rows = [f'{player_id(n)},"{name_of(n)}",ITA,,,,{r},,0,\n' for n, r in enumerate(ratings, 1)]
    path = tmp_path / "fide.csv"
    path.write_text(HEADING + "".join(rows), "utf-8")
    office.lists.import_list(boss, "fide", opened, path)

    def found(first: date, second: date) -> set[str]:
        whole = report(3, first, rounds=2, control="120'+30\"")
        whole.entries[0].rating = Rating(2710)
        whole.round_dates, whole.end = (first, second), second
        clock.go_to(first - timedelta(days=10))
        registered = office.tournaments.register(people.arbiter, registration_of(whole, ("fide",)))
        clock.go_to(second + timedelta(days=1))
        part = data_of(_round_of(whole, 2, second))
        checked = office.reports.check(people.arbiter, registered.id, "part.trf", part)
        keys = {finding.key for each in checked.findings.values() for finding in each}
        assert "office.interim_report" in keys
        return keys

    asked = "office.field_stronger"
    assert asked not in found(date(2023, 12, 20), date(2024, 1, 25))
    assert asked in found(date(2023, 12, 27), date(2024, 2, 5)), "10 days before it began"


def _round_of(whole: Report, number: int, day: date) -> Report:
    """One round of a report, as a report of its own."""
    games = [replace(game, round=1) for game in whole.games if game.round == number]
    for entry in whole.entries:
        entry.points = 5 * sum(
            game.white_score * (game.white == entry.number)
            + game.black_score * (game.black == entry.number)
            for game in games
        )
    return replace(whole, start=day, end=day, rounds=1, round_dates=(day,), games=games)


def _five_rounds(first: int, start: date) -> Report:
    return report(first, start, players=range(first, first + 6), rounds=5)


def test_7_1_3_and_9_1_the_office_says_until_when_reports_are_taken(
    small_office: Office, clock: Clock, tmp_path: Path
) -> None:
    """Two tournaments end on 28 September and are reported on the 29th: one before the change."""
    office, people = small_office, people_of(small_office)
    boss, manager, start = people.administrator, people.root, date(2025, 9, 24)
    september, october, november = (date(2025, month, 1) for month in (9, 10, 11))
    office.lists.import_list(boss, "fide", september, write_opening(tmp_path / "f.csv"))
    first = accepted(office, clock, people, _five_rounds(1, start), ("fide",))
    assert office.reports.lists(boss, first.id) == {"fide": (october, False)}
    told = office.lists.calendar("fide", count=1)[0].upcoming
    assert told.send_by == date(2025, 9, 30)
    office.settings.change(manager, report_days=3)
    told = office.lists.calendar("fide", count=1)[0].upcoming
    assert (told.send_by, told.official_send_by) == (date(2025, 9, 28), date(2025, 9, 30))
    second = accepted(office, clock, people, _five_rounds(7, start), ("fide",))
    assert office.reports.lists(boss, second.id) == {"fide": (november, False)}
    # What was decided stays: the list has the one report, and is rebuilt after another change.
    assert office.reports.lists(boss, first.id) == {"fide": (october, False)}
    clock.go_to(october)
    published(office, people, "fide", october)
    office.settings.change(manager, report_days=0)
    assert office.reports.lists(boss, first.id) == {"fide": (october, True)}
    assert all(one.is_good for one in office.lists.verify_all())
