"""Invented federations of any size: lists and reports that look like a month of a rating office.

Everything is drawn in whole numbers from one seed: the same arguments give the same bytes, however
many cores the machine has. Nobody in it is a real person.
"""

from arrocco.generate.batch import ByeColumns, GeneratedBatch, reports
from arrocco.generate.federation import Federation, federation

__all__ = ["ByeColumns", "Federation", "GeneratedBatch", "federation", "reports"]
