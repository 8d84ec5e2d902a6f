"""12.9 to 12.12 — the e-mails of complaints and appeals: to who decides, and to all concerned.

A filing of a page goes to its addressee as an e-mail (12.9). Decisions go with their reasons to
whoever filed, to those they are about, and to the chief arbiter; each in their own language.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from typing import NamedTuple

from sqlalchemy import Connection

from arrocco.desk.desk import Desk
from arrocco.desk.filing_parties import account_known, readers
from arrocco.desk.mail import MailKind, Param, queue
from arrocco.hall.event.acts.complaints import ComplaintFiled
from arrocco.hall.event.acts.filing_decisions import FilingDecided, PaymentRecorded
from arrocco.hall.event.acts.filings import FilingSubmitted, name_of
from arrocco.hall.event.acts.official import ResultsAnnounced
from arrocco.hall.event.filings import FiledPaper, Payment, money_of
from arrocco.hall.event.record import Record
from arrocco.hall.event.state import State
from arrocco.laws.online.filings import FilingKind, Inadmissible
from arrocco.store.sql import accounts
from arrocco.store.sql.accounts import Account
from arrocco.words import Phrase


class FilingMail(NamedTuple):
    """One mail: to whom, of what kind, with which words."""

    to: Account
    kind: MailKind
    words: dict[str, Param]


class FilingMails:
    """Writes the mails of filings once the event's log has them; it blocks."""

    def __init__(self, desk: Desk, zone: tzinfo) -> None:
        self._desk, self._zone = desk, zone

    def __call__(self, state: State, records: Sequence[Record]) -> int:
        """Writes what records that have just been added ask for; how many."""
        written = 0
        for record in records:
            number = getattr(record, "number", 0)
            if not isinstance(record, _TOLD):
                continue
            path = f"/hall/{state.created.event}"
            if not isinstance(record, ResultsAnnounced):
                path += f"/filings/{number}"
            with self._desk.database.writing() as connection:
                at = self._desk.now()
                for mail in self._mails(connection, state, record):
                    words = {"event": state.created.name, **mail.words}
                    written += queue(connection, at, mail.kind, mail.to, path, **words)
        return written

    def _mails(self, connection: Connection, state: State, record: Record) -> Iterator[FilingMail]:
        match record:
            case FilingSubmitted() | ComplaintFiled():
                yield from self._filed(connection, state, state.filings[record.number - 1])
            case FilingDecided():
                yield from self._decided(connection, state, state.filings[record.number - 1])
            case PaymentRecorded():
                filed = state.filings[record.number - 1]
                yield from _news(
                    _owner(connection, state, filed.by),
                    "payment",
                    filed,
                    payment=Phrase(f"filings.payment.{record.payment.value}"),
                    money=_money(state, filed),
                )
                if record.payment is Payment.REVOKED:
                    yield from self._annulled(connection, state, filed)
            case ResultsAnnounced():
                for entry in state.entries:
                    owner = _owner(connection, state, entry.person.account)
                    if owner is not None:
                        words: dict[str, Param] = {
                            "topic": Phrase("mail.topic.official"),
                            "news": Phrase("mail.news.official"),
                        }
                        yield FilingMail(owner, MailKind.EVENT, words)

    def _filed(
        self, connection: Connection, state: State, filed: FiledPaper
    ) -> Iterator[FilingMail]:
        """To the addressee with its whole text, and back to whoever filed it, how it was judged."""
        judged = _judged(filed)
        moment = filed.at.astimezone(self._zone)
        for to in readers(connection, state, filed.kind, self._desk):
            yield FilingMail(
                to,
                MailKind.FILING,
                {
                    "filer": _filer(state, filed),
                    "number": filed.number,
                    "filing": Phrase(f"filings.kind.{filed.kind.value}"),
                    "text": filed.text,
                    "judged": judged,
                    "day": moment.date(),
                    "hour": f"{moment:%H:%M:%S}",
                },
            )
        yield from _news(
            _owner(connection, state, filed.by),
            "filed",
            filed,
            judged=judged,
            day=moment.date(),
            hour=f"{moment:%H:%M:%S}",
        )

    def _decided(
        self, connection: Connection, state: State, filed: FiledPaper
    ) -> Iterator[FilingMail]:
        decision = filed.decision
        if decision is None:  # pragma: no cover - a record of a decision makes one
            return
        details: dict[str, object] = {
            "outcome": Phrase(f"filings.outcome.{decision.outcome.value}"),
            "reasons": decision.reasons,
            "filer": _filer(state, filed),
        }
        told = {filed.by, decision.by}
        yield from _news(
            _owner(connection, state, filed.by),
            "decided_own",
            filed,
            money=_money(state, filed),
            **details,
        )
        for account in _concerned(state, filed):
            if account not in told:
                told.add(account)
                yield from _news(_owner(connection, state, account), "decided", filed, **details)

    def _annulled(
        self, connection: Connection, state: State, filed: FiledPaper
    ) -> Iterator[FilingMail]:
        """12.11.2 — to whom the appeal was sent, and to whoever was told of its decision."""
        told: set[int] = set()
        owner = _owner(connection, state, filed.by)
        if owner is not None:
            told.add(owner.id)
        concerned = readers(connection, state, filed.kind, self._desk)
        if filed.decision is not None:
            known = [_owner(connection, state, account) for account in _concerned(state, filed)]
            concerned += [account for account in known if account is not None]
        for account in concerned:
            if account.id not in told:
                told.add(account.id)
                yield from _news(account, "annulled", filed, filer=_filer(state, filed))


