"""`arrocco report explain`: one player's computation, whose rows add up to the result."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from benchmarks.generated import swiss

from arrocco.formats.trf import from_report
from tests.cli.tournaments import (
    DEMO_NAMES,
    demo_args,
    player_id,
    rate,
    report,
    run,
    run_json,
    write_list,
    write_report,
)


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARROCCO_LANG", "en")


def explain(*args: str) -> Any:
    return run_json("report", "explain", *args)


def check_sums(player: Any, *, rounds_expected: bool) -> None:
    """The games add up to the tournament, the tournaments to the player, the steps say the same."""
    for event in player["tournaments"]:
        counted = [game for game in event["games"] if "excluded" not in game]
        assert event["n"] == len(counted)
        for game in counted:
            assert Decimal(game["score"]) - Decimal(game["expected"]) == Decimal(game["delta"])
            assert game["difference"] == event["rating"] - game["opponent"]
        score = sum((Decimal(game["score"]) for game in counted), Decimal())
        expected = sum((Decimal(game["expected"]) for game in counted), Decimal())
        assert score == Decimal(event["score"])
        assert expected == Decimal(event["expected_unrounded"])
        if not rounds_expected:
            assert event["expected"] == event["expected_unrounded"]
        delta = Decimal(event["score"]) - Decimal(event["expected"])
        assert delta == Decimal(event["delta"])
        assert Decimal(event["k"] or 0) * delta == Decimal(event["variation"])
    total = sum((Decimal(event["variation"]) for event in player["tournaments"]), Decimal())
    assert total == Decimal(player["variation"])
    assert sum(event["n"] for event in player["tournaments"]) == player["n"]
    assert player["rating"] + player["change"] == player["new_rating"]
    assert abs(Decimal(player["change"]) - total) <= Decimal("0.5")
    rounding = next(step for step in player["steps"] if step["key"] == "explain.rounding")
    assert rounding["details"]["variation"] == int(100 * total)
    assert rounding["details"]["new_rating"] == player["new_rating"]


class TestSums:
    @pytest.mark.parametrize("name", DEMO_NAMES)
    def test_of_every_player_of_the_demo(self, name: str) -> None:
        args = demo_args(name)
        law = args[args.index("--law") + 1]
        ids = [str(player["id"]) for player in rate(*args, law=law)["players"]]
        record = explain(*args, *(f"--player={number}" for number in ids))
        assert [player["id"] for player in record["explained"]] == [int(number) for number in ids]
        for player in record["explained"]:
            check_sums(player, rounds_expected=law in {"rio", "uisp"})

    def test_of_every_player_over_two_tournaments(self, tmp_path: Path) -> None:
        files = []
        for day in (3, 20):
            path = tmp_path / f"{day}.trf"
            path.write_bytes(from_report(swiss(40, 7, date(2024, 5, day)), "trf16"))
            files.append(str(path))
        rated = rate(*files)
        players = [f"--player={player['id']}" for player in rated["players"]]
        record = explain(*files, "--law", "fide", *players)
        assert len(record["explained"]) == len(rated["players"]) == 37
        for player in record["explained"]:
            assert len(player["tournaments"]) == 2
            check_sums(player, rounds_expected=False)

    def test_are_those_of_report_rate(self) -> None:
        args = demo_args("fide-open-2024")
        rated = {player["id"]: player for player in rate(*args)["players"]}
        [explained] = explain(*args, "--player", "99000001")["explained"]
        for event in explained["tournaments"]:
            del event["steps"]
        del explained["steps"], explained["readings"]
        assert explained == rated[99000001]


class TestText:
    def test_every_step_has_its_article(self) -> None:
        result = run("report", "explain", *demo_args("fide-open-2024"), "--player", "99000001")
        assert result.exit_code == 0
        for line in (
            " 1  Lanzarote, Ermete     1901  1.0  +530   +400*  0.92  +0.08  8.3.1",
            "[8.3.2] Games that count: 6; score 3.50, expected 4.98, difference -1.48.",
            "[8.3.2] 10 × -1.48 = -14.80.",
            "[8.3.4] -14.80 is rounded: change -15, from 2431 to 2416.",
        ):
            assert line in result.stdout

    def test_a_first_rating(self) -> None:
        result = run("report", "explain", *demo_args("fide-open-2024"), "--player", "Arcadi")
        assert "Arcadi, Virginio (99000039), unrated" in result.stdout
        assert "[8.2.2] Average of the counted opponents over 5 games: 1811.00." in result.stdout
        assert "[8.2.3] The first rating is 1709." in result.stdout

    def test_a_first_rating_that_a_round_robin_makes(self) -> None:
        args = demo_args("fide-round-robin-2011")
        far = run("report", "explain", *args, "--player", "99000049").stdout
        assert "Ra is 2243.33 - (85.17) × 9/10 = 2167." in far
        assert "Boscotondo, Amerigo 2412 → 2251; Cavriana, Livia 2305 → 2251;" in far
        assert "[8.58] So Rc becomes 2141 and Ru 1825." in far
        near = run("report", "explain", *args, "--player", "99000043").stdout
        assert "[8.58] Nobody is more than 400 points away: Ru stays 2182." in near
        rated = run("report", "explain", *args, "--player", "99000041").stdout
        assert "[8.58] A complete round robin" in rated

    def test_a_tournament_with_its_own_k_says_its_sums_once(self) -> None:
        args = demo_args("rio-blitz-2025")
        result = run("report", "explain", *args, "--player", "99000024", "--lang", "it")
        steps = [line for line in result.stdout.splitlines() if line.startswith("[")]
        assert steps == [
            "[15.1] Punti attesi 2,49, arrotondati a 2,50.",
            "[15.1] Partite: 7; punti 4,50, attesi 2,50, differenza +2,00; Rc 1847.",
            "[15.2] K è 20 per ogni torneo RIO.",
            "[15.1] 20 × +2,00 = +40,00.",
            "[15.3] +40,00 si arrotonda: variazione +40, da 1768 a 1808.",
        ]

    def test_several_tournaments_are_told_apart_and_added_up(self, tmp_path: Path) -> None:
        one = report([1500, 1600], [(1, 1, 2, "1")], name="Primo")
        two = report([1500, 1600], [(1, 2, 1, "=")], name="Secondo", start=date(2024, 5, 20))
        files = [write_report(tmp_path, one, "a.trf"), write_report(tmp_path, two, "b.trf")]
        listed = write_list(tmp_path, [(player_id(1), 1500, 20), (player_id(2), 1600, 20)])
        result = run(
            "report",
            "explain",
            *files,
            "--law",
            "fide",
            "--list",
            listed,
            "--player",
            str(player_id(1)),
        )
        assert "Primo, 2024-05-10" in result.stdout
        assert "Secondo, 2024-05-20" in result.stdout
        assert "Games: 1; score 1.00, expected 0.36, difference +0.64; Rc 1600." in result.stdout
        assert "Games that count: 2; score 1.50, expected 0.72, difference +0.78." in result.stdout

    def test_a_game_that_does_not_count_says_why(self) -> None:
        result = run("report", "explain", *demo_args("fide-open-2024"), "--player", "99000015")
        assert "not played" in result.stdout
        assert "5.1" in result.stdout


class TestReadings:
    def test_a_guess_behind_the_figures_is_told(self) -> None:
        args = demo_args("fide-open-2024")
        newcomer = run("report", "explain", *args, "--player", "99000039").stdout
        assert "unrated_pool = sliding_window [7.1.4]" in newcomer
        rated = run("report", "explain", *args, "--player", "99000001").stdout
        assert "unrated_pool" not in rated

    def test_one_the_caller_chose_is_not_ours(self) -> None:
        args = [*demo_args("fide-open-2024"), "--player", "99000039"]
        [ours] = explain(*args)["explained"]
        [chosen] = explain(*args, "--reading", "unrated_pool=reset")["explained"]
        assert ours["readings"]["unrated_pool"] == "sliding_window"
        assert "unrated_pool" not in chosen["readings"]


class TestWho:
    def test_a_near_id_is_named(self) -> None:
        result = run("report", "explain", *demo_args("fide-open-2024"), "--player", "99000007")
        assert result.exit_code == 1
        assert "player 99000007 not found" in result.stderr
        near = result.stderr.partition("the nearest are: ")[2].split("; ")
        assert set(near[:2]) == {"Fiumalbi, Clelia (99000006)", "Imbriani, Zelinda (99000008)"}
        assert result.stdout == ""

    def test_a_near_name_is_named(self) -> None:
        result = run("report", "explain", *demo_args("fide-open-2024"), "--player", "Altavila, C")
        assert result.exit_code == 1
        assert "Altavilla, Corrado (99000001)" in result.stderr

    def test_part_of_a_name_is_enough_where_only_one_has_it(self) -> None:
        args = demo_args("fide-open-2024")
        assert explain(*args, "--player", "ALTAVILLA")["explained"][0]["id"] == 99000001
        several = run("report", "explain", *args, "--player", "ri")
        assert several.exit_code == 1
        assert "several" in several.stderr

    @pytest.mark.parametrize("asked", ["", " ", "-1", "0", "1e9", "²"])
    def test_nonsense_is_refused(self, asked: str) -> None:
        result = run("report", "explain", *demo_args("fide-open-2024"), "--player", asked)
        assert result.exit_code == 1

    def test_a_player_without_an_id_is_found_by_name(self, tmp_path: Path) -> None:
        made = report([1500, None], [(1, 1, 2, "1")], names=["Uno, Primo", "Due, Seconda"])
        made.entries[1].id = None
        args = [write_report(tmp_path, made), "--law", "fide"]
        [found] = explain(*args, "--player", "seconda")["explained"]
        assert (found["id"], found["name"]) == (None, "Due, Seconda")
