"""Every rule of every edition speaks Italian too, and no Italian sentence is left over."""

from __future__ import annotations

import re
from datetime import date

import pytest

from arrocco.lawbook import (
    in_force,
    italian_rules,
    last_day,
    own_words,
    rule_key,
    rule_words,
    source,
    title,
)
from arrocco.laws import registry
from arrocco.laws.articles import articles_of
from arrocco.laws.edition import Edition

EDITIONS = [edition for law in registry.REGULATIONS for edition in registry.texts(law)]
ENGLISH = re.compile(r"\b(?:the|is|are|has|not|of|and|with|from|this|which|an|by|at)\b", re.I)


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.__name__)
def test_every_rule_has_an_italian_sentence_of_its_own(edition: type[Edition]) -> None:
    rules = list(edition.rules())
    assert rules
    for rule in rules:
        italian = rule_words("it", edition, rule)
        assert italian.endswith("."), rule.name
        assert italian != rule.words
        assert not ENGLISH.search(italian), f"{rule.name}: {italian}"
        assert rule_words("en", edition, rule) == rule.words


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.__name__)
def test_every_edition_says_in_both_languages_where_its_text_comes_from(
    edition: type[Edition],
) -> None:
    owner = next(owner for owner in edition.__mro__ if "source" in vars(owner))
    assert "source_it" in vars(owner), "who says where a text comes from says it in Italian too"
    assert source("en", edition) != source("it", edition)
    assert not ENGLISH.search(source("it", edition))


def test_no_italian_sentence_is_of_a_rule_that_is_not_there() -> None:
    used = {
        rule_key(edition, rule.name)
        for edition in EDITIONS
        for rule in edition.rules()
        if "Italiano:" not in (getattr(edition, rule.name).__doc__ or "")
    }
    assert set(italian_rules()) == used
    assert len(used) > 150


def test_numbers_in_a_sentence_are_the_same_in_both_languages() -> None:
    """An Italian rule that says 1800 where the English one says 1600 would be another law."""
    numbers = re.compile(r"\d{3,}")
    for edition in EDITIONS:
        for rule in edition.rules():
            italian = rule_words("it", edition, rule)
            assert sorted(numbers.findall(rule.words)) == sorted(numbers.findall(italian)), rule


def test_titles_and_days() -> None:
    for edition in EDITIONS:
        assert title("it", edition) == edition.title_it
        assert title("en", edition) == edition.title_en
    fide = registry.text_named("fide", "2024-03-01")
    assert last_day(fide) == date(2025, 9, 30)
    assert in_force("en", fide) == "in force from 2024-03-01 to 2025-09-30"
    assert in_force("it", fide) == "in vigore dal 01/03/2024 al 30/09/2025"
    assert last_day(registry.text_named("fide", "2025-10-01")) is None
    assert "2025-10-01" in in_force("en", registry.text_named("fide", "2025-10-01"))


@pytest.mark.parametrize(
    ("law", "edition", "article", "words"),
    [
        ("fide", "2024-03-01", "7.2.1", "sotto 1400"),
        ("fide", "2025-10-01", "7.2.1", "sotto 1400"),
        ("fide", "2011-07-01", "7.14g", "minimo di 7"),
        ("online", "2025-04-12", "6.9f", "partita persa"),
        ("rio", "2025-04-12", "14.7", "punti 2200"),
        ("uisp", "undated", "I.5", "1440 punti"),
    ],
)
def test_articles_are_quoted_in_their_own_words(
    law: str, edition: str, article: str, words: str
) -> None:
    quoted = own_words(registry.text_named(law, edition), article)
    assert quoted is not None
    assert words in quoted.text


def test_a_text_that_is_not_here_is_not_quoted() -> None:
    assert own_words(registry.text_named("fide", "2022-01-01"), "8.3.1") is None
    assert own_words(registry.text_named("fide-rapid", "2024-03-01"), "8.3.1") is None


@pytest.mark.parametrize("law", ["fide", "rio", "uisp", "online"])
def test_nearly_every_article_of_the_four_texts_is_quoted(law: str) -> None:
    for text in registry.texts(law):
        if own_words(text, articles_of(text)[0].number) is None:
            continue
        missing = [one.number for one in articles_of(text) if own_words(text, one.number) is None]
        assert len(missing) <= 5, missing
