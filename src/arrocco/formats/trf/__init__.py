"""FIDE's tournament report file, TRF16 and TRF26: reading, checking and writing.

`read_report` is the usual door: bytes in, a `Report` and findings out. `read` and `write` handle a
file line by line without loss; `from_report` writes a regular file.
"""

from arrocco.formats.trf.document import Line, TrfDocument, read, write
from arrocco.formats.trf.reader import read_report, to_report
from arrocco.formats.trf.writer import from_report

__all__ = [
    "Line",
    "TrfDocument",
    "from_report",
    "read",
    "read_report",
    "to_report",
    "write",
]
