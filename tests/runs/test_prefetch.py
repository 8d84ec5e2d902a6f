"""An iterator some steps ahead: the same items, the same errors, and it can be stopped."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest

from arrocco.runs.prefetch import Ahead


def test_gives_the_same_items_in_the_same_order() -> None:
    assert list(Ahead(iter(range(100)), most=3)) == list(range(100))


def test_raises_where_the_item_is_asked_for() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise ValueError("no more")

    taken = iter(Ahead(items()))
    assert next(taken) == 1
    with pytest.raises(ValueError, match="no more"):
        next(taken)


def test_works_before_it_is_asked_but_not_without_bound() -> None:
    made: list[int] = []
    third = Event()

    def items() -> Iterator[int]:
        for number in range(1000):
            made.append(number)
            if number == 3:
                third.set()
            yield number

    ahead = Ahead(items(), most=3)
    assert third.wait(5)
    assert len(made) <= 5
    ahead.close()
    assert len(made) < 1000
