"""12.3 — recordings are erased, and a certificate of what was erased stays."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from arrocco.errors import Malformed
from arrocco.store import sealed_file
from arrocco.store.sealed_file import SealedFile
from arrocco.video.recordings import CERTIFICATE, MJR, WEBM, recordings_of
from arrocco.video.slices import SLICES
from arrocco.video.verification import Checked, verify


class Erased(Struct, frozen=True, kw_only=True):
    """One recording that is gone: how long it was, and what its last hash was."""

    recording: str
    slices: int
    bytes: int
    was_whole: bool


class Certificate(SealedFile, frozen=True, kw_only=True):
    """What was erased of an event, when, by whom and why."""

    event: str
    at: str
    by: str
    reason: str
    recordings: list[Erased]


def erase(folder: Path, event: str, at: str, by: str, reason: str) -> Certificate:
    """Erases all recordings of an event; what was erased before stays in the certificate.

    The certificate is on the disk before the first recording goes. Raises `Malformed` where the
    one before is damaged.
    """
    checked = [verify(folder, event, name) for name in recordings_of(folder, event)]
    before = certificate_of(folder, event)
    erased = [_erased(one) for one in checked]
    known = {recording.recording for recording in erased}
    kept = (
        []
        if before is None
        else [recording for recording in before.recordings if recording.recording not in known]
    )
    certificate = Certificate(
        event=event, at=at, by=by, reason=reason, recordings=sorted([*kept, *erased], key=_name)
    )
    path = folder / event / CERTIFICATE
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    certificate = sealed_file.write(path, certificate)
    for one in checked:
        for suffix in (WEBM, MJR, SLICES):
            (folder / event / (one.recording + suffix)).unlink(missing_ok=True)
    path.touch()  # who records looks at its time, and may have looked before all was gone
    return certificate


def certificate_of(folder: Path, event: str) -> Certificate | None:
    """What was erased of an event; `None` where nothing was. Raises `Malformed`."""
    path = folder / event / CERTIFICATE
    if not path.exists():
        return None
    data = path.read_bytes()
    if not sealed_file.is_whole(data, Certificate):
        raise Malformed.of("recording.certificate_damaged", file=f"{event}/{CERTIFICATE}")
    return msgspec.json.decode(data, type=Certificate)


def _erased(checked: Checked) -> Erased:
    return Erased(
        recording=checked.recording,
        slices=checked.slices,
        bytes=checked.bytes,
        was_whole=checked.fault is None,
    )


def _name(erased: Erased) -> str:
    return erased.recording
