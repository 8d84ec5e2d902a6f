"""From criteria to weights: one integer for a pair, each criterion a digit of it.

A digit is wide enough for the sum over all pairs of a matching, so that a matching of greatest
weight is one that is best in the first criterion, of those best in the second, and so on. Below the
criteria lie three more digits for the order in which the rules try candidates (article 4): the
number of exchanges, their size, and one for single choices. Above them all lies one that keeps
choices already made.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from math import prod

from arrocco.hall.pairing import criteria
from arrocco.hall.pairing.contenders import Contender, Strength
from arrocco.hall.pairing.criteria import Bracket, Criterion, Pair, Where
from arrocco.hall.pairing.dutch_2017 import collapsed
from arrocco.laws.online.side import Side


@dataclass(frozen=True)
class Scene:
    """The vertices of a matching: a bracket, and those below that are looked at with it.

    The players stand in the order of their ranks: `moved_down`, residents, the following
    scoregroup, later ones; the bye, where it is looked at, is one more vertex after them.
    """

    players: Sequence[Contender]
    moved_down: int
    here: int
    """How many belong to the bracket: moved-down players and residents."""
    up_to_next: int
    """How many belong to the bracket or to the following scoregroup."""
    initial: Side
    with_bye: bool = False
    everybody: bool = False
    """Whether all players not yet paired are here: then all must be paired (C4)."""
    bye_from_here: bool = False
    """Whether the only downfloater will have the bye (C9)."""
    collapsed_win: int | None = None
    """Before 2026: the points of a win where this is the collapsed last bracket, else `None`."""

    @property
    def size(self) -> int:
        return len(self.players) + self.with_bye

    @property
    def bracket(self) -> Bracket:
        return Bracket(
            self.players[: self.moved_down], self.players[self.moved_down : self.here], self.initial
        )

    def where(self, other: int) -> Where:
        """Where a pair is made whose lower player is this vertex."""
        if other < self.here:
            return Where.HERE
        return Where.NEXT if other < self.up_to_next else Where.LATER


def asked(scene: Scene) -> list[Criterion]:
    """The criteria of a scene, the most important first."""
    bracket = scene.bracket
    criteria_asked = [criteria.completion()] if scene.everybody else []
    if scene.collapsed_win is not None:
        return criteria_asked + collapsed(bracket, scene.collapsed_win)
    criteria_asked += [criteria.c6(), *criteria.c7(bracket)]
    if scene.up_to_next > scene.here:
        if scene.with_bye and not scene.everybody:  # the next bracket is the last: C2 holds there
            criteria_asked.append(criteria.completion())
        criteria_asked += criteria.c8(bracket)
    if scene.bye_from_here:
        criteria_asked.append(criteria.c9(bracket))
    return criteria_asked + criteria.colours(bracket) + criteria.floats(bracket)


@dataclass
class Weights:
    """The weights of a scene. Pairs alike in all that criteria look at are looked at once."""

    scene: Scene
    choice: int = field(init=False)
    """One more than the most that the digit of single choices holds."""
    exchange_size: int = field(init=False)
    exchanges: int = field(init=False)
    _criteria: list[Criterion] = field(init=False)
    _limits: list[int] = field(init=False)
    _kinds: list[Hashable] = field(init=False)
    _known: dict[tuple[Hashable, Hashable], int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        scene = self.scene
        pairs = scene.size // 2
        residents = scene.here - scene.moved_down
        self.choice = scene.size + 2
        self.exchange_size = residents * (residents // 2) + 1
        self.exchanges = residents // 2 + 1
        self._criteria = asked(scene)
        self._limits = [criterion.most * pairs + 1 for criterion in self._criteria]
        topscorers = any(player.topscorer for player in scene.players[: scene.here])
        self._kinds = [self._kind(vertex, topscorers) for vertex in range(scene.size)]

    def _kind(self, vertex: int, topscorers: bool) -> Hashable:
        """What criteria look at in a vertex; vertices of one kind weigh the same."""
        scene = self.scene
        if vertex >= scene.here:
            return scene.where(vertex) if vertex < len(scene.players) else None
        player = scene.players[vertex]
        delicate = topscorers and player.strength is Strength.ABSOLUTE
        return (
            player.score,
            player.wanted,
            player.strength,
            player.down,
            player.up,
            player.unplayed if scene.bye_from_here else 0,
            player.number if delicate else 0,
        )

    @property
    def unit(self) -> int:
        """What one in the lowest digit of the criteria weighs."""
        return self.exchanges * self.exchange_size * self.choice

    @property
    def fast(self) -> int:
        """More than all criteria weigh together: what makes a choice fast."""
        return prod(self._limits) * self.unit

    @property
    def most(self) -> int:
        """A bound for all weights, with both players of a pair made fast."""
        return 3 * self.fast

    def of(self, one: int, other: int) -> int:
        """The weight of two vertices that may meet, the lower number first."""
        key = self._kinds[one], self._kinds[other]
        weight = self._known.get(key)
        if weight is None:
            weight = self._known[key] = self._weigh(one, other)
        return weight

    def values(self, mates: Sequence[int]) -> list[tuple[str, int]]:
        """What each criterion counts in a matching, the most important first; more is better."""
        pairs = [self._pair(first, other) for first, other in enumerate(mates) if first < other]
        return [
            (criterion.name, sum(criterion.worth(pair) for pair in pairs))
            for criterion in self._criteria
        ]

    def _pair(self, first: int, other: int) -> Pair:
        players = self.scene.players
        lower = None if other == len(players) else players[other]
        return Pair(players[first], lower, self.scene.where(other))

    def _weigh(self, first: int, other: int) -> int:
        pair = self._pair(first, other)
        weight = 0
        for criterion, limit in zip(self._criteria, self._limits, strict=True):
            weight = weight * limit + criterion.worth(pair)
        return weight * self.unit
