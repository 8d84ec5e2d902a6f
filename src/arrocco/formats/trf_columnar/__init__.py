"""Thousands of report files at once, straight into columns.

`read_batch` and `read_files` give what `formats.trf.read_report` gives, file by file, as one
`ReportBatch`. Files whose lines are regular are read together, one column of all of them at a time;
every file that is in any way unusual goes to the careful reader. A test proves that nobody can tell
which of the two a file went through.
"""

from arrocco.formats.trf_columnar.batch import read_batch
from arrocco.formats.trf_columnar.files import read_files

__all__ = ["read_batch", "read_files"]
