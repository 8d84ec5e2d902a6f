"""`rate_job`: the same list in whatever order and pieces; a bad report leaves with a reason."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from arrocco.dates import Month
from arrocco.demo.generate import federation
from arrocco.demo.generate.folder import write_federation
from arrocco.errors import Illegal, Inconsistent, Malformed, NoLawInForce, Refusal
from arrocco.formats.lists import read_list
from arrocco.formats.report_parquet import write_batches
from arrocco.records.report import Entry, Facts, Game, Report
from arrocco.records.reportbatch import ReportBatch, batch_of
from arrocco.records.timecontrol import parse_text
from arrocco.runs.period import PeriodJob, RatedPeriod, rate_job, report_files
from arrocco.store.calculations import PLAYERS, SUMMARY
from arrocco.store.explanation import explain_player
from arrocco.store.explanation_steps import closing_steps
from arrocco.store.list_folder import LIST, POOLS, STATE, TITLED, ListFolder
from arrocco.units import HalfPoints
from tests.cli.tournaments import HEADING, report, write_report

TO_THE_BIT = (LIST, STATE, POOLS, PLAYERS, SUMMARY)
MAY = Month(2024, 5)


@pytest.fixture(autouse=True)
def _without_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in TO_THE_BIT}


# --- the same list, to the bit --------------------------------------------------------------------


@pytest.fixture(scope="module", params=[MAY, Month(2012, 5)], ids=["2024", "2010 text"])
def month(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An invented month under the text of 2024 and under that of 2010, with entries without ids."""
    folder = tmp_path_factory.mktemp("month")
    write_federation(federation(600, 3, period=request.param), folder, 4000, forms="parquet")
    (folder / "period").write_text(str(request.param))
    return folder


def tournaments(month: Path) -> list[ReportBatch]:
    """Every tournament of the month as a batch of its own."""
    from arrocco.formats.report_parquet import read_batches

    return list(read_batches(month / "reports.parquet", rows=1))


def rated(month: Path, reports: Sequence[Path], out: Path, **more: Any) -> dict[str, bytes]:
    period = Month.parse((month / "period").read_text())
    job = PeriodJob("fide", period, month / "lists", tuple(reports), out, **more)
    found = rate_job(job)
    assert found.summary["entries_without_id"] > 0
    assert found.summary["new"] > 0
    return contents(found.folder)


@pytest.fixture(scope="module")
def expected(month: Path) -> dict[str, bytes]:
    return rated(month, [month / "reports.parquet"], month / "expected", workers=1)


@pytest.mark.parametrize("workers", [2, 3])
def test_the_number_of_workers_does_not_matter(
    month: Path, expected: dict[str, bytes], tmp_path: Path, workers: int
) -> None:
    assert rated(month, [month / "reports.parquet"], tmp_path, workers=workers) == expected


@pytest.mark.parametrize("memory", [1, 1 << 20])
def test_memory_does_not_matter(
    month: Path, expected: dict[str, bytes], tmp_path: Path, memory: int
) -> None:
    assert rated(month, [month / "reports.parquet"], tmp_path, memory=memory) == expected


@pytest.mark.parametrize("seed", range(3))
def test_neither_order_nor_files_matter(
    month: Path, expected: dict[str, bytes], tmp_path: Path, seed: int
) -> None:
    rng = Random(seed)
    batches = tournaments(month)
    rng.shuffle(batches)
    files = []
    for number in range(3):
        files.append(tmp_path / f"{rng.random()}.parquet")
        write_batches(files[-1], batches[number::3])
    rng.shuffle(files)
    assert rated(month, files, tmp_path / "out", games=bool(seed % 2)) == expected


def test_a_folder_is_its_files(month: Path, expected: dict[str, bytes], tmp_path: Path) -> None:
    (tmp_path / "reports" / "deeper").mkdir(parents=True)
    batches = tournaments(month)
    write_batches(tmp_path / "reports" / "a.parquet", batches[:7])
    write_batches(tmp_path / "reports" / "deeper" / "b.parquet", batches[7:])
    (tmp_path / "reports" / ".hidden.parquet").write_bytes(b"half a file")
    assert rated(month, [tmp_path / "reports"], tmp_path / "out") == expected


