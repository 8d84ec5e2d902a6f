"""Logs as lines of JSON: what is read is what was written, and nothing else is read."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from arrocco.errors import Inconsistent, Malformed
from arrocco.hall.game import commands as c
from arrocco.hall.game import create, fold
from arrocco.hall.game import events as e
from arrocco.hall.game.acts.resume_from_position import ResumedFromPosition
from arrocco.hall.game.log import EVENT_TYPES, VERSION, decode, dump, encode, load
from arrocco.laws.online.score import Scoring
from tests.hall.game.table import ADA, START, WHITE, Table, created


class TestLines:
    def test_an_event_is_one_line_with_its_type_and_its_version(self) -> None:
        line = encode(e.DrawOffered(at=5, side=WHITE, ply=3))
        assert json.loads(line) == {
            "type": "draw_offered",
            "v": VERSION,
            "at": 5,
            "side": "white",
            "ply": 3,
        }
        assert b"\n" not in line

    def test_every_kind_of_event_has_a_name_of_its_own(self) -> None:
        names = {kind.__struct_config__.tag for kind in EVENT_TYPES}
        assert len(names) == len(EVENT_TYPES) == 48

    def test_a_whole_log_comes_back_as_it_was(self) -> None:
        table = Table("40/6000+30:900+30", scoring=Scoring(3, 1, 0), reconnection_limit=5)
        table.play("e2e4 e7e5")
        assert load(dump(table.log)) == table.log
        assert fold(load(dump(table.log))) == table.state

    def test_empty_lines_are_passed_over(self) -> None:
        table = Table()
        assert load(dump(table.log).replace(b"\n", b"\n\n")) == table.log


class TestNotAnEvent:
    @pytest.mark.parametrize(
        "line",
        [
            b"",
            b"{}",
            b"null",
            b"[]",
            b'{"type":"moved"}',
            b'{"type":"unheard_of","v":1,"at":1}',
            b'{"type":"started","v":1,"at":"soon"}',
            b'{"type":"started","v":1,"at":1.5}',
            b'{"type":"started","v":1,"at":1,"more":2}',
            b'{"type":"joined","v":1,"at":1,"side":"red"}',
            b"\xff\xfe",
            b"[" * 100_000,
        ],
    )
    def test_is_refused_with_advice(self, line: bytes) -> None:
        with pytest.raises(Malformed) as refusal:
            decode(line)
        assert refusal.value.advice

    def test_a_later_version_is_named(self) -> None:
        line = encode(e.Started(at=1)).replace(b'"v":1', b'"v":2')
        with pytest.raises(Malformed, match="version 2"):
            decode(line)

    def test_a_scoring_that_is_none_is_refused(self) -> None:
        line = encode(created()).replace(b'"win":2', b'"win":0')
        with pytest.raises(Malformed, match="scoring"):
            decode(line)

    def test_the_line_is_told(self) -> None:
        data = dump(Table().log) + b"nonsense\n"
        lines = data.count(b"\n")
        with pytest.raises(Malformed, match=f"Line {lines}:"):
            load(data)


class TestOrder:
    def test_a_log_begins_with_its_creation(self) -> None:
        for data in (b"", dump([e.Started(at=1)])):
            with pytest.raises(Inconsistent):
                load(data)
        with pytest.raises(Inconsistent):
            fold([])
        with pytest.raises(Inconsistent):
            fold([e.Started(at=1)])

    def test_a_game_is_created_once(self) -> None:
        with pytest.raises(Inconsistent, match="second time"):
            load(dump([created(), created()]))

    def test_time_does_not_go_back(self) -> None:
        with pytest.raises(Inconsistent, match="older"):
            load(dump([created(at=5), e.Started(at=4)]))


class TestWhatCannotHaveHappened:
    """A log that was tampered with, or lost lines, is not folded into something that never was."""

    def lines(self) -> list[e.Event]:
        table = Table().play("e2e4 e7e5 g1f3")
        table.granted(c.Resign(by="bea"))
        return table.log

    def test_a_move_is_missing(self) -> None:
        log = [event for event in self.lines() if getattr(event, "uci", "") != "e7e5"]
        with pytest.raises(Inconsistent, match="out of turn"):
            fold(log)

    @pytest.mark.parametrize("uci", ["e7e4", "e2e4", "0000", "nonsense", "e8g8", ""])
    def test_a_move_is_illegal(self, uci: str) -> None:
        log = [
            replace(event, uci=uci) if isinstance(event, e.Moved) and event.ply == 1 else event
            for event in self.lines()
        ]
        with pytest.raises(Inconsistent, match="illegal"):
            fold(log)

    def test_a_move_comes_after_the_end(self) -> None:
        log = self.lines()
        moved = next(event for event in log if isinstance(event, e.Moved))
        with pytest.raises(Inconsistent, match="out of turn"):
            fold([*log, replace(moved, ply=3, at=log[-1].at)])

    def test_it_ends_twice(self) -> None:
        log = self.lines()
        with pytest.raises(Inconsistent, match="over"):
            fold([*log, log[-1]])

    def test_it_starts_twice(self) -> None:
        log = self.lines()[:6]
        with pytest.raises(Inconsistent, match="started"):
            fold([*log, e.Started(at=log[-1].at)])

    def test_it_goes_back_to_a_position_that_never_was(self) -> None:
        log = self.lines()
        back = ResumedFromPosition(
            at=log[-1].at, by="x", reason="x", article="6.8", ply=9, white=1, black=1
        )
        with pytest.raises(Inconsistent, match="does not exist"):
            fold([*log, back])

    @pytest.mark.parametrize("field", ["white", "black", "spent", "ply"])
    def test_no_time_in_a_log_is_below_zero(self, field: str) -> None:
        moved = next(event for event in self.lines() if isinstance(event, e.Moved))
        with pytest.raises(Malformed):
            decode(encode(replace(moved, **{field: -1})))


class TestCreating:
    def test_a_game_needs_two_players(self) -> None:
        for wrong in (
            replace(created(), black=ADA),
            replace(created(), game=""),
            replace(created(), white=replace(ADA, id="")),
        ):
            refusal = create(wrong).refusal
            assert refusal is not None
            assert refusal.key == "hall.two_players_needed"

    @pytest.mark.parametrize(
        ("control", "key", "article"),
        [
            ("soon", "hall.no_time_control", "1.3.6"),
            ("", "hall.no_time_control", "1.3.6"),
            ("0+5", "hall.no_time_to_begin", "1.3.3"),
            ("W300-B0+5", "hall.no_time_to_begin", "1.3.3"),
        ],
    )
    def test_1_3_6_and_a_time_control(self, control: str, key: str, article: str) -> None:
        refusal = create(created(control)).refusal
        assert refusal is not None
        assert (refusal.key, refusal.article) == (key, article)

    @pytest.mark.parametrize(
        ("rule", "article"),
        [
            ("tolerance", "1.3.5"),
            ("reconnection_limit", "7.7"),
            ("spectator_delay", "5.17"),
            ("spectator_delay_plies", "5.17"),
            ("announced_fine", "6.9g"),
        ],
    )
    def test_and_no_rule_below_zero(self, rule: str, article: str) -> None:
        refusal = create(created("180", 0, **{rule: -1})).refusal
        assert refusal is not None
        assert (refusal.key, refusal.article) == ("hall.negative_rule", article)

    def test_1_3_5_a_tolerance_must_be_stated(self) -> None:
        line = encode(created()).replace(b'"tolerance":600000,', b"")
        with pytest.raises(Malformed, match="tolerance"):
            decode(line)


def test_1_3_7_every_event_has_the_servers_moment() -> None:
    table = Table().play("e2e4 e7e5", think=1_500)
    assert [event.at for event in table.log if isinstance(event, e.Moved)] == [
        START + 1_500,
        START + 3_000,
    ]
