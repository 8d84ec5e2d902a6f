"""9.1d, 9.1e, 6.4, 12.4 — joining time, who is late or excused, and the check of a room."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256

import pytest

from arrocco.hall.event import arbiters_report
from arrocco.hall.event.acts.absence import ExcludeAbsent
from arrocco.hall.event.acts.entries import CheckIn
from arrocco.hall.event.acts.group_checks import RequestRoomChecks, RoomChecksRequested
from arrocco.hall.event.acts.joining import AnnounceAbsence, NoteJoined, SetJoiningTime
from arrocco.hall.event.acts.room_checks import (
    AnswerRoomCheck,
    RecordRoomCheck,
    RequestRoomCheck,
)
from arrocco.hall.event.attendance import AttendanceState, attendance_state, expected, is_late
from arrocco.hall.event.rules import Supervision
from arrocco.hall.game.records import InspectionPoint
from tests.hall.event.desk import CHIEF, HELPER, LAWS, ORGANISER, WIN, Desk

ROOM, EARS = InspectionPoint.ROOM, InspectionPoint.EARS
EXPECTED, LATE, EXCUSED, JOINED, CHECKED = AttendanceState


@pytest.fixture
def desk() -> Desk:
    """A supervised event whose players join within ten minutes."""
    desk = Desk(4, supervision=Supervision.FULL)
    desk.granted(SetJoiningTime(by=CHIEF, joining=desk.now + timedelta(minutes=10)))
    return desk


def state_of(desk: Desk, entry: int) -> AttendanceState:
    return attendance_state(desk.state, desk.state.entries[entry - 1], desk.now, LAWS.online)


def late(desk: Desk, entry: int) -> bool:
    return is_late(desk.state, desk.state.entries[entry - 1], desk.now, LAWS.online)


class TestJoiningTime:
    def test_9_1d_it_lies_ahead_and_is_set_by_an_arbiter_of_a_supervised_event(self) -> None:
        desk = Desk(2, supervision=Supervision.FULL)
        assert desk.refusal(SetJoiningTime(by=CHIEF, joining=desk.now)) == (
            "joining_in_the_past",
            "9.1d",
        )
        ahead = desk.now + timedelta(minutes=1)
        assert desk.refusal(SetJoiningTime(by="p1", joining=ahead))[0] == "not_yours_to_do"
        assert Desk(2).refusal(SetJoiningTime(by=CHIEF, joining=ahead)) == (
            "not_supervised",
            "9.1",
        )

    def test_9_1e_late_from_the_moment_on_and_not_before(self, desk: Desk) -> None:
        desk.later(minutes=10, seconds=-1)
        assert (state_of(desk, 1), late(desk, 1)) == (EXPECTED, False)
        desk.later(seconds=1)
        assert (state_of(desk, 1), late(desk, 1)) == (LATE, True)

    def test_9_1e_who_came_in_time_is_joined_and_who_came_after_it_came_late(
        self, desk: Desk
    ) -> None:
        desk.granted(NoteJoined(by="", entry=1))
        desk.later(minutes=11).granted(NoteJoined(by="", entry=2))
        assert (state_of(desk, 1), late(desk, 1)) == (JOINED, False)
        assert (state_of(desk, 2), late(desk, 2)) == (JOINED, True)
        assert not desk.granted(NoteJoined(by="", entry=1))  # once

    def test_9_1d_only_the_hall_notes_who_has_come(self, desk: Desk) -> None:
        assert desk.refusal(NoteJoined(by=CHIEF, entry=1))[0] == "not_yours_to_do"
        assert desk.refusal(NoteJoined(by="", entry=9))[0] == "no_such_entry"

    def test_9_1d_a_new_time_counts_anew(self, desk: Desk) -> None:
        desk.granted(NoteJoined(by="", entry=1))
        desk.granted(RecordRoomCheck(by=CHIEF, entry=1, point=ROOM, in_order=True))
        desk.granted(SetJoiningTime(by=CHIEF, joining=desk.now + timedelta(hours=1)))
        assert state_of(desk, 1) is EXPECTED
        assert not desk.state.room_checks


class TestAbsence:
    def test_9_1e_who_says_so_is_excused_and_not_late(self, desk: Desk) -> None:
        desk.granted(CheckIn(by="p1", entry=1))
        desk.granted(AnnounceAbsence(by="p1", entry=1, reason="fever"))
        desk.later(minutes=11)
        assert (state_of(desk, 1), late(desk, 1)) == (EXCUSED, False)
        assert not desk.state.entries[0].checked_in
        desk.granted(CheckIn(by="p1", entry=1))  # there after all
        assert state_of(desk, 1) is LATE

    def test_9_1e_nobody_excuses_another_player_but_arbiters_do(self, desk: Desk) -> None:
        assert desk.refusal(AnnounceAbsence(by="p2", entry=1))[0] == "not_about_you"
        desk.appoint(HELPER, "Anna Aiuto")
        desk.granted(AnnounceAbsence(by=HELPER, entry=1, reason="called me"))
        assert state_of(desk, 1) is EXCUSED

    def test_9_1e_who_was_late_without_a_word_can_be_excluded_and_the_excused_cannot(
        self, desk: Desk
    ) -> None:
        desk.granted(AnnounceAbsence(by="p1", entry=1))
        early = ExcludeAbsent(by=CHIEF, entry=2, reason="away")
        assert desk.refusal(early) == ("not_absent", "9.1e")
        desk.later(minutes=10)
        assert desk.refusal(ExcludeAbsent(by=CHIEF, entry=1, reason="away"))[0] == "not_absent"
        desk.granted(early)
        assert desk.state.is_expelled(2)
        assert [entry.id for entry in expected(desk.state)] == [1, 3, 4]


class TestRoomCheck:
    def test_12_4_asked_shown_and_noted_each_with_its_time(self, desk: Desk) -> None:
        desk.granted(NoteJoined(by="", entry=1))
        asked = desk.now
        desk.granted(RequestRoomCheck(by=CHIEF, entry=1, point=ROOM))
        desk.later(seconds=20).granted(AnswerRoomCheck(by="p1", point=ROOM, shows=True))
        assert state_of(desk, 1) is JOINED
        desk.later(seconds=30).granted(
            RecordRoomCheck(by=CHIEF, entry=1, point=ROOM, in_order=True, note="a cat")
        )
        (check,) = desk.state.room_checks
        assert check.answered is not None
        assert check.at is not None
        assert (check.asked, check.answered - asked, check.at - asked) == (
            asked,
            timedelta(seconds=20),
            timedelta(seconds=50),
        )
        assert (check.shows, check.in_order, check.note) == (True, True, "a cat")
        assert state_of(desk, 1) is CHECKED

    def test_5_10_a_refusal_is_noted_and_nothing_follows_of_itself(self, desk: Desk) -> None:
        desk.granted(RequestRoomCheck(by=CHIEF, entry=1, point=EARS))
        desk.granted(AnswerRoomCheck(by="p1", point=EARS, shows=False))
        assert desk.state.room_checks[0].shows is False
        assert not desk.state.sanctions
        desk.granted(AnswerRoomCheck(by="p1", point=EARS, shows=True))  # still possible
        assert desk.state.room_checks[0].shows is True

    def test_6_4_a_point_not_in_order_is_no_check_passed(self, desk: Desk) -> None:
        desk.granted(NoteJoined(by="", entry=1))
        desk.granted(RecordRoomCheck(by=CHIEF, entry=1, point=ROOM, in_order=True))
        desk.granted(RecordRoomCheck(by=CHIEF, entry=1, point=EARS, in_order=False))
        assert state_of(desk, 1) is JOINED
        desk.granted(RecordRoomCheck(by=CHIEF, entry=1, point=EARS, in_order=True))
        assert state_of(desk, 1) is CHECKED

    def test_10_3_where_the_rules_require_a_second_camera_nobody_is_checked_without_it(
        self,
    ) -> None:
        desk = Desk(2, supervision=Supervision.FULL, second_camera=True)
        desk.granted(NoteJoined(by="", entry=1))
        desk.granted(RecordRoomCheck(by=CHIEF, entry=1, point=ROOM, in_order=True))
        assert state_of(desk, 1) is JOINED
        camera = InspectionPoint.SECOND_CAMERA
        desk.granted(RecordRoomCheck(by=CHIEF, entry=1, point=camera, in_order=True))
        assert state_of(desk, 1) is CHECKED

    def test_12_4_one_request_at_a_time_and_only_what_was_asked_is_answered(
        self, desk: Desk
    ) -> None:
        desk.granted(RequestRoomCheck(by=CHIEF, entry=1, point=ROOM))
        again = RequestRoomCheck(by=CHIEF, entry=1, point=ROOM)
        assert desk.refusal(again) == ("room_check_open", "12.4")
        assert desk.refusal(AnswerRoomCheck(by="p1", point=EARS, shows=True))[0] == "no_room_check"
        assert desk.refusal(AnswerRoomCheck(by="p2", point=ROOM, shows=True))[0] == "no_room_check"
        assert desk.refusal(RequestRoomCheck(by="p2", entry=1, point=EARS))[0] == "not_yours_to_do"
        organiser = RecordRoomCheck(by=ORGANISER, entry=1, point=ROOM, in_order=True)
        assert desk.refusal(organiser)[0] == "not_yours_to_do"

    def test_12_4_while_a_game_is_on_the_arbiter_asks_at_the_board(self, desk: Desk) -> None:
        desk.pair()
        desk.granted(RequestRoomCheck(by=CHIEF, entry=1, point=ROOM))
        desk.open()
        ask = RequestRoomCheck(by=CHIEF, entry=2, point=ROOM)
        assert desk.refusal(ask) == ("ask_at_the_board", "12.4")
        desk.granted(RecordRoomCheck(by=CHIEF, entry=2, point=ROOM, in_order=True))

    def test_6_3_assistants_check_the_players_of_their_boards(self, desk: Desk) -> None:
        desk.appoint(HELPER, "Anna Aiuto", zone=(2, 2))
        desk.pair()
        first, second = (board.white for board in desk.state.rounds[0].boards)
        ask = RequestRoomCheck(by=HELPER, entry=first, point=ROOM)
        assert desk.refusal(ask) == ("not_in_zone", "6.3")
        desk.granted(RequestRoomCheck(by=HELPER, entry=second, point=ROOM))

    def test_12_4_the_report_has_the_checklist(self, desk: Desk) -> None:
        desk.granted(RequestRoomCheck(by=CHIEF, entry=1, point=ROOM))
        desk.granted(AnswerRoomCheck(by="p1", point=ROOM, shows=True))
        desk.granted(RecordRoomCheck(by=CHIEF, entry=1, point=ROOM, in_order=True))
        told = arbiters_report(desk.state, desk.log, [])
        kinds = [act.what for act in told if act.player]
        assert kinds == ["room_check_requested", "room_checked"]
        assert told[-1].details["point"] == "room"


def asked_of(desk: Desk) -> list[tuple[int, InspectionPoint]]:
    return sorted((one.entry, one.point) for one in desk.state.room_checks if one.asked)


class TestChecksOfMany:
    def test_12_4_everybody_is_asked_at_once_who_is_expected(self, desk: Desk) -> None:
        desk.granted(AnnounceAbsence(by="p4", entry=4, reason="fever"))
        (record,) = desk.granted(RequestRoomChecks(by=CHIEF, points=(ROOM, EARS, ROOM)))
        assert isinstance(record, RoomChecksRequested)
        assert (record.entries, record.points) == ((1, 2, 3), (ROOM, EARS))
        assert asked_of(desk) == [(entry, point) for entry in (1, 2, 3) for point in (EARS, ROOM)]
        desk.granted(AnswerRoomCheck(by="p3", point=EARS, shows=True))

    def test_6_4_9_1_a_sample_is_drawn_by_a_lot_that_anybody_can_draw_again(self) -> None:
        desk = Desk(8, supervision=Supervision.FULL)
        (record,) = desk.granted(
            RequestRoomChecks(by=CHIEF, points=(ROOM,), sample=3, seed=" 17 42 3 ")
        )
        assert isinstance(record, RoomChecksRequested)
        assert (record.seed, record.among) == ("17 42 3", tuple(range(1, 9)))
        lots = {
            sha256(f"{record.seed}/room-check/{entry}".encode()).hexdigest(): entry
            for entry in record.among
        }
        assert record.entries == tuple(sorted(lots[lot] for lot in sorted(lots)[:3]))
        assert [entry for entry, _ in asked_of(desk)] == list(record.entries)
        told = {detail.value for detail in record.details(desk.state)}
        assert "17 42 3" in told
        assert "; ".join(map(desk.state.name_of, record.entries)) in told
        # More than there are is everybody, and no lot is without a seed.
        unseeded = RequestRoomChecks(by=CHIEF, points=(EARS,), sample=3, seed=" ")
        assert desk.refusal(unseeded) == ("seed_needed", "9.1")
        desk.granted(RequestRoomChecks(by=CHIEF, points=(EARS,), sample=99, seed="x"))
        assert len([point for _, point in asked_of(desk) if point is EARS]) == 8

    def test_12_4_what_is_open_stays_as_it_is(self, desk: Desk) -> None:
        desk.granted(RequestRoomCheck(by=CHIEF, entry=1, point=ROOM))
        desk.granted(AnswerRoomCheck(by="p1", point=ROOM, shows=True))
        desk.later(minutes=1)
        desk.granted(RequestRoomChecks(by=CHIEF, points=(ROOM,)))
        first = next(one for one in desk.state.room_checks if one.entry == 1)
        assert first.shows is True
        again = RequestRoomChecks(by=CHIEF, points=(ROOM,))
        assert desk.refusal(again) == ("room_check_open", "12.4")
        desk.granted(RecordRoomCheck(by=CHIEF, entry=1, point=ROOM, in_order=True))
        desk.granted(again)  # what is closed can be asked for again
        first = next(one for one in desk.state.room_checks if one.entry == 1)
        assert (first.shows, first.in_order) == (None, None)

    def test_12_4_who_plays_is_asked_at_the_board(self, desk: Desk) -> None:
        desk.pair().open()
        ask = RequestRoomChecks(by=CHIEF, points=(ROOM,))
        assert desk.refusal(ask) == ("ask_at_the_board", "12.4")
        desk.take(1, WIN)
        (record,) = desk.granted(ask)
        assert isinstance(record, RoomChecksRequested)
        assert record.entries == tuple(sorted(desk.boards[0]))

    def test_6_3_an_assistant_asks_the_players_of_their_boards(self, desk: Desk) -> None:
        desk.appoint(HELPER, "Anna Aiuto", zone=(2, 2))
        desk.pair()
        (record,) = desk.granted(RequestRoomChecks(by=HELPER, points=(ROOM,)))
        assert isinstance(record, RoomChecksRequested)
        assert record.entries == tuple(sorted(desk.boards[1]))
        for account in ("p1", ORGANISER):
            ask = RequestRoomChecks(by=account, points=(EARS,))
            assert desk.refusal(ask)[0] == "not_yours_to_do"

    def test_12_4_nobody_is_asked_where_nobody_is_expected(self) -> None:
        ask = RequestRoomChecks(by=CHIEF, points=(ROOM,))
        assert Desk(2).refusal(ask) == ("not_supervised", "9.1")
        empty = Desk(0, supervision=Supervision.FULL)
        assert empty.refusal(ask) == ("nobody_to_ask", "12.4")

    def test_12_4_the_report_names_whom_the_lot_has_drawn(self, desk: Desk) -> None:
        desk.granted(RequestRoomChecks(by=CHIEF, points=(ROOM,), sample=1, seed="north"))
        (told,) = arbiters_report(desk.state, desk.log, [])[-1:]
        assert told.what == "room_checks_requested"
