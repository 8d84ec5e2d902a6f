"""Logs as files, and commands as messages: whole and exact, or refused in both languages."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from arrocco.errors import Inconsistent, Malformed, Refusal
from arrocco.hall.event import EVENT_TYPES, decode, dump, encode, fold, load, read_command
from arrocco.hall.event import commands as c
from arrocco.hall.event import events as e
from arrocco.hall.event.records import Arbiter
from arrocco.hall.event.rules import Supervision
from arrocco.hall.event.wire import MOST_BYTES, read_create
from arrocco.laws.online.sanctions import Scope
from arrocco.report import ByeKind
from arrocco.words import LANGUAGES
from tests.hall.event.desk import CHIEF, HELPER, ORGANISER, START, WIN, Desk, person


def eventful() -> Desk:
    """An event in which everything happens that can."""
    desk = Desk(6, supervision=Supervision.SAMPLE, sample=2, half_point_byes=1, rounds=2)
    desk.appoint(HELPER, "Anna", zone=(1, 2))
    desk.granted(c.AssignZone(by=CHIEF, account=HELPER, zone=(2, 3)))
    desk.granted(c.DismissArbiter(by=CHIEF, account=HELPER))
    desk.granted(c.CorrectPerson(by=ORGANISER, entry=1, person=person(1, surname="Acero")))
    desk.granted(c.CheckIn(by="p1", entry=1))
    desk.granted(c.RequestBye(by="p6", entry=6, round=1, kind=ByeKind.HALF_POINT))
    desk.granted(c.RequestBye(by="p5", entry=5, round=1))
    desk.granted(c.CancelBye(by="p5", entry=5, round=1))
    desk.granted(c.ForbidPair(by=CHIEF, one=2, other=1, reason="sisters"))
    desk.granted(c.AllowPair(by=CHIEF, one=1, other=2))
    desk.pair()
    desk.granted(c.WithdrawPairing(by=CHIEF, reason="again"))
    desk.granted(c.PairRound(by=CHIEF, starts=START + timedelta(minutes=5)))
    desk.granted(c.DelayRound(by=CHIEF, starts=START + timedelta(minutes=6), reason="rain"))
    desk.granted(c.DrawSample(by=CHIEF, seed="42"))
    desk.later(minutes=6).open()
    desk.granted(c.TakeBack(by="", round=1, board=1, white=desk.boards[0][1]))
    desk.granted(c.TakeBack(by="", round=1, board=1, white=desk.boards[0][1]))
    desk.take(1, WIN).take(2, WIN).close()
    desk.impose("6.9e", 1, round=1, points=(5, 0))
    desk.granted(c.LiftSanction(by=CHIEF, number=1, reason="no"))
    desk.granted(
        c.CorrectResult(by=CHIEF, round=1, board=1, points=(0, 10), article="5.16", reason="x")
    )
    desk.granted(c.Say(by="p2", text="when do we go on?"))
    desk.granted(c.WithdrawEntry(by="p6", entry=6, reason="ill"))
    desk.impose("6.9h", 2, scope=Scope.ROUNDS, rounds=(2,))
    desk.end("a power cut").later(hours=3)
    desk.granted(c.Validate(by=CHIEF))
    return desk


def test_every_kind_of_record_is_written_and_read_back() -> None:
    desk = eventful()
    assert {type(event) for event in desk.log} == set(EVENT_TYPES)
    assert load(dump(desk.log)) == desk.log
    assert desk.refolded() == desk.state
    for event in desk.log:
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
    def refused(self, log: list[e.Event]) -> str:
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

    @pytest.mark.parametrize("kind", [
        e.Entered, e.RoundPaired, e.RoundOpened, e.ResultTaken, e.Closed,
    ])  # fmt: skip
    def test_a_record_that_others_rest_on_cannot_be_left_out(self, kind: type[e.Event]) -> None:
        log = eventful().log
        place = next(n for n, event in enumerate(log) if isinstance(event, kind))
        assert self.refused(log[:place] + log[place + 1 :]) == "log_impossible"

    def test_what_is_said_of_people_and_boards_that_are_not_there(self) -> None:
        desk = Desk(2).pair().open()
        signed: dict[str, Any] = {"at": desk.now, "by": CHIEF}
        taken = desk.take(1, WIN).log[-1]
        assert isinstance(taken, e.ResultTaken)
        for event in (
            e.CheckedIn(**signed, entry=3),
            e.ZoneAssigned(**signed, account="zoe"),
            e.PairForbidden(**signed, one=1, other=1, reason="x"),
            msgspec.structs.replace(taken, board=2),
            e.ResultCorrected(
                **signed, round=2, board=1, result=taken.result, article="5.16", reason="x"
            ),
            e.SanctionLifted(**signed, number=1, reason="x"),
            e.RoundPaired(**signed, round=2, order=(1, 2), boards=((1, 2),), byes={}),
            e.Validated(**signed),
        ):
            assert self.refused([*desk.log, event]) == "log_impossible", event


class TestWire:
    def test_a_command_is_read_with_who_the_server_knows(self) -> None:
        command = read_command(b'{"type":"check_in","entry":3}', "p3")
        assert command == c.CheckIn(by="p3", entry=3)

    def test_every_command_comes_over_the_wire_as_it_was_sent(self) -> None:
        desk = Desk(2)
        for command in (
            c.SetRules(by=ORGANISER, rules=desk.state.rules),  # type: ignore[arg-type]
            c.AppointArbiter(by=ORGANISER, arbiter=Arbiter(account="z", name="Z", zone=(1, 3))),
            c.Enter(by="p9", person=person(9)),
            c.PairByHand(by=CHIEF, boards=((1, 2),), starts=START),
            c.Impose(
                by=CHIEF, article="6.9h", entry=1, reason="x", scope=Scope.ROUNDS, rounds=(2,)
            ),
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
            (b" " * (MOST_BYTES + 1), "p1", "command_too_long"),
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
            c.Enter(by=ORGANISER, person=person(1, rating=-5)),
            c.PairRound(by=CHIEF, starts=START.replace(tzinfo=None)),
            c.RequestBye(by=CHIEF, entry=1, round=0),
        ):
            assert desk.refusal(wish)[0] == "not_a_command"

    def test_a_new_event_has_a_door_of_its_own(self) -> None:
        data = b'{"type":"create","event":"e","name":"N","start":"2026-01-02","end":"2026-01-03"}'
        assert read_create(data, "olga").by == "olga"
        with pytest.raises(Malformed):
            read_create(b'{"type":"open_round"}', "olga")
