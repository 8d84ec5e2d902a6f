"""Seals of what an engine has said of a game: a hash of each position, chained to the one before.

The seal of a row tells that something in it was changed; this tells of which position.
"""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

import msgspec

_WIDTH = 16
"""Hexadecimal digits that are kept of each hash."""
_positions = msgspec.json.Decoder(list[msgspec.Raw]).decode


class _Numbered(msgspec.Struct):
    ply: int


class Fault(NamedTuple):
    """The first position of a game that is not as it was written."""

    place: int
    ply: int | None
    """The half move it was analysed before, where that can be read."""


def chain_of(game: str, nodes: int, setting: str, positions: str) -> str:
    """The hashes of positions in their order; empty where there is none."""
    return "".join(_hashes(game, nodes, setting, _positions(positions)))


def first_fault(game: str, nodes: int, setting: str, positions: str, chain: str) -> Fault | None:
    """The first position that does not fit its hash, is missing, or was put in."""
    try:
        there = _positions(positions)
    except (msgspec.DecodeError, UnicodeError):
        return Fault(0, None)
    computed = _hashes(game, nodes, setting, there)
    kept = [chain[at : at + _WIDTH] for at in range(0, len(chain), _WIDTH)]
    for place in range(max(len(computed), len(kept))):
        if computed[place : place + 1] != kept[place : place + 1]:
            return Fault(place, _ply(there, place))
    return None


def _hashes(game: str, nodes: int, setting: str, positions: list[msgspec.Raw]) -> list[str]:
    digest = sha256(f"{game}\n{nodes}\n{setting}".encode("utf-8", "surrogateescape"))
    hashes = []
    for position in positions:
        digest.update(b"\n" + bytes(position))
        hashes.append(digest.hexdigest()[:_WIDTH])
    return hashes


def _ply(positions: list[msgspec.Raw], place: int) -> int | None:
    """By its neighbours: its own number may be what was changed."""
    for near, ahead in ((place - 1, 1), (place + 1, -1), (place, 0)):
        if 0 <= near < len(positions):
            try:
                return msgspec.json.decode(positions[near], type=_Numbered).ply + ahead
            except msgspec.DecodeError:
                continue
    return None
