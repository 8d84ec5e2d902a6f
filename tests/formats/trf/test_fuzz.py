"""Reports spoilt at random: the reader returns or refuses, and what it returns is consistent.

A case is a seed: `python -m pytest tests/formats/trf/test_fuzz.py` names the seed that fails, and
`spoilt(seed)` builds the same bytes again.
"""

from __future__ import annotations

import random
from functools import cache

import pytest

from arrocco.errors import Inconsistent, Refusal
from arrocco.formats.trf import from_report, read, read_report, to_report, write
from arrocco.records.report import Report
from tests.formats.trf.reading import in_words, without_places
from tests.formats.trf.samples import at, match, report, round_robin, swiss
from tests.formats.trf.test_records import CASES

IN_EVERY_RUN = 2_000
IN_A_SOAK = 200_000
CHUNK = 5_000


@cache
def originals() -> tuple[bytes, ...]:
    """Small reports of every kind, and one with all records of the format."""
    everything = [line for line, _ in CASES if not line.startswith(("001", "142", "XXR"))]
    players = swiss(9, 4, seed=8).decode().split("\r\n")
    return (
        swiss(6, 3, seed=1),
        swiss(9, 5, seed=2, version="trf26"),
        swiss(12, 4, seed=3, ending="\n"),
        swiss(7, 3, seed=4, ending="\r"),
        round_robin(6),
        match("1=0=1"),
        report([line for line in players if line.startswith("001")], extra=everything),
        report(
            [line for line in players if line.startswith("001")],
            {"042": "1. 5. 2024", "052": "May 5, 2024", "122": None},
            ["XXR 4", "XXS W=3 D=1", at({1: "ITA", 5: "   3", 49: "1800"})],
        ),
    )


_TEXTS = (
    b"001",
    b"0000 - U",
    b"   1 w 1",
    b"\r\n",
    b"\r",
    b"\n",
    b"\t",
    b"=",
    b"+",
    b"-",
    b"999",
    b"9999",
    b"\xe8",
    b"\xc3\xa8",
    b"\xef\xbb\xbf",
    b"1",
    b"w",
    b"b",
    b"0",
    b" ",
    b"132",
    b"299",
    b"240 H   1    1",
    b"162  W 3.0",
    b"ITA    1",
    b"XXR",
    b"\xff",
    "½".encode(),
    "²".encode(),
    b",",
)


def spoilt(seed: int) -> bytes:
    """A report with one to six random injuries."""
    rng = random.Random(seed)
    data = bytearray(rng.choice(originals()))
    for _ in range(rng.randint(1, 6)):
        rng.choice(_INJURIES)(data, rng)
    return bytes(data)


def _flip_byte(data: bytearray, rng: random.Random) -> None:
    for _ in range(rng.randint(1, 4)):
        if data:
            data[rng.randrange(len(data))] = rng.choice(
                (rng.randrange(256), rng.randrange(32, 127))
            )


def _write_text(data: bytearray, rng: random.Random) -> None:
    position = rng.randint(0, len(data))
    text = rng.choice(_TEXTS)
    data[position : position + rng.choice((0, len(text)))] = text


def _drop_bytes(data: bytearray, rng: random.Random) -> None:
    position = rng.randint(0, len(data))
    del data[position : position + rng.randint(1, 12)]


def _shift_columns(data: bytearray, rng: random.Random) -> None:
    position = rng.randint(0, len(data))
    data[position:position] = b" " * rng.randint(1, 11)


def _change_lines(data: bytearray, rng: random.Random) -> None:
    lines = bytes(data).splitlines(keepends=True)
    if not lines:
        return
    index, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    how = rng.randrange(4)
    if how == 0:
        del lines[index]
    elif how == 1:
        lines.insert(other, lines[index])
    elif how == 2:
        lines[index], lines[other] = lines[other], lines[index]
    else:
        rng.shuffle(lines)
    data[:] = b"".join(lines)


def _splice(data: bytearray, rng: random.Random) -> None:
    other = rng.choice(originals())
    start = rng.randrange(len(other))
    position = rng.randint(0, len(data))
    data[position:position] = other[start : start + rng.randint(1, 300)]


def _truncate(data: bytearray, rng: random.Random) -> None:
    del data[rng.randint(0, len(data)) :]


def _copy_column(data: bytearray, rng: random.Random) -> None:
    """Moves a field of ten columns to another place, as a wrong export would."""
    if len(data) > 20:
        start, end = rng.randrange(len(data) - 10), rng.randrange(len(data) - 10)
        data[end : end + 10] = data[start : start + 10]


_INJURIES = (
    _flip_byte,
    _flip_byte,
    _write_text,
    _write_text,
    _drop_bytes,
    _shift_columns,
    _change_lines,
    _splice,
    _truncate,
    _copy_column,
)


def check(seed: int) -> bool:
    """Reads one case; returns whether it was taken, not refused."""
    data = spoilt(seed)
    try:
        report_, findings = read_report(data, "prova.trf")
    except Refusal as refusal:
        if not (refusal.message and refusal.advice and refusal.findings):
            raise AssertionError("a refusal says why and what to do") from refusal
        return False
    in_words(findings)
    lines = len(data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"))
    assert all(1 <= (finding.place.line or 1) <= lines for finding in findings)
    consistent(report_)
    document, _ = read(data, "prova.trf")
    assert write(document) == data
    assert to_report(document)[0] == report_
    return True


def consistent(report_: Report) -> None:
    """No entry twice, no game without its entries, nobody twice in a round, and writable."""
    numbers = {entry.number for entry in report_.entries}
    assert len(numbers) == len(report_.entries)
    busy: set[tuple[int, int]] = set()
    sides = [(g.round, n) for g in report_.games for n in (g.white, g.black)]
    for place in [*sides, *((bye.round, bye.entry) for bye in report_.byes)]:
        assert place not in busy
        assert 1 <= place[0] <= report_.rounds
        assert place[1] in numbers
        busy.add(place)
    try:
        again = read_report(from_report(report_, "trf26"), "")[0]
    except (Inconsistent, Refusal):
        # a report without entries, or with a round date out of the two-digit years
        return
    assert without_places(again).games == without_places(report_).games


def run(first: int, cases: int) -> int:
    """How many of the cases were taken; a failure names its seed."""
    taken = 0
    for seed in range(first, first + cases):
        try:
            taken += check(seed)
        except Exception as fault:
            raise AssertionError(f"seed {seed}: {fault!r}") from fault
    return taken


@pytest.mark.parametrize("part", range(4))
def test_a_spoilt_report_is_read_or_refused(part: int) -> None:
    cases = IN_EVERY_RUN // 4
    taken = run(part * cases, cases)
    # most injuries leave something to take: else this test would only try refusals
    assert cases // 2 < taken < cases


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(IN_A_SOAK // CHUNK))
def test_many_spoilt_reports_are_read_or_refused(chunk: int) -> None:
    assert run(1_000_000 + chunk * CHUNK, CHUNK) > 0
