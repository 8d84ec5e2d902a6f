"""An invented year of a rating office, lived through the office itself from the first account on.

Arbiters register tournaments and send reports, the administrator decides, lists come out month by
month; mistakes happen and are corrected. The same seed gives the same bytes of every list. Nobody
in it is a real person.
"""

from arrocco.generate.year.glance import Glance, glance_at
from arrocco.generate.year.making import make_year, require_empty
from arrocco.generate.year.reopening import reopen
from arrocco.generate.year.staff import LOG_INS, PASSWORD, LogIn

__all__ = [
    "LOG_INS",
    "PASSWORD",
    "Glance",
    "LogIn",
    "glance_at",
    "make_year",
    "reopen",
    "require_empty",
]
