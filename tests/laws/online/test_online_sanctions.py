"""FSI online regulation, articles 5.9, 5.10, 5.16, 6.9, 12.7, 12.8 and 13.5."""

from datetime import timedelta

import pytest

from arrocco.laws.online.edition_2025 import Online2025
from arrocco.laws.online.event_rules import EventRules, RulesObjection
from arrocco.laws.online.sanctions import (
    ArbiterSanction,
    CommitteeSanction,
    Objection,
    Scope,
    Terms,
)
from arrocco.laws.online.score import Scoring
from arrocco.records.timecontrol import parse_code

LAW = Online2025()
A, C = ArbiterSanction, CommitteeSanction
MINUTE = timedelta(minutes=1)

WON, DRAWN, LOST = (2, 0), (1, 1), (0, 2)


def scores(before: tuple[int, int], after: tuple[int, int]) -> Terms:
    return Terms(score_before=before, score_after=after)


def test_6_9_eleven_sanctions_from_a_to_k() -> None:
    assert [sanction.article for sanction in A] == [f"6.9{letter}" for letter in "abcdefghijk"]


def test_13_5_six_sanctions_from_a_to_f() -> None:
    assert [sanction.article for sanction in C] == [f"13.5{letter}" for letter in "abcdef"]


ARBITER_CASES = [
    (A.WARNING, Terms(), []),
    (A.CHAT_BLOCK, Terms(), []),
    (A.MORE_TIME_FOR_OPPONENT, Terms(time=MINUTE), []),
    (A.MORE_TIME_FOR_OPPONENT, Terms(), [Objection.NO_TIME_GIVEN]),
    (A.LESS_TIME, Terms(time=timedelta(seconds=1)), []),
    (A.LESS_TIME, Terms(time=timedelta(0)), [Objection.NO_TIME_GIVEN]),
    (A.LESS_TIME, Terms(time=-MINUTE), [Objection.NO_TIME_GIVEN]),
    # d: only the opponent's score rises, and 3.2 holds
    (A.MORE_POINTS_FOR_OPPONENT, scores((0, 0), (0, 1)), []),
    (A.MORE_POINTS_FOR_OPPONENT, scores((0, 0), (0, 2)), []),
    (A.MORE_POINTS_FOR_OPPONENT, scores((1, 0), (1, 1)), []),
    (A.MORE_POINTS_FOR_OPPONENT, scores(DRAWN, (1, 2)), [Objection.SCORE_NOT_LEGAL]),
    (A.MORE_POINTS_FOR_OPPONENT, scores(LOST, (0, 3)), [Objection.SCORE_NOT_LEGAL]),
    (A.MORE_POINTS_FOR_OPPONENT, scores(LOST, LOST), [Objection.OPPONENT_NOT_RAISED]),
    (A.MORE_POINTS_FOR_OPPONENT, scores(DRAWN, LOST), [Objection.OWN_SCORE_CHANGED]),
    (A.MORE_POINTS_FOR_OPPONENT, Terms(score_before=DRAWN), [Objection.NO_SCORE_GIVEN]),
    # e: only the own score falls
    (A.FEWER_POINTS, scores(WON, (1, 0)), []),
    (A.FEWER_POINTS, scores(WON, (0, 0)), []),
    (A.FEWER_POINTS, scores(DRAWN, (0, 1)), []),
    (A.FEWER_POINTS, scores(LOST, (-1, 2)), [Objection.SCORE_NOT_LEGAL]),
    (A.FEWER_POINTS, scores(DRAWN, DRAWN), [Objection.OWN_NOT_REDUCED]),
    (A.FEWER_POINTS, scores(DRAWN, LOST), [Objection.OPPONENT_CHANGED]),
    (A.FEWER_POINTS, Terms(score_after=(0, 1)), [Objection.NO_SCORE_GIVEN]),
    # f: lost, and the opponent's score is the arbiter's to decide
    (A.GAME_LOST, scores(WON, LOST), []),
    (A.GAME_LOST, scores(WON, (0, 1)), []),
    (A.GAME_LOST, scores(WON, (0, 0)), []),
    (A.GAME_LOST, scores(WON, (1, 1)), [Objection.NOT_LOST]),
    (A.GAME_LOST, scores(WON, (1, 2)), [Objection.SCORE_NOT_LEGAL, Objection.NOT_LOST]),
    # g: announced beforehand
    (A.FINE, Terms(fine=5000, announced_fine=5000), []),
    (A.FINE, Terms(fine=4999, announced_fine=5000), []),
    (A.FINE, Terms(fine=5001, announced_fine=5000), [Objection.FINE_ABOVE_ANNOUNCED]),
    (A.FINE, Terms(fine=5000), [Objection.FINE_NOT_ANNOUNCED]),
    (A.FINE, Terms(announced_fine=5000), [Objection.NO_FINE_GIVEN]),
    (A.FINE, Terms(fine=-1, announced_fine=5000), [Objection.NO_FINE_GIVEN]),
    (A.FINE, Terms(), [Objection.NO_FINE_GIVEN, Objection.FINE_NOT_ANNOUNCED]),
    # h, i, j
    (A.EXCLUSION_FROM_ROUNDS, Terms(scope=Scope.ROUNDS, rounds=1), []),
    (A.EXCLUSION_FROM_ROUNDS, Terms(scope=Scope.ROUNDS, rounds=0), [Objection.NO_EXTENT_GIVEN]),
    (A.EXCLUSION_FROM_ROUNDS, Terms(scope=Scope.ROUNDS), [Objection.NO_EXTENT_GIVEN]),
    (A.EXCLUSION_FROM_ROUNDS, Terms(scope=Scope.TOURNAMENT), [Objection.SCOPE_NOT_OPEN]),
    (A.EXCLUSION_FROM_STANDINGS, Terms(scope=Scope.TOURNAMENT), []),
    (A.EXCLUSION_FROM_STANDINGS, Terms(scope=Scope.CHAMPIONSHIP), []),
    (A.EXCLUSION_FROM_STANDINGS, Terms(scope=Scope.COMPETITION), [Objection.SCOPE_NOT_OPEN]),
    (A.EXCLUSION_FROM_STANDINGS, Terms(), [Objection.NO_EXTENT_GIVEN]),
    (A.EXPULSION, Terms(scope=Scope.TOURNAMENT), []),
    (A.EXPULSION, Terms(scope=Scope.CHAMPIONSHIP), []),
    (A.EXPULSION, Terms(scope=Scope.COMPETITION), []),
    (A.EXPULSION, Terms(scope=Scope.PERIOD, period=MINUTE), [Objection.SCOPE_NOT_OPEN]),
]


