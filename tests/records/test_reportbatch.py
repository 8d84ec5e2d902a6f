"""Reports as columns: nothing is lost, wherever a batch is cut or joined."""

from __future__ import annotations

from dataclasses import fields
from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arrocco.findings import Finding, Severity
from arrocco.records.report import Report
from arrocco.records.reportbatch import (
    EntryColumns,
    GameColumns,
    ReportBatch,
    batch_of,
    empty_batch,
    joined,
    report_at,
    selected,
)
from tests.report_batches import many_reports


def all_reports(batch: ReportBatch) -> list[Report]:
    return [report_at(batch, index) for index in range(len(batch.tournaments))]


def assert_sound(batch: ReportBatch) -> None:
    """The columns fit together: same lengths, sorted by tournament, games inside one tournament."""
    for columns in (batch.entries, batch.games):
        for column in fields(columns):
            assert len(getattr(columns, column.name)) == len(columns)
    tournament = batch.entries.tournament
    assert (np.diff(tournament) >= 0).all()
    assert tournament.max(initial=-1) < len(batch.tournaments)
    assert (tournament[batch.games.white] == tournament[batch.games.black]).all()
    assert (np.diff(tournament[batch.games.white]) >= 0).all()


@settings(max_examples=40)
@given(many_reports())
def test_a_batch_gives_every_report_back(reports: list[Report]) -> None:
    batch = batch_of(reports)
    assert_sound(batch)
    assert all_reports(batch) == reports


@settings(max_examples=40)
@given(many_reports(), st.data())
def test_a_selection_has_just_the_reports_selected(
    reports: list[Report], data: st.DataObject
) -> None:
    keep = data.draw(st.lists(st.booleans(), min_size=len(reports), max_size=len(reports)))
    batch = selected(batch_of(reports), keep)
    assert_sound(batch)
    assert all_reports(batch) == [r for r, kept in zip(reports, keep, strict=True) if kept]


@settings(max_examples=40)
@given(st.lists(many_reports(most=3), max_size=4))
def test_joined_batches_have_all_reports_in_order(parts: list[list[Report]]) -> None:
    batch = joined([batch_of(part) for part in parts])
    assert_sound(batch)
    assert all_reports(batch) == [report for part in parts for report in part]


@settings(max_examples=40)
@given(st.lists(many_reports(most=2), min_size=1, max_size=3))
def test_joining_changes_none_of_the_parts(parts: list[list[Report]]) -> None:
    batches = [batch_of(part) for part in parts]
    joined(batches)
    selected(batches[0], [False] * len(parts[0]))
    assert [all_reports(batch) for batch in batches] == parts


@settings(max_examples=50)
@given(many_reports())
def test_joining_a_batch_cut_in_two_gives_the_batch(reports: list[Report]) -> None:
    whole = batch_of(reports)
    for cut in range(len(reports) + 1):
        first = [index < cut for index in range(len(reports))]
        again = joined([selected(whole, first), selected(whole, [not one for one in first])])
        assert all_reports(again) == reports
        for name in (column.name for column in fields(EntryColumns)):
            assert np.array_equal(getattr(again.entries, name), getattr(whole.entries, name))
        for name in (column.name for column in fields(GameColumns)):
            assert np.array_equal(getattr(again.games, name), getattr(whole.games, name))


def test_findings_and_refused_files_travel_along() -> None:
    findings = [Finding(Severity.NOTE, "trf.one"), Finding(Severity.NOTE, "trf.other")]
    one, other = batch_of([], [findings[0]]), batch_of([], [findings[1]])
    one.refused, other.refused = [("a.trf", "malformed")], [("b.trf", "errors")]
    both = joined([one, other])
    assert both.findings == findings
    assert both.refused == [("a.trf", "malformed"), ("b.trf", "errors")]
    assert selected(both, []).refused == both.refused


def test_nothing_joined_is_an_empty_batch() -> None:
    assert all_reports(joined([])) == all_reports(empty_batch()) == []
    assert_sound(joined([empty_batch(), empty_batch()]))


def test_a_report_without_an_end_ends_where_it_starts() -> None:
    batch = batch_of([Report(source="a", start=date(2024, 5, 3))])
    assert batch.tournaments[0].end == date(2024, 5, 3)


def test_a_report_without_a_start_has_no_place_in_a_batch() -> None:
    with pytest.raises(AssertionError, match="start"):
        batch_of([Report(source="a")])
