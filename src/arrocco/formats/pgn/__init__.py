"""Games in PGN: their tags, the moves and clocks of each side, and a report made of them."""

from arrocco.formats.pgn.game import PgnGame
from arrocco.formats.pgn.reader import MAX_BYTES, read_games
from arrocco.formats.pgn.report import to_report

__all__ = ["MAX_BYTES", "PgnGame", "read_games", "to_report"]
