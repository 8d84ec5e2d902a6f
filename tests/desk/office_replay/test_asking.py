"""Replays are asked for by those who may, run one at a time, and kept; a crash interrupts them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep

import pytest
from argon2 import PasswordHasher

from arrocco.desk import Office, passwords, replays
from arrocco.desk.replay_files import KEPT
from arrocco.desk.replay_records import Ended, ReplayStatus
from arrocco.desk.replays import QUEUE, NoReplay
from arrocco.errors import Illegal, Inconsistent
from arrocco.office.roles import Asker, Forbidden, Role
from arrocco.store.sql import audit
from tests.desk.office_replay.replayed import JULY, JUNE, MAY
from tests.web.public_office import fill_public

ROOT = Path(__file__).parents[3]
SOURCES = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
IN_2012 = "fide@2012-07-01"
BOSS = Asker(account=4, name="Ada Rossi", role=Role.RATING_ADMINISTRATOR)
OFFICER = Asker(account=3, name="Bruno Neri", role=Role.FEDERATION_OFFICER, federation="ITA")
_S = ReplayStatus
_PATIENCE = 120

MAY_ASK = (Role.FEDERATION_OFFICER, Role.RATING_ADMINISTRATOR, Role.HEAD_OF_OFFICE)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "office"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        weak = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
        patch.setattr(passwords, "_HASHER", weak)
        fill_public(folder)
    return folder


@pytest.fixture
def office(made: Path, tmp_path: Path) -> Iterator[Office]:
    folder = Path(shutil.copytree(made, tmp_path / "office"))
    with closing(Office.open(folder)) as opened:
        yield opened


@pytest.fixture
def idle(office: Office, monkeypatch: pytest.MonkeyPatch) -> Office:
    """An office in which everything waits."""
    monkeypatch.setattr(office.replays, "work_on_waiting", lambda: None)
    return office


@pytest.fixture
def slow(office: Office, monkeypatch: pytest.MonkeyPatch) -> Office:
    """An office whose replays come to no end."""
    monkeypatch.setattr(replays, "WORKER", "tests.desk.office_replay.slow_worker")
    monkeypatch.setenv("PYTHONPATH", SOURCES)
    return office


def ask(office: Office, asker: Asker = BOSS, other: str = IN_2012) -> int:
    return office.replays.ask(asker, "fide", JUNE, JULY, other)


def until(met: Callable[[], bool]) -> None:
    end = monotonic() + _PATIENCE
    while not met():
        assert monotonic() < end, "it did not come to pass"
        sleep(0.02)


def log(office: Office) -> list[tuple[str, str, str]]:
    with office.desk.database.reading() as connection:
        return [(row.action, row.outcome, row.subject) for row in audit.page(connection, limit=4)]


class TestAsking:
    def test_a_replay_runs_in_a_process_of_its_own_and_its_result_stays(
        self, office: Office
    ) -> None:
        number = ask(office)
        office.replays.wait(_PATIENCE)
        found = office.replays.get(number)
        assert found.status is _S.DONE, found.ended
        assert found.found is not None
        assert [listed["list"] for listed in found.found.lists] == ["2025-06-01", "2025-07-01"]
        assert found.found.lists[-1]["different"] > 0
        assert found.ended is not None
        assert found.ended.seconds > 0
        assert (found.how_far.period, found.how_far.periods) == (2, 2)
        assert office.replays.players(number).is_file()
        assert not office.replays.files.work(number).exists()
        with closing(Office.open(office.folder)) as again:
            assert again.replays.get(number) == found
        assert log(office)[0] == ("ask_replay", "done", "list:fide:2025-07-01")

    def test_officers_and_rating_administrators_ask_and_nobody_else(self, idle: Office) -> None:
        number = ask(idle)
        for role in Role:
            asker = Asker(account=None if role is Role.PUBLIC else 2, role=role, federation="ITA")
            if role in MAY_ASK:
                own = ask(idle, asker)
                assert idle.replays.get(own).status is _S.WAITING
                idle.replays.cancel(asker, own)
                continue
            kept = idle.replays.all()
            with pytest.raises(Forbidden):
                ask(idle, asker)
            with pytest.raises(Forbidden):
                idle.replays.cancel(asker, number)
            assert idle.replays.all() == kept
            if role is Role.PUBLIC:
                continue  # what strangers are refused is counted, and summed by the hour
            assert log(idle)[:2] == [
                ("cancel_replay", "refused", f"replay:{number}"),
                ("ask_replay", "refused", "list:fide:2025-07-01"),
            ]
        assert idle.replays.get(number).status is _S.WAITING

    def test_a_second_one_of_the_same_person_is_refused(self, idle: Office) -> None:
        number = ask(idle)
        with pytest.raises(Illegal) as refused:
            ask(idle)
        assert refused.value.key == "replay_pages.refused.yours_first"
        assert refused.value.details == {"number": number}
        assert len(idle.replays.all()) == 1
        idle.replays.cancel(BOSS, number)
        assert ask(idle) == number + 1

    def test_only_so_many_may_wait(self, idle: Office) -> None:
        others = (1, 2, 3, 5)
        assert len(others) == QUEUE + 1
        for account in others:
            ask(idle, Asker(account=account, role=Role.RATING_ADMINISTRATOR))
        with pytest.raises(Illegal) as refused:
            ask(idle)
        assert refused.value.key == "replay_pages.refused.too_many"
        assert refused.value.details == {"waiting": QUEUE + 1}

    def test_what_cannot_be_replayed_is_refused_before_it_waits(self, idle: Office) -> None:
        for first, other, key in (
            (MAY, "fide", "replay_pages.refused.not_made_here"),
            (JUNE, "uisp@undated", "replay.refused.no_such_list"),
            (JUNE, "rio@2025-04-12", "replay_pages.refused.cannot_rate"),
        ):
            with pytest.raises((Illegal, Inconsistent)) as refused:
                idle.replays.ask(BOSS, "fide", first, JULY, other)
            assert refused.value.key == key
        assert idle.replays.all() == []

    def test_the_last_twenty_are_kept(self, idle: Office) -> None:
        for _ in range(KEPT + 3):
            number = ask(idle)
            ended = Ended(status=_S.FAILED, at=idle.desk.now())
            idle.replays.files.end(number, ended)
        numbers = [one.number for one in idle.replays.all()]
        assert numbers == list(range(KEPT + 3, 3, -1))
        with pytest.raises(NoReplay):
            idle.replays.get(1)


class TestUnderWay:
    def test_one_is_under_way_while_the_others_wait_their_turn(self, slow: Office) -> None:
        first, second = ask(slow), ask(slow, OFFICER)
        until(lambda: slow.replays.get(first).how_far.period == 2)
        assert slow.replays.get(first).status is _S.RUNNING
        assert slow.replays.get(second).status is _S.WAITING
        slow.replays.cancel(BOSS, first)
        until(lambda: slow.replays.get(second).status is _S.RUNNING)
        found = slow.replays.get(first)
        assert found.status is _S.CANCELLED
        assert found.ended is not None
        assert not slow.replays.files.work(first).exists()
        with pytest.raises(Illegal):
            slow.replays.cancel(BOSS, first)
        assert log(slow)[1] == ("cancel_replay", "done", f"replay:{first}")

    def test_anothers_replay_is_cancelled_by_the_rating_administrator_only(
        self, idle: Office
    ) -> None:
        of_boss, of_officer = ask(idle), ask(idle, OFFICER)
        with pytest.raises(Forbidden):
            idle.replays.cancel(OFFICER, of_boss)
        idle.replays.cancel(BOSS, of_officer)
        assert idle.replays.get(of_officer).status is _S.CANCELLED

    def test_a_program_that_stops_interrupts_it(self, slow: Office) -> None:
        number = ask(slow)
        until(lambda: slow.replays.get(number).status is _S.RUNNING)
        slow.replays.close()
        assert slow.replays.get(number).status is _S.INTERRUPTED
        assert not slow.replays.files.work(number).exists()

    def test_a_crash_interrupts_it_and_the_process_does_not_outlive_it(
        self, office: Office
    ) -> None:
        environment = os.environ | {"PYTHONPATH": SOURCES}
        module = "tests.desk.office_replay.crashing"
        crashed = subprocess.run(
            [sys.executable, "-m", module, str(office.folder)], env=environment, timeout=_PATIENCE
        )
        assert crashed.returncode == 9
        until(lambda: office.replays.get(1).status is _S.INTERRUPTED)
        assert office.replays.get(1).how_far.period == 2
        until(lambda: not office.replays.files.work(1).exists())
        number = ask(office)  # nothing stands in the way of another one
        office.replays.wait(_PATIENCE)
        assert office.replays.get(number).status is _S.DONE

    def test_what_waited_at_a_stop_goes_on_when_somebody_looks(self, idle: Office) -> None:
        number = ask(idle, other="fide")
        with closing(Office.open(idle.folder)) as again:
            assert [one.status for one in again.replays.all()] == [_S.WAITING]
            again.replays.wait(_PATIENCE)
            assert again.replays.get(number).status is _S.DONE

    def test_a_process_that_fails_at_once_is_not_tried_for_ever(
        self, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(replays, "WORKER", "arrocco.no_such_module")
        number = ask(office)
        office.replays.wait(_PATIENCE)
        assert office.replays.get(number).status is _S.INTERRUPTED

    def test_a_blob_that_is_damaged_is_told_as_what_it_is(self, office: Office) -> None:
        for blob in list(office.desk.blobs.all()):
            office.desk.blobs.path(blob).write_bytes(b"damaged")
        number = ask(office)
        office.replays.wait(_PATIENCE)
        found = office.replays.get(number)
        assert found.status is _S.FAILED
        assert found.ended is not None
        assert found.ended.failure is not None
        assert found.ended.failure.key == "store.refused.blob_damaged"
        with pytest.raises(NoReplay):
            office.replays.players(number)
