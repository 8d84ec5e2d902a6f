"""The games of a report in PGN, as an arbiter would send them with it."""

from __future__ import annotations

from collections.abc import Iterable

from arrocco.records.report import Game, Report

_RESULTS = {(2, 0): "1-0", (0, 2): "0-1", (1, 1): "1/2-1/2"}


def pgn_of(made: Report, games: Iterable[Game] | None = None, *, ids: bool = False) -> bytes:
    """The games, each of two moves; players by their names, or by their numbers."""
    entries = {entry.number: entry for entry in made.entries}
    told = []
    for game in made.games if games is None else games:
        white, black = entries[game.white], entries[game.black]
        result = _RESULTS[game.white_score, game.black_score]
        tags = [("Event", made.name), ("Round", str(game.round)), ("Result", result)]
        if ids:
            tags += [("WhiteFideId", str(white.id)), ("BlackFideId", str(black.id))]
        else:
            tags += [("White", white.name), ("Black", black.name)]
        head = "\n".join(f'[{tag} "{value}"]' for tag, value in tags)
        told.append(f"{head}\n\n1. e4 e5 {result}\n")
    return "\n".join(told).encode()
