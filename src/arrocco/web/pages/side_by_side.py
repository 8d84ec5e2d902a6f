"""Two regulations on the same results: a player's games, or a report that is sent along.

A report is read, rated under both laws with the ratings it names, shown, and not kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litestar import Response
from msgspec import Struct
from msgspec.structs import replace

from arrocco.engine.explain import PlayerRows, Step
from arrocco.engine.receipt_steps import tournament_steps, without_repetition
from arrocco.engine.side_by_side import (
    PLAYER,
    BothLaws,
    LawChoice,
    SideBySide,
    games_report,
    two_laws,
)
from arrocco.errors import Illegal, Refusal
from arrocco.findings import Finding
from arrocco.formats.trf import read_report
from arrocco.laws import registry
from arrocco.laws.edition import edition_name
from arrocco.laws.rating import RatingLaw
from arrocco.office.roles import Permission
from arrocco.units import HalfPoints
from arrocco.web import writing
from arrocco.web.forms import Form
from arrocco.web.pages.calculators_form import Asked, asked, turned
from arrocco.web.pages.calculators_shown import outcome, under
from arrocco.web.receipt import Receipt, cited, event_receipt
from arrocco.web.routes import FORM_BYTES, act, page
from arrocco.web.view import TheForm, TheView, View

LARGEST_REPORT = 1 << 20
"""Bytes of a report that anybody may send."""
_MOST_PLAYERS = 1500
_MOST_WITH_STEPS = 250
"""Players up to whom every step is shown; a larger tournament has the table alone."""


class Compared(Struct, frozen=True, kw_only=True):
    """A player under both laws, as shown; without receipts in a large tournament."""

    name: str
    rating_a: str
    rating_b: str
    change_a: str
    change_b: str
    difference: str
    a: Receipt | None
    b: Receipt | None


@page("/calculator/side-by-side", permission=Permission.LOOK_UP)
def side_by_side(view: TheView) -> Response[Any]:
    """One player's games under two laws."""
    found = asked(view)
    elsewhere = turned(found)
    if elsewhere is not None:
        return elsewhere
    if not found.is_asked:
        return _shown(view, found)
    try:
        rating, games = found.rating(), found.games()
        a, b = _choice(found.form, "a"), _choice(found.form, "b")
        control = found.control()
        if not found.form.ok or rating is None:
            return _shown(view, found, status=422)
        played = [(game.opponent, HalfPoints(game.half_points)) for game in games]
        both = two_laws(games_report(rating, played, found.on, control), a, b, {},
                        players={PLAYER})  # fmt: skip
    except Refusal as refusal:
        return _shown(view, found, refusal=refusal)
    return _shown(view, found, both=both, by_hand=True)


@act(
    "/calculator/side-by-side/report",
    permission=Permission.LOOK_UP,
    body_limit=LARGEST_REPORT + FORM_BYTES,
)
def report_side_by_side(view: TheView, form: TheForm) -> Response[Any]:
    """A whole report under two laws."""
    sent = form.upload("report")
    found = Asked(view, form, view.office.desk.now().date(), registry.LAWS[0], ())
    try:
        a, b = _choice(form, "a"), _choice(form, "b")
        if sent is None or not form.ok:
            return _shown(view, found, status=422)
        if len(sent.data) > LARGEST_REPORT:
            raise Illegal.of("calc_pages.refused.too_large", most=LARGEST_REPORT >> 20)
        report, findings = read_report(sent.data, sent.name)
        if len(report.entries) > _MOST_PLAYERS:
            raise Illegal.of("calc_pages.refused.too_many", most=_MOST_PLAYERS)
        both = two_laws(report, a, b, {})
    except Refusal as refusal:
        return _shown(view, found, refusal=refusal)
    name = report.name or sent.name
    return _shown(view, found, both=both, caption=name, findings=findings)


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
    found = []
    for law in registry.LAWS:
        name = view.t(f"law_pages.law.{law}")
        editions = registry.editions(law)
        found.append((law, view.t("calc_pages.in_force", law=name) if len(editions) > 1 else name))
        if len(editions) > 1:
            found += [(f"{law}@{edition_name(e)}", f"{name} {edition_name(e)}") for e in editions]
    return found


def _shown(
    view: View, found: Asked, *, both: SideBySide | None = None, by_hand: bool = False,
    caption: str = "", findings: Sequence[Finding] = (), refusal: Refusal | None = None,
    status: int = 200,
) -> Response[Any]:  # fmt: skip
    rows: list[Compared] = []
    laws: tuple[RatingLaw, ...] = ()
    if both is not None:
        laws = (both.a.period.law, both.b.period.law)
        with_steps = len(both.rows) <= _MOST_WITH_STEPS
        rows = [_compared(view, both, row, by_hand=by_hand, steps=with_steps) for row in both.rows]
    return view.page(
        "calc/side_by_side.html", status=status, refusal=refusal, **found.context(),
        text_choices=_choices(view), found=rows, laws=[under(view, law) for law in laws],
        caption=caption or view.t("explain.heading.result"), findings=list(findings),
    )  # fmt: skip


def _compared(
    view: View, both: SideBySide, row: BothLaws, *, by_hand: bool, steps: bool
) -> Compared:
    def name_of(side: str) -> Any:
        rated = getattr(both, side)
        if by_hand:
            return lambda number: (view.t("calc_pages.opponent", number=number), None)
        return lambda number: (rated.name(number), None)

    difference = row.difference
    receipts: list[Receipt | None] = [None, None]
    if steps:
        receipts = [
            _receipt(view, both.a.period.law, row.a, list(row.steps_a), name_of("a")),
            _receipt(view, both.b.period.law, row.b, list(row.steps_b), name_of("b")),
        ]
    return Compared(
        name=view.t("calc_pages.you") if by_hand else row.name or str(row.id),
        rating_a=writing.rating(row.a.rating),
        rating_b=writing.rating(row.b.rating),
        change_a=_change(row.a),
        change_b=_change(row.b),
        difference=writing.NOTHING if difference is None else writing.change_points(difference),
        a=receipts[0],
        b=receipts[1],
    )


def _change(rows: PlayerRows) -> str:
    if rows.rating is None:
        first = rows.first_rating
        return writing.NOTHING if first is None else f"→ {first.rating.rating}"
    return writing.change_points(rows.change)


def _receipt(
    view: View, law: RatingLaw, rows: PlayerRows, steps: list[Step], name_of: Any
) -> Receipt:
    is_rated = rows.rating is not None
    events = tuple(
        event_receipt(
            view.language, event, tournament_steps(rows, event), name_of, is_rated=is_rated
        )
        for event in rows.events
    )
    if not any(event.tournament.name for event in rows.events):
        events = tuple(replace(event, title=view.t("calc_pages.games")) for event in events)
    return Receipt(
        events=events,
        closing=cited(view.language, without_repetition(steps, rows), law.law, law.edition),
        result=outcome(view, rows) if is_rated else _change(rows),
    )
