"""What an operator sets about scheduled backups, in the environment of the server."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from arrocco.errors import Malformed
from arrocco.operation.backups.create import Wanted
from arrocco.store.backup_places import ENDPOINT_VARIABLE

TO, HOURS, ENCRYPT_TO, KEEP, CHECK = (
    f"ARROCCO_BACKUP_{name}" for name in ("TO", "HOURS", "ENCRYPT_TO", "KEEP", "CHECK")
)
_MAX_HOURS = 24 * 366
_YES = {"1": True, "yes": True, "true": True, "0": False, "no": False, "false": False}


class Schedule(NamedTuple):
    """How backups are made, and how often."""

    wanted: Wanted
    hours: float


def schedule_from(environment: Mapping[str, str] = os.environ) -> Schedule | None:
    """The schedule of the environment; `None` without one. Raises `Malformed` for nonsense."""
    to = environment.get(TO, "").strip()
    if not to:
        return None
    keep = environment.get(KEEP, "").strip()
    wanted = Wanted(
        to=to,
        encrypt_to=tuple(
            part.strip() for part in environment.get(ENCRYPT_TO, "").split(",") if part.strip()
        ),
        check=_yes(environment.get(CHECK, "yes")),
        keep=int(_number(KEEP, keep, whole=True)) if keep else None,
        endpoint=environment.get(ENDPOINT_VARIABLE, "").strip(),
    )
    return Schedule(wanted, _number(HOURS, environment.get(HOURS, "24").strip()))


def _number(name: str, text: str, *, whole: bool = False) -> float:
    try:
        number = int(text) if whole else float(text)
    except ValueError:
        raise Malformed.of("desk.refused.backup_setting", name=name, value=text) from None
    if not (1 if whole else 0.01) <= number <= _MAX_HOURS:
        raise Malformed.of("desk.refused.backup_setting", name=name, value=text)
    return number


def _yes(text: str) -> bool:
    try:
        return _YES[text.strip().lower()]
    except KeyError:
        raise Malformed.of("desk.refused.backup_setting", name=CHECK, value=text) from None
