"""13.2, 13.3, 13.5 — what the committee has decided reaches the event, by the server alone."""

from __future__ import annotations

from typing import Any

import pytest

from arrocco.hall.event.acts.committee import CarryOutDecision, TakeMeasure
from arrocco.hall.event.acts.results import CorrectResult
from arrocco.hall.event.acts.sanctions import Impose, LiftSanction, Sanctioned
from arrocco.hall.event.exclusions import exclusions_in
from arrocco.laws.online.sanctions import Scope
from tests.hall.event.desk import CHIEF, ORGANISER, WIN, Desk

MEMBER = "m1"


def carried(article: str, **more: Any) -> CarryOutDecision:
    impose = Impose(by=MEMBER, article=article, entry=1, reason="caso 1", **more)
    return CarryOutDecision(by="", case=1, impose=impose)


def lost(round_: int, points: tuple[int, int] = (0, 0)) -> CarryOutDecision:
    correct = CorrectResult(
        by=CHIEF, round=round_, board=1, points=points, article="13.3", reason="caso 1", against=1
    )
    return CarryOutDecision(by="", case=1, correct=correct)


def played(rounds: int = 1) -> Desk:
    desk = Desk(4)
    for _ in range(rounds):
        desk.pair().play(WIN, WIN)
    return desk


@pytest.mark.parametrize(
    ("article", "more"),
    [
        ("13.5a", {}),
        ("13.5b", {"round": 1, "points": (0, 0)}),
        ("13.5c", {"scope": Scope.TOURNAMENT}),
        ("13.5c", {"scope": Scope.ROUNDS, "rounds": (2,)}),
        ("13.5c", {"scope": Scope.PERIOD, "days": 90}),
        ("13.5d", {"scope": Scope.TOURNAMENT}),
        ("13.5e", {}),
        ("13.5f", {}),
    ],
)
def test_13_5_every_sanction_is_imposed_in_the_name_of_the_member_and_is_final(
    article: str, more: dict[str, Any]
) -> None:
    desk = played()
    (record,) = desk.granted(carried(article, **more))
    assert isinstance(record, Sanctioned)
    assert (record.sanction.by, record.sanction.article) == (MEMBER, article)
    assert record.sanction.final
    assert desk.refolded() == desk.state
    assert desk.refusal(LiftSanction(by=CHIEF, number=1, reason="no"))[0] == ("of_the_committee")


@pytest.mark.parametrize("who", [CHIEF, ORGANISER, MEMBER, "p1"])
def test_13_5_nobody_but_the_server_carries_out(who: str) -> None:
    desk = played()
    for command in (
        CarryOutDecision(by=who, case=1, impose=carried("13.5a").impose),
        TakeMeasure(by=who, member=MEMBER, text="webcam per tutti", is_ordered=True),
    ):
        assert desk.refusal(command)[0] == "not_yours_to_do"


def test_13_5_arbiters_sanctions_and_nothing_at_all_are_not_the_committees() -> None:
    desk = played()
    assert desk.refusal(carried("6.9a"))[0] == "no_such_sanction"
    assert desk.refusal(CarryOutDecision(by="", case=1))[0] == "no_such_sanction"
    other = CorrectResult(by=CHIEF, round=1, board=1, points=(5, 5), article="5.16", reason="no")
    assert desk.refusal(CarryOutDecision(by="", case=1, correct=other))[0] == ("no_such_sanction")


def test_13_3_earlier_rounds_are_lost_and_the_opponent_keeps_what_they_had() -> None:
    desk = played(2)
    before = desk.points()
    white, black = desk.state.rounds[0].boards[0].players
    assert white == 1
    desk.granted(lost(1))
    after = desk.points()
    assert after[1] == before[1] - 10
    assert after[black] == before[black]
    assert desk.refusal(lost(1))[0] == "same_result"


def test_12_13_after_an_exclusion_opponents_are_given_nothing() -> None:
    desk = played()
    desk.granted(carried("13.5d", scope=Scope.TOURNAMENT))
    assert desk.refusal(lost(1, (0, 10)))[0] == "opponent_of_excluded"
    desk.granted(lost(1))


def test_13_5_also_after_the_standings_are_validated_which_are_then_validated_anew() -> None:
    from arrocco.hall.event.acts.closing import Validate

    desk = played(3).end()
    desk.later(hours=3).granted(Validate(by=CHIEF))
    desk.granted(carried("13.5c", scope=Scope.TOURNAMENT))
    assert desk.state.validated is None
    assert desk.state.is_expelled(1)


def test_13_5e_reaches_the_next_phase_of_the_championship() -> None:
    from arrocco.hall.event.acts.championship import JoinChampionship

    desk = Desk(4)
    desk.granted(JoinChampionship(by=ORGANISER, name="Campionato"))
    desk.granted(carried("13.5e"))
    (reaching,) = exclusions_in(desk.log)
    assert (reaching.article, reaching.championship) == ("13.5e", "Campionato")
    assert reaching.holds("campionato", desk.now)
    assert not reaching.holds("", desk.now)


def measure(text: str, *, is_ordered: bool, is_public: bool = False) -> TakeMeasure:
    return TakeMeasure(by="", member=MEMBER, text=text, is_ordered=is_ordered, is_public=is_public)


def test_13_2_measures_at_any_time_ordered_or_suggested() -> None:
    desk = played()
    desk.granted(measure(" webcam  laterale ", is_ordered=True, is_public=True))
    desk.granted(measure("guardate la scacchiera 3", is_ordered=False))
    assert [(one.text, one.is_ordered, one.is_public) for one in desk.state.measures] == [
        ("webcam laterale", True, True),
        ("guardate la scacchiera 3", False, False),
    ]
    assert desk.refolded() == desk.state
    assert desk.refusal(measure("  ", is_ordered=True))[0] == "text_needed"
    long = measure("x" * 501, is_ordered=True)
    assert desk.refusal(long)[0] == "text_too_long"
