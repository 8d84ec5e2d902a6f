"""Players' records: found, changed, merged; an officer's own federation only."""

from __future__ import annotations

from typing import Any

from litestar import Response
from msgspec import UNSET

from arrocco.errors import Inconsistent, Refusal
from arrocco.laws.fide.text_2010.lists import AFFILIATIONS
from arrocco.laws.rio.categories import Category
from arrocco.laws.systems import SYSTEMS
from arrocco.office.ledger import PlayerChanged
from arrocco.office.player_changes import LONGEST_NAME, LONGEST_TITLE, NOT_AFFILIATED, SEXES
from arrocco.office.roles import Permission, Subject
from arrocco.web.forms import Form
from arrocco.web.pages.desk_announcing import tell_field
from arrocco.web.pages.desk_numbers import Number
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

_FIND, _PERSON, _MERGE = "desk/people.html", "desk/person.html", "desk/merge.html"
_LONGEST = 2000
_PARTICULARS = {
    "office.refused.no_sex": "sex",
    "office.refused.no_birth": "birth",
    "office.refused.no_category": "category",
    "office.refused.no_affiliation": "affiliated",
}
"""The field that each refusal of a changed record is about."""
_MAX_FOUND = 50


@page("/desk/people", permission=Permission.CHANGE_PLAYER)
def people(view: TheView) -> Response[str]:
    """Look for a player by name or number."""
    query = view.request.query_params
    text, system = query.get("q", "").strip()[:200], query.get("system", "")
    kept = [key for key in SYSTEMS if view.office.lists.latest(key) is not None]
    if system not in kept:
        system = kept[0] if kept else ""
    viewed_players = view.office.people.find(system, text, _MAX_FOUND) if text and system else []
    systems = [(key, view.t(f"web.system.{key}")) for key in kept]
    return view.page(
        _FIND, text=text, system=system, systems=systems, found=viewed_players, most=_MAX_FOUND
    )


@page("/desk/people/{player:int}", permission=Permission.CHANGE_PLAYER)
def person(view: TheView, player: Number) -> Response[str]:
    """A player as the lists have them, and the forms to change their record."""
    return view.page(_PERSON, **_person_context(view, player))


def _person_context(view: View, player: int, form: Form | None = None) -> dict[str, Any]:
    rows = view.office.people.on_lists(player)
    history = view.office.people.history(player)
    kept = view.office.people.kept_number(player)
    created = view.office.numbers.created(player)
    if not rows and not history and kept == player and created is None:
        raise Inconsistent.of("desk.refused.no_player", player=player)
    first = next(iter(rows.values()), None)
    return {
        "form": form or Form(language=view.language),
        "player": player,
        "kept": kept,
        "rows": rows,
        "first": first,
        "history": history,
        "created": created,
        "may_change": view.may(Permission.CHANGE_PLAYER, _subject(view, player)),
        "today": view.office.desk.now().date(),
        "sexes": [("", "–")] + [(sex, view.t(f"desk_pages.sex.{sex}")) for sex in SEXES],
        "categories": [("", "–")] + [(category.value, category.value) for category in Category],
        "affiliated": view.office.people.affiliation(player),
        "affiliations": [
            ("", "–"),
            *((body, body) for body in AFFILIATIONS),
            (NOT_AFFILIATED, view.t("desk_pages.person.not_affiliated")),
        ],
    }


def _subject(view: View, player: int) -> Subject:
    rows = view.office.people.on_lists(player)
    created = view.office.numbers.created(player)
    federation = next((row.federation for row in rows.values()), created and created.federation)
    federation = federation or ""
    return Subject(federation=federation, player=player)


