"""A stored explanation as text and as JSON: the receipt of `report explain`, from kept rows."""

from __future__ import annotations

from typing import Any

from arrocco.cli.calc import game_record
from arrocco.cli.output import Column, Output
from arrocco.cli.report_json import step_record
from arrocco.cli.report_text import print_event, print_readings_of, print_steps
from arrocco.cli.report_view import known_id
from arrocco.engine.explain import EventRow, GameRow
from arrocco.engine.players import month_start
from arrocco.engine.receipt_steps import readings_behind
from arrocco.laws.edition import Reading
from arrocco.laws.rating import Tranche
from arrocco.store.explanation import EventFacts, Explanation
from arrocco.store.explanation_steps import (
    articles,
    average_of,
    closing_steps,
    event_steps,
    opening_steps,
    result_key,
)
from arrocco.units import decimal, points
from arrocco.words import number, show

# --- text -----------------------------------------------------------------------------------------


def print_explanation(out: Output, explanation: Explanation) -> None:
    """The player, every tournament as a receipt, the steps, the result."""
    rows, listed = explanation.rows, explanation.listed
    key = "report.player_unrated" if rows.rating is None else "report.player"
    out.line(out.say(key, name=listed.name, id=rows.id, rating=rows.rating), bold=True)
    out.line(
        out.say(
            "player.period",
            law=explanation.law.law,
            edition=explanation.law.edition,
            opened=explanation.opened_on,
            list=explanation.list_date,
        )
    )
    print_steps(out, opening_steps(explanation))
    for event, facts in zip(rows.events, explanation.facts, strict=True):
        out.line()
        if event.games:
            print_event(out, event, explanation.names)
        else:
            _print_title(out, event)
        print_steps(out, event_steps(explanation, event, facts, out.language))
    out.line()
    if not rows.events:
        out.line(out.say("player.not_played"))
    elif not explanation.counts:
        out.line(out.say("player.nothing_counts"))
    _print_results(out, explanation)
    print_steps(out, closing_steps(explanation))
    result = {"rating": rows.rating, "new_rating": rows.new_rating, "on": explanation.list_date}
    out.line(out.say(f"player.result.{result_key(explanation)}", **result), bold=True)
    print_readings_of(out, explanation.law, _readings_behind(out, explanation))
    if rows.events and not explanation.has_games:
        out.remark(out.say("player.games_not_kept"))


def _print_title(out: Output, event: EventRow) -> None:
    t = event.tournament
    out.line(out.say("explain.event.title", name=t.name or t.key, start=t.start, end=t.end))


def _print_results(out: Output, explanation: Explanation) -> None:
    """The results a first rating comes from, where they are not all of this period."""
    first = explanation.rows.first_rating
    if first is None or len(first.tranches) < 2:
        return
    heads = ("list", "tournament", "n", "w", "average")
    columns = [
        Column(out.say(f"player.heading.{head}"), right=head in {"n", "w", "average"})
        for head in heads
    ]
    out.table(
        columns,
        [
            [
                show(out.language, month_start(t.month)),
                t.tournament,
                str(t.games),
                number(out.language, points(t.half_points)),
                number(out.language, decimal(average_of(t.ratings, t.games))),
            ]
            for t in first.tranches
        ],
        title=out.say("player.results"),
    )


# --- JSON -----------------------------------------------------------------------------------------


def explanation_record(out: Output, explanation: Explanation) -> dict[str, Any]:
    """Everything the text says, and the figures it says it about."""
    rows, of_tournaments = explanation.rows, explanation.law.K_FROM_TOURNAMENT
    has_step = rows.rating is not None and explanation.counts and not of_tournaments
    return {
        "id": rows.id,
        "name": explanation.listed.name,
        "rating": rows.rating,
        "stands_in": explanation.stands_in,
        "n": rows.n,
        "score": points(rows.half_points),
        "expected": decimal(rows.expected),
        "expected_unrounded": decimal(rows.expected_unrounded),
        "delta": decimal(rows.delta),
        "k": rows.k if has_step else None,
        "k_reason": rows.k_reason if has_step else None,
        "k_applied": rows.k_applied if has_step else None,
        "variation": decimal(rows.variation),
        "change": rows.change,
        "new_rating": rows.new_rating,
        "delisted": rows.delisted,
        "result": result_key(explanation),
        "first_rating": _first_record(explanation),
        "tournaments": [
            _event_record(out, explanation, event, facts)
            for event, facts in zip(rows.events, explanation.facts, strict=True)
        ],
        "steps": [
            step_record(out, s) for s in (*opening_steps(explanation), *closing_steps(explanation))
        ],
        "open_readings": {
            r.name: explanation.law.readings[r.name] for r in _readings_behind(out, explanation)
        },
    }


def _readings_behind(out: Output, explanation: Explanation) -> list[Reading]:
    return readings_behind(explanation.law, articles(explanation, out.language))


def _first_record(explanation: Explanation) -> dict[str, Any] | None:
    first = explanation.rows.first_rating
    if first is None:
        return None
    rating = first.rating
    return {
        "n": rating.games,
        "score": points(rating.half_points),
        "average": decimal(rating.average_hundredths),
        "p": decimal(rating.percent),
        "dp": rating.dp,
        "initial": rating.rating,
        "publishable": first.publishable,
        "reasons": list(first.reasons),
        "results": [_tranche_record(tranche) for tranche in first.tranches],
    }


def _tranche_record(tranche: Tranche) -> dict[str, Any]:
    return {
        "list": month_start(tranche.month),
        "tournament": tranche.tournament,
        "n": tranche.games,
        "score": points(tranche.half_points),
        "average": decimal(average_of(tranche.ratings, tranche.games)),
    }


def _event_record(
    out: Output, explanation: Explanation, event: EventRow, facts: EventFacts
) -> dict[str, Any]:
    tournament = event.tournament
    return {
        "file": tournament.key,
        "name": tournament.name,
        "start": tournament.start,
        "end": tournament.end,
        "edition": tournament.law.edition,
        "rating": event.own_rating,
        "was_rated": facts.was_rated,
        "n": event.n,
        "score": points(event.half_points),
        "average": event.average,
        "expected": decimal(event.expected),
        "expected_unrounded": decimal(event.expected_unrounded),
        "delta": decimal(event.delta),
        "k": event.k or None,
        "variation": decimal(event.variation),
        "pooled": facts.pool_games if facts.ignored is None else 0,
        "ignored": None if facts.ignored is None else facts.ignored.value,
        "games": [_game_record(explanation, g) for g in event.games]
        if explanation.has_games
        else None,
        "steps": [
            step_record(out, s) for s in event_steps(explanation, event, facts, out.language)
        ],
    }


def _game_record(explanation: Explanation, game: GameRow) -> dict[str, Any]:
    return {
        **game_record(game),
        "opponent_id": known_id(game.opponent),
        "opponent_name": explanation.names.get(game.opponent, ""),
    }
