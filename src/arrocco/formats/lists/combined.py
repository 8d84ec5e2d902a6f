"""Up to three lists side by side, as a combined file holds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from arrocco.errors import Inconsistent
from arrocco.formats.lists.columns import EXTRA_TEXTS, OWN_TEXTS, unknown
from arrocco.formats.lists.registry import KINDS
from arrocco.records.ratinglist import Int32, Int64, RatingList
from arrocco.records.textcolumn import ArrowText, Text, as_numpy, of_words
from arrocco.words import Phrase


@dataclass
class Combined:
    """One row for each player of any of the lists.

    What describes the person comes from the first list, in the order standard, rapid, blitz, that
    has them. In a list they are not on they have no rating, and games and K are unknown.
    """

    id: Int64
    texts: dict[str, Text | ArrowText]
    birth: Int32
    numbers: dict[str, Int32]

    def __len__(self) -> int:
        return len(self.id)


def combine(lists: Mapping[str, RatingList]) -> Combined:
    """Joins lists by kind. Raises `Inconsistent` for a kind a combined file has no place for."""
    for kind in lists:
        if kind not in KINDS:
            raise Inconsistent.of(
                "lists.refused.no_place_for_kind", kind=kind or Phrase("lists.unnamed")
            )
    ordered = [(kind, lists[kind]) for kind in KINDS if kind in lists]
    if not ordered:
        raise Inconsistent.of("lists.refused.no_list")
    first = ordered[0][1]
    if all(each.id is first.id or np.array_equal(each.id, first.id) for _, each in ordered):
        ids = first.id
        rows: dict[str, Int64] = {}
        texts = _texts_of(first)
        birth = first.birth
    else:
        ids = np.unique(np.concatenate([each.id for _, each in ordered]))
        places = {kind: each.rows(ids) for kind, each in ordered}
        texts, birth = _filled(ids, ordered, places)
        rows = places
    numbers: dict[str, Int32] = {}
    for kind in KINDS:
        numbers |= _numbers_of(kind, lists.get(kind), rows.get(kind), len(ids))
    return Combined(ids, texts, birth, numbers)


def alone(rating_list: RatingList) -> Combined:
    """A list of one kind: its number columns have no kind in their names."""
    numbers = {
        "rating": rating_list.rating,
        "games": rating_list.games,
        "k": rating_list.k,
    }
    return Combined(rating_list.id, _texts_of(rating_list), rating_list.birth, numbers)


def _texts_of(rating_list: RatingList) -> dict[str, Text | ArrowText]:
    texts = {name: rating_list.kept(name) for name in ("name", *OWN_TEXTS)}
    blank = of_words([""], np.zeros(len(rating_list), np.int8))
    return texts | {name: rating_list.extra.get(name, blank) for name in EXTRA_TEXTS}


def _filled(
    ids: Int64, ordered: list[tuple[str, RatingList]], places: dict[str, Int64]
) -> tuple[dict[str, Text | ArrowText], Int32]:
    texts: dict[str, Text | ArrowText] = {
        name: np.full(len(ids), "", object) for name in ("name", *OWN_TEXTS, *EXTRA_TEXTS)
    }
    birth = np.zeros(len(ids), np.int32)
    # Backwards, so that the first list has the last word.
    for kind, each in reversed(ordered):
        here = np.flatnonzero(places[kind] >= 0)
        there = places[kind][here]
        for name, column in _texts_of(each).items():
            texts[name][here] = as_numpy(column)[there]
        birth[here] = each.birth[there]
    return texts, birth


def _numbers_of(
    kind: str, rating_list: RatingList | None, rows: Int64 | None, size: int
) -> dict[str, Int32]:
    columns: dict[str, Int32] = {}
    for what in ("rating", "games", "k"):
        column = np.zeros(size, np.int32) if what == "rating" else unknown(size)
        if rating_list is not None:
            values = getattr(rating_list, what)
            if rows is None:
                column = values
            else:
                here = rows >= 0
                column[here] = values[rows[here]]
        columns[f"{kind}_{what}"] = column
    return columns
