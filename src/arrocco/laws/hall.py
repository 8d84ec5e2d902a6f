"""The laws a supervised online event is held under: those in force on the day it starts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple, Protocol, cast

from arrocco.laws import registry
from arrocco.laws.classes import TimeClass
from arrocco.laws.online.law import OnlineLaw
from arrocco.laws.rating import Exclusion
from arrocco.records.timecontrol import TimeControl
from arrocco.units import HalfPoints, Rating

Score = tuple[HalfPoints, HalfPoints]
"""The half points of White and of Black."""


class OnlineRating(Protocol):
    """What the hall asks of the regulation that rates its games."""

    readings: Mapping[str, str]
    """How its open articles are read."""

    @property
    def law(self) -> str:
        """Its name, as the registry has it."""
        ...

    @property
    def EXCLUSION_ARTICLES(self) -> Mapping[Exclusion, str]:  # noqa: N802 (as editions name it)
        """Where each reason stands for which a game is not rated."""
        ...

    def time_class(self, control: TimeControl) -> TimeClass | None:
        """The list that games at a time control are rated on; none outside all of them."""
        ...

    def excluded_by_time(
        self, control: TimeControl, own: int | None = None, opponent: int | None = None
    ) -> Exclusion | None:
        """Why a game at this time control is not rated; `None` if it is."""
        ...

    def entry_rating_for(self, kind: str, held: Mapping[str, int | None]) -> tuple[Rating, str]:
        """14.2 — the rating that somebody without one enters with, and where it comes from."""
        ...

    def rated_score(
        self, played: Score, decided: Score | None = None, entered: Score | None = None
    ) -> Score:
        """The score that is rated, where another one was decided than was played."""
        ...


_LAWS = ("online", "rio")


class Laws(NamedTuple):
    """The regulations an event is judged by."""

    online: OnlineLaw
    rio: OnlineRating


def laws_on(day: date) -> Laws:
    """The laws of an event that starts on a day. Raises `NoLawInForce` where there are none."""
    online = registry.text_in_force("online", day)
    rating = registry.edition_in_force("rio", day)
    return Laws(cast(OnlineLaw, online()), cast(OnlineRating, rating()))


def laws_held_under(day: date | None) -> Laws:
    """The laws of an event that is there already, or of a game of its own.

    Once an event could be created for a day before every law: it is held under the first ones. A
    game without a day is held under the latest.
    """
    starts = [[text.in_force.start or date.min for text in registry.texts(law)] for law in _LAWS]
    first, last = max(own[0] for own in starts), max(own[-1] for own in starts)
    return laws_on(last if day is None else max(day, first))


def first_entry_rating() -> int:
    """14.2 — the rating of who has none in the first edition, as rules mean it that give none."""
    rating, _ = registry.editions("rio")[0]().entry_rating_without_lists()
    return int(rating)
