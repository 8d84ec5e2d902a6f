"""A history rated once more: the same law gives the same lists, another one its own."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

from arrocco.dates import Month
from arrocco.demo.generate import federation
from arrocco.demo.generate.folder import write_federation
from arrocco.errors import Inconsistent, NoLawInForce
from arrocco.formats.lists import read_list
from arrocco.formats.report_parquet import read_batches, write_batches
from arrocco.records.reportbatch import ReportBatch
from arrocco.runs.period import PeriodJob, rate_job
from arrocco.runs.replay import AS_WAS, REPLAYED, ReplayJob, Side, replay
from arrocco.runs.replay_record import record_of
from arrocco.store.list_folder import LIST, POOLS, STATE

MAY, JUNE = Month(2024, 5), Month(2024, 6)
FIDE = Side("fide")


@pytest.fixture(autouse=True, scope="module")
def _without_waiting_for_the_disk() -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lists of March to July 2024, the last two made here of the same games a month apart."""
    folder = tmp_path_factory.mktemp("office")
    write_federation(federation(500, 3, period=MAY), folder, 1500, forms="parquet")
    later = []
    for batch in read_batches(folder / "reports.parquet"):
        batch.tournaments = [
            replace(
                head,
                key=f"again {head.key}",
                start=head.start + timedelta(days=31),
                end=head.end + timedelta(days=31),
            )
            for head in batch.tournaments
        ]
        later.append(batch)
    write_batches(folder / "june.parquet", later)
    for month, reports in ((MAY, "reports.parquet"), (JUNE, "june.parquet")):
        lists = folder / "lists"
        rate_job(PeriodJob("fide", month, lists, (folder / reports,), lists, workers=1))
    return folder


def job(office: Path, out: Path, other: Side, one: Side = FIDE, lists: str = "lists") -> ReplayJob:
    reports = {MAY: [office / "reports.parquet"], JUNE: [office / "june.parquet"]}
    return ReplayJob(one, other, office / lists, reports, out, workers=1)


class TestTheSameLaw:
    def test_gives_the_lists_that_were_published_to_the_bit(
        self, office: Path, tmp_path: Path
    ) -> None:
        periods: list[PeriodJob] = []

        def opens(period: PeriodJob, opened: date, day: date) -> PeriodJob:
            periods.append(period)
            return period

        found = replay(replace(job(office, tmp_path / "out", FIDE), opens=opens))
        given = [each for period in periods for each in period.reports]
        assert len(given) >= 2
        assert all(isinstance(each, ReportBatch) for each in given), "no file between the two"
        assert found.is_published
        assert [one.on for one in found.comparisons] == [date(2024, 6, 1), date(2024, 7, 1)]
        assert all(comparison.different == 0 for comparison in found.comparisons)
        assert all(one.both == one.one.count == one.other.count for one in found.comparisons)
        for day in ("2024-06-01", "2024-07-01"):
            for name in (LIST, STATE, POOLS):
                again = found.folder / REPLAYED / day / name
                assert again.read_bytes() == (office / "lists" / day / name).read_bytes()

    def test_without_published_lists_both_sides_are_computed(
        self, office: Path, tmp_path: Path
    ) -> None:
        lists = tmp_path / "lists"
        lists.mkdir()
        for day in ("2024-03-01", "2024-04-01", "2024-05-01"):
            (lists / f"{day}.parquet").symlink_to(office / "lists" / f"{day}.parquet")
        wanted = replace(job(office, tmp_path / "out", FIDE), lists=lists)
        found = replay(wanted)
        assert not found.is_published
        assert found.reports[AS_WAS] == found.reports[REPLAYED] > 0
        assert all(one.different == 0 and one.both for one in found.comparisons)
        assert (found.folder / AS_WAS / "2024-07-01" / LIST).is_file()


