"""Games in PGN: their tags, the moves and clocks of each side, and a report made of them."""

from arrocco.formats.pgn.game import PgnGame
from arrocco.formats.pgn.reader import MOST_BYTES, read_games
from arrocco.formats.pgn.report import to_report

__all__ = ["MOST_BYTES", "PgnGame", "read_games", "to_report"]
