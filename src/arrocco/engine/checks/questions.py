"""What some regulations answer and others do not: a check runs where its question has an answer.

Each protocol names the methods of one chapter; an edition has the chapter when it has the methods.
Under which article it stands there is asked of the edition itself (`Case.article`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Protocol, runtime_checkable

from arrocco.laws.fide.text_2010.composition import RoundRobinRefusal
from arrocco.laws.fide.text_2024.registration import RegistrationStatus
from arrocco.records.report import System
from arrocco.records.timecontrol import TimeControl


@runtime_checkable
class ListsByEnd(Protocol):
    """Dated lists, on which a tournament comes by the day it ends (FIDE)."""

    def list_in_force(self, day: date) -> date: ...
    def next_list(self, list_date: date) -> date: ...
    def first_list(self, end: date, *, official: bool = False) -> date: ...


@runtime_checkable
class LastList(Protocol):
    """A list after which a report is never rated; `None` where a text sets none."""

    def last_list(self, end: date) -> date | None: ...


@runtime_checkable
class ListsByReceipt(Protocol):
    """Lists on which a tournament comes by the day its report is received (UISP)."""

    def period_of_receipt(self, received: date) -> date: ...


@runtime_checkable
class Registers(Protocol):
    """Tournaments are registered by a day; who is late needs an approval (FIDE)."""

    def registration_deadline(
        self, start: date, top_rating: int | None = None, top_woman: int | None = None
    ) -> date: ...
    def registration_status(
        self,
        start: date,
        registered: date,
        top_rating: int | None = None,
        top_woman: int | None = None,
    ) -> RegistrationStatus: ...


@runtime_checkable
class MembersOnly(Protocol):
    """Games count only between players whom the federation knows (RIO)."""

    def asks_for_members(self) -> bool: ...


@runtime_checkable
class MemberFederations(Protocol):
    """Who is on a list belongs to a federation that is a member (FIDE)."""

    def federation_is_known(self, code: str) -> bool: ...


@runtime_checkable
class FirstControl(Protocol):
    """A rule on the moves of a first control."""

    def first_control_is_valid(self, control: TimeControl) -> bool: ...


@runtime_checkable
class MinimumByPair(Protocol):
    """A least time for each two players (FIDE 2024)."""

    def minimum_minutes(self, first: int | None, other: int | None) -> int: ...


@runtime_checkable
class MinimumByField(Protocol):
    """A least time for a whole field (FIDE 2010)."""

    def minimum_minutes_of_field(self, ratings: Iterable[int | None]) -> int: ...


@runtime_checkable
class BandsOfAnotherLaw(Protocol):
    """K by FIDE's lists, which leave some games of strong players out (UISP)."""

    def is_between_bands(self, control: TimeControl) -> bool: ...

    def is_left_out_by_fide(self, control: TimeControl, rating: int | None) -> bool: ...


@runtime_checkable
class DayLimit(Protocol):
    """At most so many hours, games or rounds a day."""

    def day_is_within_limit(self, control: TimeControl, rounds: int) -> bool: ...


@runtime_checkable
class LengthLimit(Protocol):
    """At most so many days from start to end (FIDE 2010)."""

    def days_of(self, start: date, end: date) -> int: ...
    def duration_is_allowed(
        self, start: date, end: date, *, league: bool = False, approved: bool = False
    ) -> bool: ...


@runtime_checkable
class InterimReports(Protocol):
    """Long tournaments are reported month by month (FIDE 2024)."""

    def needs_interim_reports(self, start: date, end: date) -> bool: ...
    def interim_reports(self, start: date, end: date) -> list[tuple[date, date]]: ...


@runtime_checkable
class RoundRobinField(Protocol):
    """How many must be rated in a round robin, and when it is rated as a Swiss (FIDE 2010)."""

    ROUND_ROBIN_ARTICLES: Mapping[RoundRobinRefusal, str]
    ROUND_ROBIN_NUMBERS: Mapping[RoundRobinRefusal, Mapping[str, str | int]]

    def round_robin_refusal(
        self,
        players: int,
        rated: int,
        *,
        double: bool = False,
        national_championship: bool = False,
        women_only: bool = False,
        rated_men: int | None = None,
    ) -> RoundRobinRefusal | None: ...
    def is_rated_as_round_robin(
        self, system: System, unplayed_games: int, *, dropped_players: int = 0
    ) -> bool: ...


@runtime_checkable
class HybridEvents(Protocol):
    """What a hybrid tournament needs besides its report (FIDE 2024)."""

    def needs_individual_approval(self, *, hybrid: bool) -> bool: ...
    def needs_games_file(self, *, hybrid: bool) -> bool: ...
