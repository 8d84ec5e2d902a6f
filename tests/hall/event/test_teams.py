"""12.9, C.05 — teams with captains: boards in order, match points, and who may complain."""

from __future__ import annotations

from datetime import timedelta

import pytest

from arrocco.hall.event.acts.complaints import FileComplaint
from arrocco.hall.event.acts.entries import WithdrawEntry
from arrocco.hall.event.acts.teams import SetTeams
from arrocco.hall.event.records import PairingSystem
from arrocco.hall.event.report import to_report
from arrocco.hall.event.state import Team
from arrocco.hall.event.teams import matches, team_standings
from arrocco.records.report import ByeKind, System
from tests.hall.event.desk import CHIEF, DRAW, HELPER, LAWS, LOSS, ORGANISER, WIN, Desk


def team(name: str, *entries: int, captain: str = "") -> Team:
    return Team(name=name, captain=captain or f"p{entries[0]}", entries=entries)


def of_teams(*teams: Team, boards: int = 2) -> Desk:
    desk = Desk(sum(len(one.entries) for one in teams), system=PairingSystem.TEAM)
    desk.granted(SetTeams(by=ORGANISER, boards=boards, teams=teams))
    return desk


def two() -> Desk:
    return of_teams(team("Rossi", 1, 3, captain="capo"), team("Neri", 2, 4))


def standing(desk: Desk) -> list[tuple[int, str, int, int]]:
    return [
        (one.rank, desk.state.teams[one.team - 1].name, one.match_points, one.board_points)
        for one in team_standings(desk.state)
    ]


def test_the_first_team_has_white_on_odd_boards_and_players_sit_in_order() -> None:
    desk = two().pair()
    assert desk.boards == [(1, 2), (4, 3)]
    assert desk.state.announced_rounds == 1
    assert desk.refolded() == desk.state


def test_match_points_come_before_board_points() -> None:
    desk = two().pair()
    desk.open().take(1, WIN)
    assert standing(desk)[0][2] == 0, "a match that is played gives nothing yet"
    desk.take(2, DRAW).close()
    assert standing(desk) == [(1, "Rossi", 2, 15), (2, "Neri", 0, 5)]


def test_c_05_three_teams_meet_each_other_once_and_equal_ones_share_a_rank() -> None:
    desk = of_teams(team("A", 1), team("B", 2), team("C", 3), boards=1)
    while len(desk.state.rounds) < desk.state.announced_rounds:
        desk.pair().play(DRAW)
    assert [one.match_points for one in matches(desk.state)] == [(1, 1)] * 3
    assert {frozenset((one.first, one.second)) for one in matches(desk.state)} == {
        frozenset((1, 2)),
        frozenset((1, 3)),
        frozenset((2, 3)),
    }
    assert [place[0] for place in standing(desk)] == [1, 1, 1]
    assert to_report(desk.state).system is System.TEAM


def test_reserves_move_up_and_a_board_nobody_sits_at_is_won() -> None:
    desk = of_teams(team("A", 1, 2, 5), team("B", 3, 4))
    desk.granted(WithdrawEntry(by=CHIEF, entry=1))
    desk.granted(WithdrawEntry(by=CHIEF, entry=4))
    desk.pair()
    assert desk.boards == [(2, 3)]
    assert desk.state.rounds[0].byes[5] is ByeKind.FULL_POINT
    desk.play(LOSS)
    assert standing(desk) == [(1, "A", 1, 10), (1, "B", 1, 10)]


@pytest.mark.parametrize(
    ("teams", "key"),
    [
        ((team("A", 1, 2),), "too_few_teams"),
        ((team("A", 1, 2), team("a", 3, 4)), "team_names"),
        ((team("A", 1, 2), team("B", 3)), "team_incomplete"),
        ((team("A", 1, 2), team("B", 2, 3)), "in_two_teams"),
        ((team("A", 1, 2), team("B", 3, 9)), "no_such_entry"),
    ],
)
def test_teams_that_cannot_play_are_refused(teams: tuple[Team, ...], key: str) -> None:
    desk = Desk(4, system=PairingSystem.TEAM)
    assert desk.refusal(SetTeams(by=ORGANISER, boards=2, teams=teams))[0] == key
    assert desk.refusal(SetTeams(by="p1", boards=2, teams=teams))[0] != key


def test_everybody_is_in_a_team_and_teams_stand_once_a_round_is_paired() -> None:
    desk = Desk(5, system=PairingSystem.TEAM)
    both = (team("A", 1, 2), team("B", 3, 4))
    assert desk.refusal(SetTeams(by=ORGANISER, boards=2, teams=both))[0] == "in_no_team"
    paired = two().pair()
    again = SetTeams(by=ORGANISER, boards=2, teams=both)
    assert paired.refusal(again) == ("teams_stand", "C.05")
    swiss = Desk(4)
    assert swiss.refusal(SetTeams(by=ORGANISER, boards=2, teams=both))[0] == "no_team_event"


class Test12_9:  # noqa: N801
    def test_players_captains_and_arbiters_complain_and_nobody_else(self) -> None:
        desk = two().pair()
        desk.appoint(HELPER, "Anna Aiuto")
        for by in ("p1", "capo", CHIEF, HELPER):
            desk.granted(FileComplaint(by=by, text="the clock"))
        assert [one.by for one in desk.state.filings] == ["p1", "capo", CHIEF, HELPER]
        stranger = desk.refusal(FileComplaint(by="stranger", text="x"))
        assert stranger == ("not_about_you", "12.9")
        assert desk.refusal(FileComplaint(by="capo", text=" "))[0] == "reason_needed"

    def test_until_two_hours_after_the_last_round(self) -> None:
        desk = two().pair().play(WIN, DRAW)
        ended = max(board.settled[0].at for board in desk.state.rounds[0].boards)
        desk.now = LAWS.online.complaint_deadline(ended)
        desk.granted(FileComplaint(by="capo", text="on time"))
        desk.now += timedelta(seconds=1)
        late = desk.refusal(FileComplaint(by="capo", text="late"))
        assert late == ("complaint_too_late", "12.11.1c")
