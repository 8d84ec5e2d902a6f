"""Hostile reports cost in proportion to their size, and what is kept of them is small."""

from __future__ import annotations

import contextlib
import tracemalloc

import pytest

from arrocco.engine.checks import check_report
from arrocco.errors import Malformed
from arrocco.findings import MAX_OF_A_KIND, Finding, Severity, count_of
from arrocco.formats.trf import read_report
from arrocco.formats.trf.cells import Cell
from arrocco.formats.trf.games import Row
from arrocco.formats.trf_columnar import read_batch
from arrocco.laws.registry import LAWS, editions
from tests.formats.trf import samples
from tests.formats.trf.hostile import PAYLOADS, RECORDS, report
from tests.work import growth

LINEAR = 1.25
"""Of what twice the input costs, so much more than twice may come from what is done once."""


def read(data: bytes) -> None:
    """Reads a report; a refusal is an answer too."""
    with contextlib.suppress(Malformed):
        read_report(data, "a")


def read_and_check(data: bytes) -> None:
    """Reads a report and lets the newest edition of every regulation judge it."""
    try:
        found, _ = read_report(data, "a")
    except Malformed:
        return
    for law in LAWS:
        check_report(found, editions(law)[-1]())


@pytest.mark.parametrize("tag", RECORDS)
def test_reading_is_linear_for_every_record(tag: str) -> None:
    for payload in PAYLOADS:
        grown = growth(read, report(tag, payload, 40), report(tag, payload, 80))
        assert grown < LINEAR, f"{tag} {payload}"


@pytest.mark.soak
@pytest.mark.parametrize("tag", RECORDS)
def test_reading_and_checking_is_linear_for_every_record(tag: str) -> None:
    for payload in PAYLOADS:
        grown = growth(read_and_check, report(tag, payload, 400), report(tag, payload, 800))
        assert grown < LINEAR, f"{tag} {payload}"


def test_checking_is_linear_in_the_players() -> None:
    small, large = (samples.swiss(players=size, rounds=5, seed=1) for size in (60, 120))
    assert growth(read_and_check, small, large) < LINEAR


def test_the_federations_of_one_player_are_read_in_linear_time() -> None:
    def with_federations(count: int) -> bytes:
        made = [PAYLOADS["plausible"]("ITA", index) for index in range(count)]
        return samples.swiss(players=4, rounds=1) + "\r\n".join(made).encode()

    assert growth(read, with_federations(500), with_federations(1000)) < LINEAR


def by_kind(findings: list[Finding]) -> dict[tuple[Severity, str], list[Finding]]:
    kinds: dict[tuple[Severity, str], list[Finding]] = {}
    for finding in findings:
        kinds.setdefault((finding.severity, finding.key), []).append(finding)
    return kinds


def test_findings_are_capped_by_kind_and_counted_exactly() -> None:
    """Each of 300 lines has 30 places of five columns that hold no number."""
    wrong = [f"240 F   1 {'  x  ' * 30}".rstrip() for _ in range(300)]
    _, findings = read_report(
        samples.swiss(players=10, rounds=3) + "\r\n".join(wrong).encode(), "a"
    )
    for kind, same in by_kind(findings).items():
        assert len(same) <= MAX_OF_A_KIND, kind
    (numbers,) = [same for (_, key), same in by_kind(findings).items() if "not_a_number" in key]
    assert len(numbers) == MAX_OF_A_KIND
    assert count_of(numbers) == 300 * 30


def test_a_capped_kind_of_errors_still_refuses() -> None:
    """Everybody names an opponent who is not there."""
    players = [samples.player(n, [samples.cell(9000, "w", "1")]) for n in range(1, 400)]
    data = "\r\n".join([*(f"{k} {v}" for k, v in samples.HEADER.items()), *players, ""]).encode()
    _, findings = read_report(data, "a")
    (errors,) = [same for (_, key), same in by_kind(findings).items() if "unknown_opponent" in key]
    assert errors[0].severity is Severity.ERROR
    assert len(errors) == MAX_OF_A_KIND
    assert count_of(errors) == 399
    batch = read_batch([("a", data)])
    assert len(batch.refused) == 1


def test_what_is_kept_of_a_hostile_file_is_bounded() -> None:
    line = f"240 F   1 {'  x  ' * 190}".rstrip()
    data = samples.swiss(players=10, rounds=3) + "\r\n".join([line] * 300).encode()
    read(data)
    tracemalloc.start()
    try:
        _, findings = read_report(data, "a")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count_of(findings) >= 300 * 190
    assert peak < 12 * len(data)


def test_one_long_line_does_not_make_all_others_as_long() -> None:
    """9,000 short lines and one of 900 rounds are 100 KB, and were 8 million byes."""
    lines = [f"001 {number:>4}" for number in range(1, 9000)]
    lines.append("001 9000".ljust(91) + "   1 w 1  " * 900)
    data = "\r\n".join(lines).encode()
    assert len(data) < 120_000
    with pytest.raises(Malformed) as refused:
        read_report(data, "a")
    assert refused.value.key == "trf.too_many_results"
    assert len(read_batch([("a", data)]).refused) == 1


def test_a_finding_repeats_no_endless_text() -> None:
    data = samples.swiss(players=4, rounds=1) + f"042 {'x' * 90_000}\r\nXXS {'y' * 90_000}".encode()
    _, findings = read_report(data, "a")
    texts = [str(value) for finding in findings for value in finding.details.values()]
    assert max(map(len, texts)) <= 100


def test_a_row_is_copied_once_however_many_byes_it_gets() -> None:
    cells = (Cell(),) * 5
    row = Row(1, 1, cells)
    row.set_cell(0, Cell(0, "-", "F"))
    copied = row.cells
    row.set_cell(1, Cell(0, "-", "H"))
    assert row.cells is copied
    assert cells == (Cell(),) * 5
    assert [cell.result for cell in row.cells] == ["F", "H", " ", " ", " "]
