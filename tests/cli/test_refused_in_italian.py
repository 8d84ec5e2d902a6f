"""What the program refuses it refuses in Italian too: no English sentence comes out."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest

from arrocco.cli import main as main_module
from arrocco.cli.output import Output, output_options
from arrocco.errors import Illegal
from arrocco.formats.lists import read_list, write_lists
from arrocco.formats.lists import write_list as write_kind
from arrocco.watch.settings import NODES, watch_settings_from
from tests.cli.tournaments import (
    DEMO,
    FIRST,
    national,
    report,
    run,
    write_list,
    write_report,
)
from tests.refusals import SOURCE, by_key, modules

ENGLISH = re.compile(
    r"\b(?:the|is|are|has|have|not|no such|cannot|must|of|and|with|from|there|this|which|it|as"
    r"|give|choose|write|put|correct|(?<!report )check(?!\.)|article|no|for|at|add|enter|use)\b",
    re.IGNORECASE,
)
CHANGE = ("calc", "change", "--on", "2024-05-01", "--rating", "1500")
OPEN = str(DEMO / "fide-open-2024.trf")
LIST = str(DEMO / "fide-list-2024-05.csv")
PERIOD = ("period", "rate", "--reports", OPEN, "--out", "out")

IN_PAGES = tuple(
    "library laws/systems.py hall office web store/sql live desk operation video".split()
)
"""What is asked through pages and sockets, whose own tests show its refusals in both languages."""

REFUSED: dict[str, tuple[str, ...]] = {
    "timecontrol.refused.not_understood": (
        *CHANGE,
        "--law",
        "fide",
        "--time-control",
        "5 mele",
        "1500:1",
    ),
    "laws.refused.not_in_force": ("law", "show", "fide", "--on", "2020-01-01"),
    "laws.refused.no_regulation": ("law", "show", "fida"),
    "laws.refused.no_edition": ("law", "diff", "fide", "2024-03-01", "2024-03-02"),
    "laws.refused.no_reading": (*CHANGE, "--law", "fide", "--reading", "a=b", "1500:1"),
    "laws.refused.uisp_no_control": (*CHANGE, "--law", "uisp", "1500:1"),
    "cli.refused.game_not_rated": (*CHANGE, "--law", "fide", "--time-control", "15'", "1500:1"),
    "fairplay.no_baseline": (
        "fairplay",
        "screen",
        OPEN,
        "--time-class",
        "blitz",
        "--baseline",
        LIST,
    ),
    "cli.refused.system": ("report", "rate", "--law", "fide", "missing.trf"),
    "engine.refused.no_rating": (*CHANGE, "--law", "fide", "15000:1"),
    "engine.refused.no_initial_rating": tuple(
        "calc initial --law rio --on 2025-06-01 1500:1".split()
    ),
    "report.has_errors": ("report", "rate", "t.trf", "--law", "fide", "--list", "one.csv"),
    "report.unreadable": ("report", "rate", "binary", "--law", "fide"),
    "admission.refused.unknown_key": tuple(
        "report rate t.trf --law fide --waive check.mele --reason mele".split()
    ),
    "admission.refused.never_waived": tuple(
        "report rate t.trf --law fide --waive check.no_edition --reason mele".split()
    ),
    "admission.refused.no_reason": (
        *"report rate t.trf --law fide --waive check.too_long --reason".split(),
        " ",
    ),
    "admission.refused.reasons_differ": tuple(
        "report rate t.trf --law fide --waive check.too_long".split()
    ),
    "admission.refused.waives_nothing": tuple(
        "report rate t.trf --law fide --waive check.too_long --reason mele".split()
    ),
    "report.same_report": ("report", "rate", "t.trf", "u.trf", "--law", "fide"),
    "report.unknown_player": ("report", "explain", "t.trf", "--law", "fide", "--player", "Zzz"),
    "report.output_is_folder": ("report", "rate", "t.trf", "--law", "fide", "--csv", "empty"),
    "report.refused.parquet_columns": tuple(
        """
        period rate --reports list.parquet --law fide --period 2024-05 --lists lists --out out
    """.split()
    ),
    "unwinnable.not_a_position": ("position", "judge", "x"),
    "replay.refused.not_in_force": tuple(
        """
        period replay --law fide --as rio --kind rapid --lists lists --reports 2024-05=t.trf
        --out replayed
    """.split()
    ),
    "statistics.refused.no_lists": ("statistics", "show", "empty"),
    "desk.refused.not_an_office": ("office", "status", "--office", "empty"),
    "demo_office.in_the_way": ("demo", "office", "--office", "lists"),
    "demo_event.in_the_way": ("demo", "event", "--office", "lists"),
    "web.refused.address": ("serve", "--office", "served", "--host", "192.0.2.1"),
    "lists.refused.no_known_format": ("list", "show", "binary"),
    "lists.refused.unreadable": ("list", "show", "missing.csv"),
    "lists.refused.kind_not_there": ("list", "show", "fide.txt", "--kind", "uisp"),
    "list.no_list": ("list", "show", "empty"),
    "store.refused.no_list": (*PERIOD, "--law", "fide", "--period", "2024-05", "--lists", "empty"),
    "store.refused.unreadable": (*PERIOD, *"--law fide --period 2024-06 --lists lists".split()),
    "period.refused.no_kind": (*PERIOD, "--law", "rio", "--period", "2025-06", "--lists", "empty"),
    "period.refused.no_reports": tuple(
        """
        period rate --reports empty --law fide --period 2024-05 --lists lists --out out
    """.split()
    ),
    "player.no_period": ("player", "explain", "Finto", "--period", "2024-05", "--lists", "empty"),
    "demo.in_the_way": ("demo", "write", "demo"),
    "generate.in_the_way": tuple("demo generate --players 100 --games 100 --out demo".split()),
    "generate.refused.no_federation": tuple(
        "demo generate --players 5 --games 100 --out new".split()
    ),
}


def _pgn() -> None:
    from arrocco.formats.pgn import to_report

    to_report([])


def _trf() -> None:
    from arrocco.formats.trf import from_report

    made = report([1500, 1600], [(1, 1, 2, "1")])
    made.entries[0].national = national(1450, 7)
    from_report(made, "trf16")


def _recording() -> None:
    raise Illegal.of("recording.not_validated", event="piante")


def _watch() -> None:
    watch_settings_from({NODES: "many"})


BY_NO_COMMAND: dict[str, Callable[[], Any]] = {
    "pgn.refused.no_games": _pgn,
    "trf.refused.national_ratings": _trf,
    "recording.not_validated": _recording,
    "watch.setting": _watch,
}
"""What no command does yet, done by an invented one."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files that something is wrong with, in the working folder."""
    monkeypatch.chdir(tmp_path)
    made = report([1500, 1600], [(1, 1, 2, "1")])
    write_report(tmp_path, made)
    write_report(tmp_path, made, "u.trf")
    write_report(tmp_path, report([1500, 1600], [(1, 1, 2, "0")]), "v.trf")
    write_list(tmp_path, [(FIRST, 1500)], "one.csv")
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 4)
    (tmp_path / "empty").mkdir()
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / Path(OPEN).name).write_text("altro")
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "2024-05-01.csv").write_bytes(Path(LIST).read_bytes())
    listed, _ = read_list(Path(LIST), "standard")
    write_lists({"standard": listed}, tmp_path / "fide.txt", "fide_txt")
    without_state = tmp_path / "lists" / "2024-06-01"
    without_state.mkdir()
    for file in (tmp_path / "list.parquet", without_state / "list.parquet"):
        write_kind(listed, file, "parquet")
    return tmp_path


