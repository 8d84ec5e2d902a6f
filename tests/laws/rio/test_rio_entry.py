"""RIO, articles 14.2 to 14.7: entry ratings, types by time, categories."""

import pytest

from arrocco.errors import Illegal
from arrocco.laws.classes import TimeClass
from arrocco.laws.rating import Exclusion
from arrocco.laws.rio.categories import Category
from arrocco.laws.rio.edition_2025 import Rio2025
from arrocco.records.report import GameKind
from arrocco.records.timecontrol import Period, TimeControl, parse_code

RIO = Rio2025()
RAPID, BLITZ, BULLET = TimeClass.RAPID, TimeClass.BLITZ, TimeClass.BULLET

# --- 14.2 -----------------------------------------------------------------------------------------

ALL = {"fide-rapid": 1810, "fide": 1750, "fsi": 1700, "fide-blitz": 1900}
ENTRIES = [
    # type, ratings held, entry rating, its source
    (RAPID, ALL, 1810, "fide-rapid"),
    (RAPID, {"fide": 1750, "fsi": 1700, "fide-blitz": 1900}, 1750, "fide"),
    (RAPID, {"fide-rapid": None, "fide": None, "fsi": 1700, "fide-blitz": 1900}, 1700, "fsi"),
    (RAPID, {"fide-blitz": 1900}, 999, "none"),
    (BLITZ, ALL, 1900, "fide-blitz"),
    (BLITZ, {"fide-rapid": 1810, "fide": 1750, "fsi": 1700}, 1750, "fide"),
    (BLITZ, {"fide-rapid": 1810, "fsi": 1700}, 1700, "fsi"),
    (BLITZ, {"fide-rapid": 1810}, 999, "none"),
    (BULLET, ALL, 1900, "fide-blitz"),
    (BULLET, {"fide-rapid": 1810, "fide": 1750, "fsi": 1700}, 1750, "fide"),
    (BULLET, {"fide-rapid": 1810, "fsi": 1700}, 1700, "fsi"),
    (BULLET, {"fide-rapid": 1810}, 999, "none"),
    (RAPID, {}, 999, "none"),
    (RAPID, {"fide-rapid": 0, "fsi": 1450}, 1450, "fsi"),
]


@pytest.mark.parametrize(("kind", "held", "rating", "source"), ENTRIES)
def test_14_2_entry_rating_in_the_order_of_the_text(
    kind: TimeClass, held: dict[str, int | None], rating: int, source: str
) -> None:
    assert RIO.entry_rating(kind, held) == (rating, source)


@pytest.mark.parametrize(
    ("shown", "rating", "source"),
    [
        (998, 998, "fsi"),
        (999, 999, "none"),
        (1000, 1000, "fsi"),
        (1398, 1398, "fsi"),
        (1399, 999, "none"),
        (1400, 1400, "fsi"),
    ],
)
def test_14_2_what_the_fsi_shows_for_no_rating_is_no_rating(
    shown: int, rating: int, source: str
) -> None:
    assert RIO.entry_rating(RAPID, {"fsi": shown}) == (rating, source)


def test_14_2_a_fide_rating_of_1399_is_a_rating() -> None:
    assert RIO.entry_rating(RAPID, {"fide": 1399, "fsi": 1500}) == (1399, "fide")


def test_14_2_there_is_no_standard_rio() -> None:
    with pytest.raises(Illegal) as refusal:
        RIO.entry_rating(TimeClass.STANDARD, {"fide": 1900})
    assert refusal.value.advice == "choose one of: rapid, blitz, bullet"


def test_14_2_without_lists() -> None:
    assert RIO.entry_rating_without_lists() == (999, "none")


# --- 14.3 -----------------------------------------------------------------------------------------

BORDERS = [
    (59, None),
    (60, BULLET),
    (180, BULLET),
    (181, BLITZ),
    (600, BLITZ),
    (601, RAPID),
    (3599, RAPID),
    (3600, None),
]
CONTROLS = [
    ("60", BULLET),
    ("0+1", BULLET),
    ("59", None),
    ("180", BULLET),
    ("120+1", BULLET),
    ("180+2", BLITZ),
    ("300+3", BLITZ),
    ("600", BLITZ),
    ("720+3", RAPID),
    ("1800+10", RAPID),
    ("1800+30", None),
    ("5400+30", None),
]


@pytest.mark.parametrize(("seconds", "kind"), BORDERS)
def test_14_3_every_border_lies_on_one_side(seconds: int, kind: TimeClass | None) -> None:
    side = (Period(seconds),)
    control = TimeControl(side, side)
    assert RIO.time_class(control) is kind
    assert RIO.excluded_by_time(control) is (Exclusion.WRONG_CLASS if kind is None else None)


@pytest.mark.parametrize(("code", "kind"), CONTROLS)
def test_14_3_time_is_what_is_assigned_plus_60_increments(
    code: str, kind: TimeClass | None
) -> None:
    assert RIO.time_class(parse_code(code)) is kind


