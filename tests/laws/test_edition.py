"""What every edition owes its reader: articles, words in two languages, readings with choices."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from copy import copy, deepcopy
from datetime import date

import pytest

from arrocco.dates import Interval
from arrocco.errors import Illegal
from arrocco.laws import registry
from arrocco.laws.edition import Choice, Edition, Legal, Reading, article_order, edition_name
from arrocco.laws.rating import RatingLaw
from arrocco.words import LANGUAGES, catalogue

ARTICLE = re.compile(r"(?:[IVX]+\.)?\d+(?:\.\d+)*[a-z]?(?:\([a-z]\))?|Premessa(?: \(FIDE [^)]+\))?")
"""8.3.1, 7.14f, 8.21(b), II.1, or the preamble of the Italian text that adopts FIDE's rules."""

# Methods that answer the engine where the text has nothing to say; all others are rules.
NOT_RULES = {
    "text_2010.play.Play.excluded_by_time",  # the text looks at the field, not at the game
    "text_2010.registration.Registration.last_list",  # no limit
    "rapid_blitz_2024.RapidBlitz.needs_interim_reports",  # no interim reports
    "rapid_blitz_2024.RapidBlitz.first_control_is_valid",  # no number of moves
    "text_2024.ratings.Ratings.initial_rating",  # abstract: each text has its own
    "rapid_blitz_2024.RapidBlitz.is_in_class",  # abstract: each of the two lists has its own
    "arrocco.laws.online.sanctions.Sanctions.objection_article",  # names articles, is none
}


def _is_article(text: str) -> bool:
    parts = [text] if text.startswith("Premessa") else re.split(r", | and |-", text)
    return all(ARTICLE.fullmatch(part) for part in parts)


def _legal_classes(edition: type[Edition]) -> Iterator[type]:
    """The classes that hold the text of an edition, not the machinery they share."""
    for owner in edition.__mro__:
        if issubclass(owner, Edition) and owner not in (Edition, RatingLaw):
            yield owner


@pytest.mark.parametrize("law", registry.REGULATIONS)
class TestEveryEdition:
    def test_has_a_title_in_both_languages_and_a_source(self, law: str) -> None:
        for edition in registry.texts(law):
            assert edition.title_en.strip()
            assert edition.title_it.strip()
            assert edition.title_en != edition.title_it
            assert edition.source.strip()

    def test_gives_every_value_an_article_a_unit_and_words(self, law: str) -> None:
        for edition in registry.texts(law):
            values = dict(edition.values())
            assert values
            for name, value in values.items():
                assert name.isupper(), name
                assert _is_article(value.article), (name, value.article)
                assert value.en.strip(), name
                assert value.it.strip(), name
                for language in LANGUAGES:
                    assert f"law.unit.{value.unit}" in catalogue(language, "law"), name

    def test_has_an_article_before_the_words_of_every_rule(self, law: str) -> None:
        for edition in registry.texts(law):
            for owner in _legal_classes(edition):
                for name, member in vars(owner).items():
                    if name.startswith("_") or not callable(member) or isinstance(member, type):
                        continue
                    where = f"{owner.__module__}.{owner.__name__}.{name}"
                    if where.removeprefix("arrocco.laws.fide.") in NOT_RULES:
                        continue
                    article, dash, words = (member.__doc__ or "").partition(" — ")
                    assert dash, f"{where}: no article"
                    assert _is_article(article), f"{where}: {article!r} is no article"
                    assert words.strip(), where

    def test_shows_its_rules_with_articles_in_the_order_of_the_text(self, law: str) -> None:
        for edition in registry.texts(law):
            rules = list(edition.rules())
            assert rules
            assert all(rule.article and rule.words for rule in rules)
            chapters = [article_order(rule.article)[0] for rule in rules]
            assert chapters == sorted(chapters)

    def test_explains_its_readings_and_choices(self, law: str) -> None:
        for edition in registry.texts(law):
            names = [reading.name for reading in edition.READINGS]
            assert len(names) == len(set(names))
            for reading in edition.READINGS:
                assert _is_article(reading.article), reading.name
                assert reading.en.strip()
                assert reading.it.strip()
                assert len(reading.choices) >= 2, reading.name
                for choice in reading.choices:
                    assert choice.en.strip()
                    assert choice.it.strip()

    def test_can_be_read_in_every_way_it_offers(self, law: str) -> None:
        for edition in registry.texts(law):
            for reading in edition.READINGS:
                assert edition().readings[reading.name] == reading.default
                for choice in reading.choices:
                    chosen = edition(**{reading.name: choice.name})
                    assert chosen.reads(reading.name, choice.name)


@pytest.mark.parametrize("law", registry.LAWS)
class TestEveryRatingLaw:
    def test_names_the_article_of_every_step_and_exclusion(self, law: str) -> None:
        for edition in registry.editions(law):
            law_read = edition()
            for step in edition.ARTICLES:
                assert _is_article(law_read.article(step)), (step, law_read.article(step))
            for reason in edition.EXCLUSION_ARTICLES:
                assert _is_article(law_read.exclusion_article(reason)), reason


