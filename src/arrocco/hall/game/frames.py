"""What spectators see later than it happens, where the event's rules delay them.

The delay is a time, a number of half moves, or both: then both must have passed. Only what some
spectator has still to see is kept. Once a game is over its last moves need no further moves.
"""

from __future__ import annotations

import msgspec

from arrocco.hall.game.state import Frame, Phase, State


def filmed(state: State) -> State:
    """The state with what there is to see now, kept where spectators see it later."""
    rules = state.created.rules
    if not (rules.spectator_delay or rules.spectator_delay_plies):
        return state
    if state.frames and _shows(state.frames[-1], state):
        return state
    frame = Frame(
        state.last_at,
        state.made,
        state.phase,
        state.board,
        state.moves[-1] if state.moves else None,
        state.clock,
        state.outcome,
    )
    frames = (*state.frames, frame)
    while len(frames) > 1 and _is_shown(frames[1], state, state.last_at):
        frames = frames[1:]
    return msgspec.structs.replace(state, frames=frames)


def _shows(frame: Frame, state: State) -> bool:
    """Whether there is nothing to see that a frame does not show: an offer, a connection."""
    return (
        frame.phase is state.phase
        and frame.board is state.board
        and frame.clock is state.clock
        and frame.outcome is state.outcome
    )


def frame_shown(state: State, now: int) -> Frame | None:
    """What spectators see now; `None` where they see the game as it is."""
    shown = None
    for frame in state.frames:
        if shown is not None and not _is_shown(frame, state, now):
            break
        shown = frame
    return shown


def next_frame_at(state: State, now: int) -> int | None:
    """When spectators see something new, if nothing else happens."""
    delay = state.rules.spectator_delay
    return next((frame.at + delay for frame in state.frames if frame.at + delay > now), None)


def _is_shown(frame: Frame, state: State, now: int) -> bool:
    if frame.at + state.rules.spectator_delay > now:
        return False
    is_over = state.phase is Phase.ENDED
    return is_over or frame.made + state.rules.spectator_delay_plies <= state.made
