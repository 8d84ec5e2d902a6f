"""Who the entries of a report without a number are, and numbers for new people."""

from __future__ import annotations

from typing import Any

from litestar import Response

from arrocco.desk.entry_numbers import NEW
from arrocco.errors import Refusal
from arrocco.office.ledger import PlayerCreated
from arrocco.office.new_players import Candidate, EntrySuggestion
from arrocco.office.player_changes import LONGEST_NAME, LONGEST_TITLE, SEXES
from arrocco.office.records import SentReport
from arrocco.office.roles import Permission, Subject
from arrocco.web import heavy
from arrocco.web.forms import Form
from arrocco.web.pages.desk_announcing import tell_field
from arrocco.web.pages.desk_numbers import Number
from arrocco.web.report_work import give_numbers, number_suggestions
from arrocco.web.routes import act, heavy_act, page, waiting_page
from arrocco.web.view import TheForm, TheView, View

_NUMBERS, _NEW = "desk/entry_numbers.html", "desk/new_person.html"
_LONGEST = 2000
_MAX_ENTRIES = 9999
_FIELDS = {
    "office.refused.no_sex": "sex",
    "office.refused.no_birth": "birth",
    "office.refused.number_taken": "player",
    "office.refused.no_player_number": "player",
}


@waiting_page("/desk/reports/{report:int}/numbers", permission=Permission.SEND_REPORT)
async def numbers(view: TheView, report: Number) -> Response[Any]:
    """The entries of a report that have no number, with whom they may be."""
    return await _numbers_page(view, report)


async def _numbers_page(
    view: View, report: int, form: Form | None = None, refusal: Refusal | None = None
) -> Response[Any]:
    def answer(later: View, outcome: list[EntrySuggestion] | Refusal) -> Response[Any]:
        if isinstance(outcome, Refusal):
            raise outcome
        context = _context(later, report, outcome, form)
        if refusal is not None:
            return later.refused(_NUMBERS, refusal, **context)
        return later.page(_NUMBERS, status=422 if form and form.errors else 200, **context)

    return await heavy.answer_in_office(view, answer, number_suggestions, view.asker, report)


def _context(
    view: View, report: int, entry_suggestions: list[EntrySuggestion], form: Form | None
) -> dict[str, Any]:
    sent = view.office.reports.get(view.asker, report)

    def may_create(federation: str) -> bool:
        subject = Subject(federation=federation.strip().upper())
        return view.may(Permission.CHANGE_PLAYER, subject)

    return {
        "form": form or Form(language=view.language),
        "sent": sent,
        "found": entry_suggestions,
        "tournament": view.office.tournaments.get(view.asker, sent.tournament),
        "may_create": may_create,
    }


@heavy_act("/desk/reports/{report:int}/numbers", permission=Permission.SEND_REPORT)
async def give(view: TheView, form: TheForm, report: Number) -> Response[Any]:
    """Says who they are; the report is checked again."""
    given: dict[int, int] = {}
    for text in form.values("entry"):
        if not (text.isascii() and text.isdigit() and 0 < int(text[:6]) <= _MAX_ENTRIES):
            continue
        number, choice = int(text), form.text(f"choice_{text}", longest=20)
        typed = form.integer(f"typed_{text}", least=1, most=10**11)
        if typed is not None:
            given[number] = typed
        elif choice == "new":
            given[number] = NEW
        elif choice.isascii() and choice.isdigit():
            given[number] = int(choice)
    if not form.ok:
        return await _numbers_page(view, report, form)

    def answer(later: View, outcome: SentReport | Refusal) -> Response[Any]:
        if isinstance(outcome, Refusal):
            entry_suggestions = later.office.numbers.suggestions(later.asker, report)
            return later.refused(
                _NUMBERS, outcome, **_context(later, report, entry_suggestions, form)
            )
        return later.go(f"/desk/reports/{report}", "desk_pages.numbers.done", count=len(given))

    return await heavy.answer_in_office(view, answer, give_numbers, view.asker, report, given)


# --- a new person, by a form ----------------------------------------------------------------------


@page("/desk/people/new", permission=Permission.CHANGE_PLAYER)
def new_person(view: TheView) -> Response[str]:
    """The form that gives a person a number."""
    return view.page(_NEW, **_new_context(view))


@act("/desk/people/new", permission=Permission.CHANGE_PLAYER)
def create_person(view: TheView, form: TheForm) -> Response[Any]:
    """Looks for who it may be already; gives a number once it is nobody who is known."""
    new = PlayerCreated(
        player=form.integer("player", least=1, most=10**11) or NEW,
        name=form.text("name", needed=True, longest=LONGEST_NAME),
        federation=form.text("federation", needed=True, longest=3).upper(),
        sex=form.text("sex"),
        title=form.text("title", longest=LONGEST_TITLE),
        birth=form.text("birth", longest=10),
        reason=form.text("reason", needed=True, longest=_LONGEST),
    )
    if not form.ok:
        return view.page(_NEW, status=422, **_new_context(view, form))
    known = view.office.numbers.candidates(new.name, new.birth)
    if known and not form.chosen("another"):
        return view.page(_NEW, status=422, **_new_context(view, form, known))
    try:
        player = view.office.numbers.create(view.asker, new, confirmed=form.chosen("another"))
    except Refusal as refusal:
        if tell_field(view, form, refusal):
            return view.page(_NEW, status=422, **_new_context(view, form, known))
        return view.refused(_NEW, refusal, fields=_FIELDS, **_new_context(view, form, known))
    return view.go(f"/desk/people/{player}", "desk_pages.new_person.done", player=player)


def _new_context(
    view: View, form: Form | None = None, known: list[Candidate] | None = None
) -> dict[str, Any]:
    return {
        "form": form or Form(language=view.language),
        "known": known or [],
        "sexes": [("", "–")] + [(sex, view.t(f"desk_pages.sex.{sex}")) for sex in SEXES],
    }
