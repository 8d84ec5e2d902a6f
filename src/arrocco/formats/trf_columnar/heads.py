"""The tournament records of a file whose players are regular.

Most files say the usual things in the usual way: their records are read by remembering what the
careful reader made of the same line before. A file whose records are in any way remarkable has
them read by the careful reader itself.
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Final

from arrocco.errors import Malformed
from arrocco.formats.trf import records as r
from arrocco.formats.trf.cells import FIRST_COLUMN, WIDTH
from arrocco.formats.trf.days import Form, read_round_day
from arrocco.formats.trf.decode import decode
from arrocco.formats.trf.document import Line, TrfDocument
from arrocco.formats.trf.header import Header
from arrocco.formats.trf.seen import Seen
from arrocco.formats.trf_columnar.cut import Cut
from arrocco.report import Facts, System
from arrocco.reportbatch import TournamentHead
from arrocco.timecontrol import TimeControl

_TEXTS: Final = frozenset(("012", "022", "032", "102", "112", "182", "202", "212"))
_MANDATORY: Final = frozenset(("012", "022", "032", "042", "052", "102"))
_READ: Final = ("062", "072", "082", "142", "152", "172", "XXR")
_USUAL: Final = _TEXTS | _MANDATORY | frozenset(_READ) | {"092", "122", "132", "192", "222"}
_ONLY_TRF26: Final = frozenset(
    tag for tag in _USUAL if TrfDocument(lines=[Line(1, tag, "", r.Blank())]).is_trf26
)

_REMARKABLE: Final = object()
"""Stands for a date about which there is something to say."""


def usual_head(cut: Cut, players: int, rated: int, *, ties: bool) -> TournamentHead | None:
    """The head of a file about whose records nothing is to be said, else `None`.

    `ties` tells that two players have the same rank, which only TRF26 allows.
    """
    lines: dict[str, str] = {}
    for line in cut.before + cut.after if cut.after else cut.before:
        tag = line[:3]
        if (tag in lines and tag != "112") or line[3:4] not in " ":
            return None
        lines[tag] = line
    tags = lines.keys()
    if not (tags <= _USUAL and tags >= _MANDATORY):
        return None
    name, city = lines["012"][4:].strip(), lines["022"][4:].strip()
    federation, arbiter = lines["032"][4:].strip(), lines["102"][4:].strip()
    start, end = _day(lines["042"]), _day(lines["052"])
    if not (name and city and federation and arbiter and start and end and start <= end):
        return None
    read = {tag: _record(lines[tag]) for tag in _READ if tag in lines}
    if None in read.values():
        return None
    trf26 = not tags.isdisjoint(_ONLY_TRF26)
    if not (
        _is_count(read.get("062"), players)
        and _is_count(read.get("072"), rated)
        and _is_count(read.get("142"), cut.cells, blank=0)
        and _is_count(read.get("XXR"), cut.cells, blank=0)
        and not (ties and not trf26)
    ):
        return None
    days = _round_days(lines["132"]) if "132" in lines else ()
    if days is None or (trf26 and not days):
        return None
    if days and (len(days) != cut.cells or any(day and not start <= day <= end for day in days)):
        return None
    event = _event(
        lines.get("092", ""), lines.get("192", ""), lines.get("122", ""), lines.get("222", "")
    )
    if event is None or (event[0] is System.MATCH and players == 2):
        return None
    return TournamentHead(
        cut.source or name, name, start, end, event[0], event[1], cut.cells, federation, Facts(),
        days if any(days) else (), city,
    )  # fmt: skip


@lru_cache(maxsize=1 << 14)
def _record(line: str) -> r.Record | None:
    """What the careful reader makes of a line, `None` where it has something to say."""
    seen = Seen("")
    try:
        record = decode(line, 1, seen)
    except Malformed:
        return None
    return None if seen.findings() else record


@lru_cache(maxsize=1 << 14)
def _day(line: str) -> date | None:
    record = _record(line)
    return record.day if isinstance(record, r.Day) else None


def _round_days(line: str) -> tuple[date | None, ...] | None:
    """The dates of record 132, `None` where something is to be said about one."""
    if line[3 : FIRST_COLUMN - 1].strip():
        return None
    cells = range(FIRST_COLUMN - 1, len(line.rstrip()), WIDTH)
    days = tuple([_round_day(line[start : start + WIDTH]) for start in cells])
    return None if _REMARKABLE in days else days  # type: ignore[return-value]


@lru_cache(maxsize=1 << 14)
def _round_day(text: str) -> date | object | None:
    day, form = read_round_day(text)
    return day if form in (Form.REGULAR, Form.BLANK) else _REMARKABLE


def _is_count(record: r.Record | None, counted: int, blank: int | None = None) -> bool:
    """Whether a record gives no number, or the one counted."""
    number = record.number if isinstance(record, r.Count) else None
    return number is None or number in (counted, blank)


@lru_cache(maxsize=1 << 12)
def _event(*texts: str) -> tuple[System, TimeControl | None] | None:
    """System and time control from their records, `None` where something is to be said."""
    seen = Seen("")
    lines = [Line(1, text, "", decode(text, 1, seen)) for text in texts if text]
    header = Header(TrfDocument("", "", lines), seen)
    system, control = header.system(), header.time_control()
    if seen.findings() or (system is System.UNKNOWN and not header.text("092")):
        return None
    return system, control
