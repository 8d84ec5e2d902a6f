"""Files from which nothing can be taken are refused clearly and quickly; others are read."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable

import pytest

from arrocco.errors import Malformed
from arrocco.formats.trf import read_report
from arrocco.formats.trf.document import MAX_BYTES, MAX_LINE_BYTES
from tests.formats.trf.reading import read, refused
from tests.formats.trf.samples import cell, player, report, swiss

MANY_ROUNDS = player(1, [cell(2, "w", "1")] * 10_000, points="0.0")

REFUSED: dict[str, tuple[bytes, str, int | None]] = {
    "nothing": (b"", "empty", None),
    "only blanks": (b"  \r\n\n \t\n", "empty", None),
    "only a mark": (b"\xef\xbb\xbf", "empty", None),
    "zero bytes": (b"001    1\0\0", "binary", None),
    "UTF-16": ("012 Prova\n001    1\n".encode("utf-16"), "binary", None),
    "an archive": (b"PK\x03\x04\x14\x00\x00\x00", "binary", None),
    "no player": (b"012 Prova\n022 Borgo\n", "no_players", None),
    "another format": (b"<html><body>001</body></html>", "no_players", None),
    "10,000 rounds on a short line": (
        b"012 x\n001    1" + b" " * 84 + b"   2 w 1  " * 1000,
        "too_many_rounds",
        2,
    ),
    "10,000 rounds declared": (report([player(1)], {"142": "10000"}), "too_many_rounds", 12),
    "10,000 rounds by XXR": (b"XXR 10000\n001    1\n", "too_many_rounds", 1),
    "10,000 round dates": (
        b"132" + b" " * 88 + b"24/05/01  " * 1000 + b"\n001    1",
        "too_many_rounds",
        1,
    ),
    "10,000 rounds": (b"012 x\n" + MANY_ROUNDS.encode(), "line_too_long", 2),
    "a long line": (b"012 x\r\n001    1\r\n" + b"x" * (MAX_LINE_BYTES + 1), "line_too_long", 3),
    "too many lines": (b"\n" * 200_000 + b"001    1", "too_many_lines", None),
    "too many results": ((b"001    1" + b" " * 9990 + b"\n") * 1_011, "too_many_results", 1010),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_yields_nothing_is_refused_with_its_reason(name: str) -> None:
    data, key, line = REFUSED[name]
    finding = refused(data)
    assert (finding.key, finding.place.line) == (f"trf.{key}", line)


def test_a_file_of_ten_thousand_rounds_says_how_many_are_allowed() -> None:
    with pytest.raises(Malformed, match="10000 rounds; the format holds at most 999"):
        read_report(report([player(1)], {"142": "10000"}), "prova.trf")


HUGE: dict[str, tuple[Callable[[], bytes], str]] = {
    "200 MB line": (lambda: b"001    1" + b" " * 200_000_000, "too_large"),
    "64 MiB and a byte": (lambda: b"x" * (MAX_BYTES + 1), "too_large"),
    "64 MiB line": (lambda: b"012 x\n001    1" + b" " * (MAX_BYTES - 100), "line_too_long"),
    "64 MiB of line ends": (lambda: b"\n" * MAX_BYTES, "too_many_lines"),
    "zero at the end": (lambda: b"0" * (MAX_BYTES - 1) + b"\0", "binary"),
}


@pytest.mark.parametrize("name", HUGE)
def test_a_huge_file_is_refused_quickly_and_without_copies(name: str) -> None:
    build, key = HUGE[name]
    data = build()
    refused(b"")  # the catalogue is loaded once
    tracemalloc.start()
    start = time.process_time()
    finding = refused(data)
    seconds = time.process_time() - start
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert finding.key == f"trf.{key}"
    assert seconds < 1
    assert peak < 1_000_000


BAD: dict[str, bytes] = {
    "truncated in a line": swiss()[:-30],
    "truncated in a header": b"012 Prova\n001    1\n04",
    "only a tag": b"001",
    "a short player": b"001    1",
    "wrong encoding": swiss().replace(b"Torneo", b"T\xf4rn\xe9o"),
    "repeated numbers": report([player(1), player(1), player(1)]),
    "all lines twice": swiss() * 2,
    "no numbers": b"001\n001\n001\n",
    "letters for numbers": b"001 abcd ef ghi jkl\n" * 3,
    "tabs": b"001\t1\tm\tRossi\t2000\n",
    "a strange digit": "001    ² m\n001    1\n001 ١٢٣٤\n".encode(),
    "reversed lines": b"\r\n".join(swiss().split(b"\r\n")[::-1]),
    "reversed bytes": swiss()[::-1] + b"\n001    1\n",
}


@pytest.mark.parametrize("name", BAD)
def test_a_spoilt_file_is_read_with_findings(name: str) -> None:
    _, findings = read(BAD[name])
    assert findings


def test_999_rounds_and_9999_players_are_in_the_format() -> None:
    cells = [cell(9999, "w", "1")] * 999
    mirror = [cell(1, "b", "0")] * 999
    lines = [player(1, cells, points="99.9"), player(9999, mirror, rating="")]
    report_, findings = read(report(lines))
    assert (report_.rounds, len(report_.games)) == (999, 999)
    assert [f.key for f in findings] == ["trf.points_differ"]


def test_a_large_report_is_read_with_all_checks_well_within_50_ms() -> None:
    data = swiss(284, 9)
    read_report(data, "")
    best = min(_seconds(data) for _ in range(7))
    assert best < 0.05


def _seconds(data: bytes) -> float:
    start = time.process_time()
    read_report(data, "")
    return time.process_time() - start
