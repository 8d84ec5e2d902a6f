"""12.9 — teams with their captains, stated as a list before the first round."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from arrocco.hall.event.acts.base import OFFICIALS, ActRecord, Command
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.records import PairingSystem, Positive
from arrocco.hall.event.state import State, Team
from arrocco.hall.game.events import Detail
from arrocco.hall.pairing import berger
from arrocco.laws.hall import Laws

MAX_BOARDS = 20
MAX_PLAYERS = 40
_MAX_NAME = 200


class SetTeams(Command, frozen=True, kw_only=True):
    """States all teams: players in order of boards, and who leads each; `boards` are of a match."""

    MAY = OFFICIALS

    boards: Annotated[int, Meta(ge=1, le=MAX_BOARDS)]
    teams: Annotated[tuple[Team, ...], Meta(max_length=berger.MAX_PLAYERS)]

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """C.05 — two teams at least, everybody in one; they stand once a round is paired."""
        if state.rules is None or state.rules.system is not PairingSystem.TEAM:
            return refused("no_team_event")
        if state.rounds or state.closed is not None:
            return refused("teams_stand", "C.05")
        if len(self.teams) < 2:
            return refused("too_few_teams", "C.05")
        names = [" ".join(team.name.split()) for team in self.teams]
        if not all(names) or len({name.casefold() for name in names}) < len(names):
            return refused("team_names")
        if max(len(name) for name in names) > _MAX_NAME:
            return refused("text_too_long", most=_MAX_NAME)
        seated: dict[int, str] = {}
        for name, team in zip(names, self.teams, strict=True):
            if not team.captain or not self.boards <= len(team.entries) <= MAX_PLAYERS:
                return refused("team_incomplete", "12.9", team=name, boards=self.boards)
            for entry in team.entries:
                if state.entry(entry) is None:
                    return refused("no_such_entry", entry=entry)
                if entry in seated:
                    return refused("in_two_teams", name=state.name_of(entry))
                seated[entry] = name
        alone = [entry for entry in state.entries if entry.id not in seated and not entry.withdrawn]
        if alone:
            return refused("in_no_team", name=alone[0].person.full_name)
        return happened(TeamsSet(**self.signed(now), boards=self.boards, teams=self.teams))


class TeamsSet(ActRecord, frozen=True, kw_only=True):
    """The teams and their captains are stated."""

    IS_PUBLIC = True
    CHANGES_PEOPLE = True

    boards: Positive
    teams: tuple[Team, ...]

    def changes(self, state: State) -> Changes:
        return {"teams": self.teams, "team_boards": self.boards}

    def is_possible(self, state: State) -> bool:
        return not state.rounds and all(
            state.entry(entry) is not None for team in self.teams for entry in team.entries
        )

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", ", ".join(team.name for team in self.teams)),)
