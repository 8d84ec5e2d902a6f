"""A worker that is in the second of three periods for as long as it is let."""

from __future__ import annotations

import sys
from pathlib import Path
from time import sleep

from arrocco.desk.desk import Desk
from arrocco.desk.office_replay import worker
from arrocco.desk.replay_files import ReplayFiles
from arrocco.desk.replay_records import Asked, Ended, HowFar


def _for_ever(desk: Desk, files: ReplayFiles, asked: Asked) -> Ended:
    files.work(asked.number).mkdir()
    (files.work(asked.number) / "something").touch()
    files.note(asked.number, HowFar(period=2, periods=3))
    while True:
        sleep(1)


if __name__ == "__main__":
    worker._run = _for_ever
    worker.main(Path(sys.argv[1]), int(sys.argv[2]))
