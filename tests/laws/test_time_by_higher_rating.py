"""The engine asks about the higher rating only: that must be all any edition looks at."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arrocco.laws.rating import RatingLaw
from arrocco.laws.registry import LAWS, editions
from arrocco.records.timecontrol import parse_text

ALL_EDITIONS = [edition for law in LAWS for edition in editions(law)]
CONTROLS = [parse_text(text) for text in ("3+0", "3+2", "15+10", "60+0", "75+0", "90+30", "120+0")]
ratings = st.one_of(
    st.none(),
    st.integers(1000, 2900),
    st.sampled_from([1599, 1600, 1799, 1800, 2199, 2200, 2399, 2400]),
)


@pytest.mark.parametrize("edition", ALL_EDITIONS, ids=lambda e: e.__name__)
@given(one=ratings, other=ratings, control=st.sampled_from(CONTROLS))
@settings(max_examples=100)
def test_only_the_higher_rating_decides_about_time(
    edition: type[RatingLaw], one: int | None, other: int | None, control: object
) -> None:
    law = edition()
    higher = max(one or 0, other or 0) or None
    asked = law.excluded_by_time(control, one, other)  # type: ignore[arg-type]
    assert asked == law.excluded_by_time(control, higher, higher)  # type: ignore[arg-type]
