"""The next list from the outcome of a period: what is published of every player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from arrocco.engine.columns import BoolColumn, apply_rule
from arrocco.engine.month import NewPlayer
from arrocco.engine.outcome import Outcome, coefficients, players_after
from arrocco.engine.players import Players, month_start
from arrocco.ratinglist import UNKNOWN, Int32, RatingList, Text


def next_list(
    outcome: Outcome, previous: RatingList, newcomers: Mapping[int, NewPlayer]
) -> tuple[RatingList, Players]:
    """The list that closes a period, and the players as it opens the next one.

    Everybody on the previous list stays on it, rated or not; newcomers join.
    """
    after = players_after(outcome)
    k, _, _ = coefficients(outcome.law, after, outcome.list_date)
    rated = after.rating > 0
    played = outcome.totals.games.copy()
    for row in outcome.first_ratings.published:
        played[row] = outcome.first_ratings.by_row[row].rating.games
    listed = _joined(previous, newcomers, after)
    listed.rating = after.rating.astype(np.int32)
    listed.games = played.astype(np.int32)
    listed.k = np.where(rated & (k > 0), k, UNKNOWN).astype(np.int32)
    listed.flag = _flags(listed, inactive_on_list(outcome, after))
    listed.on = outcome.list_date
    return listed, replace(after, k=listed.k.astype(np.int64))


def inactive_on_list(outcome: Outcome, after: Players) -> BoolColumn:
    """Who is shown as inactive; nobody where the regulation knows no inactivity."""
    law, on = outcome.law, outcome.list_date

    def is_inactive(month: int) -> bool:
        return law.is_inactive(month_start(month) if month else None, on)

    return (after.rating > 0) & apply_rule(is_inactive, after.last_rated).astype(np.bool_)


def _flags(listed: RatingList, inactive: BoolColumn) -> Text:
    """As FIDE writes them: ``w`` a woman, ``i`` inactive, ``wi`` both."""
    women = (listed.sex == "F") | (listed.sex == "w")
    choices = np.array(["", "i", "w", "wi"], dtype=np.object_)
    flags: Text = choices[2 * women.astype(np.int8) + inactive.astype(np.int8)]
    return flags


def _joined(previous: RatingList, newcomers: Mapping[int, NewPlayer], after: Players) -> RatingList:
    """The rows of the previous list and of the newcomers, in the order of ids."""
    size = len(previous)
    is_appended = not size or (len(after) >= size and after.id[size - 1] == previous.id[-1])
    rows = np.zeros(0) if is_appended else previous.rows(after.id)
    new_ids = after.id[size:] if is_appended else after.id[rows < 0]
    new = [newcomers[id_] for id_ in new_ids.tolist()]

    def text(name: str, column: Text) -> Text:
        words = np.array([getattr(player, name, "") for player in new], dtype=np.object_)
        if is_appended:
            return np.concatenate([column, words])
        result = np.full(len(after), "", dtype=np.object_)
        result[rows >= 0] = column[rows[rows >= 0]]
        result[rows < 0] = words
        return result

    empty: Int32 = np.zeros(len(after), dtype=np.int32)
    return RatingList(
        id=after.id,
        name=text("name", previous.name),
        federation=text("federation", previous.federation),
        sex=text("list_sex", previous.sex),
        title=text("title", previous.title),
        rating=empty,
        games=empty,
        k=empty,
        birth=after.birth.astype(np.int32),
        flag=np.full(len(after), "", dtype=np.object_),
        system=previous.system,
        extra={name: text(name, column) for name, column in previous.extra.items()},
    )
