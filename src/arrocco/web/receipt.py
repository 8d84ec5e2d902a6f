"""A rating change as a receipt: a line for each game, the steps with their articles, the result.

The figures come from the rows of the computation (`engine.explain`); here they only get their
words and signs. ``parts/receipt.html`` shows a `Receipt`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from arrocco.engine.explain import EventRow, GameRow, Step
from arrocco.engine.wording import sentence
from arrocco.laws.rating import Exclusion
from arrocco.web import writing
from arrocco.words import Language, say


class Cited(Struct, frozen=True):
    """A line of words with the article it follows from."""

    text: str
    article: str
    law: str = ""
    edition: str = ""


class GameLine(Struct, frozen=True, kw_only=True):
    """A game as it is printed; where it does not count, `why` stands for its figures."""

    round: str
    opponent: str
    opponent_id: int | None
    rating: str
    score: str
    difference: str = ""
    counted: str = ""
    expected: str = ""
    delta: str = ""
    why: str = ""
    is_out: bool = False
    article: str = ""


class EventReceipt(Struct, frozen=True, kw_only=True):
    """One tournament: its games and its own steps."""

    title: str
    law: str
    edition: str
    games: tuple[GameLine, ...]
    steps: tuple[Cited, ...]
    has_differences: bool
    """Towards a first rating a game has no difference to show."""


class Receipt(Struct, frozen=True, kw_only=True):
    """Everything between the rating before and the rating after."""

    opening: tuple[Cited, ...] = ()
    events: tuple[EventReceipt, ...]
    closing: tuple[Cited, ...]
    result: str


def cited(language: Language, steps: Sequence[Step], law: str, edition: str) -> tuple[Cited, ...]:
    """Steps in words."""
    return tuple(
        Cited(writing.true_minus(sentence(language, step)), step.article, law, edition)
        for step in steps
    )


def event_receipt(
    language: Language,
    event: EventRow,
    steps: Sequence[Step],
    name_of: Callable[[int], tuple[str, int | None]],
    *,
    is_rated: bool,
) -> EventReceipt:
    """A tournament in words; `name_of` gives an opponent's name, and number where it is known."""
    tournament, law = event.tournament, event.tournament.law
    days = writing.days(language, tournament.start, tournament.end)
    return EventReceipt(
        title=f"{tournament.name or tournament.key}, {days}",
        law=law.law,
        edition=law.edition,
        games=tuple(_game(language, game, *name_of(game.opponent)) for game in event.games),
        steps=cited(language, steps, law.law, law.edition),
        has_differences=is_rated,
    )


def _game(language: Language, game: GameRow, name: str, number: int | None) -> GameLine:
    star = "*" if game.is_capped else ""
    line = GameLine(
        round=str(game.round),
        opponent=name,
        opponent_id=number,
        rating=f"{writing.rating(game.opponent_rating)}{star}",
        score=writing.score(language, game.half_points),
        article=game.article,
    )
    if game.exclusion is not None:
        why = say(language, f"explain.exclusion.{game.exclusion}")
        return replace(line, why=why, is_out=game.exclusion is not Exclusion.OWN_UNRATED)
    return replace(
        line,
        difference=writing.change_points(game.difference or 0),
        counted=writing.change_points(game.counted_difference or 0),
        expected=writing.hundredths(language, game.expected or 0),
        delta=writing.change(language, game.delta or 0),
    )
