"""Every rule of every edition speaks Italian too, and no Italian sentence is left over."""

from __future__ import annotations

import re
from datetime import date

import pytest

from arrocco.laws import registry
from arrocco.laws.edition import Edition
from arrocco.laws.said import (
    in_force,
    last_day,
    rule_key,
    rule_words,
    title,
)
from arrocco.words.rules import italian_rules

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


def test_no_italian_sentence_is_of_a_rule_that_is_not_there() -> None:
    used = {rule_key(edition, rule.name) for edition in EDITIONS for rule in edition.rules()}
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
