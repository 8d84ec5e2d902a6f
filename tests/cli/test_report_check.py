"""`arrocco report check`: text and JSON, both languages, exit statuses, and files of every kind."""

from __future__ import annotations

import json
import random
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arrocco.cli.main import program
from arrocco.laws import registry
from tests.desk.offices import data_of, report
from tests.pgn_games import pgn_of

PEOPLE = (
    ("Abete, Anna", 1950, 99000001),
    ("Betulla, Bruno", 1900, 99000002),
    ("Cedro, Carla", 1850, 99000003),
    ("Dattero, Dino", None, 99000004),
)
ROUNDS = (("2 w 1", "1 b 0", "4 w =", "3 b ="), ("3 b =", "4 w 1", "1 w =", "2 b 0"))
HEAD: dict[str, str | None] = {
    "012": "Torneo di prova",
    "022": "Sassello",
    "032": "ITA",
    "042": "2024/05/04",
    "052": "2024/05/05",
    "092": "Individual: Swiss-System",
    "102": "Larice, Lea",
    "122": "90 min + 30 sec/move",
    "132": " " * 87 + "24/05/04  24/05/05",
}
CALM = {"check.registration", "check.first_ratings"}
"""Notes that a report without defects gets; which list it can be on is one more."""


def trf(people: tuple[Any, ...] = PEOPLE, /, **head: str | None) -> str:
    """A small report; a record given as `t042` replaces that of the head, `None` leaves it out."""
    records = {**HEAD, **{tag[1:]: text for tag, text in head.items()}}
    lines = [f"{tag} {text}" for tag, text in records.items() if text is not None]
    for number, (name, rating, identity) in enumerate(people, start=1):
        results = [round_[number - 1] for round_ in ROUNDS]
        points = sum({"1": 2, "=": 1, "0": 0}[result[-1]] for result in results)
        lines.append(
            f"001 {number:4} m    {name:<33} {rating or '':>4} ITA {identity or '':>11} 1987/00/00"
            f" {points // 2}.{5 * (points % 2):<2} {number:4}  "
            + "  ".join(f"{result:>8}" for result in results)
        )
    return "\r\n".join(lines) + "\r\n"


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARROCCO_LANG", "en")


@pytest.fixture
def regular(tmp_path: Path) -> str:
    return file(tmp_path, trf())


def file(folder: Path, text: str | bytes, name: str = "t.trf") -> str:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return str(path)


def run(*args: str, **more: Any) -> Result:
    result = CliRunner().invoke(program, ["report", "check", *args], prog_name="arrocco", **more)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


def run_json(*args: str, status: int = 0) -> Any:
    result = run(*args, "--json")
    assert result.exit_code == status, result.output
    assert result.stderr == ""
    return json.loads(result.stdout)


def keys(record: Any) -> set[str]:
    return {finding["key"] for finding in record["findings"]}


