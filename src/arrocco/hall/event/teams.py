"""Teams of an event: their matches round by round, and their standings.

A match is as many boards as the event states. The first team of a match has White on the first,
third … board. Who is first in the order of a team and there plays on its first board, so reserves
move up; a board that a team cannot fill is won by the opponent without a game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct

from arrocco.hall.event.field import absent
from arrocco.hall.event.records import Boards, EntryId
from arrocco.hall.event.state import Phase, Round, State, Team, rules_of
from arrocco.hall.pairing import berger
from arrocco.records.report import ByeKind

WON, DRAWN = 2, 1
"""Match points: two for a match that is won, one for a drawn one."""


class TeamRound(Struct, frozen=True):
    """The boards of a round, and who wins one because nobody sits there."""

    boards: Boards
    unopposed: tuple[EntryId, ...]


class Match(Struct, frozen=True):
    """Two teams of a round by number, and the points of their boards, in tenths."""

    round: int
    first: int
    second: int
    points: tuple[int, int]
    boards: tuple[int, ...]
    """The numbers of its boards in the round."""
    is_over: bool

    @property
    def match_points(self) -> tuple[int, int]:
        """What each team has of it; nothing while it is played."""
        first, other = self.points
        if not self.is_over:
            return 0, 0
        if first == other:
            return DRAWN, DRAWN
        return (WON, 0) if first > other else (0, WON)


class TeamPlace(Struct, frozen=True):
    """A place of a team; `board_points` are in tenths. Whom nothing tells apart share a rank."""

    rank: int
    team: int
    match_points: int
    board_points: int
    matches: int


def pair_teams(state: State, number: int) -> TeamRound:
    """C.05 — the boards of a round by the Berger table of the teams."""
    away = set(absent(state, number))
    boards: list[tuple[int, int]] = []
    unopposed: list[int] = []
    for first, second in _meetings(state, number):
        sides = [_line_up(state, one, away) for one in (first, second)]
        for place in range(state.team_boards):
            one, other = (side[place] if place < len(side) else None for side in sides)
            if one is not None and other is not None:
                boards.append((one, other) if place % 2 == 0 else (other, one))
            elif one is not None or other is not None:
                unopposed.append(one if one is not None else other or 0)
    return TeamRound(tuple(boards), tuple(unopposed))


def _line_up(state: State, team: int, away: set[EntryId]) -> list[EntryId]:
    there = [entry for entry in state.teams[team - 1].entries if entry not in away]
    return there[: state.team_boards]


def matches(state: State) -> list[Match]:
    """The matches of all rounds that were begun, in order."""
    return [match for round_ in state.rounds for match in matches_of(state, round_)]


def matches_of(state: State, round_: Round) -> Iterator[Match]:
    """The matches of a round."""
    team_of = {entry: number for number, team in _numbered(state) for entry in team.entries}
    rules = rules_of(state)
    points: dict[tuple[int, int], list[int]] = {}
    boards: dict[tuple[int, int], list[int]] = defaultdict(list)
    open_: set[tuple[int, int]] = set()
    meets: dict[int, tuple[int, int]] = {}
    for meeting in _meetings(state, round_.number):
        points[meeting] = [0, 0]
        meets |= {meeting[0]: meeting, meeting[1]: meeting}
    for number, board in enumerate(round_.boards, start=1):
        pair = meets.get(team_of.get(board.white, 0))
        if pair is None:
            continue
        boards[pair].append(number)
        if board.result is None:
            open_.add(pair)
            continue
        for entry, scored in zip(board.players, board.result.points, strict=True):
            points[pair][pair.index(team_of[entry])] += scored
    for entry, kind in round_.byes.items():
        pair = meets.get(team_of.get(entry, 0))
        if pair is not None and kind is ByeKind.FULL_POINT:
            points[pair][pair.index(team_of[entry])] += rules.scoring.win
    for meeting, (first, other) in points.items():
        is_over = meeting not in open_ and round_.phase is not Phase.PAIRED
        yield Match(round_.number, *meeting, (first, other), tuple(boards[meeting]), is_over)


def _meetings(state: State, number: int) -> tuple[tuple[int, int], ...]:
    if len(state.teams) == 2:
        return ((1, 2),)
    return berger.table(len(state.teams))[number - 1].boards


def _numbered(state: State) -> Iterator[tuple[int, Team]]:
    return enumerate(state.teams, start=1)


def team_standings(state: State) -> list[TeamPlace]:
    """Teams by match points, then board points, then the matches among those that are equal."""
    played = [match for match in matches(state) if match.is_over]
    won: dict[int, list[int]] = {number: [0, 0, 0] for number, _ in _numbered(state)}
    for match in played:
        for team, match_points, board_points in zip(
            (match.first, match.second), match.match_points, match.points, strict=True
        ):
            for at, gained in enumerate((match_points, board_points, 1)):
                won[team][at] += gained
    level: dict[tuple[int, int], list[int]] = defaultdict(list)
    for team, (match_points, board_points, _) in won.items():
        level[match_points, board_points].append(team)
    places: list[TeamPlace] = []
    for _, teams in sorted(level.items(), reverse=True):
        among = {team: _among(played, team, teams) for team in teams}
        for team in sorted(teams, key=lambda one: (-among[one], one)):
            rank = len(places) + 1
            if places and places[-1].team in among and among[places[-1].team] == among[team]:
                rank = places[-1].rank
            places.append(TeamPlace(rank, team, *won[team]))
    return places


def _among(played: list[Match], team: int, teams: list[int]) -> int:
    """The match points of a team against those it is equal with."""
    points = 0
    for match in played:
        pair = (match.first, match.second)
        if team in pair and set(pair) <= set(teams):
            points += match.match_points[pair.index(team)]
    return points
