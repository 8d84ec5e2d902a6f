"""`arrocco report rate`: what is rated, against which list, under which edition."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from arrocco.records.report import System
from tests.cli.months import PAIRINGS, RATINGS
from tests.cli.tournaments import (
    demo_args,
    national,
    player_id,
    rate,
    report,
    run,
    write_list,
    write_report,
)


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARROCCO_LANG", "en")


def keys(record: Any) -> list[str]:
    return [finding["key"] for finding in record["findings"]]


def by_number(record: Any) -> dict[int, Any]:
    """The rated players by starting number."""
    return {player["id"] - player_id(1) + 1: player for player in record["players"]}


ONE_GAME = [(1, 1, 2, "1")]


class TestRatings:
    def test_a_win_against_a_stronger_player(self, tmp_path: Path) -> None:
        file = write_report(tmp_path, report([1500, 1600], ONE_GAME))
        listed = write_list(tmp_path, [(player_id(1), 1500, 20), (player_id(2), 1600, 20)])
        players = by_number(rate(file, "--list", listed))
        winner, loser = players[1], players[2]
        assert (winner["expected"], winner["variation"]) == ("0.36", "12.80")
        assert (winner["change"], winner["new_rating"]) == (13, 1513)
        assert (loser["expected"], loser["variation"]) == ("0.64", "-12.80")
        assert (loser["change"], loser["new_rating"]) == (-13, 1587)
        assert winner["tournaments"][0]["games"] == [
            {
                "round": 1,
                "opponent": 1600,
                "score": "1.0",
                "difference": -100,
                "counted_difference": -100,
                "expected": "0.36",
                "delta": "0.64",
                "article": "8.3.1",
                "opponent_id": player_id(2),
                "opponent_name": f"Elencato, {player_id(2)}",
            }
        ]

    def test_the_list_counts_and_a_difference_from_the_report_is_told(self, tmp_path: Path) -> None:
        file = write_report(tmp_path, report([1500, 1600], ONE_GAME))
        listed = write_list(tmp_path, [(player_id(1), 1500, 20), (player_id(2), 1900, 20)])
        record = rate(file, "--list", listed)
        assert by_number(record)[1]["expected"] == "0.08"
        assert "engine.rating_differs" in keys(record)

    def test_without_a_list_the_reports_count_and_it_is_told(self, tmp_path: Path) -> None:
        record = rate(write_report(tmp_path, report([1500, 1600], ONE_GAME)))
        assert by_number(record)[1]["new_rating"] == 1513
        assert record["list"] is None
        assert keys(record) == ["engine.ratings_from_reports"]

    def test_k_is_the_lists_or_derived_and_both_are_told(self, tmp_path: Path) -> None:
        file = write_report(tmp_path, report([1500, 1600], ONE_GAME))
        rows = [(player_id(1), 1500, None), (player_id(2), 1600, 10)]
        record = rate(file, "--list", write_list(tmp_path, rows, birth="2010"))
        junior, given = by_number(record)[1], by_number(record)[2]
        assert (junior["k"], junior["k_reason"]) == (40, "junior")
        assert (given["k"], given["k_reason"]) == (10, "given")
        assert "engine.k_derived" in keys(record)

    def test_k_times_games_beyond_700_lowers_k(self, tmp_path: Path) -> None:
        games = [(round_, 1, 2 if round_ % 2 else 3, "=") for round_ in range(1, 19)]
        file = write_report(tmp_path, report([1500, 1500, 1500], games))
        rows = [(player_id(n), 1500, 40) for n in (1, 2, 3)]
        player = by_number(rate(file, "--list", write_list(tmp_path, rows)))[1]
        assert (player["n"], player["k"], player["k_applied"]) == (18, 40, 38)

    def test_below_the_floor_a_player_is_delisted_with_the_figure_shown(
        self, tmp_path: Path
    ) -> None:
        file = write_report(tmp_path, report([1405, 1405], ONE_GAME))
        rows = [(player_id(1), 1405, 20), (player_id(2), 1405, 20)]
        listed = write_list(tmp_path, rows)
        loser = by_number(rate(file, "--list", listed))[2]
        assert (loser["change"], loser["new_rating"], loser["delisted"]) == (-10, 1395, True)
        assert "1395†" in run("report", "rate", file, "--law", "fide", "--list", listed).stdout

    def test_readings_are_the_callers_to_choose(self, tmp_path: Path) -> None:
        file = write_report(tmp_path, report([2190, 2000], [(1, 1, 2, "=")]))
        listed = write_list(tmp_path, [(player_id(1), 2190, 10), (player_id(2), 2000, 20)])
        usual = rate(file, "--list", listed)
        other = rate(file, "--list", listed, "--reading", "half_point_rounding=up")
        assert by_number(usual)[1]["variation"] == by_number(other)[1]["variation"] == "-2.50"
        assert by_number(usual)[1]["change"] == -3
        assert by_number(other)[1]["change"] == -2
        assert other["readings"]["half_point_rounding"] == "up"


class TestEditions:
    def test_each_report_is_rated_under_the_edition_of_its_start(self, tmp_path: Path) -> None:
        ratings = [2700, 2200]
        old = report(ratings, ONE_GAME, start=date(2025, 9, 30), name="Prima")
        new = report(ratings, ONE_GAME, start=date(2025, 10, 1), name="Dopo")
        files = [write_report(tmp_path, old, "a.trf"), write_report(tmp_path, new, "b.trf")]
        listed = write_list(tmp_path, [(player_id(1), 2700, 10), (player_id(2), 2200, 20)])
        record = rate(*files, "--list", listed)
        assert record["editions"] == ["2024-03-01", "2025-10-01"]
        assert "engine.several_editions" in keys(record)
        strong, weak = by_number(record)[1], by_number(record)[2]
        counted = [t["games"][0]["counted_difference"] for t in strong["tournaments"]]
        assert counted == [400, 500]
        assert [t["games"][0]["expected"] for t in strong["tournaments"]] == ["0.92", "0.96"]
        assert [t["games"][0]["counted_difference"] for t in weak["tournaments"]] == [-400, -400]
        assert strong["n"] == 2

    def test_a_day_no_edition_covers_is_refused(self, tmp_path: Path) -> None:
        file = write_report(tmp_path, report([1500, 1600], ONE_GAME, start=date(2020, 5, 1)))
        result = run("report", "rate", file, "--law", "fide")
        assert result.exit_code == 1
        assert "2020-05-01" in result.stderr

    def test_a_report_without_a_start_needs_a_day(self, tmp_path: Path) -> None:
        file = write_report(tmp_path, report([1500, 1600], ONE_GAME, start=None))
        refused = run("report", "rate", file, "--law", "fide")
        assert refused.exit_code == 1
        assert "--on" in refused.stderr
        waived = ("--waive", "check.end_missing", "--reason", "it was one day")
        assert rate(file, "--on", "2024-05-01", *waived)["edition"] == "2024-03-01"

    def test_an_unknown_law_is_refused_with_the_ones_there_are(self, tmp_path: Path) -> None:
        file = write_report(tmp_path, report([1500, 1600], ONE_GAME))
        result = run("report", "rate", file, "--law", "uscf")
        assert result.exit_code == 1
        assert "rio" in result.stderr


class TestUnlisted:
    @pytest.fixture
    def files(self, tmp_path: Path) -> tuple[str, str]:
        """A player rated in the report is not on the list."""
        file = write_report(tmp_path, report([1500, 1600, 1700], [(1, 1, 2, "1"), (2, 1, 3, "1")]))
        return file, write_list(tmp_path, [(player_id(1), 1500, 20), (player_id(3), 1700, 20)])

    def test_refused_by_default_naming_the_player(self, files: tuple[str, str]) -> None:
        result = run("report", "rate", files[0], "--law", "fide", "--list", files[1])
        assert result.exit_code == 1
        assert "Finto, Numero 2" in result.stderr
        assert result.stdout == ""

    def test_taken_as_unrated(self, files: tuple[str, str]) -> None:
        record = rate(files[0], "--list", files[1], "--unlisted", "unrated")
        assert by_number(record)[1]["n"] == 1
        assert [player["id"] for player in record["initial"]] == [player_id(2)]
        assert "engine.taken_as_unrated" in keys(record)

    def test_taken_at_the_reports_word(self, files: tuple[str, str]) -> None:
        record = rate(files[0], "--list", files[1], "--unlisted", "report")
        assert by_number(record)[1]["n"] == 2
        assert by_number(record)[2]["rating"] == 1600


class TestTimeControl:
    def test_games_with_too_little_time_do_not_count(self, tmp_path: Path) -> None:
        file = write_report(tmp_path, report([1500, 1850], ONE_GAME, control="60'"))
        listed = write_list(tmp_path, [(player_id(1), 1500, 20), (player_id(2), 1850, 20)])
        waived = ("--waive", "check.all_games_too_fast", "--reason", "to see them")
        record = rate(file, "--list", listed, *waived)
        assert by_number(record)[1]["n"] == 0
        [excluded] = record["excluded"]
        assert (excluded["reason"], excluded["for"], excluded["article"]) == (
            "too_fast",
            "both",
            "1.1",
        )

    def test_the_option_stands_in_for_the_report_and_a_contradiction_is_told(
        self, tmp_path: Path
    ) -> None:
        file = write_report(tmp_path, report([1500, 1850], ONE_GAME, control="60'"))
        record = rate(file, "--time-control", "90'+30\"")
        assert by_number(record)[1]["n"] == 1
        assert record["tournaments"][0]["time_control"] == "90' + 30\""
        assert "report.time_control_differs" in keys(record)

    def test_without_any_the_minimum_was_not_checked_and_it_is_told(self, tmp_path: Path) -> None:
        file = write_report(tmp_path, report([1500, 1850], ONE_GAME, control=None))
        assert "engine.time_control_unknown" in keys(rate(file))
        assert "engine.time_control_unknown" not in keys(rate(file, "--time-control", "90+30"))

    @pytest.mark.parametrize("text", ["soon", "", "90+30x"])
    def test_one_that_cannot_be_read_is_refused(self, tmp_path: Path, text: str) -> None:
        file = write_report(tmp_path, report([1500, 1600], ONE_GAME))
        result = run("report", "rate", file, "--law", "fide", "--time-control", text or " ")
        assert result.exit_code == 1
        assert "Refused" in result.stderr


class TestRapidAndBlitz:
    def test_the_standard_rating_stands_in_where_its_list_is_given(self, tmp_path: Path) -> None:
        file = write_report(tmp_path, report([None, 1600], ONE_GAME, control="15+10"))
        rapid = write_list(tmp_path, [(player_id(2), 1600, 20)], "rapid.csv")
        standard = write_list(tmp_path, [(player_id(1), 1500, 20)], "standard.csv")
        without = rate(file, "--list", rapid, law="fide-rapid")
        assert by_number(without)[2]["n"] == 0
        assert "report.no_standard_list" in keys(without)
        with_it = rate(file, "--list", rapid, "--standard-list", standard, law="fide-rapid")
        assert by_number(with_it)[2]["n"] == 1
        assert by_number(with_it)[1]["rating"] == 1500
        assert "report.no_standard_list" not in keys(with_it)

    def test_a_standard_control_is_not_rapid(self, tmp_path: Path) -> None:
        file = write_report(tmp_path, report([1500, 1600], ONE_GAME))
        waived = ("--waive", "check.wrong_class", "--reason", "to see them")
        record = rate(file, *waived, law="fide-rapid")
        assert [game["reason"] for game in record["excluded"]] == ["wrong_class"]


class TestRio:
    def blitz(self, folder: Path, **more: Any) -> str:
        made = report(
            [1500, None, None, None],
            [(1, 1, 2, "1"), (2, 1, 3, "1"), (3, 1, 4, "=")],
            start=date(2025, 5, 17),
            control="3+2",
            **more,
        )
        made.entries[2].national = national(1620, 4444)
        return write_report(folder, made)

    def test_newcomers_enter_by_the_lists_in_the_order_of_14_2(self, tmp_path: Path) -> None:
        listed = write_list(tmp_path, [(player_id(1), 1500)], "rio.csv")
        blitz = write_list(tmp_path, [(player_id(2), 1777)], "blitz.csv")
        fide = write_list(tmp_path, [(player_id(2), 1888)], "fide.csv")
        fsi = write_list(tmp_path, [(4444, 1620), (player_id(4), 1399)], "fsi.csv")
        record = rate(
            self.blitz(tmp_path),
            "--list",
            listed,
            "--online",
            "--entry-list",
            f"fide={fide}",
            "--entry-list",
            f"fide-blitz={blitz}",
            "--entry-list",
            f"fsi={fsi}",
            law="rio",
        )
        ratings = {number: player["rating"] for number, player in by_number(record).items()}
        assert ratings == {1: 1500, 2: 1777, 3: 1620, 4: 999}
        sources = [
            (finding["details"]["given"], finding["details"]["source"])
            for finding in record["findings"]
            if finding["key"] == "engine.entry_rating"
        ]
        assert sources == [(1777, "fide-blitz"), (1620, "fsi"), (999, "none")]
        assert record["list"]["kind"] == "blitz"

    @pytest.mark.parametrize(("held", "rating"), [(1777, 1777), (None, 999)])
    def test_14_2_who_is_listed_without_a_rating_enters_by_the_lists(
        self, tmp_path: Path, held: int | None, rating: int
    ) -> None:
        rows = [(player_id(1), 1500), *((player_id(number), None) for number in (2, 3, 4))]
        listed = write_list(tmp_path, rows, "rio.csv")
        fide = write_list(tmp_path, [(player_id(2), held)], "fide.csv")
        record = rate(
            self.blitz(tmp_path),
            "--list",
            listed,
            "--online",
            "--entry-list",
            f"fide={fide}",
            law="rio",
        )
        assert by_number(record)[2]["rating"] == rating

    def test_14_1_who_plays_without_a_number_is_no_member(self, tmp_path: Path) -> None:
        made = report([1500, 1500], ONE_GAME, start=date(2025, 5, 17), control="3+2")
        made.entries[1].id = None
        asked = ("report", "rate", write_report(tmp_path, made), "--law", "rio", "--online")
        waived = ("--waive", "check.member_unknown", "--reason", "guest of the club")
        refused = run(*asked)
        assert refused.exit_code == 1
        assert "14.1" in refused.stderr
        assert run(*asked, *waived).exit_code == 0
        assert run(*asked, "--reading", "membership=not_asked").exit_code == 0

    def test_without_a_list_the_reports_ratings_count(self, tmp_path: Path) -> None:
        record = rate(self.blitz(tmp_path), "--online", law="rio")
        ratings = {number: player["rating"] for number, player in by_number(record).items()}
        assert ratings == {1: 1500, 2: 999, 3: 999, 4: 999}
        assert "engine.ratings_from_reports" in keys(record)
        assert keys(record).count("engine.entry_rating") == 3

    def test_with_a_list_the_report_is_taken_at_its_word_only_if_asked(
        self, tmp_path: Path
    ) -> None:
        listed = write_list(tmp_path, [(player_id(2), 1400)], "rio.csv")
        file = self.blitz(tmp_path)
        usual = by_number(rate(file, "--list", listed, "--online", law="rio"))
        asked = by_number(
            rate(file, "--list", listed, "--online", "--unlisted", "report", law="rio")
        )
        assert (usual[1]["rating"], asked[1]["rating"]) == (999, 1500)

    def test_different_types_never_mix(self, tmp_path: Path) -> None:
        rapid = report([1500, 1600], ONE_GAME, start=date(2025, 5, 17), control="15+5")
        result = run(
            "report",
            "rate",
            self.blitz(tmp_path),
            write_report(tmp_path, rapid, "rapid.trf"),
            "--law",
            "rio",
        )
        assert result.exit_code == 1
        assert "blitz, rapid" in result.stderr

    def test_without_a_time_control_the_type_is_unknown(self, tmp_path: Path) -> None:
        made = report([1500, 1600], ONE_GAME, start=date(2025, 5, 17), control=None)
        result = run("report", "rate", write_report(tmp_path, made), "--law", "rio")
        assert result.exit_code == 1
        assert "--time-control" in result.stderr

    def test_fide_has_no_ratings_on_entry(self, tmp_path: Path) -> None:
        file = write_report(tmp_path, report([1500, 1600], ONE_GAME))
        listed = write_list(tmp_path, [(player_id(1), 1500)])
        result = run("report", "rate", file, "--law", "fide", "--entry-list", f"fide={listed}")
        assert result.exit_code == 1
        assert "unrated" in result.stderr

    @pytest.mark.parametrize("text", ["fide", "fide=", "elo=x.csv", "=x.csv"])
    def test_an_entry_list_is_written_as_kind_and_file(self, tmp_path: Path, text: str) -> None:
        file = write_report(tmp_path, report([1500, 1600], ONE_GAME))
        result = run("report", "rate", file, "--law", "rio", "--entry-list", text)
        assert result.exit_code == 2
        assert "KIND=FILE" in result.stderr


class TestUisp:
    def test_k_is_the_time_controls_and_half_of_it_online(self, tmp_path: Path) -> None:
        made = report([1500, 1500], ONE_GAME, control="30'+10\"")
        file = write_report(tmp_path, made)
        over_the_board, online = rate(file, law="uisp"), rate(file, "--online", law="uisp")
        assert by_number(over_the_board)[1]["tournaments"][0]["k"] == 30
        assert by_number(online)[1]["tournaments"][0]["k"] == 15
        assert by_number(online)[1]["k"] is None

    def test_without_a_time_control_there_is_no_k(self, tmp_path: Path) -> None:
        made = report([1500, 1500], ONE_GAME, control=None)
        result = run("report", "rate", write_report(tmp_path, made), "--law", "uisp")
        assert result.exit_code == 1
        assert "II.2" in result.stderr

    @pytest.mark.parametrize(("printed", "rating"), [(1399, 1399), (999, 1440), (1620, 1620)])
    def test_i_5_who_is_on_the_fsi_list_has_its_value(
        self, tmp_path: Path, printed: int, rating: int
    ) -> None:
        file = write_report(tmp_path, report([1500, None], ONE_GAME, control="30'+10\""))
        listed = write_list(tmp_path, [(player_id(1), 1500)])
        fsi = write_list(tmp_path, [(player_id(2), printed)], "fsi.csv")
        record = rate(file, "--list", listed, "--entry-list", f"fsi={fsi}", law="uisp")
        assert by_number(record)[2]["rating"] == rating
        unrated = write_list(tmp_path, [(player_id(1), 1500), (player_id(2), None)], "uisp.csv")
        record = rate(file, "--list", unrated, "--entry-list", f"fsi={fsi}", law="uisp")
        assert by_number(record)[2]["rating"] == rating


class TestExclusions:
    def test_forfeits_and_byes_do_not_count_and_forfeits_are_listed(self, tmp_path: Path) -> None:
        games = [(1, 1, 2, "+"), (2, 2, 1, "1")]
        made = report([1500, 1600, 1700], games, byes=[(1, 3), (2, 3)])
        record = rate(write_report(tmp_path, made))
        assert by_number(record)[1]["n"] == 1
        assert by_number(record)[3]["n"] == 0
        [excluded] = record["excluded"]
        assert excluded["reason"] == "unplayed"
        assert excluded["game"] == "Finto, Numero 1 – Finto, Numero 2 +:-"
        assert (excluded["white"], excluded["black"]) == (player_id(1), player_id(2))

    def test_a_game_with_an_unrated_player_has_two_reasons(self, tmp_path: Path) -> None:
        file = write_report(tmp_path, report([1500, None], [(1, 2, 1, "=")]))
        record = rate(file)
        reasons = {(game["for"], game["reason"]) for game in record["excluded"]}
        assert reasons == {("white", "own_unrated"), ("black", "opponent_unrated")}

    def test_a_decided_match_ends_there(self, tmp_path: Path) -> None:
        games = [(n, 1, 2, "1") for n in (1, 2, 3)] + [(4, 1, 2, "0")]
        made = report([1500, 1500], games, system=System.MATCH)
        record = rate(write_report(tmp_path, made))
        assert [game["round"] for game in record["excluded"]] == [4]
        assert record["excluded"][0]["reason"] == "match_decided"

    def test_the_first_few_are_shown_and_all_on_demand(self, tmp_path: Path) -> None:
        games = [(round_, 1, 2, "+") for round_ in range(1, 6)]
        file = write_report(tmp_path, report([1500, 1600], games))
        short = run("report", "rate", file, "--law", "fide").stdout
        full = run("report", "rate", file, "--law", "fide", "--all").stdout
        assert short.count("+:-") == 3
        assert "and 2 more" in short
        assert full.count("+:-") == 5
        assert "more" not in full


class TestFindings:
    def test_the_gravest_come_first_and_equal_ones_are_cut_short(self, tmp_path: Path) -> None:
        made = report([1500, *[None] * 5], [(n, 1, n + 1, "1") for n in range(1, 6)])
        for entry in made.entries[1:]:
            entry.id = None
        file = write_report(tmp_path, made)
        short = run("report", "rate", file, "--law", "fide").stdout
        full = run("report", "rate", file, "--law", "fide", "--all").stdout
        assert short.count("note: Finto") == 3
        assert "and 2 more like these" in short
        assert full.count("note: Finto") == 5
        assert short.rindex("warning:") < short.index("note:")


class TestDemoFigures:
    """Figures worked out by hand from the articles, for the bundled tournaments."""

    def test_fide_2024(self) -> None:
        record = rate(*demo_args("fide-open-2024"))
        top = record["players"][0]
        # 1901 and 2012 are more than 400 away: .92 each; 2048 .91, 2318 .65, 2105 .87, 2274 .71.
        assert (top["id"], top["expected"], top["score"]) == (99000001, "4.98", "3.5")
        assert (top["variation"], top["new_rating"]) == ("-14.80", 2416)
        newcomer, ignored = record["initial"]
        # (1934 + 2012 + 1901 + 1578 + 1652 + 3600) / 7 = 1811; 2.5 of 7 is .36, dp -102.
        assert (newcomer["average"], newcomer["p"], newcomer["dp"]) == ("1811.00", "0.36", -102)
        assert (newcomer["initial"], newcomer["publishable"]) == (1709, True)
        assert (ignored["n"], ignored["reasons"]) == (0, ["first_event_ignored"])
        assert record["next_list"] == "2024-06-01"

    def test_fide_2011_round_robin(self) -> None:
        record = rate(*demo_args("fide-round-robin-2011"))
        # Rar 13460/6, dpa (444 + 125 + 125 + 80 - 43 - 220)/6: Ra = 2243.33 - 85.17 x .9 = 2167.
        first = {player["id"]: player["initial"] for player in record["initial"]}
        assert first == {99000043: 2182, 99000045: 2128, 99000048: 2055, 99000049: 1825}
        top = record["players"][0]
        assert (top["n"], top["expected"], top["new_rating"]) == (9, "7.21", 2425)

    def test_rio(self) -> None:
        record = rate(*demo_args("rio-blitz-2025"), law="rio")
        player = next(p for p in record["players"] if p["id"] == 99000024)
        # .11 + .99 + .07 + .29 + .55 + .33 + .15 = 2.49, to one decimal 2.5; 20 x 2.0.
        assert (player["expected_unrounded"], player["expected"]) == ("2.49", "2.50")
        assert (player["variation"], player["new_rating"]) == ("40.00", 1808)

    def test_uisp(self) -> None:
        record = rate(*demo_args("uisp-event-2025"), law="uisp")
        player = next(p for p in record["players"] if p["id"] == 99000008)
        assert (player["expected_unrounded"], player["expected"]) == ("3.02", "3.00")
        assert (player["variation"], player["new_rating"]) == ("45.00", 1950)


class TestText:
    def test_the_table_has_the_columns_of_a_calculation_page(self) -> None:
        result = run("report", "rate", *demo_args("fide-open-2024"))
        assert result.exit_code == 0
        assert (
            "Rk        Id  Name                     Ro    Rc    w  n    We    chg   K   K*chg"
            in (result.stdout)
        )
        line = next(line for line in result.stdout.splitlines() if "Altavilla" in line)
        assert (
            line.split()
            == "1 99000001 Altavilla, Corrado 2431 2110 3.5 6 4.98 -1.48 10 -14.80 2416".split()
        )
        assert "ignored: not enough points in the first event" in result.stdout

    def test_italian(self) -> None:
        result = run("report", "rate", *demo_args("fide-open-2024"), "--lang", "it")
        assert "Calcolo secondo fide" in result.stdout
        assert "-14,80" in result.stdout
        assert "10/05/2024 – 12/05/2024" in result.stdout
        assert "Partite che non contano" in result.stdout

    def test_a_report_in_which_nobody_is_rated(self, tmp_path: Path) -> None:
        file = write_report(tmp_path, report([None, None], ONE_GAME))
        result = run("report", "rate", file, "--law", "fide")
        assert result.exit_code == 0
        assert "No rated players." in result.stdout


class TestEachGameOnce:
    def test_9_1_a_report_sent_again_with_another_last_day_is_refused(self, tmp_path: Path) -> None:
        made = report(RATINGS, PAIRINGS)
        first = write_report(tmp_path, made, "first.trf")
        assert made.end is not None
        longer = replace(made, end=made.end + timedelta(days=1), name="Another name")
        again = write_report(tmp_path, longer, "again.trf")
        result = run("report", "rate", "--law", "fide", first, again)
        assert result.exit_code == 1
        assert "again.trf: error: " in result.stderr
        assert "first.trf tells of the same games" in result.stderr
        waived = rate(first, again, "--waive", "check.same_games", "--reason", "a return match")
        once = rate(first)
        assert [2 * player["n"] for player in once["players"]] == [
            player["n"] for player in waived["players"]
        ]

    def test_9_1_a_match_of_two_games_sent_again_is_refused(self, tmp_path: Path) -> None:
        """There are few games: the name is the same, and so is one result of two."""
        made = report([1500, 1500], [(1, 1, 2, "1"), (2, 2, 1, "=")])
        assert made.end is not None
        put_right = report([1500, 1500], [(1, 1, 2, "1"), (2, 2, 1, "0")])
        first = write_report(tmp_path, made, "first.trf")
        longer = replace(made, end=made.end + timedelta(days=1))
        for again in (longer, put_right):
            file = write_report(tmp_path, again, "again.trf")
            result = run("report", "rate", "--law", "fide", first, file)
            assert result.exit_code == 1
            assert "first.trf tells of the same games" in result.stderr


class TestFactsOf2010:
    """What only FIDE's text of 2010 asks, said on the command line."""

    def played(self, tmp_path: Path, name: str, start: date, *results: str, first: int = 0) -> str:
        """A newcomer, number 1, against rated players, one after the other."""
        ratings = [None, *[1900] * 9]
        pairings = [(n, 1, first + n + 1, result) for n, result in enumerate(results, start=1)]
        made = report(ratings, pairings, start=start, control="120'", name=name)
        return write_report(tmp_path, made, f"{name}.trf")

    def is_published(self, *args: str) -> bool:
        (newcomer,) = rate(*args)["initial"]
        return newcomer["publishable"] is True

    def listed(self, tmp_path: Path) -> str:
        return write_list(tmp_path, [(player_id(n), 1900, 15) for n in range(2, 11)])

    def test_7_14g_affiliated(self, tmp_path: Path) -> None:
        file = self.played(tmp_path, "one", date(2011, 9, 10), *"1111000")
        args = (file, "--list", self.listed(tmp_path))
        assert not self.is_published(*args)
        assert self.is_published(*args, "--affiliated", str(player_id(1)))

    def test_6_2_one_event(self, tmp_path: Path) -> None:
        files = (
            self.played(tmp_path, "preliminary", date(2011, 9, 3), *"00"),
            self.played(tmp_path, "final", date(2011, 9, 10), *"1111000", first=2),
        )
        args = (*files, "--list", self.listed(tmp_path))
        assert not self.is_published(*args)
        assert self.is_published(*args, "--one-event")