@act("/desk/people/{player:int}/change", permission=Permission.CHANGE_PLAYER)
def change(view: TheView, form: TheForm, player: Number) -> Response[Any]:
    """Enters a change of particulars; fields left empty stay as they are."""
    change = PlayerChanged(
        player=player,
        name=form.text("name", longest=LONGEST_NAME),
        federation=form.text("federation", longest=3).upper(),
        sex=form.text("sex"),
        title=form.text("title", longest=LONGEST_TITLE),
        birth=form.text("birth", longest=10),
        category=form.text("category"),
        affiliated=form.text("affiliated") or UNSET,
        from_day=form.day("from_day", needed=True) or view.office.desk.now().date(),
        reason=form.text("reason", needed=True, longest=_LONGEST),
    )
    particulars = (
        change.name,
        change.federation,
        change.sex,
        change.title,
        change.birth,
        change.category,
        change.affiliated,
    )
    if form.ok and not any(particulars):
        form.wrong("name", "desk_pages.person.nothing")
    return _entered(view, form, player, change, "desk_pages.person.changed")


@act("/desk/people/{player:int}/died", permission=Permission.CHANGE_PLAYER)
def died(view: TheView, form: TheForm, player: Number) -> Response[Any]:
    """Enters that a player has died."""
    day = form.day("died", needed=True)
    reason = form.text("died_reason", needed=True, longest=_LONGEST)
    today = view.office.desk.now().date()
    if day is not None and day > today:
        form.wrong("died", "desk_pages.person.not_yet")
    change = PlayerChanged(player=player, died=day, from_day=day or today, reason=reason)
    return _entered(view, form, player, change, "desk_pages.person.died")


def _entered(
    view: View, form: Form, player: int, change: PlayerChanged, said: str
) -> Response[Any]:
    if not form.ok:
        return view.page(_PERSON, status=422, **_person_context(view, player, form))
    try:
        view.office.people.change(view.asker, change)
    except Refusal as refusal:
        if tell_field(view, form, refusal):
            return view.page(_PERSON, status=422, **_person_context(view, player, form))
        return view.refused(
            _PERSON, refusal, fields=_PARTICULARS, **_person_context(view, player, form)
        )
    return view.go(f"/desk/people/{player}", said)


# --- two numbers, one person ----------------------------------------------------------------------


@page("/desk/people/merge", permission=Permission.CHANGE_PLAYER)
def merge_form(view: TheView) -> Response[str]:
    """Two numbers side by side, before they become one."""
    query = view.request.query_params
    form = Form({name: query.get(name, "") for name in ("kept", "left")}, view.language)
    return view.page(_MERGE, **_merge_context(view, form))


@act("/desk/people/merge", permission=Permission.CHANGE_PLAYER)
def merge(view: TheView, form: TheForm) -> Response[Any]:
    """Enters that two numbers are one person."""
    kept = form.integer("kept", needed=True, least=1)
    left = form.integer("left", needed=True, least=1)
    reason = form.text("merge_reason", needed=True, longest=_LONGEST)
    if kept is None or left is None or not form.ok:
        return view.page(_MERGE, status=422, **_merge_context(view, form))
    try:
        view.office.people.merge(view.asker, kept, left, reason)
    except Refusal as refusal:
        return view.refused(
            _MERGE, refusal, fields=_numbers(refusal, kept), **_merge_context(view, form)
        )
    return view.go(f"/desk/people/{kept}", "desk_pages.merge.done", left=left)


def _numbers(refusal: Refusal, kept: int) -> dict[str, str]:
    """Which of the two numbers a refusal is about."""
    unknown = "see-kept" if refusal.details.get("player") == kept else "see-left"
    left = ("merge_with_itself", "merged_already", "merge_circle")
    return {
        "desk.refused.no_player": unknown,
        "office.refused.field": "merge_reason",
        **{f"office.refused.{key}": "see-left" for key in left},
    }


def _merge_context(view: View, form: Form) -> dict[str, Any]:
    reading = Form({name: form.value(name) for name in ("kept", "left")}, view.language)
    sides = []
    for name in ("kept", "left"):
        number = reading.integer(name, least=1)
        rows = view.office.people.on_lists(number) if number is not None else {}
        history = view.office.people.history(number) if number is not None else {}
        sides.append(
            (name, number, rows, sum(len(history_rows) for history_rows in history.values()))
        )

    def may_change(number: int) -> bool:
        return view.may(Permission.CHANGE_PLAYER, _subject(view, number))

    both = all(rows for _, _, rows, _ in sides)
    return {"form": form, "sides": sides, "both": both, "may_change": may_change}
