"""How the office reads articles that can be read in more than one way: what holds, and choosing."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from litestar import Response

from arrocco.errors import Refusal
from arrocco.lawbook import meaning
from arrocco.office.roles import Permission
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE = "law/choose.html"
_FIELDS = {
    "desk.refused.no_list_then": "from_list",
    "desk.refused.list_is_out": "from_list",
    "desk.refused.read_so_already": "way",
    "laws.refused.no_reading": "way",
    "laws.refused.no_choice": "way",
    "laws.refused.no_regulation": "way",
    "office.refused.field": "reason",
}


@page("/settings/readings", permission=Permission.CHOOSE_READING)
def readings(view: TheView) -> Response[str]:
    """Every reading that the office can choose, what it reads now, and what it chose when."""
    return view.page(_TEMPLATE, **_context(view))


@act("/settings/readings", permission=Permission.CHOOSE_READING)
def choose_reading(view: TheView, form: TheForm) -> Response[Any]:
    """Chooses how an article is read from a list on."""
    law, _, rest = form.text("way", needed=True).partition(":")
    reading, _, choice = rest.partition(":")
    from_list, reason = form.day("from_list", needed=True), form.text("reason", needed=True)
    if from_list is None or not form.ok:
        return view.page(_TEMPLATE, status=422, **(_context(view) | {"form": form}))
    try:
        view.office.readings.choose(view.asker, law, reading, choice, from_list, reason)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, fields=_FIELDS, **(_context(view) | {"form": form}))
    return view.go("/settings/readings", "readings.chosen")


def _context(view: View) -> dict[str, Any]:
    offered = view.office.readings.offered()
    ways = [
        (
            f"{open_article.law}:{open_article.reading.name}:{choice.name}",
            view.t(
                "readings.way",
                law=view.t(f"law_pages.law.{open_article.law}"),
                article=open_article.reading.article,
                reading=open_article.reading.name,
                choice=choice.name,
            ),
        )
        for open_article in offered
        for choice in open_article.reading.choices
        if choice.name != open_article.choice.name
    ]
    return {
        "offered": [
            (law, list(of_law)) for law, of_law in groupby(offered, key=lambda article: article.law)
        ],
        "ways": ways,
        "chosen": view.office.readings.all(),
        "words": lambda item: meaning(view.language, item),
    }
