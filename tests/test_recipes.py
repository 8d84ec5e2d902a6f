"""The recipes of CONTRIBUTING.md and docs/web.md, tried as they stand in a copy of the program.

Each sample names its file in its first line; nothing but those files is changed.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.program_copy import ROOT, SOURCE, ProgramCopy

_FILE = r"(?:# |\{# )src/arrocco/(?P<path>[\w/.]+)(?P<where>:[^\n]*)?(?: #\})?"
_SAMPLE = re.compile(rf"^```\w+\n{_FILE}\n(?P<text>.*?)^```$", re.M | re.S)
LIST = SOURCE / "demo" / "bundled" / "fide-list-2024-05.csv"


def samples(document: str) -> dict[str, str]:
    """The files that a document gives, by path; the registry of formats with its new entry.

    A block with the path of a file that is there already is an excerpt of it, and no sample.
    """
    found = {}
    for sample in _SAMPLE.finditer((ROOT / document).read_text("utf-8")):
        text, place = sample["text"], SOURCE / sample["path"]
        if sample["where"]:
            before, end, after = place.read_text("utf-8").partition("\n]\n\n\ndef formats")
            assert end
            text = f"{before}\n{text.rstrip()}{end}{after}"
        elif place.exists():
            continue
        found[sample["path"]] = text
    return found


@pytest.fixture
def copy(tmp_path: Path) -> ProgramCopy:
    return ProgramCopy(tmp_path / "copy")


def test_every_sample_is_tried_here() -> None:
    assert list(samples("CONTRIBUTING.md")) == [
        "laws/fide/standard_2030.py",
        "formats/lists/list_jsonl.py",
        "formats/lists/registry.py",
    ]
    assert len(samples("docs/web.md")) == 4


def test_the_recipes_say_how_many_files_they_take() -> None:
    """As many as the trials below and `tests/hall/test_trial_act.py` change."""
    recipes = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert "One module and its test." in recipes
    assert (
        "Two files and a test: the module of the format, and its entry in the registry." in recipes
    )


def test_a_new_edition_is_one_module(copy: ProgramCopy) -> None:
    module = "laws/fide/standard_2030.py"
    copy.write(module, samples("CONTRIBUTING.md")[module])
    assert copy.changed() == [module]
    arrocco = ("-m", "arrocco")
    told = json.loads(copy.run(*arrocco, "law", "show", "fide", "--on", "2030-06-01", "--json"))
    assert told["edition"] == "2030-01-01"
    before = json.loads(copy.run(*arrocco, "law", "show", "fide", "--on", "2029-12-31", "--json"))
    assert (before["edition"], before["last_day"]) == ("2025-10-01", "2029-12-31")
    diff = copy.run(*arrocco, "law", "diff", "fide", "2025-10-01", "2030-01-01")
    assert "K_TOP" in diff
    assert "is_capped" in diff
    italian = copy.run(*arrocco, "law", "show", "fide", "--on", "2030-06-01", "--lang", "it")
    assert "ogni differenza conta per intero." in " ".join(italian.split())
    assert "K: 12 una volta raggiunti i 2400" in " ".join(italian.split())
    games = ("--rating", "2500", "2300:1", "1500:1", "--json")
    change = json.loads(
        copy.run(*arrocco, "calc", "change", "--law", "fide", "--on", "2030-06-01", *games)
    )
    assert change["k"] == 12
    assert [game["counted_difference"] for game in change["games"]] == [200, 1000]


def test_a_new_list_format_is_a_module_and_an_entry(copy: ProgramCopy, tmp_path: Path) -> None:
    ours = {path: text for path, text in samples("CONTRIBUTING.md").items() if "lists" in path}
    for path, text in ours.items():
        copy.write(path, text)
    assert copy.changed() == ["formats/lists/list_jsonl.py", "formats/lists/registry.py"]
    arrocco = ("-m", "arrocco")
    copy.run(
        *arrocco,
        "list",
        "convert",
        str(LIST),
        "2024-05-01.jsonl",
        "--kind",
        "standard",
        cwd=tmp_path,
    )
    copy.run(
        *arrocco, *"list convert 2024-05-01.jsonl again.csv --kind standard".split(), cwd=tmp_path
    )
    shown = [
        json.loads(
            copy.run(
                *arrocco,
                "list",
                "show",
                name,
                "--top",
                "100",
                "--kind",
                "standard",
                "--json",
                cwd=tmp_path,
            )
        )
        for name in (str(LIST), "again.csv")
    ]
    ratings = [[(player["id"], player["rating"]) for player in each["shown"]] for each in shown]
    assert len(ratings[0]) == 39
    assert ratings[0] == ratings[1]
    assert "jsonl" in copy.run(*arrocco, "period", "rate", "--help")
    folder = "import arrocco.store.list_folder as f, pathlib as p; "
    days = copy.run("-c", f"{folder}print(f.ListFolder(p.Path(), '').days())", cwd=tmp_path)
    assert "date(2024, 5, 1)" in days
    types = "from arrocco.web.pages.public_downloads import TYPES; print(TYPES['.jsonl'])"
    assert copy.run("-c", types) == "application/jsonl\n"
    published = "from arrocco.formats.lists.registry import published as p; print(len(p()))"
    assert copy.run("-c", published) == "3\n"


_VISIT = """
import sys
from contextlib import closing
from pathlib import Path
from litestar.testing import TestClient
from arrocco.desk import Office
from arrocco.web.app import create_app
with closing(Office.open(Path(sys.argv[1]))) as office:
    with TestClient(create_app(office, secure=False)) as client:
        for language in ("en", "it"):
            answer = client.get(f"/{language}/latest/fide")
            print(answer.status_code, answer.text)
    print("closed")
"""


def test_a_new_page_is_a_module_a_template_and_its_words(copy: ProgramCopy, tmp_path: Path) -> None:
    ours = samples("docs/web.md")
    for path, text in ours.items():
        copy.write(path, text)
    assert copy.changed() == [
        "web/pages/latest.py",
        "web/templates/latest.html",
        "words/en/latest.toml",
        "words/it/latest.toml",
    ]
    told = copy.run("-c", _VISIT, str(tmp_path / "office"))
    assert "<h1>Latest list</h1>" in told
    assert "<h1>Ultima lista</h1>" in told
    assert told.count("200 <!") == 2
