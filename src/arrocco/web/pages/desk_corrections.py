"""Corrections of reports that were accepted or rated: what was wrong, whom it touches, why."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from litestar import Response

from arrocco.desk.corrections import CorrectionPreview
from arrocco.errors import Refusal
from arrocco.office.corrections import MAX_ARTICLE
from arrocco.office.ledger import (
    CorrectionOf,
    DateCorrection,
    GameExclusion,
    IdCorrection,
    ResultCorrection,
)
from arrocco.office.roles import Permission
from arrocco.records.report import EXCLUDED_KINDS, Game, GameKind, Report
from arrocco.web.forms import Form
from arrocco.web.pages.desk_numbers import Number
from arrocco.web.pages.desk_waivers import errors_by_key, waivable, waivers_in
from arrocco.web.paging import page_number
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

_CHOOSE, _CORRECT = "desk/corrections.html", "desk/correction.html"
_SIZE = 25
_LONGEST = 2000
_MAX_ROWS = 20
_SPARE_ROWS = 1
RESULTS = {
    "1-0": (2, 0, True),
    "draw": (1, 1, True),
    "0-1": (0, 2, True),
    "+-": (2, 0, False),
    "-+": (0, 2, False),
    "--": (0, 0, False),
}
"""What can be chosen: half points of White and Black, and whether the game was played."""
GROUNDS = tuple(kind.value for kind in EXCLUDED_KINDS)


@page("/desk/corrections", permission=Permission.CORRECT)
def corrections(view: TheView) -> Response[str]:
    """Choose the report that has something wrong in it."""
    query = view.request.query_params
    text, number = query.get("q", "").strip()[:200], page_number(query)
    office = view.office
    total, sent_reports = office.reports.correctable(
        view.asker, text=text, offset=(number - 1) * _SIZE, limit=_SIZE
    )
    rows = [
        (
            office.tournaments.get(view.asker, report.tournament),
            report,
            office.reports.lists(view.asker, report.id),
        )
        for report in sent_reports
    ]
    return view.page(_CHOOSE, rows=rows, text=text, number=number, total=total, size=_SIZE)


@page("/desk/corrections/{report:int}", permission=Permission.CORRECT)
def correct_form(view: TheView, report: Number) -> Response[str]:
    """The form to say what was wrong in a report."""
    return view.page(_CORRECT, **_context(view, report))


@act("/desk/corrections/{report:int}", permission=Permission.CORRECT)
def correct(view: TheView, form: TheForm, report: Number) -> Response[Any]:
    """Shows whom a correction touches; enters it once that was seen and there is a reason."""
    changes = _changes(form)
    wanted = form.value("do")
    reason = form.text("reason", needed=wanted == "enter", longest=_LONGEST)
    try:
        if not form.ok:
            return view.page(_CORRECT, status=422, **_context(view, report, form))
        preview = view.office.corrections.preview(view.asker, report, changes)
        if wanted == "enter" and form.value("previewed") == digest_of(changes):
            waivers = waivers_in(form, waivable(view, preview.errors))
            if not form.ok:
                context = _context(view, report, form, preview, changes)
                return view.page(_CORRECT, status=422, **context)
            view.office.corrections.enter(view.asker, report, changes, reason, waivers)
            return view.go(f"/desk/corrections/{report}", "desk_pages.correct.entered")
    except Refusal as refusal:
        fields = _fields(form, refusal)
        return view.refused(_CORRECT, refusal, fields=fields, **_context(view, report, form))
    return view.page(_CORRECT, **_context(view, report, form, preview, changes))


def _changes(form: Form) -> list[CorrectionOf]:
    """What the rows of the form correct; a row that is left empty corrects nothing."""
    changes: list[CorrectionOf] = []
    for number in range(_MAX_ROWS):
        names = [f"{part}_{number}" for part in ("round", "white", "black")]
        if any(form.text(name) for name in names) and (change := _result(form, number, names)):
            changes.append(change)
        names = [f"out_{part}_{number}" for part in ("round", "white", "black")]
        if any(form.text(name) for name in names) and (out := _exclusion(form, number, names)):
            changes.append(out)
        if form.text(f"entry_{number}") or form.text(f"player_{number}"):
            entry = form.integer(f"entry_{number}", needed=True, least=1, most=9999)
            player = form.integer(f"player_{number}", needed=True, least=1)
            if entry is not None and player is not None:
                changes.append(IdCorrection(entry=entry, player=player))
    if form.text("start") or form.text("end"):
        start, end = form.day("start", needed=True), form.day("end", needed=True)
        if start is not None and end is not None:
            changes.append(DateCorrection(start=start, end=end))
    return changes


def _result(form: Form, number: int, names: list[str]) -> ResultCorrection | None:
    round_, white, black = (form.integer(name, needed=True, least=1, most=9999) for name in names)
    result = RESULTS.get(form.text(f"result_{number}"))
    if result is None:
        form.wrong(f"result_{number}", "web.field.not_a_choice")
    if round_ is None or white is None or black is None or result is None:
        return None
    return ResultCorrection(
        round=round_,
        white=white,
        black=black,
        white_half=result[0],
        black_half=result[1],
        played=result[2],
    )


def _exclusion(form: Form, number: int, names: list[str]) -> GameExclusion | None:
    round_, white, black = (form.integer(name, needed=True, least=1, most=9999) for name in names)
    article = form.text(f"article_{number}", needed=True, longest=MAX_ARTICLE)
    ground = form.text(f"ground_{number}")
    if ground not in GROUNDS:
        form.wrong(f"ground_{number}", "web.field.not_a_choice")
    if round_ is None or white is None or black is None or ground not in GROUNDS:
        return None
    return GameExclusion(
        round=round_,
        white=white,
        black=black,
        article=article,
        ground="fair_play" if ground == "fair_play" else "force_majeure",
    )


def _fields(form: Form, refusal: Refusal) -> dict[str, str]:
    """The field that a refusal is about: that of the row whose game or entry it names."""
    told = refusal.details

    def row(*names: str, part: str = "") -> int | None:
        wanted = [str(told.get(name)) for name in names]
        for n in range(_MAX_ROWS):
            if [form.text(f"{part}{name}_{n}") for name in names] == wanted:
                return n
        return None

    days = {f"office.refused.{key}": "end" for key in ("days_out_of_order", "same_days")}
    game = {"no_such_game": "round", "impossible_result": "result", "same_result": "result"}
    entry = {"no_such_entry": "entry", "same_player": "player"}
    player = {"no_player_number": "player", "player_there_already": "player"}
    outside = {"no_such_game": "out_round", "not_to_exclude": "out_round"}
    for fields, names in (
        (game, ("round", "white", "black")),
        (entry, ("entry",)),
        (player, ("player",)),
    ):
        if (number := row(*names)) is not None:
            days |= {f"office.refused.{key}": f"{name}_{number}" for key, name in fields.items()}
    if (number := row("round", "white", "black", part="out_")) is not None:
        days |= {f"office.refused.{key}": f"{name}_{number}" for key, name in outside.items()}
    return days


def digest_of(changes: list[Any] | tuple[Any, ...]) -> str:
    """Tells whether what is entered is what was looked at."""
    return hashlib.sha256(msgspec.json.encode(changes)).hexdigest()[:16]


def _context(
    view: View,
    number: int,
    form: Form | None = None,
    preview: CorrectionPreview | None = None,
    changes: list[CorrectionOf] | None = None,
) -> dict[str, Any]:
    known = view.office.corrections.as_corrected(view.asker, number)
    sent = view.office.reports.get(view.asker, number)
    query = view.request.query_params
    results, out = (
        [one for text in query.getall(name, [])[:_MAX_ROWS] if (one := _asked(text))]
        for name in ("fix", "exclude")
    )
    entries = [text for text in query.getall("entry", []) if text.isascii() and text.isdigit()]
    shown_round = _round(query.get("games", ""), known)
    return {
        "form": form or Form(language=view.language),
        "sent": sent,
        "report": known,
        "tournament": view.office.tournaments.get(view.asker, sent.tournament),
        "entered": view.office.corrections.of_report(view.asker, number),
        "lists": view.office.reports.lists(view.asker, number),
        "result_rows": _rows(form, ("round", "white", "black"), results),
        "exclusion_rows": _rows(
            form, ("out_round", "out_white", "out_black", "article"), [(*one, "5.1") for one in out]
        ),
        "grounds": [(ground, view.t(f"office.exclusion.{ground}")) for ground in GROUNDS],
        "id_rows": _rows(form, ("entry", "player"), [(entry,) for entry in entries[:_MAX_ROWS]]),
        "results": [("", "–")] + [(key, view.t(f"desk_pages.result.{key}")) for key in RESULTS],
        "preview": preview,
        "errors": () if preview is None else errors_by_key(view, preview.errors),
        "waivable": () if preview is None else waivable(view, preview.errors),
        "previewed": digest_of(changes) if changes and preview else "",
        "names": {entry.number: entry.name for entry in known.entries},
        "shown_round": shown_round,
        "rounds": _last_round(known),
        "result_of": result_of,
        "games": [game for game in known.games if game.round == shown_round],
        "fixes": query.getall("fix", [])[:_MAX_ROWS],
        "excludes": query.getall("exclude", [])[:_MAX_ROWS],
    }


def _rows(
    form: Form | None, names: tuple[str, ...], asked: list[tuple[str, ...]]
) -> list[dict[str, str]]:
    """What stands in the rows of the form: what was sent, what a link asks for, and a spare."""
    used = len(asked) + _SPARE_ROWS
    if form is not None:
        last = [n for n in range(_MAX_ROWS) if any(form.value(f"{name}_{n}") for name in names)]
        used = max(last, default=-1) + 1 + _SPARE_ROWS
        asked = []
    rows = []
    for number in range(min(used, _MAX_ROWS)):
        values = asked[number] if number < len(asked) else ()
        rows.append(dict(zip(names, values, strict=False)))
    return rows


def _asked(text: str) -> tuple[str, ...]:
    """The game that a link names: ``3-5-2`` is round 3, White number 5, Black number 2."""
    parts = tuple(text.split("-"))
    good = len(parts) == 3 and all(part.isascii() and part.isdigit() for part in parts)
    return parts if good else ()


def _last_round(report: Report) -> int:
    return max([report.rounds, *(game.round for game in report.games)], default=0)


def _round(text: str, report: Report) -> int:
    asked = int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 1
    return min(max(asked, 1), max(_last_round(report), 1))


def result_of(game: Game) -> str:
    """The key of a game's result."""
    halves = int(game.white_score), int(game.black_score)
    if game.kind in EXCLUDED_KINDS:
        return f"excluded_{game.kind.value}"
    played = game.kind is GameKind.PLAYED
    return next((key for key, of in RESULTS.items() if of == (*halves, played)), "other")
