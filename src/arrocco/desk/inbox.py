"""The inbox of each role: what waits for whoever asks, since when and until when."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time

import msgspec
from msgspec import Struct
from sqlalchemy import Connection

from arrocco.desk import owed_reports
from arrocco.desk.claims import Claims
from arrocco.desk.desk import Desk, account_of
from arrocco.desk.lists import Lists
from arrocco.desk.tournaments import whose
from arrocco.office.roles import Asker, Permission, Scope, may, require
from arrocco.store.sql import waiting_work
from arrocco.store.sql.waiting_work import Waiting

P = Permission


class InboxItem(Struct, frozen=True, kw_only=True):
    """A kind of work that waits; its words are ``inbox.item.<key>``."""

    key: str
    path: str
    count: int
    since: datetime | None
    until: datetime | None
    is_late: bool
    about: str = ""
    """The name of the one event it is in, where it is in one."""


class Inbox:
    """What waits for somebody."""

    def __init__(self, desk: Desk, lists: Lists, claims: Claims) -> None:
        self._desk, self._lists, self._claims = desk, lists, claims

    def of(self, asker: Asker) -> list[InboxItem]:
        """What waits for the asker: what is late first, then what is due first."""
        at = self._desk.now()
        claims = self._waiting_claims(asker)
        due = self._reports_due() if may(asker, P.DECIDE_REPORT) else None
        with self._desk.looking(asker, "see_inbox") as connection:
            require(asker, P.SEE_OWN_ACCOUNT)
            inbox_items = [
                InboxItem(
                    key=key,
                    path=path,
                    count=one.count,
                    since=one.since,
                    until=one.until,
                    is_late=one.until is not None and one.until < at,
                )
                for key, path, one in (*self._found(connection, asker, at, due), *claims)
                if one.count
            ]
        never = datetime.max.replace(tzinfo=UTC)
        return sorted(
            inbox_items, key=lambda inbox_item: (not inbox_item.is_late, inbox_item.until or never)
        )

    def _waiting_claims(self, asker: Asker) -> list[tuple[str, str, Waiting]]:
        """Claims that the asker decides: an officer those of the federation's players."""
        if not may(asker, P.DECIDE_CLAIM):
            return []
        moments = [waiting.claim.made_at for waiting in self._claims.waiting(asker)]
        return [("claims", "/desk/claims", Waiting(len(moments), min(moments, default=None)))]

    def _reports_due(self) -> datetime | None:
        """The day of the first list that a report which nobody has decided can still be on."""
        with self._desk.database.reading() as connection:
            systems = waiting_work.systems_of_reports(connection, "sent")
        days = [
            row.upcoming.list_date
            for system in systems
            for row in self._lists.calendar(system, count=1)
        ]
        return datetime.combine(min(days), time(), UTC) if days else None

    def _found(
        self, connection: Connection, asker: Asker, at: datetime, due: datetime | None
    ) -> Iterator[tuple[str, str, Waiting]]:
        if may(asker, P.SEE_TOURNAMENT_FILE):
            federation, owner = whose(asker)
            if may(asker, P.DECIDE_REPORT):
                waiting = waiting_work.reports(connection, ["sent"])
                yield "reports", "/desk/reports", msgspec.structs.replace(waiting, until=due)
            else:
                back = waiting_work.reports(connection, waiting_work.RETURNED, federation, owner)
                due = owed_reports.waiting(
                    owed_reports.returned(connection, federation, owner)
                ).until
                yield (
                    "returned",
                    "/desk/tournaments",
                    msgspec.structs.replace(back, until=due),
                )
                missing = owed_reports.missing(connection, at.date(), federation, owner)
                yield "missing", "/desk/tournaments", owed_reports.waiting(missing)
        if may(asker, P.APPROVE_REGISTRATION):
            late = waiting_work.tournaments(connection, ["awaiting_approval"])
            yield "registrations", "/desk/registrations", late
        if may(asker, P.BUILD_LIST):
            yield "drafts", "/desk/lists", waiting_work.drafts(connection, "ready")
        if may(asker, P.ANSWER_QUESTION):
            is_all = asker.scope_of(P.ANSWER_QUESTION) is Scope.ALL
            federation = "" if is_all else asker.federation or "-"
            yield "questions", "/desk/questions", waiting_work.questions(connection, federation)
        if may(asker, P.MANAGE_ACCOUNTS):
            yield "mail", "/mail", waiting_work.mails(connection, "failed")
        own = waiting_work.own_claims(connection, account_of(asker))
        yield "own_claim", "/account/number", own
        yield (
            "own_questions",
            "/questions",
            waiting_work.own_questions(connection, account_of(asker)),
        )
