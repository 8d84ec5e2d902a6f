"""The same results under two regulations."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from arrocco.engine.players import players_of_list
from arrocco.engine.rate_reports import rate_reports
from arrocco.engine.side_by_side import PLAYER, LawChoice, games_report, two_laws, with_own_k
from arrocco.errors import NoLawInForce
from arrocco.laws.registry import edition_named
from arrocco.records.ratinglist import UNKNOWN, RatingList
from arrocco.records.timecontrol import parse_text
from arrocco.units import HalfPoints
from tests.cli.tournaments import player_id, report

START = date(2024, 5, 10)
FIDE, FIDE_2012, UISP = LawChoice("fide"), LawChoice("fide", "2012-07-01"), LawChoice("uisp")
WIN, DRAW, LOSS = HalfPoints(2), HalfPoints(1), HalfPoints(0)


def listed(rows: list[tuple[int, int, int]]) -> RatingList:
    """A list of ids, ratings and K."""
    text = np.array([""] * len(rows), dtype=np.object_)
    numbers = np.array(rows, dtype=np.int64).reshape(-1, 3)
    zeros = np.zeros(len(rows), dtype=np.int32)
    return RatingList(
        id=numbers[:, 0],
        name=text,
        federation=text,
        sex=text,
        title=text,
        rating=numbers[:, 1].astype(np.int32),
        games=zeros - 1,
        k=numbers[:, 2].astype(np.int32),
        birth=zeros,
        flag=text,
        system="standard",
        on=date(2024, 5, 1),
    )


def test_one_players_games_by_hand() -> None:
    """1500 beats 1500 and loses to 1900.

    D 0 expects .50, D -400 expects .08: 1 - .58 = .42. FIDE 2024 has K 20, UISP K 30 and takes PA
    to tenths, .58 is .6, so .4: 8.4 and 12.
    """
    made = games_report(1500, [(1500, WIN), (1900, LOSS)], START, parse_text("90'+30\""))
    found = two_laws(made, FIDE, UISP, {}, players=[PLAYER])
    (row,) = found.rows
    assert (row.a.delta, row.a.k_applied, row.a.variation, row.a.change) == (42, 20, 840, 8)
    assert (row.b.delta, row.b.variation, row.b.change) == (40, 1200, 12)
    assert row.difference == 4
    assert [step.key for step in row.steps_a][1] == "explain.k.below_top"
    assert [step.key for step in row.steps_b][1] == "explain.variation_sum"
    assert {step.article for step in row.steps_b} <= {"II.1", "II.3"}


def test_an_edition_that_is_not_in_force_must_be_named() -> None:
    """The text of 2010 has K 15 where that of 2024 has 20: .42 comes to 6.30."""
    made = games_report(1500, [(1500, WIN), (1900, LOSS)], START)
    (row,) = two_laws(made, FIDE, FIDE_2012, {}, players=[PLAYER]).rows
    assert (row.b.k_applied, row.b.variation, row.b.change) == (15, 630, 6)
    with pytest.raises(NoLawInForce):
        two_laws(made, FIDE, LawChoice("rio"), {})


def test_each_side_is_what_rating_alone_gives() -> None:
    ratings = [1500, 1620, 1405, None]
    pairings = [(1, 1, 2, "1"), (1, 3, 4, "0"), (2, 1, 4, "="), (2, 2, 3, "1"), (3, 4, 2, "1")]
    made = report(ratings, pairings)
    everybody = listed([(player_id(n), r or 0, 20) for n, r in enumerate(ratings, 1)])
    found = two_laws(made, FIDE, UISP, {"fide": everybody})
    alone = rate_reports("fide", [made], everybody)
    assert {r.id: r.a.new_rating for r in found.rows if r.a.rating} == {
        r.id: r.new_rating for r in alone.players()
    }
    assert [r.id for r in found.rows] == [player_id(n) for n in (2, 1, 3, 4)]
    newcomer = found.rows[-1]
    assert (newcomer.a.rating, newcomer.difference) == (None, None)
    assert newcomer.b.rating == 1440, "UISP I.5: on none of the lists"
    assert {r.b.rating for r in found.rows} == {1620, 1500, 1405, 1440}


def test_a_reading_is_a_law_of_its_own() -> None:
    """2400 draws with 2207: D 193 expects .75, K 10 gives -2.50, that is -3 or, upwards, -2."""
    made = games_report(2400, [(2207, DRAW)], START)
    up = LawChoice("fide", readings={"half_point_rounding": "up"})
    (row,) = two_laws(made, FIDE, up, {}, players=[PLAYER]).rows
    assert row.a.variation == row.b.variation == -250
    assert (row.a.change, row.b.change, row.difference) == (-3, -2, 1)


def test_who_has_no_id_is_the_same_on_both_sides() -> None:
    made = games_report(1500, [(1600, WIN), (1700, WIN)], START, parse_text("90'+30\""))
    made.entries[2].id = None
    rows = two_laws(made, FIDE, UISP, {}).rows
    assert len(rows) == 3
    assert [row.id for row in rows if row.id < 0] == [-1]


class TestPrintedK:
    def test_tells_the_past_to_the_other_law(self) -> None:
        """K 10 at 2350 is 2400 once reached, K 40 a new player; 2010 gives 10 and 30."""
        fide_2012 = edition_named("fide", "2012-07-01")()
        found = with_own_k(listed([(1, 2350, 10), (2, 1800, 40), (3, 1900, 20)]), fide_2012, START)
        assert found.k.tolist() == [10, 30, UNKNOWN]

    def test_stays_under_its_own_law(self) -> None:
        one = listed([(1, 2350, 10)])
        assert with_own_k(one, edition_named("fide", "2024-03-01")(), START) is one
        assert players_of_list(one).k.tolist() == [10]
