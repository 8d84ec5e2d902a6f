"""Who looks on at one game, and what they were sent of it: each audience its own, numbered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from arrocco.hall.game import GameRole, State
from arrocco.hall.game import events as e
from arrocco.hall.game.acts.new_game import NewGame
from arrocco.live import messages
from arrocco.live.chat import MAX_SHOWN, NameOf, game_lines
from arrocco.live.game_messages import Listener, Seen, change, counts, for_spectators, whole

ARBITERS, SPECTATORS = "*arbiters", "*spectators"
"""The audiences that are not a player; accounts are never called so."""


@dataclass(eq=False)
class _Audience:
    """Those who are told the same, and how much they were told so far."""

    told: int = 0
    listeners: dict[Listener, str] = field(default_factory=dict)
    """With the person each listens for."""


class Audiences:
    """All who are there at a game. Colours can change (11.2), so players go by their accounts."""

    def __init__(self, name_of: NameOf, with_analysis: Callable[[], bool]) -> None:
        """`name_of` gives the name of an arbiter, for the chat; 5.17 — `with_analysis` tells
        whether players are shown any."""
        self._name_of, self._with_analysis = name_of, with_analysis
        self._audiences: dict[str, _Audience] = {}
        self._seen: Seen | None = None

    def begin(self, events: Sequence[e.Event]) -> None:
        """Counts from a whole log how much each audience was told; who is there stays."""
        listeners = {name: audience.listeners for name, audience in self._audiences.items()}
        created = events[0]
        assert isinstance(created, e.Created)
        white, black = created.white.id, created.black.id
        names = (white, black, ARBITERS, SPECTATORS)
        self._audiences = {name: _Audience(0, listeners.get(name, {})) for name in names}
        for event in events:
            self.count(event, white, black)
            if isinstance(event, NewGame) and event.swapped:
                white, black = black, white

    def count(self, event: e.Event, white: str, black: str) -> None:
        """One more event, with the accounts of the players when it happened."""
        for name, role in (
            (white, GameRole.WHITE),
            (black, GameRole.BLACK),
            (ARBITERS, GameRole.ARBITER),
        ):
            self._audiences[name].told += counts(event, role)

    # --- who is there --------------------------------------------------------------------------

    @property
    def is_empty(self) -> bool:
        return not any(audience.listeners for audience in self._audiences.values())

    def is_there(self, player: str) -> bool:
        return bool(self._audiences[player].listeners)

    def listeners_of(self, player: str) -> set[Listener]:
        return {
            listener
            for listener, person in self._audiences[player].listeners.items()
            if person == player
        }

    def holds(self, listener: Listener, state: State, role: GameRole) -> bool:
        """Whether somebody is in the audience of a role already."""
        return listener in self._audiences[_audience_of(state, role)].listeners

    def join(
        self,
        listener: Listener,
        person: str,
        state: State,
        role: GameRole,
        now: int,
        held: int | None = None,
    ) -> None:
        """Shows somebody the game, and from now on tells them of it."""
        name = _audience_of(state, role)
        audience = self._audiences[name]
        audience.listeners[listener] = person
        if name == SPECTATORS:
            seen = for_spectators(state, now, None)
            assert seen is not None
            self._seen = self._seen or seen
        analysis = self._with_analysis()
        listener.send(whole(state, role, audience.told, now, held, with_analysis=analysis))
        if state.chat and name != SPECTATORS:
            self._show_chat([listener], name, MAX_SHOWN, state, now, is_whole=True)

    def remove(self, listener: Listener) -> list[str]:
        """The players who are gone with somebody: it was their last socket."""
        gone = []
        for name, audience in self._audiences.items():
            person = audience.listeners.pop(listener, None)
            if person is not None and not audience.listeners and name not in (ARBITERS, SPECTATORS):
                gone.append(name)
        return gone

    def remove_arbiters(self, may_stay: Callable[[str], bool], game: str) -> None:
        """Shows the game no longer to arbiters who are not its arbiters any more."""
        arbiters = self._audiences[ARBITERS].listeners
        for listener in [one for one, person in arbiters.items() if not may_stay(person)]:
            del arbiters[listener]
            close(listener, game)

    def no_longer_players(self, state: State) -> list[Listener]:
        """1.2 — who no longer moves the pieces for a player sees no more than others do."""
        return [
            listener
            for name, audience in self._audiences.items()
            if name not in (ARBITERS, SPECTATORS)
            for listener, person in audience.listeners.items()
            if state.side_of(person) is None
        ]

    # --- telling -------------------------------------------------------------------------------

    def notify(
        self, state: State, events: tuple[e.Event, ...], now: int, held: int | None = None
    ) -> None:
        """Tells everybody what has happened, of what is for them."""
        for name, role in _seats(state):
            audience = self._audiences[name]
            if audience.listeners:
                message = change(state, role, events, audience.told, now, held)
                if message is not None:
                    _send(audience.listeners, message)
        self._notify_chat(state, events, now)
        self.show_spectators(state, now)

    def show(self, state: State, now: int, held: int | None) -> None:
        """Shows everybody the game as it is, though nothing was written of it."""
        for name, role in _seats(state):
            audience = self._audiences[name]
            if audience.listeners:
                _send(audience.listeners, whole(state, role, audience.told, now, held))
        self.show_spectators(state, now)

    def show_spectators(self, state: State, now: int) -> None:
        """5.17 — what spectators see, where it is something else than before."""
        audience = self._audiences[SPECTATORS]
        if not audience.listeners:
            self._seen = None
            return
        seen = for_spectators(state, now, self._seen)
        if seen is None:
            return
        self._seen = seen
        audience.told += 1
        shown = messages.Shown(
            game=state.created.game, number=audience.told, now=now, view=seen.view
        )
        _send(audience.listeners, messages.encode(shown))

    def _notify_chat(self, state: State, events: tuple[e.Event, ...], now: int) -> None:
        """5.2 — a line is for its player and the arbiters, and for nobody else."""
        for event in events:
            if isinstance(event, e.Said):
                for name in (state.seat(event.side).player.id, ARBITERS):
                    self._show_chat(self._audiences[name].listeners, name, 1, state, now)

    def _show_chat(
        self,
        listeners: Iterable[Listener],
        audience: str,
        last: int,
        state: State,
        now: int,
        *,
        is_whole: bool = False,
    ) -> None:
        lines = [
            line
            for player, line in game_lines(state, self._name_of)
            if audience in (ARBITERS, player)
        ]
        if lines:
            shown = messages.ChatShown(
                game=state.created.game, now=now, whole=is_whole, lines=tuple(lines[-last:])
            )
            _send(listeners, messages.encode(shown))


def close(listener: Listener, game: str) -> None:
    """Tells somebody that a game is no longer shown to them."""
    listener.send(messages.encode(messages.Closed(game=game)))


def _seats(state: State) -> tuple[tuple[str, GameRole], ...]:
    return (
        (state.white.player.id, GameRole.WHITE),
        (state.black.player.id, GameRole.BLACK),
        (ARBITERS, GameRole.ARBITER),
    )


def _audience_of(state: State, role: GameRole) -> str:
    if role.side is not None:
        return state.seat(role.side).player.id
    return ARBITERS if role is GameRole.ARBITER else SPECTATORS


def _send(listeners: Iterable[Listener], message: bytes) -> None:
    for listener in tuple(listeners):  # who takes no more is gone at once
        listener.send(message)
