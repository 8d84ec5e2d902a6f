"""The cases of the Fair Play Committee: who opens, hears, proposes, votes and signs (13)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from enum import StrEnum

from sqlalchemy import Connection

from arrocco.desk.case_mails import tell_account
from arrocco.desk.committee import is_member, require_member, seat_held
from arrocco.desk.desk import Act, Desk, account_of
from arrocco.desk.uploads import MAX_BYTES, plain_name
from arrocco.errors import Illegal, Inconsistent, Malformed, NotFound
from arrocco.hall.event.records import EventRole
from arrocco.hall.event.state import State
from arrocco.laws.online.law import OnlineLaw
from arrocco.office.cases import CommitteeCase, rules
from arrocco.office.cases.case import CaseState
from arrocco.office.cases.records import (
    AnyCaseRecord,
    CaseOpened,
    CaseOrigin,
    CaseReferred,
    CaseSanction,
    ChiefSigned,
    DecisionProposed,
    EvidenceAdded,
    HearingOpened,
    MemberRecused,
    NoteAdded,
    SanctionCarriedOut,
    StatementGiven,
    VoteCast,
)
from arrocco.office.roles import Asker, Permission, require
from arrocco.store.sql import committee_cases, committee_members


class CaseViewer(StrEnum):
    """As what somebody sees a case."""

    MEMBER = "member"
    CHIEF = "chief"
    PLAYER = "player"


class Cases:
    """What is entered in cases, each act in one transaction with its line in the audit log."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    # --- looking ----------------------------------------------------------------------------------

    def every(self, asker: Asker) -> list[CommitteeCase]:
        """All cases, the newest first, for the members, but those that the asker has recused
        themselves from. Whoever shows them asks of each event whether the asker takes part in it.
        """
        with self._desk.looking(asker, "see_cases") as connection:
            require_member(connection, asker, self._desk.now())
            cases = committee_cases.every(connection)
            return [case for case in cases if account_of(asker) not in case.recused]

    def get(self, asker: Asker, number: int, event: State) -> tuple[CommitteeCase, CaseViewer]:
        """A case and as what the asker sees it. Raises `NotFound` for everybody else."""
        with self._desk.looking(asker, "see_case", f"case:{number}") as connection:
            case = named_case(connection, number)
            viewer = self._viewer(connection, asker, case, event)
            if viewer is None:
                raise NotFound.of("cases.refused.none", number=number)
            return case, viewer

    def event_of(self, number: int) -> str:
        """The event of a case. Raises `NotFound`."""
        with self._desk.database.reading() as connection:
            return named_case(connection, number).opened.event

    def _viewer(
        self, connection: Connection, asker: Asker, case: CommitteeCase, event: State
    ) -> CaseViewer | None:
        is_free = not has_conflict(account_of(asker), case, event)
        if is_free and is_member(connection, asker.account, self._desk.now()):
            return CaseViewer.MEMBER
        account = "" if asker.account is None else str(asker.account)
        if account and EventRole.CHIEF in event.roles(account):
            return CaseViewer.CHIEF
        entry = event.entry(case.opened.entry)
        is_player = entry is not None and (
            account == entry.person.account
            or (asker.player is not None and asker.player == entry.person.id)
        )
        # Who is under suspicion learns of it when asked to speak, and then of the decision.
        is_told = case.hearing is not None or case.decision(event.laws.online) is not None
        return CaseViewer.PLAYER if is_player and is_told else None

    # --- members ----------------------------------------------------------------------------------

    def open_case(
        self,
        asker: Asker,
        event: State,
        entry: int,
        origin: CaseOrigin,
        subject: str,
        *,
        reference: str = "",
    ) -> CommitteeCase:
        """13.3 — a member opens a case about a player of an event."""
        with self._desk.acting(asker, "open_case", f"event:{event.created.event}") as act:
            require_member(act.connection, asker, act.at)
            if event.roles(str(account_of(asker))) != [EventRole.NOBODY]:
                raise Illegal.of("cases.refused.conflict")
            player = event.entry(entry)
            if player is None:
                raise Inconsistent.of("cases.refused.no_player")
            numbers = {str(filed.number) for filed in event.filings}
            if origin is CaseOrigin.FILING and reference.strip() not in numbers:
                raise Inconsistent.of("cases.refused.no_filing")
            opened = CaseOpened(
                at=act.at,
                by=account_of(asker),
                event=event.created.event,
                event_name=event.created.name,
                entry=entry,
                player=player.person.full_name,
                account=player.person.account,
                origin=origin,
                reference=reference.strip()[:100],
                subject=rules.checked_text(subject),
            )
            case = committee_cases.open_case(act.connection, opened)
            act.details |= {"case": case.number, "origin": origin.value}
            return case

    def add_evidence(
        self,
        asker: Asker,
        number: int,
        event: State,
        name: str,
        data: bytes,
        *,
        media_type: str = "application/octet-stream",
        about: str = "",
    ) -> CommitteeCase:
        """Keeps a file with the case, under the SHA-256 of its bytes."""
        if not 0 < len(data) <= MAX_BYTES:
            raise Malformed.of("cases.refused.file", megabytes=MAX_BYTES >> 20)
        with self._member(asker, "add_evidence", number, event) as (act, case):
            # Evidence can still come while justice asks; what was decided stays as it is.
            record = EvidenceAdded(
                at=act.at,
                by=account_of(asker),
                name=plain_name(name),
                media_type=media_type[:100],
                blob=self._desk.blobs.put(data),
                size=len(data),
                about=rules.checked_text(about, needed=False),
            )
            act.details |= {"blob": record.blob}
            return self._enter(act, case, record)

    def read_evidence(
        self, asker: Asker, number: int, event: State, place: int
    ) -> tuple[EvidenceAdded, bytes]:
        """A file of the case, for members and the chief arbiter; the audit log has who read it."""
        case, viewer = self.get(asker, number, event)
        if viewer is CaseViewer.PLAYER or not 1 <= place <= len(case.evidence):
            raise NotFound.of("cases.refused.none", number=number)
        with self._desk.acting(asker, "read_evidence", f"case:{number}") as act:
            record = case.evidence[place - 1]
            act.details |= {"blob": record.blob}
            return record, self._desk.blobs.get(record.blob)

    def add_note(self, asker: Asker, number: int, event: State, text: str) -> CommitteeCase:
        """A note that only members read."""
        with self._member(asker, "add_case_note", number, event) as (act, case):
            words = rules.checked_text(text)
            return self._enter(act, case, NoteAdded(at=act.at, by=account_of(asker), text=words))

    def recuse(self, asker: Asker, number: int, event: State, reason: str) -> CommitteeCase:
        """A member says that they have a conflict of interest, and sees no more of the case."""
        with self._member(asker, "recuse", number, event) as (act, case):
            member = account_of(asker)
            if any(member in proposal.votes for proposal in case.proposals):
                raise Illegal.of("cases.refused.voted")
            words = rules.checked_text(reason)
            return self._enter(act, case, MemberRecused(at=act.at, by=member, reason=words))

    def ask_statement(
        self, asker: Asker, number: int, event: State, until: datetime, question: str
    ) -> CommitteeCase:
        """Asks the player for a statement, until a moment; the player is written to."""
        with self._member(asker, "ask_statement", number, event) as (act, case):
            rules.check_hearing(case, _law(event), until, act.at)
            record = HearingOpened(
                at=act.at,
                by=account_of(asker),
                until=until,
                question=rules.checked_text(question),
            )
            act.details |= {"until": until.isoformat()}
            tell_account(act, case, case.opened.account, "hearing")
            return self._enter(act, case, record)

    def propose(
        self,
        asker: Asker,
        number: int,
        event: State,
        *,
        is_breach: bool,
        reasons: str,
        sanctions: tuple[CaseSanction, ...] = (),
    ) -> CommitteeCase:
        """13.5 — a member proposes a decision, and votes for it by that."""
        with self._member(asker, "propose_decision", number, event) as (act, case):
            rules.check_proposal(
                case, _law(event), is_breach=is_breach, sanctions=sanctions, now=act.at
            )
            member = account_of(asker)
            put = DecisionProposed(
                at=act.at,
                by=member,
                is_breach=is_breach,
                reasons=rules.checked_text(reasons),
                sanctions=sanctions,
            )
            case = self._enter(act, case, put)
            place = len(case.proposals)
            vote = VoteCast(at=act.at, by=member, proposal=place, in_favour=True)
            return self._voted(act, case, event, vote)

    def vote(
        self, asker: Asker, number: int, event: State, proposal: int, *, in_favour: bool
    ) -> CommitteeCase:
        """A member without a conflict of interest votes; the majority of the seats decides."""
        with self._member(asker, "vote_on_decision", number, event) as (act, case):
            member = account_of(asker)
            rules.check_vote(case, _law(event), proposal, member)
            _check_seat(act, case, proposal, member)
            vote = VoteCast(at=act.at, by=member, proposal=proposal, in_favour=in_favour)
            act.details |= {"proposal": proposal}
            return self._voted(act, case, event, vote)

    def _voted(self, act: Act, case: CommitteeCase, event: State, vote: VoteCast) -> CommitteeCase:
        case = self._enter(act, case, vote)
        chief = event.chief
        match case.state(_law(event)):
            case CaseState.WAITS_FOR_CHIEF if chief is not None:
                tell_account(act, case, chief.account, "signature")
            case CaseState.TO_CARRY_OUT | CaseState.CLOSED:
                tell_account(act, case, case.opened.account, "decision")
                decision = case.decision(_law(event))
                if chief is not None and decision is not None and decision.put.is_breach:
                    tell_account(act, case, chief.account, "breach")  # 13.3, signed or not
        return case

    def refer(
        self, asker: Asker, number: int, event: State, addressee: str, text: str
    ) -> CommitteeCase:
        """13.4, 5.18 — the case goes to federal justice."""
        with self._member(asker, "refer_case", number, event) as (act, case):
            record = CaseReferred(
                at=act.at,
                by=account_of(asker),
                addressee=rules.checked_text(addressee)[:300],
                text=rules.checked_text(text),
            )
            return self._enter(act, case, record)

    def carried_out(self, asker: Asker, number: int, event: State, sanction: int) -> CommitteeCase:
        """Notes that the event has taken a sanction of the decision."""
        with self._desk.acting(asker, "carry_out_sanction", f"case:{number}") as act:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            case = named_case(act.connection, number)
            if sanction not in dict(case.to_carry_out(_law(event))):
                return case
            act.details |= {"sanction": sanction}
            done = SanctionCarriedOut(at=act.at, by=account_of(asker), sanction=sanction)
            return self._enter(act, case, done)

    # --- the chief arbiter and the player ---------------------------------------------------------

    def sign(
        self,
        asker: Asker,
        number: int,
        event: State,
        proposal: int,
        *,
        agrees: bool,
        reason: str = "",
    ) -> CommitteeCase:
        """13.3 — the chief arbiter of the event signs with the committee, or says why not."""
        with self._desk.acting(asker, "sign_decision", f"case:{number}") as act:
            case = named_case(act.connection, number)
            account = str(account_of(asker))
            if EventRole.CHIEF not in event.roles(account):
                raise NotFound.of("cases.refused.none", number=number)
            rules.check_signature(case, _law(event), proposal)
            if account_of(asker) in case.proposals[proposal - 1].votes:
                raise Illegal.of("cases.refused.both_signatures")
            signed = ChiefSigned(
                at=act.at,
                by=account_of(asker),
                proposal=proposal,
                agrees=agrees,
                reason=rules.checked_text(reason, needed=not agrees),
            )
            act.details |= {"proposal": proposal, "agrees": agrees}
            case = self._enter(act, case, signed)
            if agrees:
                tell_account(act, case, case.opened.account, "decision")
            return case

    def give_statement(self, asker: Asker, number: int, event: State, text: str) -> CommitteeCase:
        """The player says what they have to say, once and until the deadline."""
        with self._desk.acting(asker, "give_statement", f"case:{number}") as act:
            case = named_case(act.connection, number)
            if self._viewer(act.connection, asker, case, event) is not CaseViewer.PLAYER:
                raise NotFound.of("cases.refused.none", number=number)
            rules.check_statement(case, _law(event), act.at)
            words = rules.checked_text(text)
            given = StatementGiven(at=act.at, by=account_of(asker), text=words)
            return self._enter(act, case, given)

    # --- what acts share --------------------------------------------------------------------------

    @contextmanager
    def _member(
        self, asker: Asker, action: str, number: int, event: State
    ) -> Iterator[tuple[Act, CommitteeCase]]:
        """A member without a conflict of interest acts. Raises `Forbidden`, `Illegal`."""
        with self._desk.acting(asker, action, f"case:{number}") as act:
            require_member(act.connection, asker, act.at)
            case = named_case(act.connection, number)
            if has_conflict(account_of(asker), case, event):
                raise Illegal.of("cases.refused.conflict")
            yield act, case

    def _enter(self, act: Act, case: CommitteeCase, record: AnyCaseRecord) -> CommitteeCase:
        rules.check_room(case)
        return committee_cases.add(act.connection, case, record)


