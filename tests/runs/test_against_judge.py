"""The whole job against the second implementation: editions in force, closing days, list folders.

What the job leaves out, the judge is not shown; the ratings at the start of each tournament then
come from the lists that the judge itself has made of the rest.
"""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import date
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from arrocco.dates import Month
from arrocco.formats.lists import write_list
from arrocco.formats.report_parquet import write_batches
from arrocco.laws.registry import edition_in_force
from arrocco.records.reportbatch import batch_of
from arrocco.runs.period import PeriodJob, RatedPeriod, rate_job
from tests.engine.judged import READING_NAMES, Answer, differences
from tests.engine.streamed import ENTRY, Office, cut, list_of
from tests.judge.judge import judge_period
from tests.judge.random_periods import SLOTS, JPeriod, random_history
from tests.judge.records import JResult, JTournament

PARTS, EACH = 4, 10


@pytest.fixture(autouse=True)
def _without_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)


class Run:
    """One history, period by period, by the job and by the judge."""

    def __init__(self, root: Path, seed: int) -> None:
        self.history, self.rng = random_history(seed), Random(seed)
        self.office = Office(root, self.history, Random(seed))
        self.root = root
        self.players = dict(self.history.players)
        self.opening = self.history.periods[0].previous_list
        self.ratings = {self.opening: {id_: p.rating for id_, p in self.players.items()}}
        self.entry_lists: dict[str, Path] = {}
        if not self.office.laws.of_period.HAS_UNRATED:
            given = dict(zip(*(c.tolist() for c in vars(self.office.entry).values()), strict=True))
            people = [self.players[id_] for id_ in sorted(given)]
            path = root / "entry.csv"
            write_list(list_of(people, given, "standard"), path, "csv")
            self.entry_lists = {ENTRY: path}

    def job(self, period: JPeriod) -> PeriodJob:
        laws, start = self.office.laws, period.previous_list
        known = {reading.name for reading in edition_in_force(laws.name, start).READINGS}
        readings = {READING_NAMES.get(n, n): value for n, value in laws.readings.items()}
        reports = [self.office.report(source) for source in period.tournaments]
        self.rng.shuffle(reports)
        path = self.root / f"{period.list_date}.parquet"
        write_batches(path, map(batch_of, cut(reports, self.rng)))
        if laws.of_period.STANDARD_STANDS_IN and start not in self.office.standard.days():
            self.office._write_standard(start)
        return PeriodJob(
            laws.name,
            Month.of(start),
            self.office.lists.root,
            (path,),
            self.office.lists.root,
            kind=laws.kind if laws.name == "rio" else "",
            readings={name: value for name, value in readings.items() if name in known},
            entry_lists=self.entry_lists,
            standard_lists=self.office.standard.root if laws.of_period.STANDARD_STANDS_IN else None,
            workers=1,
            memory=self.rng.choice([1, 1 << 30]),
            is_decided=lambda _: True,  # the gate has tests of its own
        )

    def at_start(self, tournament: JTournament) -> JTournament:
        """The tournament with the ratings of the list in force, as the judge has come to it."""
        if tournament.start < self.opening:
            return tournament
        in_force = self.ratings[max(day for day in self.ratings if day <= tournament.start)]
        ratings = {id_: in_force[id_] for id_ in tournament.ratings}
        if not self.office.laws.of_period.HAS_UNRATED:
            default = self.office.laws.of_period.entry_rating_without_lists()[0]
            entry = dict(zip(*(c.tolist() for c in vars(self.office.entry).values()), strict=True))
            ratings = {id_: r or entry.get(id_, default) for id_, r in ratings.items()}
        return replace(tournament, ratings=ratings)

    def judge(self, period: JPeriod, rated: RatedPeriod) -> JResult:
        left_out = {item.report for item in rated.left_out}
        kept = [self.at_start(t) for t in period.tournaments if t.id not in left_out]
        history = self.history
        judged = judge_period(
            history.law, history.edition, history.readings, period.list_date, self.players, kept
        )
        self.players = {id_: result.after for id_, result in judged.players.items()}
        self.ratings[period.list_date] = {id_: p.rating for id_, p in self.players.items()}
        return judged

    def disagreements(self) -> tuple[list[str], int, int]:
        """What differs, how many reports were rated and how many left out."""
        found: list[str] = []
        reports = without = 0
        for index, period in enumerate(map(with_clocks, self.history.periods)):
            if not self.is_of_one_text(period.previous_list):
                break
            rated = rate_job(self.job(period))
            assert rated.folder.name == str(period.list_date)
            judged = self.judge(period, rated)
            outcome: Any = SimpleNamespace(
                outcome=rated.outcome, players=rated.outcome.players, law=rated.outcome.law
            )
            answer = Answer(outcome, {}, judged, self.office.laws)
            found += [f"period {index}: {difference}" for difference in differences(answer)]
            reports += rated.summary["reports"]
            without += len(rated.left_out)
        return found, reports, without

    def is_of_one_text(self, day: date) -> bool:
        """The judge reads an edition on after its end; the job does not."""
        laws = self.office.laws
        return isinstance(laws.of_period, edition_in_force(laws.name, day))


def with_clocks(period: JPeriod) -> JPeriod:
    """The period without tournaments at no time at all, which no file can tell."""
    timed = (t for t in period.tournaments if t.base_minutes or t.increment)
    return replace(period, tournaments=tuple(timed))


@pytest.mark.parametrize("part", range(PARTS))
def test_the_job_and_the_judge_agree(part: int, tmp_path: Path) -> None:
    check(tmp_path, range(3_000_000 + part, 3_000_000 + PARTS * EACH, PARTS))


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
def test_the_job_and_the_judge_agree_on_a_long_run(part: int, tmp_path: Path) -> None:
    check(tmp_path, range(4_000_000 + part, 4_001_000, 10))


def check(tmp_path: Path, seeds: range) -> None:
    rated = left_out = 0
    for seed in seeds:
        run = Run(tmp_path / str(seed), seed)
        found, reports, without = run.disagreements()
        assert found == [], f"seed {seed} {SLOTS[seed % len(SLOTS)]}"
        rated, left_out = rated + reports, left_out + without
    assert rated > 100
    assert left_out > 5
