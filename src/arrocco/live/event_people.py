"""Who somebody is in an event, by its state alone: for the live event and for pages alike."""

from __future__ import annotations

from datetime import timedelta

from arrocco.hall import event as ev
from arrocco.hall.event.records import EventRole
from arrocco.office.roles import Asker


class EventPeople:
    """An event as it stands, asked about people."""

    def __init__(self, state: ev.State) -> None:
        self.state = state
        self._accounts = accounts_of(state)

    @property
    def id(self) -> str:
        return self.state.created.event

    def account_of(self, asker: Asker) -> str:
        """5.4 — the account an asker is known by here: their own, or that of their entry.

        A player is recognised by the federation's number too, whatever account they come with.
        """
        own = "" if asker.account is None else str(asker.account)
        if own in self._accounts or asker.player is None:
            return own
        return self._accounts.get(asker.player, own)

    def is_arbiter(self, account: str, board: int) -> bool:
        """6.3 — whether somebody is an arbiter of a board."""
        arbiter = self.state.arbiter(account)
        return arbiter is not None and arbiter.watches(board)

    def may_look_on(self, account: str) -> bool:
        """Whether somebody may see games that they do not play."""
        rules = self.state.rules
        admitted = rules is None or rules.spectators.admitted
        return admitted or self.takes_part(account)

    def delay_for(self, account: str) -> timedelta:
        """5.17 — how much later somebody hears of results: only who has no part in the event."""
        rules = self.state.rules
        if rules is None or self.takes_part(account):
            return timedelta(0)
        return rules.spectators.delay

    def takes_part(self, account: str) -> bool:
        """5.17, 6.9j — players, arbiters and organisers; who was expelled is nobody here."""
        role = self.state.role(account)
        if self.state.team_of_captain(account) is not None:
            return True
        if role is EventRole.PLAYER:
            entry = self.state.entry_of(account)
            return entry is not None and not self.state.is_expelled(entry.id)
        return role not in (EventRole.NOBODY, EventRole.SERVER)


def accounts_of(state: ev.State) -> dict[str | int, str]:
    """The accounts of an event, by themselves and by the federation's number of the player."""
    accounts: dict[str | int, str] = {}
    for entry in state.entries:
        accounts[entry.person.account] = entry.person.account
        if entry.person.id is not None:
            accounts[entry.person.id] = entry.person.account
    for arbiter in state.arbiters:
        accounts[arbiter.account] = arbiter.account
    for team in state.teams:
        accounts[team.captain] = team.captain
    for organiser in state.created.organisers:
        accounts[organiser] = organiser
    return accounts
