"""The arbiter and the clocks (6.5, 6.9b, 6.9c, 11.5, 11.6)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from arrocco.hall.game import Phase, next_deadline
from arrocco.hall.game import commands as c
from arrocco.hall.game import events as e
from arrocco.hall.game.acts import ArbiterCommand
from arrocco.hall.game.acts.clock_time import (
    AddTime,
    SetTime,
    SubtractTime,
    TimeAdded,
    TimeSet,
    TimeSubtracted,
)
from arrocco.hall.game.acts.pause import Pause, Paused, Resume
from arrocco.laws.online.side import Side
from tests.hall.game.table import ARBITER, BLACK, START, WHITE, Table


def add(time: int, side: Side = WHITE, article: str = "") -> AddTime:
    return AddTime(by=ARBITER, reason="noise", side=side, time=time, article=article)


def subtract(time: int, side: Side = WHITE, article: str = "") -> SubtractTime:
    return SubtractTime(by=ARBITER, reason="spoke", side=side, time=time, article=article)


def set_time(time: int, side: Side = WHITE, corrects: int | None = None) -> SetTime:
    return SetTime(by=ARBITER, reason="wrong control", side=side, time=time, corrects=corrects)


class TestEveryAct:
    ACTS = (
        Pause(by=ARBITER, reason="x"),
        Resume(by=ARBITER, reason="x"),
        add(1_000),
        subtract(1_000),
        set_time(1_000),
    )

    @pytest.mark.parametrize("act", ACTS, ids=lambda act: type(act).__name__)
    def test_needs_a_reason_that_of_a_pause_may_follow(self, act: ArbiterCommand) -> None:
        for reason in ("", "  \n") if not act.REASON_MAY_FOLLOW else ():
            assert Table().refusal(replace(act, reason=reason))[0] == "reason_needed"
        assert act.REASON_MAY_FOLLOW is isinstance(act, Pause)
        assert Table().refusal(replace(act, reason="x" * 2_001))[0] == "text_too_long"

    @pytest.mark.parametrize("act", ACTS, ids=lambda act: type(act).__name__)
    def test_is_not_for_players(self, act: ArbiterCommand) -> None:
        assert Table().refusal(replace(act, by="ada"))[0] == "arbiter_is_player"
        assert Table().refusal(replace(act, by=""))[0] == "arbiter_needed"

    @pytest.mark.parametrize("act", ACTS, ids=lambda act: type(act).__name__)
    def test_rests_on_an_article_that_allows_it(self, act: ArbiterCommand) -> None:
        assert Table().refusal(replace(act, article="5.1")) == ("article_not_open", "5.1")


class TestAdding:
    def test_6_5_time_for_a_disturbance(self) -> None:
        table = Table("180").later(10_000)
        assert table.granted(add(60_000)) == (
            TimeAdded(
                at=START + 10_000,
                by=ARBITER,
                reason="noise",
                article="6.5",
                side=WHITE,
                time=60_000,
                left=230_000,
            ),
        )
        assert table.later(5_000).left(WHITE) == 225_000

    @pytest.mark.parametrize("article", ["6.5", "6.9b", "11.5", "11.6"])
    def test_each_article_that_gives_time(self, article: str) -> None:
        table = Table("180")
        (added,) = table.granted(add(60_000, BLACK, article))
        assert isinstance(added, TimeAdded)
        assert added.article == article
        assert table.left(BLACK) == 240_000

    @pytest.mark.parametrize("time", [0, -5])
    def test_6_9b_some_time_must_be_given(self, time: int) -> None:
        assert Table().refusal(add(time, article="6.9b")) == ("objection.no_time_given", "6.9b")

    def test_no_act_gives_more_than_any_control(self) -> None:
        assert Table().refusal(add(10**12)) == ("time_too_long", "6.5")

    def test_time_is_given_before_the_start_and_in_a_pause(self) -> None:
        table = Table("180", started=False)
        table.granted(add(30_000))
        table.granted(c.Start(by=ARBITER))
        table.later(10_000).pause()
        table.granted(add(20_000, BLACK))
        assert (table.left(WHITE), table.left(BLACK)) == (200_000, 200_000)

    def test_not_after_the_end(self) -> None:
        table = Table()
        table.granted(c.Resign(by="ada"))
        assert table.refusal(add(1_000)) == ("game_over", "6.5")

    def test_it_moves_the_fall_of_the_flag(self) -> None:
        table = Table("180")
        table.granted(add(60_000))
        deadline = next_deadline(table.state, table.now)
        assert deadline is not None
        assert deadline.at == START + 240_000

    def test_it_does_not_raise_a_fallen_flag(self) -> None:
        table = Table("180").later(180_000)
        assert table.refusal(add(60_000)) == ("game_over", "6.5")
        assert table.end == ((0, 2), "time", "2.1c")


class TestSubtracting:
    def test_6_9c_time_is_taken_from_the_culprit(self) -> None:
        table = Table("180").later(10_000)
        (taken,) = table.granted(subtract(60_000))
        assert isinstance(taken, TimeSubtracted)
        assert (taken.article, taken.left) == ("6.9c", 110_000)
        assert table.left(WHITE) == 110_000

    def test_6_9c_taking_everything_makes_the_flag_fall(self) -> None:
        table = Table("180").later(10_000)
        kinds = [type(event) for event in table.granted(subtract(170_000))]
        assert kinds == [TimeSubtracted, e.Flagged, e.Ended]
        assert table.end == ((0, 2), "time", "2.1c")
        assert table.left(WHITE) == 0

    def test_6_9c_also_of_the_player_who_is_not_to_move(self) -> None:
        table = Table("180")
        table.granted(subtract(999_000, BLACK))
        assert table.end == ((2, 0), "time", "2.1c")

    def test_6_9c_also_in_a_pause(self) -> None:
        table = Table("180")
        table.pause()
        table.granted(subtract(999_000))
        assert table.end == ((0, 2), "time", "2.1c")

    def test_not_everything_before_the_start(self) -> None:
        table = Table("180", started=False)
        assert table.refusal(subtract(180_000)) == ("time_would_be_over", "6.9c")
        table.granted(subtract(179_999))
        assert table.left(WHITE) == 1

    def test_6_9c_some_time_must_be_given(self) -> None:
        assert Table().refusal(subtract(0)) == ("objection.no_time_given", "6.9c")


class TestSetting:
    def test_11_5_the_right_time_is_put_on_the_clock(self) -> None:
        table = Table("180").later(10_000)
        (was_set,) = table.granted(set_time(300_000))
        assert isinstance(was_set, TimeSet)
        assert (was_set.before, was_set.left, was_set.article) == (170_000, 300_000, "11.5")
        assert table.later(1_000).left(WHITE) == 299_000

    def test_11_5_no_clock_is_set_to_nothing(self) -> None:
        assert Table().refusal(set_time(0)) == ("objection.no_time_given", "11.5")


class TestCorrecting:
    def test_a_correcting_act_names_the_first(self) -> None:
        table = Table("180")
        table.granted(add(600_000))
        first = table.state.number - 1
        (second,) = table.granted(set_time(240_000, corrects=first))
        assert isinstance(second, TimeSet)
        assert second.corrects == first

    @pytest.mark.parametrize("number", [-1, 0, 99])
    def test_only_acts_are_corrected(self, number: int) -> None:
        assert Table().refusal(set_time(1_000, corrects=number)) == ("no_such_act", "11.5")


class TestPause:
    def test_11_6_the_clocks_stand_still(self) -> None:
        table = Table("180").later(10_000)
        assert table.pause() == (
            Paused(
                at=START + 10_000,
                by=ARBITER,
                reason="a power cut",
                article="11.6",
                stopped=START + 10_000,
                white=170_000,
                black=180_000,
            ),
        )
        assert table.later(500_000).left(WHITE) == 170_000
        assert next_deadline(table.state, table.now) is None

    def test_11_6_and_run_again_for_the_same_player(self) -> None:
        table = Table("180").later(10_000)
        table.pause()
        table.later(500_000).resume()
        assert table.later(1_000).left(WHITE) == 169_000
        table.move("e2e4")

    def test_11_6_only_a_running_game_is_paused(self) -> None:
        table = Table(started=False)
        pause = Pause(by=ARBITER, reason="x")
        assert table.refusal(pause) == ("not_started", "11.6")
        table.granted(c.Start(by=ARBITER))
        table.granted(pause)
        assert table.refusal(pause) == ("already_paused", "11.6")
        table.granted(c.Resign(by="ada"))
        assert table.refusal(pause) == ("game_over", "11.6")

    def test_11_6_only_a_paused_game_is_resumed(self) -> None:
        assert Table().refusal(Resume(by=ARBITER, reason="x")) == ("not_paused", "11.6")

    def test_11_6_a_pause_does_not_save_a_fallen_flag(self) -> None:
        table = Table("180").later(180_000)
        assert table.refusal(Pause(by=ARBITER, reason="x")) == ("game_over", "11.6")
        assert table.end == ((0, 2), "time", "2.1c")

    def test_11_6_one_may_resign_in_it(self) -> None:
        table = Table()
        table.pause()
        table.granted(c.Resign(by="ada"))
        assert table.state.phase is Phase.ENDED
        assert table.state.stopped is None
