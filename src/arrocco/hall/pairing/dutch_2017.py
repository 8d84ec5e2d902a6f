"""The Dutch system before 2026 (C.04.3 as approved in Baku 2016), where it goes another way.

Brackets are paired one after the other without looking further than the next one. Only where the
rest could then not be paired, the bracket just paired is paired again so that it can (it is the
penultimate one), and all players below form one last, collapsed bracket (A.9).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from arrocco.hall.pairing.criteria import Bracket, Criterion, Pair, colours

if TYPE_CHECKING:
    from arrocco.hall.pairing.contenders import Contender

NAMES = {"4": "D", "C6": "C5", "C7": "C6", "C8": "C7"} | {
    f"C{n}": f"C{n - 2}" for n in range(10, 22)
}
"""What the criteria of 2026 were called before."""


def collapsed(bracket: Bracket, win: int) -> list[Criterion]:
    """The criteria of a collapsed last bracket, in which all scores below are residents together.

    C.6 looks at the differences of all pairs, C.12 to C.19 at every pair of unequal scores.
    """
    players = (*bracket.moved_down, *bracket.residents)
    lowest = min(player.score for player in players)
    difference = partial(_difference, lowest - win)
    steps = sorted(set(_steps(players, lowest - win)), reverse=True)
    criteria = [Criterion("C7", 1, partial(_is_not, difference, step)) for step in steps]
    criteria += colours(bracket)
    for back, down, up in ((0, "C14", "C15"), (1, "C16", "C17")):
        if any(player.down[back] for player in players):
            criteria.append(Criterion(down, 1, partial(_falls_not_again, back)))
        if any(player.up[back] for player in players):
            criteria.append(Criterion(up, 1, partial(_rises_not_again, back)))
    for back, down, up in ((0, "C18", "C19"), (1, "C20", "C21")):
        for step in steps:
            if any(player.down[back] for player in players):
                worth = partial(_not_so_far, difference, step, partial(_falls_not_again, back))
                criteria.append(Criterion(down, 1, worth))
            if any(player.up[back] for player in players):
                worth = partial(_not_so_far, difference, step, partial(_rises_not_again, back))
                criteria.append(Criterion(up, 1, worth))
    return criteria


def _steps(players: tuple[Contender, ...], below: int) -> Iterator[int]:
    scores = {player.score for player in players}
    for score in scores:
        yield score - below
        yield from (score - other for other in scores if score > other)


def _difference(below: int, pair: Pair) -> int:
    """A.8 — the difference of a pair; who is left is compared with a point below the lowest."""
    return pair.higher.score - (below if pair.lower is None else pair.lower.score)


def _is_not(difference: partial[int], step: int, pair: Pair) -> int:
    return int(difference(pair) != step)


def _falls_not_again(back: int, pair: Pair) -> int:
    falls = pair.lower is None or pair.higher.score > pair.lower.score
    return int(not (falls and pair.higher.down[back]))


def _rises_not_again(back: int, pair: Pair) -> int:
    lower = pair.lower
    return int(lower is None or pair.higher.score == lower.score or not lower.up[back])


def _not_so_far(difference: partial[int], step: int, again: partial[int], pair: Pair) -> int:
    return int(difference(pair) != step or bool(again(pair)))
