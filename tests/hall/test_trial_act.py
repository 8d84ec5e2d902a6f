"""A new act is one module and the file with its words: tried in a copy of the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.program_copy import ROOT, ProgramCopy


@pytest.mark.parametrize(
    ("kind", "trial", "act"),
    [
        ("game", "trial_act", "allow_leaving"),
        ("event", "trial_event_act", "take_back_check_in"),
    ],
)
def test_a_new_act_is_one_module_and_its_words(
    tmp_path: Path, kind: str, trial: str, act: str
) -> None:
    copy = ProgramCopy(tmp_path)
    module, words = f"hall/{kind}/acts/{act}.py", f"words/acts/{kind}/{act}.toml"
    for path in (module, words):
        here = Path(__file__).parent / trial / Path(path).name
        copy.write(path, here.read_text("utf-8"))
    assert copy.changed() == [module, words]
    assert copy.run("-m", f"tests.hall.{trial}.session") == "the act is there\n"


def test_the_recipe_says_how_many_files_an_act_takes() -> None:
    recipe = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert "Two files and a test: one module, and its words in both languages." in recipe
