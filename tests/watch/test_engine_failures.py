"""12.1 — an engine that starts slowly, dies, or is not there: the watch outlives it and says so."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arrocco.desk import Office
from arrocco.fairplay import engine as engine_module
from arrocco.fairplay.engine import Analyser, EngineFailed
from arrocco.live.opening import log_reader
from arrocco.store.engine_trouble import engine_trouble
from arrocco.watch import watch as watch_module
from arrocco.watch.queue_filler import QueueFiller
from arrocco.watch.watch import Watch
from arrocco.watch.worker import Worker
from tests.serving import children, command_of, is_alive
from tests.watch.played import NOW, PlayedEvent
from tests.watch.test_watch import engine, office, queued, settings

__all__ = ["engine", "office"]


def script(folder: Path, text: str) -> str:
    path = folder / "an-engine"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o700)
    return str(path)


@pytest.mark.parametrize("text", ["exit 3", "echo nonsense; exec sleep 60", ""])
def test_one_that_dies_or_says_nothing_at_its_start_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(engine_module, "START_SECONDS", 1.0)
    path = script(tmp_path, text)
    with pytest.raises(EngineFailed) as failed:
        Analyser(1_000, path=path)
    assert path in failed.value.said("en")[0]
    left = [command_of(pid) for pid in children(os.getpid()) if is_alive(pid)]
    assert not [command for command in left if path in command or "sleep" in command]


def test_one_that_is_not_there_any_more_is_named(tmp_path: Path) -> None:
    with pytest.raises(EngineFailed):
        Analyser(1_000, path=str(tmp_path / "gone"))


def test_one_that_starts_slowly_is_waited_for(tmp_path: Path, engine: str) -> None:
    """Ten seconds are not enough on a busy machine, at the lowest priority."""
    with Analyser(1_000, path=script(tmp_path, f"sleep 11\nexec {engine}")) as analyser:
        assert "Stockfish" in analyser.setting.engine


def test_its_game_is_free_again_and_waits(tmp_path: Path, office: Office) -> None:
    PlayedEvent(office, rounds=1, players=2)
    database, logs = office.desk.database, log_reader(office.folder, office.desk.database)
    QueueFiller(database, logs, settings("x"), office.desk.now).fill()
    worker = Worker(database, logs, script(tmp_path, "exit 3"), office.desk.now)
    for _ in range(2):  # the second time it would be another's, were it not given back
        with pytest.raises(EngineFailed):
            worker.work()
    (game,) = queued(office).values()
    assert game.done == 0


def test_12_1_the_watch_outlives_it_tells_of_it_and_goes_on(
    tmp_path: Path, office: Office, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It dies twice at its start; then it works, and every game is analysed."""
    monkeypatch.setattr(watch_module, "LOOK_SECONDS", 0.2)
    PlayedEvent(office, rounds=1, players=2)
    tries = tmp_path / "tries"
    path = script(
        tmp_path,
        f"echo x >> {tries}\n[ $(wc -l < {tries}) -le 2 ] && exit 3\nexec {engine}",
    )
    logs = log_reader(office.folder, office.desk.database)
    watch = Watch(office.desk.database, logs, settings(path), office.desk.now, office.folder)
    watch.start()
    try:
        until(lambda: engine_trouble(office.folder, NOW) is not None)
        trouble = engine_trouble(office.folder, NOW)
        assert trouble is not None
        assert trouble.reason
        until(lambda: all(game.is_complete for game in queued(office).values()))
        assert queued(office)
        until(lambda: engine_trouble(office.folder, NOW) is None)
    finally:
        watch.stop()
    assert tries.read_text().count("x") == 3


def test_one_that_hangs_at_a_game_is_ended_and_the_watch_goes_on(
    office: Office, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "MAX_SECONDS", 1.0)
    PlayedEvent(office, rounds=1, players=2)
    database, logs = office.desk.database, log_reader(office.folder, office.desk.database)
    QueueFiller(database, logs, settings(engine), office.desk.now).fill()
    worker = Worker(database, logs, engine, office.desk.now)
    started = worker._analyser(1_000)
    pid = started._engine.transport.get_pid()
    os.kill(pid, signal.SIGSTOP)  # the process is alive and answers nothing
    assert worker.work()
    until(lambda: not is_alive(pid))
    worker.close()


def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends, "it never became so"
        time.sleep(0.02)
