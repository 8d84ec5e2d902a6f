"""Two regulations on the same results: a player's games, or a report that is sent along.

A report is read, rated under both laws with the ratings it names, shown, and not kept.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from anyio import to_thread
from litestar import Response

from arrocco.engine.side_by_side import PLAYER, LawChoice, games_report, two_laws
from arrocco.errors import Illegal, Refusal
from arrocco.laws import registry
from arrocco.laws.edition import edition_name
from arrocco.office.roles import Permission
from arrocco.units import HalfPoints
from arrocco.web import heavy, writing
from arrocco.web.comparison import Comparison, compare_file, comparison
from arrocco.web.forms import Form, Upload
from arrocco.web.pages.calculators_form import Asked, asked, turned
from arrocco.web.routes import FORM_BYTES, heavy_act, page
from arrocco.web.view import TheForm, TheView, View

LARGEST_REPORT = 1 << 20
"""Bytes of a report that anybody may send."""
_LONGEST = 200
SMALL_REPORT = 16 * 1024
"""Bytes of a report that is worked out at once: a tournament of a hundred players."""


@page("/calculator/side-by-side", permission=Permission.LOOK_UP)
def side_by_side(view: TheView) -> Response[Any]:
    """One player's games under two laws."""
    request = asked(view)
    elsewhere = turned(request)
    if elsewhere is not None:
        return elsewhere
    if not request.is_asked:
        return _shown(view, request)
    try:
        rating, games = request.rating(), request.games()
        a, b = _choice(request.form, "a"), _choice(request.form, "b")
        control = request.control()
        if not request.form.ok or rating is None:
            return _shown(view, request, status=422)
        played = [(game.opponent, HalfPoints(game.half_points)) for game in games]
        both = two_laws(
            games_report(rating, played, request.on, control), a, b, {}, players={PLAYER}
        )
    except Refusal as refusal:
        return _shown(view, request, refusal=refusal)
    made = comparison(view, both, caption=view.t("explain.heading.result"), by_hand=True)
    return _shown(view, request, made)


@heavy_act(
    "/calculator/side-by-side/report",
    permission=Permission.LOOK_UP,
    body_limit=LARGEST_REPORT + FORM_BYTES,
)
async def report_side_by_side(view: TheView, form: TheForm) -> Response[Any]:
    """A whole report under two laws; a large one is worked out in another process."""

    def shown(later: View, made: Comparison | Refusal | None) -> Response[Any]:
        request = Asked(later, form, later.office.desk.now().date(), registry.LAWS[0], ())
        if isinstance(made, Refusal):
            return _shown(later, request, refusal=made)
        return _shown(later, request, made, status=200 if made else 422)

    try:
        sent, a, b = await to_thread.run_sync(_sent, form)
        if sent is None or not form.ok:
            return await to_thread.run_sync(shown, view, None)
        reason = form.text("reason", longest=_LONGEST)
        work = sent.data, sent.name, a, b, view.language, reason
        if len(sent.data) <= SMALL_REPORT:
            made = await to_thread.run_sync(compare_file, *work)
            return await to_thread.run_sync(shown, view, made)
    except Refusal as refusal:
        return await to_thread.run_sync(shown, view, refusal)
    return await heavy.answer(view, shown, compare_file, *work)


def _sent(form: Form) -> tuple[Upload | None, LawChoice, LawChoice]:
    """The file and the two laws of the form. Raises `Refusal`."""
    sent = form.upload("report")
    a, b = _choice(form, "a"), _choice(form, "b")
    if sent is not None and len(sent.data) > LARGEST_REPORT:
        raise Illegal.of("calc_pages.refused.too_large", most=LARGEST_REPORT >> 20)
    return sent, a, b


def _choice(form: Form, field: str) -> LawChoice:
    """A regulation, with an edition or the one in force: ``fide``, ``fide@2024-03-01``."""
    law, _, edition = form.text(field, needed=True).partition("@")
    if law not in registry.LAWS:
        form.wrong(field, "web.field.not_a_choice")
        return LawChoice(registry.LAWS[0])
    if edition:
        registry.edition_named(law, edition)
    return LawChoice(law, edition)


def _choices(view: View) -> list[tuple[str, str]]:
    written = partial(writing.edition_day, view.language)
    choices = []
    for law in registry.LAWS:
        name = view.t(f"law_pages.law.{law}")
        names = [edition_name(edition) for edition in registry.editions(law)]
        choices.append((law, view.t("calc_pages.in_force", law=name) if len(names) > 1 else name))
        if len(names) > 1:
            choices += [(f"{law}@{edition}", f"{name} {written(edition)}") for edition in names]
    return choices


def _shown(
    view: View,
    request: Asked,
    made: Comparison | None = None,
    *,
    refusal: Refusal | None = None,
    status: int = 200,
) -> Response[Any]:
    return view.page(
        "calc/side_by_side.html",
        status=status,
        refusal=refusal,
        **request.context(),
        text_choices=_choices(view),
        made=made,
        laws=made.laws if made else (),
    )
