"""Why a round is paired as it is, board by board: halves, floats, criteria, colours.

Reasons are keys of the catalogue `pairing` with details; players stand in them by number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from arrocco.hall.pairing.colours import rule_of
from arrocco.hall.pairing.contenders import Contender, contenders, may_meet
from arrocco.hall.pairing.deciding import BETTER, ORDER, Decided, Decider
from arrocco.hall.pairing.dutch import PairedBracket, Round, brackets, in_order, with_colours
from arrocco.hall.pairing.records import Edition, Field
from arrocco.words import Language, Phrase, say

MAX_DETAILED = 120
"""Up to so many players the criterion behind each choice is looked for: it means pairing again."""
_PLAYERS = frozenset({"player", "other", "expected", "white"})

Label = Callable[[int], str]
"""How a player is written, from the number."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that led to a board."""

    key: str
    article: str = ""
    details: dict[str, Any] = field(default_factory=dict)

    def said(self, language: Language, label: Label = str) -> str:
        """The reason in words, players as `label` writes them."""
        details = {
            name: label(value) if name in _PLAYERS else value
            for name, value in self.details.items()
        }
        return say(language, f"pairing.why.{self.key}", **details)


@dataclass(frozen=True)
class ExplainedBoard:
    """Two players, White first, and why they meet; `black` is `None` for the bye."""

    white: int
    black: int | None
    reasons: tuple[Reason, ...]


def explain(given: Field) -> list[ExplainedBoard]:
    """The round as it is paired, every board with its reasons; raises `NoPairing` as pairing does.

    A round robin or a round paired by hand has no reasons of this kind.
    """
    players = contenders(given)
    if not players:
        return []
    return list(_Explainer(Round.of(players, given), given).boards())


class _Explainer:
    def __init__(self, round_: Round, given: Field) -> None:
        self.round, self.field = round_, given
        self.players = round_.players
        self.is_detailed = len(self.players) <= MAX_DETAILED
        self.floats: dict[int, list[Reason]] = {}
        self.choices: dict[int, Reason] = {}

    def boards(self) -> Iterator[ExplainedBoard]:
        pairs: list[tuple[Contender, Contender]] = []
        bye: int | None = None
        for bracket in brackets(self.round):
            self._explain(bracket)
            pairs += [(self.players[first], self.players[other]) for first, other in bracket.pairs]
            bye = bracket.left[0] if bracket.left else None
        for first, other in in_order(pairs):
            white, black = with_colours(first, other, self.round.initial)
            rule = rule_of(first, other, self.round.initial)
            reasons = [
                *self.floats.get(first.number, ()),
                self.choices[first.number],
                Reason("colour_" + rule.replace(".", "_"), rule, {"white": white}),
            ]
            yield ExplainedBoard(white, black, tuple(reasons))
        if bye is not None:
            number = self.players[bye].number
            yield ExplainedBoard(number, None, tuple(self.floats.get(number, ())))

    def _explain(self, bracket: PairedBracket) -> None:
        decider: Decider | None = None

        def decided(ask: Callable[[Decider], Decided]) -> Decided | None:
            nonlocal decider
            if not self.is_detailed:
                return None
            decider = decider or Decider(self.round, bracket)
            return ask(decider)

        for player in bracket.left:
            is_bye = len(bracket.groups) == 1
            self._explain_float(bracket, player, is_bye, decided)
        for one, expected in _expected(bracket).items():
            partner = dict(bracket.pairs)[one]
            self._explain_pair(bracket, one, partner, expected, decided)

    def _explain_float(
        self, bracket: PairedBracket, player: int, is_bye: bool, decided: _Ask
    ) -> None:
        contender = self.players[player]
        here = bracket.moved + bracket.groups[0]
        level = self.players[bracket.groups[0][0]].score
        details = {"player": contender.number, "points": _points(level)}
        what = "bye" if is_bye else "float"
        can_meet = self.round.edges[player]
        others = bracket.groups[0] if player in bracket.moved else here
        if len(here) % 2 and bracket.left == [here[-1]]:
            reason = Reason(f"{what}_lowest", "C5" if is_bye else "C6", details)
        elif not is_bye and not any(can_meet >> other & 1 for other in others):
            reason = Reason("float_nobody", "C1", details)
        else:
            deciding = decided(lambda decider: decider.without_float(player))
            reason = self._by_criterion(what, deciding, details, bracket)
        self.floats.setdefault(contender.number, []).append(reason)

    def _explain_pair(
        self, bracket: PairedBracket, one: int, partner: int, expected: int | None, decided: _Ask
    ) -> None:
        higher, lower = self.players[one], self.players[partner]
        details: dict[str, Any] = {"player": higher.number, "other": lower.number}
        if expected is None or expected == partner:
            key = "moved_down" if one in bracket.moved else "halves"
            details |= {"points": _points(self.players[bracket.groups[0][0]].score)}
            self.choices[higher.number] = Reason(key, "3", details)
            return
        wanted = self.players[expected]
        details["expected"] = wanted.number
        barred = self._barred(one, expected)
        if barred:
            self.choices[higher.number] = Reason(f"barred_{barred}", barred, details)
            return
        deciding = decided(lambda decider: decider.with_pair(one, expected))
        self.choices[higher.number] = self._by_criterion("instead", deciding, details, bracket)

    def _by_criterion(
        self, what: str, decided: Decided | None, details: dict[str, Any], bracket: PairedBracket
    ) -> Reason:
        if decided is None or decided.criterion == BETTER:
            return Reason(f"{what}_criteria", "", details)
        if decided.meaning == ORDER:
            is_float = what != "instead" and details["player"] in self._came_down(bracket)
            order = "moved_down" if is_float else _order_of(bracket)
            article = _ORDERS[order][self.round.edition is Edition.DUTCH_2017]
            name, shown = article, f"C.04.3 {article}"
            words = Phrase(f"pairing.criterion.{order}")
        else:
            name = shown = decided.criterion
            words = criterion_words(decided.meaning)
        return Reason(what, name, {**details, "criterion": shown, "words": words})

    def _came_down(self, bracket: PairedBracket) -> set[int]:
        return {self.players[player].number for player in bracket.moved}

    def _barred(self, one: int, other: int) -> str:
        """The absolute criterion that keeps two from meeting; empty where none does."""
        first, second = self.players[one], self.players[other]
        if second.number in first.met:
            return "C1"
        if not may_meet(first, second):
            return "C3"
        return "" if self.round.edges[one] >> other & 1 else "forbidden"


