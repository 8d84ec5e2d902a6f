"""`arrocco calc`: one change, one first rating, one performance."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from arrocco.words import LANGUAGES
from tests.cli.tournaments import process, run, run_json

CASES = Path(__file__).parents[1] / "cases"


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARROCCO_LANG", "en")


def published_events() -> list[tuple[str, str, int, int, Any]]:
    """Name, start, rating, K and the rest of every single tournament the authority published."""
    cases = json.loads((CASES / "fide_2024_published_periods.json").read_text("utf-8"))["cases"]
    return [
        (f"{case['id']} {index}", event["start"], event["rating"], event["k_applied"], event)
        for case in cases
        for index, event in enumerate(case["events"])
    ]


class TestChange:
    @pytest.mark.parametrize("case", published_events(), ids=lambda case: case[0])
    def test_gives_the_published_figures(self, case: tuple[str, str, int, int, Any]) -> None:
        _, start, rating, k, event = case
        games = [f"{opponent}:{score}" for opponent, _, score in event["games"]]
        record = run_json(
            "calc",
            "change",
            "--law",
            "fide",
            "--on",
            start,
            "--rating",
            str(rating),
            "--k",
            str(k),
            *games,
        )
        expected = event["expected"]
        assert record["n"] == expected["n"]
        assert Decimal(record["score"]) == Decimal(expected["score"])
        deltas = [Decimal(game["delta"]) for game in record["games"]]
        assert deltas == [Decimal(delta) for delta in expected["game_changes"]]
        assert sum(deltas, Decimal()) == Decimal(expected["sum"])
        assert Decimal(record["variation"]) == Decimal(expected["variation"])

    def test_text_shows_each_step_with_its_article(self) -> None:
        result = run(*"calc change --law fide --on 2024-05-01 --rating 1500 2319:0 1600:1".split())
        assert result.exit_code == 0
        assert " 1    2319  0.0  -819   -400*  0.08  -0.08  8.3.1" in result.stdout
        assert "[8.3.3] K is 20: below 2400." in result.stdout
        assert "[8.3.4] +11.20 is rounded: change +11, from 1500 to 1511." in result.stdout

    @pytest.mark.parametrize(
        ("options", "k", "reason"),
        [
            (["--birth", "2010"], 40, "junior"),
            (["--birth", "2006-05-02"], 40, "junior"),
            (["--birth", "2006-05-01"], 20, "below_top"),
            (["--birth", "2010", "--reached-2300"], 20, "below_top"),
            (["--games", "29"], 40, "new_player"),
            (["--games", "30"], 20, "below_top"),
            (["--games", "3", "--reached-2400"], 10, "top_reached"),
            (["--k", "15"], 15, "given"),
        ],
    )
    def test_k_follows_from_the_options(self, options: list[str], k: int, reason: str) -> None:
        record = run_json(
            *"calc change --law fide --on 2024-05-01 --rating 1500".split(), *options, "1500:1"
        )
        assert (record["k"], record["k_reason"]) == (k, reason)

    @pytest.mark.parametrize(
        ("day", "k"), [("2024-05-01", 40), ("2024-05-20", 40), ("2024-06-01", 20)]
    )
    def test_8_3_3_a_juniors_k_is_that_of_the_list_in_force(self, day: str, k: int) -> None:
        """The 18th birthday is on 10 May 2024: the list of May still has the junior's K."""
        record = run_json(
            "calc",
            "change",
            "--law",
            "fide",
            "--on",
            day,
            "--rating",
            "1500",
            "--birth",
            "2006-05-10",
            "1500:1",
        )
        assert record["k"] == k

    @pytest.mark.parametrize(("law", "entry", "change"), [("rio", 999, 0), ("uisp", 1440, 12)])
    def test_rio_14_2_uisp_i_5_an_opponent_without_rating_has_the_entry_rating(
        self, law: str, entry: int, change: int
    ) -> None:
        result = run(
            "calc",
            "change",
            "--law",
            law,
            *"--on 2025-06-01 --rating 1500 --time-control 30+10 --json -- -:1".split(),
        )
        assert result.exit_code == 0, result.output
        record = json.loads(result.stdout)
        [game] = record["games"]
        assert (game["opponent"], record["n"], record["change"]) == (entry, 1, change)

    @pytest.mark.parametrize(("reading", "k"), [("once", 20), ("while_below", 40)])
    def test_8_3_3_a_junior_published_at_2300_who_fell_below(self, reading: str, k: int) -> None:
        record = run_json(
            *"calc change --law fide --on 2024-05-01 --rating 2290 --birth 2010".split(),
            *"--highest-published 2305 --reading".split(),
            f"junior_2300={reading}",
            "2290:1",
        )
        assert record["k"] == k

    def test_uisp_takes_k_from_the_time_control(self) -> None:
        args = ["--law", "uisp", "--on", "2025-01-01", "--rating", "1500", "1500:1"]
        slow = run_json("calc", "change", *args, "--time-control", "30'+10\"")
        online = run_json("calc", "change", *args, "--time-control", "30'+10\"", "--online")
        fast = run_json("calc", "change", *args, "--time-control", "5+3")
        assert [slow["k"], online["k"], fast["k"]] == [30, 15, 10]
        # 1500 + 7.5 is published as 1508: a half goes up.
        assert (online["variation"], online["new_rating"]) == ("7.50", 1508)
        refused = run("calc", "change", *args)
        assert refused.exit_code == 1
        assert "II.2" in refused.stderr

    def test_rio_rounds_the_expected_points(self) -> None:
        record = run_json(
            *"calc change --law rio --on 2025-05-01 --rating 1500 --time-control 3+2".split(),
            *"1600:1 1520:0.5".split(),
        )
        # .36 + .47 = .83, to one decimal .8; 20 x (1.5 - .8)
        assert (record["expected_unrounded"], record["expected"]) == ("0.83", "0.80")
        assert (record["variation"], record["new_rating"]) == ("14.00", 1514)

    def test_an_unrated_opponent_does_not_count(self) -> None:
        result = run("calc", *CHANGE, "--json", "--", "-:1", "1500:1")
        record = json.loads(result.stdout)
        assert record["n"] == 1
        assert record["games"][0]["excluded"] == "opponent_unrated"

    def test_the_day_is_today_unless_given_and_then_it_is_said(self) -> None:
        result = run("calc", "change", "--law", "fide", "--rating", "1500", "1500:1")
        assert result.exit_code == 0
        assert "no --on given" in result.stderr

    def test_a_game_with_too_little_time_is_refused_with_its_article(self) -> None:
        result = run(
            *"calc change --law fide --on 2024-05-01 --rating 1850 --time-control 60".split(),
            *"1500:1".split(),
        )
        assert result.exit_code == 1
        assert "article 1.1" in result.stderr


