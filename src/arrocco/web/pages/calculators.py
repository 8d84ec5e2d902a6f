"""The calculators: a change, a first rating, a performance, a K, an expected score, step by step.

Each is a form by GET, so that a calculation has an address; each shows what another result of one
game would have given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from litestar import Response

from arrocco.engine.calculator import (
    KEPT_BACK,
    Played,
    calculate_change,
    calculate_initial,
    calculate_performance,
    list_of_day,
)
from arrocco.engine.explain import PlayerRows, Step, initial_steps, k_step
from arrocco.errors import Illegal, Refusal
from arrocco.laws import registry
from arrocco.laws.rating import RatingLaw
from arrocco.office.roles import Permission
from arrocco.records.timecontrol import TimeControl
from arrocco.web import writing
from arrocco.web.pages.calculators_form import Asked, asked, turned
from arrocco.web.pages.calculators_shown import (
    RESULTS,
    change_receipt,
    instead,
    what_if,
)
from arrocco.web.receipt import cited, outcome
from arrocco.web.routes import page
from arrocco.web.view import TheView, View
from arrocco.words import Phrase

"""Reasons for which a first rating stays out of the list."""
_Answer = Callable[[View, Asked], dict[str, Any]]


@page("/calculator", permission=Permission.LOOK_UP)
def change(view: TheView) -> Response[Any]:
    """The change of a rating by some games."""
    return _answered(view, "calc/change.html", _change)


@page("/calculator/first-rating", permission=Permission.LOOK_UP)
def first_rating(view: TheView) -> Response[Any]:
    """The first rating of an unrated player."""
    return _answered(view, "calc/first_rating.html", _first_rating)


@page("/calculator/performance", permission=Permission.LOOK_UP)
def performance(view: TheView) -> Response[Any]:
    """The performance of a result."""
    return _answered(view, "calc/performance.html", _performance)


@page("/calculator/k", permission=Permission.LOOK_UP)
def coefficient(view: TheView) -> Response[Any]:
    """The K of a player or a tournament."""
    return _answered(view, "calc/k.html", _coefficient)


@page("/calculator/expected", permission=Permission.LOOK_UP)
def expected(view: TheView) -> Response[Any]:
    """The expected score of one game, and what each result is worth."""
    return _answered(view, "calc/expected.html", _expected)


def _answered(view: View, template: str, answer: _Answer) -> Response[Any]:
    """The page of a calculator: the form, and under it what was worked out or why it was not."""
    request = asked(view)
    elsewhere = turned(request)
    if elsewhere is not None:
        return elsewhere
    shown: dict[str, Any] = {"result": None}
    refusal = None
    if request.is_asked:
        try:
            shown = {"result": None} | answer(view, request)
        except Refusal as refused:
            refusal = refused
    status = 422 if request.form.errors else 200
    return view.page(template, status=status, refusal=refusal, **request.context(), **shown)


# --- a change -------------------------------------------------------------------------------------


def _change(view: View, request: Asked) -> dict[str, Any]:
    law, games, rating, k = request.law(), request.games(), request.rating(), request.k()
    facts, control = request.facts(law, rating or 0), request.control()
    if not request.form.ok or rating is None:
        return {}
    _check_times(law, control, rating, games)

    def worked_out(played: Sequence[Played]) -> tuple[PlayerRows, list[Step]]:
        return calculate_change(
            law,
            request.on,
            rating,
            played,
            k=k,
            facts=facts,
            control=control,
            online=request.form.chosen("online"),
        )

    rows, steps = worked_out(games)
    shown: dict[str, Any] = {
        "result": change_receipt(view, law, rows, steps),
        "what_ifs": what_if(
            request, games, lambda other: writing.change_points(worked_out(other)[0].change)
        ),
        "instead": None,
        "outcome": outcome(view, rows),
    }
    other = instead(request, games)
    if other is not None:
        changed, changed_steps = worked_out(other.of(games))
        shown |= {
            "instead": other,
            "changed": change_receipt(view, law, changed, changed_steps),
            "difference": changed.change - rows.change,
        }
    return shown


def _check_times(
    law: RatingLaw, control: TimeControl | None, rating: int, games: Sequence[Played]
) -> None:
    """Raises `Illegal` for a game that this time control keeps from being rated."""
    for game in games if control is not None else ():
        assert control is not None
        reason = law.excluded_by_time(control, rating, game.opponent)
        if reason is not None:
            raise Illegal.of(
                "cli.refused.game_not_rated",
                rating=rating,
                opponent=game.opponent or "-",
                control=str(control),
                reason=Phrase(f"explain.exclusion.{reason}"),
                article=law.exclusion_article(reason),
                law=law.law,
                edition=law.edition,
            )


# --- a first rating -------------------------------------------------------------------------------


def _first_rating(view: View, request: Asked) -> dict[str, Any]:
    law, games = request.law(), request.games()
    if not request.form.ok:
        return {}

    def steps_of(played: Sequence[Played]) -> list[Step]:
        rating, reasons = calculate_initial(law, played)
        publishable = not KEPT_BACK & set(reasons)
        return initial_steps(law, rating, reasons, publishable=publishable)

    def value(played: Sequence[Played]) -> str:
        return writing.rating(calculate_initial(law, played)[0].rating)

    shown: dict[str, Any] = {
        "result": cited(view.language, steps_of(games), law.law, law.edition),
        "rating": value(games),
        "what_ifs": what_if(request, games, value),
        "instead": None,
    }
    other = instead(request, games)
    if other is not None:
        changed = other.of(games)
        shown |= {
            "instead": other,
            "changed": cited(view.language, steps_of(changed), law.law, law.edition),
            "changed_rating": value(changed),
        }
    return shown


# --- a performance --------------------------------------------------------------------------------


def _performance(view: View, request: Asked) -> dict[str, Any]:
    games = request.games()
    if not request.form.ok:
        return {}
    law = registry.editions("fide")[-1]()  # whose table the performance is read from
    result = calculate_performance(games)
    average = {"n": result.games, "average": result.average}
    score = {"score": 50 * result.half_points, "percent": result.percent, "dp": result.dp}
    steps = [
        Step("explain.average", law.article("average"), average),
        Step("explain.percent", law.article("percent"), score),
    ]
    return {
        "result": cited(view.language, steps, law.law, law.edition),
        "rating": result.rating,
        "sum": view.t(
            "calc_pages.performance_sum",
            average=result.rating - result.dp,
            dp=writing.change_points(result.dp),
            rating=result.rating,
        ),
        "what_ifs": what_if(
            request, games, lambda other: writing.rating(calculate_performance(other).rating)
        ),
        "instead": None,
    }


# --- a K ------------------------------------------------------------------------------------------


def _coefficient(view: View, request: Asked) -> dict[str, Any]:
    law, rating = request.law(), 0
    if not law.K_FROM_TOURNAMENT:
        rating = request.rating() or 0
    facts, control = request.facts(law, rating), request.control()
    played = request.form.integer("n", least=1, most=1000)
    if not request.form.ok:
        return {}
    if law.K_FROM_TOURNAMENT:
        k, reason = law.tournament_coefficient(control, online=request.form.chosen("online"))
    else:
        facts = replace(facts, rating=rating)
        k, reason = law.coefficient(facts, list_of_day(law, request.on))
    steps = [k_step(law, k, reason)]
    applied = law.applied_coefficient(k, played) if played else k
    if applied != k:
        details = {"k": k, "n": played, "applied": applied}
        steps.append(Step("explain.k_limit", law.article("k_applied"), details))
    return {"result": cited(view.language, steps, law.law, law.edition), "k": applied}


# --- an expected score ----------------------------------------------------------------------------


def _expected(view: View, request: Asked) -> dict[str, Any]:
    law, rating, opponent = request.law(), request.rating(), request.rating("opponent")
    k, control = request.k(), request.control()
    if not request.form.ok or rating is None or opponent is None:
        return {}
    facts = request.facts(law, rating)
    worths = []
    for half in RESULTS:
        rows, _ = calculate_change(
            law,
            request.on,
            rating,
            [Played(opponent, half)],
            k=k,
            facts=facts,
            control=control,
            online=request.form.chosen("online"),
        )
        worths.append((half, rows.events[0].games[0], rows))
    return {
        "result": worths[0][1],
        "worths": worths,
        "law": law,
        "k": worths[0][2].events[0].k if law.K_FROM_TOURNAMENT else worths[0][2].k_applied,
        "k_article": law.article("k"),
        "expected_article": law.article("expected"),
        "why": view.t(f"explain.exclusion.{worths[0][1].exclusion}")
        if worths[0][1].exclusion
        else "",
    }
