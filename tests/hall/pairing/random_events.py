"""Random Swiss events: the fields of each round, as far as the rules can pair them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from arrocco.hall.pairing.dutch import pair_round
from arrocco.hall.pairing.records import Field, NoPairing, Past, Player, RoundPairing
from arrocco.hall.pairing.tournament import virtual_points
from arrocco.laws.online.side import Side


@dataclass(frozen=True)
class Habits:
    """How often, in a hundred, players stay away, miss a game, and ask for half a point."""

    absent: int = 0
    forfeit: int = 0
    half: int = 0
    forbidden_pairs: int = 0
    accelerated: bool = False


USUAL = Habits()


@dataclass(frozen=True)
class Paired:
    """A field and its pairing; `None` where the rules allow none, after which the event ends."""

    field: Field
    pairing: RoundPairing | None


def play(rng: Random, players: int, rounds: int, habits: Habits = USUAL) -> Iterator[Paired]:
    """The rounds of an event with random results."""
    past: dict[int, list[Past]] = {number: [] for number in range(1, players + 1)}
    forbidden = frozenset(
        (one, other)
        for one, other in (rng.sample(sorted(past), 2) for _ in range(habits.forbidden_pairs))
    )
    initial = rng.choice(list(Side))
    for _ in range(rounds):
        absent = frozenset(n for n in past if rng.randrange(100) < habits.absent)
        field = Field(
            tuple(
                Player(
                    number,
                    tuple(own),
                    virtual_points(number, players, rounds) if habits.accelerated else (),
                )
                for number, own in past.items()
            ),
            rounds,
            absent,
            forbidden,
            initial,
        )
        try:
            pairing = pair_round(field)
        except NoPairing:
            yield Paired(field, None)
            return
        yield Paired(field, pairing)
        _add_results(rng, past, pairing, habits)


def _add_results(
    rng: Random, past: dict[int, list[Past]], pairing: RoundPairing, habits: Habits
) -> None:
    placed = set()
    for white, black in pairing.boards:
        placed |= {white, black}
        if rng.randrange(100) < habits.forfeit:
            points = rng.choice(((10, 0), (0, 10), (0, 0)))
            past[white].append(Past(black, None, points[0]))
            past[black].append(Past(white, None, points[1]))
        else:
            points = rng.choice(((10, 0), (0, 10), (5, 5)))
            past[white].append(Past(black, Side.WHITE, points[0]))
            past[black].append(Past(white, Side.BLACK, points[1]))
    if pairing.bye is not None:
        placed.add(pairing.bye)
        past[pairing.bye].append(Past(points=10, allocated_bye=True))
    for number, own in past.items():
        if number not in placed:
            own.append(Past(points=5 if rng.randrange(100) < habits.half else 0))
