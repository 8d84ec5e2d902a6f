"""Baselines of several paces in one file: the site names one, and its events are of several."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from arrocco.cli.fairplay import NODES
from arrocco.cli.main import program
from arrocco.errors import Inconsistent
from arrocco.fairplay.baseline import Baseline, make_baseline
from arrocco.fairplay.helper import count_helper
from arrocco.fairplay.joined import joined, paces_of
from arrocco.fairplay.pgn import watched_games
from arrocco.fairplay.records import GameAnalysis
from arrocco.fairplay.screen import screen
from arrocco.watch.settings import WatchSettings
from tests.fairplay.test_engine import PGN, engine
from tests.fairplay.test_screen import SETTING, games_of

__all__ = ["engine"]


def at(pace: str, games: list[GameAnalysis]) -> list[GameAnalysis]:
    return [replace(made, game=replace(made.game, time_class=pace)) for made in games]


def of(pace: str, source: str = "invented games") -> Baseline:
    return make_baseline(at(pace, games_of(1, 60, players=6)), SETTING, [source])


def test_each_event_is_compared_with_its_own_pace() -> None:
    rapid, blitz = of("rapid", "evenings"), of("blitz", "mornings")
    both = joined(rapid, [blitz])
    assert paces_of(both) == {"rapid", "blitz"}
    assert (both.games, both.sources) == (120, ("evenings", "mornings"))
    for pace, alone in (("rapid", rapid), ("blitz", blitz)):
        games = at(pace, games_of(2, 20))
        assert screen(games, both).players == screen(games, alone).players
        assert screen(games, both).threshold == screen(games, alone).threshold
    unknown = screen(at("bullet", games_of(2, 20)), both)
    assert (unknown.comparable, unknown.spread) == (True, None)
    assert [figure.z for player in unknown.players for figure in player.figures] == [None] * 6


def test_a_pace_that_both_know_and_another_engine_are_refused() -> None:
    with pytest.raises(Inconsistent) as refusal:
        joined(of("rapid"), [of("blitz"), of("rapid")])
    assert refusal.value.key == "fairplay.same_pace"
    other = make_baseline(
        at("blitz", games_of(1, 20)), replace(SETTING, nodes=2), ["invented games"]
    )
    with pytest.raises(Inconsistent) as refusal:
        joined(of("rapid"), [other])
    assert refusal.value.key == "fairplay.other_setting"


def test_the_helper_is_the_first_one_there_is() -> None:
    helper = count_helper(games_of(2, 60, helped=1.0, all_helped=True), ["a helper"])
    helped = replace(of("blitz"), helper=helper)
    assert joined(of("rapid"), [helped]).helper == helper
    assert joined(replace(of("rapid"), helper=helper), [of("blitz")]).helper == helper


def test_14_3_games_have_the_pace_of_their_own_time_control() -> None:
    texts = [PGN.replace("180+2", control) for control in ("600+5", "180+2", "60+1", "5400+30")]
    texts.append(PGN.replace('[TimeControl "180+2"]\n', ""))
    found = watched_games("\n\n".join(texts).encode(), "sala.pgn")
    assert [game.time_class for game in found] == ["rapid", "blitz", "bullet", "", ""]
    assert {game.time_class for game in watched_games(PGN.encode(), "s", "rapid")} == {"rapid"}


def test_the_command_and_the_site_look_at_as_many_positions() -> None:
    assert WatchSettings().nodes == NODES


def test_a_file_grows_by_another_pace(engine: str, tmp_path: Path) -> None:
    run = CliRunner()

    def make(name: str, text: str, *more: str) -> tuple[int, str]:
        (tmp_path / f"{name}.pgn").write_text(text)
        answer = run.invoke(
            program,
            [
                *("fairplay", "baseline", str(tmp_path / f"{name}.pgn"), "--nodes", "1000"),
                *("--source", name, "--out", str(tmp_path / f"{name}.json"), "--lang", "en"),
                *more,
            ],
        )
        return answer.exit_code, answer.output

    assert make("blitz", PGN)[0] == 0
    untold = PGN.replace('[TimeControl "180+2"]\n', "")
    rapid = PGN.replace("180+2", "600+5") + "\n\n" + untold
    code, output = make("both", rapid, "--add", str(tmp_path / "blitz.json"))
    assert code == 0, output
    assert "1 game without a TimeControl" in output
    made = json.loads((tmp_path / "both.json").read_bytes())
    assert (made["games"], made["sources"]) == (2, ["both", "blitz"])
    assert {key.partition("/")[0] for key in made["cells"]} == {"rapid", "blitz"}
    code, output = make("again", PGN, "--add", str(tmp_path / "both.json"))
    assert (code, "both baselines have games of the pace blitz" in output) == (1, True)
    code, output = make("none", untold)
    assert (code, "of 1 game read none has a pace" in output) == (1, True)
