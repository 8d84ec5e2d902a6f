"""How a recording proves itself: each slice has a hash over the hash before it and its bytes."""

from __future__ import annotations

from hashlib import sha256


def first_hash(event: str, recording: str) -> str:
    """What the first slice of a recording is chained to: no recording can be put in another's
    place."""
    return sha256(f"{event}/{recording}".encode()).hexdigest()


def slice_hash(before: str, data: bytes) -> str:
    """The hash of a slice, chained to that of the slice before it."""
    digest = sha256(bytes.fromhex(before))
    digest.update(data)
    return digest.hexdigest()
