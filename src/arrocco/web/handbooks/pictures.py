"""The pictures of the handbooks: of which page, who sees it, and what must be on it.

``python -m tools.handbook_pictures`` makes them from the invented office; a browser test goes
through the same table and looks whether each page still has what its handbook names.
"""

from __future__ import annotations

from dataclasses import dataclass

from arrocco.office.roles import Role
from arrocco.words import Language


@dataclass(frozen=True)
class Picture:
    """A page to be seen: names in braces are filled with what the office has."""

    path: str
    role: Role
    shows: tuple[str, ...]
    """What must be on the page, as selectors."""
    width: int = 1000
    height: int = 620
    at: str = ""
    """What the picture begins with; the top of the page without it."""


_OFFICER, _ADMIN = Role.RATING_ADMINISTRATOR, Role.SYSTEM_ADMINISTRATOR

PICTURES = {
    "home": Picture("", Role.PUBLIC, ("form[role=search] #q", "#top", "#movers")),
    "player": Picture("/players/{player}", Role.PUBLIC, (".figures", "#compare")),
    "receipt": Picture(
        "/players/{player}/{system}/{on}",
        Role.PUBLIC,
        ("main table", "a[href*='/questions/new']", ".article"),
    ),
    "law": Picture("/law/fide/2024-03-01", Role.PUBLIC, ("h1", "[id='art-8.3.1']")),
    "question": Picture(
        "/questions/new?player={player}&system={system}&on={on}&tournament={rated}&round=1",
        Role.PLAYER,
        ("#text", "main form button.primary"),
    ),
    "event-player": Picture("/hall/{event}", Role.PLAYER, (".own", "#rounds", "#standings")),
    "board": Picture(
        "/hall/game/{game}",
        Role.PLAYER,
        (".board", "[data-part=resign]"),
        width=390,
        height=720,
    ),
    "event-arbiter": Picture("/hall/{event}", Role.ARBITER, (".desk", ".desk a[href$='/wall']")),
    "wall": Picture(
        "/hall/{event}/wall",
        Role.ARBITER,
        (".tile", "#alarms-title"),
        height=760,
    ),
    "new-event": Picture("/hall/new", Role.ARBITER, ("#name", "#time_control", "#tolerance")),
    "register": Picture("/desk/tournaments/new", Role.ARBITER, ("#name", "#city", "#start")),
    "send": Picture(
        "/desk/tournaments/{tournament}/report",
        Role.ARBITER,
        ("#file", "main form button"),
    ),
    "desk-federation": Picture("/desk", Role.FEDERATION_OFFICER, (".cards",)),
    "records": Picture("/desk/people", Role.FEDERATION_OFFICER, ("main form", "h1")),
    "desk": Picture("/desk", _OFFICER, ("main tbody tr", ".cards")),
    "report": Picture("/desk/reports/{report}", _OFFICER, ("h1", "main form button")),
    "lists": Picture("/desk/lists", _OFFICER, ("main tbody tr", "main form button")),
    "draft": Picture("/desk/drafts/{draft}", _OFFICER, ("h1", "main button")),
    "statistics": Picture("/statistics/{system}", Role.PUBLIC, ("#drift", "svg, canvas")),
    "replays": Picture("/statistics/replays", Role.FEDERATION_OFFICER, ("#system",)),
    "accounts": Picture("/accounts", _ADMIN, ("main tbody tr", "#email", "#role")),
    "settings": Picture("/settings", _ADMIN, ("#name_en", "main form button")),
    "operation": Picture("/operation", _ADMIN, ("h1", "main table")),
}


def file_name(language: Language, name: str) -> str:
    """The name of a picture's file."""
    return f"{language}-{name}.webp"
