"""Invented federations of any size: lists and reports that look like a month of a rating office.

Everything is drawn in whole numbers from one seed: the same arguments give the same bytes, however
many cores the machine has. Nobody in it is a real person.
"""

from arrocco.demo.generate.batch import ByeColumns, GeneratedBatch, reports
from arrocco.demo.generate.federation import Federation, federation
from arrocco.demo.generate.folder import list_path, report_path, write_federation, write_lists
from arrocco.demo.generate.trf_lines import trf_files, write_trf

__all__ = [
    "ByeColumns",
    "Federation",
    "GeneratedBatch",
    "federation",
    "list_path",
    "report_path",
    "reports",
    "trf_files",
    "write_federation",
    "write_lists",
    "write_trf",
]
