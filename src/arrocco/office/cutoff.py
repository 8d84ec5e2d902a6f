"""On which list a report falls, and which lists come next and when they close.

FIDE looks at the day a tournament ended, UISP at the day its report was received, RIO takes what is
there when a list is published. A list that is out takes nothing more: what came in time for it but
was accepted later goes on the next one that is open.
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
from arrocco.office.questions import ClosesByEnd, ClosesByReceipt, article_of
from arrocco.office.systems import RatingSystem


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
    article: str
    overdue: bool
    """Its day has come and it is not published."""


def list_for(
    law: RatingLaw,
    system: RatingSystem,
    report_end: date,
    received: date,
    official: bool = False,
    emissions: Publications | None = None,
    *,
    latest: date | None = None,
) -> date | NoList:
    """The list that a tournament ended on a day and received on another falls on.

    `emissions` are the lists published or announced, for regulations without a calendar; `latest`
    is the last list published: neither it nor any before it takes anything more.
    """
    assert law.law == system.law, "a report is listed by the law of the system"
    closed = max(received, latest or received)
    if isinstance(law, ClosesByEnd):
        return _by_end(law, report_end, closed, official)
    # No list counts a tournament that is still being played, whenever the report came.
    arrived = max(received, report_end)
    if isinstance(law, ClosesByReceipt):
        found = law.period_of_receipt(arrived, emissions)
        while latest is not None and found <= latest:
            found = _after(law, found, emissions)
        return found
    found = _after(law, arrived, emissions)
    while latest is not None and found <= latest:
        found = _after(law, found, emissions)
    return found


def _by_end(law: ClosesByEnd, end: date, closed: date, official: bool) -> date | NoList:
    found = law.first_list(end, official=official)
    while found <= closed:
        found = law.next_list(found)
    last = law.last_list(end)
    return NoList.TOO_LATE if last is not None and found > last else found


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
    closes_by: ClosesBy
    closes: date
    """The last day that counts for it, that of official competitions where it is later."""
    others_closed: date | None
    """The closing day of all others, where it has passed and official ones may still arrive."""
    send_by: date
    days_left: int
    """Days after today until it closes; 0 on the closing day itself."""
    edition: str
    article: str

    @property
    def may_arrive(self) -> str:
        """The key of the words that say what may still arrive."""
        return f"office.may_arrive.{'official' if self.others_closed else self.closes_by.value}"


def still_open(law: RatingLaw, list_date: date, today: date) -> StillOpen | None:
    """The period of a list as it stands on a day; `None` once its closing day has passed."""
    closes_by, plain, official, article = closing_days(law, list_date)
    closes = max(plain, official)
    if today > closes:
        return None
    return StillOpen(
        list_date=list_date, closes_by=closes_by, closes=closes,
        others_closed=plain if plain < today else None,
        send_by=last_day_to_send(law, list_date), days_left=(closes - today).days,
        edition=law.edition, article=article,
    )  # fmt: skip


def require_closed(found: StillOpen | None, *, confirmed: bool) -> None:
    """Raises `Illegal` where a list would come out before it closes and nobody confirmed that."""
    if found is not None and not confirmed:
        raise Illegal.of(
            "office.period_open", list_date=found.list_date, closes=found.closes,
            days=found.days_left,
        )  # fmt: skip


def last_day_to_send(law: RatingLaw, list_date: date) -> date:
    """The last day a report can be received for a list: its closing day or the day before it."""
    closes_by, closing, _, _ = closing_days(law, list_date)
    return closing if closes_by is ClosesBy.RECEIPT else days_before(list_date, 1)


def calendar(
    system: RatingSystem, today: date, published: Iterable[date] = (), count: int = 3
) -> list[UpcomingList]:
    """The next lists of a system, from the first that is not published yet.

    Lists come in order and none is skipped: one whose day has passed stands first, overdue. Raises
    `NoLawInForce` where a period would open outside every edition.
    """
    last = max(published, default=None)
    opening = last or system.edition_on(today).list_in_force(today)
    found = []
    for _ in range(count):
        law = system.edition_on(opening)
        list_date = law.next_list(opening)
        closes_by, closes, official, article = closing_days(law, list_date)
        found.append(
            UpcomingList(
                system=system.key,
                list_date=list_date,
                edition=law.edition,
                opened_on=opening,
                closes_by=closes_by,
                closes=closes,
                official_closes=official,
                send_by=last_day_to_send(law, list_date),
                article=article,
                overdue=list_date <= today,
            )
        )
        opening = list_date
    return found
