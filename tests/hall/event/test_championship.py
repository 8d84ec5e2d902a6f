"""9.1e, 13.5c, 13.5d — several events as one championship: its standings, and the excluded."""

from __future__ import annotations

from arrocco.hall.event.acts.absence import ExcludeAbsent
from arrocco.hall.event.acts.championship import JoinChampionship
from arrocco.hall.event.acts.sanctions import Impose, LiftSanction
from arrocco.hall.event.championship import (
    Championship,
    ChampionshipRule,
    excluded_of,
    general_standings,
)
from arrocco.hall.event.records import PairingSystem
from arrocco.laws.online.sanctions import Scope
from tests.hall.event.desk import (
    CHIEF,
    DRAW,
    FORFEIT,
    LOSS,
    ORGANISER,
    PLAYED,
    WIN,
    Desk,
    as_decided,
)

CUP = Championship(name="Coppa")


def played(*results: tuple[int, int], absent: bool = False) -> Desk:
    """An event of a championship after one round: 1-2, 3-4, with these results."""
    desk = Desk(2 * len(results), system=PairingSystem.MANUAL, rounds=2)
    desk.granted(JoinChampionship(by=ORGANISER, name="Coppa"))
    desk.by_hand(*((2 * n - 1, 2 * n) for n in range(1, len(results) + 1))).open()
    for board, points in enumerate(results, start=1):
        desk.take(board, points, FORFEIT if absent and board == 1 else PLAYED)
    return desk


def listed(rules: Championship, *desks: Desk) -> list[tuple[int, str, int]]:
    places = general_standings(rules, [desk.state for desk in desks])
    return [(place.rank, place.person.surname, place.points) for place in places]


def test_points_of_all_events_are_added_and_equal_ones_share_a_rank() -> None:
    first, second = played(WIN, DRAW), played(DRAW, WIN)
    assert listed(CUP, first, second) == [
        (1, "Abete", 15),
        (1, "Cedro", 15),
        (3, "Betulla", 5),
        (3, "Dafne", 5),
    ]


def test_only_the_best_events_of_each_count_where_it_is_stated() -> None:
    rules = Championship(name="Coppa", best=1)
    assert listed(rules, played(WIN), played(LOSS)) == [(1, "Abete", 10), (1, "Betulla", 10)]


def test_a_grand_prix_gives_the_points_of_ranks_and_nothing_below_its_table() -> None:
    rules = Championship(name="Coppa", rule=ChampionshipRule.GRAND_PRIX, table=(25, 18))
    places = general_standings(rules, [played(WIN, DRAW).state])
    given = {place.person.surname: place.points for place in places}
    assert given == {"Abete": 250, "Cedro": 180, "Dafne": 180, "Betulla": 0}


def test_13_5c_13_5d_who_is_excluded_from_it_has_no_place_in_it() -> None:
    for article in ("6.9i", "6.9j", "13.5c", "13.5d"):
        first, second = played(WIN, DRAW), played(WIN, DRAW)
        scope = Scope.CHAMPIONSHIP
        impose = Impose(by=CHIEF, article=article, reason="x", entry=1, scope=scope)
        first.granted(as_decided(impose))
        assert [one[1] for one in listed(CUP, first, second)] == ["Cedro", "Dafne", "Betulla"]
        (out,) = excluded_of([first.state, second.state])
        assert (out.person.surname, out.article) == ("Abete", article)


def test_12_13_who_is_excluded_from_one_event_only_keeps_the_others() -> None:
    first, second = played(WIN), played(WIN)
    first.granted(Impose(by=CHIEF, article="6.9i", reason="x", entry=1, scope=Scope.TOURNAMENT))
    assert listed(CUP, first, second) == [(1, "Abete", 10), (2, "Betulla", 0)]


class Test9_1e:  # noqa: N801
    def test_who_stayed_away_without_a_word_can_be_excluded(self) -> None:
        desk = played(WIN, DRAW, absent=True)
        ask = ExcludeAbsent(by=CHIEF, entry=2, reason="did not come", scope=Scope.CHAMPIONSHIP)
        desk.granted(ask)
        assert desk.state.is_expelled(2)
        assert [one.article for one in excluded_of([desk.state])] == ["9.1e"]
        assert desk.refusal(ask) == ("expelled", "9.1e")
        desk.granted(LiftSanction(by=CHIEF, number=1, reason="was ill"))
        assert not desk.state.is_expelled(2)
        assert excluded_of([desk.state]) == []

    def test_who_came_and_lost_cannot_nor_who_is_in_no_championship(self) -> None:
        desk = played(WIN, DRAW, absent=True)
        for entry in (1, 3, 4):
            refused = desk.refusal(ExcludeAbsent(by=CHIEF, entry=entry, reason="x"))
            assert refused == ("not_absent", "9.1e"), entry
        alone = Desk(2, system=PairingSystem.MANUAL, rounds=2).by_hand((1, 2)).open()
        alone.take(1, WIN, FORFEIT)
        ask = ExcludeAbsent(by=CHIEF, entry=2, reason="x", scope=Scope.CHAMPIONSHIP)
        assert alone.refusal(ask) == ("no_championship", "9.1e")