def _concerned(state: State, filed: FiledPaper) -> list[str]:
    """The accounts that a decision reaches beside whoever filed: those it is about, the chief."""
    others = [state.entries[number - 1].person.account for number in filed.about]
    return others if state.chief is None else [*others, state.chief.account]


def _filer(state: State, filed: FiledPaper) -> str:
    return filed.name or name_of(state, filed.by) or "–"


_TOLD = (FilingSubmitted, ComplaintFiled, FilingDecided, PaymentRecorded, ResultsAnnounced)


def _news(
    to: Account | None, key: str, filed: FiledPaper, **details: object
) -> Iterator[FilingMail]:
    if to is None:
        return
    kind = Phrase(f"filings.kind.{filed.kind.value}")
    news = Phrase(f"filings.news.{key}", {"kind": kind, "number": filed.number, **details})
    yield FilingMail(
        to, MailKind.FILING_NEWS, {"filing": kind, "number": filed.number, "news": news}
    )


def _judged(filed: FiledPaper) -> Phrase:
    """Whether it is considered, or every reason why it is not, with its article."""
    if not filed.reasons:
        return Phrase("filings.judged.considered")
    return Phrase("filings.judged.not_considered", {"reasons": reasons_of(filed.findings)})


def reasons_of(findings: Sequence[Inadmissible]) -> Phrase:
    """Reasons one after the other."""
    first, *rest = findings
    said = Phrase(f"filings.reason.{first.key}", {"article": first.article})
    return said if not rest else Phrase("filings.and", {"one": said, "other": reasons_of(rest)})


def _money(state: State, filed: FiledPaper) -> Phrase:
    """What becomes of the fee, as a sentence of its own."""
    money = money_of(filed, state.laws.online)
    if filed.kind is FilingKind.COMPLAINT:
        return Phrase("filings.money.free")
    return Phrase(f"filings.money.{money.key}", {"fee": money.fee, "fine": money.fine})


def _owner(connection: Connection, state: State, account: str) -> Account | None:
    """The account of somebody in an event: their own, or the one that holds their number."""
    known = account_known(connection, account)
    entry = state.entry_of(account) if account else None
    if known is None and entry is not None and entry.person.id is not None:
        return accounts.by_player(connection, entry.person.id)
    return known
