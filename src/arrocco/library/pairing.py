"""The next round of a Swiss tournament, and the tables of round robins."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from arrocco.formats.trf.document import MAX_BYTES
from arrocco.hall.pairing import Field, Past, Player, RoundPairing, berger, dutch
from arrocco.hall.pairing.check import RoundCheck, check_rounds
from arrocco.hall.pairing.explanation import ExplainedBoard, explain
from arrocco.hall.pairing.generator import Settings, generate, to_trf
from arrocco.hall.pairing.tournament import Tournament
from arrocco.hall.pairing.trf_tournament import read_tournament as _read
from arrocco.laws.online.side import Side
from arrocco.records.report import ByeKind, Game, GameKind, Report

__all__ = [
    "Field",
    "Past",
    "Player",
    "RoundPairing",
    "Tournament",
    "berger_table",
    "check_pairings",
    "explain_pairing",
    "generate_tournament",
    "pair_round",
    "read_tournament",
]

_TENTHS = 5
"""A half point in tenths, the unit of `Field`."""
_BYES = {
    ByeKind.FULL_POINT: 10,
    ByeKind.PAIRING_ALLOCATED: 10,
    ByeKind.HALF_POINT: 5,
    ByeKind.ZERO_POINT: 0,
}


def pair_round(field: Field | Report, *, absent: Collection[int] = ()) -> RoundPairing:
    """Pairs the coming round by the FIDE (Dutch) Swiss of 2026.

    A report is taken as it stands: the round after the last one with a game or bye is paired among
    its entries, by starting number, without those that are `absent`. Raises `Refusal` where the
    rules allow no pairing.
    """
    return dutch.pair_round(field if isinstance(field, Field) else field_of(field, absent))


def read_tournament(source: Path | str | bytes) -> Tournament:
    """The tournament of a TRF file, with what pairing programs add to it (XXR, XXC, 250 ...).

    `Tournament.before(n)` is the `Field` of a round. Raises `Refusal` for a file that contradicts
    itself.
    """
    if isinstance(source, bytes):
        return _read(source, "-")
    with Path(source).open("rb") as stream:
        return _read(stream.read(MAX_BYTES + 1), str(source))


def check_pairings(tournament: Tournament) -> list[RoundCheck]:
    """Every round paired again and compared, with the criterion that decides where they differ."""
    return list(check_rounds(tournament))


def explain_pairing(field: Field) -> list[ExplainedBoard]:
    """The boards of the coming round, each with its reasons: ``reason.said("en")``."""
    return explain(field)


def generate_tournament(players: int, rounds: int, seed: int, *, baku: bool = False) -> bytes:
    """A TRF26 file of a tournament with random results that fit the ratings."""
    return to_trf(generate(Settings(players, rounds, baku=baku), seed), seed)


def berger_table(players: int, cycles: int = 1) -> list[RoundPairing]:
    """All rounds of a round robin; two `cycles` for a double one."""
    return berger.table(players, cycles)


def field_of(report: Report, absent: Collection[int] = ()) -> Field:
    """The tournament of a report as the pairing of its next round sees it."""
    played = [game.round for game in report.games] + [bye.round for bye in report.byes]
    last = max(played, default=0)
    past: dict[tuple[int, int], Past] = {}
    for game in report.games:
        past[game.white, game.round] = _past(game, white=True)
        past[game.black, game.round] = _past(game, white=False)
    for bye in report.byes:
        past[bye.entry, bye.round] = Past(
            points=_BYES[bye.kind], allocated_bye=bye.kind is ByeKind.PAIRING_ALLOCATED
        )
    players = tuple(
        Player(
            entry.number,
            tuple(past.get((entry.number, number), Past()) for number in range(1, last + 1)),
        )
        for entry in sorted(report.entries, key=lambda entry: entry.number)
    )
    return Field(players, max(report.rounds, last + 1), frozenset(absent))


def _past(game: Game, *, white: bool) -> Past:
    colour = Side.WHITE if white else Side.BLACK
    return Past(
        opponent=game.black if white else game.white,
        # Games of less than a move each had opponent and colour.
        colour=None if game.kind is GameKind.FORFEIT else colour,
        points=_TENTHS * int(game.white_score if white else game.black_score),
    )
