"""The logic of the hall's scripts under node, with the words that the server gives them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from arrocco.live.hall import TO_THE_SEATS
from arrocco.web.pages.hall_common import script_words
from arrocco.words import LANGUAGES

FRONTEND = Path(__file__).parents[2] / "frontend"
ESBUILD = FRONTEND / "node_modules" / ".bin" / "esbuild"


def test_the_logic_of_the_scripts_holds(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None or not ESBUILD.exists():
        pytest.skip("NO NODE: run `npm ci` in frontend/ to try the scripts' logic")
    words = tmp_path / "words.json"
    words.write_text(json.dumps({one: json.loads(script_words(one)) for one in LANGUAGES}))
    bundle = tmp_path / "hall.test.mjs"
    subprocess.run(
        [
            ESBUILD,
            FRONTEND / "tests" / "hall.test.mjs",
            "--bundle",
            "--platform=node",
            "--format=esm",
            f"--outfile={bundle}",
            "--log-level=warning",
        ],
        check=True,
        cwd=FRONTEND,
    )
    done = subprocess.run(
        [node, "--test", str(bundle)],
        env={**os.environ, "HALL_WORDS": str(words)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# pass 19" in done.stdout, done.stdout


def test_1_3_5_the_count_that_leads_to_a_board_is_over_before_its_clocks_run() -> None:
    script = (FRONTEND / "src" / "hall" / "round-start.ts").read_text()
    counted = re.search(r"^const SECONDS = (\d+);", script, re.MULTILINE)
    assert counted is not None
    assert int(counted[1]) * 1000 + 2000 <= TO_THE_SEATS  # the page of the board has to come, too
