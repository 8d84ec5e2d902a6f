"""12.6 — the check of a game that was never played in the hall is waived by the chief arbiter."""

from __future__ import annotations

import pytest

from arrocco.hall.event import arbiters_report
from arrocco.hall.event.acts.check_waivers import WaiveCheck
from tests.hall.event.desk import CHIEF, FORFEIT, HELPER, ORGANISER, WIN, Desk


@pytest.fixture
def desk() -> Desk:
    """A round with a game and a forfeit."""
    desk = Desk(4).pair().open()
    return desk.take(1, WIN).take(2, WIN, FORFEIT)


def waive(board: int = 1, **changes: object) -> WaiveCheck:
    given = {"by": CHIEF, "round": 1, "board": board, "reason": "played in person", "moves": 0}
    return WaiveCheck(**{**given, **changes})  # type: ignore[arg-type]


def test_12_6_it_is_waived_once_with_its_reason_in_log_and_report(desk: Desk) -> None:
    desk.granted(waive(reason=" played in person "))
    assert desk.state.waived_checks == ((1, 1),)
    assert desk.refolded().waived_checks == ((1, 1),)
    assert desk.refusal(waive()) == ("check_is_waived", "12.6")
    told = arbiters_report(desk.state, desk.log, [])[-1]
    assert (told.what, told.reason) == ("check_waived", "played in person")


def test_12_1_what_the_hall_has_seen_is_watched_and_not_waived(desk: Desk) -> None:
    assert desk.refusal(waive(moves=1)) == ("played_in_the_hall", "12.1")


@pytest.mark.parametrize("where", [{"board": 2}, {"board": 9}, {"round": 2}])
def test_12_6_only_a_game_with_a_result_has_a_check(desk: Desk, where: dict[str, int]) -> None:
    assert desk.refusal(waive(**where)) == ("no_game_to_check", "12.6")


def test_12_6_by_the_chief_arbiter_alone_and_with_a_reason(desk: Desk) -> None:
    desk.appoint(HELPER, "Anna Aiuto")
    for account in (HELPER, ORGANISER, "p1", ""):
        assert desk.refusal(waive(by=account))[0] == "not_yours_to_do"
    assert desk.refusal(waive(reason=" ")) == ("reason_needed", "12.6")
