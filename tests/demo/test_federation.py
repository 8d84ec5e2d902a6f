"""Invented federations: as many rated as asked, titles and K that fit, lists of several months."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import pytest

from arrocco.dates import Month
from arrocco.demo.generate import Federation, federation, write_lists
from arrocco.errors import Illegal, NoLawInForce
from arrocco.formats.lists import read_list
from arrocco.laws.fide.standard_2024 import Fide2024
from arrocco.records.ratinglist import UNKNOWN

LAWS = ("fide", "fide-rapid", "fide-blitz", "rio", "uisp")


@pytest.fixture(scope="module")
def made() -> Federation:
    return federation(60_000, 5)


def test_exactly_the_share_asked_for_is_rated(made: Federation) -> None:
    assert made.rated == 60_000 * 26 // 100
    assert federation(1000, 5).rated == 700
    assert federation(1000, 5, rated_share=1234).rated == 123


@pytest.mark.parametrize("law", ["rio", "uisp"])
def test_where_nobody_is_unrated_everybody_on_the_list_has_a_rating(law: str) -> None:
    made = federation(500, 5, law=law, rated_share=3000)
    assert made.rated == 500
    for listed in made.lists:
        assert (listed.rating > 0).all()
        assert (listed.k == UNKNOWN).all()


def test_ids_rise_and_the_players_of_a_federation_are_neighbours(made: Federation) -> None:
    listed = made.rating_list()
    assert (np.diff(listed.id) > 0).all()
    changes = int((listed.federation[1:] != listed.federation[:-1]).sum())
    assert changes + 1 == len(set(listed.federation.tolist())) > 100


def test_ratings_lie_between_the_floor_and_the_highest_seen(made: Federation) -> None:
    rated = made.ratings[0][made.ratings[0] > 0]
    assert rated.min() >= Fide2024.FLOOR
    assert 2650 < rated.max() < 2900
    assert 1600 < int(np.median(rated)) < 1720


def test_an_older_text_has_its_own_lower_floor() -> None:
    made = federation(20_000, 5, period=Month(2012, 1))
    rated = made.ratings[0][made.ratings[0] > 0]
    assert 1200 <= rated.min() < 1250
    assert made.calendar.lists == (date(2012, 1, 1), date(2011, 11, 1), date(2011, 9, 1))


def test_a_list_from_before_a_lower_floor_shows_nobody_below_the_old_one() -> None:
    newest, before, _ = federation(5000, 5, period=Month(2012, 7)).lists
    assert newest.rating[newest.rating > 0].min() < 1050
    assert before.rating[before.rating > 0].min() >= 1200


def test_titles_go_to_those_who_play_like_it(made: Federation) -> None:
    listed = made.rating_list()
    for title, least in (("GM", 2400), ("IM", 2280), ("FM", 2170), ("WGM", 2200)):
        holders = listed.rating[listed.title == title]
        assert len(holders) > 0
        assert holders.min() >= least
    women = listed.sex == "F"
    assert all(women[row] for row, title in enumerate(listed.title) if title.startswith("W"))
    assert (listed.title[listed.rating == 0] == "").all()


def test_k_is_what_the_regulation_gives_to_such_a_player(made: Federation) -> None:
    listed, law = made.rating_list(), Fide2024()
    assert set(listed.k[listed.rating > 0].tolist()) == {10, 20, 40}
    assert (listed.k[listed.rating == 0] == UNKNOWN).all()
    assert (listed.k[listed.rating >= law.K_TOP_RATING] == law.K_TOP).all()
    junior = (listed.birth > 20_060_000) & (listed.rating > 0) & (listed.rating < 2300)
    assert (listed.k[junior & (made.strength < 2200)] == law.K_JUNIOR).all()


def test_flags_tell_women_and_the_inactive(made: Federation) -> None:
    listed = made.rating_list()
    assert {"", "w", "i", "wi"} == set(listed.flag.tolist())
    assert all(
        ("w" in flag) == (sex == "F") for flag, sex in zip(listed.flag, listed.sex, strict=True)
    )


def test_lists_differ_a_little_from_one_to_the_next(made: Federation) -> None:
    newest, before, oldest = made.lists
    assert (newest.on, before.on, oldest.on) == (
        date(2024, 5, 1),
        date(2024, 4, 1),
        date(2024, 3, 1),
    )
    assert len(newest) > len(before) > len(oldest) > 59_000
    now, then = made.ratings[0], made.ratings[1]
    moved = (now != then) & (now > 0) & (then > 0)
    assert 0.05 < moved.sum() / made.rated < 0.35
    assert (np.abs(now - then)[moved] <= 30).all()
    assert ((now > 0) & (then == 0)).sum() > 50
    assert ((now == 0) & (then > 0)).sum() > 10
    assert (then[(then > 0)] >= 1400).all()


def test_a_period_at_the_beginning_of_a_text_has_no_lists_before_it() -> None:
    assert federation(200, 5, period=Month(2022, 1)).calendar.lists == (date(2022, 1, 1),)
    rio = federation(200, 5, law="rio", period=Month(2025, 5)).calendar
    assert rio.lists == (date(2025, 5, 1), date(2025, 4, 1))
    assert rio.begins == (date(2025, 5, 1), date(2025, 4, 12))


def test_quarterly_lists_are_dated_by_quarter() -> None:
    lists = federation(200, 5, law="uisp", period=Month(2024, 5)).calendar.lists
    assert lists == (date(2024, 4, 1), date(2024, 1, 1), date(2023, 10, 1))


def test_the_same_arguments_give_the_same_players_and_another_seed_others() -> None:
    one, again, other = federation(500, 5), federation(500, 5), federation(500, 6)
    assert (one.name == again.name).all()
    assert (one.ratings[2] == again.ratings[2]).all()
    assert (one.id != other.id).any()
    assert (one.name != other.name).any()


@pytest.mark.parametrize("law", LAWS)
def test_lists_are_written_and_read_back_the_same(law: str, tmp_path: Path) -> None:
    made = federation(800, 5, law=law)
    for number, path in enumerate(write_lists(made, tmp_path)):
        read, findings = read_list(path)
        kept = made.rating_list(number)
        assert findings == []
        assert (read.on, read.system) == (kept.on, kept.system)
        assert path.name == f"{kept.on}.parquet"
        for column in (
            "id",
            "name",
            "federation",
            "sex",
            "title",
            "rating",
            "games",
            "k",
            "birth",
            "flag",
        ):
            assert getattr(read, column).tolist() == getattr(kept, column).tolist()


def test_too_few_and_too_many_players_are_refused() -> None:
    with pytest.raises(Illegal, match="59 players"):
        federation(59, 1, rated_share=10_000)
    assert len(federation(60, 1, rated_share=10_000)) == 60
    with pytest.raises(Illegal):
        federation(10_000_001, 1)


def test_a_regulation_that_is_not_there_or_not_in_force_is_refused() -> None:
    with pytest.raises(Illegal, match="'fidee'"):
        federation(500, 1, law="fidee")
    with pytest.raises(Illegal, match="standard"):
        federation(500, 1, law="rio", time_class="standard")
    with pytest.raises(NoLawInForce):
        federation(500, 1, law="fide", period=Month(2020, 1))
