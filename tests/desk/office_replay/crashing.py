"""A program that asks for a replay and dies, as in a power cut, once it is under way."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from time import sleep

from arrocco.desk import Office, replays
from arrocco.desk.desk import operator
from arrocco.office.roles import Role
from tests.desk.office_replay.replayed import JULY, JUNE

if __name__ == "__main__":
    replays.WORKER = "tests.desk.office_replay.slow_worker"
    office = Office.open(Path(sys.argv[1]))
    number = office.replays.ask(operator(Role.RATING_ADMINISTRATOR), "fide", JUNE, JULY, "fide")
    while office.replays.get(number).how_far.period < 2:
        sleep(0.02)
    os._exit(9)
