"""Where the office and the running hall are put together: `desk` and `live` do not know each other.

The server's two processes, the application that has both in one, and the demonstrations ask here
for the hall of an office, and for a reader of it: beside the hall, or over the socket to its
process.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path
from zoneinfo import ZoneInfo

from arrocco.desk import Office
from arrocco.desk.hall_people import KnownPeople
from arrocco.desk.round_mails import RoundMails
from arrocco.hall.event.record import Created
from arrocco.live.analysis import Thinking
from arrocco.live.hall import Hall
from arrocco.live.index import CLOSED, OfficeIndex
from arrocco.live.journal import Record
from arrocco.live.numbers import LocalHall
from arrocco.live.opening import ROME, log_reader, log_store, open_hall
from arrocco.live.reader import HallReader
from arrocco.live.remote import RemoteHall
from arrocco.live.request_server import LocalCommands
from arrocco.live.server_time import Time


def hall_of(office: Office, *, time: Time | None = None, thinking: Thinking | None = None) -> Hall:
    """The hall of an office, in its time; `await hall.start()` before anybody is let in.

    Who enters an event is who the office knows (5.4), and its players get mail from it.
    Raises `HallDamaged` where its file cannot be opened. Call it where an event loop runs.
    """
    desk = office.desk
    return open_hall(
        office.folder,
        desk.database,
        KnownPeople(office),
        now=desk.now,
        time=time,
        thinking=thinking,
        mails=RoundMails(desk, ZoneInfo(ROME)),
    )


def reader_beside(office: Office, hall: Hall) -> HallReader:
    """What pages read of a hall that runs in the same process."""
    logs = log_reader(office.folder, office.desk.database)
    return HallReader(logs, hall.time, LocalCommands(hall), LocalHall(hall))


def reader_elsewhere(office: Office, requests: Path, time: Time) -> HallReader:
    """What pages read of a hall that runs in another process, which answers at `requests`."""
    remote = RemoteHall(requests)
    return HallReader(log_reader(office.folder, office.desk.database), time, remote, remote)


async def warm_up(office: Office, requests: Path, time: Time) -> None:
    """Reads what will be opened, so that nothing is done for the first time while games wait."""
    with contextlib.closing(reader_elsewhere(office, requests, time)) as reader:
        under_way = OfficeIndex(office.desk.database).under_way
        for name in await asyncio.to_thread(under_way):
            event = await reader.find_event(name)
            if event is not None:
                await reader.damaged_boards(event)


def keep_finished(office: Office, created: Created, records: Sequence[Record]) -> None:
    """Writes the logs of an event that was played elsewhere where the office's hall finds them."""
    database = office.desk.database
    index = OfficeIndex(database)
    index.add(created)
    keep_more(office, records)
    index.set_status(created.event, CLOSED)


def keep_more(office: Office, records: Sequence[Record]) -> None:
    """Adds to logs of events that nobody plays in now."""
    with contextlib.closing(log_store(office.folder, office.desk.database)) as store:
        store.append(records)
