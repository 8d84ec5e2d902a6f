"""Which results of an unrated player are still young enough to be pooled."""

from __future__ import annotations

from collections.abc import Sequence

from arrocco.laws.rating import Tranche


def kept_in_pool(
    tranches: Sequence[Tranche], first_month: int, fresh: int, *, resets: bool
) -> list[Tranche]:
    """The results from a month on; where the pool `resets`, one that is too old takes all others.

    The last `fresh` results are those of the period itself: they begin the pool anew.
    """
    kept = [tranche for tranche in tranches if tranche.month >= first_month]
    if not resets or len(kept) == len(tranches):
        return kept
    new = tranches[len(tranches) - fresh :]
    return [tranche for tranche in new if tranche.month >= first_month]
