"""A rating change as a receipt: a line for each game, the steps with their articles, the result.

The figures come from the rows of the computation (`engine.explain`); here they only get their
words and signs. ``parts/receipt.html`` shows a `Receipt`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace

from arrocco.desk.questions import number_of
from arrocco.engine.explain import EventRow, GameRow, PlayerRows, Step
from arrocco.engine.wording import sentence
from arrocco.laws.rating import Exclusion, RatingLaw
from arrocco.web import writing
from arrocco.web.speaker import Speaker
from arrocco.words import Language, say

MAX_GAMES = 60
"""Games that a calculator takes at once."""
_RESULTS = ("0", "0.5", "1")


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
    tournament: int = 0
    """Its number at the office; 0 where the figures were only calculated."""
    has_differences: bool
    """Towards a first rating a game has no difference to show."""
    what_if: str = ""
    """The query of a calculator with these games; empty where there is nothing to try."""


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
        tournament=number_of(tournament.key),
        has_differences=is_rated,
        what_if=_what_if(event) if is_rated else "",
    )


def _what_if(event: EventRow) -> str:
    """The games of a tournament that count, as a calculator is asked about them."""
    counted = [game for game in event.games if game.exclusion is None]
    if not counted or len(counted) > MAX_GAMES or not event.own_rating:
        return ""
    told = event.tournament
    asked: list[tuple[str, str]] = [
        ("law", told.law.law),
        ("on", told.end.isoformat()),
        ("rating", str(event.own_rating)),
        ("k", str(event.k)),
    ]
    for game in counted:
        asked += [("o", str(game.opponent_rating or "-")), ("r", _RESULTS[game.half_points])]
    return urlencode(asked)


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


def under(speaker: Speaker, law: RatingLaw) -> str:
    """The regulation and the edition, in words."""
    name = writing.edition_day(speaker.language, law.edition)
    return speaker.t(
        "explain.heading.under", law=speaker.t(f"law_pages.law.{law.law}"), edition=name
    )


def outcome(speaker: Speaker, rows: PlayerRows) -> str:
    """What a change comes to, in words."""
    rating = rows.rating or 0
    new = rating + rows.change
    return speaker.t(
        "calc_pages.outcome",
        rating=rating,
        new_rating=new,
        change=writing.change_points(rows.change),
    )
