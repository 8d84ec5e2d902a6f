"""The tournament records of a file whose players are regular.

Most files say the usual things in the usual way: their records are read by remembering what the
careful reader made of the same line before. A file whose records are in any way remarkable has
them read by the careful reader itself.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import lru_cache
from typing import Final, Generic, NamedTuple, TypeVar

from arrocco.errors import Malformed
from arrocco.formats.trf import records as r
from arrocco.formats.trf.columns import whole
from arrocco.formats.trf.days import Form, read_day
from arrocco.formats.trf.decode import decode
from arrocco.formats.trf.document import Line, TrfDocument
from arrocco.formats.trf.header import Header
from arrocco.formats.trf.seen import Seen
from arrocco.formats.trf_columnar.cut import Cut
from arrocco.records.report import Facts, System
from arrocco.records.reportbatch import TournamentHead
from arrocco.records.timecontrol import TimeControl

_MANDATORY: Final = frozenset(("012 ", "022 ", "032 ", "042 ", "052 ", "102 "))
_OTHER: Final = "062 072 082 092 112 122 132 142 152 172 182 192 202 212 222 XXR".split()
_USUAL: Final = _MANDATORY | {f"{tag} " for tag in _OTHER} | {"082", "112", "182", "202", "212"}
"""Tags with the blank that follows them; some records may end with their tag."""

_ONLY_TRF26: Final = frozenset(
    tag for tag in _USUAL if TrfDocument(lines=[Line(1, tag, "", r.Blank())]).is_trf26
)

_MAX_REMEMBERED: Final = 1 << 14
Known = TypeVar("Known")


class UsualHead(NamedTuple):
    """A head about which nothing is to be said, as long as the players agree with it."""

    head: TournamentHead
    rated: int | None
    """The number of rated players, where the file tells it."""
    allows_ties: bool
    """Whether two players may have the same rank: TRF26 allows it."""


def usual_head(cut: Cut) -> UsualHead | None:
    """The head of a file about whose records nothing is to be said, else `None`."""
    if cut.is_cut or cut.encoding == "cp1252":
        return None
    records = cut.before + cut.after if cut.after else cut.before
    lines = {line[:4]: line for line in records}
    trf26 = _is_trf26(tuple(lines))
    if trf26 is None:
        return None
    if len(lines) != len(records) and not _repeats_only_deputies(records, len(lines)):
        return None
    name, city = lines["012 "][4:].strip(), lines["022 "][4:].strip()
    federation, arbiter = lines["032 "][4:].strip(), lines["102 "][4:].strip()
    start, end = _DAYS[lines["042 "]], _DAYS[lines["052 "]]
    if not (name and city and federation and arbiter and start and end and start <= end):
        return None
    players, cells = cut.players, cut.cells
    for tag, counted in (("062 ", players), ("142 ", cells), ("XXR ", cells)):
        if tag in lines and lines[tag][4:].strip() != str(counted):
            return None
    if ("082 " in lines and not _is_clean(lines["082 "])) or (
        "152 " in lines and not _is_clean(lines["152 "])
    ):
        return None
    rated = None
    if "072 " in lines:
        rated = whole(lines["072 "][4:].strip())
        if rated is None:
            return None
    days, given = _ROUND_DAYS[lines["132 "]] if "132 " in lines else ((), ())
    if days is None or (trf26 and not days) or (days and len(days) != cells):
        return None
    if given and not (start <= given[0] and given[-1] <= end):
        return None
    system, control, is_usual = _event(
        lines.get("092 ", ""), lines.get("192 ", ""), lines.get("122 ", ""), lines.get("222 ", "")
    )
    if not is_usual or (system is System.MATCH and players == 2):
        return None
    head = TournamentHead(
        cut.source or name,
        name,
        start,
        end,
        system,
        control,
        cells,
        federation,
        Facts(),
        days if given else (),
        city,
    )
    return UsualHead(head, rated, trf26)


@lru_cache(maxsize=1 << 10)
def _is_trf26(tags: tuple[str, ...]) -> bool | None:
    """Whether a file with these tags is TRF26, `None` unless they are the usual ones."""
    if not _MANDATORY <= set(tags) <= _USUAL:
        return None
    return not _ONLY_TRF26.isdisjoint(tags)


def _repeats_only_deputies(records: list[str], tags: int) -> bool:
    """Whether no record but 112 is repeated."""
    deputies = sum(line.startswith("112 ") for line in records)
    return len(records) - tags == deputies - 1


class _Remembered(dict[str, Known], Generic[Known]):
    """What was made of texts before; forgets everything when it has become too much."""

    def __init__(self, read: Callable[[str], Known]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, text: str) -> Known:
        if len(self) >= _MAX_REMEMBERED:
            self.clear()
        value = self[text] = self._read(text)
        return value


def _day(line: str) -> date | None:
    """The day of record 042 or 052, `None` where something is to be said about it."""
    day, form = read_day(line[4:])
    return day if form is Form.REGULAR else None


def _round_days(line: str) -> tuple[tuple[date | None, ...] | None, tuple[date, ...]]:
    """The dates of record 132, `None` where something is to be said, and those given, sorted."""
    seen = Seen("")
    try:
        record = decode(line, 1, seen)
    except Malformed:
        return None, ()
    if seen.findings() or not isinstance(record, r.RoundDates):
        return None, ()
    return record.days, tuple(sorted(day for day in record.days if day))


_DAYS: Final = _Remembered(_day)
_ROUND_DAYS: Final = _Remembered(_round_days)


@lru_cache(maxsize=1 << 10)
def _is_clean(line: str) -> bool:
    """Whether the careful reader has nothing to say about a line."""
    seen = Seen("")
    decode(line, 1, seen)
    return not seen.findings()


@lru_cache(maxsize=1 << 12)
def _event(*texts: str) -> tuple[System, TimeControl | None, bool]:
    """System and time control from their records, and whether nothing is to be said of them."""
    seen = Seen("")
    lines = [Line(1, text, "", decode(text, 1, seen)) for text in texts if text]
    header = Header(TrfDocument("", "", lines), seen)
    system, control = header.system(), header.time_control()
    named = system is not System.UNKNOWN or bool(header.text("092"))
    return system, control, named and not seen.findings()
