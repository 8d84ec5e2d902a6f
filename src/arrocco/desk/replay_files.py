"""The folder of the replays of an office: one subfolder a replay, named by its number.

``asked.json`` is what was asked, ``how-far.json`` is written once it is under way, ``ended.json``
when it has come to its end, with the hashes of all in ``hashes.json``; ``cancel`` is there when
somebody wants no more of it. Whoever works on a replay holds the lock of its folder: where nobody
does and no end was written, it was interrupted.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from arrocco.desk import folders, locks
from arrocco.desk.replay_records import Asked, Ended, HowFar, Replay, ReplayStatus
from arrocco.files import replacing

FOLDER = "replays"
WORK, PLAYERS = "work", "players.parquet"
_ASKED, _HOW_FAR, _ENDED = "asked.json", "how-far.json", "ended.json"
_CANCEL, _LOCK, _HASHES = "cancel", "lock", "hashes.json"
_ONE, _ENTRY = ".one.lock", ".entry.lock"
KEPT = 20
"""Replays that are kept; older ones go."""

S = TypeVar("S", bound=Struct)
_S = ReplayStatus


class ReplayFiles:
    """Reads and writes the folder of replays."""

    def __init__(self, office: Path) -> None:
        self.root = office / FOLDER

    # --- entering ---------------------------------------------------------------------------------

    def entering(self) -> AbstractContextManager[None]:
        """Nobody else enters a replay meanwhile."""
        return locks.held(self.root / _ENTRY)

    def one_at_a_time(self) -> AbstractContextManager[None]:
        """The right to work, which one replay of the office has at a time; waits for it."""
        return locks.held(self.root / _ONE)

    def working(self, number: int) -> AbstractContextManager[None]:
        """Whoever is in here works on that replay."""
        return locks.held(self.folder(number) / _LOCK)

    def next_number(self) -> int:
        """The number of the next replay; numbers are not used again while later ones are kept."""
        return max(self.numbers(), default=0) + 1

    def add(self, asked: Asked) -> None:
        """Keeps what was asked, and takes the oldest away where there are too many."""
        folder = self.folder(asked.number)
        folder.mkdir(parents=True)
        _write(folder / _ASKED, asked)
        for number in self.numbers()[:-KEPT]:
            replay = self.get(number)
            if replay is not None and not replay.status.is_open:
                folders.remove(self.folder(number))

    # --- under way --------------------------------------------------------------------------------

    def note(self, number: int, how_far: HowFar) -> None:
        """Keeps how far a replay is; the first time says that it is under way."""
        _write(self.folder(number) / _HOW_FAR, how_far)

    def end(self, number: int, ended: Ended) -> None:
        """Keeps how a replay ended, unless that is known already."""
        folder = self.folder(number)
        if not (folder / _ENDED).exists():
            _write(folder / _ENDED, ended)
            hashes = _hashes(folder)
            with replacing(folder / _HASHES) as file:
                file.write(msgspec.json.encode(hashes | {_HASHES: _hash(hashes)}))
        self.clear(number)

    def cancel(self, number: int) -> None:
        """Asks whoever works on a replay to stop."""
        (self.folder(number) / _CANCEL).touch()

    def is_cancelled(self, number: int) -> bool:
        return (self.folder(number) / _CANCEL).exists()

    def clear(self, number: int) -> None:
        """Takes away what a replay worked with."""
        if self.work(number).is_dir():
            folders.remove(self.work(number))

    def damaged(self, number: int) -> list[str]:
        """The files of a replay that has ended which are not as they were then.

        Replays of older programs have no hashes: nothing is known of them.
        """
        folder = self.folder(number)
        try:
            kept = msgspec.json.decode((folder / _HASHES).read_bytes(), type=dict[str, str])
        except FileNotFoundError:
            return []
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return [_HASHES]
        if kept.pop(_HASHES, "") != _hash(kept):
            return [_HASHES]
        hashes = _hashes(folder)
        names = sorted(kept.keys() | hashes.keys())
        return [name for name in names if kept.get(name) != hashes.get(name)]

    # --- looking ----------------------------------------------------------------------------------

    def folder(self, number: int) -> Path:
        return self.root / str(number)

    def work(self, number: int) -> Path:
        """Where a replay works; nothing in it is kept."""
        return self.folder(number) / WORK

    def players(self, number: int) -> Path:
        """The players whose ratings differ."""
        return self.folder(number) / PLAYERS

    def numbers(self) -> list[int]:
        """The numbers of all replays, the oldest first."""
        if not self.root.is_dir():
            return []
        return sorted(int(path.name) for path in self.root.iterdir() if path.name.isdecimal())

    def all(self) -> Iterator[Replay]:
        """All replays, the newest first."""
        for number in reversed(self.numbers()):
            replay = self.get(number)
            if replay is not None:
                yield replay

    def get(self, number: int) -> Replay | None:
        """A replay by its number; `None` where there is none."""
        folder = self.folder(number)
        asked = _read(folder / _ASKED, Asked)
        if asked is None:
            return None
        # In this order: an end that is written between the two questions is still seen.
        is_alive = self._is_alive(number)
        ended = _read(folder / _ENDED, Ended)
        how_far = _read(folder / _HOW_FAR, HowFar)
        status = _S.WAITING
        if ended is not None:
            status = ended.status
        elif how_far is not None:
            status = _S.RUNNING if is_alive else _S.INTERRUPTED
        if ended is None and self.is_cancelled(number):
            status = _S.CANCELLED
        return Replay(asked=asked, status=status, how_far=how_far or HowFar(), ended=ended)

    def _is_alive(self, number: int) -> bool:
        if not (self.folder(number) / _LOCK).exists():
            return False
        with locks.held_if_free(self.folder(number) / _LOCK) as is_free:
            return not is_free


def _hashes(folder: Path) -> dict[str, str]:
    apart = (_CANCEL, _LOCK, _HASHES)
    return {name: digest for name, digest in folders.hashes(folder).items() if name not in apart}


def _hash(hashes: dict[str, str]) -> str:
    return hashlib.sha256(msgspec.json.encode(hashes, order="deterministic")).hexdigest()


def _write(path: Path, value: Struct) -> None:
    with replacing(path) as file:
        file.write(msgspec.json.format(msgspec.json.encode(value), indent=1))


def _read(path: Path, kind: type[S]) -> S | None:
    """What a file holds; a file that is missing or damaged holds nothing."""
    with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
        return msgspec.json.decode(path.read_bytes(), type=kind)
    return None


def lower_priority() -> None:
    """Lets everybody else go first on this machine."""
    with suppress(OSError):
        os.nice(10)
