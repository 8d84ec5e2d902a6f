"""Slices as Chromium's MediaRecorder cut them, of its fake camera, microphone and screen.

After four seconds the camera and the microphone are switched off (`enabled = false`), after six
the camera is stopped: then there is sound only.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path

import msgspec

from arrocco.video.chain import slice_hash
from arrocco.video.messages import Begun
from arrocco.video.stream import SLICE, Header

_FILE = Path(__file__).parent / "media" / "slices.json"


def slices(kind: str) -> list[bytes]:
    return [base64.b64decode(text) for text in json.loads(_FILE.read_text())[kind]]


class Sender:
    """What a player's page does with the slices of one stream."""

    def __init__(self, begun: Begun) -> None:
        self.recording, self.before, self.number = begun.recording, begun.before, 0

    def next(self, data: bytes) -> tuple[bytes, bytes]:
        """The header of the next slice, and the slice."""
        digest = slice_hash(self.before, data)
        header = Header(
            recording=self.recording, number=self.number, before=self.before, hash=digest
        )
        self.before, self.number = digest, self.number + 1
        return msgspec.json.encode(header), data

    def message(self, data: bytes) -> bytes:
        header, body = self.next(data)
        return SLICE + len(header).to_bytes(2, "big") + header + body
