"""Every finding of the format has its sentence and its advice in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arrocco.formats.trf.seen import ERRORS, NOTES, REFUSALS, SEVERITIES, WARNINGS
from arrocco.words import LANGUAGES, Language, catalogue


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_has_every_key_and_no_other(language: Language) -> None:
    expected = {f"trf.{key}.{part}" for key in (*SEVERITIES, *REFUSALS) for part in ("text", "do")}
    # What the writer refuses stands apart: it concerns a report, not a file.
    found = {key for key in catalogue(language, "trf") if not key.startswith("trf.refused.")}
    assert found == expected


def test_a_key_has_one_gravity() -> None:
    keys = [*ERRORS, *WARNINGS, *NOTES, *REFUSALS]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(("language", "words"), [("en", "left out"), ("it", "esclus")])
def test_every_error_says_that_something_is_left_out(language: Language, words: str) -> None:
    sentences = catalogue(language, "trf")
    assert [key for key in ERRORS if words not in sentences[f"trf.{key}.text"]] == []


@pytest.mark.parametrize(
    ("heading", "keys"),
    [("Errors", ERRORS), ("Warnings", WARNINGS), ("Notes", NOTES), ("Refusals", REFUSALS)],
)
def test_the_documentation_lists_the_keys_of_each_gravity(
    heading: str, keys: tuple[str, ...]
) -> None:
    page = Path(__file__).parents[3] / "docs" / "formats-trf.md"
    (paragraph,) = (
        part for part in page.read_text("utf-8").split("\n\n") if part.startswith(f"**{heading}**")
    )
    listed = re.findall(r"[a-z0-9_]+", paragraph.partition(":")[2])
    assert [word for word in listed if word in SEVERITIES or word in REFUSALS] == list(keys)
