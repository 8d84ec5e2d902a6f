"""`arrocco list`: what lists hold, in which formats, and what changed between two of them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from arrocco.formats.lists import read_list, write_lists
from tests.cli.months import rate, write_month
from tests.cli.tournaments import HEADING, player_id, run, run_json, write_list


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARROCCO_LANG", "en")


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_month(tmp_path_factory.mktemp("month"))
    rate(folder, "2024-05", "may.parquet", "--games")
    return folder


def ids(people: list[dict[str, Any]]) -> list[int]:
    return [person["id"] for person in people]


LISTED = [(player_id(1), 1500, 20), (player_id(2), 1900, 20), (player_id(3), None, None)]


class TestShow:
    def test_the_strongest_come_first(self, tmp_path: Path) -> None:
        record = run_json("list", "show", write_list(tmp_path, LISTED))
        assert (record["players"], record["rated"], record["found"]) == (3, 2, 3)
        assert ids(record["shown"]) == [player_id(2), player_id(1), player_id(3)]
        assert record["shown"][0]["k"] == 20
        assert record["shown"][2]["rating"] is None

    def test_top_limits_what_is_shown_not_what_is_found(self, tmp_path: Path) -> None:
        record = run_json("list", "show", write_list(tmp_path, LISTED), "--top", "1")
        assert record["found"] == 3
        assert ids(record["shown"]) == [player_id(2)]

    def test_players_by_id_and_by_part_of_the_name(self, tmp_path: Path) -> None:
        file = write_list(tmp_path, LISTED)
        asked = ["--player", str(player_id(1)), "--player", f"elencato, {player_id(3)}"]
        assert ids(run_json("list", "show", file, *asked)["shown"]) == [player_id(1), player_id(3)]
        assert run_json("list", "show", file, "--player", "7")["shown"] == []

    def test_one_federation(self, tmp_path: Path) -> None:
        rows = "1,Uno,ITA,M,,,1500,,,\n2,Due,FRA,F,,,1600,,,\n"
        (tmp_path / "l.csv").write_text(HEADING + rows)
        record = run_json("list", "show", str(tmp_path / "l.csv"), "--federation", "fra")
        assert ids(record["shown"]) == [2]

    def test_a_list_folder_is_a_list(self, month: Path) -> None:
        record = run_json("list", "show", str(month / "out" / "2024-06-01"))
        assert (record["kind"], record["on"]) == ("standard", "2024-06-01")
        assert record["players"] == 6

    def test_text_has_the_head_the_table_and_on_the_side_what_is_odd(self, tmp_path: Path) -> None:
        (tmp_path / "l.csv").write_text(HEADING + "1,Uno,ITA,M,,,1500,,,\n2,Due,ITA,M,,,x,,,\n")
        result = run("list", "show", str(tmp_path / "l.csv"), "--kind", "standard")
        assert result.exit_code == 0
        assert result.stdout.splitlines()[0].endswith("1 player, 1 rated")
        assert "Uno" in result.stdout
        assert "l.csv:3" in result.stderr
        assert "Due" not in result.stdout

    def test_nobody_found_is_said(self, tmp_path: Path) -> None:
        result = run("list", "show", write_list(tmp_path, LISTED), "--player", "Nessuno")
        assert "No players found." in result.stdout


class TestConvert:
    @pytest.mark.parametrize("name", ["l.txt", "l.xml", "l.csv", "l.parquet"])
    def test_the_name_tells_the_format_and_the_list_stays_the_list(
        self, tmp_path: Path, month: Path, name: str
    ) -> None:
        source = month / "out" / "2024-06-01"
        result = run("list", "convert", str(source), str(tmp_path / name), "--kind", "standard")
        assert result.exit_code == 0, result.output
        before, _ = read_list(source / "list.parquet", "standard")
        after, _ = read_list(tmp_path / name, "standard")
        assert after.id.tolist() == before.id.tolist()
        assert after.rating.tolist() == before.rating.tolist()
        assert after.name.tolist() == before.name.tolist()

    def test_the_option_tells_the_format_where_the_name_does_not(self, tmp_path: Path) -> None:
        source = write_list(tmp_path, LISTED)
        target = str(tmp_path / "list.of.today")
        assert run("list", "convert", source, target).exit_code == 1
        record = run_json("list", "convert", source, target, "--format", "fide_xml")
        assert record["format"] == "fide_xml"
        assert Path(target).read_bytes().startswith(b"<")

    def test_a_combined_file_stays_combined_and_one_kind_can_be_taken(self, tmp_path: Path) -> None:
        ones = [(player_id(1), 1500)], [(player_id(1), 1600), (player_id(2), 1700)]
        lists = {
            kind: read_list(Path(write_list(tmp_path, rows, f"{kind}.csv")), kind)[0]
            for kind, rows in zip(("standard", "rapid"), ones, strict=True)
        }
        combined = tmp_path / "combined.xml"
        write_lists(lists, combined, "fide_xml")
        record = run_json("list", "convert", str(combined), str(tmp_path / "c.txt"))
        assert {"standard", "rapid"} <= {one["kind"] for one in record["lists"]}
        rapid, _ = read_list(tmp_path / "c.txt", "rapid")
        assert rapid.rating.tolist() == [1600, 1700]
        run_json("list", "convert", str(combined), str(tmp_path / "r.csv"), "--kind", "rapid")
        assert read_list(tmp_path / "r.csv", "rapid")[0].rating.tolist() == [1600, 1700]

    def test_rows_left_out_are_told(self, tmp_path: Path) -> None:
        (tmp_path / "l.csv").write_text(HEADING + "1,Uno,ITA,M,,,1500,,,\n2,Due,ITA,M,,,x,,,\n")
        record = run_json("list", "convert", str(tmp_path / "l.csv"), str(tmp_path / "l.parquet"))
        assert "lists.left_out" in [finding["key"] for finding in record["findings"]]

    def test_a_file_is_not_converted_onto_itself(self, tmp_path: Path) -> None:
        source = write_list(tmp_path, LISTED)
        before = Path(source).read_bytes()
        result = run("list", "convert", source, f"{tmp_path}/./list.csv", "--format", "fide_txt")
        assert result.exit_code == 1
        assert Path(source).read_bytes() == before


class TestDiff:
    def test_counts_points_and_people(self, tmp_path: Path) -> None:
        before = write_list(
            tmp_path, [(1, 1500, 20), (2, 1600, 20), (3, 1700, 20), (4, None, None)], "a.csv"
        )
        after = write_list(
            tmp_path, [(1, 1530, 20), (2, 1590, 40), (4, 1450, 40), (5, None, None)], "b.csv"
        )
        record = run_json("list", "diff", before, after)
        counts = record["counts"]
        assert counts["changed"] == 2
        assert (counts["new"], counts["gone"], counts["joined"], counts["k"]) == (1, 1, 1, 1)
        assert record["points"] == {
            "before": 4800,
            "gained": 30,
            "lost": -10,
            "entering": 1450,
            "leaving": -1700,
            "after": 4570,
        }
        assert (ids(record["gains"]), ids(record["losses"])) == ([1], [2])
        assert record["gains"][0]["change"] == 30
        assert (ids(record["new"]), ids(record["gone"])) == ([4], [3])
        assert record["k"][0]["k_before"] == 20
        assert record["has_calculations"] is False
        assert {"from": 6, "to": 10, "gained": 0, "lost": 1} in record["histogram"]

    def test_what_else_changed(self, tmp_path: Path) -> None:
        (tmp_path / "a.csv").write_text(HEADING + "1,Uno,ITA,M,,,1500,,,i\n")
        (tmp_path / "b.csv").write_text(HEADING + '1,"Uno, Finto",FRA,M,,FM,1500,,,\n')
        record = run_json("list", "diff", str(tmp_path / "a.csv"), str(tmp_path / "b.csv"))
        for name in ("active", "title", "federation", "name"):
            assert ids(record[name]) == [1], name
        assert record["name"][0]["name_before"] == "Uno"
        assert record["federation"][0]["federation_before"] == "ITA"

    def test_a_folder_with_calculations_says_why(self, month: Path) -> None:
        before, after = month / "lists" / "2024-05-01.csv", month / "out" / "2024-06-01"
        record = run_json("list", "diff", str(before), str(after))
        assert record["has_calculations"]
        assert record["unexplained"] == 0
        (gain,) = [p for p in record["gains"] if p["id"] == player_id(6)]
        assert gain["why"]["n"] == 3
        assert gain["why"]["k_applied"] == 20
        assert gain["explained"]
        (first,) = record["new"]
        assert first["id"] == player_id(4)
        assert first["why"]["first_games"] == 5
        result = run("list", "diff", str(before), str(after))
        assert "Every rating matches the stored calculations." in result.stdout
        assert "First rating from" in result.stdout

    def test_another_list_before_is_noticed(self, month: Path, tmp_path: Path) -> None:
        rows = [(player_id(n), 1500, 20) for n in range(1, 7)]
        before = write_list(tmp_path, rows)
        record = run_json("list", "diff", before, str(month / "out" / "2024-06-01"))
        assert record["unexplained"] > 0
        result = run("list", "diff", before, str(month / "out" / "2024-06-01"))
        assert "do not match the stored calculations" in result.stdout

    def test_csv_has_a_row_for_everybody_who_changed(self, month: Path, tmp_path: Path) -> None:
        before, after = month / "lists" / "2024-05-01.csv", month / "out" / "2024-06-01"
        target = tmp_path / "d.csv"
        record = run_json(
            "list", "diff", str(before), str(after), "--csv", str(target), "--top", "0"
        )
        assert record["gains"] == []
        with target.open(newline="") as stream:
            rows = {int(row["id"]): row for row in csv.DictReader(stream)}
        counts = record["counts"]
        named = [row for row in rows.values() if "changed" in row["what"].split("+")]
        assert len(named) == counts["changed"]
        first = rows[player_id(4)]
        assert (first["what"], first["before"], first["first_games"]) == ("new", "", "5")
        assert int(rows[player_id(6)]["change"]) == (
            int(rows[player_id(6)]["after"]) - int(rows[player_id(6)]["before"])
        )
        assert {row["explained"] for row in rows.values()} == {"true"}

    def test_it_speaks_italian(self, tmp_path: Path) -> None:
        before, after = (write_list(tmp_path, [(1, r)], f"{r}.csv") for r in (1500, 1510))
        result = run("list", "diff", before, after, "--lang", "it")
        assert "I maggiori guadagni" in result.stdout

    def test_lists_of_two_kinds_are_a_doubt(self, tmp_path: Path) -> None:
        before = write_list(tmp_path, [(1, 1500)], "standard.csv")
        after = write_list(tmp_path, [(1, 1600)], "rapid.csv")
        keys = [f["key"] for f in run_json("list", "diff", before, after)["findings"]]
        assert "list.kinds_differ" in keys

    def test_a_list_and_itself_differ_in_nothing(self, month: Path) -> None:
        folder = str(month / "out" / "2024-06-01" / "list.parquet")
        counts = run_json("list", "diff", folder, folder)["counts"]
        assert sum(counts.values()) == counts["same"] + counts["unrated"]


class TestRefusals:
    @pytest.mark.parametrize("verb", ["show", "diff", "convert"])
    def test_a_file_that_is_not_there(self, tmp_path: Path, verb: str) -> None:
        args = [str(tmp_path / "a.csv")] + ([str(tmp_path / "b.csv")] if verb != "show" else [])
        assert run("list", verb, *args).exit_code == 1

    def test_a_folder_without_a_list(self, tmp_path: Path) -> None:
        result = run("list", "show", str(tmp_path))
        assert result.exit_code == 1
        assert "contains no list" in result.stderr

    def test_a_folder_whose_calculations_are_damaged(self, month: Path, tmp_path: Path) -> None:
        folder = tmp_path / "2024-06-01"
        folder.mkdir()
        source = month / "out" / "2024-06-01"
        (folder / "list.parquet").write_bytes((source / "list.parquet").read_bytes())
        (folder / "players.parquet").write_bytes(b"nothing")
        result = run("list", "diff", str(source), str(folder))
        assert result.exit_code == 1
        assert "players.parquet" in result.stderr

    def test_refusals_in_json(self, tmp_path: Path) -> None:
        record = json.loads(run("list", "show", str(tmp_path), "--json").stdout)
        assert record["refused"]

    def test_the_csv_is_not_written_over_a_list(self, tmp_path: Path) -> None:
        before = write_list(tmp_path, LISTED)
        assert run("list", "diff", before, before, "--csv", before).exit_code == 1
        assert Path(before).read_text("utf-8").startswith(HEADING)