class TestRegularReport:
    def test_without_a_law_only_the_file_is_checked_and_it_says_so(self, regular: str) -> None:
        result = run(regular)
        assert result.exit_code == 0
        assert result.stdout == f"{regular}: errors 0, warnings 0, notes 0 (the file only)\n"
        assert "no --law given" in result.stderr

    def test_the_edition_in_force_at_the_start_judges_it(self, regular: str) -> None:
        result = run(regular, "--law", "fide")
        assert result.exit_code == 0
        assert result.stdout.endswith("errors 0, warnings 0, notes 3 (fide 2024-03-01)\n")
        assert result.stderr == ""

    def test_json_has_counts_and_findings(self, regular: str) -> None:
        told = run_json(regular, "--law", "fide")
        (record,) = told["files"]
        assert list(told) == ["files", "errors", "warnings", "notes"]
        assert list(record) == "file law edition findings errors warnings notes".split()
        assert (record["file"], record["law"], record["edition"]) == (regular, "fide", "2024-03-01")
        assert (record["errors"], record["warnings"], record["notes"]) == (0, 0, 3)
        assert keys(record) == CALM | {"check.first_and_last_list"}
        deadline = next(f for f in record["findings"] if f["key"] == "check.registration")
        assert deadline == {
            "severity": "note",
            "key": "check.registration",
            "file": regular,
            "line": None,
            "column": None,
            "article": "0.2.2",
            "details": {"start": "2024-05-04", "deadline": "2024-05-01"},
            "more": 0,
            "text": "a tournament starting on 2024-05-04 must be registered by 2024-05-01",
            "do": "a later registration needs approval",
        }

    def test_json_without_a_law(self, regular: str) -> None:
        (record,) = run_json(regular)["files"]
        assert (record["law"], record["edition"], record["findings"]) == (None, None, [])

    @pytest.mark.parametrize("law", registry.LAWS)
    def test_every_law_can_be_asked(self, law: str, tmp_path: Path) -> None:
        name = file(tmp_path, trf(t042="2025/05/04", t052="2025/05/05"))
        result = run(name, "--law", law)
        assert result.exit_code in (0, 1)
        assert f"({law} " in result.stdout

    def test_italian_words(self, regular: str) -> None:
        result = run(regular, "--law", "fide", "--lang", "it")
        assert "nota: un torneo che inizia il 04/05/2024 va registrato" in result.stdout
        assert result.stdout.endswith("errori 0, avvisi 0, note 3 (fide 2024-03-01)\n")
        assert "senza --law" in run(regular, "--lang", "it").stderr


