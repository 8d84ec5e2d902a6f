"""The other forms of a rated period: JSON, CSV and the HTML page say the same figures."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from lxml import html as lxml_html

from arrocco.cli.report_csv import GAME_HEADING, PLAYER_HEADING
from arrocco.words import LANGUAGES
from tests.cli.tournaments import DEMO_NAMES, demo_args, rate, report, run, write_report


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARROCCO_LANG", "en")


def law_of(name: str) -> str:
    args = demo_args(name)
    return args[args.index("--law") + 1]


def rows_of(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8"), newline="")))


class TestJson:
    def test_has_what_its_readers_rely_on(self) -> None:
        record = rate(*demo_args("fide-open-2024"))
        assert (
            list(record)
            == """
            law edition editions readings list next_list waived tournaments players initial
            excluded findings
        """.split()
        )
        assert (
            list(record["players"][0])
            == """
            id name rating k k_reason k_applied n score average expected expected_unrounded
            delta variation change new_rating delisted tournaments
        """.split()
        )
        assert (
            list(record["initial"][0])
            == "id name n score average p dp initial publishable reasons tournaments".split()
        )
        assert (
            list(record["excluded"][0])
            == "tournament round white black game for reason text article".split()
        )

    @pytest.mark.parametrize("name", DEMO_NAMES)
    def test_is_the_same_in_both_languages_but_for_words(self, name: str) -> None:
        english = rate(*demo_args(name), law=law_of(name))
        italian = rate(*demo_args(name), "--lang", "it", law=law_of(name))
        assert english["players"] == italian["players"]
        assert english["initial"] == italian["initial"]
        for one, other in zip(english["excluded"], italian["excluded"], strict=True):
            assert one.pop("text") != other.pop("text")
            assert one == other

    def test_names_stay_as_they_are(self, tmp_path: Path) -> None:
        names = ['Quote", "Back\\slash', "<b>Bold</b>"]
        made = report([1500, 1600], [(1, 1, 2, "1")], names=names)
        record = rate(write_report(tmp_path, made))
        assert {player["name"] for player in record["players"]} == set(names)


class TestCsv:
    def test_on_the_screen_nothing_else_is_printed(self) -> None:
        result = run("report", "rate", *demo_args("fide-open-2024"), "--csv", "-")
        rows = rows_of(result.stdout_bytes)
        assert result.exit_code == 0
        assert tuple(rows[0]) == PLAYER_HEADING
        assert len(rows) == 15
        assert result.stdout_bytes.count(b"\r\n") == 16

    @pytest.mark.parametrize("name", DEMO_NAMES)
    def test_players_are_those_of_the_json(self, tmp_path: Path, name: str) -> None:
        target = tmp_path / "players.csv"
        record = rate(*demo_args(name), "--csv", str(target), law=law_of(name))
        rows = {row["id"]: row for row in rows_of(target.read_bytes())}
        assert len(rows) == len(record["players"]) + len(record["initial"])
        for player in record["players"]:
            row = rows[str(player["id"])]
            for key in ("name", "rating", "n", "score", "expected", "delta", "variation", "change"):
                assert row[key] == str(player[key]), key
            assert row["new_rating"] == str(player["new_rating"])
        for player in record["initial"]:
            row = rows[str(player["id"])]
            assert row["rating"] == ""
            assert row["new_rating"] == str(player["initial"] or "")

    def test_games_are_one_row_a_side(self, tmp_path: Path) -> None:
        target = tmp_path / "games.csv"
        record = rate(*demo_args("fide-open-2024"), "--games-csv", str(target))
        rows = rows_of(target.read_bytes())
        assert tuple(rows[0]) == GAME_HEADING
        assert len(rows) == 2 * record["tournaments"][0]["games"]
        counted = Counter(row["id"] for row in rows if row["counts"] == "yes")
        for player in record["players"]:
            assert counted[str(player["id"])] == player["n"]
        forfeits = [row for row in rows if row["reason"] == "unplayed"]
        assert [row["article"] for row in forfeits] == ["5.1", "5.1"]

    @pytest.mark.parametrize("name", ["=1+1", "+39 Tizio", "@Caio", "-2 Sempronio"])
    def test_a_name_never_becomes_a_formula(self, tmp_path: Path, name: str) -> None:
        made = report([1500, 1600], [(1, 1, 2, "0")], names=[name, "Due, Seconda"])
        result = run("report", "rate", write_report(tmp_path, made), "--law", "fide", "--csv", "-")
        rows = rows_of(result.stdout_bytes)
        assert rows[1]["name"] == f"'{name}"
        assert rows[1]["variation"] == "-7.20"  # our own negative numbers stay numbers


class _Balanced(HTMLParser):
    """Fails on a tag that is not closed in its place."""

    VOID = frozenset({"meta", "br", "input"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags[tag] += 1
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, (tag, self.getpos())


def page_of(folder: Path, *args: str) -> str:
    target = folder / "page.html"
    result = run("report", "rate", *args, "--html", str(target))
    assert result.exit_code == 0, result.output
    return target.read_text("utf-8")


def tree_of(page: str) -> Any:
    return lxml_html.fromstring(page)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DEMO_NAMES)
class TestPage:
    def test_is_whole_and_needs_nothing_else(
        self, tmp_path: Path, name: str, language: str
    ) -> None:
        page = page_of(tmp_path, *demo_args(name), "--lang", language)
        parser = _Balanced()
        parser.feed(page)
        assert parser.open == []
        assert parser.tags["script"] == parser.tags["link"] == parser.tags["img"] == 0
        assert not re.search(r"https?:|//[a-z]|@import|url\(|\son\w+=", page)
        assert f'<html lang="{language}">' in page
        assert "Content-Security-Policy" in page
        assert "{" not in re.sub(r"<style>.*?</style>", "", page, flags=re.S)

    def test_has_a_line_for_every_player_and_every_side_of_a_game(
        self, tmp_path: Path, name: str, language: str
    ) -> None:
        args = demo_args(name)
        tree = tree_of(page_of(tmp_path, *args, "--lang", language))
        record = rate(*args, law=law_of(name))
        sheets = tree.xpath("//table[contains(@class, 'sheet')]")
        lines = [row for sheet in sheets for row in sheet.xpath("./tbody/tr[1]")]
        assert len(lines) == len(record["players"]) + len(record["initial"])
        for line, player in zip(lines, record["players"], strict=False):
            cells = [cell.text_content() for cell in line]
            assert cells[1:5] == [
                str(player["id"]),
                player["name"],
                str(player["rating"]),
                str(player["average"]),
            ]
            variation = cells[10].replace("−", "-").replace("+", "").replace(",", ".")
            assert variation == player["variation"]
            assert cells[11] == str(player["new_rating"])
        games = tree.xpath("//div[@class='receipt']//table/tbody/tr")
        assert len(games) == 2 * record["tournaments"][0]["games"]
        assert len(tree.xpath("//details")) >= len(lines)

    def test_every_link_leads_to_one_place_on_the_page(
        self, tmp_path: Path, name: str, language: str
    ) -> None:
        tree = tree_of(page_of(tmp_path, *demo_args(name), "--lang", language))
        ids = Counter(tree.xpath("//@id"))
        links = set(tree.xpath("//a/@href"))
        assert links
        assert all(link.startswith("#") and ids[link[1:]] == 1 for link in links)
        assert set(ids.values()) == {1}


class TestEscapes:
    BAD = "<b>\"Tizio\"</b> & 'x' <script>1"

    def test_names_tournaments_and_files_are_text(self, tmp_path: Path) -> None:
        made = report([1500, None], [(1, 1, 2, "+")], names=[self.BAD, "</td><h1>x"], name=self.BAD)
        made.city = made.chief_arbiter = "<i>Città</i>"
        folder = tmp_path / "a<u>b"
        folder.mkdir()
        page = page_of(tmp_path, write_report(folder, made), "--law", "fide")
        parser = _Balanced()
        parser.feed(page)
        assert parser.open == []
        for tag in ("b", "i", "u", "script"):
            assert parser.tags[tag] == 0
        assert parser.tags["h1"] == 1
        tree = tree_of(page)
        assert tree.xpath("//h1")[0].text_content() == self.BAD
        assert self.BAD in [bdi.text_content() for bdi in tree.xpath("//summary/bdi")]
        assert "<i>Città</i>" in tree.text_content()

    def test_a_capped_difference_has_its_star(self, tmp_path: Path) -> None:
        tree = tree_of(page_of(tmp_path, *demo_args("fide-open-2024")))
        rows = tree.xpath("(//div[@class='receipt'])[1]//table/tbody/tr")
        cells = [cell.text_content() for cell in rows[0]]
        assert cells == ["1", "Lanzarote, Ermete", *"1901* +530 +400 0.92 1.0 +0.08 8.3.1".split()]

    def test_several_tournaments_have_their_own_receipts(self, tmp_path: Path) -> None:
        one = report([1500, 1600], [(1, 1, 2, "1")], name="Primo <uno>")
        two = report([1500, 1600], [(1, 2, 1, "1")], name="Secondo")
        files = [write_report(tmp_path, one, "a.trf"), write_report(tmp_path, two, "b.trf")]
        tree = tree_of(page_of(tmp_path, *files, "--law", "fide"))
        captions = [caption.text_content() for caption in tree.xpath("//caption")]
        assert captions == ["Primo <uno>", "Secondo"] * 2
        assert tree.xpath("//h1")[0].text_content() == "2 tournaments"


def test_all_forms_at_once_and_the_same_bytes_every_time(tmp_path: Path) -> None:
    written = []
    for run_number in (1, 2):
        folder = tmp_path / str(run_number)
        folder.mkdir()
        targets = {
            "--csv": folder / "p.csv",
            "--games-csv": folder / "g.csv",
            "--html": folder / "h.html",
        }
        args = [part for option, file in targets.items() for part in (option, str(file))]
        result = run("report", "rate", *demo_args("fide-open-2024"), *args)
        assert result.exit_code == 0
        assert sorted(file.name for file in folder.iterdir()) == ["g.csv", "h.html", "p.csv"]
        assert all(str(file) in result.stderr for file in targets.values())
        written.append([file.read_bytes() for file in targets.values()])
    assert written[0] == written[1]


def test_json_and_files_together(tmp_path: Path) -> None:
    target = tmp_path / "h.html"
    result = run("report", "rate", *demo_args("fide-open-2024"), "--html", str(target), "--json")
    assert json.loads(result.stdout)["law"] == "fide"
    assert result.stderr == ""
    assert target.exists()