def check_both_languages(key: str, *args: str) -> None:
    told = {}
    for language in ("en", "it"):
        result = run(*args, "--lang", language, "--json")
        assert result.exit_code == 1, result.output
        told[language] = json.loads(result.stdout)
    english, italian = told["en"], told["it"]
    assert english["key"] == italian["key"] == key
    assert english.get("details") == italian.get("details")
    assert english["refused"] != italian["refused"]
    assert english["advice"] != italian["advice"] or not english["advice"]
    assert ENGLISH.search(f"{english['refused']}, {english['advice']}")

    printed = run(*args, "--lang", "it")
    assert printed.exit_code == 1
    assert printed.stderr.splitlines()[0] == f"Rifiutato: {italian['refused']}"
    assert italian["advice"] in printed.stderr
    found = ENGLISH.findall(re.sub(r"`[^`]*`|/\S+", "", printed.stdout + printed.stderr))
    assert not found, printed.output


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("key", REFUSED)
def test_a_command_refuses_in_both_languages(key: str) -> None:
    check_both_languages(key, *REFUSED[key])


@pytest.mark.parametrize("key", BY_NO_COMMAND)
def test_what_no_command_does_is_refused_in_both_languages(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(out: Output) -> None:
        BY_NO_COMMAND[key]()

    module = ModuleType("arrocco.cli.invented")
    module.command = click.command()(output_options(refuse))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(main_module.NOUNS, "invented", "An invented noun.")
    monkeypatch.setattr(main_module, "_has_module", lambda name: name == "invented")
    check_both_languages(key, "invented")


def test_every_part_that_refuses_is_tried() -> None:
    parts = {
        made.key.partition(".")[0]
        for path in modules()
        if not any(path.is_relative_to(SOURCE / asked) for asked in IN_PAGES)
        for made in by_key(path)
    }
    tried = {key.partition(".")[0] for key in (*REFUSED, *BY_NO_COMMAND)}
    # What pairings and the hall refuse is tried beside their commands and pages.
    assert parts - {"pairing", "hall_live"} <= tried


def test_a_refusal_in_json_tells_its_key_and_details() -> None:
    result = run("law", "show", "fide", "--on", "2020-01-01", "--lang", "it", "--json")
    told = json.loads(result.stdout)
    assert told["refused"] == "il 01/01/2020 non è in vigore alcuna edizione di fide"
    assert told["key"] == "laws.refused.not_in_force"
    assert told["details"]["on"] == "2020-01-01"
    assert told["details"]["editions"][-1] in told["advice"]
    assert told["findings"] == []