# --- small months by hand -------------------------------------------------------------------------


class Office:
    """A folder with a list of May 2024 and whatever reports a test writes."""

    def __init__(self, folder: Path, law: str = "fide", kind: str = "") -> None:
        self.folder, self.law, self.kind = folder, law, kind
        (folder / "lists").mkdir(parents=True)
        (folder / "reports").mkdir()
        self.write_list("2024-05-01.csv", {n: 1500 + 10 * n for n in range(1, 9)})

    def write_list(self, name: str, ratings: dict[int, int], lists: str = "lists") -> Path:
        path = self.folder / lists / name
        path.parent.mkdir(exist_ok=True)
        rows = (f'{n},"Finto, Numero {n}",ITA,M,1990,,{r or ""},,,\n' for n, r in ratings.items())
        path.write_text(HEADING + "".join(rows), "utf-8")
        return path

    def write(self, *reports: Report) -> None:
        write_batches(self.folder / "reports" / "reports.parquet", [batch_of(list(reports))])

    def job(self, **more: Any) -> PeriodJob:
        return PeriodJob(
            self.law,
            MAY,
            self.folder / "lists",
            (self.folder / "reports",),
            self.folder / "out",
            kind=self.kind,
            workers=1,
            **more,
        )

    def rate(self, **more: Any) -> RatedPeriod:
        return rate_job(self.job(**more))

    def out(self) -> list[str]:
        return sorted(path.name for path in (self.folder / "out").glob("*"))


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return Office(tmp_path)


def a_report(
    source: str = "t",
    start: date = date(2024, 5, 10),
    end: date | None = None,
    control: str | None = "90'+30\"",
    players: Sequence[int] = (1, 2),
    **facts: Any,
) -> Report:
    people = [Entry(n, f"Finto, Numero {n}", n) for n in players]
    white, black = players[:2]
    game = Game(1, white, black, HalfPoints(2), HalfPoints(0))
    return Report(
        source=source,
        name=source,
        start=start,
        end=end or start,
        rounds=1,
        entries=people,
        games=[game],
        time_control=parse_text(control) if control else None,
        facts=Facts(**facts),
    )


def ratings(found: RatedPeriod) -> dict[int, int]:
    return dict(zip(found.listed.id.tolist(), found.listed.rating.tolist(), strict=True))


def left_out(found: RatedPeriod) -> dict[str, str]:
    return {item.report: item.reason for item in found.left_out}


