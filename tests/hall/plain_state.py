"""A state as plain JSON, whatever its classes are called: to compare it with what it once was."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, timedelta
from enum import Enum
from hashlib import sha256
from typing import Any

import chess
import msgspec

from arrocco.hall.event.schedule import Schedule
from arrocco.hall.game.state import Line

ADDED: tuple[tuple[str, object], ...] = (
    ("requests", ()),
    ("inspections", ()),
    ("championship", ""),
    ("is_supervised", True),
    ("consents", frozenset()),
    ("share_screen", msgspec.UNSET),
    ("vcs_grace", msgspec.UNSET),
    ("second_camera", msgspec.UNSET),
    ("rest_between_rounds", msgspec.UNSET),
    ("schedule", Schedule()),
    ("held", {}),
    ("waiting", ()),
    ("links", ()),
    ("announcements", ()),
    ("measures", ()),
    ("template", ""),
    ("teams", ()),
    ("team_boards", 0),
    ("filings", ()),
    ("checked", None),
    ("announced", None),
    ("joining", None),
    ("joined", {}),
    ("excused", {}),
    ("room_checks", ()),
    ("waived_checks", ()),
    ("prizes", None),
    ("recordings_watched", {}),
    ("talks", ()),
    ("focus", Line(on=True)),
)
"""Fields that states have got since, which the logs of before leave as they are by default."""


def digest(state: object) -> str:
    """The same for two states that are equal in every field."""
    return sha256(json.dumps(plain(state), sort_keys=True).encode()).hexdigest()


def plain(value: Any) -> Any:
    """Nothing but numbers, texts, lists and tables; what a class is called in a log stays."""
    if isinstance(value, chess.Board):
        return value.fen(en_passant="fen")
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, msgspec.Struct):
        fields = {
            name: plain(getattr(value, name))
            for name in value.__struct_fields__
            if (name, getattr(value, name)) not in ADDED
        }
        tag = value.__struct_config__.tag
        return fields if tag is None else {"type": tag, **fields}
    if isinstance(value, Mapping):
        return sorted(([plain(key), plain(one)] for key, one in value.items()), key=str)
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    if isinstance(value, frozenset | set):
        return sorted((plain(one) for one in value), key=str)
    if isinstance(value, date | timedelta | bytes):
        return str(value)
    if value is None or isinstance(value, bool | int | str):
        return value
    return {name: plain(one) for name, one in sorted(vars(value).items())}
