"""What a process for heavy work does for an office: one use case, with its own connection."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

from arrocco.desk import Office
from arrocco.desk.desk import Desk
from arrocco.store.sql.database import Database

T = TypeVar("T")


class OfficePlace(Struct, frozen=True):
    """Where an office is, and the moment at which something is asked of it."""

    folder: str
    database: str
    at: datetime


def place_of(office: Office) -> OfficePlace:
    """What another process needs to work in an office."""
    address = office.desk.database.engine.url.render_as_string(hide_password=False)
    return OfficePlace(str(office.folder), address, office.desk.now())


def in_office(place: OfficePlace, work: Callable[..., T], *args: Any) -> T:
    """Calls `work` with the office and what it was given. The office is open already elsewhere."""
    office = Office(Desk(Path(place.folder), _database(place.database), lambda: place.at))
    return work(office, *args)


@lru_cache(maxsize=4)
def _database(address: str) -> Database:
    return Database(address)
