"""Time controls, read from code or text, and the time a player has for 60 moves."""

from arrocco.records.timecontrol.control import MOVES_ASSUMED, Period, TimeControl, parse_code
from arrocco.records.timecontrol.text import parse, parse_text

__all__ = ["MOVES_ASSUMED", "Period", "TimeControl", "parse", "parse_code", "parse_text"]
