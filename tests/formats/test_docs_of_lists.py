"""The page on list files says what the program does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arrocco.errors import Malformed
from arrocco.findings import MAX_OF_A_KIND
from arrocco.formats.lists import formats, list_csv, list_parquet, source
from arrocco.formats.lists.fide_txt_line import LEGACY_TITLES
from arrocco.formats.lists.fide_xml_document import ELEMENTS
from arrocco.records.timecontrol import parse

PAGE = (Path(__file__).parents[2] / "docs" / "formats-lists.md").read_text("utf-8")
CONTROLS = re.findall(r"^\| `([^`]+)` \| `([\dWB/+:-]+)` \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("text", "code"), CONTROLS)
def test_time_controls_are_read_as_the_page_says(text: str, code: str) -> None:
    assert parse(text).code == code


def test_page_has_its_examples() -> None:
    assert len(CONTROLS) == 12


@pytest.mark.parametrize("text", ["40/90+30", "90'30\""])
def test_unclear_time_controls_are_refused_as_the_page_says(text: str) -> None:
    assert f"`{text}`" in PAGE
    with pytest.raises(Malformed):
        parse(text)


def test_page_names_what_the_formats_hold() -> None:
    assert f"    {','.join(list_csv.COLUMNS)}\n" in PAGE
    for name in (list_parquet.SYSTEM, list_parquet.ON):
        assert f"`{name.decode()}`" in PAGE
    for tag in ELEMENTS:
        assert f"`{tag}`" in PAGE or tag.startswith(("rapid_", "blitz_"))
    assert f"`{' '.join(LEGACY_TITLES)}`" in PAGE
    assert f"`{' '.join(LEGACY_TITLES.values())}`" in PAGE
    for format_ in formats():
        for word in (format_.name, format_.suffix, format_.media_type):
            assert f"`{word}`" in PAGE


def test_page_names_the_bounds() -> None:
    assert f"{source._MAX_SWELLING} times or beyond {source._MAX_BYTES >> 30} GiB" in PAGE
    assert f"the first {MAX_OF_A_KIND} findings" in PAGE
