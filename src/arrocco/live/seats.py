"""What somebody is at a board, and what an event's rules ask of whoever runs its games."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from arrocco.findings import Finding
from arrocco.hall.event.acts.chat import objection_to_chat
from arrocco.hall.event.games import milliseconds
from arrocco.hall.game import GameRole, State
from arrocco.live.chat import arbiter_name
from arrocco.live.event_people import EventPeople
from arrocco.live.event_room import EventRoom
from arrocco.live.services import Policy
from arrocco.office.roles import Asker


class Seat(NamedTuple):
    """What somebody is at a board."""

    person: str
    role: GameRole


def is_arbiter_at(event: EventRoom, board: int, person: str) -> bool:
    return event.is_arbiter(person, board)


def seat_at(
    game: State, event: EventPeople | None, asker: Asker, arbiters: frozenset[str] = frozenset()
) -> Seat | None:
    """What somebody is at a board; `arbiters` are those of a game that belongs to no event."""
    if event is None:
        person = "" if asker.account is None else str(asker.account)
    else:
        person = event.account_of(asker)
    side = game.side_of(person)
    if side is not None:
        return Seat(person, GameRole.of(side))
    if event is None:
        return Seat(
            person, GameRole.ARBITER if person and person in arbiters else GameRole.SPECTATOR
        )
    if event.is_arbiter(person, game.created.board):
        return Seat(person, GameRole.ARBITER)
    return Seat(person, GameRole.SPECTATOR) if event.may_look_on(person) else None


def policy_of(event: EventPeople | None) -> Policy:
    """What an event's rules ask of whoever runs its games."""
    rules = None if event is None else event.state.rules
    if event is None or rules is None:
        return Policy()
    return Policy(
        premoves=rules.premoves,
        call_stops_clocks=rules.call_stops_clocks,
        chat=partial(_objection_to_chat, event),
        with_analysis=lambda: event.state.closed is not None,
        name_of=lambda person: arbiter_name(event.state, person),
        vcs_grace=milliseconds(rules.grace),
        cards=rules.cards,
        red_card_from=rules.red_card_from,
        law=event.state.laws.online,
    )


def _objection_to_chat(event: EventPeople, person: str) -> Finding | None:
    """5.2, 6.9k — as the event stands now: a block may come, or be lifted, during a game."""
    entry = event.state.entry_of(person)
    return None if entry is None else objection_to_chat(event.state, entry.id)
