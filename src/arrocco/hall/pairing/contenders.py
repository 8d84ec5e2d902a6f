"""What the Dutch system looks at in a player: score, colours and floats (C.04.3, articles 1, 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate

from arrocco.hall.pairing.records import Edition, Field, Past, Player
from arrocco.laws.online.side import Side


class Strength(IntEnum):
    """1.7 — how much a colour is wanted."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@dataclass(frozen=True, slots=True)
class Contender:
    """A player about to be paired.

    `down` and `up` tell whether the player floated that way one and two rounds ago; `double`
    whether the last two games played had the same colour.
    """

    number: int
    held_number: int
    """C.04.2 2.4 — the pairing number counted among those who have arrived."""
    score: int
    colours: tuple[Side, ...]
    """Those of the games played, the oldest first; unplayed rounds leave none (C.04.2, 3.4)."""
    balance: int
    """1.6 — games with White less games with Black."""
    wanted: Side | None
    strength: Strength
    double: bool
    down: tuple[bool, bool]
    up: tuple[bool, bool]
    unplayed: int
    barred: bool
    """C2 — had the allocated bye, or as many points as for a win without playing."""
    topscorer: bool
    """1.8 — above half of all possible points as the last round is paired."""
    met: frozenset[int]

    @property
    def order(self) -> tuple[int, int]:
        """1.2 — by score, then by number: the lower the higher ranked."""
        return -self.score, self.number


def contenders(field: Field) -> list[Contender]:
    """Everybody present for the coming round, the highest ranked first."""
    before = {player.number: _pairing_scores(player) for player in field.players}
    held = _held_numbers(field)
    pairs = [
        _contender(player, field, before, held[player.number])
        for player in field.players
        if player.number not in field.absent
    ]
    return sorted(pairs, key=lambda contender: contender.order)


def _pairing_scores(player: Player) -> list[int]:
    """C.04.7 — the score before each round and the coming one, with the virtual points of each."""
    scores = list(accumulate((past.points for past in player.past), initial=0))
    for index, virtual in enumerate(player.virtual[: len(scores)]):
        scores[index] += virtual
    return scores


def _held_numbers(field: Field) -> dict[int, int]:
    """C.04.2 2.4 — pairing numbers as held: nobody has one before being there for a pairing."""
    arrived = sorted(
        player.number
        for player in field.players
        if player.number not in field.absent or any(past.was_paired for past in player.past)
    )
    return {number: place for place, number in enumerate(arrived, start=1)}


def _contender(
    player: Player, field: Field, before: Mapping[int, list[int]], held_number: int
) -> Contender:
    colours = tuple(past.colour for past in player.past if past.colour is not None)
    balance = sum(1 if colour is Side.WHITE else -1 for colour in colours)
    double = len(colours) > 1 and colours[-1] is colours[-2]
    wanted, strength = preference(colours)
    score, played_rounds = before[player.number][-1], len(player.past)
    last_round = played_rounds + 1 == field.rounds
    points = sum(past.points for past in player.past)
    floats = [_float(player, back, before, field) for back in (1, 2)]
    return Contender(
        number=player.number,
        held_number=held_number,
        score=score,
        colours=colours,
        balance=balance,
        wanted=wanted,
        strength=strength,
        double=double,
        down=(floats[0] < 0, floats[1] < 0),
        up=(floats[0] > 0, floats[1] > 0),
        unplayed=played_rounds - len(colours),
        barred=any(_bars_bye(past, field) for past in player.past),
        topscorer=last_round and 2 * points > played_rounds * field.win,
        met=frozenset(past.opponent for past in player.past if past.played),
    )


def preference(colours: tuple[Side, ...]) -> tuple[Side | None, Strength]:
    """1.7 — the colour a player should have next, and how strongly.

    Where the balance and the last two games ask for different colours, which only a topscorer can
    have come to, the balance decides.
    """
    if not colours:
        return None, Strength.NONE
    balance = sum(1 if colour is Side.WHITE else -1 for colour in colours)
    rarer = Side.BLACK if balance > 0 else Side.WHITE
    if abs(balance) > 1:
        return rarer, Strength.ABSOLUTE
    if len(colours) > 1 and colours[-1] is colours[-2]:
        return colours[-1].other, Strength.ABSOLUTE
    if balance:
        return rarer, Strength.STRONG
    return colours[-1].other, Strength.MILD


def _bars_bye(past: Past, field: Field) -> bool:
    if field.edition is Edition.DUTCH_2017 and not past.was_paired:
        return False  # a full-point bye that was asked for
    return past.allocated_bye or (not past.played and past.points >= field.win)


def _float(player: Player, back: int, before: Mapping[int, list[int]], field: Field) -> int:
    """1.4.2, 1.4.3 — the float of a player so many rounds ago: -1 down, 1 up, 0 none."""
    if back > len(player.past):
        return 0
    past = player.past[-back]
    if not past.played:
        if field.edition is Edition.DUTCH_2017:
            return -1  # A.4.b: whoever does not play, for whatever reason
        return -1 if past.allocated_bye or past.points > field.loss else 0
    own, other = before[player.number][-1 - back], before[past.opponent][-1 - back]
    return (own < other) - (own > other)


def may_meet(first: Contender, other: Contender) -> bool:
    """C1, C3 — not met before, and not both in absolute want of the same colour.

    The second does not hold for topscorers and their opponents.
    """
    if other.number in first.met:
        return False
    absolute = first.strength is other.strength is Strength.ABSOLUTE
    clash = absolute and first.wanted is other.wanted
    return not clash or first.topscorer or other.topscorer
