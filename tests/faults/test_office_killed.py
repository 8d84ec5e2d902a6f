"""Whenever an office is killed: never half a list, never a lost report that was acknowledged."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from random import Random

import pytest
from argon2 import PasswordHasher

from arrocco.desk import Office, passwords
from arrocco.office.ledger import Annulment, GameExclusion
from arrocco.office.records import DraftStatus, ReportStatus, TournamentStatus
from arrocco.office.roles import Asker, Role
from arrocco.store.sql import drafts, reports
from tests.desk.offices import (
    Clock,
    data_of,
    folder_bytes,
    people_of,
    registration_of,
    report,
    write_opening,
)
from tests.faults.kills import PARTS, PER_PART, note
from tests.faults.nursery import Nursery

CHILD = Path(__file__).with_name("office_child.py")
MAY, JUNE, JULY = date(2025, 5, 1), date(2025, 6, 1), date(2025, 7, 1)
TAKEN = (ReportStatus.ACCEPTED, ReportStatus.RATED, ReportStatus.ANNULLED)
"""What a report is from its acceptance on."""
SAMPLE = 6
MODULE = "tests.faults.office_child"


@dataclass(frozen=True)
class Reference:
    """An office before, the report it waits for, and what a run that nobody disturbs comes to."""

    before: Path
    report: Path
    june: dict[str, bytes]
    july: dict[str, bytes]
    moments: int
    seconds: float


def start(moment: int, folder: Path, report: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    environment.pop("ARROCCO_DATABASE", None)
    return subprocess.Popen(
        [sys.executable, str(CHILD), str(moment), str(folder), str(report)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    )


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    folder = tmp_path_factory.mktemp("office")
    made, clock = report(1, date(2025, 5, 8)), Clock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_HASHER", PasswordHasher(1, 64, 1))
        office = Office.open(folder / "before", now=clock)
        people = people_of(office)
        assert (people.administrator.account, people.arbiter.account) == (2, 4)
        opening = write_opening(folder / "fide.csv")
        office.lists.import_list(people.administrator, "fide", MAY, opening)
        clock.go_to(date(2025, 4, 1))
        assert office.tournaments.register(people.arbiter, registration_of(made, ("fide",))).id == 1
        office.close()
    (folder / "report.trf").write_bytes(data_of(made))
    shutil.copytree(folder / "before", folder / "after")
    began = time.monotonic()
    process = start(0, folder / "after", folder / "report.trf")
    said, wrong = process.communicate()
    assert process.returncode == 0, wrong
    return Reference(
        folder / "before",
        folder / "report.trf",
        folder_bytes(folder / "after" / "lists" / "fide" / "2025-06-01"),
        folder_bytes(folder / "after" / "lists" / "fide" / "2025-07-01"),
        int(said.split()[-1]),
        time.monotonic() - began,
    )


def check(reference: Reference, folder: Path, said: str) -> None:
    """After reopening: what was acknowledged is there, and what is there is whole."""
    acknowledged = [int(line.split()[1]) for line in said.splitlines() if line.startswith("sent")]
    office = Office.open(folder)
    try:
        with office.desk.database.reading() as connection:
            for number in acknowledged:
                sent = reports.get(connection, number)
                assert sent is not None, "an acknowledged report is lost"
                assert office.desk.blobs.get(sent.blob) == reference.report.read_bytes()
                if "accepted" in said.splitlines():
                    assert sent.status in TAKEN, "an acceptance is lost"
            assert drafts.with_status(connection, DraftStatus.RUNNING) == []
            ready = {row.id for row in drafts.with_status(connection, DraftStatus.READY)}
        days = {one.list_date.isoformat() for one in office.lists.published("fide")}
        assert {path.name for path in (folder / "lists" / "fide").iterdir()} == days
        if "published" in said.splitlines():
            assert JUNE.isoformat() in days
        if "published july" in said.splitlines():
            assert JULY.isoformat() in days
        if JUNE.isoformat() in days:
            assert folder_bytes(office.lists.folder("fide", JUNE)) == reference.june
        if JULY.isoformat() in days:
            assert folder_bytes(office.lists.folder("fide", JULY)) == reference.july
        boss = Asker(account=2, role=Role.RATING_ADMINISTRATOR)
        status = office.tournaments.get(boss, 1).status
        if "annulled" in said:
            assert status is TournamentStatus.REFUSED, "an acknowledged annulment is lost"
        entered = [
            change
            for number in acknowledged[:1]
            for _, one in office.corrections.of_report(boss, number)
            for change in one.changes
        ]
        if "corrected" in said:
            assert any(isinstance(one, GameExclusion) for one in entered), "a correction is lost"
        # An annulment is whole: the ledger has it exactly where the tournament is refused.
        if acknowledged:
            annulled = any(isinstance(one, Annulment) for one in entered)
            assert annulled is (status is TournamentStatus.REFUSED)
        left = {path.name for path in (folder / "drafts").iterdir() if path.is_dir()}
        assert left == {str(number) for number in ready}
        assert all(one.is_good for one in office.lists.verify_all())
    finally:
        office.close()


def check_goes_on(reference: Reference, folder: Path) -> None:
    """The same work again comes to the same list."""
    process = start(0, folder, reference.report)
    _, wrong = process.communicate()
    assert process.returncode == 0, wrong
    june = folder_bytes(folder / "lists" / "fide" / "2025-06-01")
    assert june == reference.june
    assert folder_bytes(folder / "lists" / "fide" / "2025-07-01") == reference.july


def killed_at(reference: Reference, folder: Path, moment: int) -> None:
    for at in earlier(reference, moment):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(reference.before, folder)
        process = start(at, folder, reference.report)
        said, wrong = process.communicate()
        if process.returncode != 0:
            break
    assert process.returncode == -signal.SIGKILL, (moment, wrong)
    check(reference, folder, said)


def earlier(reference: Reference, moment: int) -> range:
    """The moment, and earlier ones: a quicker run has some moments fewer and ends before it."""
    step = max(1, reference.moments // 20)
    return range(moment, max(0, moment - 4 * step), -step)


def killed_after(reference: Reference, folder: Path, seconds: float) -> None:
    shutil.copytree(reference.before, folder)
    process = start(0, folder, reference.report)
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    with suppress(ProcessLookupError):  # it may have come to its end meanwhile
        os.killpg(process.pid, signal.SIGKILL)
    said, _ = process.communicate()
    check(reference, folder, said)


def test_the_work_has_many_moments(reference: Reference) -> None:
    assert reference.moments > 80
    assert len(reference.june) == 11


def test_killed_at_some_moments(reference: Reference, tmp_path: Path) -> None:
    rng = Random(5)
    for number in range(SAMPLE - 2):
        killed_at(reference, tmp_path / str(number), rng.randrange(1, reference.moments))
    check_goes_on(reference, tmp_path / "0")


def test_killed_while_the_list_is_published(reference: Reference, tmp_path: Path) -> None:
    """The last moments are those of the publication and of the view that is built after it."""
    for number, back in enumerate((30, 12)):
        killed_at(reference, tmp_path / str(number), reference.moments - back)
    check_goes_on(reference, tmp_path / "1")


def killed_child(
    nursery: Nursery, reference: Reference, folder: Path, moment: int, seconds: float
) -> str:
    """Kills a child of the nursery at a moment or, where that is 0, after some time."""
    output = folder.with_name(f"{folder.name}.said")
    for at in earlier(reference, moment) if moment else (0,):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(reference.before, folder)
        child = nursery.start(MODULE, [at, folder, reference.report], output)
        if not at:
            time.sleep(seconds)
            assert child.kill() in (-signal.SIGKILL, 0), child.said
        elif (ended := child.wait()) != 0:
            break
    assert not moment or ended == -signal.SIGKILL, (moment, child.said)
    said = child.said
    check(reference, folder, said)
    return said


@pytest.fixture(scope="module")
def child_seconds(
    nursery: Nursery, reference: Reference, tmp_path_factory: pytest.TempPathFactory
) -> float:
    """How long a child of the nursery takes for all its work."""
    folder = tmp_path_factory.mktemp("child")
    shutil.copytree(reference.before, folder / "office")
    began = time.monotonic()
    arguments = [0, folder / "office", reference.report]
    child = nursery.start(MODULE, arguments, folder / "said")
    assert child.wait() == 0, child.said
    return time.monotonic() - began


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_killed_at_any_moment_and_any_time(
    part: int, nursery: Nursery, reference: Reference, child_seconds: float, tmp_path: Path
) -> None:
    rng, acknowledged = Random(part), 0
    for number in range(PER_PART):
        folder = tmp_path / str(number)
        moment = rng.randrange(1, reference.moments + 1) if number % 2 else 0
        seconds = child_seconds * rng.uniform(0, 1)
        said = killed_child(nursery, reference, folder, moment, seconds)
        acknowledged += sum(
            line.startswith(("sent", "accepted", "published", "corrected", "annulled"))
            for line in said.splitlines()
        )
        if number % 10 == 0:
            check_goes_on(reference, folder)
        shutil.rmtree(folder)
    note("office", part, PER_PART, acknowledged)


def test_children_of_the_nursery_are_killed_like_others(
    nursery: Nursery, reference: Reference, tmp_path: Path
) -> None:
    said = killed_child(nursery, reference, tmp_path / "0", reference.moments - 12, 0)
    assert "sent" in said