@pytest.mark.parametrize(("sanction", "terms", "objections"), ARBITER_CASES)
def test_6_9_an_arbiters_sanction_within_its_limits(
    sanction: ArbiterSanction, terms: Terms, objections: list[Objection]
) -> None:
    assert LAW.objections_to_arbiter(sanction, terms) == tuple(objections)


def test_6_9_every_sanction_is_tried() -> None:
    assert {sanction for sanction, _, _ in ARBITER_CASES} == set(A)


def test_6_9d_the_most_is_that_of_the_events_scoring() -> None:
    football = Scoring(win=3, draw=1)
    terms = scores((0, 1), (0, 3))
    assert LAW.objections_to_arbiter(A.MORE_POINTS_FOR_OPPONENT, terms, football) == ()
    assert LAW.objections_to_arbiter(A.MORE_POINTS_FOR_OPPONENT, terms) == (
        Objection.SCORE_NOT_LEGAL,
    )


COMMITTEE_CASES = [
    (C.WARNING, Terms(), []),
    (C.CHAT_BLOCK, Terms(), []),
    (C.QUALIFICATION_REVOKED, Terms(), []),
    (C.SCORE_CHANGE, Terms(score_after=LOST), []),
    (C.SCORE_CHANGE, Terms(score_after=(0, 0)), []),
    (C.SCORE_CHANGE, Terms(score_after=(1, 2)), [Objection.SCORE_NOT_LEGAL]),
    (C.SCORE_CHANGE, Terms(), [Objection.NO_SCORE_GIVEN]),
    (C.EXCLUSION, Terms(scope=Scope.ROUNDS, rounds=2), []),
    (C.EXCLUSION, Terms(scope=Scope.TOURNAMENT), []),
    (C.EXCLUSION, Terms(scope=Scope.CHAMPIONSHIP), []),
    (C.EXCLUSION, Terms(scope=Scope.COMPETITION), []),
    (C.EXCLUSION, Terms(scope=Scope.PERIOD, period=timedelta(days=180)), []),
    (C.EXCLUSION, Terms(scope=Scope.PERIOD), [Objection.NO_EXTENT_GIVEN]),
    (C.EXCLUSION, Terms(scope=Scope.ROUNDS), [Objection.NO_EXTENT_GIVEN]),
    (C.EXCLUSION, Terms(), [Objection.NO_EXTENT_GIVEN]),
    (C.EXCLUSION_FROM_STANDINGS, Terms(scope=Scope.TOURNAMENT), []),
    (C.EXCLUSION_FROM_STANDINGS, Terms(scope=Scope.CHAMPIONSHIP), []),
    (C.EXCLUSION_FROM_STANDINGS, Terms(scope=Scope.ROUNDS, rounds=1), [Objection.SCOPE_NOT_OPEN]),
]


@pytest.mark.parametrize(("sanction", "terms", "objections"), COMMITTEE_CASES)
def test_13_5_the_committees_sanction_within_its_limits(
    sanction: CommitteeSanction, terms: Terms, objections: list[Objection]
) -> None:
    assert LAW.objections_to_committee(sanction, terms) == tuple(objections)


