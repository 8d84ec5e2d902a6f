"""A federation through the office: every list follows from the ledger, to the byte."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from arrocco.desk import Office
from arrocco.errors import Illegal, Inconsistent
from arrocco.formats.lists import read_list
from arrocco.office.carrying import Note
from arrocco.office.ledger import IdCorrection, PlayerChanged, ResultCorrection
from arrocco.office.records import DraftStatus, ReportStatus, SentReport
from arrocco.records.ratinglist import ListedPlayer
from tests.desk.offices import (
    RATINGS,
    Clock,
    People,
    accepted,
    folder_bytes,
    name_of,
    people_of,
    player_id,
    published,
    report,
    write_opening,
)

MAY, JUNE, JULY, AUGUST = (date(2025, month, 1) for month in (5, 6, 7, 8))
BLITZ = "3'+2\""
RAPID = "15'+10\""


def listed(office: Office, system: str, day: date, number: int) -> ListedPlayer | None:
    """A player on a published list, as its file has them."""
    return read_list(office.lists.folder(system, day) / "list.parquet")[0].player(number)


def rating(office: Office, system: str, day: date, number: int) -> int | None:
    found = listed(office, system, day, player_id(number))
    return None if found is None else found.rating


def flipped(sent: SentReport, office: Office, people: People) -> ResultCorrection:
    """A correction that turns the first decisive game of a report around."""
    read = office.reports.read(people.administrator, sent.id)
    game = next(game for game in read.games if game.white_score != 1)
    return ResultCorrection(
        round=game.round,
        white=game.white,
        black=game.black,
        white_half=int(game.black_score),
        black_half=int(game.white_score),
    )


def check_all_verified(office: Office, count: int) -> None:
    found = office.lists.verify_all()
    assert len(found) == count
    assert [(one.system, one.list_date, one.findings) for one in found if not one.is_good] == []
    assert all(one.files >= 6 for one in found)


def test_from_registration_to_lists_with_a_correction_and_a_merger(
    office: Office, clock: Clock, people: People, tmp_path: Path
) -> None:
    boss = people.administrator
    office.lists.import_list(boss, "fide", MAY, write_opening(tmp_path / "fide.csv"))
    first = accepted(office, clock, people, report(1, date(2025, 5, 8)), ("fide",))
    newcomers = report(2, date(2025, 5, 10), players=range(7, 15))
    second = accepted(office, clock, people, newcomers, ("fide",))
    assert first.status is ReportStatus.ACCEPTED
    assert office.reports.lists(boss, first.id) == {"fide": (JUNE, False)}
    clock.go_to(JUNE)
    published(office, people, "fide", JUNE)
    assert office.reports.get(boss, second.id).status is ReportStatus.RATED
    assert office.reports.lists(boss, second.id) == {"fide": (JUNE, True)}
    june = folder_bytes(office.lists.folder("fide", JUNE))
    assert set(june) == {
        "list.parquet",
        "list.txt",
        "list.xml",
        "list.csv",
        "state.parquet",
        "pools.parquet",
        "players.parquet",
        "entries.parquet",
        "tournaments.parquet",
        "games.parquet",
        "summary.json",
    }
    assert rating(office, "fide", JUNE, 13) is not None, "seven games against rated players"

    # A result was wrong: June stays as it is, July starts from the corrected ratings.
    change = flipped(first, office, people)
    preview = office.corrections.preview(boss, first.id, [change])
    moved = {one.id: one for one in preview.impacts["fide"].players if one.note is Note.RATING}
    assert len(moved) == 2
    assert preview.next_lists == {"fide": JULY}
    office.corrections.enter(boss, first.id, [change], "the score sheet says otherwise")
    with pytest.raises(Inconsistent):
        office.corrections.enter(boss, first.id, [change], "once more")
    accepted(office, clock, people, report(3, date(2025, 6, 8), players=range(9, 15)), ("fide",))
    clock.go_to(JULY)
    published(office, people, "fide", JULY)
    assert folder_bytes(office.lists.folder("fide", JUNE)) == june
    for player, impact in moved.items():
        on_june, on_july = (listed(office, "fide", day, player) for day in (JUNE, JULY))
        assert on_june is not None
        assert on_june.rating == impact.rating_before
        assert on_july is not None
        assert on_july.rating == impact.base_after, "nothing but the correction happened to them"
    check_all_verified(office, 3)

    # Two numbers are one person; a report that still has the number left is rated under the kept.
    kept, left = player_id(9), player_id(13)
    office.people.merge(boss, kept, left, "the same person came with two numbers")
    with pytest.raises(Illegal):
        office.people.merge(boss, left, kept, "in a circle")
    late = report(4, date(2025, 7, 8), players=range(10, 14), rounds=3)
    accepted(office, clock, people, late, ("fide",))
    clock.go_to(AUGUST)
    published(office, people, "fide", AUGUST)
    assert listed(office, "fide", AUGUST, left) is None
    merged = listed(office, "fide", AUGUST, kept)
    assert merged is not None
    assert merged.games == 3
    assert listed(office, "fide", JULY, left) is not None
    assert office.people.kept_number(left) == kept
    days = [row.list_date for row in office.people.history(kept)["fide"]]
    assert days == sorted(days)
    assert JUNE in days
    assert AUGUST in days
    check_all_verified(office, 4)


def test_online_and_club_ratings_start_with_nobody_and_ask_other_lists(
    office: Office, clock: Clock, people: People, tmp_path: Path
) -> None:
    boss = people.administrator
    clock.go_to(date(2025, 4, 2))
    office.lists.import_list(boss, "fide", date(2025, 4, 1), write_opening(tmp_path / "a.csv"))
    office.lists.import_list(boss, "fide", MAY, write_opening(tmp_path / "b.csv", 10))
    fsi = tmp_path / "fsi.csv"
    fsi.write_text(f'id,name,rating\n{player_id(13)},"{name_of(13)}",1477\n', "utf-8")
    office.lists.import_list(boss, "fsi", MAY, fsi)
    systems = ("rio-blitz", "uisp")
    made = report(5, date(2025, 5, 17), control=BLITZ, players=range(7, 15))
    sent = accepted(office, clock, people, made, systems, online=True)
    assert office.reports.lists(boss, sent.id) == {
        "rio-blitz": (JUNE, False),
        "uisp": (JULY, False),
    }
    clock.go_to(JUNE)
    with pytest.raises(Illegal):
        office.lists.enter_draft(boss, "rio-blitz", JULY)
    published(office, people, "rio-blitz", JUNE)
    on_list = {
        number: listed(office, "rio-blitz", JUNE, player_id(number)) for number in (7, 13, 14)
    }
    explained = {
        number: office.people.period("rio-blitz", player_id(number), JUNE).rows.rating
        for number in on_list
    }
    assert explained[7] == RATINGS[6] + 10, "the FIDE list in force when the period opened"
    assert explained[13] == 1477, "the list of the FSI"
    assert explained[14] == 999, "RIO 14.2: on no list"
    # For UISP the report is not rated yet: the correction is made before it is.
    office.corrections.enter(boss, sent.id, [flipped(sent, office, people)], "by mistake")
    clock.go_to(JULY)
    published(office, people, "uisp", JULY)
    published(office, people, "rio-blitz", JULY)
    check_all_verified(office, 6)
    by_seq = {one.seq: one for one in office.lists.published("uisp")}
    assert len(by_seq) == 1
    assert office.reports.get(boss, sent.id).status is ReportStatus.RATED


def test_rapid_ratings_borrow_from_the_standard_list_of_the_same_day(
    small_office: Office, clock: Clock, tmp_path: Path
) -> None:
    office, people = small_office, people_of(small_office)
    boss = people.administrator
    office.lists.import_list(boss, "fide", MAY, write_opening(tmp_path / "fide.csv"))
    made = report(6, date(2025, 5, 17), control=RAPID)
    accepted(office, clock, people, made, ("fide-rapid",))
    published(office, people, "fide-rapid", JUNE)
    assert rating(office, "fide-rapid", JUNE, 1) is not None
    accepted(office, clock, people, report(7, date(2025, 6, 7), control=RAPID), ("fide-rapid",))
    with pytest.raises(Inconsistent, match="standard list"):
        office.lists.enter_draft(boss, "fide-rapid", JULY)
    published(office, people, "fide", JUNE)
    published(office, people, "fide-rapid", JULY)
    check_all_verified(office, 4)


def test_an_entry_was_another_player_who_joins_with_the_next_list(
    small_office: Office, clock: Clock, tmp_path: Path
) -> None:
    office, people = small_office, people_of(small_office)
    boss = people.administrator
    office.lists.import_list(boss, "fide", MAY, write_opening(tmp_path / "fide.csv"))
    sent = accepted(
        office, clock, people, report(8, date(2025, 5, 8), players=range(6, 14)), ("fide",)
    )
    published(office, people, "fide", JUNE)
    stranger = 99_000_900
    office.corrections.enter(boss, sent.id, [IdCorrection(entry=8, player=stranger)], "namesake")
    office.people.change(
        boss,
        PlayerChanged(player=player_id(2), federation="SMR", from_day=JUNE, reason="moved"),
    )
    office.people.change(
        boss, PlayerChanged(player=player_id(3), died=date(2025, 6, 3), from_day=JUNE, reason="+")
    )
    accepted(office, clock, people, report(9, date(2025, 6, 8)), ("fide",))
    published(office, people, "fide", JULY)
    joined, moved = (listed(office, "fide", JULY, one) for one in (stranger, player_id(2)))
    assert joined is not None
    assert moved is not None
    assert moved.federation == "SMR"
    assert listed(office, "fide", JULY, player_id(3)) is not None, "played in the period"
    published(office, people, "fide", AUGUST)
    assert listed(office, "fide", AUGUST, player_id(3)) is None
    check_all_verified(office, 4)


def test_corrections_of_one_report_enter_one_after_the_other_and_each_once(
    small_office: Office, clock: Clock, tmp_path: Path
) -> None:
    office, people = small_office, people_of(small_office)
    boss = people.administrator
    office.lists.import_list(boss, "fide", MAY, write_opening(tmp_path / "fide.csv"))
    made = report(1, date(2025, 5, 8))
    sent = accepted(office, clock, people, made, ("fide",))
    published(office, people, "fide", JUNE)
    read = office.reports.read(boss, sent.id)
    changes = [
        ResultCorrection(
            round=game.round,
            white=game.white,
            black=game.black,
            white_half=int(game.black_score),
            black_half=int(game.white_score),
        )
        for game in read.games
        if game.white_score != 1 and game.white == 1
    ][:2]
    assert len(changes) == 2
    for change, day in zip(changes, (JULY, AUGUST), strict=True):
        office.corrections.enter(boss, sent.id, [change], "the score sheet says otherwise")
        published(office, people, "fide", day)
    published(office, people, "fide", date(2025, 9, 1))
    right = office.corrections.as_corrected(boss, sent.id)
    # Another office rates the report as it should have been from the start.
    other = Office.open(tmp_path / "other", now=clock)
    others = people_of(other)
    clock.go_to(date(2025, 5, 2))
    other.lists.import_list(others.administrator, "fide", MAY, tmp_path / "fide.csv")
    for entry in right.entries:
        entry.points = 5 * sum(
            game.white_score * (game.white == entry.number)
            + game.black_score * (game.black == entry.number)
            for game in right.games
        )
    accepted(other, clock, others, right, ("fide",))
    published(other, others, "fide", JUNE)
    for number in range(1, 13):
        wanted = rating(other, "fide", JUNE, number)
        assert rating(office, "fide", AUGUST, number) == wanted
        assert rating(office, "fide", date(2025, 9, 1), number) == wanted
    assert rating(office, "fide", JUNE, 1) != rating(office, "fide", AUGUST, 1)
    other.close()
    check_all_verified(office, 5)


def test_a_draft_that_is_behind_is_not_published_and_one_beside_the_point_is(
    small_office: Office, clock: Clock, tmp_path: Path
) -> None:
    office, people = small_office, people_of(small_office)
    boss = people.administrator
    office.lists.import_list(boss, "fide", MAY, write_opening(tmp_path / "fide.csv"))
    accepted(office, clock, people, report(1, date(2025, 5, 8)), ("fide",))
    number = office.lists.enter_draft(boss, "fide", JUNE)
    draft = office.lists.run_draft(number)
    assert draft.status is DraftStatus.READY
    assert draft.summary["reports"] == 1
    assert draft.diff.classes["changed"] == 8 - draft.diff.classes["same"] + 4
    assert draft.stage == "comparing"
    clock.go_to(date(2025, 5, 20))
    second = accepted(office, clock, people, report(2, date(2025, 5, 10)), ("fide",))
    assert office.lists.is_behind(boss, number)
    with pytest.raises(Illegal, match="change the list"):
        office.lists.publish(boss, number, before_closing=True)
    assert office.lists.latest("fide").list_date == MAY  # type: ignore[union-attr]
    again = office.lists.enter_draft(boss, "fide", JUNE)
    assert office.lists.run_draft(again).summary["reports"] == 2
    # What is entered for another list does not matter to this one.
    blitz = report(3, date(2025, 5, 17), control=BLITZ)
    accepted(office, clock, people, blitz, ("rio-blitz",), online=True)
    assert not office.lists.is_behind(boss, again)
    office.lists.publish(boss, again, before_closing=True)
    assert office.lists.draft(boss, number).status is DraftStatus.DISCARDED
    with pytest.raises(Illegal):
        office.reports.withdraw(boss, second.id, "too late for that")
    check_all_verified(office, 2)


def test_a_list_is_not_published_before_its_period_closes_unless_that_is_confirmed(
    small_office: Office, clock: Clock, tmp_path: Path
) -> None:
    office, people = small_office, people_of(small_office)
    boss, root = people.administrator, people.root
    office.lists.import_list(boss, "fide", MAY, write_opening(tmp_path / "fide.csv"))
    clock.go_to(date(2025, 5, 21))
    number = office.lists.enter_draft(boss, "fide", JUNE)
    office.lists.run_draft(number)
    with pytest.raises(Illegal) as refused:
        office.lists.publish(boss, number)
    assert refused.value.key == "office.period_open"
    assert [one.list_date for one in office.lists.published("fide")] == [MAY]
    assert office.lists.draft(boss, number).status is DraftStatus.READY
    office.lists.publish(boss, number, before_closing=True)
    done, tried = office.audit.page(root, action="publish_list", limit=2)
    assert (tried.outcome, tried.details) == ("refused", {"key": "office.period_open"})
    assert done.outcome == "done"
    assert (done.details["before_closing"], done.details["days_left"]) == ("2025-05-31", 10)


def test_once_its_period_has_closed_a_list_is_published_without_more_ado(
    small_office: Office, clock: Clock, tmp_path: Path
) -> None:
    office, people = small_office, people_of(small_office)
    boss, root = people.administrator, people.root
    office.lists.import_list(boss, "fide", MAY, write_opening(tmp_path / "fide.csv"))
    clock.go_to(JUNE)
    number = office.lists.enter_draft(boss, "fide", JUNE)
    office.lists.run_draft(number)
    assert office.lists.still_open(boss, number) is None
    office.lists.publish(boss, number)
    (done,) = office.audit.page(root, action="publish_list", limit=1)
    assert "before_closing" not in done.details
