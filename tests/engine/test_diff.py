"""Two lists side by side: everybody in one class, every point accounted for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arrocco.engine.diff import BESIDE, BUCKETS, CLASSES, ListDiff, Steps
from arrocco.laws.fide.standard_2024 import Fide2024
from arrocco.records.ratinglist import UNKNOWN, RatingList


@dataclass(frozen=True)
class Person:
    """A row of a list."""

    id: int
    rating: int = 0
    k: int = UNKNOWN
    flag: str = ""
    title: str = ""
    federation: str = "ITA"
    name: str = "Finto, Uno"


def listed(*people: Person) -> RatingList:
    rows = sorted(people, key=lambda person: person.id)

    def column(name: str, dtype: Any) -> Any:
        return np.array([getattr(person, name) for person in rows], dtype=dtype)

    texts = {name: column(name, object) for name in ("name", "federation", "title", "flag")}
    numbers = {name: column(name, np.int32) for name in ("rating", "k")}
    empty = np.zeros(len(rows), dtype=np.int32)
    return RatingList(
        id=column("id", np.int64),
        sex=np.full(len(rows), "M", dtype=object),
        games=empty,
        birth=empty.copy(),
        **texts,
        **numbers,
    )


def classes_of(diff: ListDiff, player: int) -> set[str]:
    (row,) = np.flatnonzero(diff.id == player).tolist()
    return {name for name, mask in diff.masks.items() if mask[row]}


A_PERSON = Person(7, 1500, 20)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (A_PERSON, A_PERSON, {"same"}),
        (A_PERSON, replace(A_PERSON, rating=1501), {"changed"}),
        (A_PERSON, replace(A_PERSON, rating=0, k=UNKNOWN), {"delisted"}),
        (A_PERSON, None, {"gone"}),
        (None, A_PERSON, {"new"}),
        (replace(A_PERSON, rating=0), A_PERSON, {"new"}),
        (None, replace(A_PERSON, rating=0), {"joined"}),
        (replace(A_PERSON, rating=0), replace(A_PERSON, rating=0), {"unrated"}),
        (replace(A_PERSON, rating=0), None, {"gone"}),
        (A_PERSON, replace(A_PERSON, flag="i"), {"same", "inactive"}),
        (replace(A_PERSON, flag="wi"), replace(A_PERSON, flag="w"), {"same", "active"}),
        (A_PERSON, replace(A_PERSON, k=10), {"same", "k"}),
        (replace(A_PERSON, k=UNKNOWN), A_PERSON, {"same"}),
        (replace(A_PERSON, rating=0), replace(A_PERSON, rating=1500, k=10), {"new"}),
        (A_PERSON, replace(A_PERSON, title="FM"), {"same", "title"}),
        (A_PERSON, replace(A_PERSON, federation="FRA"), {"same", "federation"}),
        (A_PERSON, replace(A_PERSON, name="Finto, Due"), {"same", "name"}),
    ],
)
def test_what_becomes_of_one_player(
    before: Person | None, after: Person | None, expected: set[str]
) -> None:
    other = Person(3, 1700)
    one = listed(*filter(None, (before, other)))
    two = listed(*filter(None, (after, other)))
    assert classes_of(ListDiff(one, two), 7) == expected


people = st.dictionaries(
    st.integers(1, 40),
    st.tuples(
        st.sampled_from([0, 0, 1400, 1401, 1405, 1406, 1411, 1451, 1501, 1800]),
        st.sampled_from([UNKNOWN, 10, 20]),
        st.sampled_from(["", "i", "w", "wi"]),
        st.sampled_from(["", "GM"]),
    ),
    max_size=25,
).map(lambda found: [Person(id_, *row) for id_, row in found.items()])


@settings(max_examples=60)
@given(people, people)
def test_everybody_is_in_one_class_and_every_point_is_accounted_for(
    before: list[Person], after: list[Person]
) -> None:
    diff = ListDiff(listed(*before), listed(*after))
    assert diff.id.tolist() == sorted({p.id for p in (*before, *after)})
    assert set(diff.masks) == set(CLASSES) | set(BESIDE)
    assert sum(diff.count(name) for name in CLASSES) == len(diff)
    points = diff.points()
    assert points["before"] == sum(p.rating for p in before)
    assert points["after"] == sum(p.rating for p in after)
    parts = ("before", "gained", "lost", "entering", "leaving")
    assert sum(points[part] for part in parts) == points["after"]
    gained = sum(up for _, _, up, _ in diff.histogram())
    lost = sum(down for _, _, _, down in diff.histogram())
    assert gained == len(diff.gains()) == (diff.change > 0).sum()
    assert lost == len(diff.losses()) == (diff.change < 0).sum()
    assert gained + lost == diff.count("changed")


@settings(max_examples=30)
@given(people, people)
def test_the_way_back_is_the_mirror(before: list[Person], after: list[Person]) -> None:
    there = ListDiff(listed(*before), listed(*after))
    back = ListDiff(listed(*after), listed(*before))
    for one, other in (("gained", "lost"), ("entering", "leaving"), ("before", "after")):
        assert abs(there.points()[one]) == abs(back.points()[other])
    assert there.count("inactive") == back.count("active")
    assert there.count("k") == back.count("k")


@pytest.mark.parametrize("size", [1, 5, 6, 10, 11, 20, 21, 50, 51, 100, 101, 900])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_change_is_counted_in_its_bucket(size: int, sign: int) -> None:
    diff = ListDiff(listed(Person(1, 2000)), listed(Person(1, 2000 + sign * size)))
    expected = next((low, high) for low, high in BUCKETS if low <= size <= (high or size))
    for low, high, gained, lost in diff.histogram():
        counted = int((low, high) == expected)
        assert (gained, lost) == ((counted, 0) if sign > 0 else (0, counted))


def test_the_largest_come_first_and_of_equals_the_lower_id() -> None:
    before = listed(*(Person(id_, 1500) for id_ in range(1, 7)))
    changes = {1: 5, 2: 30, 3: -7, 4: 30, 5: -90, 6: 0}
    after = listed(*(Person(id_, 1500 + change) for id_, change in changes.items()))
    diff = ListDiff(before, after)
    assert diff.id[diff.gains()].tolist() == [2, 4, 1]
    assert diff.id[diff.gains(1)].tolist() == [2]
    assert diff.id[diff.losses()].tolist() == [5, 3]
    assert diff.id[diff.rows("same")].tolist() == [6]


def steps(*rows: tuple[int, int, bool, int]) -> Steps:
    """Steps from id, rating, whether it stood in, and new rating."""
    player, rating, stands_in, new = (np.array(column) for column in zip(*rows, strict=True))
    zero = np.zeros(len(rows), dtype=np.int64)
    return Steps(
        player=player,
        rating=rating,
        stands_in=stands_in,
        games=zero,
        k=zero,
        k_applied=zero,
        k_reason=np.full(len(rows), "", dtype=object),
        variation=zero,
        change=zero,
        new_rating=new,
        first_games=zero,
        law=Fide2024(),
    )


def test_a_rating_the_calculations_do_not_give_is_unexplained() -> None:
    before = {1: 1500, 2: 1500, 3: 1500, 4: 0, 5: 0, 6: 1500, 7: 1500}
    after = {1: 1510, 2: 1511, 3: 1510, 4: 1600, 5: 1700, 6: 1500, 7: 1501}
    stored = steps(
        (1, 1500, False, 1510),  # as computed
        (2, 1500, False, 1510),  # another rating than computed
        (3, 1400, False, 1510),  # computed from another rating
        (4, 0, False, 1600),  # a first rating
        (5, 1650, True, 1700),  # the standard rating stood in
    )  # 6 did not play; 7 did not either, yet has another rating
    diff = ListDiff(
        listed(*(Person(*row) for row in before.items())),
        listed(*(Person(*row) for row in after.items())),
        stored,
    )
    assert diff.id[diff.unexplained].tolist() == [2, 3, 7]


def test_without_calculations_nothing_is_called_unexplained() -> None:
    diff = ListDiff(listed(Person(1, 1500)), listed(Person(1, 1600)))
    assert not diff.unexplained.any()


def test_empty_lists_differ_in_nothing() -> None:
    diff = ListDiff(listed(), listed())
    assert diff.points() == dict.fromkeys(diff.points(), 0)
    assert not len(diff.gains())
    assert ListDiff(listed(), listed(A_PERSON)).count("new") == 1
    assert ListDiff(listed(A_PERSON), listed()).count("gone") == 1
