"""The whole text of 2010, as its editions share it."""

from __future__ import annotations

from arrocco.laws.fide.text_2010.composition import Composition
from arrocco.laws.fide.text_2010.lists import Lists
from arrocco.laws.fide.text_2010.numbering import DecimalNumbering
from arrocco.laws.fide.text_2010.play import Play
from arrocco.laws.fide.text_2010.ratings import Ratings
from arrocco.laws.fide.text_2010.registration import Registration


class Text2010(DecimalNumbering, Play, Registration, Composition, Lists, Ratings):
    """All articles of the regulations as amended until 2010."""
