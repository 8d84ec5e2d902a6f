"""RIO tournament by tournament and UISP's late tournaments: by hand and against the judge."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from arrocco.dates import Month
from arrocco.engine.rate_reports import rate_reports
from arrocco.errors import Illegal
from arrocco.formats.report_parquet import write_batches
from arrocco.records.report import Report
from arrocco.records.reportbatch import batch_of
from arrocco.runs.period import PeriodJob, RatedPeriod, rate_job
from arrocco.store.explanation import explain_player
from tests.cli.tournaments import player_id, report, write_list
from tests.judge.random_periods import SLOTS, JHistory, random_history
from tests.runs import test_against_judge
from tests.runs.test_against_judge import Run

RIO_SLOTS = [i for i, slot in enumerate(SLOTS) if slot[0].startswith("rio")]
UISP_SLOTS = [i for i, slot in enumerate(SLOTS) if slot[0] == "uisp"]


@pytest.fixture(autouse=True)
def _without_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)


# --- by hand --------------------------------------------------------------------------------------


def blitz(name: str, result: str, end: date, start: date | None = None) -> Report:
    """Two games of the same two players, 1 against 2, one with each colour."""
    made = report(
        [None, None],
        [(1, 1, 2, result), (2, 1, 2, result)],
        name=name,
        control="3'+2\"",
        start=start or end,
    )
    made.end, made.source, made.facts.online = end, name, True
    return made


def rio(folder: Path, reports: list[Report], cycle: str, listed: bool = True) -> RatedPeriod:
    lists = folder / "lists"
    lists.mkdir()
    rows = [(player_id(1), 1500), (player_id(2), 1500)] if listed else [(player_id(9), 1500)]
    write_list(lists, rows, "2025-06-01.csv")
    write_batches(folder / "r.parquet", [batch_of(reports)])
    return rate_job(
        PeriodJob(
            "rio",
            Month(2025, 6),
            lists,
            (folder / "r.parquet",),
            folder / "out",
            kind="blitz",
            readings={"update_cycle": cycle},
            games=True,
            workers=1,
        )
    )


def ratings(rated: RatedPeriod) -> list[int | None]:
    return [rated.listed.at(row).rating for row in range(len(rated.listed))]


SECOND = blitz("a", "1", date(2025, 6, 20))
FIRST = blitz("b", "1", date(2025, 6, 10))


def test_each_tournament_starts_from_what_the_one_before_left(tmp_path: Path) -> None:
    """1500 beats 1500 twice: +20 and -20. Then 1520 meets 1480.

    D 40 expects .56 a game, 1.12 of two, PA 1.1: .9 times 20 is +18 for the one. For the other
    .44, .88, PA .9: -18. Had ratings stayed fixed it were twice 20.
    """
    assert ratings(rio(tmp_path, [SECOND, FIRST], "tournament")) == [1538, 1462]


def test_fixed_ratings_add_up(tmp_path: Path) -> None:
    assert ratings(rio(tmp_path, [SECOND, FIRST], "publication")) == [1540, 1460]


def test_who_enters_moves_on_too(tmp_path: Path) -> None:
    """Both enter with 999 (14.2), and their second tournament starts from 1019 and 979."""
    found = rio(tmp_path, [SECOND, FIRST], "tournament", listed=False)
    assert ratings(found)[:2] == [1037, 961]


def test_a_late_tournament_starts_from_the_running_rating(tmp_path: Path) -> None:
    """It began in May, before the list, and ended last: no list of May is asked for."""
    late = blitz("a", "1", date(2025, 6, 20), start=date(2025, 5, 30))
    assert ratings(rio(tmp_path, [late, FIRST], "tournament")) == [1538, 1462]


def test_the_explanation_shows_the_running_rating(tmp_path: Path) -> None:
    rated = rio(tmp_path, [SECOND, FIRST], "tournament")
    found = explain_player(rated.folder, player_id(1))
    own = [(event.tournament.key, event.own_rating) for event in found.rows.events]
    assert own == [("b", 1500), ("a", 1520)]
    assert found.rows.variation == 3800


def test_some_reports_alone_are_not_a_period() -> None:
    with pytest.raises(Illegal, match="cannot be rated together"):
        rate_reports("rio", [FIRST, SECOND], None, readings={"update_cycle": "tournament"})
    rate_reports("rio", [FIRST], None, readings={"update_cycle": "tournament"})


@pytest.mark.parametrize(("reading", "new"), [("at_start", 1508), ("of_period", 1523)])
def test_uisp_late_tournaments(tmp_path: Path, reading: str, new: int) -> None:
    """1 beats 2 twice at K 15 (standard, online) in a tournament of March counted from April on.

    At its start they had 1700 and 1500: D 200 expects .76, 1.52, PA 1.5: .5 times 15 is 7.5. On
    the list of April they have 1500 and 1700: .24, .48, PA .5: 1.5 times 15 is 22.5.
    """
    lists = tmp_path / "lists"
    lists.mkdir()
    one, two = player_id(1), player_id(2)
    write_list(lists, [(one, 1700), (two, 1500)], "2024-01-01.csv")
    write_list(lists, [(one, 1500), (two, 1700)], "2024-04-01.csv")
    late = blitz("late", "1", date(2024, 3, 28))
    late.time_control = report([1, 1], [(1, 1, 2, "1")]).time_control
    write_batches(tmp_path / "r.parquet", [batch_of([late])])
    rated = rate_job(
        PeriodJob(
            "uisp",
            Month(2024, 4),
            lists,
            (tmp_path / "r.parquet",),
            tmp_path / "out",
            readings={"late_tournaments": reading},
            workers=1,
        )
    )
    assert ratings(rated)[0] == new


# --- against the judge ----------------------------------------------------------------------------


def disagreements(
    folder: Path, monkeypatch: pytest.MonkeyPatch, slots: list[int], name: str, choice: str
) -> tuple[list[str], int, int]:
    """What differs under a reading, how many reports were rated, and how many histories moved."""

    def read_so(seed: int) -> JHistory:
        history = random_history(seed)
        return replace(history, readings={**history.readings, name: choice})

    found: list[str] = []
    rated = moved = 0
    for seed in [
        5_000_012 // len(SLOTS) * len(SLOTS) + s + r * len(SLOTS) for s in slots for r in range(2)
    ]:
        monkeypatch.setattr(test_against_judge, "random_history", read_so)
        run = Run(folder / str(seed), seed)
        differences, reports, _ = run.disagreements()
        found += [f"seed {seed}: {difference}" for difference in differences]
        rated += reports
        usual = random_history(seed).results[-1].players
        moved += any(usual[id_].new_rating != p.rating for id_, p in run.players.items())
    return found, rated, moved


def test_rio_in_sequence_agrees_with_the_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, rated, moved = disagreements(
        tmp_path, monkeypatch, RIO_SLOTS, "rio_update_cycle", "tournament"
    )
    assert found == []
    assert rated > 30
    assert moved > 1


def test_uisp_of_period_agrees_with_the_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, rated, moved = disagreements(
        tmp_path, monkeypatch, UISP_SLOTS, "uisp_late_tournaments", "of_period"
    )
    assert found == []
    assert rated > 30
    assert moved > 1
