"""The players of a draft by what happens to them, looked up in its files when somebody asks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from msgspec import Struct

from arrocco.engine.categories import CATEGORY_COLUMN
from arrocco.engine.columns import IntColumn
from arrocco.engine.diff import ListDiff
from arrocco.formats.lists import read_list
from arrocco.laws.rio.categories import Category
from arrocco.records.ratinglist import RatingList, empty_list
from arrocco.store.list_folder import LIST
from arrocco.store.steps import read_steps

KINDS = ("new", "delisted", "inactive", "active", "promoted", "k_limited", "k", "changed")
"""What can be asked for, in the order of the tabs."""
MAX_SHOWN = 200
_RANKS = {category.value: category.rank for category in Category}
_NO_RANK = len(_RANKS) + 1


class DraftPlayer(Struct, frozen=True, kw_only=True):
    """A player of a draft; `was` and `now` are what else changed, such as K or category."""

    player: int
    name: str
    federation: str
    before: int | None
    after: int | None
    games: int
    was: str = ""
    now: str = ""


def players_of(
    folder: Path, opening: Path | None, kind: str, what: str
) -> tuple[int, list[DraftPlayer]]:
    """How many players of a draft are of a kind, and the first of them, the strongest first."""
    after = read_list(folder / LIST, kind)[0]
    before = read_list(opening / LIST, kind)[0] if opening is not None else empty_list(kind)
    diff = ListDiff(before, after, read_steps(folder))
    rows = _rows(diff, what)
    return len(rows), [_player(diff, int(row), what) for row in rows[:MAX_SHOWN]]


def _rows(diff: ListDiff, what: str) -> IntColumn:
    if what == "changed":
        rows = np.flatnonzero(diff.change != 0)
        return rows[np.lexsort((diff.id[rows], -np.abs(diff.change[rows])))]
    if what == "promoted":
        rows = np.flatnonzero((diff.row_before >= 0) & (diff.row_after >= 0))
        raised = [row for row in rows.tolist() if _is_promoted(diff, row)]
        return _strongest(diff, np.array(raised, dtype=np.int64))
    if what == "k_limited":
        if diff.steps is None:
            return np.zeros(0, dtype=np.int64)
        step = diff.step_row
        limited = diff.steps.k_applied < diff.steps.k
        played = diff.steps.games > 0
        rows = np.flatnonzero(step >= 0)
        return _strongest(diff, rows[(limited & played)[step[rows]]])
    return diff.rows(what)


def _strongest(diff: ListDiff, rows: IntColumn) -> IntColumn:
    rating = np.maximum(diff.rating_before, diff.rating_after)[rows]
    return rows[np.lexsort((diff.id[rows], -rating))]


def _is_promoted(diff: ListDiff, row: int) -> bool:
    """Whether a category rises or a title comes."""
    was, now = _titles(diff, row)
    return was != now and (
        _RANKS.get(now[1], _NO_RANK) < _RANKS.get(was[1], _NO_RANK) or bool(now[0] != was[0])
    )


def _titles(diff: ListDiff, row: int) -> tuple[tuple[str, str], tuple[str, str]]:
    return (
        _title(diff.before, int(diff.row_before[row])),
        _title(diff.after, int(diff.row_after[row])),
    )


def _title(listed: RatingList, row: int) -> tuple[str, str]:
    category = listed.extra.get(CATEGORY_COLUMN)
    return str(listed.title[row]), "" if category is None else str(category[row])


def _player(diff: ListDiff, row: int, what: str) -> DraftPlayer:
    at = int(diff.row_after[row])
    listed, shown = (diff.after, at) if at >= 0 else (diff.before, int(diff.row_before[row]))
    was, now = _beside(diff, row, what)
    return DraftPlayer(
        player=int(diff.id[row]),
        name=str(listed.name[shown]),
        federation=str(listed.federation[shown]),
        before=int(diff.rating_before[row]) or None,
        after=int(diff.rating_after[row]) or None,
        games=max(0, int(listed.games[shown])) if at >= 0 else 0,
        was=was,
        now=now,
    )


def _beside(diff: ListDiff, row: int, what: str) -> tuple[str, str]:
    """What changed beside the rating, as two texts."""
    if what == "promoted":
        was, now = (" ".join(part for part in titles if part) for titles in _titles(diff, row))
        return was or "–", now or "–"
    if what == "k":
        first, other = int(diff.row_before[row]), int(diff.row_after[row])
        return str(int(diff.before.k[first])), str(int(diff.after.k[other]))
    if what == "k_limited" and diff.steps is not None:
        step = int(diff.step_row[row])
        return str(int(diff.steps.k[step])), str(int(diff.steps.k_applied[step]))
    return "", ""
