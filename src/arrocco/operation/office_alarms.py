"""The alarms of an office as the command line tells them: its own look, and the server's."""

from __future__ import annotations

from msgspec import Struct

from arrocco.desk.desk import Desk
from arrocco.operation.alarms import (
    CLOCK_JUMP,
    HALL_SILENT,
    LOGS_DROPPED,
    LOOP_LAG,
    WRITES_FAILED,
    Alarm,
)
from arrocco.operation.settings import OperationSettings
from arrocco.operation.state_file import read_state
from arrocco.operation.watch import Watch

_OF_THE_SERVER = frozenset({CLOCK_JUMP, LOOP_LAG, HALL_SILENT, WRITES_FAILED, LOGS_DROPPED})
"""What only the running server can know."""


class OfficeAlarms(Struct, frozen=True, kw_only=True):
    """What is the matter with an office, and whether a server runs for it."""

    server: int | None
    """The number of its process; `None` where none has told of itself lately."""
    alarms: tuple[Alarm, ...]


def office_alarms(desk: Desk, settings: OperationSettings) -> OfficeAlarms:
    """Looks at database, disk and backups here, and asks the server's file for the rest."""
    watch = Watch(desk, settings, is_server=False)
    try:
        watch.look()
        own = watch.alarms
    finally:
        watch.stop()
    state = read_state(desk.folder)
    if state is None:
        return OfficeAlarms(server=None, alarms=own)
    since = {alarm.key: alarm for alarm in state.alarms}
    # The server has seen for longer since when something is the matter.
    known = tuple(since.get(alarm.key, alarm) for alarm in own)
    told = tuple(alarm for alarm in state.alarms if alarm.key in _OF_THE_SERVER)
    return OfficeAlarms(server=state.pid, alarms=known + told)
