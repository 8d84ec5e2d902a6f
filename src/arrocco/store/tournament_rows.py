"""One tournament out of the calculations of a list: what it brought each of its players."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from arrocco.laws.registry import edition_named
from arrocco.store.calculations import ENTRIES, PLAYERS, TOURNAMENTS
from arrocco.store.explanation import read_summary, rows_with
from arrocco.units import Hundredths


class RatedEntry(NamedTuple):
    """A player of a tournament; `k` is 0 where there is none to apply, for the unrated."""

    player: int
    own: int | None
    """The rating the games were rated with."""
    games: int
    half_points: int
    expected: Hundredths
    delta: Hundredths
    k: int
    variation: Hundredths
    pool_games: int
    """Games towards a first rating."""
    pool_half_points: int


class RatedTournament(NamedTuple):
    """A tournament as a list rated it."""

    law: str
    edition: str
    k: int | None
    """Where the law gives one K to a tournament."""
    entries: tuple[RatedEntry, ...]


def rated_tournament(folder: Path, row: int) -> RatedTournament:
    """The tournament of a row. Raises `Inconsistent` where the calculations cannot be read."""
    summary = read_summary(folder)
    told = rows_with(folder / TOURNAMENTS, "tournament", [row])
    law, edition = str(summary["law"]), str(told[0]["edition"] if told else summary["edition"])
    own_k = told[0]["k"] if told and edition_named(law, edition).K_FROM_TOURNAMENT else None
    entries = rows_with(folder / ENTRIES, "tournament", [row])
    players = [entry["player"] for entry in entries]
    applied = {
        step["player"]: step["k_applied"] for step in rows_with(folder / PLAYERS, "player", players)
    }
    made = []
    for entry in entries:
        k = (own_k or 0) if own_k is not None else applied.get(entry["player"], 0)
        delta = 50 * entry["half_points"] - entry["expected_points"]
        made.append(
            RatedEntry(
                entry["player"],
                entry["own"] or None,
                entry["games"],
                entry["half_points"],
                Hundredths(entry["expected_points"]),
                Hundredths(delta),
                k,
                Hundredths(k * delta),
                entry["pool_games"],
                entry["pool_half_points"],
            )
        )
    return RatedTournament(law, edition, own_k, tuple(made))