class TestWhatIsLeftOut:
    def test_the_good_are_rated_and_the_others_leave_with_a_reason(self, office: Office) -> None:
        office.write_list("2024-03-01.csv", {1: 1500})
        office.write(
            a_report("good"),
            a_report("later", date(2024, 5, 27), date(2024, 5, 31)),
            a_report("after", date(2024, 6, 2)),
            a_report("old", date(2024, 3, 1), date(2024, 2, 27)),
            a_report("ancient", date(1999, 5, 1), date(2024, 5, 2)),
            a_report("good"),
        )
        found = office.rate()
        assert left_out(found) == {
            "later": "not_yet",
            "after": "not_yet",
            "old": "too_late",
            "ancient": "no_law",
            "good": "twice",
        }
        assert found.summary["reports"] == 1
        assert found.summary["reports_left_out"] == {
            "no_law": 1,
            "not_yet": 2,
            "too_late": 1,
            "twice": 1,
        }
        assert ratings(found)[1] != 1510

    def test_reasons_name_reports_and_the_list_its_tournaments(self, office: Office) -> None:
        """Where the two are called otherwise, as parts of one tournament are in a replay."""
        office.write(a_report("first"), a_report("later", date(2024, 5, 31)))
        found = office.rate(keys={"first": "tournament:1", "later": "tournament:1"})
        assert left_out(found) == {"later": "not_yet"}
        assert [t.key for t in found.month.tournaments] == ["tournament:1"]

    def test_an_official_event_may_end_later(self, office: Office) -> None:
        last = date(2024, 5, 31)
        office.write(a_report("a", last), a_report("b", last, official=True, players=(3, 4)))
        assert left_out(office.rate()) == {"a": "not_yet"}

    def test_files_that_are_no_reports(self, office: Office) -> None:
        reports = office.folder / "reports"
        (reports / "readme.txt").write_text("these are the reports of May\n")
        (reports / "empty.trf").write_bytes(b"")
        made = report([1510, 1520], [(1, 1, 2, "1")], first=1)
        write_report(reports, made, "good.trf")
        write_report(reports, replace(made, start=None, end=None), "undated.trf")
        found = office.rate()
        assert found.summary["reports"] == 1
        told = {Path(item.report).name: item.words for item in found.left_out}
        assert set(told) == {"readme.txt", "empty.trf", "undated.trf"}
        assert "042" in told["undated.trf"]
        assert set(left_out(found).values()) == {"unreadable"}

    @pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
    def test_a_file_that_may_not_be_opened(self, office: Office) -> None:
        reports = office.folder / "reports"
        made = report([1510, 1520], [(1, 1, 2, "1")], first=1)
        write_report(reports, made, "a.trf")
        Path(write_report(reports, made, "b.trf")).chmod(0)
        (item,) = office.rate().left_out
        assert (Path(item.report).name, item.reason) == ("b.trf", "unreadable")
        assert item.words

    def test_uisp_has_no_k_for_every_control(self, tmp_path: Path) -> None:
        office = Office(tmp_path, "uisp")
        office.write_list("2024-04-01.csv", {1: 1500, 2: 1500})
        office.write(
            a_report("good", control="15'"),
            a_report("fast", control="2'", players=(3, 4)),
            a_report("untold", control=None),
        )
        found = office.rate()
        assert left_out(found) == {"fast": "no_coefficient", "untold": "no_time_control"}
        assert found.folder.name == "2024-07-01"

    def test_rio_leaves_the_other_kinds_out(self, tmp_path: Path) -> None:
        office = Office(tmp_path, "rio", "blitz")
        office.write_list("2025-05-01.csv", {1: 1500, 2: 1500})
        start = date(2025, 5, 10)
        office.write(
            a_report("blitz", start, control="3'+2\"", online=True),
            a_report("rapid", start, control="15'+5\"", online=True),
            a_report("long", start, control="90'", online=True),
            a_report("early", date(2025, 4, 1), control="3'+2\"", online=True),
        )
        found = rate_job(replace(office.job(), period=Month(2025, 5)))
        assert left_out(found) == {"rapid": "other_kind", "long": "other_kind", "early": "no_law"}


