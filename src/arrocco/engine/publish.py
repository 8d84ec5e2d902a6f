"""The next list from the outcome of a period: what is published of every player."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np

from arrocco.engine.categories import earn_categories
from arrocco.engine.columns import BoolColumn, apply_rule
from arrocco.engine.month import NewPlayer
from arrocco.engine.outcome import Outcome, coefficients, players_after
from arrocco.engine.players import Players, month_start
from arrocco.laws.rating import RatingLaw
from arrocco.records.ratinglist import (
    AMONG_TOP,
    OFF_LIST,
    STRUCK_OFF,
    UNKNOWN,
    Int32,
    RatingList,
)
from arrocco.records.textcolumn import ArrowText, Text, of_words, taken, with_more, words_of


def next_list(
    outcome: Outcome,
    previous: RatingList,
    newcomers: Mapping[int, NewPlayer],
    *,
    marks: bool = True,
) -> tuple[RatingList, Players]:
    """The list that closes a period, and the players as it opens the next one.

    Everybody on the previous list stays in it, rated or not; newcomers join. Whom the list as it is
    printed leaves out is marked so: see `as_published`. Lists of format 1 have no such `marks`.
    """
    after = players_after(outcome)
    k, _, _ = coefficients(outcome.law, after, outcome.list_date)
    rated = after.rating > 0
    played = outcome.totals.games.copy()
    first = outcome.first_ratings
    for row in first.published:
        of_period = outcome.law.newcomer_games_are_of_period()
        played[row] = first.games_of_period[row] if of_period else first.by_row[row].rating.games
    listed = _joined(previous, newcomers, after)
    listed.rating = after.rating.astype(np.int32)
    listed.games = played.astype(np.int32)
    listed.k = np.where(rated & (k > 0), k, UNKNOWN).astype(np.int32)
    inactive = inactive_on_list(outcome, after)
    listed.flag = _flags(listed, inactive)
    if marks and outcome.law.LISTS_ONLY_RATED:
        _mark(outcome, after, inactive, listed.flag)
    listed.on = outcome.list_date
    if outcome.law.categories_are_of_list():
        earn_categories(listed, outcome.law)
    return listed, replace(after, k=listed.k.astype(np.int64))


def inactive_on_list(outcome: Outcome, after: Players) -> BoolColumn:
    """Who is shown as inactive; nobody where the regulation knows no inactivity."""
    law, on = outcome.law, outcome.list_date

    def is_inactive(month: int) -> bool:
        return law.is_inactive(month_start(month) if month else None, on)

    return (after.rating > 0) & apply_rule(is_inactive, after.last_rated).astype(np.bool_)


def _mark(outcome: Outcome, after: Players, inactive: BoolColumn, flags: Text) -> None:
    """Adds the marks of FIDE 2010: 7.21, 7.23b and 7.24.

    When somebody last played may not be known: the list from elsewhere that calls them inactive
    does not say since when, and they stay on it.
    """
    law, on, known = outcome.law, outcome.list_date, after.last_rated > 0

    def asked(rule: Callable[[date | None, date], bool]) -> BoolColumn:
        months = after.last_rated[inactive & known]
        is_asked = np.zeros(len(after), dtype=np.bool_)
        is_asked[inactive & known] = apply_rule(lambda month: rule(month_start(month), on), months)
        return is_asked

    off = inactive & known & ~asked(law.is_listed)
    flags[off] += OFF_LIST
    flags[asked(law.is_on_top_list) & ~off] += AMONG_TOP
    flags[outcome.delisted] += STRUCK_OFF


def as_published(law: RatingLaw, listed: RatingList) -> RatingList:
    """The list as it is printed: without those whom the law leaves out (FIDE 2010, 7.2).

    Who was struck off is named on it once more, without a rating (7.21).
    """
    if not law.LISTS_ONLY_RATED:
        return listed
    rated = (listed.rating > 0) & ~listed.marked(OFF_LIST)
    return listed.chosen(rated | listed.marked(STRUCK_OFF))


def titled_without_rating(law: RatingLaw, listed: RatingList) -> RatingList:
    """The list of titled players without a rating, where the law has one (FIDE 2010, 7.22)."""
    titled = np.flatnonzero(listed.title != "")
    ratings = listed.rating[titled].tolist()
    is_titled = np.zeros(len(listed), dtype=np.bool_)
    is_titled[titled] = [
        law.is_on_list_of_titled(title, rating or None)
        for title, rating in zip(listed.title[titled].tolist(), ratings, strict=True)
    ]
    return listed.chosen(is_titled)


def _flags(listed: RatingList, inactive: BoolColumn) -> ArrowText:
    """As FIDE writes them: ``w`` a woman, ``i`` inactive, ``wi`` both."""
    words, codes = words_of(listed.kept("sex"))
    women = np.array([word in ("F", "w") for word in words], dtype=np.bool_)[codes]
    return of_words(["", "i", "w", "wi"], 2 * women.astype(np.int8) + inactive.astype(np.int8))


def _joined(previous: RatingList, newcomers: Mapping[int, NewPlayer], after: Players) -> RatingList:
    """The rows of the previous list and of the newcomers, in the order of ids."""
    size = len(previous)
    is_appended = not size or (len(after) >= size and after.id[size - 1] == previous.id[-1])
    if is_appended:  # mostly new numbers come after all others
        new_ids = after.id[size:]
    else:
        rows = previous.rows(after.id)
        is_new = rows < 0
        new_ids = after.id[is_new]
        rows[is_new] = size + np.arange(len(new_ids))
    new = [newcomers[id_] for id_ in new_ids.tolist()]

    def text(name: str, column: Text | ArrowText) -> Any:
        both = with_more(column, [getattr(player, name, "") for player in new])
        return both if is_appended else taken(both, rows)

    empty: Int32 = np.zeros(len(after), dtype=np.int32)
    return RatingList(
        id=after.id,
        name=text("name", previous.kept("name")),
        federation=text("federation", previous.kept("federation")),
        sex=text("list_sex", previous.kept("sex")),
        title=text("title", previous.kept("title")),
        rating=empty,
        games=empty,
        k=empty,
        birth=after.birth.astype(np.int32),
        flag=np.full(len(after), "", dtype=np.object_),
        system=previous.system,
        extra={name: text(name, column) for name, column in previous.extra.items()},
    )
