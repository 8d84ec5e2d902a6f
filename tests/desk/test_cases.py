"""13 — cases of the Fair Play Committee: heard, voted, signed, final, and seen by few."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from arrocco.desk import Office
from arrocco.desk.alarms import dismissal_of
from arrocco.desk.cases import CaseViewer, open_cases
from arrocco.desk.filing_mails import FilingMails
from arrocco.desk.filing_parties import addressees
from arrocco.desk.open_matters import MatterKind, open_matters
from arrocco.errors import Illegal, Inconsistent, Malformed, NotFound
from arrocco.hall.event.acts.filings import FilingSubmitted
from arrocco.hall.event.filings import FiledPaper, FilingFacts
from arrocco.hall.event.state import State
from arrocco.laws.online.fair_play import Seat
from arrocco.laws.online.filings import Filer, FilingKind
from arrocco.laws.online.sanctions import Scope
from arrocco.office.cases.case import CaseState
from arrocco.office.cases.records import CaseOrigin, CaseSanction, OpponentPoints
from arrocco.office.roles import Asker, Forbidden
from arrocco.store.backup import backup
from arrocco.store.blobs import Blobs
from arrocco.store.restore import restore
from arrocco.store.sql import mails
from arrocco.store.sql.database import sqlite_url
from tests.desk.offices import Clock, People
from tests.desk.test_committee import invited, name
from tests.watch.played import PlayedEvent

WARNING = (CaseSanction(article="13.5a"),)
LOSSES = (CaseSanction(article="13.3", rounds=(1,)),)


class Committee(SimpleNamespace):
    """Three members, and an event whose chief is the arbiter of the office."""

    office: Office
    clock: Clock
    master: Asker
    arbiter: Asker
    expert: Asker
    chief: Asker
    player: Asker
    event: State


@pytest.fixture
def committee(office: Office, people: People, clock: Clock) -> Committee:
    members = [invited(office, people, who) for who in ("alfa", "beta", "gamma")]
    for who, seat in zip(members, Seat, strict=True):
        name(office, people, who, seat, category="M")
    played = PlayedEvent(
        office,
        chief=str(people.arbiter.account),
        organiser=str(people.officer.account),
        accounts=(str(people.player.account),),
    )
    clock.at = played.now
    master, arbiter, expert = members
    return Committee(
        office=office,
        clock=clock,
        master=master,
        arbiter=arbiter,
        expert=expert,
        chief=people.arbiter,
        player=people.player,
        event=played.state,
        people=people,
    )


def opened(c: Committee, entry: int = 1) -> int:
    case = c.office.cases.open_case(c.master, c.event, entry, CaseOrigin.OWN, "mosse sospette")
    return case.number


def heard(c: Committee) -> int:
    """A case in which the player was asked, and let the deadline pass."""
    number = opened(c)
    until = c.clock.at + timedelta(days=2)
    c.office.cases.ask_statement(c.expert, number, c.event, until, "Che cosa dici?")
    c.clock.at = until + timedelta(seconds=1)
    return number


def propose(c: Committee, number: int, sanctions: tuple[CaseSanction, ...] = WARNING) -> None:
    c.office.cases.propose(
        c.master, number, c.event, is_breach=True, reasons="provato", sanctions=sanctions
    )


def state_of(c: Committee, number: int) -> CaseState:
    case, _ = c.office.cases.get(c.expert, number, c.event)
    return case.state(c.event.laws.online)


def test_13_3_only_members_open_cases_and_about_players_of_the_event(committee: Committee) -> None:
    c = committee
    for asker in (c.chief, c.player, c.people.root, c.people.administrator):
        with pytest.raises(Forbidden):
            c.office.cases.open_case(asker, c.event, 1, CaseOrigin.OWN, "no")
    with pytest.raises(Inconsistent):
        c.office.cases.open_case(c.master, c.event, 99, CaseOrigin.OWN, "chi?")
    with pytest.raises(Inconsistent):
        c.office.cases.open_case(c.master, c.event, 1, CaseOrigin.OWN, "  ")
    for number in ("", "1", "uno"):
        with pytest.raises(Inconsistent):  # the event has no filing
            c.office.cases.open_case(
                c.master, c.event, 1, CaseOrigin.FILING, "reclamo", reference=number
            )
    assert [opened(c), opened(c, 2)] == [1, 2]
    assert [case.number for case in c.office.cases.every(c.expert)] == [2, 1]


def test_a_case_is_seen_by_members_the_chief_and_its_player_once_asked(
    committee: Committee,
) -> None:
    c = committee
    number = opened(c)

    def seen_by(asker: Asker) -> CaseViewer | None:
        try:
            return c.office.cases.get(asker, number, c.event)[1]
        except NotFound:
            return None

    assert seen_by(c.expert) is CaseViewer.MEMBER
    assert seen_by(c.chief) is CaseViewer.CHIEF
    assert seen_by(c.player) is None, "who is suspected learns of it when asked"
    for asker in (c.people.root, c.people.administrator, c.people.officer, c.people.public):
        assert seen_by(asker) is None
        with pytest.raises(Forbidden):
            c.office.cases.every(asker)
    until = c.clock.at + timedelta(hours=1)
    c.office.cases.ask_statement(c.expert, number, c.event, until, "?")
    assert seen_by(c.player) is CaseViewer.PLAYER
    other = opened(c, 2)
    c.office.cases.ask_statement(c.expert, other, c.event, until, "?")
    with pytest.raises(NotFound):
        c.office.cases.get(c.player, other, c.event)


def test_evidence_is_kept_by_its_hash_and_reading_it_is_in_the_audit_log(
    committee: Committee,
) -> None:
    c = committee
    number = opened(c)
    c.office.cases.add_evidence(
        c.expert, number, c.event, "x/y/video.webm", b"prova", about="volto"
    )
    case, _ = c.office.cases.get(c.master, number, c.event)
    (kept,) = case.evidence
    assert (kept.name, kept.size, kept.about) == ("video.webm", 5, "volto")
    assert c.office.cases.read_evidence(c.chief, number, c.event, 1) == (kept, b"prova")
    for place in (0, 2):
        with pytest.raises(NotFound):
            c.office.cases.read_evidence(c.chief, number, c.event, place)
    with pytest.raises(Malformed):
        c.office.cases.add_evidence(c.expert, number, c.event, "empty", b"")
    c.office.cases.ask_statement(
        c.expert, number, c.event, c.clock.at + timedelta(hours=1), "Che cosa dici?"
    )
    with pytest.raises(NotFound):
        c.office.cases.read_evidence(c.player, number, c.event, 1)


def test_evidence_is_part_of_backups(committee: Committee, tmp_path: Path) -> None:
    c = committee
    number = opened(c)
    c.office.cases.add_evidence(c.expert, number, c.event, "mosse.txt", b"prova")
    (kept,) = c.office.cases.get(c.master, number, c.event)[0].evidence
    archive = tmp_path / "backup.zip"
    backup(c.office.folder, c.office.desk.database, archive)
    folder, database = tmp_path / "restored", sqlite_url(tmp_path / "restored")
    restore(archive, folder, database)
    assert Blobs(folder / "blobs").get(kept.blob) == b"prova"


def test_the_player_speaks_once_and_until_the_deadline(committee: Committee) -> None:
    c = committee
    number = opened(c)
    cases, start = c.office.cases, c.clock.at
    with pytest.raises(Inconsistent):
        cases.ask_statement(c.expert, number, c.event, start, "?")
    until = start + timedelta(hours=2)
    cases.ask_statement(c.expert, number, c.event, until, "Che cosa dici?")
    with pytest.raises(Illegal):
        cases.ask_statement(c.expert, number, c.event, until - timedelta(seconds=1), "meno")
    cases.ask_statement(c.expert, number, c.event, until + timedelta(hours=1), "più tempo")
    until += timedelta(hours=1)
    for asker in (c.chief, c.expert, c.people.root):
        with pytest.raises(NotFound):
            cases.give_statement(asker, number, c.event, "non sono io")
    c.clock.at = until + timedelta(microseconds=1)
    with pytest.raises(Illegal) as refusal:
        cases.give_statement(c.player, number, c.event, "tardi")
    assert refusal.value.key == "cases.refused.statement_late"
    c.clock.at = until
    cases.give_statement(c.player, number, c.event, "Ho giocato da solo.")
    with pytest.raises(Illegal):
        cases.give_statement(c.player, number, c.event, "ancora")
    case, _ = cases.get(c.player, number, c.event)
    assert case.statement is not None
    assert case.statement.text == "Ho giocato da solo."


def test_no_sanction_before_the_player_was_heard(committee: Committee) -> None:
    c = committee
    number = opened(c)
    with pytest.raises(Illegal) as refusal:
        propose(c, number)
    assert refusal.value.key == "cases.refused.not_heard"
    until = c.clock.at + timedelta(hours=2)
    c.office.cases.ask_statement(c.expert, number, c.event, until, "?")
    c.clock.at = until
    with pytest.raises(Illegal):
        propose(c, number)
    c.clock.at = until + timedelta(microseconds=1)
    propose(c, number)


def test_without_a_breach_a_case_is_closed_by_the_majority(committee: Committee) -> None:
    c = committee
    number = opened(c)
    cases = c.office.cases
    with pytest.raises(Illegal):
        cases.propose(
            c.master, number, c.event, is_breach=False, reasons="nulla", sanctions=WARNING
        )
    cases.propose(c.master, number, c.event, is_breach=False, reasons="gioco normale")
    assert state_of(c, number) is CaseState.OPEN
    cases.vote(c.expert, number, c.event, 1, in_favour=True)
    assert state_of(c, number) is CaseState.CLOSED


def test_13_1_two_of_three_decide_and_everybody_votes_once(committee: Committee) -> None:
    c = committee
    number = heard(c)
    propose(c, number)
    cases = c.office.cases
    with pytest.raises(Illegal):
        cases.vote(c.master, number, c.event, 1, in_favour=True)
    cases.vote(c.arbiter, number, c.event, 1, in_favour=False)
    assert state_of(c, number) is CaseState.OPEN
    with pytest.raises(Forbidden):
        cases.vote(c.chief, number, c.event, 1, in_favour=True)
    with pytest.raises(Inconsistent):
        cases.vote(c.expert, number, c.event, 2, in_favour=True)
    cases.vote(c.expert, number, c.event, 1, in_favour=True)
    assert state_of(c, number) is CaseState.TO_CARRY_OUT


def test_13_1_a_seat_has_one_vote_also_when_its_holder_changes(committee: Committee) -> None:
    c = committee
    number = heard(c)
    propose(c, number)
    c.clock.at += timedelta(seconds=1)
    (term,) = [one.member.id for one in c.office.committee.members() if one.name == c.master.name]
    c.office.committee.end_term(c.people.root, term, "dimissioni")
    successor = invited(c.office, c.people, "delta")
    name(c.office, c.people, successor, Seat.MASTER, category="M")
    with pytest.raises(Illegal) as refused:
        c.office.cases.vote(successor, number, c.event, 1, in_favour=True)
    assert refused.value.key == "cases.refused.seat_voted"
    assert state_of(c, number) is CaseState.OPEN
    c.office.cases.vote(c.expert, number, c.event, 1, in_favour=True)
    assert state_of(c, number) is CaseState.TO_CARRY_OUT


def test_12_7_a_decision_is_final(committee: Committee) -> None:
    c = committee
    number = heard(c)
    propose(c, number)
    cases = c.office.cases
    cases.vote(c.expert, number, c.event, 1, in_favour=True)
    later = c.clock.at + timedelta(days=3)
    repeated: tuple[Callable[[], object], ...] = (
        lambda: propose(c, number),
        lambda: cases.vote(c.arbiter, number, c.event, 1, in_favour=False),
        lambda: cases.ask_statement(c.expert, number, c.event, later, "ancora"),
    )
    for again in repeated:
        with pytest.raises(Illegal) as refusal:
            again()
        assert refusal.value.key == "cases.refused.decided"


@pytest.mark.parametrize(
    ("sanction", "needs"),
    [
        (CaseSanction(article="13.3", rounds=(1,)), True),
        (CaseSanction(article="13.5c", scope=Scope.TOURNAMENT), True),
        (CaseSanction(article="13.5c", scope=Scope.PERIOD, days=30), True),
        (CaseSanction(article="13.5c", scope=Scope.ROUNDS, rounds=(3,)), False),
        (CaseSanction(article="13.5d", scope=Scope.TOURNAMENT), False),
        (CaseSanction(article="13.5a"), False),
        (CaseSanction(article="13.5b", round=1, points=(0, 0)), False),
        (CaseSanction(article="13.5e"), False),
        (CaseSanction(article="13.5f"), False),
    ],
)
def test_13_3_losses_and_disqualification_need_two_signatures(
    committee: Committee, sanction: CaseSanction, needs: bool
) -> None:
    c = committee
    number = heard(c)
    propose(c, number, (sanction,))
    cases = c.office.cases
    with pytest.raises(Illegal):  # the committee has not adopted it
        cases.sign(c.chief, number, c.event, 1, agrees=True)
    cases.vote(c.expert, number, c.event, 1, in_favour=True)
    if not needs:
        assert state_of(c, number) is CaseState.TO_CARRY_OUT
        with pytest.raises(Illegal):
            cases.sign(c.chief, number, c.event, 1, agrees=True)
        return
    assert state_of(c, number) is CaseState.WAITS_FOR_CHIEF
    for asker in (c.expert, c.player, c.people.officer, c.people.root):
        with pytest.raises(NotFound):
            cases.sign(asker, number, c.event, 1, agrees=True)
    cases.sign(c.chief, number, c.event, 1, agrees=True)
    assert state_of(c, number) is CaseState.TO_CARRY_OUT
    with pytest.raises(Illegal):
        cases.sign(c.chief, number, c.event, 1, agrees=False, reason="ripenso")


def test_13_3_without_the_chief_the_committee_decides_anew(committee: Committee) -> None:
    c = committee
    number = heard(c)
    propose(c, number, LOSSES)
    cases = c.office.cases
    cases.vote(c.expert, number, c.event, 1, in_favour=True)
    with pytest.raises(Inconsistent):
        cases.sign(c.chief, number, c.event, 1, agrees=False, reason=" ")
    cases.sign(c.chief, number, c.event, 1, agrees=False, reason="prove deboli")
    assert state_of(c, number) is CaseState.OPEN
    propose(c, number, WARNING)
    cases.vote(c.arbiter, number, c.event, 2, in_favour=True)
    assert state_of(c, number) is CaseState.TO_CARRY_OUT


@pytest.mark.parametrize(
    ("sanctions", "key"),
    [
        ((), "no_sanction"),
        ((CaseSanction(article="6.9a"),), "article"),
        ((CaseSanction(article="13.3"),), "no_rounds"),
        ((CaseSanction(article="13.5b"),), "no_score"),
        ((CaseSanction(article="13.5c"),), "no_extent"),
        ((CaseSanction(article="13.5c", scope=Scope.PERIOD),), "no_extent"),
        ((CaseSanction(article="13.5c", scope=Scope.ROUNDS),), "no_extent"),
        ((CaseSanction(article="13.5d", scope=Scope.PERIOD, days=3),), "no_extent"),
        (
            (
                CaseSanction(article="13.3", rounds=(1,), opponents=OpponentPoints.WIN),
                CaseSanction(article="13.5d", scope=Scope.TOURNAMENT),
            ),
            "opponents_of_excluded",
        ),
    ],
)
def test_13_5_sanctions_within_their_limits(
    committee: Committee, sanctions: tuple[CaseSanction, ...], key: str
) -> None:
    number = heard(committee)
    with pytest.raises((Illegal, Inconsistent)) as refusal:
        propose(committee, number, sanctions)
    assert refusal.value.key == f"cases.refused.{key}"


def test_a_member_with_a_conflict_takes_no_part_and_sees_no_more(committee: Committee) -> None:
    c = committee
    number = heard(c)
    c.office.cases.recuse(c.arbiter, number, c.event, "alleno il giocatore")
    with pytest.raises(NotFound):
        c.office.cases.get(c.arbiter, number, c.event)
    propose(c, number)
    cases = c.office.cases
    acts: tuple[Callable[[], object], ...] = (
        lambda: cases.vote(c.arbiter, number, c.event, 1, in_favour=True),
        lambda: cases.add_note(c.arbiter, number, c.event, "nota"),
        lambda: cases.propose(c.arbiter, number, c.event, is_breach=False, reasons="nulla"),
    )
    for act in acts:
        with pytest.raises(Illegal) as refusal:
            act()
        assert refusal.value.key == "cases.refused.conflict"
    with pytest.raises(Illegal):  # who has voted does not take it back by that
        c.office.cases.recuse(c.master, number, c.event, "ripenso")


def test_a_member_who_takes_part_in_the_event_has_a_conflict(committee: Committee) -> None:
    c = committee
    chiefs = tuple(replace(one, account=str(c.master.account)) for one in c.event.arbiters)
    event = replace(c.event, arbiters=chiefs)
    with pytest.raises(Illegal) as refusal:
        c.office.cases.open_case(c.master, event, 1, CaseOrigin.OWN, "no")
    assert refusal.value.key == "cases.refused.conflict"
    case = c.office.cases.open_case(c.expert, event, 1, CaseOrigin.OWN, "sì")
    assert c.office.cases.get(c.master, case.number, event)[1] is CaseViewer.CHIEF


def test_12_9_an_appeal_is_written_to_no_member_with_a_part_in_the_event(
    committee: Committee,
) -> None:
    c = committee
    assert c.master.account is not None
    own = replace(c.event.arbiters[0], account=str(c.master.account), chief=False)
    filed = FiledPaper(number=1, kind=FilingKind.APPEAL, at=c.clock.at, by="", text="di lei")
    event = replace(c.event, arbiters=(*c.event.arbiters, own), filings=(filed,))
    facts = FilingFacts(role=Filer.PLAYER, received=filed.at, counted_from=filed.at)
    record = FilingSubmitted(
        at=filed.at,
        by="1",
        number=1,
        kind=filed.kind,
        way=filed.way,
        text=filed.text,
        filer="",
        facts=facts,
    )
    FilingMails(c.office.desk, UTC)(event, [record])
    with c.office.desk.database.reading() as connection:
        told = {mail.account for mail in mails.newest(connection) if mail.kind == "filing"}
        whole = addressees(connection, event, filed.kind, c.office.desk)
    assert told == {c.expert.account, c.arbiter.account}
    assert c.master.account in {account.id for account in whole}, "it was sent to the right place"


def test_12_6_an_open_case_is_an_open_matter_until_it_is_carried_out(
    committee: Committee,
) -> None:
    c = committee
    number = heard(c)

    def is_open() -> bool:
        with c.office.desk.database.reading() as connection:
            told = bool(open_cases(connection, c.event))
        kinds = [matter.kind for matter in open_matters(c.office.desk, c.event)]
        assert told is (MatterKind.CASE in kinds)
        return told

    assert is_open()
    propose(c, number)
    c.office.cases.vote(c.expert, number, c.event, 1, in_favour=True)
    assert is_open()
    c.office.cases.carried_out(c.expert, number, c.event, 1)
    assert not is_open()
    c.office.cases.carried_out(c.expert, number, c.event, 1)
    assert state_of(c, number) is CaseState.CLOSED


def test_player_and_chief_are_written_to(committee: Committee) -> None:
    c = committee
    number = heard(c)
    propose(c, number, LOSSES)
    c.office.cases.vote(c.expert, number, c.event, 1, in_favour=True)
    c.office.cases.sign(c.chief, number, c.event, 1, agrees=True)
    with c.office.desk.database.reading() as connection:
        sent = mails.newest(connection)
    told = [(mail.account, mail.kind) for mail in sent if mail.kind == "case"]
    assert sorted(told) == sorted(
        [(c.player.account, "case"), (c.chief.account, "case"), (c.player.account, "case")]
    )


@pytest.mark.parametrize("is_breach", [True, False])
def test_13_3_a_breach_is_reported_to_the_chief_arbiter_also_where_nobody_signs(
    committee: Committee, is_breach: bool
) -> None:
    c = committee
    number = heard(c)
    sanctions = WARNING if is_breach else ()
    c.office.cases.propose(
        c.master, number, c.event, is_breach=is_breach, reasons="visto", sanctions=sanctions
    )
    c.office.cases.vote(c.expert, number, c.event, 1, in_favour=True)
    with c.office.desk.database.reading() as connection:
        told = [mail.account for mail in mails.newest(connection) if "breach" in str(mail.params)]
    assert told == ([c.chief.account] if is_breach else [])


def test_13_4_a_referral_is_entered_with_its_addressee(committee: Committee) -> None:
    c = committee
    number = heard(c)
    c.office.cases.refer(c.expert, number, c.event, "Procura Federale", "si chiede di procedere")
    case, _ = c.office.cases.get(c.master, number, c.event)
    assert [one.addressee for one in case.referrals] == ["Procura Federale"]
    with pytest.raises(Forbidden):
        c.office.cases.refer(c.chief, number, c.event, "Procura", "no")


def test_12_2_a_dismissed_alarm_stays_dismissed_until_there_is_another_game(
    committee: Committee,
) -> None:
    c = committee
    alarms = c.office.fair_play_alarms
    for asker in (c.player, c.people.officer, c.people.root):
        with pytest.raises(NotFound):
            alarms.dismiss(asker, c.event, 1, ("a", "b"), "no")
    with pytest.raises(Inconsistent):
        alarms.dismiss(c.chief, c.event, 1, ("a", "b"), " ")
    alarms.dismiss(c.chief, c.event, 1, ("a", "b"), "linee note")
    held = alarms.dismissed(c.event.created.event)
    assert dismissal_of(held, 1, ("a", "b")) is not None
    assert dismissal_of(held, 1, ("b",)) is not None, "fewer games are no new evidence"
    assert dismissal_of(held, 1, ("a", "b", "c")) is None
    assert dismissal_of(held, 2, ("a",)) is None
