"""Columns of texts: the same texts however they are kept, and none is made that nobody looks at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from arrocco.records.ratinglist import RatingList, list_of_ratings
from arrocco.records.textcolumn import (
    as_arrow,
    as_numpy,
    of_words,
    taken,
    text_at,
    with_more,
    words_of,
)

TEXTS = ["ITA", "", "FRA", "ITA", "Ñ"]
KEPT: list[Callable[[], Any]] = [
    lambda: np.array(TEXTS, dtype=np.object_),
    lambda: pa.array(TEXTS),
    lambda: pa.chunked_array([pa.array(TEXTS[:2]), pa.array(TEXTS[2:])]),
    lambda: of_words(["ITA", "", "FRA", "Ñ", "nobody"], np.array([0, 1, 2, 0, 3], dtype=np.int32)),
]


@pytest.mark.parametrize("make", KEPT)
def test_the_texts_are_the_same_however_they_are_kept(make: Callable[[], Any]) -> None:
    column = make()
    assert as_numpy(column).tolist() == TEXTS
    assert as_arrow(column).type == pa.string()
    assert as_arrow(column).to_pylist() == TEXTS
    assert [text_at(column, row) for row in range(len(TEXTS))] == TEXTS
    words, codes = words_of(column)
    assert [words[code] for code in codes] == TEXTS
    more = with_more(column, ["ITA", "new"])
    assert as_numpy(more).tolist() == [*TEXTS, "ITA", "new"]
    assert as_numpy(taken(more, np.array([6, 0, 4]))).tolist() == ["new", "ITA", "Ñ"]
    assert as_numpy(column).tolist() == TEXTS


def listed(names: Any) -> RatingList:
    numbers = np.arange(1, len(TEXTS) + 1, dtype=np.int64)
    found = list_of_ratings(numbers, numbers)
    found.name = names
    return found


def test_names_are_made_when_somebody_looks_and_not_before() -> None:
    found = listed(pa.array(TEXTS))
    player = found.player(3)
    assert player is not None
    assert (player.name, found.arrow("name").to_pylist()) == ("FRA", TEXTS)
    assert isinstance(found.kept("name"), pa.Array)
    assert found.name.tolist() == TEXTS
    assert isinstance(found.kept("name"), np.ndarray)


def test_what_is_changed_in_place_is_changed_in_the_list() -> None:
    found = listed(pa.array(TEXTS))
    found.name[1] = "Rossi, Ada"
    assert found.arrow("name").to_pylist() == ["ITA", "Rossi, Ada", "FRA", "ITA", "Ñ"]
    assert found.chosen(found.rating > 3).name.tolist() == ["ITA", "Ñ"]
