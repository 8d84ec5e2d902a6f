"""A Swiss tournament with all its rounds, as a pairing program is given it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from arrocco.hall.pairing.records import Edition, Field, Past, Player, RoundPairing
from arrocco.laws.online.side import Side


@dataclass(frozen=True, slots=True)
class Forbidden:
    """Players none of whom meets another of them, in a stretch of rounds."""

    numbers: frozenset[int]
    first_round: int = 1
    last_round: int = 0
    """0 for until the end."""

    def holds_in(self, number: int) -> bool:
        return self.first_round <= number and (not self.last_round or number <= self.last_round)


class Numbering(StrEnum):
    """C.04.2 2 — what the numbers of a file follow, by which its rounds are paired again."""

    BY_RATING = "by_rating"
    NOT_BY_RATING = "not_by_rating"
    """Somebody stands behind a lower rated player: late entries, or another program's own order."""
    BY_RESULT = "by_result"
    """No ratings, and numbers in the order of the points scored: given after the last round."""


@dataclass(frozen=True)
class Tournament:
    """Everybody with what each did in every round that was paired.

    `absent` are those who will not play the round after them.
    """

    players: tuple[Player, ...]
    rounds: int
    """As stated; a file that states none ends with the last round it has."""
    played: int
    """How many rounds have been paired."""
    names: dict[int, str] = field(default_factory=dict)
    absent: frozenset[int] = frozenset()
    forbidden: tuple[Forbidden, ...] = ()
    initial_colour: Side | None = None
    """As the file states it; `None` where it has to be inferred."""
    win: int = 10
    loss: int = 0
    edition: Edition = Edition.DUTCH_2026
    numbering: Numbering = Numbering.BY_RATING

    def before(self, number: int) -> Field:
        """The field as a round is about to be paired: one that was, or the one after the last."""
        if number <= self.played:
            away = {p.number for p in self.players if not p.past[number - 1].was_paired}
        else:
            away = set(self.absent)
        pairs = {
            (one, other)
            for rule in self.forbidden
            if rule.holds_in(number)
            for one in rule.numbers
            for other in rule.numbers
            if one < other
        }
        return Field(
            tuple(Player(p.number, p.past[: number - 1], p.virtual[:number]) for p in self.players),
            max(self.rounds, number),
            frozenset(away),
            frozenset(pairs),
            self.initial_colour or self._inferred_colour() or Side.WHITE,
            self.win,
            self.loss,
            self.edition,
        )

    def pairing_of(self, number: int) -> RoundPairing:
        """A round as it was paired; its boards in the order of White's numbers.

        In pairs `without_colours` the lower number stands first.
        """
        boards = list(self.without_colours(number))
        bye = None
        for player in self.players:
            past = player.past[number - 1]
            if past.allocated_bye:
                bye = player.number
            elif past.paired_colour is Side.WHITE:
                boards.append((player.number, past.opponent))
        return RoundPairing(tuple(sorted(boards)), bye)

    def without_colours(self, number: int) -> frozenset[tuple[int, int]]:
        """Pairs of a round of which no colour is told: somebody did not come to play."""
        without = {
            player.number: past.opponent
            for player in self.players
            if (past := player.past[number - 1]).paired_colour is None
        }
        return frozenset(
            (one, other) for one, other in without.items() if one < other and other in without
        )

    def _inferred_colour(self) -> Side | None:
        """C.04.3 5.1 — the colour drawn by lot, seen from the first round with colours.

        The highest player with a number then had it, or the other where that number was even.
        """
        first = next(
            (
                index
                for index in range(self.played)
                if any(p.past[index].paired_colour is not None for p in self.players)
            ),
            None,
        )
        if first is None:
            return None
        held = 0
        for player in sorted(self.players, key=lambda player: player.number):
            if not any(past.was_paired for past in player.past[: first + 1]):
                continue
            held += 1
            colour = player.past[first].paired_colour
            if colour is not None:
                return colour if held % 2 else colour.other
        return None


def virtual_points(place: int, players: int, rounds: int, win: int = 10) -> tuple[int, ...]:
    """C.04.7 — the virtual points that Baku acceleration gives to a place of the starting list.

    The upper half of the list, rounded up to an even number, has as many as for a win in the first
    half of the accelerated rounds, which are the first half of all, and half of that in the rest.
    """
    if place > 2 * -(-players // 4):
        return ()
    accelerated = -(-rounds // 2)
    full = -(-accelerated // 2)
    return (win,) * full + (win // 2,) * (accelerated - full)


def with_acceleration(tournament: Tournament) -> tuple[Player, ...]:
    """The players of a tournament with the virtual points of Baku acceleration."""
    ordered = sorted(tournament.players, key=lambda player: player.number)
    return tuple(
        Player(
            player.number,
            player.past,
            virtual_points(place, len(ordered), tournament.rounds, tournament.win),
        )
        for place, player in enumerate(ordered, start=1)
    )


__all__ = ["Forbidden", "Numbering", "Past", "Tournament", "virtual_points", "with_acceleration"]
