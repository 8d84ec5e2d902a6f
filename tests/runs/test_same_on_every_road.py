"""One report, one answer: `report rate` and `period rate` side by side, by article."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest

from arrocco.dates import Month
from arrocco.records.report import Report
from arrocco.runs.period import PeriodJob, RatedPeriod, rate_job
from arrocco.store.list_folder import ListFolder
from tests.cli.tournaments import player_id, report, run_json, write_list, write_report


@pytest.fixture(autouse=True)
def _without_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)


def both_roads(
    folder: Path,
    law: str,
    made: Report,
    opened: date,
    rows: list[tuple[int, int]],
    fsi: list[tuple[int, int]],
    **readings: str,
) -> list[dict[int, int | None]]:
    """The rating of each player after `report rate` and after `period rate`, by number."""
    lists = folder / "lists"
    lists.mkdir()
    listed = write_list(lists, rows, f"{opened}.csv")
    file, entry = write_report(folder, made), write_list(folder, fsi, "fsi.csv")
    numbers = {player_id(n): n for n in range(1, 9)}
    said = [part for name, choice in readings.items() for part in ("--reading", f"{name}={choice}")]
    record = run_json(
        "report",
        "rate",
        file,
        "--law",
        law,
        "--list",
        listed,
        "--entry-list",
        f"fsi={entry}",
        *said,
        *(["--online"] if law == "rio" else []),
    )
    by_report = {numbers[p["id"]]: p["new_rating"] for p in record["players"]}
    kind = "blitz" if law == "rio" else ""
    period = rate_job(
        PeriodJob(
            law,
            Month.of(opened),
            lists,
            (Path(file),),
            folder / "out",
            kind=kind,
            entry_lists={"fsi": Path(entry)},
            readings=readings,
            workers=1,
            online=law == "rio",
        )
    )
    after = [period.listed.at(row) for row in range(len(period.listed))]
    by_period = {numbers[p.id]: p.rating for p in after if numbers.get(p.id, 9) in by_report}
    return [by_report, by_period]


def drawn(control: str, start: date) -> Report:
    """1, rated, draws with 2, who is new."""
    return report([1500, None], [(1, 1, 2, "=")], start=start, control=control)


@pytest.mark.parametrize(
    ("readings", "printed", "entered"),
    [
        ({}, 1399, 1399),
        ({}, 999, 1440),
        ({"fsi_printed_default": "is_absence"}, 1399, 1440),
        ({"fsi_printed_default": "as_printed"}, 999, 999),
    ],
)
def test_uisp_i_5_what_the_fsi_prints(
    tmp_path: Path, readings: dict[str, str], printed: int, entered: int
) -> None:
    made = drawn("30'+10\"", date(2024, 5, 11))
    rows, fsi = [(player_id(1), 1500)], [(player_id(2), printed)]
    by_report, by_period = both_roads(
        tmp_path, "uisp", made, date(2024, 4, 1), rows, fsi, **readings
    )
    assert by_report == by_period
    # A draw brings the weaker between +3 (D -60) and +12 (D -501 counts as -400), K being 30.
    assert 3 <= (by_period[2] or 0) - entered <= 12


@pytest.mark.parametrize(
    ("readings", "printed", "entered"),
    [
        ({}, 1399, 999),
        ({}, 999, 999),
        ({"fsi_printed_default": "counts"}, 1399, 1399),
    ],
)
def test_rio_14_2_what_the_fsi_prints(
    tmp_path: Path, readings: dict[str, str], printed: int, entered: int
) -> None:
    made = drawn("3'+2\"", date(2025, 6, 14))
    rows, fsi = [(player_id(1), 1500)], [(player_id(2), printed)]
    by_report, by_period = both_roads(
        tmp_path, "rio", made, date(2025, 6, 1), rows, fsi, **readings
    )
    assert by_report == by_period
    assert 0 < (by_period[2] or 0) - entered <= 10


def test_uisp_i_1_who_takes_part_gets_a_rating_without_a_game_that_counts(tmp_path: Path) -> None:
    """3 is new and won by forfeit: no game counts (I.6), and still there is a rating."""
    made = report(
        [1500, 1500, None],
        [(1, 1, 2, "="), (2, 3, 1, "+")],
        start=date(2024, 5, 11),
        control="30'+10\"",
    )
    rows = [(player_id(1), 1500), (player_id(2), 1500)]
    fsi = [(player_id(9), 1600)]
    by_report, by_period = both_roads(tmp_path, "uisp", made, date(2024, 4, 1), rows, fsi)
    assert by_report == by_period == {1: 1500, 2: 1500, 3: 1440}
    before = tmp_path / "before"
    before.mkdir()
    _, by_period = both_roads(
        before, "uisp", made, date(2024, 4, 1), rows, fsi, without_games="not_rated"
    )
    assert by_period[3] is None


@pytest.mark.parametrize(("reentry", "k"), [("as_new", 40), ("keeps_games", 20)])
def test_7_2_1_who_was_delisted_is_new_again(tmp_path: Path, reentry: str, k: int) -> None:
    """1 falls from 1405 below the floor in May, loses the one game of June, scores in July."""
    lists = tmp_path / "lists"
    lists.mkdir()
    rows = [(player_id(1), 1405, 20), *((player_id(n), 1500, 20) for n in range(2, 7))]
    write_list(lists, rows, "2024-05-01.csv")

    def period(month: int, games: list[tuple[int, int, int, str]], own: int | None) -> RatedPeriod:
        made = report([own, *[1500] * 5], games, start=date(2024, month, 11))
        file = Path(write_report(tmp_path, made, f"{month}.trf"))
        readings = {"reentry": reentry}
        return rate_job(
            PeriodJob(
                "fide", Month(2024, month), lists, (file,), lists, readings=readings, workers=1
            )
        )

    may = period(5, [(1, 1, 2, "0"), (2, 1, 3, "0"), (3, 1, 4, "0")], 1405)
    assert may.listed.at(0).rating is None
    june = period(6, [(1, 1, 2, "0"), (1, 3, 4, "=")], None)
    assert bool(june.outcome.pools.tranches) == (reentry == "keeps_games")
    record = run_json(
        "report",
        "rate",
        str(tmp_path / "6.trf"),
        "--law",
        "fide",
        "--reading",
        f"reentry={reentry}",
        "--list",
        str(may.folder / "list.parquet"),
    )
    assert [game["reason"] for game in record["excluded"]][:1] == ["first_event_ignored"]
    july = period(7, [(n, 1, n + 1, "=") for n in range(1, 6)], None)
    assert july.listed.at(0).rating is not None
    assert july.listed.at(0).k == k


def fide_month(folder: Path, month: int, reports: list[Report], **readings: str) -> RatedPeriod:
    """Rates a month of 2024 in a folder of lists, into the next list there."""
    files = tuple(
        Path(write_report(folder, made, f"{month}-{at}.trf")) for at, made in enumerate(reports)
    )
    job = PeriodJob(
        "fide",
        Month(2024, month),
        folder / "lists",
        files,
        folder / "lists",
        readings=readings,
        workers=1,
    )
    return rate_job(job)


@pytest.mark.parametrize(("counts", "month"), [("played", 5), ("rated", 6)])
def test_7_1_4_months_are_counted_from_the_period_played_in(
    tmp_path: Path, counts: str, month: int
) -> None:
    """A tournament of April that the list of June rates: two games of an unrated player."""
    (tmp_path / "lists").mkdir()
    rows = [(player_id(n), 1500, 20) for n in (2, 3)]
    for day in ("2024-04-01", "2024-05-01"):
        write_list(tmp_path / "lists", rows, f"{day}.csv")
    games = [(1, 1, 2, "="), (2, 1, 3, "=")]
    made = report([None, 1500, 1500], games, start=date(2024, 4, 13))
    rated = fide_month(tmp_path, 5, [made], unrated_pool_counts=counts)
    (pooled,) = rated.outcome.pools.of(player_id(1))
    assert pooled.month == 2024 * 12 + month - 1


@pytest.mark.parametrize(("shown", "games"), [("of_period", 3), ("of_pool", 5)])
def test_7_1_2_the_games_of_a_newcomer_are_those_of_the_period(
    tmp_path: Path, shown: str, games: int
) -> None:
    (tmp_path / "lists").mkdir()
    rows = [(player_id(n), 1500, 20) for n in range(2, 7)]
    write_list(tmp_path / "lists", rows, "2024-05-01.csv")
    field = [None, *[1500] * 5]
    may = report(field, [(1, 1, 2, "="), (2, 1, 3, "=")], start=date(2024, 5, 11))
    june = report(field, [(1, 1, 4, "="), (2, 1, 5, "="), (3, 1, 6, "=")], start=date(2024, 6, 8))
    fide_month(tmp_path, 5, [may], newcomer_games=shown)
    rated = fide_month(tmp_path, 6, [june], newcomer_games=shown)
    assert rated.listed.at(0).rating is not None
    assert rated.listed.at(0).games == games


@pytest.mark.parametrize(("since", "own"), [("entry_rating", 1600), ("current", 1650)])
def test_8_2_4_a_late_report_counts_on_the_rating_of_entry(
    tmp_path: Path, since: str, own: int
) -> None:
    """1 is unrated in April, enters in May with 1600 and has 1650 in June, which opens the period.

    A draw against 1800 in April: D is -200 (PD .24) or -150 (.30), and K is 20.
    """
    (tmp_path / "lists").mkdir()
    for day, rating in (("2024-04-01", 0), ("2024-05-01", 1600), ("2024-06-01", 1650)):
        rows = [(player_id(1), rating, 20)] if rating else []
        others = [(player_id(n), 1800, 20) for n in (2, 3)]
        write_list(tmp_path / "lists", [*rows, *others], f"{day}.csv")
    games = [(1, 1, 2, "="), (2, 2, 3, "=")]
    made = report([None, 1800, 1800], games, start=date(2024, 4, 13))
    rated = fide_month(tmp_path, 6, [made], listed_since=since)
    gained = {1600: 5, 1650: 4}[own]
    assert [rated.listed.at(row).rating for row in (0, 1)] == [1650 + gained, 1800]


def test_rio_14_6_a_category_stands_on_the_list_that_publishes_its_rating(tmp_path: Path) -> None:
    """1 goes from 2195 to 2207 and is OM at once; 2 is new with 2230 and OM on the first list.

    3 was published with 2001 and falls: what is obtained stays, also where no list says so yet.
    """
    (tmp_path / "lists").mkdir()
    rows = [(player_id(1), 2195), (player_id(3), 2001)]
    write_list(tmp_path / "lists", rows, "2025-06-01.csv")
    fide = write_list(tmp_path, [(player_id(2), 2230)], "fide.csv")
    games = [(1, 1, 2, "1"), (2, 2, 3, "1")]
    made = report([2195, None, 2001], games, start=date(2025, 6, 14), control="3'+2\"")
    file = Path(write_report(tmp_path, made))
    categories = {}
    for choice in ("same_list", "next_list"):
        job = PeriodJob(
            "rio",
            Month(2025, 6),
            tmp_path / "lists",
            (file,),
            tmp_path / choice,
            kind="blitz",
            entry_lists={"fide": Path(fide)},
            readings={"category_list": choice},
            online=True,
            workers=1,
        )
        made_list = rate_job(job).listed
        assert (made_list.at(2).rating or 0) < 2000
        categories[choice] = list(made_list.extra.get("o_title", []))
    assert categories == {"same_list": ["OM", "OM", "OCM"], "next_list": ["OCM", "", "OCM"]}


def test_rio_14_1_what_was_not_played_online_is_not_rated(tmp_path: Path) -> None:
    (tmp_path / "lists").mkdir()
    write_list(tmp_path / "lists", [(player_id(n), 1500) for n in (1, 2)], "2025-06-01.csv")
    made = report([1500, 1500], [(1, 1, 2, "1")], start=date(2025, 6, 14), control="3'+2\"")
    file = Path(write_report(tmp_path, made))
    job = PeriodJob(
        "rio",
        Month(2025, 6),
        tmp_path / "lists",
        (file,),
        tmp_path / "out",
        kind="blitz",
        workers=1,
    )
    (left_out,) = rate_job(job).left_out
    assert left_out.keys == ("check.not_online",)


def test_uisp_i_5_the_lists_in_force_when_the_first_tournament_starts(tmp_path: Path) -> None:
    """2 is new in May, and again in June: both count with the FIDE list of May, 1600."""
    (tmp_path / "lists").mkdir()
    (tmp_path / "fide").mkdir()
    write_list(tmp_path / "lists", [(player_id(1), 1500)], "2024-04-01.csv")
    for month, rating in ((4, 1700), (5, 1600), (6, 1800)):
        write_list(tmp_path / "fide", [(player_id(2), rating)], f"2024-0{month}-01.csv")
    files = [
        Path(write_report(tmp_path, drawn("30'+10\"", date(2024, month, 11)), f"{month}.trf"))
        for month in (6, 5)
    ]

    def rated(**readings: str) -> list[int | None]:
        job = PeriodJob(
            "uisp",
            Month(2024, 4),
            tmp_path / "lists",
            tuple(files),
            tmp_path / f"out{len(readings)}",
            entry_lists={"fide": tmp_path / "fide"},
            readings=readings,
            workers=1,
        )
        listed = rate_job(job).listed
        return [listed.at(row).rating for row in (0, 1)]

    # D is 100 (PD .64, PA .6): a draw costs 3 points with K 30, twice.
    assert rated() == [1506, 1594]
    # D is 200 (PD .76, PA .8): twice 9 points; the weaker one's .24 is .2.
    assert rated(entry_lists="at_opening") == [1518, 1682]


def test_uisp_i_4_a_late_ranking_leaves_the_one_before_in_force(tmp_path: Path) -> None:
    """The ranking of April came out on the 8th: a tournament of the 6th uses that of January."""
    (tmp_path / "lists").mkdir()
    for day, rating in (("2024-01-01", 1500), ("2024-04-01", 1700)):
        rows = [(player_id(1), rating), (player_id(2), 1500)]
        write_list(tmp_path / "lists", rows, f"{day}.csv")
    made = report([1500, 1500], [(1, 1, 2, "=")], start=date(2024, 4, 6), control="30'+10\"")
    file = Path(write_report(tmp_path, made))

    def rated(**emitted: date) -> int | None:
        job = PeriodJob(
            "uisp",
            Month(2024, 4),
            tmp_path / "lists",
            (file,),
            tmp_path / f"out{len(emitted)}",
            emitted={date(2024, 4, 1): day for day in emitted.values()},
            workers=1,
        )
        return rate_job(job).listed.at(0).rating

    assert rated() == 1700 - 9  # D is 200: PD .76, PA .8, and K is 30
    assert rated(on=date(2024, 4, 8)) == 1700  # D is 0, and the change goes onto the new ranking


def interim_month(
    folder: Path, month: int, made: Report, tournament: str, **readings: str
) -> RatedPeriod:
    """Rates a month of 2025 that has an interim report of a tournament begun on 20 September."""
    file = Path(write_report(folder, made, f"{tournament}-{month}.trf"))
    job = PeriodJob(
        "fide",
        Month(2025, month),
        folder / "lists",
        (file,),
        folder / "lists",
        interim={str(file): (tournament, date(2025, 9, 20))},
        readings=readings,
        workers=1,
    )
    return rate_job(job)


def test_0_1_an_interim_report_is_rated_under_the_edition_of_the_tournament(tmp_path: Path) -> None:
    """From October on 2650 counts its whole difference, but not in a tournament of September."""
    (tmp_path / "lists").mkdir()
    rows = [(player_id(1), 2700, 10), (player_id(2), 2200, 10)]
    listed = write_list(tmp_path / "lists", rows, "2025-10-01.csv")
    made = report([2700, 2200], [(1, 1, 2, "=")], start=date(2025, 10, 11), control="120'")
    began = interim_month(tmp_path, 10, made, "Torneo lungo")
    assert [began.listed.at(row).rating for row in (0, 1)] == [2696, 2204]  # D 400: .92 and .08
    files = write_report(tmp_path, made), "--law", "fide", "--list", listed
    told = run_json("report", "rate", *files, "--interim", "Torneo lungo@2025-09-20")
    assert [player["new_rating"] for player in told["players"]] == [2696, 2204]
    alone = run_json("report", "rate", *files)
    assert [player["new_rating"] for player in alone["players"]] == [2695, 2204]  # D 500: .96
    began_then = "--interim", "Torneo lungo@2025-09-20"
    for way, edition in (((), "2025-10-01"), (began_then, "2024-03-01")):
        (judged,) = run_json("report", "check", *files, *way)["files"]
        assert (judged["edition"], judged["errors"]) == (edition, 0)


@pytest.mark.parametrize(
    ("reading", "games"), [("whole_tournament", [0, 5]), ("each_report", [0, 3])]
)
def test_8_2_1_interim_reports_are_one_event(
    tmp_path: Path, reading: str, games: list[int]
) -> None:
    """No point in September, three draws in October: with the first of them September counts."""
    (tmp_path / "lists").mkdir()
    rows = [(player_id(n), 1700, 20) for n in range(2, 7)]
    write_list(tmp_path / "lists", rows, "2025-09-01.csv")
    field = [None, *[1700] * 5]
    readings = {"interim_first_event": reading}
    september = report(field, [(1, 1, 2, "0"), (2, 1, 3, "0")], start=date(2025, 9, 20))
    october = report(
        field, [(1, 1, 4, "="), (2, 1, 5, "="), (3, 1, 6, "=")], start=date(2025, 10, 11)
    )
    found = []
    for month, made in ((9, september), (10, october)):
        rated = interim_month(tmp_path, month, made, "Torneo lungo", **readings)
        first = rated.outcome.first_ratings.by_row.get(0)
        found.append(0 if first is None else first.rating.games)
    assert found == games
    waiting = ListFolder(tmp_path / "lists", "standard").read(date(2025, 10, 1)).pools
    assert [t.waits_for for t in waiting.of(player_id(1))] == (
        ["Torneo lungo"] if reading == "whole_tournament" else []
    )


def test_8_2_1_another_tournament_does_not_bring_the_ignored_one_back(tmp_path: Path) -> None:
    (tmp_path / "lists").mkdir()
    rows = [(player_id(n), 1700, 20) for n in range(2, 7)]
    write_list(tmp_path / "lists", rows, "2025-09-01.csv")
    field = [None, *[1700] * 5]
    september = report(field, [(1, 1, 2, "0"), (2, 1, 3, "0")], start=date(2025, 9, 20))
    again = report(field, [(1, 1, 4, "0"), (1, 2, 3, "=")], start=date(2025, 10, 11))
    other = report(field, [(1, 1, 4, "="), (1, 2, 3, "=")], start=date(2025, 11, 8))
    interim_month(tmp_path, 9, september, "Torneo lungo")
    october = interim_month(tmp_path, 10, again, "Torneo lungo")
    assert [t.games for t in october.outcome.pools.of(player_id(1))] == [2, 1]
    november = interim_month(tmp_path, 11, other, "Altro torneo")
    assert november.outcome.first_ratings.by_row[0].rating.games == 1