class TestALegalNumber:
    NOTICE = Legal(30, "0.2.1", "days", "notice", "preavviso")

    def test_counts_like_any_other(self) -> None:
        assert self.NOTICE == 30
        assert self.NOTICE + 1 == 31
        assert hash(self.NOTICE) == hash(30)

    def test_remembers_where_it_stands(self) -> None:
        number = self.NOTICE
        assert (number.article, number.unit, number.en, number.it) == (
            "0.2.1",
            "days",
            "notice",
            "preavviso",
        )

    def test_survives_copying_and_pickling(self) -> None:
        for again in (
            copy(self.NOTICE),
            deepcopy(self.NOTICE),
            pickle.loads(pickle.dumps(self.NOTICE)),
        ):
            assert isinstance(again, Legal)
            assert again == 30
            assert again.it == "preavviso"


CHOICES = (Choice("up", "upwards", "in su"), Choice("down", "downwards", "in giù"))


class Invented(Edition):
    law = "invented"
    in_force = Interval(date(2020, 1, 1))
    READINGS = (Reading("half", "1.2", "up", "text").means("a half", "un mezzo", *CHOICES),)
    TWO = Legal(2, "7.14", "days", "two", "due")
    ONE = Legal(1, "7.2", "days", "one", "uno")

    def tenth(self) -> int:
        """7.10 — comes after 7.9.

        With more to say below.
        """
        return 10

    def ninth(self) -> int:
        """7.9 — comes before 7.10."""
        return 9

    def helper(self) -> int:
        """Has no article."""
        return 0


class Amended(Invented):
    in_force = Interval(None)
    ONE = Legal(11, "7.2", "days", "eleven", "undici")

    def ninth(self) -> int:
        """7.9 — changed."""
        return 99


class TestAnEdition:
    def test_is_named_after_its_first_day(self) -> None:
        assert edition_name(Invented) == Invented().edition == "2020-01-01"
        assert edition_name(Amended) == Amended().edition == "undated"

    def test_shows_its_values_in_the_order_of_the_text(self) -> None:
        assert list(Invented.values()) == [("ONE", 1), ("TWO", 2)]

    def test_shows_the_value_that_an_amendment_put_in_place(self) -> None:
        assert dict(Amended.values()) == {"ONE": 11, "TWO": 2}

    def test_shows_as_rules_only_what_has_an_article(self) -> None:
        rules = [(rule.name, rule.article, rule.words) for rule in Invented.rules()]
        assert rules == [
            ("ninth", "7.9", "comes before 7.10."),
            ("tenth", "7.10", "comes after 7.9."),
        ]
        assert [rule.words for rule in Amended.rules()] == ["changed.", "comes after 7.9."]

    def test_reads_by_default_as_declared(self) -> None:
        assert Invented().reads("half", "up")
        assert not Invented().reads("half", "down")
        assert Invented(half="down").reads("half", "down")

    def test_equals_the_same_edition_read_the_same_way_only(self) -> None:
        assert Invented() == Invented(half="up")
        assert hash(Invented()) == hash(Invented(half="up"))
        assert Invented() != Invented(half="down")
        assert Invented() != Amended()
        assert Invented() != "2020-01-01"

    @pytest.mark.parametrize("name", ["quarter", "self", "READINGS"])
    def test_refuses_a_reading_it_does_not_have(self, name: str) -> None:
        with pytest.raises(Illegal) as refused:
            Invented(**{name: "up"})
        assert name in refused.value.message
        assert "half" in refused.value.advice

    def test_refuses_a_choice_its_reading_does_not_have(self) -> None:
        with pytest.raises(Illegal) as refused:
            Invented(half="sideways")
        assert "sideways" in refused.value.message
        assert "up, down" in refused.value.advice


class TestAReading:
    def test_must_default_to_one_of_its_choices(self) -> None:
        with pytest.raises(ValueError, match="sideways"):
            Reading("half", "1.2", "sideways", "text").means("a half", "un mezzo", *CHOICES)

    def test_must_rest_on_something(self) -> None:
        with pytest.raises(ValueError, match="hope"):
            Reading("half", "1.2", "up", "hope")


def test_articles_sort_by_their_numbers() -> None:
    in_order = ["0.2.1", "0.4", "1.1", "3", "7.2", "7.14", "7.14a", "8.3.3", "8.3.10", "10.1"]
    assert sorted(set(in_order), key=article_order) == in_order


def test_a_list_made_before_a_reading_had_a_name_is_read_as_it_was() -> None:
    from arrocco.laws.uisp.edition_undated import Uisp

    read = Uisp.readings_of({"decimals": "carried"})
    assert read["decimals"] == "carried"
    assert read["late_tournaments"] == "at_start"
    assert read["fsi_printed_default"] == "as_printed"
    assert Uisp(**read).entry_rating({"fsi": 999}) == (999, "fsi")
    assert Uisp().entry_rating({"fsi": 999}) == (1440, "none")
