"""On which list a report falls, and which lists come next and when they close.

FIDE looks at the day a tournament ended, UISP at the day its report was received, RIO takes what is
there when a list is published. A list that is out takes nothing more: what came in time for it but
was accepted later goes on the next one that is open. Until when FIDE reports are taken is for the
office to say (7.1.3 is about the last day of a tournament); the answer of the day is written down
with each accepted report, so that a later one changes nothing of what was decided.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from arrocco.dates import days_before
from arrocco.errors import Illegal
from arrocco.laws.publications import Publications
from arrocco.laws.rating import RatingLaw
from arrocco.laws.systems import RatingSystem
from arrocco.office.questions import AppearsInTime, ClosesByEnd, ClosesByReceipt, article_of

REPORT_DAYS = 1
"""How many days before a list its reports are taken, where the office says nothing else."""
MAX_REPORT_DAYS = 7


class NoList(StrEnum):
    """Why a report is on no list; the words are under ``office.no_list``."""

    TOO_LATE = "too_late"
    """The last list it could have been on is out, or its day has come (FIDE 2024, 9.1)."""

    @property
    def key(self) -> str:
        return f"office.no_list.{self.value}"


class ClosesBy(StrEnum):
    """What has to have happened by the closing day of a list."""

    END = "end"
    RECEIPT = "receipt"
    PUBLICATION = "publication"

    @property
    def key(self) -> str:
        return f"office.closes_by.{self.value}"


@dataclass(frozen=True)
class UpcomingList:
    """A list to come; `closes` is the last day that counts for it, as `closes_by` says."""

    system: str
    list_date: date
    edition: str
    opened_on: date
    """The list whose ratings the period starts from."""
    closes_by: ClosesBy
    closes: date
    official_closes: date
    """The same for official competitions, where they have a day of their own."""
    send_by: date
    """The last day a report can be received for it."""
    official_send_by: date
    """The same for official competitions."""
    article: str
    overdue: bool
    """Its day has come and it is not published."""
    late_by: str = ""
    """The article by which it should have appeared by now; empty where none says so."""


def list_for(
    law: RatingLaw,
    system: RatingSystem,
    report_end: date,
    received: date,
    official: bool = False,
    emissions: Publications | None = None,
    *,
    latest: date | None = None,
    report_days: int = REPORT_DAYS,
) -> date | NoList:
    """The list that a tournament ended on a day and received on another falls on.

    `emissions` are the lists published or announced, for regulations without a calendar; `latest`
    is the last list published: neither it nor any before it takes anything more. `report_days`
    is how many days before a list the office takes reports, where the law leaves it that.
    """
    assert law.law == system.law, "a report is listed by the law of the system"
    if isinstance(law, ClosesByEnd):
        day = law.first_list(report_end, official=official)
        last = law.last_list(report_end)
        # 2010: only the end of a tournament decides (7.13), so 2011 is rated in 2011.
        any_day = last is None and latest is not None
        while (latest is not None and day <= latest) or (
            not any_day and received > last_day_to_send(law, day, report_days, official=official)
        ):
            day = law.next_list(day)
        return NoList.TOO_LATE if last is not None and day > last else day
    # No list counts a tournament that is still being played, whenever the report came.
    arrived = max(received, report_end)
    if isinstance(law, ClosesByReceipt):
        day = law.period_of_receipt(arrived, emissions)
        while latest is not None and day <= latest:
            day = _after(law, day, emissions)
        return day
    day = _after(law, arrived, emissions)
    while latest is not None and day <= latest:
        day = _after(law, day, emissions)
    return day


def _after(law: RatingLaw | ClosesByReceipt, day: date, emissions: Publications | None) -> date:
    """The first list after a day: one announced, else the one the calendar gives."""
    announced = emissions.after(day) if emissions is not None else None
    return announced or law.next_list(day)


def closing_days(law: RatingLaw, list_date: date) -> tuple[ClosesBy, date, date, str]:
    """What closes a list, the last day for it, that of official competitions, and the article."""
    if isinstance(law, ClosesByEnd):
        plain, official = (law.closing_date(list_date, official=o) for o in (False, True))
        return ClosesBy.END, plain, official, article_of(law, "closing_date")
    if isinstance(law, ClosesByReceipt):
        closing = law.closing_date(list_date)
        return ClosesBy.RECEIPT, closing, closing, article_of(law, "closing_date")
    eve = days_before(list_date, 1)
    return ClosesBy.PUBLICATION, eve, eve, article_of(law, "next_list")


@dataclass(frozen=True)
class StillOpen:
    """A list whose period has not closed yet: something may still arrive for it."""

    list_date: date
    closes: date
    """The last day that counts for it, that of official competitions where it is later."""
    days_left: int
    """Days after today until it closes; 0 on the closing day itself."""
    edition: str
    article: str


def still_open(law: RatingLaw, list_date: date, today: date) -> StillOpen | None:
    """The period of a list as it stands on a day; `None` once its closing day has passed."""
    _, plain, official, article = closing_days(law, list_date)
    closes = max(plain, official)
    if today > closes:
        return None
    return StillOpen(
        list_date=list_date,
        closes=closes,
        days_left=(closes - today).days,
        edition=law.edition,
        article=article,
    )


def require_closed(found: StillOpen | None, *, confirmed: bool) -> None:
    """Raises `Illegal` where a list would come out before it closes and nobody confirmed that."""
    if found is not None and not confirmed:
        raise Illegal.of(
            "office.period_open",
            list_date=found.list_date,
            closes=found.closes,
            days=found.days_left,
        )


def last_day_to_send(
    law: RatingLaw, list_date: date, report_days: int = REPORT_DAYS, *, official: bool = False
) -> date:
    """The last day a report can be received for a list.

    By the end of a tournament: so many days before the list as the office says, but not before
    the last day on which a tournament of the list can end. Else the closing day of the law.
    """
    closes_by, plain, official_closes, _ = closing_days(law, list_date)
    if closes_by is not ClosesBy.END:
        return plain
    return max(days_before(list_date, report_days), official_closes if official else plain)


def late_by(law: RatingLaw, list_date: date, today: date) -> str:
    """The article by which a list that is not out on a day is late; empty where it is not."""
    if not isinstance(law, AppearsInTime) or law.emission_is_in_time(today, list_date):
        return ""
    return article_of(law, "emission_is_in_time")


def calendar(
    system: RatingSystem,
    today: date,
    published: Iterable[date] = (),
    count: int = 3,
    report_days: int = REPORT_DAYS,
) -> list[UpcomingList]:
    """The next lists of a system, from the first that is not published yet.

    Lists come in order and none is skipped: one whose day has passed stands first, overdue. Raises
    `NoLawInForce` where a period would open outside every edition.
    """
    last = max(published, default=None)
    opening = last or system.edition_on(today).list_in_force(today)
    upcoming_lists = []
    for _ in range(count):
        law = system.edition_on(opening)
        list_date = law.next_list(opening)
        closes_by, closes, official, article = closing_days(law, list_date)
        upcoming_lists.append(
            UpcomingList(
                system=system.key,
                list_date=list_date,
                edition=law.edition,
                opened_on=opening,
                closes_by=closes_by,
                closes=closes,
                official_closes=official,
                send_by=last_day_to_send(law, list_date, report_days),
                official_send_by=last_day_to_send(law, list_date, report_days, official=True),
                article=article,
                overdue=list_date <= today,
                late_by=late_by(law, list_date, today),
            )
        )
        opening = list_date
    return upcoming_lists
