"""What an office decides about itself: its name, how it looks, who may come in and how."""

from __future__ import annotations

import re
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit

from msgspec import Struct

from arrocco.errors import Inconsistent
from arrocco.office.addresses import check_email
from arrocco.office.cutoff import MAX_REPORT_DAYS, REPORT_DAYS
from arrocco.office.roles import Role
from arrocco.office.suspensions import Suspension, require_suspensions

MAX_NAME, MAX_CONTACT, MAX_URL = 120, 400, 300
HIDEABLE = ("birth", "sex")
"""What an office may keep to itself of players; files of published lists stay as they are."""
MIN_CONTRAST = 4.5
"""Of a colour against white, as WCAG 2.2 (1.4.3) asks of text: white stands on it on buttons."""
_COLOUR = re.compile(r"#[0-9a-f]{6}")


class SignUp(StrEnum):
    """Who may open a player's account without an invitation."""

    OFF = "off"
    LINK = "link"
    OPEN = "open"


class OfficeSettings(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The settings as they are kept; every field has a value that a new office starts with."""

    name_en: str = ""
    name_it: str = ""
    federation: str = ""
    """Three letters, where the office is that of one federation."""
    accent: str = ""
    """A colour as ``#rrggbb``; empty for that of the program."""
    contact_email: str = ""
    contact: str = ""
    """Street, telephone, hours: lines of text."""
    website: str = ""
    sign_up: SignUp = SignUp.OFF
    sign_up_link: str = ""
    """The hash of the token of the link to sign up by; empty where there is none."""
    sign_up_until: datetime | None = None
    second_factor: tuple[Role, ...] = ()
    """The roles that work only with a second factor."""
    crest: str = ""
    """The hash of the crest's file; empty without one."""
    hidden_fields: tuple[str, ...] = ()
    """Of `HIDEABLE`: what pages, API and their downloads show nobody of a player."""
    suspended: tuple[Suspension, ...] = ()
    """Federations that are no members for a time (10.1)."""
    report_days: int = REPORT_DAYS
    """FIDE 7.1.3, 9.1: how many days before a list its reports are taken; 0 is its own day."""
    steps_done: tuple[str, ...] = ()
    """Of the first steps of a new office: those that were done or passed over."""


class Identity(Struct, frozen=True, kw_only=True):
    """What pages show of whose office this is, in one language."""

    name: str
    federation: str
    accent: str
    crest: str
    """The hash of the crest's file, which is served as ``/crest/<hash>.png``; empty without one."""
    contact_email: str
    contact: str
    website: str

    @property
    def crest_url(self) -> str:
        return f"/crest/{self.crest}.png" if self.crest else ""

    @property
    def colour_url(self) -> str:
        """The style sheet of the office's colour; empty for that of the program."""
        return f"/colour/{self.accent.removeprefix('#')}.css" if self.accent else ""


def identity_of(settings: OfficeSettings, language: str) -> Identity:
    """The identity of an office in a language; a name that is missing is the other one."""
    names = {"en": settings.name_en, "it": settings.name_it}
    return Identity(
        name=names.get(language) or settings.name_en or settings.name_it,
        federation=settings.federation,
        accent=settings.accent,
        crest=settings.crest,
        contact_email=settings.contact_email,
        contact=settings.contact,
        website=settings.website,
    )


def checked(settings: OfficeSettings) -> OfficeSettings:
    """Settings that can be kept. Raises `Inconsistent` by the field that is at fault."""
    for name in (settings.name_en, settings.name_it):
        if len(name) > MAX_NAME or not name.isprintable():
            raise Inconsistent.of("settings.refused.name", longest=MAX_NAME)
    federation = settings.federation
    if federation and not (len(federation) == 3 and federation.isascii() and federation.isupper()):
        raise Inconsistent.of("settings.refused.federation", federation=federation[:20])
    if settings.accent and not is_colour(settings.accent):
        raise Inconsistent.of("settings.refused.colour", colour=settings.accent[:20])
    if settings.accent and contrast_with_white(settings.accent) < MIN_CONTRAST:
        raise Inconsistent.of("settings.refused.pale_colour", colour=settings.accent)
    if settings.contact_email:
        check_email(settings.contact_email)
    if len(settings.contact) > MAX_CONTACT:
        raise Inconsistent.of("settings.refused.contact", longest=MAX_CONTACT)
    if settings.website and not _is_web_address(settings.website):
        raise Inconsistent.of("settings.refused.website")
    if set(settings.hidden_fields) - set(HIDEABLE):
        raise Inconsistent.of("privacy.refused.field")
    require_suspensions(settings.suspended)
    if not 0 <= settings.report_days <= MAX_REPORT_DAYS:
        raise Inconsistent.of("settings.refused.report_days", most=MAX_REPORT_DAYS)
    return settings


def is_colour(text: str) -> bool:
    """Whether a text is a colour as it is kept, ``#rrggbb``."""
    return _COLOUR.fullmatch(text) is not None


def contrast_with_white(colour: str) -> float:
    """The contrast of a colour with white, from 1 to 21 (WCAG 2.2, relative luminance)."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return 1.05 / (luminance + 0.05)


def _is_web_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    plain = text.isprintable() and " " not in text and len(text) <= MAX_URL
    return plain and parts.scheme in ("http", "https") and bool(parts.hostname)
