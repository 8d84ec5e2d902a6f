"""What pages are told of the acts there are, and that all of it has words."""

from __future__ import annotations

import pytest

from arrocco.hall.game.act_forms import act_forms
from arrocco.hall.game.acts import COMMANDS, RECORDS
from arrocco.words import LANGUAGES, Language, catalogue
from tests.hall.game.table import LAW

FORMS = {form.type: form for form in act_forms(LAW)}


def test_every_act_has_a_form_with_its_articles_and_fields() -> None:
    assert len(FORMS) == len(COMMANDS)
    assert FORMS["set_time"].articles == ("11.5", "1.3.5")
    assert [field.kind for field in FORMS["set_time"].fields] == ["side", "time"]
    assert [(field.name, field.kind) for field in FORMS["withdraw"].fields] == [("corrects", "act")]
    assert [form.type for form in FORMS.values() if form.chosen] == ["correct_result"]
    assert [field.optional for field in FORMS["declare_result"].fields] == [False, True]
    assert FORMS["pause"].phases == ("running",)


def test_the_acts_that_are_needed_most_often_come_first() -> None:
    assert list(FORMS)[:4] == ["answer_call", "pause", "resume", "add_time"]
    assert len({command.PLACE for command in COMMANDS}) == len(COMMANDS)
    keys = [form.key for form in FORMS.values() if form.key]
    assert sorted(keys) == sorted(set(keys)) == sorted("apbrtsdcwi")


def test_6_9h_i_j_an_exclusion_offers_what_its_article_reaches() -> None:
    side, scope, rounds = FORMS["exclude"].fields
    assert scope.choices == {
        "6.9h": ("rounds",),
        "6.9i": ("tournament", "championship"),
        "6.9j": ("tournament", "championship", "competition"),
    }
    assert rounds.when == {"scope": ("rounds",)}
    assert (side.kind, scope.kind, rounds.kind) == ("side", "choice", "count")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_act_its_fields_choices_and_articles_have_words(language: Language) -> None:
    words = catalogue(language, "hall_pages")
    needed = [f"act.{record.__struct_config__.tag}" for record in RECORDS]
    for form in FORMS.values():
        needed.append(f"do.{form.type}")
        needed.extend(f"article.{article}" for article in form.articles)
        for field in form.fields:
            names = ("clock_white", "clock_black") if field.kind == "clocks" else (field.name,)
            needed.extend(f"field.{name}" for name in names)
            for choices in field.choices.values():
                needed.extend(f"{field.name}.{choice}" for choice in choices)
    assert [key for key in needed if f"hall_pages.js.{key}" not in words] == []
