"""Round robins by the Berger tables (FIDE Handbook C.05, Annex 1), computed in their own shape.

With an even number n of players, player n meets in each round one player x, and the others meet in
twos: x+1 and x-1, x+2 and x-2 and so on, counted in a circle of n-1, the first of each with White.
With an odd number who would meet the player that is missing has no game.
"""

from __future__ import annotations

from arrocco.errors import Illegal
from arrocco.hall.pairing.records import RoundPairing

MIN_PLAYERS, MAX_PLAYERS = 3, 30
"""How many players a table is made for."""


def rounds_of(players: int, cycles: int = 1) -> int:
    """How many rounds a table has."""
    _check(players, cycles)
    return cycles * (players + players % 2 - 1)


def table(players: int, cycles: int = 1) -> list[RoundPairing]:
    """All rounds of a round robin, of a double one with two cycles.

    In the second cycle colours are reversed. The last two rounds of the first cycle change places
    then, as the Handbook recommends: otherwise some had the same colour three times in a row.
    """
    _check(players, cycles)
    first = [_round(players, number) for number in range(1, rounds_of(players) + 1)]
    if cycles == 1:
        return first
    second = [_reversed(round_) for round_ in first]
    if players > MIN_PLAYERS:
        first[-2:] = first[:-3:-1]
    return first + second


def _round(players: int, number: int) -> RoundPairing:
    last = players + players % 2
    circle = last - 1
    odd = number % 2 == 1
    facing = (number + 1) // 2 if odd else (number + last) // 2
    boards = [
        (_in_circle(facing + step, circle), _in_circle(facing - step, circle))
        for step in range(1, last // 2)
    ]
    if players % 2:
        return RoundPairing(tuple(boards), facing)
    top = (facing, last) if odd else (last, facing)
    return RoundPairing((top, *boards))


def _in_circle(number: int, circle: int) -> int:
    return (number - 1) % circle + 1


def _reversed(round_: RoundPairing) -> RoundPairing:
    return RoundPairing(tuple((black, white) for white, black in round_.boards), round_.bye)


def _check(players: int, cycles: int) -> None:
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise Illegal.of(
            "event.no_berger_table", players=players, least=MIN_PLAYERS, most=MAX_PLAYERS
        )
    if cycles not in (1, 2):
        raise Illegal.of("event.cycles", cycles=cycles)
