"""What an event of the hall tells by mail: rounds to its players, what became of it, filings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo
from itertools import islice

from sqlalchemy import Connection

from arrocco.desk.desk import Desk
from arrocco.desk.filing_mails import FilingMails
from arrocco.desk.mail import MailKind, Param, queue
from arrocco.hall.event.acts.closing import Closed
from arrocco.hall.event.acts.entries import Withdrawn
from arrocco.hall.event.acts.pairing import PairingWithdrawn, RoundPaired
from arrocco.hall.event.acts.rounds import RoundDelayed
from arrocco.hall.event.acts.waiting import Entered
from arrocco.hall.event.record import Record
from arrocco.hall.event.state import Entry, State
from arrocco.records.report import ByeKind
from arrocco.store.sql import accounts
from arrocco.store.sql.accounts import Account
from arrocco.words import Phrase

AT_ONCE = 50
"""Mails that are written in one transaction: the office's other work goes on between them."""
_MAX_DIGITS = 18

Told = tuple[Entry, MailKind, Phrase]


class RoundMails:
    """Writes to the players of an event once its log has what happened; it blocks."""

    def __init__(self, desk: Desk, zone: tzinfo) -> None:
        """`zone` is where events are held: hours are said as they are there."""
        self._desk, self._zone = desk, zone
        self._filings = FilingMails(desk, zone)

    def __call__(self, state: State, records: Sequence[Record]) -> int:
        """Writes what each player should know of records that have just been added; how many."""
        told = (one for record in records for one in self._told(state, record))
        written, name = 0, state.created.name
        path = f"/hall/{state.created.event}"
        while chunk := list(islice(told, AT_ONCE)):
            with self._desk.database.writing() as connection:
                at = self._desk.now()
                for entry, kind, news in chunk:
                    owner = _account_of(connection, entry)
                    topic = Phrase(news.key.replace("news", "topic"), news.details)
                    words: dict[str, Param] = {"event": name, "news": news, "topic": topic}
                    if owner is not None:
                        written += queue(connection, at, kind, owner, path, **words)
        return written + self._filings(state, records)

    def _told(self, state: State, record: Record) -> Iterator[Told]:
        """Who is told what of a record; nobody hears of what they did themselves."""
        match record:
            case RoundPaired():
                yield from self._paired(state, record)
            case RoundDelayed():
                starts = self._moment(record.starts)
                news = _news("delayed", round=record.round, starts=starts, reason=record.reason)
                yield from _all_but(state, record, MailKind.ROUND, news)
            case PairingWithdrawn():
                news = _news("unpaired", round=record.round, reason=record.reason)
                yield from _all_but(state, record, MailKind.ROUND, news)
            case Entered() if record.by != record.person.account:
                news = _news("entered", day=state.created.start)
                yield state.entries[record.entry - 1], MailKind.EVENT, news
            case Withdrawn():
                entry = state.entries[record.entry - 1]
                if record.by != entry.person.account:
                    yield entry, MailKind.EVENT, _news("withdrawn", reason=record.reason or "–")
            case Closed() if len(state.rounds) < max(state.announced_rounds, 1):
                key = "ended_early" if state.rounds else "cancelled"
                news = _news(key, reason=record.reason or "–")
                yield from _all_but(state, record, MailKind.EVENT, news)

    def _paired(self, state: State, record: RoundPaired) -> Iterator[Told]:
        starts = Phrase("mail.news.soon") if record.starts is None else self._moment(record.starts)
        for board, (white, black) in enumerate(record.boards, start=1):
            for own, other, colour in ((white, black, "white"), (black, white, "black")):
                opponent = state.entries[other - 1].person
                rated = "" if opponent.rating is None else f" ({opponent.rating})"
                yield (
                    state.entries[own - 1],
                    MailKind.ROUND,
                    _news(
                        "paired",
                        round=record.round,
                        board=board,
                        starts=starts,
                        colour=Phrase(f"mail.news.{colour}"),
                        opponent=opponent.full_name + rated,
                    ),
                )
        for entry, kind in record.byes.items():
            if kind is ByeKind.PAIRING_ALLOCATED:  # others asked for theirs, or are not there
                news = _news("bye", round=record.round)
                yield state.entries[entry - 1], MailKind.ROUND, news

    def _moment(self, moment: datetime) -> Phrase:
        local = moment.astimezone(self._zone)
        offset = local.strftime("%z")
        zone = f"UTC{offset[:3]}:{offset[3:]}"
        return Phrase(
            "mail.news.at", {"day": local.date(), "hour": local.strftime("%H:%M"), "zone": zone}
        )


def _news(key: str, **details: object) -> Phrase:
    return Phrase(f"mail.news.{key}", details)


def _all_but(state: State, record: Record, kind: MailKind, news: Phrase) -> Iterator[Told]:
    """Everybody who still plays, but for whoever did it."""
    for entry in state.entries:
        is_out = entry.withdrawn or state.is_expelled(entry.id)
        if not is_out and entry.person.account != record.by:
            yield entry, kind, news


def _account_of(connection: Connection, entry: Entry) -> Account | None:
    """The account of a player: the one they play with, or the one that holds their number."""
    account = entry.person.account
    if account.isascii() and account.isdecimal() and len(account) <= _MAX_DIGITS:
        return accounts.by_id(connection, int(account))
    return None if entry.person.id is None else accounts.by_player(connection, entry.person.id)
