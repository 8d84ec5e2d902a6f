"""The steps of a stored explanation in the order a person reads them, from the rows kept."""

from __future__ import annotations

from arrocco.engine.explain import EventRow, Step, steps_under
from arrocco.engine.receipt_steps import (
    listed_since,
    tournament_steps,
    unrated_steps,
    without_repetition,
)
from arrocco.store.explanation import EventFacts, Explanation
from arrocco.words import Language


def event_steps(
    found: Explanation, event: EventRow, facts: EventFacts, language: Language
) -> list[Step]:
    """All the steps of one tournament."""
    return [
        *listed_since(event, was_rated=facts.was_rated),
        *_round_robin_steps(found, event, facts, language),
        *_towards_first_rating(event, facts),
        *tournament_steps(found.rows, event),
    ]


def _round_robin_steps(
    found: Explanation, event: EventRow, facts: EventFacts, language: Language
) -> list[Step]:
    stored, law = facts.round_robin, event.tournament.law
    if stored is None:
        return []
    if found.rows.rating is not None:
        return [Step("report.round_robin.opponents", law.article("round_robin"), {})]
    names = [found.names.get(id_, str(id_ or "-")) for id_ in stored.players]
    for step in stored.table.unrated:
        if stored.players[step.player] == found.rows.id:
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


def opening_steps(found: Explanation) -> list[Step]:
    """Where the rating came from when it was not on the list of this kind."""
    if not found.stands_in:
        return []
    law, rating = found.law, {"rating": found.rows.rating}
    if law.HAS_UNRATED:
        return [Step("player.standard_stands_in", law.article("standard_rating"), rating)]
    return [Step("player.entered", law.article("entry"), rating)]


def closing_steps(found: Explanation) -> list[Step]:
    """The steps after the tournaments; none where nothing counted."""
    if not found.counts:
        return []
    return without_repetition(steps_under(found.law, found.rows), found.rows)


def articles(found: Explanation, language: Language) -> list[str]:
    """Every article that the explanation cites."""
    steps = [*opening_steps(found), *closing_steps(found)]
    for event, facts in zip(found.rows.events, found.facts, strict=True):
        steps += event_steps(found, event, facts, language)
    games = [game.article for event in found.rows.events for game in event.games]
    return [*games, *(step.article for step in steps)]


def result_key(found: Explanation) -> str:
    """What becomes of the player, as the key of a sentence."""
    rows = found.rows
    if rows.delisted:
        return "delisted"
    if rows.rating is None:
        return "unrated" if rows.new_rating is None else "first"
    return "rated" if found.counts else "unchanged"


def average_of(ratings: int, games: int) -> int:
    """The average of opponents in hundredths, a half upwards."""
    return (200 * ratings + games) // (2 * games)
