"""The Dutch rules of 2026 taken literally, for small fields: every candidate is made and compared.

Slow and plain on purpose. It shares no code with `arrocco.hall.pairing`, only its records: a test
lets both pair the same fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

from arrocco.hall.pairing.records import Field, Player, RoundPairing

BIG = 10_000
Pairs = tuple[tuple[int, int], ...]


class Judge:
    def __init__(self, field: Field) -> None:
        self.field = field
        self.by_number = {player.number: player for player in field.players}
        self.present = [p.number for p in field.players if p.number not in field.absent]
        self.present.sort(key=lambda n: (-self.score(n), n))
        self.round = len(field.players[0].past) + 1
        self._complete: dict[frozenset[int], bool] = {}
        self.forbidden = {frozenset(pair) for pair in field.forbidden}

    # --- article 1 -------------------------------------------------------------------------------

    def score(self, number: int, rounds: int | None = None) -> int:
        """C.04.7 — points so far with the virtual ones of the round that comes then."""
        player = self.by_number[number]
        before = len(player.past) if rounds is None else rounds
        virtual = player.virtual[before] if before < len(player.virtual) else 0
        return sum(one.points for one in player.past[:before]) + virtual

    def colours(self, number: int) -> str:
        past = self.by_number[number].past
        return "".join("" if one.colour is None else one.colour.value[0] for one in past)

    def difference(self, number: int) -> int:
        return self.colours(number).count("w") - self.colours(number).count("b")

    def preference(self, number: int) -> tuple[str, int]:
        """The colour and 3 for absolute, 2 for strong, 1 for mild."""
        colours, difference = self.colours(number), self.difference(number)
        if difference > 1:
            return "b", 3
        if difference < -1:
            return "w", 3
        if colours[-2:] == "ww":
            return "b", 3
        if colours[-2:] == "bb":
            return "w", 3
        if difference == 1:
            return "b", 2
        if difference == -1:
            return "w", 2
        if colours:
            return ("w" if colours[-1] == "b" else "b"), 1
        return "", 0

    def floated(self, number: int, back: int) -> str:
        player: Player = self.by_number[number]
        index = len(player.past) - back
        if index < 0:
            return ""
        past = player.past[index]
        if past.colour is None:
            return "down" if past.allocated_bye or past.points > self.field.loss else ""
        own, other = self.score(number, index), self.score(past.opponent, index)
        return "down" if own > other else "up" if own < other else ""

    def is_topscorer(self, number: int) -> bool:
        most = (self.round - 1) * self.field.win
        points = sum(one.points for one in self.by_number[number].past)
        return self.round == self.field.rounds and points * 2 > most

    def unplayed(self, number: int) -> int:
        return sum(one.colour is None for one in self.by_number[number].past)

    def held_number(self, number: int) -> int:
        """C.04.2 2.4 — who has never been there for a pairing has no number."""
        there = set(self.present)
        for player in self.field.players:
            if any(past.opponent or past.allocated_bye for past in player.past):
                there.add(player.number)
        return len([one for one in there if one <= number])

    # --- article 2: the absolute criteria, completion and the bye ------------------------------

    def may_meet(self, one: int, other: int) -> bool:
        past = self.by_number[one].past
        if any(p.opponent == other and p.colour is not None for p in past):
            return False
        if frozenset((one, other)) in self.forbidden:
            return False
        first, second = self.preference(one), self.preference(other)
        if first[1] == second[1] == 3 and first[0] == second[0]:
            return self.is_topscorer(one) or self.is_topscorer(other)
        return True

    def may_have_bye(self, number: int) -> bool:
        return not any(
            past.allocated_bye or (past.colour is None and past.points >= self.field.win)
            for past in self.by_number[number].past
        )

    def can_complete(self, left: frozenset[int]) -> bool:
        """Whether those left can all be paired, with one bye of the right score if they are odd."""
        known = self._complete.get(left)
        if known is None:
            known = self._complete[left] = self._can_complete(left)
        return known

    def _can_complete(self, left: frozenset[int]) -> bool:
        if not left:
            return True
        one = min(left)
        rest = left - {one}
        if any(self.may_meet(one, other) and self.can_complete(rest - {other}) for other in rest):
            return True
        is_bye = len(left) % 2 == 1 and self.may_have_bye(one) and self.score(one) == self.bye_score
        return is_bye and self.can_complete(rest)

    # --- the round -----------------------------------------------------------------------------

    def pair(self) -> RoundPairing | None:
        everybody = frozenset(self.present)
        scores = sorted({self.score(n) for n in self.present})
        for self.bye_score in scores:
            self._complete.clear()
            if self.can_complete(everybody):
                break
        else:
            return None
        pairs: list[tuple[int, int]] = []
        moved: list[int] = []
        for index, level in enumerate(reversed(scores)):
            below = list(reversed(scores))[index + 1 :]
            group = [n for n in self.present if self.score(n) == level]
            following = [n for n in self.present if below and self.score(n) == below[0]]
            left = frozenset(n for n in self.present if self.score(n) < level)
            made = self.bracket(moved, group, following, left)
            pairs += made
            paired = {n for pair in made for n in pair}
            moved = [n for n in moved + group if n not in paired]
        assert len(moved) < 2
        coloured = [self.coloured(*pair) for pair in sorted(pairs, key=self.board)]
        return RoundPairing(tuple(coloured), moved[0] if moved else None)

    def board(self, pair: tuple[int, int]) -> tuple[int, int, int]:
        high, low = sorted(pair, key=lambda n: (-self.score(n), n))
        return -self.score(high), -self.score(high) - self.score(low), high

    def bracket(
        self, moved: list[int], group: list[int], following: list[int], left: frozenset[int]
    ) -> Pairs:
        legal = [
            pairs
            for pairs in self.matchings(moved, group)
            if self.can_complete(left | self.unpaired(moved + group, pairs))
        ]
        assert legal
        most = max(map(len, legal))
        fullest = [pairs for pairs in legal if len(pairs) == most]
        best = min(self.down_scores(moved + group, pairs) for pairs in fullest)
        fullest = [p for p in fullest if self.down_scores(moved + group, p) == best]
        allowed = {frozenset(map(frozenset, pairs)) for pairs in fullest}
        m1 = sum(n in moved for pair in fullest[0] for n in pair)
        chosen: tuple[Any, Pairs] | None = None
        for pairs in self.candidates(moved, group, most, m1):
            if frozenset(map(frozenset, pairs)) not in allowed:
                continue
            quality = self.quality(moved, group, following, left, pairs)
            if chosen is None or quality < chosen[0]:
                chosen = quality, pairs
        assert chosen is not None
        return chosen[1]

    def unpaired(self, players: list[int], pairs: Pairs) -> frozenset[int]:
        return frozenset(players) - {n for pair in pairs for n in pair}

    def down_scores(self, players: list[int], pairs: Pairs) -> list[int]:
        return sorted(map(self.score, self.unpaired(players, pairs)), reverse=True)

    def matchings(self, moved: list[int], group: list[int]) -> Iterator[Pairs]:
        """Every set of allowed pairs, moved-down players only with residents."""
        players = moved + group

        def extend(index: int, used: frozenset[int], made: Pairs) -> Iterator[Pairs]:
            if index == len(players):
                yield made
                return
            one = players[index]
            yield from extend(index + 1, used | {one}, made)
            if one in used:
                return
            for other in players[index + 1 :]:
                if other in used or other in moved or not self.may_meet(one, other):
                    continue
                yield from extend(index + 1, used | {one, other}, (*made, (one, other)))

        yield from extend(0, frozenset(), ())

    # --- articles 3 and 4: candidates in their order -------------------------------------------

    def candidates(self, moved: list[int], group: list[int], most: int, m1: int) -> Iterator[Pairs]:
        if not moved:
            yield from self.homogeneous(group, most)
            return
        for first in combinations(moved, m1):  # 4.4: in the order of the smallest numbers
            for second in permutations(group, m1):  # 4.2: lexicographic
                made = tuple(zip(first, second, strict=True))
                remainder = [n for n in group if n not in second]
                for rest in self.homogeneous(remainder, most - m1):
                    yield made + rest

    def homogeneous(self, players: list[int], pairs: int) -> Iterator[Pairs]:
        for first, second in self.exchanges(len(players), pairs):
            for order in permutations(second, pairs):
                yield tuple(
                    (players[one], players[other]) for one, other in zip(first, order, strict=True)
                )

    def exchanges(self, size: int, pairs: int) -> Iterator[tuple[list[int], list[int]]]:
        """4.3 — the two halves, first as they are, then with residents exchanged."""
        first, second = list(range(pairs)), list(range(pairs, size))
        yield first, second
        for count in range(1, min(len(first), len(second)) + 1):
            swaps = [
                (gone, come)
                for gone in combinations(first, count)
                for come in combinations(second, count)
            ]
            swaps.sort(
                key=lambda swap: (
                    sum(swap[1]) - sum(swap[0]),
                    [-n for n in sorted(swap[0], reverse=True)],
                    sorted(swap[1]),
                )
            )
            for gone, come in swaps:
                yield (
                    sorted(set(first) - set(gone) | set(come)),
                    sorted(set(second) - set(come) | set(gone)),
                )

    # --- article 2: quality --------------------------------------------------------------------

    def quality(
        self,
        moved: list[int],
        group: list[int],
        following: list[int],
        left: frozenset[int],
        pairs: Pairs,
    ) -> Any:
        down = self.unpaired(moved + group, pairs)
        level = self.score(group[0])
        bye_here = len(self.present) % 2 and self.bye_score >= level and len(down) == 1
        c9 = self.unplayed(min(down)) if bye_here else 0
        delicate = [p for p in pairs if any(map(self.is_topscorer, p))]
        after = {n: c for pair in delicate for n, c in self.given(*pair).items()}
        c10 = sum(abs(self.difference(n) + (1 if c == "w" else -1)) > 2 for n, c in after.items())
        c11 = sum((self.colours(n) + c)[-3:] in ("www", "bbb") for n, c in after.items())
        denied = [
            n
            for pair in pairs
            for n, c in self.given(*pair).items()
            if self.preference(n)[0] not in ("", c)
        ]
        c13 = sum(self.preference(n)[1] == 2 for n in denied)
        resident_down = [n for n in down if n in group]
        met = dict(pairs) | {b: a for a, b in pairs}
        upfloaters = [met[m] for m in moved if m in met]
        values: list[Any] = [c9, c10, c11, len(denied), c13]
        for back in (1, 2):
            values.append(sum(self.floated(n, back) == "down" for n in resident_down))
            values.append(sum(self.floated(n, back) == "up" for n in upfloaters))
        for back in (1, 2):
            downs = [m for m in moved if self.floated(m, back) == "down"]
            values.append(sorted((self.fall(m, met) for m in downs), reverse=True))
            ups = [m for m in moved if m in met and self.floated(met[m], back) == "up"]
            values.append(sorted((self.fall(m, met) for m in ups), reverse=True))
        return (self.next_bracket(down, following, left), *values)

    def fall(self, moved: int, met: dict[int, int]) -> int:
        if moved not in met:
            return BIG + self.score(moved)
        return self.score(moved) - self.score(met[moved])

    def next_bracket(self, down: frozenset[int], following: list[int], left: frozenset[int]) -> Any:
        """C8 — the most pairs and the lowest scores of downfloaters of the next bracket."""
        if not following:
            return ()
        players = sorted(down, key=self.present.index)
        rest = left - set(following)
        return min(
            (-len(pairs), self.down_scores(players + following, pairs))
            for pairs in self.matchings(players, following)
            if self.can_complete(rest | self.unpaired(players + following, pairs))
        )

    # --- article 5 -----------------------------------------------------------------------------

    def given(self, one: int, other: int) -> dict[int, str]:
        white, black = self.coloured(one, other)
        return {white: "w", black: "b"}

    def coloured(self, one: int, other: int) -> tuple[int, int]:
        high, low = sorted((one, other), key=lambda n: (-self.score(n), n))
        (want, much), (want_low, much_low) = self.preference(high), self.preference(low)
        if want and want_low and want != want_low:
            return (high, low) if want == "w" else (low, high)
        if much != much_low:
            strong, weak = (high, low) if much > much_low else (low, high)
            return (strong, weak) if self.preference(strong)[0] == "w" else (weak, strong)
        if much == 3 and abs(self.difference(high)) != abs(self.difference(low)):
            wide = max(high, low, key=lambda n: abs(self.difference(n)))
            slim = low if wide == high else high
            return (wide, slim) if self.preference(wide)[0] == "w" else (slim, wide)
        for mine, theirs in zip(self.colours(high)[::-1], self.colours(low)[::-1], strict=False):
            if mine != theirs:
                return (low, high) if mine == "w" else (high, low)
        if want:
            return (high, low) if want == "w" else (low, high)
        initial = self.field.initial_colour.value[0]
        has_white = (initial == "w") == (self.held_number(high) % 2 == 1)
        return (high, low) if has_white else (low, high)
