"""Analyses kept in a file of lines, so that work that was stopped goes on where it was."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from arrocco.fairplay.decisions import FIRST_PLY
from arrocco.fairplay.engine import Analyser
from arrocco.fairplay.records import EngineSetting, GameAnalysis, PositionAnalysis, WatchedGame

Progress = Callable[[int, int], None]


class _Kept(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    digest: str
    setting: EngineSetting
    positions: tuple[PositionAnalysis, ...]
    seal: str = ""
    """The hash of the rest; older programs wrote none."""

    def sealed(self) -> _Kept:
        rest = msgspec.structs.replace(self, seal="")
        seal = hashlib.sha256(msgspec.json.encode(rest)).hexdigest()
        return msgspec.structs.replace(rest, seal=seal)


def digest_of(game: WatchedGame) -> str:
    """What an analysis depends on: the moves, and nothing of who made them."""
    return hashlib.sha256(" ".join(game.moves).encode("ascii")).hexdigest()


class KeptAnalyses:
    """The analyses of a file; a line that was cut off, or changed since, is done again."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._known: dict[tuple[str, EngineSetting], _Kept] = {}
        if path is not None and path.exists():
            for line in path.read_bytes().splitlines():
                try:
                    kept = msgspec.json.decode(line, type=_Kept)
                except (msgspec.DecodeError, UnicodeDecodeError):
                    continue
                if kept.seal and kept != kept.sealed():
                    continue
                self._known[kept.digest, kept.setting] = kept

    def get(self, game: WatchedGame, setting: EngineSetting) -> GameAnalysis | None:
        kept = self._known.get((digest_of(game), setting))
        if kept is None:
            return None
        return GameAnalysis(game=game, setting=setting, positions=kept.positions)

    def add(self, analysis: GameAnalysis) -> None:
        kept = _Kept(
            digest=digest_of(analysis.game),
            setting=analysis.setting,
            positions=analysis.positions,
        ).sealed()
        self._known[kept.digest, kept.setting] = kept
        if self.path is not None:
            with self.path.open("ab") as file:
                file.write(msgspec.json.encode(kept) + b"\n")


def analyse_games(
    games: Sequence[WatchedGame],
    analyser: Analyser,
    kept: KeptAnalyses,
    progress: Progress = lambda *_: None,
) -> Iterator[GameAnalysis]:
    """Analyses games one after another; those that are kept cost nothing."""
    for number, game in enumerate(games):
        progress(number, len(games))
        analysis = kept.get(game, analyser.setting)
        if analysis is None:
            analysis = analyser.game(game, first_ply=FIRST_PLY)
            kept.add(analysis)
        yield analysis
    progress(len(games), len(games))
