"""The tournament records of a file: what is said once for the whole event."""

from __future__ import annotations

from datetime import date

from arrocco.errors import Malformed
from arrocco.formats.trf import records as r
from arrocco.formats.trf import systems
from arrocco.formats.trf.document import Line, TrfDocument
from arrocco.formats.trf.seen import Seen
from arrocco.records.report import System
from arrocco.records.timecontrol import TimeControl

_SINGLE = frozenset(
    """
        012 022 032 042 052 062 072 082 092 102 122 132 142 152 182 192 202 212 222 352 XXR
    """.split()
)
"""Records that a file has once; 112 is repeated for each deputy."""

_MANDATORY = ("012", "022", "032", "042", "052", "102")
"""What the format calls mandatory for rating."""


class Header:
    """The tournament records, the first of each kind; a second one is reported."""

    def __init__(self, document: TrfDocument, seen: Seen) -> None:
        self.seen = seen
        self.is_trf26 = document.is_trf26
        self.deputies: list[str] = []
        self._lines: dict[str, Line] = {}
        self._texts: dict[str, str] = {}
        for line in document.lines:
            tag = line.text[:3]
            if tag in _SINGLE:
                self._keep(tag, line)
            elif tag == "112" and isinstance(line.record, r.Text) and line.record.text:
                self.deputies.append(line.record.text)

    def _keep(self, tag: str, line: Line) -> None:
        # A line can be long and repeated a hundred thousand times: its text is made once.
        text = line.text[3:].rstrip()
        first = self._lines.setdefault(tag, line)
        first_text = self._texts.setdefault(tag, text)
        if first is line or text == first_text:
            return
        if not first_text:
            self._lines[tag], self._texts[tag] = line, text
        elif text:
            self.seen.add("record_repeated", line.number, 1, record=tag, kept=first.number)

    def line(self, tag: str) -> int | None:
        """The number of the line that holds a record."""
        return self._lines[tag].number if tag in self._lines else None

    def text(self, tag: str) -> str:
        """The text of a record, empty where it is missing."""
        record = self._lines[tag].record if tag in self._lines else None
        return record.text if isinstance(record, r.Text | r.Day) else ""

    def day(self, tag: str) -> date | None:
        record = self._lines[tag].record if tag in self._lines else None
        return record.day if isinstance(record, r.Day) else None

    def number(self, tag: str) -> int | None:
        record = self._lines[tag].record if tag in self._lines else None
        return record.number if isinstance(record, r.Count) else None

    def rounds(self) -> int | None:
        """The number of rounds the file declares."""
        declared = self.number("142")
        return (declared if declared is not None else self.number("XXR")) or None

    def round_days(self) -> tuple[date | None, ...]:
        record = self._lines["132"].record if "132" in self._lines else None
        return record.days if isinstance(record, r.RoundDates) else ()

    def system(self) -> System:
        """The pairing system, by 192 and else by 092; never from the games."""
        code, words = self.text("192"), self.text("092")
        system = systems.from_code(code) if code else System.UNKNOWN
        if system is System.UNKNOWN and words:
            system = systems.from_words(words)
        if system is System.UNKNOWN and (code or words):
            tag = "192" if code else "092"
            self.seen.add("type_not_understood", self.line(tag), 5, text=code or words)
        return system

    def time_control(self) -> TimeControl | None:
        """The time control, by 222 and else by 122."""
        from arrocco.records.timecontrol import parse_code, parse_text

        code, words = self.text("222"), self.text("122")
        if not code and not words:
            self.seen.add("time_control_missing")
            return None
        by_code = by_words = None
        if code:
            try:
                by_code = parse_code(code)
            except Malformed:
                self.seen.add("time_control_code_wrong", self.line("222"), 5, text=code)
        if words:
            try:
                by_words = parse_text(words)
            except Malformed:
                if by_code is None:
                    self.seen.add("time_control_not_understood", self.line("122"), 5, text=words)
        if by_code and by_words and by_code != by_words:
            self.seen.add(
                "time_controls_differ", self.line("222"), 5, code=str(by_code), words=str(by_words)
            )
        return by_code or by_words

    def check(self) -> None:
        """What is mandatory for rating, and dates that contradict each other."""
        for tag in _MANDATORY + (("132",) if self.is_trf26 else ()):
            given = self.round_days() if tag == "132" else self.text(tag)
            if not given:
                self.seen.add("mandatory_missing", self.line(tag), None, record=tag)
        start, end = self.day("042"), self.day("052")
        if start and end and end < start:
            self.seen.add("end_before_start", self.line("052"), 5, start=start, end=end)
            return
        for index, day in enumerate(self.round_days()):
            if day and ((start and day < start) or (end and day > end)):
                self.seen.add(
                    "round_date_outside",
                    self.line("132"),
                    92 + 10 * index,
                    round=index + 1,
                    day=day,
                )
