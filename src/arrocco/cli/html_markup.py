"""Safe markup for pages: what comes from a file is escaped, what is markup has its own type."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, NewType

from arrocco.cli.report_view import RatedFiles
from arrocco.laws.edition import Edition
from arrocco.laws.rating import RatingLaw
from arrocco.report import Report
from arrocco.words import Language, number, say

Html = NewType("Html", str)
"""Text that already is markup; everything else becomes it through `text` or `name`."""


def text(value: object) -> Html:
    """Plain text made safe to stand in markup."""
    return Html(escape(str(value), quote=True))


def name(value: str) -> Html:
    """A name from a file: kept apart so that its writing direction disturbs nothing around it."""
    return Html(f"<bdi>{escape(value, quote=True)}</bdi>")


def cells(values: Iterable[str], *, tag: str = "td", classes: Sequence[str] = ()) -> Html:
    """A row of cells of markup; `classes` are those of the columns, in order."""
    row = []
    for index, value in enumerate(values):
        kind = classes[index] if index < len(classes) else ""
        row.append(f'<{tag} class="{kind}">' if kind else f"<{tag}>")
        row.append(f"{value}</{tag}>")
    return Html("".join(row))


def anchor(law: Edition, article: str) -> str:
    """The name of the place on the page that tells what an article fixes."""
    safe = "".join(char if char.isalnum() or char == "." else "-" for char in article)
    return f"art-{law.edition}-{safe}"


class Sheet:
    """What all parts of a page share: the period, the language, and the articles cited so far."""

    def __init__(self, language: Language, files: RatedFiles) -> None:
        self.language, self.files, self.rated = language, files, files.rated
        self.period, self.law = files.rated.period, files.rated.period.law
        self.cited: dict[tuple[str, str], RatingLaw] = {}
        self._known: dict[str, set[str]] = {}

    @property
    def reports(self) -> Sequence[Report]:
        return self.rated.assembled.reports

    def say(self, key: str, **details: Any) -> Html:
        return text(say(self.language, key, **details))

    def figure(self, plain: str) -> Html:
        """A decimal of the language, with a true minus sign."""
        return text(number(self.language, plain).replace("-", "−"))

    def cite(self, article: str, law: RatingLaw) -> Html:
        """An article, as a link to what it fixes where the page can tell."""
        if not article:
            return Html("")
        if article in self._articles_of(law):
            self.cited[(law.edition, article)] = law
            return Html(f'<a href="#{anchor(law, article)}">{text(article)}</a>')
        return text(article)

    def _articles_of(self, law: RatingLaw) -> set[str]:
        if law.edition not in self._known:
            self._known[law.edition] = {value.article for _, value in law.values()}
        return self._known[law.edition]
