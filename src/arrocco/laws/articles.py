"""An edition article by article: what each fixes, where it can be read in more than one way, what
it rules, and for which steps and exclusions a computation cites it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from arrocco.laws.edition import Edition, Legal, Reading, Rule, article_order
from arrocco.laws.fide.text_2010.numbering import DecimalNumbering, text_order

_SEVERAL = re.compile(r", (?=\d|[IVX]+\.)")
"""Between the articles of a rule that stands in several: ``2.1, 2.2``."""


@dataclass
class Article:
    """Everything an edition says under one number."""

    number: str
    rules: list[Rule] = field(default_factory=list)
    values: list[tuple[str, Legal]] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    """Steps of a computation that stand here, by name: ``sum``, ``k`` ..."""
    exclusions: list[str] = field(default_factory=list)
    """Why a game is left out under this article."""

    @property
    def chapter(self) -> str:
        """The first part of its number."""
        return self.number.partition(".")[0].partition(" ")[0]


def parts_of(article: str) -> list[str]:
    """The articles that a citation names: ``2.1, 2.2`` are two."""
    return _SEVERAL.split(article)


def articles_of(edition: type[Edition]) -> list[Article]:
    """All articles of which an edition has something to say, in the order of the text."""
    articles: dict[str, Article] = {}

    def at(citation: str) -> list[Article]:
        return [articles.setdefault(part, Article(part)) for part in parts_of(citation)]

    for rule in edition.rules():
        for article in at(rule.article):
            article.rules.append(rule)
    for name, value in edition.values():
        for article in at(value.article):
            article.values.append((name, value))
    for reading in edition.READINGS:
        for article in at(reading.article):
            article.readings.append(reading)
    for step, citation in getattr(edition, "ARTICLES", {}).items():
        for article in at(citation):
            article.steps.append(step)
    for reason, citation in getattr(edition, "EXCLUSION_ARTICLES", {}).items():
        for article in at(citation):
            article.exclusions.append(str(reason))
    if issubclass(edition, DecimalNumbering):
        return sorted(articles.values(), key=lambda article: text_order(article.number))
    return sorted(articles.values(), key=lambda article: article_order(article.number))
