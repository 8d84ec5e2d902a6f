"""Invented names: they fit their columns, differ, and are right in every encoding."""

from __future__ import annotations

import numpy as np

from arrocco.demo.generate.draws import Part, stream
from arrocco.demo.generate.names import GIVEN, SURNAMES, person_names, place_names, text_of


def test_a_name_is_a_surname_a_comma_and_a_given_name_of_the_right_sex() -> None:
    is_woman = np.array([False, True] * 2000)
    surnames = {name.decode() for name in SURNAMES.tolist()}
    half = len(GIVEN) // 2
    mens, womens = (
        {name.decode() for name in part.tolist()} for part in (GIVEN[:half], GIVEN[half:])
    )
    assert not mens & womens
    for woman, name in zip(
        is_woman, text_of(person_names(stream(1, Part.BATCH), is_woman)), strict=True
    ):
        surname, comma, given = name.partition(", ")
        assert comma
        assert surname in surnames
        assert given in (womens if woman else mens)
        assert len(name) <= 33


def test_names_are_many_and_a_few_have_accents() -> None:
    names = text_of(person_names(stream(1, Part.BATCH), np.zeros(5000, dtype=np.bool_)))
    assert len(set(names.tolist())) > 4900
    assert 0.02 < sum(not name.isascii() for name in names) / 5000 < 0.2


def test_towns_are_plain_text_on_one_line() -> None:
    towns = place_names(stream(1, Part.BATCH), 500)
    assert len(set(towns)) > 450
    assert all(town.isprintable() and town == town.strip() for town in towns)
