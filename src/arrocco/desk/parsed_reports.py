"""Reports read a moment ago: a file is checked, sent, accepted and shown, and read once."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from threading import Lock

from arrocco.findings import Finding
from arrocco.formats.trf import read_report
from arrocco.records.report import Report

MAX_KEPT_BYTES = 4 << 20
"""Of the files whose reports are kept; what a report takes is some twenty times that."""

_Parsed = tuple[Report, tuple[Finding, ...]]


class ParsedReports:
    """Keeps the reports that were read last, by the hash of their bytes and the name they had.

    Nobody changes what comes from here: a report with other facts or numbers is another record.
    """

    def __init__(self, most: int = MAX_KEPT_BYTES) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[bytes, str], tuple[int, _Parsed]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def read(self, data: bytes, name: str) -> tuple[Report, list[Finding]]:
        """A report and what its reading found. Raises `Malformed` as the reader does."""
        key = hashlib.sha256(data).digest(), name
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
                report, findings = kept[1]
                return report, list(findings)
        report, remarks = read_report(data, name)
        with self._lock:
            self._keep(key, len(data), (report, tuple(remarks)))
        return report, remarks

    def _keep(self, key: tuple[bytes, str], size: int, parsed: _Parsed) -> None:
        if size > self._most or key in self._kept:
            return
        self._kept[key] = size, parsed
        self._bytes += size
        while self._bytes > self._most:
            _, (gone, _) = self._kept.popitem(last=False)
            self._bytes -= gone
