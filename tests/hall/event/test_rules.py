"""The rules of an event: what they must state and cannot say, by article."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from arrocco.errors import Illegal
from arrocco.hall.event.acts.officials import SetRules
from arrocco.hall.event.acts.pairing import WithdrawPairing
from arrocco.hall.event.objections import objections
from arrocco.hall.event.records import PairingSystem, TieBreak
from arrocco.hall.event.rules import Chat, Rules, Spectators, Supervision
from arrocco.laws.classes import TimeClass
from arrocco.laws.online.sanctions import ArbiterSanction
from arrocco.laws.online.score import Scoring
from arrocco.words import LANGUAGES, finding_advice, finding_text
from tests.hall.event.desk import LAWS, ORGANISER, Desk, rules

BELOW = timedelta(seconds=-1)
ROUND_ROBIN = PairingSystem.ROUND_ROBIN

FORBIDDEN: list[tuple[dict[str, Any], str, str]] = [
    ({"tolerance": None}, "tolerance_not_stated", "1.3.5"),
    ({"tolerance": BELOW}, "tolerance_not_stated", "1.3.5"),
    ({"time_control": ""}, "time_control_not_stated", "1.3.6"),
    ({"time_control": "three minutes"}, "time_control_not_stated", "1.3.6"),
    ({"time_control": "0+5"}, "no_time_to_begin", "1.3.3"),
    ({"disconnection_rule": " "}, "disconnection_not_covered", "7.4"),
    ({"disconnection_rule": "x" * 2001}, "text_too_long", "7.4"),
    ({"reconnection_limit": BELOW}, "negative", "7.7"),
    ({"chat": Chat.EVERYBODY}, "chat_open", "5.2"),
    ({"device_sanction": ArbiterSanction.EXPULSION}, "device_sanction_not_milder", "5.9"),
    ({"device_sanction": ArbiterSanction.GAME_LOST}, "device_sanction_not_milder", "5.9"),
    ({"announced_fine": 0}, "fine_not_positive", "6.9g"),
    ({"spectators": Spectators(delay=BELOW)}, "negative", "5.17"),
    ({"spectators": Spectators(delay_half_moves=-1)}, "negative", "5.17"),
    ({"supervision": Supervision.SAMPLE}, "sample_size", "9.1"),
    ({"sample": 3}, "sample_size", "9.1"),
    ({"second_camera": True}, "second_camera_alone", "10.3"),
    ({"red_card_from": 2}, "cards", "9.2"),
    ({"cards": True, "red_card_from": 0}, "cards", "9.2"),
    ({"fair_play_only_by_platform": True}, "fair_play_left_to_platform", "12.8"),
    ({"rating_of_unrated": 0}, "rating_of_unrated", "14.2"),
    ({"time_control": "3600"}, "not_rateable", "14.3"),
    ({"time_control": "30"}, "not_rateable", "14.3"),
    ({"time_control": "W300-B240"}, "not_rateable", "Premessa (FIDE rapid, blitz 1.2)"),
    ({"bye_points": 11}, "bye_points", "C.04.1 3"),
    ({"bye_points": -1}, "bye_points", "C.04.1 3"),
    ({"rounds": 0}, "rounds", "C.04.1 1"),
    ({"rounds": 100}, "rounds", "C.04.1 1"),
    ({"half_point_byes": -1}, "negative", ""),
    ({"tie_breaks": (TieBreak.WINS, TieBreak.WINS)}, "tie_break_repeated", "C.07 4.1"),
    ({"system": ROUND_ROBIN, "rounds": 5}, "rounds_of_round_robin", "C.05"),
    ({"system": ROUND_ROBIN, "tie_breaks": (TieBreak.BUCHHOLZ,)}, "no_buchholz", "C.07 8"),
    ({"system": ROUND_ROBIN, "half_point_byes": 1}, "round_robin_is_closed", "C.05"),
    ({"system": ROUND_ROBIN, "late_entries_until": 2}, "round_robin_is_closed", "C.05"),
]


@pytest.mark.parametrize(("changes", "key", "article"), FORBIDDEN)
def test_a_rule_that_cannot_be_is_refused_with_its_article(
    changes: dict[str, Any], key: str, article: str
) -> None:
    found = objections(rules(**changes), LAWS)
    assert [(one.key, one.article) for one in found] == [(f"event.rules.{key}", article)]
    for language in LANGUAGES:
        assert "{" not in finding_text(language, found[0])
        assert finding_advice(language, found[0])


ALLOWED: list[dict[str, Any]] = [
    {},
    {"tolerance": timedelta(0)},
    {"time_control": "40/1200+2:600+2", "rated": True},
    {"time_control": "5400+30", "rated": False},
    {"device_sanction": ArbiterSanction.WARNING},
    {"announced_fine": 5000},
    {"supervision": Supervision.SAMPLE, "sample": 4},
    {"supervision": Supervision.FULL, "second_camera": True},
    {"cards": True, "red_card_from": 2},
    {"scoring": Scoring(30, 10, 0, 0), "bye_points": 10},
    {"chat": Chat.CLOSED, "premoves": False, "call_stops_clocks": True},
    {"final_decisions": (ArbiterSanction.GAME_LOST, ArbiterSanction.EXPULSION)},
    {"system": ROUND_ROBIN, "tie_breaks": (TieBreak.DIRECT_ENCOUNTER, TieBreak.WINS)},
    {"system": PairingSystem.MANUAL, "rounds": 9},
]


@pytest.mark.parametrize("changes", ALLOWED)
def test_what_the_regulation_leaves_open_is_for_the_organiser_to_say(
    changes: dict[str, Any],
) -> None:
    assert objections(rules(**changes), LAWS) == []


def test_1_3_5_an_unstated_tolerance_is_never_zero() -> None:
    assert Rules().tolerance is None
    desk = Desk()
    assert desk.refusal(SetRules(by=ORGANISER, rules=rules(tolerance=None))) == (
        "rules.tolerance_not_stated",
        "1.3.5",
    )


def test_everything_wrong_is_said_at_once() -> None:
    decision = Desk().ask(
        SetRules(by=ORGANISER, rules=rules(tolerance=None, chat=Chat.EVERYBODY, rounds=0))
    )
    assert [objection.article for objection in decision.objections] == ["1.3.5", "5.2", "C.04.1 1"]
    assert decision.refusal == decision.objections[0]


@pytest.mark.parametrize(
    ("control", "expected"),
    [
        ("180", TimeClass.BULLET),
        ("120+1", TimeClass.BULLET),
        ("180+2", TimeClass.BLITZ),
        ("600", TimeClass.BLITZ),
        ("720+3", TimeClass.RAPID),
        ("3600", None),
    ],
)
def test_14_3_the_type_of_an_event_follows_from_its_time_control(
    control: str, expected: TimeClass | None
) -> None:
    assert rules(time_control=control).time_class(LAWS.rio) is expected


def test_3_1_a_scoring_in_which_a_draw_beats_a_win_cannot_be_written() -> None:
    with pytest.raises(Illegal):
        Scoring(10, 20, 0, 0)
    data = msgspec.json.encode(rules()).replace(b'"draw":5', b'"draw":50')
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(data, type=Rules)


def test_1_3_3_rules_stand_once_a_round_is_paired() -> None:
    desk = Desk(4).pair()
    wish = SetRules(by=ORGANISER, rules=rules(rounds=5))
    assert desk.refusal(wish) == ("rules_stand", "1.3.3")
    desk.granted(WithdrawPairing(by="carla", reason="wrong rules"))
    desk.granted(wish)
    assert desk.state.announced_rounds == 5
