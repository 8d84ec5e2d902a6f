"""Where the columns of FIDE text lists stand."""

from __future__ import annotations

from datetime import date

import pytest

from arrocco.errors import Malformed
from arrocco.formats.lists.layout import Layout, from_heading
from arrocco.formats.lists.registry import is_fide_heading
from tests.formats.lists.samples import (
    COMBINED,
    COMBINED_WITHOUT_FOA,
    OF_2011,
    SINGLE,
    SINGLE_WITHOUT_FOA,
)


def places(layout: Layout, *names: str) -> list[tuple[int, int]]:
    """Columns as the format describes them: from 1, both ends included."""
    return [(layout.columns[name].start + 1, layout.columns[name].end) for name in names]


def test_combined_with_online_titles() -> None:
    layout = from_heading(COMBINED, "list")
    assert layout.width == 162
    assert places(layout, "id", "name", "federation", "sex") == [
        (1, 15),
        (16, 76),
        (77, 80),
        (81, 84),
    ]
    assert places(layout, "title", "w_title", "o_title", "foa_title") == [
        (85, 89),
        (90, 94),
        (95, 109),
        (110, 113),
    ]
    assert places(layout, "standard_rating", "standard_games", "standard_k") == [
        (114, 119),
        (120, 123),
        (124, 126),
    ]
    assert places(layout, "rapid_rating", "blitz_k") == [(127, 132), (150, 152)]
    assert places(layout, "birth", "flag") == [(153, 158), (159, 162)]
    assert layout.kinds == ("standard", "rapid", "blitz")
    assert layout.on is None
    assert layout.is_usual


def test_combined_without_online_titles() -> None:
    layout = from_heading(COMBINED_WITHOUT_FOA, "list")
    assert layout.width == 158
    assert "foa_title" not in layout.columns
    assert places(layout, "standard_rating", "rapid_games", "blitz_k") == [
        (110, 115),
        (129, 132),
        (146, 148),
    ]
    assert places(layout, "birth", "flag") == [(149, 154), (155, 158)]
    assert layout.is_usual


def test_single_type_names_its_month() -> None:
    layout = from_heading(SINGLE, "list")
    assert layout.width == 136
    assert places(layout, "rating", "games", "k") == [(114, 119), (120, 123), (124, 126)]
    assert places(layout, "birth", "flag") == [(127, 132), (133, 136)]
    assert layout.on == date(2026, 10, 1)
    assert layout.is_usual


def test_single_type_without_online_titles() -> None:
    layout = from_heading(SINGLE_WITHOUT_FOA, "list")
    assert layout.width == 132
    assert "foa_title" not in layout.columns
    assert places(layout, "o_title", "rating", "games", "k") == [
        (95, 109),
        (110, 115),
        (116, 119),
        (120, 122),
    ]
    assert layout.on == date(2014, 2, 1)
    assert layout.is_usual


def test_2011() -> None:
    layout = from_heading(OF_2011, "list")
    assert places(layout, "id", "name", "title", "federation", "rating", "games", "birth") == [
        (1, 10),
        (11, 44),
        (45, 48),
        (49, 53),
        (54, 59),
        (60, 64),
        (65, 70),
    ]
    assert layout.columns["flag"].start == 70
    assert layout.on == date(2011, 3, 1)
    assert layout.is_legacy
    assert layout.is_usual


def test_month_of_the_last_century() -> None:
    assert from_heading(OF_2011.replace("Mar11", "Jan99"), "list").on == date(1999, 1, 1)


def test_columns_follow_a_heading_with_wider_names() -> None:
    layout = from_heading(COMBINED.replace("Name ", "Name      "), "list")
    assert layout.width == 167
    assert not layout.is_usual


@pytest.mark.parametrize(
    "heading",
    [
        "",
        "ID Number Name",
        COMBINED.replace("B-day", "Birth"),
        COMBINED.replace("SRtng SGm SK ", ""),
        SINGLE.replace("OCT26", "XXX26"),
        " ".join(COMBINED.split()),
    ],
)
def test_unknown_heading_is_refused(heading: str) -> None:
    with pytest.raises(Malformed) as refused:
        from_heading(heading, "list")
    assert refused.value.advice


def test_headings_are_told_from_other_lines() -> None:
    assert is_fide_heading(COMBINED)
    assert is_fide_heading(OF_2011)
    assert not is_fide_heading("id,name,rating")
    assert not is_fide_heading("<playerslist>")
