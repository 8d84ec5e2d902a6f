"""5.3, 5.6, 7.2, 7.8 — what players may only with the arbiter's consent: asked, answered, kept."""

from __future__ import annotations

import pytest

from arrocco.hall.game import GameRole, fold, view_for
from arrocco.hall.game import commands as c
from arrocco.hall.game.acts import ArbiterCommand
from arrocco.hall.game.acts.further_application import AnswerApplication
from arrocco.hall.game.acts.further_device import AnswerDevice
from arrocco.hall.game.acts.leave_area import AnswerLeaving
from arrocco.hall.game.acts.mobile_connection import AnswerMobileConnection
from arrocco.hall.game.acts.permission import AnswerPermission
from arrocco.hall.game.acts.visitor import AnswerVisitor
from arrocco.hall.game.acts.withdraw import Withdraw
from arrocco.hall.game.log import dump, load
from arrocco.hall.game.records import Permission
from arrocco.hall.game.view import ArbiterView, PlayerView
from arrocco.live.urgency import alarms
from tests.hall.game.table import ARBITER, WHITE, Table

ANSWERS: dict[Permission, type[AnswerPermission]] = {
    Permission.LEAVE: AnswerLeaving,
    Permission.MOBILE: AnswerMobileConnection,
    Permission.DEVICE: AnswerDevice,
    Permission.VISITOR: AnswerVisitor,
    Permission.APPLICATION: AnswerApplication,
}


def asked(permission: Permission, by: str = "ada") -> c.AskPermission:
    return c.AskPermission(by=by, permission=permission, text="the bell")


def answered(permission: Permission, *, granted: bool) -> ArbiterCommand:
    return ANSWERS[permission](by=ARBITER, reason="seen", side=WHITE, granted=granted)


@pytest.mark.parametrize("granted", [True, False])
@pytest.mark.parametrize("permission", Permission)
def test_5_3_5_6_7_2_a_request_waits_for_the_arbiter_and_is_answered_on_record(
    permission: Permission, granted: bool
) -> None:
    table = Table().play("e2e4 e7e5")
    table.granted(asked(permission))
    assert table.refusal(asked(permission))[0] == "request_open"
    (alarm,) = alarms(table.state, table.now, {})
    assert alarm.key == f"hall_live.alarm.asks_{permission}"
    table.granted(answered(permission, granted=granted))
    assert not alarms(table.state, table.now, {})
    own = view_for(table.state, GameRole.WHITE, table.now)
    other = view_for(table.state, GameRole.BLACK, table.now)
    arbiter = view_for(table.state, GameRole.ARBITER, table.now)
    assert isinstance(own, PlayerView)
    assert isinstance(other, PlayerView)
    assert isinstance(arbiter, ArbiterView)
    assert [(one.permission, one.granted) for one in own.requests] == [(permission, granted)]
    assert other.requests == ()
    assert arbiter.requests == own.requests
    assert fold(load(dump(table.log))) == table.state


def test_7_8_consent_is_given_unasked_and_taken_back() -> None:
    table = Table()
    (given,) = table.granted(answered(Permission.LEAVE, granted=True))
    (request,) = table.state.requests
    assert (request.player, request.granted) == ("ada", True)
    number = table.state.acts[-1].number
    table.granted(Withdraw(by=ARBITER, reason="not now", corrects=number))
    assert [one.granted for one in table.state.requests] == [False]
    assert given.SEEN_BY.name == "ITS_PLAYER"


def test_5_6_nobody_asks_for_another_or_after_the_end() -> None:
    table = Table()
    assert table.refusal(asked(Permission.LEAVE, by="zoe"))[0] == "not_seated"
    table.play("f2f3 e7e5 g2g4 d8h4")
    assert table.refusal(asked(Permission.LEAVE)) == ("game_over", "5.6")


def test_5_12_repeated_offers_of_a_draw_are_counted_and_alarm() -> None:
    table = Table()
    for moves in ("e2e4 e7e5", "g1f3 b8c6", "f1c4 f8c5"):
        table.granted(c.OfferDraw(by="ada"))
        table.play(moves)
        found = [alarm for alarm in alarms(table.state, table.now, {}) if "offers" in alarm.key]
    assert [(one.side, one.count) for one in found] == [(WHITE, 3)]
