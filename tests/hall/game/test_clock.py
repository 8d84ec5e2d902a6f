"""The clock as a value: what runs, what is added, when the flag falls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.errors import Illegal
from arrocco.hall.clock import Clock, forfeit_at
from arrocco.laws.online.side import Side
from arrocco.records.timecontrol import Period, TimeControl, parse_code

WHITE, BLACK = Side.WHITE, Side.BLACK


def clock(code: str, now: int = 0) -> Clock:
    return Clock.of(parse_code(code)).start(now)


class TestRunning:
    def test_1_3_2_before_the_start_no_time_runs(self) -> None:
        still = Clock.of(parse_code("180+2"))
        assert still.running is None
        assert still.flag_at() is None
        assert still.remaining(WHITE, 999_999) == 180_000

    def test_1_3_2_only_the_time_of_the_side_to_move_runs(self) -> None:
        running = clock("180", now=1000)
        assert running.running is WHITE
        assert running.remaining(WHITE, 4000) == 177_000
        assert running.remaining(BLACK, 4000) == 180_000

    def test_1_3_2_a_move_stops_one_time_and_starts_the_other(self) -> None:
        after = clock("180", now=1000).switch(4000)
        assert after.running is BLACK
        assert after.remaining(WHITE, 9000) == 177_000
        assert after.remaining(BLACK, 9000) == 175_000

    def test_1_3_2_the_increment_is_added_after_the_move(self) -> None:
        after = clock("180+2").switch(3000)
        assert after.shown(WHITE) == 179_000
        assert after.shown(BLACK) == 180_000

    def test_1_3_2_a_move_that_takes_no_time_gains_the_whole_increment(self) -> None:
        assert clock("180+2", now=5).switch(5).shown(WHITE) == 182_000

    def test_1_3_2_each_side_has_its_own_control(self) -> None:
        after = clock("W300-B240+1").switch(1000).switch(2000)
        assert (after.white, after.black) == (299_000, 240_000)


class TestFlag:
    def test_1_3_4_the_flag_falls_when_all_time_has_run(self) -> None:
        running = clock("180", now=1000)
        assert running.flag_at() == 181_000
        assert running.remaining(WHITE, 180_999) == 1
        assert running.remaining(WHITE, 181_000) == 0
        assert running.remaining(WHITE, 500_000) == 0

    @pytest.mark.parametrize("now", [180_000, 200_000])
    def test_1_3_4_no_move_is_completed_without_time(self, now: int) -> None:
        with pytest.raises(Illegal):
            clock("180").switch(now)

    def test_1_3_4_a_move_in_the_last_millisecond_is_completed(self) -> None:
        assert clock("180+2").switch(179_999).shown(WHITE) == 2_001

    def test_1_3_4_no_move_is_completed_on_a_clock_that_stands(self) -> None:
        with pytest.raises(Illegal):
            Clock.of(parse_code("180")).switch(10)


class TestPeriods:
    def test_1_3_3_completing_the_moves_of_a_period_brings_the_time_of_the_next(self) -> None:
        running = clock("2/60+1:30+5")
        for now in (10_000, 10_000, 20_000, 20_000):
            running = running.switch(now)
        # White: 60 - 10 + 1 - 10 + 1 + 30.
        assert running.white == 72_000
        assert running.black == 60_000 + 2_000 + 30_000
        assert running.periods_passed(WHITE) == 1

    def test_1_3_3_each_period_has_its_own_increment(self) -> None:
        running = clock("2/60+1:30+5")
        gains = []
        for _ in range(4):
            before = running.white
            running = running.switch(0)
            gains.append(running.white - before)
            running = running.switch(0)
        assert gains == [1_000, 31_000, 5_000, 5_000]

    def test_1_3_3_three_periods_pass_one_after_the_other(self) -> None:
        running = clock("2/100:1/50:10")
        passed = [running.periods_passed(WHITE)]
        to_control = [running.moves_to_control(WHITE)]
        for _ in range(4):
            running = running.switch(0).switch(0)
            passed.append(running.periods_passed(WHITE))
            to_control.append(running.moves_to_control(WHITE))
        assert passed == [0, 0, 1, 2, 2]
        assert to_control == [2, 1, 1, None, None]
        assert running.white == 160_000

    def test_1_3_3_a_last_period_with_moves_begins_anew(self) -> None:
        running = clock("2/100:1/50+1")
        shown = []
        for _ in range(4):
            running = running.switch(0).switch(0)
            shown.append(running.white)
        assert shown == [100_000, 150_000, 201_000, 252_000]
        assert running.periods_passed(WHITE) == 3
        assert running.moves_to_control(WHITE) == 1

    def test_1_3_3_it_begins_anew_only_after_all_its_moves(self) -> None:
        running = clock("1/100:3/50+1")
        shown = []
        for _ in range(7):
            running = running.switch(0).switch(0)
            shown.append(running.white // 1000)
        assert shown == [150, 151, 152, 203, 204, 205, 256]

    def test_1_3_3_time_left_is_kept_when_a_period_ends(self) -> None:
        running = clock("1/60:30").switch(50_000)
        assert running.white == 40_000

    def test_1_3_3_too_few_moves_in_a_period_lose_it_with_more_periods_to_come(self) -> None:
        running = clock("40/60:3600").switch(1_000).switch(2_000)
        assert running.flag_at() == 2_000 + 59_000


class TestPause:
    def test_11_6_no_time_runs_in_a_pause(self) -> None:
        paused = clock("180").switch(1_000).pause(3_000)
        assert paused.running is None
        assert paused.flag_at() is None
        assert paused.remaining(BLACK, 100_000) == 178_000

    def test_11_6_the_same_side_goes_on(self) -> None:
        again = clock("180").switch(1_000).pause(3_000).resume(100_000)
        assert again.running is BLACK
        assert again.remaining(BLACK, 101_000) == 177_000

    def test_11_6_pausing_and_resuming_twice_change_nothing(self) -> None:
        paused = clock("180").pause(3_000)
        assert paused.pause(9_000) == paused
        running = paused.resume(10_000)
        assert running.resume(20_000) == running


class TestActs:
    def test_6_9b_added_time_is_added_to_what_is_left_now(self) -> None:
        more = clock("180").add(WHITE, 60_000, 10_000)
        assert more.remaining(WHITE, 10_000) == 230_000
        assert more.remaining(WHITE, 15_000) == 225_000

    def test_6_9c_subtracting_takes_at_most_everything(self) -> None:
        less = clock("180").subtract(WHITE, 500_000, 10_000)
        assert less.remaining(WHITE, 10_000) == 0
        assert less.flag_at() == 10_000

    def test_time_of_the_side_that_waits_can_change_too(self) -> None:
        changed = clock("180").subtract(BLACK, 30_000, 10_000)
        assert changed.remaining(BLACK, 99_000) == 150_000
        assert changed.remaining(WHITE, 11_000) == 169_000

    def test_11_5_a_clock_is_set(self) -> None:
        assert clock("180").set(WHITE, 90_000, 50_000).remaining(WHITE, 51_000) == 89_000

    def test_11_5_no_clock_shows_less_than_nothing(self) -> None:
        with pytest.raises(Illegal):
            clock("180").set(WHITE, -1, 0)

    def test_6_8_an_earlier_clock_knows_its_period_and_its_turn(self) -> None:
        back = clock("2/60:30").back_to(2, 1, 5_000, 6_000)
        assert (back.turn, back.running) == (BLACK, None)
        assert back.periods_passed(WHITE) == 1
        assert back.periods_passed(BLACK) == 0
        assert back.start(0).switch(1_000).black == 6_000 - 1_000 + 30_000


def test_1_3_5_who_comes_when_the_tolerance_ends_is_in_time() -> None:
    assert forfeit_at(60_000) == 60_001


# --- properties -----------------------------------------------------------------------------------

PERIODS = st.builds(Period, st.integers(60, 7200), st.integers(0, 60), st.integers(1, 40))
LAST = st.builds(Period, st.integers(60, 7200), st.integers(0, 60), st.none() | st.integers(1, 40))


@st.composite
def controls(draw: st.DrawFn) -> TimeControl:
    sides = [(*draw(st.lists(PERIODS, max_size=2)), draw(LAST)) for _ in range(2)]
    return TimeControl(*sides)


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["switch", "pause", "resume", "add", "subtract", "look"]),
        st.integers(0, 20_000),
        st.sampled_from(list(Side)),
        st.integers(0, 100_000),
    ),
    max_size=60,
)


def granted(control: TimeControl, side: Side, moves: int) -> int:
    """What a side is given for its first moves, counted period by period, in milliseconds."""
    periods = control.white if side is WHITE else control.black
    total = periods[0].seconds
    index, left = 0, periods[0].moves
    for _ in range(moves):
        total += periods[index].increment
        if left is not None:
            left -= 1
            if left == 0:
                index = min(index + 1, len(periods) - 1)
                total += periods[index].seconds
                left = periods[index].moves
    return total * 1000


@given(controls(), STEPS)
def test_time_is_neither_lost_nor_made(
    control: TimeControl, steps: list[tuple[str, int, Side, int]]
) -> None:
    """What a side has is what it was given, and what acts gave or took, less what has run."""
    now, this = 0, Clock.of(control).start(0)
    ran, acts = {WHITE: 0, BLACK: 0}, {WHITE: 0, BLACK: 0}
    for step, wait, side, time in steps:
        running = this.running
        if running is not None:
            wait = min(wait, this.remaining(running, now))
            ran[running] += wait
        now += wait
        if step == "switch" and running is not None and this.remaining(running, now):
            this = this.switch(now)
        elif step == "pause":
            this = this.pause(now)
        elif step == "resume":
            this = this.resume(now)
        elif step == "add":
            acts[side] += time
            this = this.add(side, time, now)
        elif step == "subtract":
            taken = min(time, this.remaining(side, now))
            acts[side] -= taken
            this = this.subtract(side, time, now)
        for each in Side:
            expected = granted(control, each, this.moves(each)) + acts[each] - ran[each]
            assert this.remaining(each, now) == expected >= 0


@given(controls(), st.lists(st.integers(0, 5_000), min_size=1, max_size=30), st.integers(0, 10**7))
def test_the_flag_falls_at_the_first_moment_without_time(
    control: TimeControl, thoughts: list[int], wait: int
) -> None:
    now, this = 0, Clock.of(control).start(0)
    for thought in thoughts:
        now += thought
        this = this.switch(now)
    flag = this.flag_at()
    assert flag is not None
    assert this.remaining(this.turn, flag) == 0
    assert this.remaining(this.turn, flag - 1) > 0
    assert (this.remaining(this.turn, now + wait) == 0) == (now + wait >= flag)


@given(controls(), st.integers(0, 30_000), st.integers(0, 10**6))
def test_a_pause_costs_nobody_anything(control: TimeControl, thought: int, pause: int) -> None:
    with_pause = Clock.of(control).start(0).pause(thought).resume(thought + pause)
    without = Clock.of(control).start(0)
    for side in Side:
        assert with_pause.remaining(side, thought + pause + 77) == without.remaining(
            side, thought + 77
        )


@given(controls(), st.integers(0, 50_000), st.integers(-50_000, 50_000))
def test_a_moment_before_the_last_one_takes_no_time_back(
    control: TimeControl, thought: int, earlier: int
) -> None:
    """A server's time that steps back must not give time to anybody."""
    this = Clock.of(control).start(thought)
    assert this.remaining(WHITE, min(thought, earlier)) == this.shown(WHITE)
    assert this.switch(min(thought, earlier)).since == thought