class TestLists:
    def test_a_list_goes_on_to_the_next(self, office: Office) -> None:
        office.write(a_report("may"))
        first = office.rate(formats=("csv", "fide_txt", "fide_xml"))
        assert {"list.csv", "list.txt", "list.xml"} <= {p.name for p in first.folder.iterdir()}
        for name in ("list.csv", "list.txt", "list.xml"):
            listed, _ = read_list(first.folder / name, "standard")
            assert listed.rating.tolist() == first.listed.rating.tolist()
        office.write(a_report("june", date(2024, 6, 10)), a_report("late", players=(3, 4)))
        shutil.copytree(first.folder, office.folder / "lists" / "2024-06-01")
        second = rate_job(replace(office.job(), period=Month(2024, 6)))
        assert second.folder.name == "2024-07-01"
        assert left_out(second) == {}
        after_may = ratings(first)
        assert ratings(second)[1] == after_may[1] + int(second.outcome.change[0]) != after_may[1]
        assert second.outcome.totals.games.tolist() == [1] * 4 + [0] * 4

    def test_a_late_report_needs_the_list_in_force_at_its_start(self, office: Office) -> None:
        late = a_report("late", date(2024, 4, 20), date(2024, 5, 2))
        office.write(late)
        with pytest.raises(Inconsistent, match="2024-04-01"):
            office.rate()
        assert office.out() == []
        office.write_list("2024-04-01.csv", {1: 2000, 2: 1400})
        found = office.rate()
        assert int(found.outcome.totals.expected[0]) == 92  # 2000 and 1400: 400 apart at most

    def test_the_opening_list_is_missing(self, office: Office) -> None:
        office.write(a_report())
        with pytest.raises(Inconsistent, match="2024-04-01") as refused:
            rate_job(replace(office.job(), period=Month(2024, 4)))
        assert "2024-05-01" in refused.value.advice

    def test_a_list_under_another_day(self, office: Office) -> None:
        office.write(a_report())
        folder = office.rate().folder
        shutil.copytree(folder, office.folder / "lists" / "2024-07-01")
        with pytest.raises(Inconsistent, match="2024-06-01"):
            rate_job(replace(office.job(), period=Month(2024, 7)))

    def test_an_impossible_rating(self, office: Office) -> None:
        office.write_list("2024-05-01.csv", {1: 4000, 2: 1500})
        office.write(a_report())
        with pytest.raises(Inconsistent, match="4000"):
            office.rate()
        assert office.out() == []

    def test_rows_of_the_list_that_were_left_out_are_told(self, office: Office) -> None:
        path = office.folder / "lists" / "2024-05-01.csv"
        path.write_text(path.read_text() + "x,Due,ITA,M,,,1500,,,\n")
        office.write(a_report())
        assert "lists.left_out" in [finding.key for finding in office.rate().findings]

    def test_k_printed_on_a_list_tells_of_the_past(self, office: Office) -> None:
        path = office.folder / "lists" / "2024-05-01.csv"
        path.write_text(
            HEADING
            + "1,Uno,ITA,M,1980,,2350,10,,\n"  # once 2400
            + "2,Due,ITA,M,1980,,1600,40,,\n"  # a new player
            + "3,Tre,ITA,M,2010,,2250,20,,\n"  # a junior who was once 2300
            + "4,Quattro,ITA,M,1980,,1700,33,,\n"  # no line of the law gives 33
            + "5,Cinque,ITA,M,1980,,1700,20,,\n"
        )
        office.write(a_report(players=(1, 2)), a_report("u", players=(3, 4)))
        first = office.rate()
        outcome = first.outcome
        assert outcome.k.tolist() == [10, 40, 20, 33, 20]
        reasons = [outcome.k_reasons[at] for at in outcome.k_reason.tolist()]
        assert reasons[0] == "top_reached"
        assert reasons[1] == "new_player"
        assert reasons[3] == "given"
        assert first.listed.k.tolist() == [10, 40, 20, 20, 20]
        stored = ListFolder(office.folder / "out", "standard").read(date(2024, 6, 1))
        assert stored.players.completed_games.tolist() == [31, 1, 31, 31, 30]
        assert stored.players.highest_published[[0, 2, 4]].tolist() == [2400, 2300, 1700]


class TestBorrowedRatings:
    def test_rapid_takes_the_standard_rating_held_at_the_start(self, tmp_path: Path) -> None:
        office = Office(tmp_path, "fide-rapid")
        office.write_list("2024-05-01.csv", {1: 1500, 2: 0})
        office.write_list("2024-04-01.csv", {1: 1500, 2: 0})
        office.write_list("2024-05-01.csv", {2: 1700}, "standard")
        office.write(
            a_report("late", date(2024, 4, 28), date(2024, 5, 2), control="15'+10\""),
            a_report("may", control="15'+10\"", players=(2, 1)),
        )
        standard = office.folder / "standard"
        with pytest.raises(Inconsistent, match="2024-04-01"):
            office.rate(standard_lists=standard)
        office.write_list("2024-04-01.csv", {2: 1600}, "standard")
        found = office.rate(standard_lists=standard)
        # 1500 against 1600, then 1500 against 1700; the base is the rating of the current list.
        assert int(found.outcome.totals.expected[0]) == 36 + 24
        assert found.outcome.players.rating.tolist() == [1500, 1700]
        assert found.summary["new"] == 1
        assert found.summary["rated_before"] == 1

    def test_entry_ratings_come_from_the_lists_in_the_order_of_the_article(
        self, tmp_path: Path
    ) -> None:
        office = Office(tmp_path, "uisp")
        office.write_list("2024-04-01.csv", {1: 1500})
        fide = office.write_list("fide.csv", {2: 1800}, "other")
        fsi = office.write_list("fsi.csv", {2: 1700, 3: 1650}, "other")
        office.write(
            a_report("a", control="15'", players=(1, 2)),
            a_report("b", control="15'", players=(3, 4)),
        )
        found = office.rate(entry_lists={"fsi": fsi, "fide": fide})
        assert found.outcome.players.rating.tolist() == [1500, 1800, 1650, 1440]
        assert found.summary["new"] == 3

    def test_an_unknown_entry_list(self, tmp_path: Path) -> None:
        office = Office(tmp_path, "uisp")
        office.write_list("2024-04-01.csv", {1: 1500})
        with pytest.raises(Inconsistent, match="fida"):
            office.rate(entry_lists={"fida": tmp_path})