@pytest.mark.parametrize(
    ("code", "kind", "default", "literal"),
    [
        ("W300-B240", BLITZ, Exclusion.UNEQUAL_TIMES, None),
        ("W300-B180", None, Exclusion.WRONG_CLASS, Exclusion.WRONG_CLASS),
        ("W180-B300", None, Exclusion.WRONG_CLASS, Exclusion.WRONG_CLASS),
        ("W3600-B3599", None, Exclusion.WRONG_CLASS, Exclusion.WRONG_CLASS),
    ],
)
def test_14_3_both_players_must_have_the_type_and_by_the_premessa_the_same_time(
    code: str, kind: TimeClass | None, default: Exclusion, literal: Exclusion | None
) -> None:
    control = parse_code(code)
    assert RIO.time_class(control) is kind
    assert RIO.excluded_by_time(control) is default
    assert Rio2025(unequal_times="rated").excluded_by_time(control) is literal


def test_premessa_unplayed_games_are_not_rated_as_fide_5_1_says() -> None:
    assert [kind for kind in GameKind if RIO.is_played(kind)] == [GameKind.PLAYED]
    assert RIO.exclusion_article(Exclusion.UNPLAYED) == "Premessa (FIDE 5.1)"


def test_14_and_15_every_number_of_the_text() -> None:
    assert {name: (int(value), value.article) for name, value in Rio2025.values()} == {
        "ENTRY_RATING": (999, "14.2"),
        "RAPID_MORE_THAN": (10, "14.3a"),
        "RAPID_LESS_THAN": (60, "14.3a"),
        "BLITZ_MORE_THAN": (3, "14.3b"),
        "BLITZ_AT_MOST": (10, "14.3b"),
        "BULLET_AT_LEAST": (1, "14.3c"),
        "BULLET_AT_MOST": (3, "14.3c"),
        "MASTER_RATING": (2200, "14.7a"),
        "CANDIDATE_MASTER_RATING": (2000, "14.7b"),
        "FIRST_NATIONAL_RATING": (1800, "14.7c"),
        "SECOND_NATIONAL_RATING": (1600, "14.7d"),
        "THIRD_NATIONAL_RATING": (1500, "14.7e"),
        "AMATEUR_RATING": (999, "14.7f"),
        "DIFFERENCE_CAP": (735, "15.1"),
        "K": (20, "15.2"),
    }


# --- 14.4 to 14.7 ---------------------------------------------------------------------------------

BANDS = [
    (0, Category.AMATEUR),
    (998, Category.AMATEUR),
    (999, Category.AMATEUR),
    (1499, Category.AMATEUR),
    (1500, Category.THIRD_NATIONAL),
    (1599, Category.THIRD_NATIONAL),
    (1600, Category.SECOND_NATIONAL),
    (1799, Category.SECOND_NATIONAL),
    (1800, Category.FIRST_NATIONAL),
    (1999, Category.FIRST_NATIONAL),
    (2000, Category.CANDIDATE_MASTER),
    (2199, Category.CANDIDATE_MASTER),
    (2200, Category.MASTER),
    (2900, Category.MASTER),
]


def test_14_4_the_six_categories_from_the_highest() -> None:
    assert [(c.value, c.rank) for c in Category] == [
        ("OM", 1),
        ("OCM", 2),
        ("1O", 3),
        ("2O", 4),
        ("3O", 5),
        ("OA", 6),
    ]


@pytest.mark.parametrize(("rating", "category"), BANDS)
def test_14_7_each_category_begins_at_its_points(rating: int, category: Category) -> None:
    assert RIO.category_band(rating) is category
    assert RIO.category_held(None, rating) is category


@pytest.mark.parametrize(
    ("held", "rating", "kept", "in_band"),
    [
        (Category.MASTER, 2199, Category.MASTER, Category.CANDIDATE_MASTER),
        (Category.MASTER, 900, Category.MASTER, Category.AMATEUR),
        (Category.AMATEUR, 1499, Category.AMATEUR, Category.AMATEUR),
        (Category.AMATEUR, 1500, Category.THIRD_NATIONAL, Category.THIRD_NATIONAL),
        (Category.THIRD_NATIONAL, 2200, Category.MASTER, Category.MASTER),
        (Category.FIRST_NATIONAL, 1800, Category.FIRST_NATIONAL, Category.FIRST_NATIONAL),
    ],
)
def test_14_6_a_category_is_earned_at_its_minimum_and_kept(
    held: Category, rating: int, kept: Category, in_band: Category
) -> None:
    assert RIO.category_held(held, rating) is kept
    assert Rio2025(category_kept="while_in_band").category_held(held, rating) is in_band


@pytest.mark.parametrize(("title", "usable"), [("", ("OM",)), ("FM", ("FM", "OM"))])
def test_14_5_international_titles_may_be_used(title: str, usable: tuple[str, ...]) -> None:
    assert RIO.titles_usable(Category.MASTER, title) == usable
