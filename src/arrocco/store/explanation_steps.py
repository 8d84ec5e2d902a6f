"""The steps of a stored explanation in the order a person reads them, from the rows kept."""

from __future__ import annotations

from datetime import date

from arrocco.engine.explain import EventRow, Step, steps_under
from arrocco.engine.receipt_steps import (
    listed_since,
    tournament_steps,
    unrated_steps,
    without_repetition,
)
from arrocco.laws.rating import RatingLaw
from arrocco.records.ratinglist import AMONG_TOP
from arrocco.store.explanation import EventFacts, Explanation
from arrocco.words import Language


def event_steps(
    explanation: Explanation, event: EventRow, facts: EventFacts, language: Language
) -> list[Step]:
    """All the steps of one tournament."""
    return [
        *listed_since(event, was_rated=facts.was_rated),
        *_round_robin_steps(explanation, event, facts, language),
        *_towards_first_rating(event, facts),
        *tournament_steps(explanation.rows, event),
    ]


def _round_robin_steps(
    explanation: Explanation, event: EventRow, facts: EventFacts, language: Language
) -> list[Step]:
    stored, law = facts.round_robin, event.tournament.law
    if stored is None:
        return []
    if explanation.rows.rating is not None:
        return [Step("report.round_robin.opponents", law.article("round_robin"), {})]
    names = [explanation.names.get(id_, str(id_ or "-")) for id_ in stored.players]
    for step in stored.table.unrated:
        if stored.players[step.player] == explanation.rows.id:
            return unrated_steps(law, stored.table, step, names, language)
    return []


def _towards_first_rating(event: EventRow, facts: EventFacts) -> list[Step]:
    """What the tournament brings to the pool of a player without a rating."""
    law = event.tournament.law
    if not facts.pool_games:
        return []
    if facts.ignored is not None:
        return [
            Step(f"explain.exclusion.{facts.ignored}", law.exclusion_article(facts.ignored), {})
        ]
    average = average_of(facts.pool_ratings, facts.pool_games)
    details = {"n": facts.pool_games, "score": 50 * facts.pool_half_points, "average": average}
    return [Step("player.pooled", law.article("average"), details)]


def opening_steps(explanation: Explanation) -> list[Step]:
    """Where the rating came from when it was not, or not so, on the list of this kind."""
    if explanation.adjusted is not None:
        return [_adjustment_step(explanation.law, explanation.opened_on, *explanation.adjusted)]
    if not explanation.stands_in:
        return []
    law, rating = explanation.law, {"rating": explanation.rows.rating}
    if law.HAS_UNRATED:
        return [Step("player.standard_stands_in", law.article("standard_rating"), rating)]
    return [Step("player.entered", law.article("entry"), rating)]


def _adjustment_step(law: RatingLaw, on: date, before: int, after: int) -> Step:
    details = {"on": on, "before": before, "after": after, "change": after - before}
    return Step("explain.adjusted", law.article("adjustment"), details)


def closing_steps(explanation: Explanation) -> list[Step]:
    """The steps after the tournaments: the change where anything counted, then the standing."""
    if not explanation.counts:
        return _standing(explanation)
    steps = without_repetition(steps_under(explanation.law, explanation.rows), explanation.rows)
    return [*steps, *_standing(explanation)]


def _standing(explanation: Explanation) -> list[Step]:
    """That the list shows a player as inactive, or leaves them out for it, and why."""
    listed, law = explanation.listed, explanation.law
    if not listed.is_inactive:
        return []
    steps = [Step("player.inactive", law.article("inactive"), law.numbers_of("inactive"))]
    if listed.is_off_list:
        details = {"rating": listed.rating, **law.numbers_of("off_list")}
        steps.append(Step("player.off_list", law.article("off_list"), details))
    if AMONG_TOP in listed.flag:
        steps.append(Step("player.among_top", law.article("among_top"), {}))
    return steps


def articles(explanation: Explanation, language: Language) -> list[str]:
    """Every article that the explanation cites."""
    steps = [*opening_steps(explanation), *closing_steps(explanation)]
    for event, facts in zip(explanation.rows.events, explanation.facts, strict=True):
        steps += event_steps(explanation, event, facts, language)
    games = [game.article for event in explanation.rows.events for game in event.games]
    return [*games, *(step.article for step in steps)]


def result_key(explanation: Explanation) -> str:
    """What becomes of the player, as the key of a sentence."""
    rows = explanation.rows
    if rows.delisted:
        return "delisted"
    if rows.rating is None:
        return "unrated" if rows.new_rating is None else "first"
    return "rated" if explanation.counts else "unchanged"


def average_of(ratings: int, games: int) -> int:
    """The average of opponents in hundredths, a half upwards."""
    return (200 * ratings + games) // (2 * games)
