"""A player's period out of the store as a receipt: the rows that were kept, put into words."""

from __future__ import annotations

from typing import NamedTuple

from arrocco.engine.players import month_start
from arrocco.engine.receipt_steps import open_readings
from arrocco.laws.edition import Reading
from arrocco.store.explanation import Explanation
from arrocco.store.explanation_steps import (
    articles,
    average_of,
    closing_steps,
    event_steps,
    opening_steps,
    result_key,
)
from arrocco.web import writing
from arrocco.web.receipt import Cited, Receipt, cited, event_receipt
from arrocco.words import Language, say


class FirstResult(NamedTuple):
    """A result that counts towards a first rating."""

    list_date: str
    tournament: str
    games: str
    score: str
    average: str


class Period(NamedTuple):
    """A period as a page shows it."""

    found: Explanation
    receipt: Receipt
    results: tuple[FirstResult, ...]
    """Results that a first rating comes from, where they are of more than one tournament."""
    readings: tuple[Reading, ...]
    """Readings of the law it rests on that are ours."""


def period_of(language: Language, found: Explanation, listed: int | None = None) -> Period:
    """The receipt of a period and what belongs to it; `listed` is the rating it opened with."""
    law, edition = found.law.law, found.law.edition

    def name_of(player: int) -> tuple[str, int | None]:
        if player <= 0:
            return say(language, "public.period.no_number"), None
        return found.names.get(player, str(player)), player

    events = tuple(
        event_receipt(
            language, event, event_steps(found, event, facts, language), name_of,
            is_rated=found.rows.rating is not None,
        )
        for event, facts in zip(found.rows.events, found.facts, strict=True)
    )  # fmt: skip
    result = say(
        language, f"player.result.{result_key(found)}", rating=found.rows.rating,
        new_rating=found.rows.new_rating, on=writing.day(language, found.list_date),
    )  # fmt: skip
    closing = cited(language, closing_steps(found), law, edition)
    if not found.rows.events or not found.counts:
        key = "nothing_counts" if found.rows.events else "not_played"
        closing = (Cited(say(language, f"player.{key}"), ""), *closing)
    return Period(
        found,
        Receipt(
            opening=(
                *_base_moved(language, found, listed),
                *cited(language, opening_steps(found), law, edition),
            ),
            events=events, closing=closing, result=writing.true_minus(result),
        ),
        _results(language, found),
        tuple(open_readings(found.law, articles(found, language))),
    )  # fmt: skip


def _base_moved(language: Language, found: Explanation, listed: int | None) -> tuple[Cited, ...]:
    """That the rating of the opening list was moved by what was entered since."""
    rating = found.rows.rating
    if found.stands_in or not found.counts or not listed or not rating or listed == rating:
        return ()
    details = {"opened": writing.day(language, found.opened_on), "listed": listed, "rating": rating}
    return (Cited(say(language, "public.period.base_moved", **details), ""),)


def _results(language: Language, found: Explanation) -> tuple[FirstResult, ...]:
    first = found.rows.first_rating
    if first is None or len(first.tranches) < 2:
        return ()
    return tuple(
        FirstResult(
            writing.day(language, month_start(one.month)), one.tournament, str(one.games),
            writing.score(language, one.half_points),
            writing.hundredths(language, average_of(one.ratings, one.games)),
        )
        for one in first.tranches
    )  # fmt: skip
