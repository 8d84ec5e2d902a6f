"""Who plays whom: the FIDE (Dutch) Swiss of 2026, Berger tables, and pairings made by hand.

Everything here is a pure function of plain records: players are numbers with what they did in the
rounds so far, a pairing is pairs of numbers. The event (`arrocco.hall.event`) keeps the people.
"""

from arrocco.hall.pairing.records import Field, Past, Player, RoundPairing

__all__ = ["Field", "Past", "Player", "RoundPairing"]
