"""Every finding of the format has its sentence and its advice in both languages."""

from __future__ import annotations

import pytest

from arrocco.formats.trf.seen import ERRORS, NOTES, REFUSALS, SEVERITIES, WARNINGS
from arrocco.words import LANGUAGES, Language, catalogue


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_has_every_key_and_no_other(language: Language) -> None:
    expected = {f"trf.{key}.{part}" for key in (*SEVERITIES, *REFUSALS) for part in ("text", "do")}
    assert set(catalogue(language, "trf")) == expected


def test_a_key_has_one_gravity() -> None:
    keys = [*ERRORS, *WARNINGS, *NOTES, *REFUSALS]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(("language", "words"), [("en", "left out"), ("it", "esclus")])
def test_every_error_says_that_something_is_left_out(language: Language, words: str) -> None:
    sentences = catalogue(language, "trf")
    assert [key for key in ERRORS if words not in sentences[f"trf.{key}.text"]] == []