class TestAnotherLaw:
    def test_must_be_named_where_it_is_not_in_force(self, office: Path, tmp_path: Path) -> None:
        with pytest.raises(NoLawInForce) as refused:
            replay(job(office, tmp_path / "out", Side("rio", kind="blitz")))
        assert "rio@2025-04-12" in refused.value.advice
        with pytest.raises(NoLawInForce):
            replay(job(office, tmp_path / "out", Side("fide", "1999-01-01")))
        assert list(tmp_path.iterdir()) == []

    def test_gives_its_own_k(self, office: Path, tmp_path: Path) -> None:
        found = replay(job(office, tmp_path / "out", Side("fide", "2012-07-01")))
        last = found.comparisons[-1]
        assert last.different > 100
        listed, _ = read_list(found.folder / REPLAYED / "2024-07-01" / LIST, "standard")
        assert set(listed.k[listed.rating > 0].tolist()) <= {10, 15, 30}
        most = last.most_affected[0]
        assert most.difference == most.other - most.one
        assert found.names[most.id]
        assert abs(most.difference or 0) == max(abs(p.difference or 0) for p in last.most_affected)

    def test_what_is_told_is_what_the_lists_say(self, office: Path, tmp_path: Path) -> None:
        found = replay(job(office, tmp_path / "out", Side("fide", "2012-07-01")))
        for comparison in found.comparisons:
            day = comparison.on.isoformat()
            was, _ = read_list(office / "lists" / day / LIST, "standard")
            now, _ = read_list(found.folder / REPLAYED / day / LIST, "standard")
            rows = was.rows(now.id)
            before = np.where(rows >= 0, was.rating[rows], 0)
            both = (before > 0) & (now.rating > 0)
            difference = (now.rating - before)[both]
            assert (comparison.both, comparison.total) == (int(both.sum()), int(difference.sum()))
            assert comparison.different == int((difference != 0).sum())

    def test_takes_reports_into_its_own_periods(self, office: Path, tmp_path: Path) -> None:
        """Lists every two months: what was counted in May and in June is one period."""
        two_monthly = Side("fide", "2011-07-01", {"monthly_lists": "never"})
        found = replay(job(office, tmp_path / "out", two_monthly))
        assert [comparison.on for comparison in found.comparisons] == [date(2024, 7, 1)]
        folders = sorted(p.name for p in (found.folder / REPLAYED).iterdir() if p.is_dir())
        assert folders == ["2024-05-01", "2024-07-01"]
        heads = [
            head
            for name in ("reports.parquet", "june.parquet")
            for batch in read_batches(office / name)
            for head in batch.tournaments
        ]
        closed = [head for head in heads if head.end <= date(2024, 6, 24)]  # 7.13: seven days
        assert found.reports[REPLAYED] == len(closed)
        assert {item.report for item in found.left_out[REPLAYED]} == {
            head.key for head in heads if head not in closed
        }
        assert {item.reason for item in found.left_out[REPLAYED]} == {"not_yet"}

    def test_what_ended_too_late_for_a_list_is_on_the_next(
        self, office: Path, tmp_path: Path
    ) -> None:
        """2010 closes seven days before a list, 2024 three: May's last days go on July's list."""
        found = replay(job(office, tmp_path / "out", Side("fide", "2012-07-01")))
        may = [h for b in read_batches(office / "reports.parquet") for h in b.tournaments]
        late = [head for head in may if date(2024, 5, 25) < head.end]
        assert late, "the case needs a tournament that ended in those days"
        assert not {head.key for head in late} & {i.report for i in found.left_out[REPLAYED]}

    def test_of_other_players_and_quarters(self, office: Path, tmp_path: Path) -> None:
        """UISP opens its quarters in April: the history of May does not begin there."""
        with pytest.raises(Inconsistent, match="no list on 2024-05-01"):
            replay(job(office, tmp_path / "out", Side("uisp")))

    def test_a_history_that_is_too_short(self, office: Path, tmp_path: Path) -> None:
        two_monthly = Side("fide", "2011-07-01", {"monthly_lists": "never"})
        wanted = job(office, tmp_path / "out", two_monthly)
        wanted.reports = {MAY: [office / "reports.parquet"]}
        with pytest.raises(Inconsistent, match="2024-07-01"):
            replay(wanted)
        wanted.reports = {}
        with pytest.raises(Inconsistent):
            replay(wanted)


def test_another_reading_changes_only_what_it_is_about(office: Path, tmp_path: Path) -> None:
    """2024, 8.3.4: half points upwards raise, by one point at most for each list."""
    up = Side("fide", readings={"half_point_rounding": "up"})
    found = replay(job(office, tmp_path / "out", up))
    first = found.comparisons[0]
    assert first.most_affected
    assert all(player.difference == 1 for player in first.most_affected)


def test_a_report_counted_twice_is_left_out_once(office: Path, tmp_path: Path) -> None:
    wanted = job(office, tmp_path / "out", FIDE)
    wanted.reports = {MAY: [office / "reports.parquet"], JUNE: [office / "reports.parquet"]}
    found = replay(wanted)
    reasons = [item.reason for item in found.left_out[REPLAYED]]
    assert set(reasons) == {"twice"}
    assert len(reasons) == found.reports[REPLAYED]


def test_as_plain_data(office: Path, tmp_path: Path) -> None:
    record = record_of(replay(job(office, tmp_path / "out", Side("fide", "2012-07-01"))))
    assert record["one_side"] == "published"
    first = record["lists"][0]
    assert first["list"] == "2024-06-01"
    assert sum(b["higher"] + b["lower"] for b in first["buckets"]) == first["both"]
    assert first["most_affected"][0]["name"]


def test_nothing_is_written_over(office: Path, tmp_path: Path) -> None:
    replay(job(office, tmp_path / "out", FIDE))
    with pytest.raises(Inconsistent):
        replay(job(office, tmp_path / "out", FIDE))


def test_the_one_side_may_be_named_too(office: Path, tmp_path: Path) -> None:
    """The lists of 2024 as if made under the text of 2010, against themselves."""
    named = Side("fide", "2012-07-01")
    wanted = job(office, tmp_path / "out", named, one=named)
    assert replay(wanted).is_published
    with pytest.raises(NoLawInForce) as refused:
        replay(job(office, tmp_path / "x", FIDE, one=Side("rio", kind="blitz")))
    assert "--as" not in refused.value.advice
