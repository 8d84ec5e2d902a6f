"""Questions about a game of a receipt: asked by its player, answered by the office."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from litestar import Response
from litestar.params import FromPath

from arrocco.desk.desk import subject_of
from arrocco.desk.questions import ANSWER_DAYS, MAX_TEXT, AskedGame
from arrocco.errors import NotFound, Refusal
from arrocco.office.roles import Permission
from arrocco.store.sql.questions import QuestionState
from arrocco.web.forms import Form
from arrocco.web.pages.public_asking import known_system
from arrocco.web.paging import page_number
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

_ASK, _QUESTION = "questions/ask.html", "questions/question.html"
_SIZE = 25
_FIELDS = {"questions.refused.text": "text", "questions.refused.no_correction": "correction"}
_ABOUT = ("player", "system", "on", "tournament", "round")


@page("/questions", permission=Permission.SEE_OWN_ACCOUNT)
def my_questions(view: TheView) -> Response[str]:
    """One's own questions and where they stand."""
    return view.page("questions/mine.html", questions=view.office.questions.mine(view.asker))


@page("/questions/new", permission=Permission.SEE_OWN_ACCOUNT)
def ask_form(view: TheView) -> Response[str]:
    """The form to say what is wrong in a game."""
    return view.page(_ASK, **_about(view, view.request.query_params))


@act("/questions/new", permission=Permission.SEE_OWN_ACCOUNT)
def ask(view: TheView, form: TheForm) -> Response[Any]:
    """Asks the office about a game."""
    about = _about(view, {name: form.value(name) for name in _ABOUT})
    text = form.text("text", needed=True, longest=MAX_TEXT)
    if not form.ok:
        return view.page(_ASK, status=422, form=form, **about)
    try:
        asked = view.office.questions.ask(view.asker, text=text, **about["asked"])
    except Refusal as refusal:
        return view.refused(_ASK, refusal, fields=_FIELDS, form=form, **about)
    return view.go(f"/questions/{asked.id}", "questions.page.asked", days=ANSWER_DAYS)


def _about(view: View, given: Mapping[str, Any]) -> dict[str, Any]:
    """The game that a question is about, out of an address or a form. Raises `NotFound`."""
    texts = {name: str(given.get(name, ""))[:20] for name in _ABOUT}
    numbers = [texts[name] for name in ("player", "tournament", "round")]
    if not all(text.isascii() and text.isdecimal() for text in numbers):
        raise NotFound.of("questions.refused.no_game")
    try:
        on = date.fromisoformat(texts["on"])
    except ValueError:
        raise NotFound.of("questions.refused.no_game") from None
    system = known_system(texts["system"])
    player, tournament, round_ = map(int, numbers)
    game: AskedGame = view.office.questions.game(player, system, on, tournament, round_)
    return {
        "asked": {
            "player": player,
            "system": system,
            "on": on,
            "tournament": tournament,
            "round_": round_,
        },
        "game": game,
        "hidden": texts,
        "system": system,
        "on": on,
        "player": player,
        "days": ANSWER_DAYS,
    }


@page("/questions/{question:int}", permission=Permission.SEE_OWN_ACCOUNT)
def question(view: TheView, question: FromPath[int]) -> Response[str]:
    """A question with its state, for who asked it and who may answer it."""
    return view.page(_QUESTION, **_context(view, question))


def _context(view: View, number: int) -> dict[str, Any]:
    asked, tournament = view.office.questions.get(view.asker, number)
    may_answer = view.may(
        Permission.ANSWER_QUESTION,
        subject_of(tournament),
    )
    corrections = []
    if may_answer and asked.state is QuestionState.OPEN:
        entered = view.office.questions.corrections(view.asker, asked.tournament)
        corrections = [
            ("", "–"),
            *((str(seq), f"{seq}: {correction.reason[:80]}") for seq, correction in entered),
        ]
    return {
        "question": asked,
        "tournament": tournament,
        "may_answer": may_answer,
        "corrections": corrections,
        "form": Form(language=view.language),
        "late": asked.state is QuestionState.OPEN and asked.due_at < view.office.desk.now(),
    }


@act("/questions/{question:int}/answer", permission=Permission.ANSWER_QUESTION)
def answer(view: TheView, form: TheForm, question: FromPath[int]) -> Response[Any]:
    """Answers a question."""
    text = form.text("text", needed=True, longest=MAX_TEXT)
    correction = form.integer("correction", least=1)
    if not form.ok:
        return view.page(_QUESTION, status=422, **(_context(view, question) | {"form": form}))
    try:
        view.office.questions.answer(view.asker, question, text, correction)
    except NotFound:
        raise
    except Refusal as refusal:
        context = _context(view, question) | {"form": form}
        return view.refused(_QUESTION, refusal, fields=_FIELDS, **context)
    return view.go(f"/questions/{question}", "questions.page.was_answered")


@page("/desk/questions", permission=Permission.ANSWER_QUESTION)
def waiting_questions(view: TheView) -> Response[str]:
    """The questions that wait for an answer, the due ones first."""
    number = page_number(view.request.query_params)
    total, questions = view.office.questions.waiting(
        view.asker, offset=(number - 1) * _SIZE, limit=_SIZE
    )
    return view.page(
        "questions/waiting.html",
        questions=questions,
        total=total,
        number=number,
        size=_SIZE,
        now=view.office.desk.now(),
    )