def has_conflict(account: int, case: CommitteeCase, event: State) -> bool:
    """Whether a member has recused themselves, or takes part in the event of the case."""
    name = str(account)
    takes_part = event.roles(name) != [EventRole.NOBODY] or event.team_of_captain(name) is not None
    return account in case.recused or takes_part


def _check_seat(act: Act, case: CommitteeCase, proposal: int, member: int) -> None:
    """13.1 — a seat has one vote: whoever follows in it does not vote again. Raises `Illegal`."""
    own = seat_held(act.connection, member, act.at)
    for record in case.records:
        if (
            isinstance(record, VoteCast)
            and record.proposal == proposal
            and committee_members.seat_of(act.connection, record.by, record.at) is own
        ):
            raise Illegal.of("cases.refused.seat_voted")


def named_case(connection: Connection, number: int) -> CommitteeCase:
    """A case by its number. Raises `NotFound`."""
    case = committee_cases.get(connection, number)
    if case is None:
        raise NotFound.of("cases.refused.none", number=number)
    return case


def open_cases(connection: Connection, event: State) -> list[CommitteeCase]:
    """12.6 — the cases of an event in which something is still to be decided or done."""
    law = _law(event)
    cases = committee_cases.of_event(connection, event.created.event)
    return [case for case in cases if case.is_open(law)]


def _law(event: State) -> OnlineLaw:
    return event.laws.online
