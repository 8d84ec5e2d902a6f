"""The process that works on one replay: ``python -m arrocco.desk.office_replay.worker``.

It is given the folder of the office and the number of the replay, and through its input the address
of the database. When the input closes the program that started it is gone, and it ends.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from select import select
from threading import Thread
from time import monotonic

from arrocco.desk.desk import Desk
from arrocco.desk.draft_records import Failure
from arrocco.desk.replay_files import ReplayFiles, lower_priority
from arrocco.desk.replay_records import Asked, Ended, HowFar, ReplayStatus
from arrocco.errors import Refusal
from arrocco.laws.systems import system_named
from arrocco.office.findings import kept_details
from arrocco.store.sql.database import Database

_LOOK_SECONDS = 0.2
_STOPPED = 3
"""The exit status of a replay that was cancelled or left alone."""


def work(desk: Desk, files: ReplayFiles, number: int) -> None:
    """Works on a replay when its turn has come; how it ended is written down."""
    with files.one_at_a_time(), files.working(number):
        replay = files.get(number)
        if replay is None or replay.status is not ReplayStatus.WAITING:
            return
        files.note(number, HowFar())
        begun = monotonic()
        ended = _run(desk, files, replay.asked)
        took = int(monotonic() - begun + 1)  # begun seconds count
        files.end(
            number,
            Ended(
                status=ended.status,
                at=desk.now(),
                seconds=took,
                failure=ended.failure,
                found=ended.found,
            ),
        )


def _run(desk: Desk, files: ReplayFiles, asked: Asked) -> Ended:
    # Lists and laws take a moment to load; a replay that only waits does without.
    from arrocco.desk.office_replay.run import Wanted, replay_office, write_players

    def told(period: int, periods: int) -> None:
        files.note(asked.number, HowFar(period=period, periods=periods))

    system = system_named(asked.system)
    wanted = Wanted(system, asked.first, asked.last, asked.other, asked.ledger_seq)
    scratch = files.work(asked.number)
    scratch.mkdir(parents=True, exist_ok=True)
    try:
        told_of, replayed = replay_office(desk, wanted, scratch, told)
        write_players(desk, wanted, replayed, files.players(asked.number))
    # Whatever it is: who asked is told that it went wrong, not left waiting.
    except Exception as error:
        return Ended(status=ReplayStatus.FAILED, at=desk.now(), failure=_failure(error))
    return Ended(status=ReplayStatus.DONE, at=desk.now(), found=told_of)


def _failure(error: Exception) -> Failure:
    """Why there is no result: a refusal in its own words, anything else as a defect."""
    if isinstance(error, Refusal) and error.key:
        return Failure(key=error.key, details=kept_details(error.details))
    reason = f"{type(error).__name__}: {error}"[:300]
    return Failure(key="replay_pages.failed.defect", details={"reason": reason})


def _watch(files: ReplayFiles, number: int) -> None:
    """Ends the process when the program that started it is gone, or nobody wants the replay."""
    while True:
        readable, _, _ = select([sys.stdin], [], [], _LOOK_SECONDS)
        if (readable and not os.read(sys.stdin.fileno(), 1)) or files.is_cancelled(number):
            files.clear(number)
            os._exit(_STOPPED)


def main(folder: Path, number: int) -> None:
    """Works on one replay of the office in a folder."""
    lower_priority()
    address = _first_line()
    files = ReplayFiles(folder)
    Thread(target=_watch, args=(files, number), daemon=True).start()
    database = Database(address)
    try:
        work(Desk(folder, database), files, number)
    finally:
        database.close()


def _first_line() -> str:
    """The first line of the input, read without reading on."""
    found = b""
    while (one := os.read(sys.stdin.fileno(), 1)) not in (b"", b"\n"):
        found += one
    return found.decode()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
