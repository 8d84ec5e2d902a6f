"""The recordings of supervised events: every slice as it was sent, and none missing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from arrocco.errors import Refusal
from arrocco.findings import Finding, Place, Severity
from arrocco.operation.verify.databases import error
from arrocco.operation.verify.files import refusal_of, warning
from arrocco.operation.verify.hall import EventRecordings
from arrocco.store import backup_record
from arrocco.video.event_check import verify_event
from arrocco.video.recordings import CERTIFICATE, FOLDER, MJR, NAME, WEBM
from arrocco.video.slices import SLICES
from arrocco.video.verification import Checked
from arrocco.words import Phrase, system

_SUFFIXES = frozenset({WEBM, MJR, SLICES})
_NOTHING = EventRecordings([], {})


def check_recordings(
    folder: Path, logs: Mapping[str, EventRecordings], events: Collection[str] | None
) -> Iterator[Finding]:
    """Recordings against their lists of slices and against the logs of the hall.

    `logs` must have been read before; `events` are those that are known, `None` where that cannot
    be read.
    """
    kept = folder / FOLDER
    there = sorted(kept.iterdir()) if kept.is_dir() else []
    folders = {path.name for path in there if path.is_dir()}
    for path in there:
        if not path.is_dir():
            yield warning("unnamed_file", f"{FOLDER}/{path.name}")
        elif events is not None and path.name not in events:
            yield warning("recordings_unknown", f"{FOLDER}/{path.name}", event=path.name)
    restored = backup_record.restored(folder)
    before = {} if restored is None else restored.recordings
    known = {event for event, recorded in logs.items() if recorded.heads}
    for event in sorted(folders | known):
        yield from _unnamed(kept / event)
        recorded = logs.get(event, _NOTHING)
        try:
            yield from _event(kept, event, recorded, before.get(event, -1))
        except Refusal as refusal:
            yield refusal_of(refusal, f"{FOLDER}/{event}")
        except OSError as failure:
            yield error("unreadable_file", f"{FOLDER}/{event}", reason=system(failure))


def _event(kept: Path, event: str, recorded: EventRecordings, restored: int) -> Iterator[Finding]:
    """The recordings of one event; `restored` is the last record from before a backup."""
    checked, not_erased = verify_event(kept, event, [head for _, head in recorded.heads])
    last = {head.recording: number for number, head in recorded.heads}  # in their order
    without = 0
    for slices in checked:
        is_older = last.get(slices.recording, restored + 1) <= restored
        if slices.fault is None:
            if slices.rest:
                yield _told(Severity.WARNING, "unfinished", slices, recorded, bytes=slices.rest)
        elif is_older and not _is_there(kept / event, slices.recording):
            without += 1
        else:
            fault = slices.fault
            yield _told(Severity.ERROR, fault.damage.value, slices, recorded, slice=fault.slice)
    if without:
        details = {"event": event, "count": without}
        yield warning("recordings_not_restored", f"{FOLDER}/{event}", **details)
    for name in not_erased:
        details = {"event": event, "recording": name}
        yield warning("recording_not_erased", f"{FOLDER}/{event}/{name}", **details)


def _is_there(folder: Path, recording: str) -> bool:
    return any((folder / (recording + suffix)).exists() for suffix in _SUFFIXES)


def _unnamed(folder: Path) -> Iterator[Finding]:
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        is_recording = path.suffix in _SUFFIXES and NAME.fullmatch(path.stem)
        if not is_recording and path.name != CERTIFICATE and not path.name.startswith("."):
            yield warning("unnamed_file", f"{FOLDER}/{folder.name}/{path.name}")


def _told(
    severity: Severity, kind: str, slices: Checked, recorded: EventRecordings, **more: Any
) -> Finding:
    """What is wrong with a recording, by event, player and source."""
    match = NAME.fullmatch(slices.recording)
    player: Phrase | str = slices.recording
    if match is not None:
        entry = int(match[1])
        details = {"entry": entry, "name": recorded.players.get(entry, "")}
        key = "named" if details["name"] else "numbered"
        source = Phrase(f"verify.source.{match[2]}", {})
        player = Phrase(f"verify.recorded.{key}", {**details, "source": source})
    file = f"{FOLDER}/{slices.event}/{slices.recording}"
    told = {"event": slices.event, "recording": slices.recording, "player": player, **more}
    return Finding(severity, f"verify.recording_{kind}", Place(file), details=told)