class TestRefusals:
    def test_a_list_is_never_written_over(self, office: Office) -> None:
        office.write(a_report())
        before = contents(office.rate().folder)
        office.write(a_report("another", players=(3, 4)))
        with pytest.raises(Inconsistent, match="2024-06-01"):
            office.rate()
        assert contents(office.folder / "out" / "2024-06-01") == before
        assert office.out() == ["2024-06-01"]

    def test_no_reports(self, office: Office) -> None:
        with pytest.raises(Inconsistent):
            office.rate()
        with pytest.raises(Inconsistent):
            rate_job(replace(office.job(), reports=(office.folder / "nowhere",)))
        with pytest.raises(Inconsistent):
            rate_job(replace(office.job(), reports=(office.folder / "*.trf",)))
        assert office.out() == []

    def test_a_parquet_file_that_is_none(self, office: Office) -> None:
        (office.folder / "reports" / "r.parquet").write_bytes(b"PAR1")
        with pytest.raises(Malformed):
            office.rate()
        assert office.out() == []

    @pytest.mark.parametrize(
        ("change", "kind"),
        [
            ({"law": "fida"}, Illegal),
            ({"period": Month(1999, 5)}, NoLawInForce),
            ({"readings": {"half_point_rounding": "sideways"}}, Illegal),
            ({"readings": {"moon": "full"}}, Illegal),
            ({"kind": "blitz"}, Inconsistent),
            ({"law": "rio", "period": Month(2025, 5)}, Inconsistent),
            ({"law": "rio", "period": Month(2025, 5), "kind": "standard"}, Inconsistent),
            ({"law": "rio", "period": Month(2025, 5), "kind": "moon"}, Inconsistent),
        ],
        ids=str,
    )
    def test_what_cannot_be_rated(
        self, office: Office, change: dict[str, Any], kind: type[Refusal]
    ) -> None:
        office.write(a_report())
        with pytest.raises(kind):
            rate_job(replace(office.job(), **change))
        assert office.out() == []


class TestReportFiles:
    def test_a_file_named_like_a_pattern(self, tmp_path: Path) -> None:
        path = tmp_path / "open [1].trf"
        path.touch()
        assert report_files([path]) == [path]

    def test_a_pattern(self, tmp_path: Path) -> None:
        for name in ("a1.trf", "a2.trf", "b.trf"):
            (tmp_path / name).touch()
        (tmp_path / "a3.trf").mkdir()
        assert [p.name for p in report_files([tmp_path / "a*.trf"])] == ["a1.trf", "a2.trf"]

    def test_a_file_named_twice_is_there_once(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "a.trf").touch()
        monkeypatch.chdir(tmp_path)
        assert len(report_files([Path("a.trf"), tmp_path / "a.trf", tmp_path])) == 1


