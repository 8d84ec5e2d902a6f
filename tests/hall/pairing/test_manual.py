"""Pairings made by hand: errors that no one can confirm, warnings that a chief arbiter can."""

from __future__ import annotations

from arrocco.findings import Finding, Severity
from arrocco.hall.pairing.manual import objections
from arrocco.hall.pairing.records import Field, Past, Player, RoundPairing
from arrocco.laws.online.side import Side
from arrocco.words import LANGUAGES, finding_advice, finding_text

W, B = Side.WHITE, Side.BLACK


def field(absent: frozenset[int] = frozenset(), rounds: int = 9) -> Field:
    """1 had White twice and met 2 and 3; 4 had the bye and then Black."""
    past = {
        1: (Past(2, W, 10), Past(3, W, 10)),
        2: (Past(1, B, 0), Past(4, W, 10)),
        3: (Past(points=5), Past(1, B, 0)),
        4: (Past(points=10, allocated_bye=True), Past(2, B, 0)),
    }
    players = tuple(Player(number, own) for number, own in past.items())
    return Field(players, rounds, absent, frozenset({(3, 2)}))


def keys(found: list[Finding]) -> list[str]:
    for finding in found:
        for language in LANGUAGES:
            assert finding_text(language, finding)
            assert finding_advice(language, finding)
    return [finding.key.removeprefix("event.manual_") for finding in found]


def test_a_good_pairing_is_not_objected_to() -> None:
    assert objections(field(frozenset({2, 3})), RoundPairing(((4, 1),))) == []


def test_somebody_who_is_not_there() -> None:
    pairing = RoundPairing(((4, 1), (2, 9)))
    found = objections(field(frozenset({2})), pairing)
    assert keys(found) == ["not_present", "not_present"]
    assert {finding.severity for finding in found} == {Severity.ERROR}
    assert [finding.details["number"] for finding in found] == [2, 9]


def test_somebody_twice() -> None:
    assert keys(objections(field(), RoundPairing(((4, 1), (3, 4)), 2))) == ["paired_twice"]
    assert keys(objections(field(), RoundPairing(((4, 4), (3, 1)), 2))) == ["paired_twice"]


def test_somebody_left_out() -> None:
    assert keys(objections(field(), RoundPairing(((4, 1),)))) == ["left_out", "left_out"]


def test_rules_of_the_system_are_warnings() -> None:
    found = objections(field(), RoundPairing(((2, 1), (4, 3))))
    assert keys(found) == ["met_before"]
    assert found[0].severity is Severity.WARNING
    assert found[0].article == "C.04.3 C1"
    assert keys(objections(field(), RoundPairing(((4, 1), (2, 3))))) == ["forbidden_pair"]
    assert keys(objections(field(), RoundPairing(((1, 4), (2, 3))))) == [
        "colour_strained",
        "forbidden_pair",
    ]
    with_bye = objections(field(frozenset({2})), RoundPairing(((3, 1),), 4))
    assert keys(with_bye) == ["met_before", "second_bye"]


def test_colours_of_topscorers_may_be_strained_in_the_last_round() -> None:
    assert keys(objections(field(rounds=3), RoundPairing(((1, 4), (2, 3))))) == ["forbidden_pair"]
