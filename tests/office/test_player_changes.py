"""Merges, deaths and changed particulars, applied to the list that opens the next period."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.engine.categories import CATEGORY_COLUMN
from arrocco.errors import Illegal, Inconsistent, Refusal
from arrocco.laws.registry import editions
from arrocco.laws.uisp.edition_undated import Uisp
from arrocco.office.ledger import PlayerChanged, PlayersMerged, decoded, encoded
from arrocco.office.opening import Opening
from arrocco.office.player_changes import (
    applied,
    birth_of,
    renamed_ids,
    validated_change,
    with_categories,
)
from arrocco.records.ratinglist import UNKNOWN
from arrocco.records.report import Birth
from tests.office.build import ADA, BRUNO, CARLA, in_step, opening, result, row_of, said, state

RIO = editions("rio")[-1]
APRIL, MAY = date(2026, 4, 1), date(2026, 5, 1)


def merge(kept: int, left: int) -> PlayersMerged:
    return PlayersMerged(kept=kept, left=left, reason="the same person")


def change(player: int = ADA, **values: Any) -> PlayerChanged:
    return PlayerChanged(player=player, from_day=APRIL, reason="as reported", **values)


def tables() -> Opening:
    """Ada rated, Bruno unrated with a result, Carla rated and strong once."""
    return opening(
        [
            {
                "id": ADA,
                "name": "Abete, Anna",
                "rating": 1800,
                "federation": "ITA",
                "sex": "F",
                "birth": 19_900_000,
                "k": 20,
                "completed_games": 40,
                "last_rated": 10,
            },
            {"id": BRUNO, "name": "Betulla, Bruno", "completed_games": 0, "last_rated": 20},
            {
                "id": CARLA,
                "name": "Cedro, Carla",
                "rating": 2290,
                "title": "FM",
                "k": 20,
                "completed_games": 300,
                "highest_published": 2310,
                "last_rated": 30,
                "games": 7,
                "birth": 19_900_517,
            },
        ],
        {BRUNO: (result(APRIL),)},
    )


# --- numbers --------------------------------------------------------------------------------------


def test_chains_of_merges_are_followed() -> None:
    assert renamed_ids([merge(2, 1), merge(3, 2), merge(3, 4)]) == {1: 3, 2: 3, 4: 3}
    assert renamed_ids([merge(3, 2), merge(2, 1)]) == {2: 3, 1: 3}
    assert renamed_ids([merge(2, 1), merge(2, 1)]) == {1: 2}


@pytest.mark.parametrize(
    ("merges", "key"),
    [
        ([merge(1, 1)], "merge_with_itself"),
        ([merge(2, 1), merge(1, 2)], "merge_circle"),
        ([merge(2, 1), merge(3, 2), merge(1, 3)], "merge_circle"),
        ([merge(2, 1), merge(3, 1)], "merged_already"),
    ],
)
def test_circles_are_refused(merges: list[PlayersMerged], key: str) -> None:
    with pytest.raises(Illegal) as refusal:
        renamed_ids(merges)
    assert said(refusal.value)[0] == key


@given(st.lists(st.builds(merge, st.integers(1, 6), st.integers(1, 6)), max_size=8))
def test_every_number_leads_to_one_that_was_not_left(merges: list[PlayersMerged]) -> None:
    try:
        found = renamed_ids(merges)
    except Refusal:
        return
    assert set(found) == {one.left for one in merges}
    assert not set(found.values()) & set(found)


# --- merging --------------------------------------------------------------------------------------


def test_the_kept_rating_stays_and_the_past_is_joined() -> None:
    made = applied(tables(), [merge(ADA, CARLA)])
    in_step(made)
    assert made.row(CARLA) is None
    kept = state(made, ADA)
    assert (kept["rating"], kept["completed_games"], kept["last_rated"]) == (1800, 340, 30)
    assert kept["highest_published"] == 2310
    assert kept["k"] == UNKNOWN
    at = row_of(made, ADA)
    assert (made.listed.name[at], made.listed.title[at]) == ("Abete, Anna", "FM")
    assert made.listed.rating[at] == 1800
    # The other number knew the day of the same year.
    assert made.listed.birth[at] == made.players.birth[at] == 19_900_517


def test_without_a_rating_the_kept_number_takes_the_other_one() -> None:
    made = applied(tables(), [merge(BRUNO, CARLA)])
    in_step(made)
    kept, at = state(made, BRUNO), row_of(made, BRUNO)
    assert (kept["rating"], kept["completed_games"]) == (2290, 300)
    assert made.listed.rating[at] == 2290
    assert made.listed.name[at] == "Betulla, Bruno"
    # Results towards a first rating are nothing to a rated player.
    assert made.pools.tranches == {}


def test_results_of_two_unrated_numbers_are_joined_in_order() -> None:
    start = opening([{"id": ADA}, {"id": BRUNO}], {ADA: (result(MAY),), BRUNO: (result(APRIL),)})
    made = applied(start, [merge(ADA, BRUNO)])
    assert made.pools.tranches == {ADA: (result(APRIL), result(MAY))}


def test_a_kept_number_that_no_list_has_takes_the_place_of_the_other() -> None:
    new = 98_000_000
    made = applied(tables(), [merge(new, BRUNO)])
    in_step(made)
    assert made.players.id.tolist() == [new, ADA, CARLA]
    assert made.pools.tranches == {new: (result(APRIL),)}
    assert made.listed.name[row_of(made, new)] == "Betulla, Bruno"


def test_a_left_number_that_the_list_does_not_have_changes_nothing() -> None:
    made = applied(tables(), [merge(ADA, 97_000_000)])
    assert state(made, ADA) == state(tables(), ADA)


def test_what_is_given_stays_as_it_was() -> None:
    start = tables()
    applied(start, [merge(ADA, CARLA), change(BRUNO, name="Altro, Nome"), change(died=APRIL)])
    again = tables()
    assert start.players.id.tolist() == again.players.id.tolist()
    assert start.listed.name.tolist() == again.listed.name.tolist()
    assert [state(start, p) for p in (ADA, BRUNO)] == [state(again, p) for p in (ADA, BRUNO)]
    assert start.pools == again.pools


@given(st.permutations([ADA, BRUNO, CARLA]))
def test_in_whatever_order_numbers_are_merged_no_game_is_lost(order: list[int]) -> None:
    first, second, third = order
    made = applied(tables(), [merge(second, first), merge(third, second)])
    in_step(made)
    assert made.players.id.tolist() == [third]
    assert state(made, third)["completed_games"] == 340
    assert state(made, third)["last_rated"] == 30
    assert state(made, third)["rating"] in (1800, 2290)


# --- particulars ----------------------------------------------------------------------------------


def test_particulars_change_and_what_is_empty_stays() -> None:
    made = applied(tables(), [change(name="Abete Rossa, Anna", federation="FRA", title="WFM")])
    at = row_of(made, ADA)
    row = made.listed.at(at)
    assert (row.name, row.federation, row.title, row.sex) == (
        "Abete Rossa, Anna",
        "FRA",
        "WFM",
        "F",
    )
    assert state(made, ADA) == state(tables(), ADA)


def test_a_birth_date_may_give_another_K() -> None:
    made = applied(tables(), [change(birth="2010-02-28")])
    assert state(made, ADA)["birth"] == made.listed.birth[0] == 20_100_228
    assert state(made, ADA)["k"] == UNKNOWN


def test_who_died_leaves_the_list_with_results_and_all() -> None:
    made = applied(tables(), [change(BRUNO, died=APRIL)])
    in_step(made)
    assert made.row(BRUNO) is None
    assert made.pools.tranches == {}


def test_who_died_and_is_in_a_report_stays_through_the_period() -> None:
    made = applied(tables(), [change(died=APRIL)], playing={ADA})
    assert made.row(ADA) is not None


def test_a_player_the_list_does_not_have_is_nothing_to_it() -> None:
    entries = [change(97_000_000, name="Nessuno"), change(97_000_000, died=APRIL)]
    made = applied(tables(), entries)
    assert made.listed.name.tolist() == tables().listed.name.tolist()


def test_who_has_left_is_not_changed_any_more() -> None:
    made = applied(
        tables(), [merge(ADA, CARLA), change(CARLA, name="Nessuno"), merge(BRUNO, CARLA)]
    )
    in_step(made)
    assert made.listed.name.tolist() == ["Abete, Anna", "Betulla, Bruno"]
    assert state(made, BRUNO) == state(tables(), BRUNO)


def test_a_number_that_was_left_can_be_given_anew() -> None:
    made = applied(tables(), [merge(ADA, CARLA), merge(CARLA, BRUNO)])
    in_step(made)
    assert made.players.id.tolist() == [ADA, CARLA]
    assert made.listed.name[row_of(made, CARLA)] == "Betulla, Bruno"
    assert made.pools.tranches == {CARLA: (result(APRIL),)}


@pytest.mark.parametrize(
    ("text", "expected"), [("1987", Birth(1987)), ("1987-05-31", Birth(1987, 5, 31))]
)
def test_a_birth_is_a_year_or_a_day(text: str, expected: Birth) -> None:
    assert birth_of(text) == expected


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("no_birth", {"birth": "31/05/1987"}),
        ("no_birth", {"birth": "19870531"}),
        ("no_birth", {"birth": "1700"}),
        ("no_birth", {"birth": "1987-02-30"}),
        ("no_sex", {"sex": "w"}),
        ("no_category", {"category": "GM"}),
        ("field", {"federation": "it"}),
        ("field", {"name": "x" * 201}),
        ("field", {"title": "x" * 11}),
        ("field", {"name": "a\x00"}),
    ],
)
def test_a_change_that_no_list_could_show_is_refused(key: str, values: dict[str, Any]) -> None:
    with pytest.raises(Inconsistent) as refusal:
        validated_change(change(**values))
    assert said(refusal.value)[0] == key


def test_a_change_needs_a_reason() -> None:
    with pytest.raises(Inconsistent):
        validated_change(PlayerChanged(player=ADA, from_day=APRIL, reason=" "))
    good = change(name="Abete, Ada", sex="F", federation="ITA", birth="1990", category="OM")
    assert validated_change(good) == good


# --- RIO ------------------------------------------------------------------------------------------


def categories(made: Opening) -> dict[int, str]:
    column = made.listed.extra.get(CATEGORY_COLUMN, np.full(len(made.listed), ""))
    return dict(zip(made.listed.id.tolist(), column.tolist(), strict=True))


def test_RIO_14_6_a_category_obtained_is_kept() -> None:
    made = with_categories(tables(), RIO())
    assert categories(made) == {ADA: "1O", BRUNO: "", CARLA: "OM"}
    made.listed.rating[:] = (1550, 1500, 1990)
    made = with_categories(made, RIO())
    in_step(made)
    assert categories(made) == {ADA: "1O", BRUNO: "3O", CARLA: "OM"}


def test_RIO_14_6_read_otherwise_a_category_lasts_while_in_its_band() -> None:
    made = with_categories(tables(), RIO())
    made.listed.rating[:] = (1550, 1500, 1990)
    made = with_categories(made, RIO(category_kept="while_in_band"))
    assert categories(made) == {ADA: "3O", BRUNO: "3O", CARLA: "1O"}


def test_other_regulations_have_no_categories() -> None:
    start = tables()
    assert with_categories(start, Uisp()) is start


def test_RIO_14_6_an_entered_category_never_lowers_one() -> None:
    made = applied(tables(), [change(category="2O"), change(category="OCM"), change(category="3O")])
    assert categories(made)[ADA] == "OCM"
    in_step(made)


def test_RIO_14_6_of_two_numbers_the_higher_category_is_kept() -> None:
    start = applied(tables(), [change(category="3O"), change(CARLA, category="OM")])
    assert categories(applied(start, [merge(ADA, CARLA)]))[ADA] == "OM"
    assert categories(applied(start, [merge(CARLA, ADA)]))[CARLA] == "OM"


# --- affiliation ----------------------------------------------------------------------------------


def test_7_14g_affiliation_is_recorded_and_ends() -> None:
    joined = applied(tables(), [change(BRUNO, affiliated="ICSC")])
    assert joined.players.affiliated[row_of(joined, BRUNO)]
    assert not joined.players.affiliated[row_of(joined, ADA)]
    left = applied(joined, [change(BRUNO, affiliated="-")])
    assert not left.players.affiliated[row_of(left, BRUNO)]


def test_7_14g_only_the_bodies_of_the_text_are_taken() -> None:
    with pytest.raises(Refusal) as refusal:
        validated_change(change(affiliated="UISP"))
    assert said(refusal.value)[0] == "no_affiliation"


def test_an_entry_from_before_affiliations_keeps_its_bytes() -> None:
    """What the ledger hashed must come out of it again."""
    written = encoded(change(title="FM"))
    assert b"affiliated" not in written
    assert encoded(decoded(written)) == written
