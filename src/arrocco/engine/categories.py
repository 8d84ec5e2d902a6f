"""RIO's online categories on a list (14.4 to 14.7): what the ratings published so far have earned.

They stand beside the international title (14.5), in a column of their own.
"""

from __future__ import annotations

import numpy as np

from arrocco.engine.columns import apply_rule
from arrocco.laws.rating import RatingLaw
from arrocco.laws.rio.categories import Categories, Category
from arrocco.records.ratinglist import RatingList
from arrocco.records.textcolumn import Text

CATEGORY_COLUMN = "o_title"

_BY_RANK = tuple(Category)
_RANK = {category.value: category.rank for category in Category}


def earn_categories(listed: RatingList, law: RatingLaw) -> None:
    """Gives everybody on a list the category that its ratings earn them (14.6).

    Under other regulations the list stays as it is.
    """
    if not isinstance(law, Categories):
        return
    column = category_column(listed)
    rated = np.flatnonzero(listed.rating > 0)
    held = np.fromiter((_RANK.get(text, 0) for text in column[rated]), np.int64, len(rated))

    def rank_held(rank: int, rating: int) -> int:
        return law.category_held(_BY_RANK[rank - 1] if rank else None, rating).rank

    ranks = apply_rule(rank_held, held, listed.rating[rated].astype(np.int64))
    names = np.array([category.value for category in _BY_RANK], dtype=np.object_)
    column[rated] = names[ranks - 1]


def category_column(listed: RatingList) -> Text:
    """The column of categories, made where a list has none yet."""
    blank = np.full(len(listed), "", dtype=np.object_)
    return listed.extra.setdefault(CATEGORY_COLUMN, blank)
