"""All recordings of an event at once: those on the disk, and those that the hall's log knows of."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from arrocco.hall.presence import RecordingHead
from arrocco.video.erasure import certificate_of
from arrocco.video.recordings import recordings_of
from arrocco.video.verification import Checked, verify


class EventChecked(NamedTuple):
    """What was found of an event's recordings."""

    checked: list[Checked]
    not_erased: list[str]
    """Those that a certificate says are erased, and that are there."""


def verify_event(folder: Path, event: str, heads: Sequence[RecordingHead]) -> EventChecked:
    """Looks at every recording that is not erased. Raises `Malformed` for a damaged certificate."""
    erased = _erased(folder, event)
    there = set(recordings_of(folder, event))
    names = (there | {head.recording for head in heads}) - erased
    checked = [verify(folder, event, name, heads) for name in sorted(names)]
    if any(one.fault is not None for one in checked):
        since = _erased(folder, event)  # it may have been erased meanwhile
        checked = [one for one in checked if one.recording not in since]
    return EventChecked(checked, sorted(there & erased))


def _erased(folder: Path, event: str) -> set[str]:
    certificate = certificate_of(folder, event)
    names = () if certificate is None else certificate.recordings
    return {erased.recording for erased in names}