class TestInitial:
    def test_gives_the_published_first_rating(self) -> None:
        [case] = json.loads((CASES / "fide_2024_first_rating.json").read_text("utf-8"))["cases"]
        games = [f"{opponent}:{score}" for opponent, score in case["games"]]
        record = run_json("calc", "initial", "--law", "fide", "--on", "2025-11-15", *games)
        assert record["initial"] == case["expected"]["rating"] == 1922
        assert record["publishable"] is True

    def test_says_why_it_is_not_published(self) -> None:
        record = run_json("calc", "initial", "--law", "fide", "--on", "2024-05-01", "1600:1")
        assert record["publishable"] is False
        assert "too_few_games" in record["reasons"]

    def test_the_text_of_2010(self) -> None:
        """8.34: 6.5 of 12 against an average of 2184 is 2199."""
        games = [
            *["2220:0"] * 2,
            "2220:1",
            *["2150:1"] * 3,
            *["2150:0"] * 2,
            "2200:1",
            "2200:1",
            "2200:0.5",
            "2200:0",
        ]
        record = run_json("calc", "initial", "--law", "fide", "--on", "2011-09-01", *games)
        assert (record["n"], record["score"], record["initial"]) == (12, "6.5", 2199)

    def test_rio_has_none(self) -> None:
        result = run("calc", "initial", "--law", "rio", "--on", "2025-05-01", "1600:1")
        assert result.exit_code == 1


def test_performance() -> None:
    record = run_json(
        "calc", "performance", "--law", "fide", "--on", "2024-05-01", "1600:1", "1700:0.5"
    )
    # 1.5 of 2 is .75: dp 193 above 1650
    assert (record["average"], record["p"], record["dp"]) == ("1650.00", "0.75", 193)
    assert record["performance"] == 1843


CHANGE = ("change", "--law", "fide", "--on", "2024-05-01", "--rating", "1500")


@pytest.mark.parametrize(
    ("args", "status", "said"),
    [
        ((*CHANGE, "1500"), 2, "OPPONENT:RESULT"),
        ((*CHANGE, "1500:2"), 2, "1, 0.5 or 0"),
        ((*CHANGE, "abc:1"), 2, "abc"),
        ((*CHANGE, "0:1"), 2, "above zero"),
        ((*CHANGE, "1500.5:1"), 2, "1500.5"),
        ((*CHANGE,), 2, "OPPONENT:RESULT"),
        ((*CHANGE, "99999:1"), 1, "99999"),
        ((*CHANGE[:-1], "-5", "1500:1"), 1, "-5"),
        ((*CHANGE[:-1], "abc", "1500:1"), 2, "abc"),
        ((*CHANGE, "--k", "0", "1500:1"), 1, "coefficient"),
        ((*CHANGE, "--birth", "200", "1500:1"), 2, "200"),
        ((*CHANGE, "--birth", "2008-13-01", "1500:1"), 2, "2008-13-01"),
        ((*CHANGE, "--time-control", "nonsense", "1500:1"), 1, "nonsense"),
        ((*CHANGE, "--reading", "x=y", "1500:1"), 1, "reading"),
        (("change", "--law", "none", "--rating", "1500", "1500:1"), 1, "none"),
        (("change", "--law", "fide", "--on", "1999-01-01", "--rating", "1", "1:1"), 1, "1999"),
        (("change", "--rating", "1500", "1500:1"), 2, "--law"),
        (("initial", "--law", "fide", "--on", "2024-05-01", "--", "-:1"), 1, "rated opponent"),
        (("performance", "--law", "fide", "--on", "2024-05-01", "--", "-:1"), 1, "rated"),
    ],
)
def test_bad_input_is_refused_in_words(args: tuple[str, ...], status: int, said: str) -> None:
    result = run("calc", *args)
    assert result.exit_code == status, result.output
    assert said in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "args",
    [
        ("change", "--rating", "1500", "1600:1"),
        ("initial", "1600:1", "1600:0", "1600:1", "1600:0.5", "1600:1"),
        ("performance", "1600:1"),
    ],
)
def test_both_languages(args: tuple[str, ...], language: str) -> None:
    result = run(
        "calc", args[0], "--law", "fide", "--on", "2024-05-01", "--lang", language, *args[1:]
    )
    assert result.exit_code == 0
    assert result.stdout
    assert ("," in result.stdout.replace(", ", "")) == (language == "it")


def test_as_a_process() -> None:
    done = process("calc", *CHANGE, "1600:1")
    assert done.returncode == 0
    assert "1513" in done.stdout
    assert done.stderr == ""
