"""What each kind of onlooker is sent of a change: small updates in play, else the whole view."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from msgspec.structs import replace

from arrocco.hall.game import ArbiterView, GameRole, PlayerView, State, view_for, visible_to
from arrocco.hall.game import events as e
from arrocco.hall.game.state import Phase
from arrocco.hall.game.view import ClockView, View
from arrocco.laws.online.side import Side
from arrocco.live.messages import Shown, Update, encode


class Listener(Protocol):
    """A socket's end of the server: it takes messages at once and never makes anybody wait."""

    def send(self, message: bytes) -> None: ...

    def close(self, code: int) -> None:
        """Ends the connection."""
        ...


EXPELLED = 4403
"""The code with which the socket of who is expelled is closed (6.9j)."""


_IN_PLAY: frozenset[type[e.Event]] = frozenset(
    (
        e.Moved,
        e.PremoveSet,
        e.PremoveCleared,
        e.PremoveExecuted,
        e.AutoQueenSet,
        e.DrawOffered,
        e.DrawRefused,
    )
)
"""Events that a client can follow with the little that an update holds."""


def whole(
    state: State,
    role: GameRole,
    number: int,
    now: int,
    held: int | None = None,
    *,
    with_analysis: bool = False,
) -> bytes:
    """All that somebody may see; `held` is since when the server holds the clocks (11.6).

    A player's view counts the events they were told of, not those of the log: a number that grows
    by itself would give away a premove of the opponent (1.2a).
    """
    view = view_for(state, role, now, with_analysis=with_analysis)
    if isinstance(view, PlayerView):
        view = replace(view, number=number, held=held)
    elif isinstance(view, ArbiterView):
        view = replace(view, held=held)
    return encode(Shown(game=state.created.game, number=number, now=now, view=view))


def counts(event: e.Event, role: GameRole) -> bool:
    """Whether an event is one that somebody is told of, and numbered; the chat goes beside it."""
    return visible_to(event, role) and not isinstance(event, e.Said)


def change(
    state: State,
    role: GameRole,
    events: tuple[e.Event, ...],
    number: int,
    now: int,
    held: int | None = None,
) -> bytes | None:
    """What a player or an arbiter is told of events; `None` where none is for them."""
    visible = tuple([event for event in events if counts(event, role)])
    if not visible:
        return None
    if not _IN_PLAY.issuperset([type(event) for event in visible]):
        return whole(state, role, number, now, held)
    clock = state.clock
    return encode(
        Update(
            game=state.created.game,
            number=number,
            now=now,
            events=visible,
            phase=state.phase,
            clock=ClockView(
                clock.remaining(Side.WHITE, now), clock.remaining(Side.BLACK, now), clock.running
            ),
            offer=state.offer,
            legal=_legal(state, role),
        )
    )


def _legal(state: State, role: GameRole) -> tuple[str, ...]:
    if role.side is not state.turn or state.phase is not Phase.RUNNING:
        return ()
    return state.board.legal


class Seen(NamedTuple):
    """What spectators were shown, and when."""

    view: View
    at: int

    def shows(self, view: View, now: int) -> bool:
        """Whether nothing but running time has passed since."""
        mine = self.view
        if (mine.fen, mine.last, mine.phase, mine.result, mine.white, mine.clock.running) != (
            view.fen,
            view.last,
            view.phase,
            view.result,
            view.white,
            view.clock.running,
        ):
            return False
        return all(
            self._ends(mine.clock, side, self.at) == self._ends(view.clock, side, now)
            for side in Side
        )

    @staticmethod
    def _ends(clock: ClockView, side: Side, now: int) -> int:
        """The moment a running clock will be over, or what a standing one shows."""
        left = clock.white if side is Side.WHITE else clock.black
        return left + now if clock.running is side else left


def for_spectators(state: State, now: int, before: Seen | None) -> Seen | None:
    """What spectators see, where it is something else than before (5.17); later if so ruled."""
    view = view_for(state, GameRole.SPECTATOR, now)
    return None if before is not None and before.shows(view, now) else Seen(view, now)
