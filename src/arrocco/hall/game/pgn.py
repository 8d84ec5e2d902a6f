"""A game in PGN, with the time left after each move and the offers of a draw beside it (2.3)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import chess

from arrocco.hall.game import position
from arrocco.hall.game.records import Pair, Reason, SeatedPlayer
from arrocco.hall.game.state import Offer, State
from arrocco.laws.online.side import Side

_RESULTS: dict[Pair, str] = {(2, 0): "1-0", (0, 2): "0-1", (1, 1): "1/2-1/2", (0, 0): "0-0"}
_TERMINATIONS = {
    Reason.TIME: "time forfeit",
    Reason.TIME_WITHOUT_MATE: "time forfeit",
    Reason.FORFEIT: "forfeit",
    Reason.DISCONNECTION: "abandoned",
    Reason.DISCONNECTION_WITHOUT_MATE: "abandoned",
    Reason.ARBITER: "adjudication",
}
_WIDTH = 80


def to_pgn(state: State) -> str:
    """The game as it stands, with an empty line at the end.

    A result that the format has no word for, as half a point to nothing, is left open (``*``).
    """
    result = "*" if state.outcome is None else _RESULTS.get(state.outcome.half_points, "*")
    # After the moves 0-0 would be read as castling, so there it is left open too.
    ending = "*" if result == "0-0" else result
    lines = _lines([*_moves(state), ending])
    return "\n".join([*_tags(state, result), "", *lines, "", ""])


def _tags(state: State, result: str) -> list[str]:
    created = state.created
    day = created.day.strftime("%Y.%m.%d") if created.day else "????.??.??"
    white, black = state.white.player, state.black.player
    tags = [
        ("Event", created.event or "?"),
        ("Site", created.site or "?"),
        ("Date", day),
        ("Round", str(created.round) if created.round else "?"),
        ("White", white.name or "?"),
        ("Black", black.name or "?"),
        ("Result", result),
        *([("Board", str(created.board))] if created.board else []),
        *_player_tags("White", white),
        *_player_tags("Black", black),
        *_start_tags(state),
        ("TimeControl", created.control),
        ("Termination", _termination(state)),
    ]
    return [f'[{name} "{_escaped(value)}"]' for name, value in tags]


def _start_tags(state: State) -> list[tuple[str, str]]:
    """When the game began, in the time of nobody's clocks: viewers have their own."""
    if state.started is None:
        return []
    began = datetime.fromtimestamp(state.started // 1000, UTC)
    return [("UTCDate", f"{began:%Y.%m.%d}"), ("UTCTime", f"{began:%H:%M:%S}")]


def _player_tags(color: str, player: SeatedPlayer) -> list[tuple[str, str]]:
    tags = []
    if player.title:
        tags.append((f"{color}Title", player.title))
    if player.rating is not None:
        tags.append((f"{color}Elo", str(player.rating)))
    return tags


def _termination(state: State) -> str:
    if state.outcome is None:
        return "unterminated"
    if state.outcome.before is not None:
        return "adjudication"
    return _TERMINATIONS.get(state.outcome.reason, "normal")


def _moves(state: State) -> list[str]:
    offers = {_beside(offer, state) for offer in state.offers}
    board, _ = position.start()
    words = []
    for moved in state.moves:
        move = chess.Move.from_uci(moved.uci)
        dots = "." if moved.side is Side.WHITE else "..."
        left = moved.white if moved.side is Side.WHITE else moved.black
        mark = " (=)" if moved.ply in offers else ""
        words.append(f"{moved.ply // 2 + 1}{dots}")
        words.append(board.san(move))
        words.append(f"{{[%clk {_clock(left)}]{mark}}}")
        board = board.after(moved.uci)
    return words


def _beside(offer: Offer, state: State) -> int:
    """2.3 — the ply of the move an offer stands beside: the offerer's last, or the one to come.

    Where that was never made it stands beside the last move of all.
    """
    is_to_move = (offer.ply % 2 == 0) is (offer.side is Side.WHITE)
    return offer.ply if is_to_move and offer.ply < state.ply else offer.ply - 1


def _lines(words: Iterable[str]) -> list[str]:
    """Words put into lines; a comment stays in one piece."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > _WIDTH:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".lstrip()
    return lines


def _clock(milliseconds: int) -> str:
    """Hours, minutes and seconds, with what is left of a second only where something is."""
    seconds, rest = divmod(milliseconds, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    fraction = f".{rest:03d}" if rest else ""
    return f"{hours}:{minutes:02d}:{seconds:02d}{fraction}"


def _escaped(value: str) -> str:
    line = " ".join(value.split())
    return line.replace("\\", "\\\\").replace('"', '\\"')
