"""Counts work without a clock: calls of functions, and steps of loops that call nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def calls(work: Callable[[], Any]) -> int:
    """How many functions, Python's and C's, a piece of work calls."""
    count = 0

    def see(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def lines(work: Callable[[], Any]) -> int:
    """How many lines of Python a piece of work goes through; loops without calls show here too."""
    count = 0

    def step(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def growth(work: Callable[[bytes], Any], small: bytes, large: bytes) -> float:
    """How much faster than the input the work on it grows: 1 is linear, 2 is quadratic.

    `large` is about twice as long as `small`.
    """
    work(small)  # what is read once and kept is not counted
    work(large)
    few, many = _steps(lambda: work(small)), _steps(lambda: work(large))
    return (many / few) / (len(large) / len(small))


def _steps(work: Callable[[], Any]) -> int:
    """Lines, and calls: a generator that stays on its line shows only when it is resumed."""
    return lines(work) + calls(work)
