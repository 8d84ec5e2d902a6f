"""Logs as files, and commands as messages: whole and exact, or refused in both languages."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from arrocco.errors import Inconsistent, Malformed, Refusal
from arrocco.hall.event import RECORD_TYPES, decode, dump, encode, fold, load, read_command
from arrocco.hall.event.acts.announcements import Announce
from arrocco.hall.event.acts.byes import CancelBye, RequestBye
from arrocco.hall.event.acts.championship import JoinChampionship
from arrocco.hall.event.acts.chat import Say
from arrocco.hall.event.acts.check_waivers import WaiveCheck
from arrocco.hall.event.acts.closing import Closed, Validate, Validated
from arrocco.hall.event.acts.committee import TakeMeasure
from arrocco.hall.event.acts.complaints import FileComplaint
from arrocco.hall.event.acts.consent import WORDS, ConsentToVideo
from arrocco.hall.event.acts.entries import (
    CheckedIn,
    CheckIn,
    CorrectPerson,
    Enter,
    WithdrawEntry,
)
from arrocco.hall.event.acts.entry_links import MakeEntryLink, WithdrawEntryLink
from arrocco.hall.event.acts.filing_decisions import DecideFiling, RecordPayment
from arrocco.hall.event.acts.filings import SubmitFiling
from arrocco.hall.event.acts.forbidden_pairs import AllowPair, ForbidPair, PairForbidden
from arrocco.hall.event.acts.group_checks import RequestRoomChecks
from arrocco.hall.event.acts.joining import AnnounceAbsence, NoteJoined, SetJoiningTime
from arrocco.hall.event.acts.official import AnnounceResults, DeclareChecks
from arrocco.hall.event.acts.officials import (
    AppointArbiter,
    AssignZone,
    DismissArbiter,
    SetRules,
    ZoneAssigned,
)
from arrocco.hall.event.acts.pairing import PairByHand, PairRound, RoundPaired, WithdrawPairing
from arrocco.hall.event.acts.prizes import SetPrizes
from arrocco.hall.event.acts.recording_access import WatchRecording
from arrocco.hall.event.acts.results import (
    CorrectResult,
    ResultCorrected,
    ResultTaken,
    TakeBack,
    TakeResult,
)
from arrocco.hall.event.acts.room_checks import AnswerRoomCheck, RecordRoomCheck, RequestRoomCheck
from arrocco.hall.event.acts.rounds import DelayRound, DrawSample, RoundOpened
from arrocco.hall.event.acts.sanctions import Impose, LiftSanction, SanctionLifted
from arrocco.hall.event.acts.schedule import HoldStart, ReleaseStart, SetSchedule
from arrocco.hall.event.acts.talks import BeginTalk, EndTalk
from arrocco.hall.event.acts.teams import SetTeams
from arrocco.hall.event.acts.template import SaveTemplate
from arrocco.hall.event.acts.waiting import Entered, LeaveWaitingList
from arrocco.hall.event.filings import FilingOutcome, FilingWay, Paper, Payment
from arrocco.hall.event.prize_table import PrizeCategory, PrizeTable
from arrocco.hall.event.record import Record
from arrocco.hall.event.records import Arbiter, PairingSystem
from arrocco.hall.event.rules import Supervision
from arrocco.hall.event.schedule import Schedule
from arrocco.hall.event.state import Team
from arrocco.hall.event.talk import TalkReason
from arrocco.hall.event.wire import MAX_BYTES, read_create
from arrocco.hall.game.records import InspectionPoint
from arrocco.laws.online.filings import FilingKind
from arrocco.laws.online.sanctions import Scope
from arrocco.records.report import ByeKind, GameKind
from arrocco.words import LANGUAGES
from tests.hall.event.desk import (
    CHIEF,
    FORFEIT,
    HELPER,
    ORGANISER,
    START,
    WIN,
    Desk,
    person,
    result,
)


def eventful() -> Desk:
    """An event in which everything happens that can."""
    desk = Desk(6, supervision=Supervision.SAMPLE, sample=2, half_point_byes=1, rounds=2)
    desk.appoint(HELPER, "Anna", zone=(1, 2))
    desk.granted(AssignZone(by=CHIEF, account=HELPER, zone=(2, 3)))
    desk.granted(DismissArbiter(by=CHIEF, account=HELPER))
    desk.granted(CorrectPerson(by=ORGANISER, entry=1, person=person(1, surname="Acero")))
    for entry in range(1, 6):
        desk.granted(CheckIn(by=f"p{entry}", entry=entry))
    desk.granted(RequestBye(by="p6", entry=6, round=1, kind=ByeKind.HALF_POINT))
    desk.granted(JoinChampionship(by=ORGANISER, name="Campionato delle Piante"))
    desk.granted(RequestBye(by="p5", entry=5, round=1))
    desk.granted(CancelBye(by="p5", entry=5, round=1))
    desk.granted(ForbidPair(by=CHIEF, one=2, other=1, reason="sisters"))
    desk.granted(AllowPair(by=CHIEF, one=1, other=2))
    schedule = Schedule(starts=(START + timedelta(minutes=5),), cap=6)
    desk.granted(SetSchedule(by=ORGANISER, schedule=schedule))
    desk.granted(HoldStart(by=CHIEF, reason="the video conference"))
    desk.granted(ReleaseStart(by=CHIEF))
    link = MakeEntryLink(by=ORGANISER, digest="0" * 64, until=START + timedelta(days=1), cap=2)
    desk.granted(link)
    desk.granted(WithdrawEntryLink(by=ORGANISER, number=1))
    desk.granted(Enter(by="p7", person=person(7)))
    desk.granted(LeaveWaitingList(by="p7"))
    desk.granted(Announce(by=CHIEF, text="Welcome."))
    desk.granted(TakeMeasure(by="", member="m1", text="due webcam", is_ordered=True))
    desk.granted(ConsentToVideo(by="p1", words=WORDS))
    desk.granted(SetJoiningTime(by=CHIEF, joining=START + timedelta(minutes=4)))
    desk.granted(NoteJoined(by="", entry=1))
    desk.granted(AnnounceAbsence(by="p6", entry=6, reason="a wedding"))
    desk.granted(RequestRoomCheck(by=CHIEF, entry=1, point=InspectionPoint.ROOM))
    desk.granted(AnswerRoomCheck(by="p1", point=InspectionPoint.ROOM, shows=True))
    desk.granted(
        RequestRoomChecks(by=CHIEF, points=(InspectionPoint.EARS,), sample=2, seed="17 42 3")
    )
    desk.granted(RecordRoomCheck(by=CHIEF, entry=1, point=InspectionPoint.ROOM, in_order=True))
    desk.granted(
        WatchRecording(by=CHIEF, capacity="chief", recording="1-camera-1", reason="a voice")
    )
    desk.granted(
        BeginTalk(by=CHIEF, talk="ab" * 8, entries=(1, 2), why=TalkReason.OTHER, note="a noise")
    )
    desk.granted(EndTalk(by="", talk="ab" * 8, ended=START + timedelta(minutes=1), reached=(1,)))
    desk.granted(SaveTemplate(by=ORGANISER, name="weekly blitz"))
    general = PrizeCategory(name="General", cents=(10_000,))
    desk.granted(SetPrizes(by=ORGANISER, prizes=PrizeTable(categories=(general,))))
    desk.pair()
    desk.granted(WithdrawPairing(by=CHIEF, reason="again"))
    desk.granted(PairRound(by=CHIEF, starts=START + timedelta(minutes=5)))
    desk.granted(DelayRound(by=CHIEF, starts=START + timedelta(minutes=6), reason="rain"))
    desk.granted(DrawSample(by=CHIEF, seed="42"))
    desk.later(minutes=6).open()
    desk.granted(TakeBack(by="", round=1, board=1, white=desk.boards[0][1]))
    desk.granted(TakeBack(by="", round=1, board=1, white=desk.boards[0][1]))
    desk.take(1, WIN)
    forfeit = result(WIN, FORFEIT)
    by_hand = TakeResult(by=CHIEF, round=1, board=2, result=forfeit, reason="a damaged log")
    desk.granted(by_hand)
    desk.close()
    desk.impose("6.9e", 1, round=1, points=(5, 0))
    desk.granted(LiftSanction(by=CHIEF, number=1, reason="no"))
    desk.granted(
        CorrectResult(by=CHIEF, round=1, board=1, points=(0, 10), article="5.16", reason="x")
    )
    desk.granted(Say(by="p2", text="when do we go on?"))
    desk.granted(FileComplaint(by="p2", text="the clock"))
    desk.granted(WithdrawEntry(by="p6", entry=6, reason="ill"))
    desk.impose("6.9h", 2, scope=Scope.ROUNDS, rounds=(2,))
    desk.end("a power cut").later(hours=3)
    on_complaint = DecideFiling(
        by=CHIEF, number=1, capacity="chief", outcome=FilingOutcome.UPHELD, reasons="it stood"
    )
    desk.granted(on_complaint)
    desk.granted(Validate(by=CHIEF))
    appeal = SubmitFiling(
        by="p2",
        filer="p2",
        kind=FilingKind.APPEAL,
        way=FilingWay.PAGE,
        text="the clock",
        is_member=True,
        receipt=Paper(name="r.pdf", media_type="", blob="a" * 64, size=1),
    )
    desk.granted(appeal)
    decision = DecideFiling(
        by="member", number=2, capacity="committee", outcome=FilingOutcome.REJECTED, reasons="no"
    )
    desk.granted(decision)
    desk.granted(RecordPayment(by="o", number=2, payment=Payment.ARRIVED, reason="seen"))
    desk.granted(DeclareChecks(by=CHIEF, capacity="chief", reason="all games"))
    played = next(
        (round_.number, number)
        for round_ in desk.state.rounds
        for number, board in enumerate(round_.boards, start=1)
        if board.result is not None and board.result.kind is not GameKind.FORFEIT
    )
    desk.granted(
        WaiveCheck(by=CHIEF, round=played[0], board=played[1], reason="over the board", moves=0)
    )
    desk.later(hours=3)
    desk.granted(AnnounceResults(by=CHIEF, open_matters=0, checks_complete=True))
    return desk


def test_every_kind_of_record_is_written_and_read_back() -> None:
    desk = eventful()
    of_teams = Desk(2, system=PairingSystem.TEAM)
    teams = tuple(Team(name=f"T{n}", captain="capo", entries=(n,)) for n in (1, 2))
    of_teams.granted(SetTeams(by=ORGANISER, boards=1, teams=teams))
    assert {type(event) for event in desk.log + of_teams.log} == set(RECORD_TYPES)
    for one in (desk, of_teams):
        assert load(dump(one.log)) == one.log
        assert one.refolded() == one.state
    for event in desk.log + of_teams.log:
        assert decode(encode(event)) == event


def test_days_keep_the_offset_they_were_written_with() -> None:
    created = decode(encode(eventful().log[0]))
    assert created.at.utcoffset() == timedelta(hours=1)


@pytest.mark.parametrize(
    ("line", "key"),
    [
        (b"", "log_line"),
        (b"{", "log_line"),
        (b"\xff", "log_line"),
        (b'{"type":"dreamt","at":"2026-11-14T15:00:00+01:00","by":""}', "log_line"),
        (b'{"type":"validated","at":"2026-11-14T15:00:00","by":""}', "log_line"),
        (b'{"type":"validated","at":"2026-11-14T15:00:00Z","by":"","more":1}', "log_line"),
        (b'{"type":"validated","at":"2026-11-14T15:00:00Z","by":"","v":2}', "log_of_later_version"),
        (b"[" * 100_000, "log_line"),
    ],
)
def test_what_is_no_record_is_refused(line: bytes, key: str) -> None:
    with pytest.raises(Malformed) as refusal:
        decode(line)
    assert refusal.value.key == f"event.{key}"
    assert all("{" not in refusal.value.said(language)[1] for language in LANGUAGES)


def test_a_file_says_which_line_is_wrong() -> None:
    log = eventful().log
    with pytest.raises(Malformed) as refusal:
        load(dump(log[:3]) + b"nonsense\n")
    assert refusal.value.details["line"] == 4


class TestImpossibleLogs:
    def refused(self, log: list[Record]) -> str:
        with pytest.raises(Inconsistent) as refusal:
            fold(log)
        return refusal.value.key.removeprefix("event.")

    def test_a_log_begins_with_its_creation_and_has_one(self) -> None:
        log = eventful().log
        assert self.refused([]) == "log_without_creation"
        assert self.refused(log[1:]) == "log_without_creation"
        assert self.refused([log[0], log[0]]) == "log_impossible"

    def test_records_are_in_the_order_of_time(self) -> None:
        log = eventful().log
        assert self.refused([*log, msgspec.structs.replace(log[-1], at=START)]) == "log_impossible"

    @pytest.mark.parametrize(
        "kind",
        [
            Entered,
            RoundPaired,
            RoundOpened,
            ResultTaken,
            Closed,
        ],
    )
    def test_a_record_that_others_rest_on_cannot_be_left_out(self, kind: type[Record]) -> None:
        log = eventful().log
        place = next(n for n, event in enumerate(log) if isinstance(event, kind))
        assert self.refused(log[:place] + log[place + 1 :]) == "log_impossible"

    def test_what_is_said_of_people_and_boards_that_are_not_there(self) -> None:
        desk = Desk(2).pair().open()
        signed: dict[str, Any] = {"at": desk.now, "by": CHIEF}
        taken = desk.take(1, WIN).log[-1]
        assert isinstance(taken, ResultTaken)
        for event in (
            CheckedIn(**signed, entry=3),
            ZoneAssigned(**signed, account="zoe"),
            PairForbidden(**signed, one=1, other=1, reason="x"),
            msgspec.structs.replace(taken, board=2),
            ResultCorrected(
                **signed, round=2, board=1, result=taken.result, article="5.16", reason="x"
            ),
            SanctionLifted(**signed, number=1, reason="x"),
            RoundPaired(**signed, round=2, order=(1, 2), boards=((1, 2),), byes={}),
            Validated(**signed),
        ):
            assert self.refused([*desk.log, event]) == "log_impossible", event


class TestWire:
    def test_a_command_is_read_with_who_the_server_knows(self) -> None:
        command = read_command(b'{"type":"check_in","entry":3}', "p3")
        assert command == CheckIn(by="p3", entry=3)

    def test_every_command_comes_over_the_wire_as_it_was_sent(self) -> None:
        desk = Desk(2)
        for command in (
            SetRules(by=ORGANISER, rules=desk.state.rules),  # type: ignore[arg-type]
            AppointArbiter(by=ORGANISER, arbiter=Arbiter(account="z", name="Z", zone=(1, 3))),
            Enter(by="p9", person=person(9)),
            PairByHand(by=CHIEF, boards=((1, 2),), starts=START),
            Impose(by=CHIEF, article="6.9h", entry=1, reason="x", scope=Scope.ROUNDS, rounds=(2,)),
        ):
            fields = msgspec.to_builtins(command)
            fields.pop("by")
            assert read_command(msgspec.json.encode(fields), command.by) == command

    @pytest.mark.parametrize(
        ("data", "by", "key"),
        [
            (b'{"type":"open_round"}', "", "command_of_nobody"),
            (b'{"type":"open_round","by":"carla"}', "p1", "command_says_who"),
            (b'{"type":"open_round","now":1}', "p1", "not_a_command"),
            (b'{"type":"create","event":"x"}', "p1", "not_a_command"),
            (b"[]", "p1", "not_a_command"),
            (b"\xff\xfe", "p1", "not_a_command"),
            (b'{"type":"draw_sample","seed":"' + b"x" * 201 + b'"}', "p1", "not_a_command"),
            (b" " * (MAX_BYTES + 1), "p1", "command_too_long"),
            (b'{"type":"set_rules","rules":{"scoring":{"win":1,"draw":2}}}', "p1", "not_a_command"),
        ],
    )
    def test_anything_else_is_refused(self, data: bytes, by: str, key: str) -> None:
        with pytest.raises(Refusal) as refusal:
            read_command(data, by)
        assert refusal.value.key == f"event.{key}"

    def test_what_the_program_itself_asks_is_kept_within_the_same_bounds(self) -> None:
        desk = Desk()
        for wish in (
            Enter(by=ORGANISER, person=person(1, rating=-5)),
            PairRound(by=CHIEF, starts=START.replace(tzinfo=None)),
            RequestBye(by=CHIEF, entry=1, round=0),
        ):
            assert desk.refusal(wish)[0] == "not_a_command"

    def test_a_new_event_has_a_door_of_its_own(self) -> None:
        data = b'{"type":"create","event":"e","name":"N","start":"2026-01-02","end":"2026-01-03"}'
        assert read_create(data, "olga").by == "olga"
        with pytest.raises(Malformed):
            read_create(b'{"type":"open_round"}', "olga")
