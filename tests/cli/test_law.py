"""`arrocco law`: list, show and diff, in text and JSON, in both languages."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arrocco.cli.main import program
from arrocco.dates import Interval
from arrocco.lawbook import rule_words
from arrocco.laws import registry
from arrocco.laws.compare import compare_readings, compare_rules, compare_values
from arrocco.laws.edition import Choice, Edition, Legal, Reading, edition_name
from arrocco.words import LANGUAGES, Language


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARROCCO_LANG", "en")


def law(*args: str) -> Result:
    return CliRunner().invoke(program, ["law", *args], prog_name="arrocco")


def law_json(*args: str) -> Any:
    result = law(*args, "--json")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return json.loads(result.stdout)


class TestList:
    def test_has_every_edition_of_every_law(self) -> None:
        lines = law("list").stdout.splitlines()[1:]
        editions = [
            (name, edition_name(e)) for name in registry.REGULATIONS for e in registry.texts(name)
        ]
        assert [tuple(line.split()[:2]) for line in lines] == editions

    def test_shows_the_last_day_not_the_day_after(self) -> None:
        line = next(line for line in law("list").stdout.splitlines() if "2024-03-01  2025" in line)
        assert line.startswith("fide        2024-03-01  2025-09-30  FIDE Rating Regulations")
        assert "approved by the FIDE Council" in line

    def test_in_json(self) -> None:
        editions = law_json("list")["editions"]
        assert {edition["law"] for edition in editions} == set(registry.REGULATIONS)
        assert {
            "law": "fide",
            "edition": "2024-03-01",
            "first_day": "2024-03-01",
            "last_day": "2025-09-30",
            "title": "FIDE Rating Regulations effective 1 March 2024",
            "source": "FIDE Handbook B.02, approved by the FIDE Council on 15 December 2023",
        } in editions
        assert next(e for e in editions if e["edition"] == "2025-10-01")["last_day"] is None
        undated = next(e for e in editions if e["law"] == "uisp")
        assert (undated["edition"], undated["first_day"]) == ("undated", None)

    def test_in_italian(self) -> None:
        text = law("list", "--lang", "it").stdout
        assert text.startswith("Regolamento")
        assert "30/09/2025" in text
        assert "in vigore dal 1° marzo 2024" in text


class TestShow:
    def test_every_value_stands_with_its_article_unit_words_and_name(self) -> None:
        lines = law("show", "fide", "--on", "2024-05-01").stdout.splitlines()
        for name, value in registry.edition_in_force("fide", date(2024, 5, 1)).values():
            line = next(line for line in lines if line.endswith(f"  {name}"))
            assert line.split()[:2] == [value.article, str(int(value))]
            assert value.en in line

    @pytest.mark.parametrize("name", registry.REGULATIONS)
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_edition_can_be_shown_in_both_languages(
        self, name: str, language: Language
    ) -> None:
        for edition in registry.texts(name):
            on = edition.in_force.start or date(2024, 1, 1)
            result = law("show", name, "--on", on.isoformat(), "--lang", language)
            assert result.exit_code == 0, result.output
            for rule in edition.rules():
                assert rule_words(language, edition, rule) in result.stdout
            for reading in edition.READINGS:
                words = reading.it if language == "it" else reading.en
                assert f"{reading.article}  {reading.name}: {words}" in result.stdout

    def test_the_head_says_which_edition(self) -> None:
        assert law("show", "fide", "--on", "2024-05-01").stdout.splitlines()[:3] == [
            "FIDE Rating Regulations effective 1 March 2024",
            "fide, edition 2024-03-01, in force from 2024-03-01 to 2025-09-30",
            "FIDE Handbook B.02, approved by the FIDE Council on 15 December 2023",
        ]
        assert "in force from 2025-10-01\n" in law("show", "fide", "--on", "2025-10-01").stdout
        assert "every day" in law("show", "uisp", "--on", "2025-10-01").stdout

    def test_a_guess_is_marked_as_ours_and_nothing_else_is(self) -> None:
        lines = law("show", "fide", "--on", "2024-05-01").stdout.splitlines()
        ours = [line for line in lines if "OURS:" in line]
        names = [line.split()[:2] for line in ours]
        assert names == [["*", "sliding_window:"], ["*", "whole_tournament:"]]
        italian = law("show", "fide", "--on", "2024-05-01", "--lang", "it").stdout
        assert italian.count("NOSTRA:") == 2

    def test_the_default_of_a_reading_is_starred_with_its_basis(self) -> None:
        text = law("show", "fide", "--on", "2024-05-01").stdout
        assert "  * away_from_zero: away from zero: -2.50 is -3  [default; figures the" in text
        assert "  - up: upwards: -2.50 is -2\n" in text
        assert "  * birthday: on the 18th birthday  [default; the text itself]\n" in text

    def test_a_value_whose_text_was_not_seen_says_what_it_rests_on(self) -> None:
        text = law("show", "fide", "--on", "2022-05-01").stdout
        assert "OURS: an assumption, no source found" in text
        assert "second-hand sources" in text
        values = {v["name"]: v for v in law_json("show", "fide", "--on", "2022-05-01")["values"]}
        assert values["DIFFERENCE_CAP"]["basis"] == "text"
        assert values["K_NORMAL"]["basis"] == "second-hand"
        assert values["CLOSING_DAYS"]["basis"] == "guess"

    def test_units_are_translated(self) -> None:
        assert " giorni " in law("show", "fide", "--on", "2024-05-01", "--lang", "it").stdout

    def test_in_json(self) -> None:
        shown = law_json("show", "fide", "--on", "2025-12-24")
        assert (shown["on"], shown["law"], shown["edition"]) == ("2025-12-24", "fide", "2025-10-01")
        assert {
            "name": "FULL_DIFFERENCE_RATING",
            "value": 2650,
            "unit": "rating",
            "article": "8.3.1",
            "words": "from this rating on a player's differences count in full",
            "basis": "text",
        } in shown["values"]
        pool = next(r for r in shown["readings"] if r["name"] == "unrated_pool")
        assert (pool["default"], pool["basis"], pool["is_ours"]) == (
            "sliding_window",
            "guess",
            True,
        )
        assert [choice["name"] for choice in pool["choices"]] == ["sliding_window", "reset"]
        rounding = next(r for r in shown["readings"] if r["name"] == "half_point_rounding")
        assert rounding["is_ours"] is False
        assert {rule["name"] for rule in shown["rules"]} >= {"is_capped", "closing_date"}

    def test_without_a_day_it_is_today_and_says_so_beside_the_text(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("arrocco.cli.law.today", lambda: date(2024, 7, 9))
        result = law("show", "fide")
        assert result.stderr == "no --on given: using today, 2024-07-09, edition 2024-03-01\n"
        assert "2024-07-09" not in result.stdout
        assert law("show", "fide", "--lang", "it").stderr.endswith(
            "si usa oggi, 09/07/2024, edizione 2024-03-01\n"
        )
        shown = law_json("show", "fide")
        assert (shown["on"], shown["edition"]) == ("2024-07-09", "2024-03-01")

    def test_with_a_day_nothing_stands_beside_the_text(self) -> None:
        assert law("show", "fide", "--on", "2024-05-01").stderr == ""

    def test_outside_every_edition_it_refuses_and_names_the_nearest(self) -> None:
        result = law("show", "fide", "--on", "2020-01-01")
        assert result.exit_code == 1
        assert result.stdout == ""
        assert "2012-07-01" in result.stderr
        assert "2024-03-01" in result.stderr
        refused = law("show", "fide", "--on", "2020-01-01", "--json")
        assert refused.exit_code == 1
        assert "2024-03-01" in json.loads(refused.stdout)["advice"]

    def test_an_unknown_law_is_refused_with_the_names_there_are(self) -> None:
        result = law("show", "uscf")
        assert result.exit_code == 1
        assert "fide-rapid" in result.stderr


class TestDiff:
    def test_the_amendment_of_2025(self) -> None:
        compared = law_json("diff", "fide", "2024-03-01", "2025-10-01")
        values = compared["values"]
        assert [value["name"] for value in values["only_second"]] == ["FULL_DIFFERENCE_RATING"]
        assert values["only_first"] == values["differ"] == []
        assert len(values["same"]) == 36
        assert compared["readings"]["differ"] == []
        assert len(compared["readings"]["same"]) == 11
        assert [rule["name"] for rule in compared["rules"]["only_second"]] == ["is_capped"]
        assert compared["rules"]["differ"] == []
        assert compared["first"]["edition"] == "2024-03-01"
        assert compared["second"]["edition"] == "2025-10-01"

    def test_thirteen_years_apart(self) -> None:
        compared = law_json("diff", "fide", "2011-07-01", "2024-03-01")
        values = {pair["name"]: pair for pair in compared["values"]["differ"]}
        floor = values["FLOOR"]
        assert (floor["first"]["value"], floor["second"]["value"]) == (1200, 1400)
        assert (floor["first"]["article"], floor["second"]["article"]) == ("0.6", "7.1.2")
        same = {pair["name"] for pair in compared["values"]["same"]}
        assert "DIFFERENCE_CAP" in same
        assert not same & set(values)
        rules = {pair["name"]: pair for pair in compared["rules"]["differ"]}
        assert rules["new_rating"]["first"]["code"] != rules["new_rating"]["second"]["code"]

    def test_as_text_shows_both_values_with_their_articles(self) -> None:
        text = law("diff", "fide", "2011-07-01", "2024-03-01").stdout
        floor = next(line for line in text.splitlines() if line.startswith("FLOOR "))
        assert floor.split()[1:6] == ["1200", "[0.6]", "1400", "[7.1.2]", "rating"]
        assert "DIFFERENCE_CAP 400" in text
        assert "[same text, different code]" in text
        junior = next(line for line in text.splitlines() if line.startswith("K_JUNIOR "))
        assert junior.split()[1:3] == ["40", "[8.3.3]"]

    def test_an_edition_does_not_differ_from_itself(self) -> None:
        text = law("diff", "fide", "2024-03-01", "2024-03-01").stdout
        assert text.count("no difference") == 3
        assert (
            law("diff", "rio", "2025-04-12", "2025-04-12", "--lang", "it").stdout.count(
                "nessuna differenza"
            )
            == 3
        )

    def test_an_edition_that_is_none_is_refused_with_those_there_are(self) -> None:
        result = law("diff", "fide", "2024-03-01", "2024-03-02")
        assert result.exit_code == 1
        assert "2025-10-01" in result.stderr


UP, DOWN, OUT = (Choice(name, name, name) for name in ("up", "down", "out"))


def _reading(name: str, default: str, *choices: Choice) -> Reading:
    return Reading(name, "1", default, "text").means("words", "parole", *choices)


class Old(Edition):
    law = "invented"
    in_force = Interval(None, date(2020, 1, 1))
    READINGS = (
        _reading("kept", "up", UP, DOWN),
        _reading("turned", "up", UP, DOWN),
        _reading("widened", "up", UP, DOWN),
        _reading("dropped", "up", UP, DOWN),
    )
    KEPT = Legal(1, "1", "days", "one", "uno")
    MOVED = Legal(2, "2", "days", "two", "due")
    CHANGED = Legal(3, "3", "days", "three", "tre")
    OTHER_UNIT = Legal(4, "4", "days", "four", "quattro")
    DROPPED = Legal(5, "5", "days", "five", "cinque")

    def kept(self) -> int:
        """1 — stays."""
        return 1

    def reworded(self) -> int:
        """2 — says this."""
        return 2

    def recoded(self) -> int:
        """3 — says the same."""
        return 3

    def dropped(self) -> int:
        """4 — goes."""
        return 4


class New(Edition):
    law = "invented"
    in_force = Interval(date(2020, 1, 1))
    READINGS = (
        _reading("kept", "up", UP, DOWN),
        _reading("turned", "down", UP, DOWN),
        _reading("widened", "up", UP, DOWN, OUT),
        _reading("added", "up", UP, DOWN),
    )
    KEPT = Legal(1, "1", "days", "one", "uno")
    MOVED = Legal(2, "9.9", "days", "two", "due")
    CHANGED = Legal(33, "3", "days", "three", "tre")
    OTHER_UNIT = Legal(4, "4", "months", "four", "quattro")
    ADDED = Legal(6, "6", "days", "six", "sei")

    kept = Old.kept

    def reworded(self) -> int:
        """2 — says that."""
        return 2

    def recoded(self) -> int:
        """3 — says the same."""
        return 33

    def added(self) -> int:
        """5 — comes."""
        return 5


class TestComparison:
    def test_of_values_by_number_and_unit(self) -> None:
        values = compare_values(Old, New)
        assert list(values.only_first) == ["DROPPED"]
        assert list(values.only_second) == ["ADDED"]
        assert list(values.differ) == ["CHANGED", "OTHER_UNIT"]
        assert list(values.same) == ["KEPT", "MOVED"]

    def test_of_readings_by_choices_default_and_basis(self) -> None:
        readings = compare_readings(Old, New)
        assert list(readings.only_first) == ["dropped"]
        assert list(readings.only_second) == ["added"]
        assert list(readings.differ) == ["turned", "widened"]
        assert list(readings.same) == ["kept"]

    def test_of_rules_by_words_and_code(self) -> None:
        rules = compare_rules(Old, New)
        assert list(rules.only_first) == ["dropped"]
        assert list(rules.only_second) == ["added"]
        assert list(rules.differ) == ["kept", "reworded", "recoded"]

    def test_a_rule_inherited_is_the_same_rule(self) -> None:
        class Newer(New):
            pass

        assert compare_rules(New, Newer).is_empty
        assert compare_values(New, Newer).is_empty
        assert not compare_rules(Old, New).is_empty
