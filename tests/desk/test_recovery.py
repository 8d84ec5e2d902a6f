"""What a crash leaves behind is put right when the office is opened, and no living work is hurt."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path
from threading import Event, Thread

import pytest

from arrocco.desk import Office
from arrocco.errors import Illegal
from arrocco.office.records import DraftStatus
from arrocco.store.office_folder import ListName, publishing
from tests.desk.offices import (
    Clock,
    People,
    accepted,
    folder_bytes,
    people_of,
    published,
    report,
    write_opening,
)

MAY, JUNE = date(2025, 5, 1), date(2025, 6, 1)


@pytest.fixture
def people(small_office: Office, clock: Clock, tmp_path: Path) -> People:
    """An office with a list of May and a report for June."""
    found = people_of(small_office)
    opening = write_opening(tmp_path / "fide.csv")
    small_office.lists.import_list(found.administrator, "fide", MAY, opening)
    accepted(small_office, clock, found, report(1, date(2025, 5, 8)), ("fide",))
    return found


def reopened(office: Office, clock: Clock) -> Office:
    return Office.open(office.folder, now=clock)


def test_what_an_interrupted_publication_has_left_is_kept_aside(
    small_office: Office, clock: Clock, people: People
) -> None:
    lists = small_office.folder / "lists" / "fide"
    begun = publishing(small_office.folder, ListName("fide", JUNE))
    begun.__enter__()  # and never left: the program was killed
    shutil.copytree(lists / "2025-05-01", lists / "2025-06-01")
    (lists / ".2025-06-01.abc.part").mkdir()
    left = folder_bytes(lists / "2025-06-01")
    other = reopened(small_office, clock)
    assert [path.name for path in lists.iterdir()] == ["2025-05-01"]
    assert {(one.path, one.reason) for one in other.moved_aside} == {
        ("lists/fide/2025-06-01", "interrupted_publication"),
        ("lists/fide/.2025-06-01.abc.part", "unfinished"),
    }
    for one in other.moved_aside:
        if one.reason == "interrupted_publication":
            assert folder_bytes(other.folder / one.kept_in) == left
    notes = list((other.folder / "set-aside").glob("*/note.jsonl"))
    assert len(notes[0].read_text("utf-8").splitlines()) == 2
    published(other, people, "fide", JUNE)
    other.close()
    again = reopened(small_office, clock)
    assert again.moved_aside == ()
    again.close()


def test_a_draft_nobody_works_on_has_failed(
    small_office: Office, clock: Clock, people: People
) -> None:
    boss = people.administrator
    number = small_office.lists.enter_draft(boss, "fide", JUNE)
    (small_office.folder / "drafts" / str(number) / "2025-06-01").mkdir(parents=True)
    other = reopened(small_office, clock)
    draft = other.lists.draft(boss, number)
    assert draft.status is DraftStatus.FAILED
    assert draft.failure is not None
    assert draft.failure.key == "desk.failed.stopped"
    assert not (other.folder / "drafts" / str(number)).exists()
    with pytest.raises(Illegal):
        other.lists.publish(boss, number, before_closing=True)
    other.close()


def test_a_draft_somebody_works_on_goes_on(
    small_office: Office, clock: Clock, people: People
) -> None:
    boss = people.administrator
    go_on, is_working = Event(), Event()

    def wait(stage: str, done: int, total: int) -> None:
        is_working.set()
        go_on.wait(30)

    number = small_office.lists.enter_draft(boss, "fide", JUNE)
    thread = Thread(target=small_office.lists.run_draft, args=(number, wait))
    thread.start()
    assert is_working.wait(30)
    other = reopened(small_office, clock)
    assert other.lists.draft(boss, number).status is DraftStatus.RUNNING
    with pytest.raises(Illegal):
        other.lists.enter_draft(boss, "fide", JUNE)
    go_on.set()
    thread.join(60)
    assert other.lists.draft(boss, number).status is DraftStatus.READY
    other.lists.publish(boss, number, before_closing=True)
    other.close()


def test_a_discarded_draft_stops(small_office: Office, people: People) -> None:
    boss = people.administrator
    number = small_office.lists.enter_draft(boss, "fide", JUNE)

    def discard(stage: str, done: int, total: int) -> None:
        if small_office.lists.draft(boss, number).status is DraftStatus.RUNNING:
            small_office.lists.discard(boss, number)

    draft = small_office.lists.run_draft(number, discard)
    assert draft.status is DraftStatus.DISCARDED
    assert not (small_office.folder / "drafts" / str(number)).exists()


def test_a_publication_whose_folder_was_taken_back_gets_it_again(
    small_office: Office, clock: Clock, people: People
) -> None:
    """The commit held but was thought lost: the row is there, the folder back among the drafts."""
    boss = people.administrator
    number = small_office.lists.enter_draft(boss, "fide", JUNE)
    small_office.lists.run_draft(number)
    small_office.lists.publish(boss, number, before_closing=True)
    june = small_office.folder / "lists" / "fide" / "2025-06-01"
    before = folder_bytes(june)
    (small_office.folder / "drafts" / str(number)).mkdir()
    june.rename(small_office.folder / "drafts" / str(number) / "2025-06-01")
    shutil.rmtree(small_office.folder / "lists" / "fide" / "2025-05-01")
    other = reopened(small_office, clock)
    assert folder_bytes(june) == before
    assert all(one.is_good for one in other.lists.verify_all()), "the imported one is made again"
    other.close()


def test_a_draft_whose_files_were_changed_is_not_published(
    small_office: Office, people: People
) -> None:
    boss = people.administrator
    number = small_office.lists.enter_draft(boss, "fide", JUNE)
    small_office.lists.run_draft(number)
    folder = small_office.lists.draft_folder(boss, number)
    (folder / "list.csv").write_bytes(b"id,name,rating\n1,Me,3000\n")
    with pytest.raises(Illegal) as refused:
        small_office.lists.publish(boss, number, before_closing=True)
    assert refused.value.key == "desk.refused.draft_changed"
    assert [path.name for path in (small_office.folder / "lists" / "fide").iterdir()] == [
        "2025-05-01"
    ]


def test_a_publication_that_fails_leaves_the_draft_where_it_was(
    small_office: Office, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    boss = people.administrator
    number = small_office.lists.enter_draft(boss, "fide", JUNE)
    small_office.lists.run_draft(number)

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(small_office.desk, "_note", fail)  # the last thing before the commit
        with pytest.raises(RuntimeError):
            small_office.lists.publish(boss, number, before_closing=True)
    latest = small_office.lists.latest("fide")
    assert latest is not None
    assert latest.list_date == MAY
    assert small_office.lists.draft(boss, number).status is DraftStatus.READY
    small_office.lists.publish(boss, number, before_closing=True)
    assert all(one.is_good for one in small_office.lists.verify_all())
