"""How the calculators show what they worked out: receipts, steps, and what another result gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from msgspec.structs import replace as with_fields

from arrocco.engine.calculator import Played
from arrocco.engine.explain import PlayerRows, Step
from arrocco.engine.receipt_steps import tournament_steps, without_repetition
from arrocco.laws.rating import RatingLaw
from arrocco.web import writing
from arrocco.web.forms import whole_number
from arrocco.web.pages.calculators_form import Asked
from arrocco.web.receipt import Receipt, cited, event_receipt, outcome, under
from arrocco.web.view import View

RESULTS = (0, 1, 2)
"""Half points of a game: lost, drawn, won."""


@dataclass(frozen=True)
class Instead:
    """One other result of one game."""

    game: int
    """Counted from 1, among the games that were written."""
    half_points: int

    def of(self, games: Sequence[Played]) -> list[Played]:
        """The games with that one result changed."""
        changed = list(games)
        changed[self.game - 1] = replace(games[self.game - 1], half_points=self.half_points)
        return changed


@dataclass(frozen=True)
class WhatIf:
    """What each result of a game would give."""

    game: int
    opponent: str
    cells: tuple[tuple[str, str, bool], ...]
    """By result, lost first: its value, its address, whether it is the one that was played."""


def instead(asked: Asked, games: Sequence[Played]) -> Instead | None:
    """The other result that the address asks for, as ``what=3:2``; `None` for anything else."""
    game, _, half = asked.form.text("what").partition(":")
    number = whole_number(game)
    if number is None or half not in {"0", "1", "2"}:
        return None
    chosen = Instead(number, int(half))
    if not 1 <= chosen.game <= len(games):
        return None
    return None if games[chosen.game - 1].half_points == chosen.half_points else chosen


def what_if(
    asked: Asked, games: Sequence[Played], value: Callable[[Sequence[Played]], str]
) -> list[WhatIf]:
    """Every game with each of its results: `value` works out what they give."""
    rows = []
    for number, game in enumerate(games, start=1):
        cells = []
        for half in RESULTS:
            is_played = half == game.half_points
            other = games if is_played else Instead(number, half).of(games)
            what = None if is_played else f"{number}:{half}"
            cells.append((value(other), asked.address(what=what) + "#what-if", is_played))
        rows.append(WhatIf(number, writing.rating(game.opponent), tuple(cells)))
    return rows


def change_receipt(view: View, law: RatingLaw, rows: PlayerRows, steps: list[Step]) -> Receipt:
    """A change as a receipt; opponents are numbered as their games are."""
    event = rows.events[0]
    shown = event_receipt(
        view.language,
        event,
        tournament_steps(rows, event),
        lambda row: (view.t("calc_pages.opponent", number=row), None),
        is_rated=True,
    )
    return Receipt(
        events=(with_fields(shown, title=under(view, law)),),
        closing=cited(view.language, without_repetition(steps, rows), law.law, law.edition),
        result=outcome(view, rows),
    )
