"""The settings of the office: read by every page, changed by its administrator."""

from __future__ import annotations

import base64
import hashlib
from datetime import datetime, timedelta

from msgspec.structs import replace

from arrocco.desk.crest import clean_crest
from arrocco.desk.desk import Desk
from arrocco.errors import Inconsistent
from arrocco.office.roles import Asker, Permission, require
from arrocco.office.settings import Identity, OfficeSettings, SignUp, checked, identity_of
from arrocco.store.sql import office_settings
from arrocco.store.sql.tokens import hashed, new_token

MAX_LINK_DAYS = 365
STEPS = ("identity", "list", "people", "tournament")
"""The first steps of a new office, in their order."""
READY = "ready"
"""What comes after them: that they are over was read."""


class Settings:
    """What the office has decided about itself."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def get(self) -> OfficeSettings:
        """The settings as they are now."""
        with self._desk.database.reading() as connection:
            return office_settings.get(connection)

    def identity(self, language: str) -> Identity:
        """Whose office this is, for the heads of pages, in a language."""
        return identity_of(self.get(), language)

    def crest(self, name: str) -> bytes | None:
        """The crest's file by its hash; `None` where the office has another or none."""
        with self._desk.database.reading() as connection:
            if not name or office_settings.get(connection).crest != name:
                return None
            return base64.b64decode(office_settings.crest(connection))

    # --- changing ---------------------------------------------------------------------------------

    def change(self, asker: Asker, **changes: object) -> OfficeSettings:
        """Changes fields of the settings. Raises `Inconsistent` for one that cannot be so."""
        with self._desk.acting(asker, "change_settings") as act:
            require(asker, Permission.MANAGE_OFFICE)
            before = office_settings.get(act.connection)
            after = checked(replace(before, **changes))
            office_settings.put(act.connection, after, act.at)
            act.details["changed"] = sorted(
                name for name in changes if getattr(before, name) != getattr(after, name)
            )
            return after

    def set_crest(self, asker: Asker, data: bytes | None) -> None:
        """Gives the office a crest, or takes it away. Raises `Malformed` for no picture."""
        with self._desk.looking(asker, "change_crest"):
            require(asker, Permission.MANAGE_OFFICE)
            picture = b"" if data is None else clean_crest(data)
        with self._desk.acting(asker, "change_crest") as act:
            require(asker, Permission.MANAGE_OFFICE)
            name = hashlib.sha256(picture).hexdigest()[:32] if picture else ""
            settings = replace(office_settings.get(act.connection), crest=name)
            kept = base64.b64encode(picture).decode()
            office_settings.put(act.connection, settings, act.at, crest=kept)
            act.details["crest"] = name

    def new_sign_up_link(self, asker: Asker, days: int) -> str:
        """A new token to sign up by; the one before serves no more. It is to be had only now."""
        with self._desk.acting(asker, "make_sign_up_link") as act:
            require(asker, Permission.MANAGE_OFFICE)
            if not 1 <= days <= MAX_LINK_DAYS:
                raise Inconsistent.of("settings.refused.link_days", most=MAX_LINK_DAYS)
            token = new_token()
            until = act.at + timedelta(days=days)
            settings = office_settings.get(act.connection)
            office_settings.put(
                act.connection,
                replace(settings, sign_up_link=hashed(token), sign_up_until=until),
                act.at,
            )
            act.details["until"] = until.isoformat()
            return token

    def step_done(self, asker: Asker, step: str) -> None:
        """Notes that a first step of a new office was done or passed over."""
        with self._desk.acting(asker, "first_step", step) as act:
            require(asker, Permission.MANAGE_OFFICE)
            settings = office_settings.get(act.connection)
            if step in (*STEPS, READY) and step not in settings.steps_done:
                done = (*settings.steps_done, step)
                office_settings.put(act.connection, replace(settings, steps_done=done), act.at)


def may_sign_up(settings: OfficeSettings, token: str, at: datetime) -> bool:
    """Whether somebody without an invitation may open a player's account, with this link."""
    if settings.sign_up is SignUp.OPEN:
        return True
    is_serving = settings.sign_up_until is not None and at < settings.sign_up_until
    is_link = bool(token and settings.sign_up_link) and hashed(token) == settings.sign_up_link
    return settings.sign_up is SignUp.LINK and is_serving and is_link
