"""The law browser: every regulation, its editions, each article by article, two editions compared.

Receipts and findings link to an article by ``/law/<law>/<edition>#art-<article>``.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, groupby
from typing import Any

from litestar import Response
from litestar.params import FromPath

from arrocco.errors import Refusal
from arrocco.lawbook import last_day, meaning, own_words, rule_words, source, title
from arrocco.laws import registry, tables
from arrocco.laws.articles import articles_of, parts_of
from arrocco.laws.compare import RuleBody, compare_readings, compare_rules, compare_values
from arrocco.laws.edition import Choice, Edition, Legal, Reading, Rule, edition_name
from arrocco.office.readings import Chosen
from arrocco.office.roles import Permission
from arrocco.web import writing
from arrocco.web.routes import page
from arrocco.web.view import TheView, View

_TABLES = {"expected": "differences", "percent": "scores"}
"""Steps of a computation that read a table which the article prints."""


@page("/law", permission=Permission.LOOK_UP)
def regulations(view: TheView) -> Response[str]:
    """All regulations and their editions."""
    texts = [(law, _editions(view, law)) for law in registry.REGULATIONS]
    return view.page("law/regulations.html", found=texts)


@page("/law/{law:str}", permission=Permission.LOOK_UP)
def regulation(view: TheView, law: FromPath[str]) -> Response[str]:
    """The editions of one regulation, with what each holds, and which can be compared."""
    _text(law)
    rows = _editions(view, law)
    pairs = [(first["name"], other["name"]) for first, other in combinations(reversed(rows), 2)]
    return view.page("law/regulation.html", law=law, editions=rows, pairs=pairs)


@page("/law/{law:str}/{edition:str}", permission=Permission.LOOK_UP)
def edition(view: TheView, law: FromPath[str], edition: FromPath[str]) -> Response[str]:
    """One edition, article by article."""
    text = _text(law, edition)
    articles = articles_of(text)
    cited = {
        name: list(shown) for name, shown in groupby(articles, key=lambda article: article.chapter)
    }
    return view.page(
        "law/edition.html",
        about=_about(view, text),
        articles=articles,
        chapters={name: shown[0].number for name, shown in cited.items()},
        compound=_compound(text),
        basis_of=text.basis_of,
        chosen=_chosen(view, text),
        own_words=lambda article: own_words(text, article.number),
        named=edition_name,
        day_of=lambda text: writing.edition_day(view.language, edition_name(text)),
        source_of=lambda text: source(view.language, text),
        tables_of=lambda article: [_TABLES[step] for step in article.steps if step in _TABLES],
        differences=tables.DIFFERENCE_ROWS,
        unbounded=tables.UNBOUNDED,
        scores=[(percent, tables.rating_difference(percent)) for percent in range(100, -1, -1)],
        **_words(view, text),
    )


@page("/law/{law:str}/diff/{first:str}/{second:str}", permission=Permission.LOOK_UP)
def difference(
    view: TheView, law: FromPath[str], first: FromPath[str], second: FromPath[str]
) -> Response[str]:
    """What differs between two editions."""
    one, other = _text(law, first), _text(law, second)

    def said(body: RuleBody) -> str:
        return rule_words(view.language, body.edition, body.rule)

    return view.page(
        "law/difference.html",
        law=law,
        one=_about(view, one),
        other=_about(view, other),
        values=compare_values(one, other),
        readings=compare_readings(one, other),
        rules=compare_rules(one, other),
        said=said,
        **_words(view, one),
    )


def _chosen(view: View, text: type[Edition]) -> dict[str, list[Chosen]]:
    """By name of a reading of an edition: what the office chose while it has been in force."""
    names, chosen = {reading.name for reading in text.READINGS}, defaultdict(list)
    for one in reversed(view.office.readings.all()):
        held = one.entry.law == text.law and one.entry.reading in names
        if held and (text.in_force.end is None or one.entry.from_list <= text.in_force.end):
            chosen[one.entry.reading].append(one)
    return dict(chosen)


def _text(law: str, name: str = "") -> type[Edition]:
    """An edition by its name, or the last; one that is not there is a page that is not there."""
    try:
        return registry.text_named(law, name) if name else registry.texts(law)[-1]
    except Refusal as refusal:
        refusal.http_status = 404  # type: ignore[attr-defined]
        raise


def _editions(view: View, law: str) -> list[dict[str, Any]]:
    """The editions of a regulation, the newest first."""
    return [_about(view, text) for text in reversed(registry.texts(law))]


def _about(view: View, text: type[Edition]) -> dict[str, Any]:
    today = view.office.desk.now().date()
    return {
        "law": text.law,
        "name": edition_name(text),
        "title": title(view.language, text),
        "source": source(view.language, text),
        "day": writing.edition_day(view.language, edition_name(text)),
        "days": _days(view, text),
        "state": "now" if today in text.in_force else _not_now(text, today),
        "values": sum(1 for _ in text.values()),
        "readings": len(text.READINGS),
        "rules": sum(1 for _ in text.rules()),
    }


def _days(view: View, text: type[Edition]) -> str:
    """The days an edition is in force; nothing for a text without a date."""
    first, last = text.in_force.start, last_day(text)
    if first is None:
        return ""
    if last is None:
        return view.t("law_pages.days_from", first=writing.day(view.language, first))
    return writing.days(view.language, first, last)


def _not_now(text: type[Edition], today: Any) -> str:
    start = text.in_force.start
    return "coming" if start is not None and start > today else "past"


def _words(view: View, text: type[Edition]) -> dict[str, Any]:
    """Functions that give templates the words of what an edition holds."""

    def words(item: Legal | Reading | Choice) -> str:
        return meaning(view.language, item)

    def rule(item: Rule) -> str:
        return rule_words(view.language, text, item)

    return {"words": words, "rule_words": rule}


def _compound(text: type[Edition]) -> dict[str, list[str]]:
    """Citations of several articles at once, by the first of them: links to them lead there."""
    numbers = {rule.article for rule in text.rules()} | {v.article for _, v in text.values()}
    numbers |= {reading.article for reading in text.READINGS}
    compound: dict[str, list[str]] = {}
    for number in sorted(numbers):
        first = parts_of(number)[0]
        if first != number:
            compound.setdefault(first, []).append(number)
    return compound
