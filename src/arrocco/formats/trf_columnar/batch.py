"""Reads many files into one batch; nothing tells how each was read."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from arrocco.errors import Malformed
from arrocco.findings import Finding, has_errors
from arrocco.formats.trf.reader import read_report
from arrocco.formats.trf_columnar.block import Block
from arrocco.formats.trf_columnar.cut import Cut, cut
from arrocco.formats.trf_columnar.heads import UsualHead, usual_head
from arrocco.formats.trf_columnar.order import reordered
from arrocco.records.report import Report
from arrocco.records.reportbatch import ReportBatch, batch_of, joined
from arrocco.words import finding_text

BLOCK_BYTES: Final = 4 << 20
"""What is read together: enough files for long columns, few enough to stay in the cache."""

Files = Sequence[tuple[str, bytes]]


def read_batch(files: Files) -> ReportBatch:
    """Reads files, each given by its name and bytes, into one batch in their order.

    The result is that of `read_report` for each file: its columns, and its findings. A file that is
    malformed, whose report has errors, or which tells no start day is refused with the reason.
    """
    return joined([read_block(block) for block in blocks(files)])


def blocks(files: Files) -> Iterator[Files]:
    """The files in stretches to be read together."""
    first, size = 0, 0
    for index, (_, data) in enumerate(files):
        size += len(data)
        if size >= BLOCK_BYTES:
            yield files[first : index + 1]
            first, size = index + 1, 0
    if first < len(files):
        yield files[first:]


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Keeps the garbage collector from looking through records none of which is garbage yet."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def read_block(files: Iterable[tuple[str, bytes]]) -> ReportBatch:
    """Reads some files together."""
    kept: list[tuple[str, bytes]] = []
    places, batch, findings = _read_by_columns(files, kept)
    if len(places) < len(kept):
        batch = _with_careful(kept, places, batch, findings)
    batch.findings = [finding for place in sorted(findings) for finding in findings[place]]
    return batch


@_nothing_collected()
def _read_by_columns(
    files: Iterable[tuple[str, bytes]], kept: list[tuple[str, bytes]]
) -> tuple[list[int], ReportBatch, dict[int, list[Finding]]]:
    """What can be read by columns: the places of those files, their batch, findings by place."""
    cuts: list[Cut] = []
    heads: dict[int, UsualHead | None] = {}
    for place, file in enumerate(files):
        kept.append(file)
        columns = cut(place, *file)
        if columns is not None:
            # the head now, while the processor has the file at hand
            heads[place] = usual_head(columns)
            cuts.append(columns)
    return Block(cuts, heads).read()


def _with_careful(
    files: Files, places: list[int], batch: ReportBatch, findings: dict[int, list[Finding]]
) -> ReportBatch:
    """The batch with all other files, which the careful reader reads one by one."""
    reports: dict[int, Report] = {}
    refused: list[tuple[str, str]] = []
    read = set(places)
    for place, (source, data) in enumerate(files):
        if place in read:
            continue
        report, remarks, reason = _read_with_care(source, data)
        findings[place] = remarks
        if report is None:
            refused.append((source, reason))
        else:
            reports[place] = report
    if reports:
        batch = joined([batch, batch_of(list(reports.values()))])
        here = [*places, *reports]
        batch = reordered(batch, sorted(range(len(here)), key=here.__getitem__))
    batch.refused = refused
    return batch


def _read_with_care(source: str, data: bytes) -> tuple[Report | None, list[Finding], str]:
    """A report with its findings, or the reason why it is refused."""
    try:
        report, findings = read_report(data, source)
    except Malformed as refusal:
        return None, list(refusal.findings), refusal.message
    if has_errors(findings):
        error = next(finding for finding in findings if finding.is_error)
        return None, findings, finding_text("en", error)
    if report.start is None:
        about = [finding for finding in findings if finding.details.get("record") == "042"]
        return None, findings, finding_text("en", about[0])
    return report, findings, ""