class TestObjections:
    def test_an_error_gives_status_1_and_stands_first_with_line_and_article(
        self, tmp_path: Path
    ) -> None:
        people = (*PEOPLE[:3], ("Dattero, Dino", 3100, 99000001))
        name = file(tmp_path, trf(people, t122="60 min"))
        result = run(name, "--law", "fide")
        assert result.exit_code == 1
        lines = [line for line in result.stdout.splitlines() if not line.startswith("    ")]
        severities = [line.split(": ")[1] for line in lines[:-1]]
        assert severities == sorted(severities, key=["error", "warning", "note"].index)
        assert lines[0].startswith(f"{name}:10:92: error: all 4 games are too fast")
        assert lines[0].endswith("[1.1]")
        assert lines[1].startswith(f"{name}:13:58: error: Dattero, Dino (number 4) has the ID")

    def test_what_the_reader_and_the_law_both_see_is_said_once(self, tmp_path: Path) -> None:
        people = (("Abete, Anna", 1950, None), *PEOPLE[1:3], ("Dattero, Dino", None, 99000002))
        name = file(tmp_path, trf(people, t052="2024/05/03", t122=None))
        alone = keys(run_json(name)["files"][0])
        assert {"trf.id_missing", "trf.id_repeated", "trf.time_control_missing"} <= alone
        assert "trf.end_before_start" in alone
        (record,) = run_json(name, "--law", "fide", status=1)["files"]
        assert not keys(record) & alone - {"trf.round_date_outside"}
        places = {f["key"]: (f["line"], f["column"]) for f in record["findings"]}
        assert places["check.id_missing"] == (9, 58)
        assert places["check.id_repeated"] == (12, 58)
        assert places["check.end_before_start"] == (5, 5)
        assert places["check.time_control_unknown"] == (None, None)

    def test_what_the_law_sums_up_stands_at_its_first_place(self, tmp_path: Path) -> None:
        people = (*PEOPLE[:2], ("Cedro, Carla", None, None), ("Dattero, Dino", None, None))
        (record,) = run_json(file(tmp_path, trf(people)), "--law", "fide")["files"]
        assert "trf.id_missing" not in keys(record)
        (finding,) = [f for f in record["findings"] if f["key"] == "check.unrated_without_id"]
        assert (finding["line"], finding["column"], finding["details"]["count"]) == (12, 58, 2)

    @pytest.mark.parametrize(
        ("tag", "key"), [("t042", "check.start_missing"), ("t052", "check.end_missing")]
    )
    def test_a_missing_day_is_said_once(self, tag: str, key: str, tmp_path: Path) -> None:
        name = file(tmp_path, trf(**{tag: None}))
        (record,) = run_json(name, "--law", "fide", status=1)["files"]
        assert key in keys(record)
        assert "trf.mandatory_missing" not in keys(record)
        assert record["edition"] == (None if tag == "t042" else "2024-03-01")

    def test_an_undated_law_judges_a_report_without_a_start(self, tmp_path: Path) -> None:
        name = file(tmp_path, trf(t042=None))
        (record,) = run_json(name, "--law", "uisp", status=1)["files"]
        assert record["edition"] == "undated"
        assert "check.start_missing" in keys(record)

    def test_a_start_outside_every_edition_names_the_nearest(self, tmp_path: Path) -> None:
        old = file(tmp_path, trf(t042="2020/05/04", t052="2020/05/05", t132=None), "old.trf")
        new = file(tmp_path, trf(), "new.trf")
        result = run(old, new, "--law", "fide")
        assert result.exit_code == 1
        assert "error: no edition of fide is in force on 2020-05-04" in result.stdout
        assert "2012-07-01 – 2014-06-30; 2022-01-01 – 2023-12-24" in result.stdout
        assert f"{old}: errors 1, warnings 0, notes 0 (fide, no edition)" in result.stdout
        assert f"{new}: errors 0, warnings 0, notes 3 (fide 2024-03-01)" in result.stdout
        assert result.stdout.endswith("2 files: errors 1, warnings 0, notes 3\n")

    def test_9_1_of_two_files_of_the_same_games_the_second_has_an_error(
        self, tmp_path: Path, regular: str
    ) -> None:
        """What `report rate` and `period rate` refuse is said here too."""
        longer = file(tmp_path, trf(t052="2024/05/06"), "again.trf")
        moved = file(tmp_path, trf(t042="2024/06/01", t052="2024/06/02"), "june.trf")
        record = run_json(regular, longer, moved, "--law", "fide", status=1)
        found = [
            [
                one["details"]["other"]
                for one in each["findings"]
                if one["key"] == "check.same_games"
            ]
            for each in record["files"]
        ]
        assert found == [[], [regular], []]

    def test_9_1_of_two_files_with_the_same_players_and_days_the_second_has_a_warning(
        self, tmp_path: Path, regular: str
    ) -> None:
        turned = str.maketrans("wb", "bw")
        lines = [
            line[:89] + line[89:].translate(turned) if line.startswith("001") else line
            for line in Path(regular).read_text("utf-8").splitlines()
        ]
        again = file(tmp_path, "\n".join(lines) + "\n", "again.trf")
        record = run_json(regular, again, "--law", "fide")
        found = [
            keys(each) & {"check.same_players", "check.same_games"} for each in record["files"]
        ]
        assert found == [set(), {"check.same_players"}]


