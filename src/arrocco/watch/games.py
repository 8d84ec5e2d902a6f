"""Games of the hall as they are watched: of a running game only what is old."""

from __future__ import annotations

from arrocco.errors import Refusal, Unavailable
from arrocco.fairplay.records import WatchedGame
from arrocco.hall.event.games import event_of_game
from arrocco.hall.game import State, fold
from arrocco.hall.game.log import decode
from arrocco.hall.game.state import Phase
from arrocco.live.log_reader import LogReader

PREFIX = "game:"


def game_state(logs: LogReader, game: str) -> State | None:
    """A game as its log has it; `None` where there is none, or none that can be read."""
    lines = logs.read(f"{PREFIX}{game}")
    try:
        return fold([decode(line) for line in lines]) if lines else None
    except Unavailable:
        raise
    except Refusal:  # a damaged log is the hall's to tell of
        return None


def games_of(logs: LogReader, event: str) -> dict[str, int]:
    """The games of an event, by name, with the number of the last record of each."""
    numbers = logs.numbers(f"{PREFIX}{event}-")
    names = {stream.removeprefix(PREFIX): number for stream, number in numbers.items()}
    return {name: number for name, number in names.items() if event_of_game(name) == event}


def plies_to_watch(state: State, late: int) -> int:
    """5.17 — how many half moves may be analysed: of a running game those `late` moves old."""
    return state.ply if is_over(state) else max(0, state.ply - 2 * late)


def is_over(state: State) -> bool:
    return state.phase is Phase.ENDED


def watched_game(state: State, time_class: str) -> WatchedGame:
    """A game as an engine and the screen look at it."""
    white, black = state.white.player, state.black.player
    return WatchedGame(
        id=state.created.game,
        white=white.id,
        black=black.id,
        white_rating=white.rating,
        black_rating=black.rating,
        time_class=time_class,
        moves=tuple(moved.uci for moved in state.moves),
        spent=tuple(None if moved.premove else moved.spent for moved in state.moves),
    )
