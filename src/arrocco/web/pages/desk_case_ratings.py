"""12.13 — a decision of the Fair Play Committee in the rating office: its correction, entered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.errors import NotFound, Refusal
from arrocco.live.reader import EventReader
from arrocco.office.ledger import DecidedResult
from arrocco.office.roles import Permission
from arrocco.records.report import Report
from arrocco.web.forms import Form
from arrocco.web.pages.committee_cases import event_of_case
from arrocco.web.pages.desk_corrections import digest_of
from arrocco.web.pages.desk_waivers import errors_by_key, waivable, waivers_in
from arrocco.web.pages.hall_common import hall_act, hall_page, local_text
from arrocco.web.pages.hall_figures import score_text
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE = "desk/case_ratings.html"
_LONGEST = 2000
_TENTHS = 5
"""Of a point, in half a point."""


@hall_page("/desk/case-ratings/{case:int}", permission=Permission.CORRECT)
async def case_ratings(view: TheView, case: FromPath[int]) -> Response[str]:
    """The decision and its articles, whom the correction touches, and the form to enter it."""
    room = await event_of_case(view, case)
    return await to_thread.run_sync(lambda: view.page(_TEMPLATE, **_context(view, room, case)))


@hall_act("/desk/case-ratings/{case:int}", permission=Permission.CORRECT)
async def enter_correction(view: TheView, form: TheForm, case: FromPath[int]) -> Response[Any]:
    """Enters the correction once whom it touches was seen, with a reason that everybody reads."""
    room = await event_of_case(view, case)

    def entered() -> Response[Any]:
        reason = form.text("reason", needed=True, longest=_LONGEST)
        context = _context(view, room, case, form)
        waivers = waivers_in(form, context["waivable"])
        if not form.ok:
            return view.page(_TEMPLATE, status=422, **context)
        if form.value("previewed") != context["previewed"]:
            return view.page(_TEMPLATE, **context)  # another correction than was looked at
        try:
            view.office.case_ratings.enter(view.asker, case, room.state, reason, waivers)
        except NotFound:
            raise
        except Refusal as refusal:
            return view.refused(_TEMPLATE, refusal, **context)
        return view.go(f"/desk/case-ratings/{case}", "cases.done.ratings")

    return await to_thread.run_sync(entered)


def _context(
    view: View, room: EventReader, number: int, form: Form | None = None
) -> dict[str, Any]:
    case, ratings, preview = view.office.case_ratings.offered(view.asker, number, room.state)
    known: Report | None = None
    if ratings.report is not None and preview is not None:
        known = view.office.corrections.as_corrected(view.asker, ratings.report.id)
    return {
        "form": form or Form(language=view.language),
        "case": case,
        "ratings": ratings,
        "decision": case.decision(room.state.laws.online),
        "preview": preview,
        "errors": () if preview is None else errors_by_key(view, preview.errors),
        "waivable": () if preview is None else waivable(view, preview.errors),
        "previewed": digest_of(ratings.changes),
        "games": _games(ratings.changes, known),
        "article": ", ".join(sorted({change.article for change in ratings.changes})),
        "local": lambda moment: local_text(view.language, moment),
        "points_text": lambda pair: f"{score_text(pair[0])}–{score_text(pair[1])}",
    }


def _games(changes: Sequence[DecidedResult], known: Report | None) -> list[dict[str, Any]]:
    """Each game as the report has it and as it was decided."""
    if known is None:
        return []
    names = {entry.number: entry.name for entry in known.entries}
    scores = {
        (game.round, game.white, game.black): (int(game.white_score), int(game.black_score))
        for game in known.games
    }
    return [
        {
            "round": change.round,
            "white": names.get(change.white, "–"),
            "black": names.get(change.black, "–"),
            "article": change.article,
            "before": _in_tenths(scores[change.round, change.white, change.black]),
            "after": _in_tenths((change.white_half, change.black_half)),
        }
        for change in changes
    ]


def _in_tenths(halves: tuple[int, int]) -> tuple[int, int]:
    return _TENTHS * halves[0], _TENTHS * halves[1]
