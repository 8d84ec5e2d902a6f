"""An invented year of a rating office, lived through the office itself from the first account on.

Arbiters register tournaments and send reports, the administrator decides, lists come out month by
month; mistakes happen and are corrected. The same seed gives the same bytes of every list. Nobody
in it is a real person.
"""

from arrocco.demo.year.overview import Overview, overview_of
from arrocco.demo.year.reopening import reopen
from arrocco.demo.year.staff import LOG_INS, PASSWORD, LogIn
from arrocco.demo.year.year_builder import make_year, require_empty

__all__ = [
    "LOG_INS",
    "PASSWORD",
    "LogIn",
    "Overview",
    "make_year",
    "overview_of",
    "reopen",
    "require_empty",
]