_Ask = Callable[[Callable[[Decider], Decided]], Decided | None]


_ORDERS = {
    "transpositions": ("4.2", "D.1"),
    "exchanges": ("4.3", "D.2"),
    "moved_down": ("4.4", "D.3"),
}
"""The orders in which candidates are tried, with their articles in the texts of 2026 and 2017."""


def _order_of(bracket: PairedBracket) -> str:
    """Which order takes one of candidates that every criterion finds alike.

    Where somebody of the upper half of the residents meets nobody of the lower one, players of the
    halves have changed places; else only the lower half was put in another order.
    """
    mate = dict(bracket.pairs) | {other: one for one, other in bracket.pairs}
    residents = [player for player in bracket.groups[0] if mate.get(player) not in bracket.moved]
    upper = residents[: sum(player in mate for player in residents) // 2]
    lower = set(residents[len(upper) :])
    is_whole = all(mate.get(player) in lower for player in upper)
    return "transpositions" if is_whole else "exchanges"


def criterion_words(meaning: str) -> Phrase:
    """What a criterion asks for, to stand in a sentence; by its name in the text of 2026."""
    return Phrase(f"pairing.criterion.{meaning if meaning.startswith('C') else 'order'}")


def _expected(bracket: PairedBracket) -> dict[int, int | None]:
    """The partner of the higher player of each pair if nothing stood against the first candidate.

    3.2, 3.3 — moved-down players meet the highest residents in turn; of the residents that are left
    the upper half meets the lower.
    """
    mate = dict(bracket.pairs)
    moved, residents = bracket.moved, bracket.groups[0]
    opponents: dict[int, int | None] = {}
    for place, one in enumerate(player for player in moved if player in mate):
        opponents[one] = residents[place]
    taken = {mate[opponent] for opponent in opponents}
    rest = [player for player in residents if player not in taken]
    pairs = sum(player in mate for player in rest)
    lower = dict(zip(rest[:pairs], rest[pairs:], strict=False))
    for one in rest:
        if one in mate:
            opponents[one] = lower.get(one)
    return opponents


def _points(tenths: int) -> str:
    return f"{tenths // 10}.{tenths % 10}"


__all__ = ["ExplainedBoard", "Reason", "criterion_words", "explain"]
