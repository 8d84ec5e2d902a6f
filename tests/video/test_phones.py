"""10.3 — a phone as second camera, without sockets: whose code, how often, how long, until when."""

from __future__ import annotations

import pytest

from arrocco.errors import Refusal
from arrocco.hall.presence import Problem
from arrocco.video.engine import REPLACED
from arrocco.video.messages import Status
from arrocco.video.phones import LASTS
from arrocco.video.session import Session
from arrocco.video.stream import OF_PHONE
from arrocco.video.verification import verify
from arrocco.video.watching import FROZEN_AFTER, STALE, Reading
from tests.video.slices import slices
from tests.video.test_engine import EVENT, Ear, Stage, stage, stages

__all__ = ["stage", "stages"]


def refusal(stage: Stage, token: str, event: str = EVENT, account: str = "") -> str:
    with pytest.raises(Refusal) as caught:
        stage.engine.phones.use(token, event, account)
    return caught.value.key


def with_phone(stage: Stage, session: Session) -> Ear:
    phone = Ear()
    stage.engine.attach(session, phone)
    sender = stage.begin(session, "room")
    for data in slices("screen")[:2]:
        stage.engine.take(session, *sender.next(data), OF_PHONE)
    return phone


class TestCodes:
    def test_a_code_is_good_once(self, stage: Stage) -> None:
        session = stage.join()
        token = stage.engine.phones.invite(session)
        assert stage.engine.phones.use(token, EVENT, "") is session
        assert refusal(stage, token) == "video.no_such_code"

    def test_a_code_is_good_for_five_minutes(self, stage: Stage) -> None:
        token = stage.engine.phones.invite(stage.join())
        stage.now += LASTS + 1
        assert refusal(stage, token) == "video.no_such_code"

    def test_a_new_code_makes_the_one_before_void(self, stage: Stage) -> None:
        session = stage.join()
        first, second = (stage.engine.phones.invite(session) for _ in range(2))
        assert refusal(stage, first) == "video.no_such_code"
        assert stage.engine.phones.use(second, EVENT, "a1") is session

    def test_a_code_of_another_event_or_player_is_refused_and_stays_good(
        self, stage: Stage
    ) -> None:
        session = stage.join()
        token = stage.engine.phones.invite(session)
        assert refusal(stage, token, event="other") == "video.no_such_code"
        assert refusal(stage, token, account="a2") == "video.not_your_code"
        assert stage.engine.phones.use(token, EVENT, "a1") is session

    def test_the_way_back_is_good_once_and_does_not_grow_old(self, stage: Stage) -> None:
        session = stage.join()
        back = stage.engine.attach(session, Ear())
        stage.now += 10 * LASTS
        assert stage.engine.phones.use(back, EVENT, "") is session
        assert refusal(stage, back) == "video.no_such_code"


class TestTheRoom:
    def test_it_is_recorded_and_chained_as_the_others_are(self, stage: Stage) -> None:
        session = stage.join()
        with_phone(stage, session)
        stage.engine.close()
        checked = verify(stage.folder, EVENT, "1-room-1")
        assert (checked.fault, checked.slices) == (None, 2)
        assert [head.recording for head in stage.engine.take_heads()[EVENT]] == ["1-room-1"]

    def test_a_page_that_comes_back_does_not_end_it(self, stage: Stage) -> None:
        ear = Ear()
        session = stage.join(ear=ear)
        with_phone(stage, session)
        stage.engine.gone(session, ear)
        assert session.shown().kinds == ("room",)
        stage.join()
        assert session.shown().kinds == ("room",)

    def test_a_phone_that_goes_costs_the_player_nothing(self, stage: Stage) -> None:
        ear = Ear()
        session = stage.join(ear=ear)
        phone = with_phone(stage, session)
        stage.sees(session)
        assert session.status(stage.now).room
        stage.engine.gone(session, phone)
        told = ear.told[-1]
        assert isinstance(told, Status)
        assert (told.room, told.on, told.problems) == (False, True, ())

    def test_10_3_where_it_is_required_it_is_missing_until_it_is_there(self, stage: Stage) -> None:
        session = stage.join(needs_room=True)
        assert stage.problems(session) == (Problem.NO_ROOM,)
        stage.sees(session)
        assert session.presence.is_on  # 9.1f — no move waits for it
        phone = with_phone(stage, session)
        assert stage.problems(session) == ()
        stage.engine.gone(session, phone)
        assert stage.problems(session) == (Problem.NO_ROOM,)
        ear = Ear()
        stage.join(ear=ear, needs_room=True)
        assert stage.problems(session) == (Problem.NO_ROOM,)
        stage.engine.set_needed([(EVENT, "a1")])
        stage.engine.rest(session)
        assert stage.problems(session) == ()

    @pytest.mark.parametrize("needs_room", [True, False])
    def test_10_3_covered_frozen_or_without_pictures_it_is_told(
        self, stage: Stage, needs_room: bool
    ) -> None:
        session = stage.join(needs_room=needs_room)
        with_phone(stage, session)
        stage.engine.read_room(session, Reading(light=7))
        assert stage.problems(session) == (Problem.ROOM_BLACK,)
        stage.engine.read_room(session, Reading(light=8))
        assert stage.problems(session) == ()
        for _ in range(FROZEN_AFTER - 1):
            stage.engine.read_room(session, Reading(change=0))
        assert stage.problems(session) == ()
        stage.engine.read_room(session, Reading(change=0))
        assert stage.problems(session) == (Problem.ROOM_FROZEN,)
        stage.engine.read_room(session, Reading(camera=False))
        assert stage.problems(session) == (Problem.NO_ROOM,)
        stage.engine.read_room(session, Reading())
        stage.now += STALE
        assert Problem.NO_ROOM not in stage.problems(session)
        stage.now += 1
        assert Problem.NO_ROOM in stage.problems(session)

    def test_another_phone_takes_the_place_of_the_first(self, stage: Stage) -> None:
        session = stage.join()
        first, second = with_phone(stage, session), Ear()
        stage.engine.attach(session, second)
        assert first.code == REPLACED
        stage.engine.gone(session, first)
        assert session.phone is second

    def test_5_14_after_the_game_it_is_off(self, stage: Stage) -> None:
        session = stage.join()
        phone = with_phone(stage, session)
        stage.engine.set_needed([(EVENT, "a1")])
        stage.engine.rest(session)
        told = phone.told[-1]
        assert isinstance(told, Status)
        assert not told.needed
        assert not session.streams
        with pytest.raises(Refusal, match="not in the video"):
            stage.engine.begin(session, "room")

    def test_a_player_who_is_forgotten_leaves_no_phone_and_no_code(self, stage: Stage) -> None:
        ear = Ear()
        session = stage.join(ear=ear)
        phone = Ear()
        back = stage.engine.attach(session, phone)
        stage.engine.gone(session, ear)
        stage.engine.set_needed([(EVENT, "a1")])
        assert phone.code == REPLACED
        assert refusal(stage, back) == "video.no_such_code"

    def test_without_a_phone_nothing_can_be_sent_of_it(self, stage: Stage) -> None:
        with pytest.raises(Refusal, match="not in the video"):
            stage.engine.begin(stage.join(), "room")
