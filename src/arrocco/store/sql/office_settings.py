"""The settings of the office: one row, made when something is first changed."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import Connection, select

from arrocco.office.settings import OfficeSettings
from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import office_settings


def get(connection: Connection) -> OfficeSettings:
    """The settings; those of a new office where nothing was changed yet."""
    body = connection.execute(select(office_settings.c.body)).scalar()
    return OfficeSettings() if body is None else msgspec.json.decode(body, type=OfficeSettings)


def put(
    connection: Connection, settings: OfficeSettings, at: datetime, *, crest: str | None = None
) -> None:
    """Keeps the settings, and with them the file of the crest where there is a new one."""
    values = {"body": msgspec.json.encode(settings).decode(), "changed_at": moments.written(at)}
    if crest is not None:
        values["crest"] = crest
    seals.upsert(connection, office_settings, {"number": 1}, values)


def crest(connection: Connection) -> str:
    """The file of the crest in base64; empty without one."""
    return connection.execute(select(office_settings.c.crest)).scalar() or ""