class TestOptions:
    @pytest.mark.parametrize(("on", "status"), [("2024-07-31", 0), ("2024-08-01", 1)])
    def test_on_is_the_day_of_sending(self, on: str, status: int, regular: str) -> None:
        (record,) = run_json(regular, "--law", "fide", "--on", on, status=status)["files"]
        assert ("check.too_late" in keys(record)) is (status == 1)

    def test_a_time_control_replaces_the_report_s_and_says_so(self, regular: str) -> None:
        (record,) = run_json(regular, "--law", "fide", "--time-control", "30+0", status=1)["files"]
        assert {"check.time_control_differs", "check.all_games_too_fast"} <= keys(record)

    def test_the_same_time_control_says_nothing(self, regular: str) -> None:
        (record,) = run_json(regular, "--law", "fide", "--time-control", "90'+30\"")["files"]
        assert "check.time_control_differs" not in keys(record)

    def test_online(self, tmp_path: Path) -> None:
        name = file(tmp_path, trf(t042="2025/05/04", t052="2025/05/05", t122="3+2", t132=None))
        assert "check.not_online" in keys(run_json(name, "--law", "rio", status=1)["files"][0])
        assert "check.not_online" not in keys(
            run_json(name, "--law", "rio", "--online")["files"][0]
        )
        assert run(name, "--law", "fide-blitz", "--online").exit_code == 1

    def test_a_reading_is_handed_to_the_edition(self, tmp_path: Path) -> None:
        dates: dict[str, str | None] = {"t042": "2012/01/01", "t052": "2012/03/31", "t132": None}
        name = file(tmp_path, trf(**dates))
        assert "check.too_long" in keys(run_json(name, "--law", "fide", status=1)["files"][0])
        reading = ("--reading", "tournament_days=elapsed")
        assert "check.too_long" not in keys(run_json(name, "--law", "fide", *reading)["files"][0])

    @pytest.mark.parametrize(
        "option",
        [
            ("--on", "2024-05-10"),
            ("--list", "l.csv"),
            ("--online",),
            ("--time-control", "3+2"),
            ("--reading", "a=b"),
        ],
    )
    def test_without_a_law_the_other_options_are_a_misuse(
        self, option: tuple[str, ...], regular: str
    ) -> None:
        assert run(regular, *option).exit_code == 2

    @pytest.mark.parametrize(
        "option",
        [
            ("--law", "chess"),
            ("--law", "fide", "--time-control", "soon"),
            ("--law", "fide", "--reading", "no_such=thing"),
            ("--law", "fide", "--list", "nowhere"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, option: tuple[str, ...], regular: str) -> None:
        result = run(regular, *option)
        assert result.exit_code == 1
        assert result.stdout == ""
        assert result.stderr.startswith("Refused: ")

    def test_no_file_is_a_misuse(self) -> None:
        assert run().exit_code == 2


class TestList:
    ROWS = (
        "99000001,Abete Anna,ITA,1950",
        "99000002,Betulla Bruno,ITA,1910",
        "99000004,Dattero Dino,FID,",
    )

    def check(self, folder: Path, rows: tuple[str, ...], report: str, status: int) -> Any:
        text = "\n".join(("id,name,federation,rating", *rows, ""))
        listed = file(folder, text, "standard.csv")
        return run_json(report, "--law", "fide", "--list", listed, status=status)

    def test_players_are_compared_with_it(self, tmp_path: Path, regular: str) -> None:
        rows = (*self.ROWS, "99000003,Cedro Carla,ITA,1850")
        told = self.check(tmp_path, rows, regular, 0)
        (record,) = told["files"]
        assert keys(record) - CALM == {
            "check.first_and_last_list",
            "check.rating_differs",
            "check.federation_differs",
        }
        assert told["list"]["file"].endswith("standard.csv")

    def test_an_unknown_player_is_looked_for_in_the_whole_list(
        self, tmp_path: Path, regular: str
    ) -> None:
        rows = (*self.ROWS, '99000030,"Cedro, Carla",ITA,1850')
        (record,) = self.check(tmp_path, rows, regular, 1)["files"]
        finding = next(f for f in record["findings"] if f["key"] == "check.not_on_list_perhaps")
        assert finding["line"] == 12
        assert finding["do"] == "correct the ID; perhaps it is: Cedro, Carla 99000030 (ITA)"

    def test_a_row_that_cannot_be_read_is_told(self, tmp_path: Path, regular: str) -> None:
        told = self.check(tmp_path, (*self.ROWS, "99000003,Cedro Carla,ITA,much"), regular, 1)
        assert any(finding["line"] == 5 for finding in told["list"]["findings"])


class TestBadInput:
    """Whatever a file holds, it is refused with words, and the other files are still checked."""

    TABLE = {
        "empty": b"",
        "blank": b"\r\n\r\n",
        "zeros": b"\0" * 2000,
        "binary": random.Random(7).randbytes(4000),
        "image": b"\x89PNG\r\n\x1a\n" + random.Random(8).randbytes(500),
        "archive": b"PK\x03\x04" + random.Random(9).randbytes(500),
        "prose": b"The report will follow tomorrow.\n",
        "no players": trf(()).encode(),
        "utf-16": trf().encode("utf-16"),
        "only numbers": b"001\n001\n001\n",
        "long line": b"001 " + b"x" * 200_000,
    }

    @pytest.mark.parametrize("name", TABLE)
    @pytest.mark.parametrize("law", [None, "fide", "uisp"])
    def test_is_an_error_of_that_file_alone(
        self, name: str, law: str | None, tmp_path: Path
    ) -> None:
        bad = file(tmp_path, self.TABLE[name], "bad.trf")
        good = file(tmp_path, trf(), "good.trf")
        options = ("--law", law) if law else ()
        told = run_json(bad, good, *options, status=1)
        assert told["files"][0]["errors"] >= 1
        assert told["files"][1]["errors"] == 0
        for language in ("en", "it"):
            text = run(bad, good, *options, "--lang", language)
            assert text.exit_code == 1
            assert f"{bad}" in text.stdout

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1", "cp1252", "cp850", "utf-8"])
    def test_other_encodings_of_text_are_read(self, encoding: str, tmp_path: Path) -> None:
        people = (("Tiglio, Niccolò", 1950, 99000001), *PEOPLE[1:])
        name = file(tmp_path, trf(people).encode(encoding))
        assert run_json(name, "--law", "fide")["files"][0]["errors"] == 0

    def test_a_file_cut_anywhere_never_fails(self, tmp_path: Path) -> None:
        whole = trf().encode()
        for end in range(0, len(whole), 37):
            result = run(file(tmp_path, whole[:end]), "--law", "fide")
            assert result.exit_code in (0, 1)
            assert "errors" in result.stdout

    def test_a_file_that_is_not_there_or_a_folder(self, tmp_path: Path, regular: str) -> None:
        told = run_json(str(tmp_path / "nowhere"), str(tmp_path), regular, status=1)
        assert [keys(record) for record in told["files"]] == [
            {"check.unreadable"},
            {"check.unreadable"},
            set(),
        ]

    @pytest.mark.parametrize("day", ["9999/12/31", "0024/05/04", "1899/12/31"])
    @pytest.mark.parametrize("law", registry.LAWS)
    def test_days_beyond_reckoning(self, day: str, law: str, tmp_path: Path) -> None:
        name = file(tmp_path, trf(t042=day, t052=day))
        result = run(name, "--law", law, "--on", "9999-12-31")
        assert result.exit_code == 1

    def test_the_standard_input_is_a_dash(self) -> None:
        result = run("-", "--law", "fide", input=trf().encode())
        assert result.exit_code == 0
        assert "(fide 2024-03-01)" in result.stdout


def test_9_4_games_are_matched_with_the_report(tmp_path: Path) -> None:
    made = report(4, date(2025, 5, 8), players=range(1, 7), rounds=5)
    (tmp_path / "r.trf").write_bytes(data_of(made))
    (tmp_path / "g.pgn").write_bytes(pgn_of(made, made.games[1:]))
    hybrid = (str(tmp_path / "r.trf"), "--law", "fide", "--fact", "hybrid")
    assert "check.hybrid_games_file" in run(*hybrid, "--json").stdout
    result = run(*hybrid, "--games", str(tmp_path / "g.pgn"), "--json")
    found = json.loads(result.stdout)["files"][0]["findings"]
    assert "check.hybrid_games_file" not in {one["key"] for one in found}
    missing = [one for one in found if one["key"] == "games_sent.missing"]
    assert [(one["article"], one["severity"]) for one in missing] == [("9.4", "warning")]
    (tmp_path / "g.pgn").write_bytes(b"\n")
    broken = run(*hybrid, "--games", str(tmp_path / "g.pgn"), "--json")
    assert broken.exit_code == 1
    absent = run(*hybrid, "--games", str(tmp_path / "none.pgn"))
    assert absent.exit_code == 1
    assert run("a", "b", "--games", "g.pgn").exit_code == 2
