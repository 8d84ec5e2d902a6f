"""One rating period under a named law and edition."""

from __future__ import annotations

from datetime import date

from . import readings as readings_
from .account import Period
from .fide import judge_fide
from .italian import judge_italian
from .records import JPlayer, JResult, JTournament

EDITIONS: dict[str, tuple[str, ...]] = {
    "fide_standard": ("2011-07-01", "2022-01-01", "2024-03-01", "2025-10-01"),
    "fide_rapid": ("2024-03-01", "2024-12-01"),
    "fide_blitz": ("2024-03-01", "2024-12-01"),
    "rio_rapid": ("2025-04-12",),
    "rio_blitz": ("2025-04-12",),
    "rio_bullet": ("2025-04-12",),
    "uisp": ("undated",),
}
"""The laws and their editions; 2011-07-01 is the text of 1982-2010."""


def judge_period(
    law: str,
    edition: str,
    readings: dict[str, str],
    list_date: date,
    players: dict[int, JPlayer],
    tournaments: list[JTournament],
) -> JResult:
    """Builds the list of `list_date` from the previous one (`players`) and its tournaments.

    The tournaments are those the list takes in: whether they came in time is not judged here. The
    previous list is a month older, under the 2010 text two months. Raises `ValueError` for an
    unknown law, edition or reading.
    """
    if edition not in EDITIONS.get(law, ()):
        raise ValueError(f"no law {law} of {edition}")
    chosen = readings_.complete(readings)
    if not law.startswith("fide_"):
        return judge_italian(law, chosen, list_date, players, tournaments)
    period = Period(
        kind=law.removeprefix("fide_"),
        is_2010=edition == "2011-07-01",
        edition=date.fromisoformat(edition),
        readings=chosen,
        list_date=list_date,
    )
    return judge_fide(period, players, tournaments)
