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


def test_every_error_says_that_something_is_left_out() -> None:
    for language, words in (("en", "left out"), ("it", "esclus")):
        for key in ERRORS:
            assert words in catalogue(language, "trf")[f"trf.{key}.text"]  # type: ignore[arg-type]
