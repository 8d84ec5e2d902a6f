"""A player's period out of the store as a receipt: the rows that were kept, put into words."""

from __future__ import annotations

from typing import NamedTuple

from arrocco.engine.players import month_start
from arrocco.engine.receipt_steps import readings_behind
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


def period_of(language: Language, explanation: Explanation, listed: int | None = None) -> Period:
    """The receipt of a period and what belongs to it; `listed` is the rating it opened with."""
    law, edition = explanation.law.law, explanation.law.edition

    def name_of(player: int) -> tuple[str, int | None]:
        if player <= 0:
            return say(language, "public.period.no_number"), None
        return explanation.names.get(player, str(player)), player

    events = tuple(
        event_receipt(
            language,
            event,
            event_steps(explanation, event, facts, language),
            name_of,
            is_rated=explanation.rows.rating is not None,
        )
        for event, facts in zip(explanation.rows.events, explanation.facts, strict=True)
    )
    result = say(
        language,
        f"player.result.{result_key(explanation)}",
        rating=explanation.rows.rating,
        new_rating=explanation.rows.new_rating,
        on=writing.day(language, explanation.list_date),
    )
    closing = cited(language, closing_steps(explanation), law, edition)
    if not explanation.rows.events or not explanation.counts:
        key = "nothing_counts" if explanation.rows.events else "not_played"
        closing = (Cited(say(language, f"player.{key}"), ""), *closing)
    return Period(
        explanation,
        Receipt(
            opening=(
                *_base_moved(language, explanation, listed),
                *cited(language, opening_steps(explanation), law, edition),
            ),
            events=events,
            closing=closing,
            result=writing.true_minus(result),
        ),
        _results(language, explanation),
        tuple(readings_behind(explanation.law, articles(explanation, language))),
    )


def _base_moved(
    language: Language, explanation: Explanation, listed: int | None
) -> tuple[Cited, ...]:
    """That the rating of the opening list was moved, or taken back, by what was entered since."""
    rating = explanation.rows.rating
    if explanation.adjusted is not None:
        rating = explanation.adjusted[0]
    if explanation.stands_in or not listed or listed == rating:
        return ()
    details = {
        "opened": writing.day(language, explanation.opened_on),
        "listed": listed,
        "rating": rating,
    }
    key = "base_moved" if rating else "base_withdrawn"
    return (Cited(say(language, f"public.period.{key}", **details), ""),)


def _results(language: Language, explanation: Explanation) -> tuple[FirstResult, ...]:
    first = explanation.rows.first_rating
    if first is None or len(first.tranches) < 2:
        return ()
    return tuple(
        FirstResult(
            writing.day(language, month_start(tranch.month)),
            tranch.tournament,
            str(tranch.games),
            writing.score(language, tranch.half_points),
            writing.hundredths(language, average_of(tranch.ratings, tranch.games)),
        )
        for tranch in first.tranches
    )