def test_13_5_every_sanction_is_tried() -> None:
    assert {sanction for sanction, _, _ in COMMITTEE_CASES} == set(C)


def test_3_2_is_the_article_against_an_illegal_score_otherwise_the_sanctions_own() -> None:
    assert LAW.objection_article(A.FEWER_POINTS, Objection.SCORE_NOT_LEGAL) == "3.2"
    assert LAW.objection_article(A.FINE, Objection.FINE_NOT_ANNOUNCED) == "6.9g"
    assert LAW.objection_article(C.EXCLUSION, Objection.NO_EXTENT_GIVEN) == "13.5c"


@pytest.mark.parametrize("sanction", C)
def test_12_7_the_committee_is_final(sanction: CommitteeSanction) -> None:
    assert not LAW.is_appealable(sanction)


@pytest.mark.parametrize("sanction", A)
def test_5_16_and_12_7_an_arbiter_is_final_only_where_the_event_says_so(
    sanction: ArbiterSanction,
) -> None:
    final = {A.GAME_LOST, A.EXPULSION}
    assert LAW.is_appealable(sanction)
    assert LAW.is_appealable(sanction, final) is (sanction not in final)


def test_5_9_gives_the_opponent_the_win() -> None:
    football = Scoring(win=3, draw=1)
    assert LAW.score_for_forbidden_device() == (0, 2)
    assert LAW.score_for_forbidden_device(football) == (0, 3)


@pytest.mark.parametrize("sanction", A)
def test_5_9_only_a_milder_sanction_can_take_the_place_of_the_loss(
    sanction: ArbiterSanction,
) -> None:
    assert LAW.may_replace_loss_for_device(sanction) is (sanction.value in "abcdegk")


GOOD = {
    "time_control": parse_code("180+2"),
    "tolerance": timedelta(0),
    "disconnection_rule": "back within two minutes",
}


@pytest.mark.parametrize(
    ("changes", "objections"),
    [
        ({}, []),
        ({"tolerance": 5 * MINUTE}, []),
        ({"tolerance": None}, [RulesObjection.TOLERANCE_NOT_STATED]),
        ({"tolerance": -MINUTE}, [RulesObjection.TOLERANCE_NOT_STATED]),
        ({"time_control": None}, [RulesObjection.TIME_CONTROL_NOT_STATED]),
        ({"disconnection_rule": " "}, [RulesObjection.DISCONNECTION_NOT_COVERED]),
        ({"fair_play_only_by_platform": True}, [RulesObjection.FAIR_PLAY_LEFT_TO_PLATFORM]),
        ({"device_sanction": A.WARNING}, []),
        ({"device_sanction": A.EXPULSION}, [RulesObjection.DEVICE_SANCTION_NOT_MILDER]),
        (
            {"platform_allows_illegal_moves": True},
            [RulesObjection.ILLEGAL_MOVES_NOT_COVERED],
        ),
        (
            {"platform_allows_illegal_moves": True, "illegal_moves_rule": "the second one loses"},
            [],
        ),
    ],
)
def test_12_8_and_others_what_the_rules_of_an_event_must_and_cannot_say(
    changes: dict[str, object], objections: list[RulesObjection]
) -> None:
    rules = EventRules(**{**GOOD, **changes})  # type: ignore[arg-type]
    assert LAW.objections_to_rules(rules) == tuple(objections)


def test_every_objection_to_rules_has_its_article() -> None:
    assert LAW.objections_to_rules(EventRules()) == (
        RulesObjection.TOLERANCE_NOT_STATED,
        RulesObjection.TIME_CONTROL_NOT_STATED,
        RulesObjection.DISCONNECTION_NOT_COVERED,
    )
    assert {objection.key: objection.article for objection in RulesObjection} == {
        "illegal_moves_not_covered": "1.2",
        "tolerance_not_stated": "1.3.5",
        "time_control_not_stated": "1.3.6",
        "device_sanction_not_milder": "5.9",
        "disconnection_not_covered": "7.4",
        "fair_play_left_to_platform": "12.8",
    }


@pytest.mark.parametrize("scope", Scope)
def test_13_3_a_disqualification_needs_the_chief_arbiter_and_rounds_do_not(scope: Scope) -> None:
    exclusion = CommitteeSanction.EXCLUSION
    assert LAW.needs_chief_arbiter(exclusion, scope) is (scope is not Scope.ROUNDS)
    for other in set(CommitteeSanction) - {exclusion}:
        assert not LAW.needs_chief_arbiter(other, scope)


def test_13_3_losses_of_earlier_rounds_need_the_chief_arbiter() -> None:
    assert LAW.needs_chief_arbiter(None)


def test_13_1_more_than_half_of_the_seats_decide() -> None:
    assert LAW.committee_majority() == 2
