"""Dates that jump, loops that wait, disks that fill: seen when they are, and only then."""

from __future__ import annotations

import asyncio
import time

import pytest

from arrocco.live.time_watch import ClockWatch, LoopWatch, TimeWatch
from arrocco.operation.disk import DAY, Disk, DiskTrend

GB = 10**9


class Clocks:
    """A date and a steady clock that a test moves."""

    def __init__(self) -> None:
        self.date, self.steady = 1_800_000_000.0, 100.0

    def watch(self) -> ClockWatch:
        return ClockWatch(lambda: self.date, lambda: self.steady)

    def pass_by(self, seconds: float, drift: float = 0.0) -> None:
        self.steady += seconds
        self.date += seconds + drift


@pytest.mark.parametrize("jump", [3.0, -3.0, 0.5, -3600.0])
def test_a_date_that_was_set_is_seen(jump: float) -> None:
    clocks = Clocks()
    watch = clocks.watch()
    clocks.pass_by(1)
    assert watch.look() == 0
    clocks.pass_by(1, drift=jump)
    assert watch.look() == pytest.approx(jump)
    clocks.pass_by(1)
    assert watch.look() == 0
    assert watch.jumps == 1
    assert watch.offset == pytest.approx(jump)


def test_a_date_that_is_led_slowly_is_no_jump() -> None:
    clocks = Clocks()
    watch = clocks.watch()
    for _ in range(3600):
        clocks.pass_by(1, drift=0.0005)  # the most that NTP does
        assert watch.look() == 0
    assert watch.offset == pytest.approx(1.8, abs=0.01)


def test_a_look_that_comes_late_is_no_jump() -> None:
    clocks = Clocks()
    watch = clocks.watch()
    clocks.pass_by(500)
    assert watch.look() == 0


def test_the_real_clocks_of_this_machine_do_not_jump() -> None:
    watch = ClockWatch()
    for _ in range(20):
        time.sleep(0.01)
        assert watch.look() == 0


def test_a_loop_that_keeps_waiting_is_seen_while_it_does() -> None:
    async def scene() -> None:
        watch = TimeWatch("test")
        watch.loop = LoopWatch(asyncio.get_running_loop())
        watch.look()
        await asyncio.sleep(0.01)
        assert watch.numbers().loop_lag_seconds < 0.2
        watch.look()
        time.sleep(0.4)  # nobody else has a turn meanwhile
        assert watch.numbers().loop_lag_seconds > 0.3
        await asyncio.sleep(0.01)
        assert watch.numbers().loop_lag_seconds > 0.3, "the minute is not over"

    asyncio.run(scene())


def test_a_disk_that_fills_is_foreseen() -> None:
    clocks = Clocks()
    trend = DiskTrend(lambda: clocks.steady)
    free = 40 * GB
    for _ in range(60):
        trend.add(Disk(100 * GB, free))
        clocks.pass_by(60)
        free -= GB // 10  # 6 GB an hour
    seconds = trend.seconds_until_full(Disk(100 * GB, free))
    assert seconds is not None
    assert 5 * 3600 < seconds < 7 * 3600
    assert seconds < DAY


def test_one_large_file_and_a_quiet_disk_are_no_trend() -> None:
    clocks = Clocks()
    trend = DiskTrend(lambda: clocks.steady)
    for free in [40 * GB] * 3 + [30 * GB] * 10:
        trend.add(Disk(100 * GB, free))
        clocks.pass_by(60)
    assert trend.seconds_until_full(Disk(100 * GB, 30 * GB)) is None, "thirteen minutes are few"
    quiet = DiskTrend(lambda: clocks.steady)
    for number in range(100):
        quiet.add(Disk(100 * GB, 40 * GB - number * 10**5))
        clocks.pass_by(60)
    assert quiet.seconds_until_full(Disk(100 * GB, 40 * GB)) is None