class TestSummary:
    @pytest.mark.parametrize("law", ["fide", "uisp"])
    def test_points_lead_from_one_list_to_the_next(self, tmp_path: Path, law: str) -> None:
        office = Office(tmp_path, law)
        listed = {1: 1401, 2: 1500, 3: 1800, 4: 1700, 5: 1600, 6: 1450}
        office.write_list("2024-05-01.csv", listed)
        office.write_list("2024-04-01.csv", listed)
        people = [*listed, 7, 8]
        games = [
            Game(n, people[n], people[m], HalfPoints(2), HalfPoints(0))
            for n in range(1, 8)
            for m in range(n)
        ]
        made = a_report(players=people)
        office.write(replace(made, games=games, system=made.system))
        found = office.rate()
        summary = found.summary
        points = [summary[f"points_{name}"] for name in ("gained", "lost", "entering", "leaving")]
        gained, lost, entering, leaving = points
        assert sum(listed.values()) + gained + lost + entering - leaving == int(
            found.listed.rating.sum()
        )
        assert summary["new"] == 2
        assert summary["rated"] == int((found.listed.rating > 0).sum())
        assert msgspec.json.decode((found.folder / SUMMARY).read_bytes()) == summary

    def test_nothing_is_left_behind(self, office: Office) -> None:
        office.write(a_report())
        office.rate()
        assert office.out() == ["2024-06-01"]
        assert not list((office.folder / "out").glob(".*"))


def test_progress_is_told(office: Office) -> None:
    office.write(a_report("a"), a_report("b", players=(3, 4)))
    told: list[tuple[str, int, int]] = []
    rate_job(office.job(), lambda *step: told.append(step))
    assert [stage for stage, done, total in told if done == total == 1] == ["lists", "writing"]
    assert ("reports", 2, 0) in told


def test_a_period_of_a_quarter_is_named_by_any_of_its_months(tmp_path: Path) -> None:
    found = []
    for month in (4, 5, 6):
        office = Office(tmp_path / str(month), "uisp")
        office.write_list("2024-04-01.csv", {1: 1500, 2: 1500})
        office.write(a_report(control="15'", start=date(2024, 4, 3) + timedelta(days=month)))
        found.append(rate_job(replace(office.job(), period=Month(2024, month))))
    assert {period.folder.name for period in found} == {"2024-07-01"}
    assert all(np.array_equal(p.listed.rating, found[0].listed.rating) for p in found)


def test_7_2_the_printed_list_of_2010_leaves_out_whom_the_text_names(tmp_path: Path) -> None:
    """7.22 and 7.23b: a list of the titled beside it; who is off the list is still rated with."""
    lists = tmp_path / "lists"
    lists.mkdir()
    rows = [
        '1,"Attivo, Uno",ITA,M,1970,,1900,15,0,',
        '2,"Titolata, Ada",ITA,F,1970,WIM,,,0,w',
        '3,"Senza, Rating",ITA,M,1970,,,,0,',
        '4,"Fermo, Ivo",ITA,M,1970,,2000,15,0,',
    ]
    path = lists / "2012-03-01.csv"
    path.write_text(HEADING + "\n".join(rows) + "\n", "utf-8")
    reports = tmp_path / "none.parquet"
    write_batches(reports, [batch_of([])])

    def last_played(stored: Any) -> None:
        stored.players.last_rated[3] -= 40

    job = PeriodJob(
        "fide",
        Month(2012, 3),
        lists,
        (reports,),
        tmp_path / "out",
        formats=("csv",),
        adjust=last_played,
    )
    found = rate_job(job)
    printed, _ = read_list(found.folder / "list.csv")
    assert printed.id.tolist() == [1]
    titled, _ = read_list(found.folder / TITLED)
    assert titled.id.tolist() == [2]
    kept = ListFolder(tmp_path / "out", "standard").read(date(2012, 5, 1))
    assert kept.listed.id.tolist() == [1, 2, 3, 4]
    assert kept.listed.flag.tolist() == ["", "w", "", "ix"]
    assert kept.columns.rating.tolist()[3] == 2000
    assert found.summary["off_list"] == 1
    (explained,) = closing_steps(explain_player(found.folder, 4))[1:]
    assert (explained.key, explained.article) == ("player.off_list", "7.23b")
