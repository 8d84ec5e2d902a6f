"""12.6 — prizes by places and categories, shared and divided to the cent."""

from __future__ import annotations

from arrocco.hall.event.acts.entries import Enter
from arrocco.hall.event.acts.prizes import SetPrizes
from arrocco.hall.event.prize_table import PrizeCategory, PrizeTable
from arrocco.hall.event.prizes import awarded, payments
from arrocco.hall.event.records import TieBreak
from arrocco.laws.online.sanctions import Scope
from arrocco.records.report import Birth
from tests.hall.event.desk import CHIEF, DRAW, ORGANISER, WIN, Desk, person

GENERAL = PrizeCategory(name="General", cents=(20_000, 10_000, 5_001))
WOMEN = PrizeCategory(name="Women", cents=(8_000,), women=True)
YOUNG = PrizeCategory(name="U16", cents=(6_000,), born_from=2010)
BELOW = PrizeCategory(name="Below 2000", cents=(4_000, 3_000), rated_below=2000)


def table(*categories: PrizeCategory, one_each: bool = True) -> SetPrizes:
    prizes = PrizeTable(categories=categories, one_each=one_each)
    return SetPrizes(by=ORGANISER, prizes=prizes)


def given(desk: Desk) -> list[tuple[str, int, int]]:
    return [(one.category, one.entry, one.cents) for one in awarded(desk.state)]


def played(command: SetPrizes, *scores: tuple[int, int]) -> Desk:
    """Four players in one round: 1 and 2 play 3 and 4; the last two are women, the last young."""
    desk = Desk(rounds=1, tie_breaks=(TieBreak.WINS,))
    for number in range(1, 5):
        more = {"sex": "F"} if number > 2 else {}
        birth = {"birth": Birth(2010)} if number == 4 else {}
        desk.granted(Enter(by=ORGANISER, person=person(number, **more, **birth)))
    desk.granted(command)
    return desk.by_hand((1, 3), (2, 4)).play(*scores).end()


def test_places_that_are_shared_share_the_sum_to_the_cent() -> None:
    desk = played(table(GENERAL), WIN, WIN)
    assert desk.ranks() == {1: 1, 2: 1, 3: 3, 4: 3}
    assert given(desk) == [
        ("General", 1, 15_000),
        ("General", 2, 15_000),
        ("General", 3, 2_500),
        ("General", 4, 2_500),
    ]
    assert payments(desk.state) == [(1, 15_000), (2, 15_000), (3, 2_500), (4, 2_500)]


def test_nobody_gets_a_second_prize_unless_the_table_says_so() -> None:
    first = PrizeCategory(name="General", cents=(20_000,))
    scores = (WIN, DRAW)  # 1 is first, 2 and 4 share the second place, 3 is last
    desk = played(table(first, WOMEN, BELOW), *scores)
    assert given(desk) == [("General", 1, 20_000), ("Women", 4, 8_000), ("Below 2000", 3, 4_000)]
    desk = played(table(first, WOMEN, YOUNG, BELOW, one_each=False), *scores)
    assert given(desk)[1:] == [
        ("Women", 4, 8_000),
        ("U16", 4, 6_000),
        ("Below 2000", 4, 4_000),
        ("Below 2000", 3, 3_000),
    ]
    assert payments(desk.state) == [(1, 20_000), (4, 18_000), (3, 3_000)]


def test_both_sides_of_a_category() -> None:
    assert YOUNG.admits(person(1, birth=Birth(2010)))
    assert not YOUNG.admits(person(1, birth=Birth(2009)))
    assert not YOUNG.admits(person(1)), "a birth that nobody knows proves nothing"
    assert BELOW.admits(person(1, rating=1999))
    assert not BELOW.admits(person(1, rating=2000))
    assert BELOW.admits(person(1, rating=None))
    assert not WOMEN.admits(person(1))


def test_12_13_the_excluded_get_nothing() -> None:
    desk = played(table(GENERAL), WIN, DRAW)
    desk.impose("13.5d", 1, scope=Scope.TOURNAMENT)
    assert [entry for _, entry, _ in given(desk)] == [2, 4, 3]


def test_prizes_are_the_organisers_until_the_event_is_over() -> None:
    desk = Desk(2, rounds=1)
    assert desk.refusal(SetPrizes(by=CHIEF, prizes=table(GENERAL).prizes))[0] == "not_yours_to_do"
    assert desk.refusal(table(GENERAL, GENERAL))[0] == "prize_category_twice"
    desk.granted(table(GENERAL))
    desk.granted(table(GENERAL, WOMEN))
    desk.pair().play(WIN).end()
    assert desk.refusal(table(GENERAL)) == ("prizes_fixed", "12.6")
    assert desk.state.prizes == table(GENERAL, WOMEN).prizes
    assert desk.refolded() == desk.state
