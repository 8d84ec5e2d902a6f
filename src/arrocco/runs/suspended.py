"""Suspended federations among the reports of a period (10.1): whose reports touch their days."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from arrocco.engine.batch import PeriodContext
from arrocco.findings import Finding, Place
from arrocco.office.suspensions import Suspension, suspended_findings
from arrocco.records.reportbatch import ReportBatch, report_at


def suspended_in(
    batch: ReportBatch, context: PeriodContext, suspensions: Sequence[Suspension]
) -> Iterator[Finding]:
    """What there is to say of suspended federations in a batch; few reports are looked into."""
    codes = {suspension.federation for suspension in suspensions}
    marked = np.isin(
        np.char.upper(np.char.strip(batch.entries.federation)), [code.encode() for code in codes]
    )
    with_players = set(batch.entries.tournament[marked].tolist())
    for index, head in enumerate(batch.tournaments):
        if index not in with_players and head.federation.strip().upper() not in codes:
            continue
        law, report = context.law_at(head.law_day), report_at(batch, index)
        # Columns know no lines: what is said of a line is said of the report.
        for finding in suspended_findings(report, head.federation, law, suspensions):
            yield replace(finding, place=Place(head.key))
