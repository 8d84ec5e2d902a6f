"""The forms of an event's page: what is refused stands beside its field, with what was written."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import html

from arrocco.desk import Office
from arrocco.office.roles import Role
from arrocco.words import LANGUAGES, Language
from tests.web.conftest import Client, LogIn
from tests.web.html import faults_of
from tests.web.offices import email_of
from tests.web.test_hall_pages import FORM, announce, app, asked, enter_both, logged_in
from tests.web.visits import posted

__all__ = ["app", "logged_in"]


@pytest.fixture
def event(office: Office, logged_in: LogIn) -> tuple[Client, str]:
    """An event of three rounds with two players, and its arbiter."""
    arbiter = logged_in(Role.ARBITER)
    address = announce(arbiter, rounds="3", announced_fine="20", late_entries_until="3")
    enter_both(office, arbiter, address)
    return arbiter, address


def told_in_box(page: str, box: str, field: str) -> str:
    """What stands beside a field of an open box, and nowhere else on the page."""
    assert not faults_of(page)
    tree: Any = html.fromstring(page)
    assert not tree.xpath("//main//*[@role='alert'][not(@hidden)]"), (
        "it is not told above the page as well"
    )
    (marked,) = tree.xpath("//*[@aria-invalid='true']")
    assert marked.get("id") == f"{box}-{field}"
    assert marked.get("autofocus") is not None, "the page is opened there"
    assert tree.xpath(f"//details[@open]//*[@id='{box}-{field}']")
    assert f"{box}-{field}-wrong" in marked.get("aria-describedby").split()
    return " ".join(tree.xpath(f"string(//*[@id='{box}-{field}-wrong'])").split())


def shown(page: str, box: str, field: str) -> str:
    tree: Any = html.fromstring(page)
    (found,) = tree.xpath(f"//*[@id='{box}-{field}']")
    if found.tag == "select":
        return str(found.xpath("string(./option[@selected]/@value)"))
    return str(found.text or "" if found.tag == "textarea" else found.get("value"))


ASKED: list[tuple[str, dict[str, str], str]] = [
    ("enter", {"email": "nobody@example.org"}, "email"),
    ("enter", {"email": "p1@example.org"}, "email"),
    ("appoint_arbiter", {"email": "p1@example.org"}, "email"),
    ("appoint_arbiter", {"email": "nobody@example.org", "first": "3"}, "email"),
    ("correct_person", {"entry": "1", "id": "99000012"}, "id"),
    ("correct_person", {"entry": "1", "id": "x"}, "id"),
    ("request_bye", {"entry": "1", "round": "9", "kind": "zero_point"}, "round"),
    ("request_bye", {"entry": "1", "round": "2", "kind": "half_point"}, "kind"),
    ("forbid_pair", {"one": "1", "other": "1", "reason": "Sorelle"}, "other"),
    ("forbid_pair", {"one": "1", "other": "2", "reason": ""}, "reason"),
    ("pair_round", {"starts": "2001-01-01T10:00"}, "starts"),
    ("pair_round", {"starts": "tomorrow"}, "starts"),
    ("pair_by_hand", {"boards": "1 1"}, "boards"),
    ("pair_by_hand", {"boards": "uno due"}, "boards"),
    ("impose", {"entry": "1", "article": "6.9h", "reason": "Assente"}, "rounds"),
    ("impose", {"entry": "1", "article": "6.9j", "reason": "Motore"}, "scope"),
    ("impose", {"entry": "1", "article": "6.9g", "reason": "Rumore", "fine": "21"}, "fine"),
    ("impose", {"entry": "1", "article": "6.9f", "reason": "Motore", "round": "1"}, "round"),
]


def test_a_refusal_stands_beside_its_field_and_nothing_written_is_lost(
    event: tuple[Client, str],
) -> None:
    arbiter, address = event  # one for all: what is refused changes nothing
    for number, (what, sent, field) in enumerate(ASKED):
        language = LANGUAGES[number % len(LANGUAGES)]
        path = f"/{language}{address[3:]}/ask/{what}"
        answer = posted(arbiter, path, sent | {"box": what})
        assert answer.status_code in (409, 422), (what, sent)
        assert told_in_box(answer.text, what, field), (what, sent)
        for name, value in sent.items():
            assert shown(answer.text, what, name) == value, (what, name)


def test_a_refusal_of_an_article_names_it_beside_the_field(event: tuple[Client, str]) -> None:
    arbiter, address = event
    sent = {"entry": "1", "article": "6.9j", "reason": "Motore", "box": "impose"}
    answer = posted(arbiter, f"{address}/ask/impose", sent)
    assert "exclusion is missing. (6.9j)" in told_in_box(answer.text, "impose", "scope")


def test_every_objection_to_a_pairing_by_hand_is_told(event: tuple[Client, str]) -> None:
    arbiter, address = event
    asked(arbiter, address, "forbid_pair", one="1", other="2", reason="Sorelle")
    sent = {"boards": "1 2\n1", "box": "pair_by_hand"}
    answer = posted(arbiter, f"{address}/ask/pair_by_hand", sent)
    said = told_in_box(answer.text, "pair_by_hand", "boards")
    assert "more than once" in said
    sent = {"boards": "1 2", "box": "pair_by_hand"}
    answer = posted(arbiter, f"{address}/ask/pair_by_hand", sent)
    assert "must not be paired" in told_in_box(answer.text, "pair_by_hand", "boards")


def test_what_is_about_no_field_is_told_in_the_box(event: tuple[Client, str]) -> None:
    arbiter, address = event
    for entry in ("1", "2"):
        asked(arbiter, address, "withdraw_entry", entry=entry)
    answer = posted(arbiter, f"{address}/ask/pair_round", {"box": "pair_round"})
    assert answer.status_code == 409
    assert not faults_of(answer.text)
    tree: Any = html.fromstring(answer.text)
    (told,) = tree.xpath("//*[@role='alert'][not(@hidden)]")
    assert "fewer than two players" in told.text_content()
    assert told.xpath("./ancestor::details[@open]//form[contains(@action, 'pair_round')]")


def test_where_its_box_is_gone_a_refusal_is_told_above_the_page(event: tuple[Client, str]) -> None:
    arbiter, address = event
    asked(arbiter, address, "pair_round")
    answer = posted(arbiter, f"{address}/ask/pair_round", {"box": "pair_round"})
    assert answer.status_code == 409
    above = answer.text.partition("<main")[2].partition("<h1")[0]
    assert "Round 1 is not closed" in above


def test_of_several_boxes_of_one_command_only_the_one_sent_is_open(
    event: tuple[Client, str],
) -> None:
    arbiter, address = event
    for entry in ("1", "2"):
        asked(arbiter, address, "impose", entry=entry, article="6.9a", reason="Rumore")
    sent = {"number": "2", "reason": "", "box": "lift_sanction-2"}
    answer = posted(arbiter, f"{address}/ask/lift_sanction", sent)
    assert told_in_box(answer.text, "lift_sanction-2", "reason")
    tree: Any = html.fromstring(answer.text)
    assert len(tree.xpath("//details[contains(@class, 'act-box')][@open]")) == 1


def test_officials_see_who_withdrew_before_the_first_round_and_bring_them_back(
    event: tuple[Client, str], logged_in: LogIn
) -> None:
    arbiter, address = event
    page = asked(arbiter, address, "withdraw_entry", entry="2")
    tree: Any = html.fromstring(page)
    (row,) = tree.xpath("//section[@data-live='entries']//tbody/tr[last()]")
    assert "Betulla, Carlo" in row.text_content()
    assert "withdrawn" in row.text_content()
    assert "Betulla" not in logged_in(Role.PUBLIC).get(address).text
    (form,) = row.xpath(".//form[contains(@action, 'check_in')]")
    assert form.xpath(".//input[@name='entry']/@value") == ["2"]
    page = asked(arbiter, address, "check_in", entry="2")
    assert "Readmit" not in page
    assert "Betulla" in logged_in(Role.PUBLIC).get(address).text


def test_6_3_an_assistant_is_shown_the_forms_of_what_an_assistant_may_do(
    event: tuple[Client, str], logged_in: LogIn
) -> None:
    arbiter, address = event
    asked(arbiter, address, "appoint_arbiter", email=email_of(Role.FEDERATION_OFFICER))
    asked(arbiter, address, "impose", entry="1", article="6.9a", reason="Rumore")
    asked(arbiter, address, "forbid_pair", one="1", other="2", reason="Sorelle")
    assistant = logged_in(Role.FEDERATION_OFFICER)
    page = assistant.get(address).text
    assert not faults_of(page)
    tree: Any = html.fromstring(page)
    forms = tree.xpath("//section[contains(@class, 'desk')]//form/@action")
    assert {form.rpartition("/")[2] for form in forms} == {"check_in", "impose"}
    assert posted(assistant, f"{address}/ask/check_in", {"entry": "1"}).status_code == 303
    articles = tree.xpath("//form[contains(@action, 'impose')]//select[@name='article']/option")
    assert [article.get("value") for article in articles] == ["6.9a", "6.9k"]


def test_9_1_who_is_watched_is_told_to_officials_and_drawn_before_the_round_is_opened(
    office: Office, logged_in: LogIn
) -> None:
    arbiter = logged_in(Role.ARBITER)
    address = announce(arbiter, supervision="sample", sample="1")
    enter_both(office, arbiter, address)
    page = asked(arbiter, address, "pair_round")
    assert "Draw the players to supervise before you start" in page
    page = asked(arbiter, address, "draw_sample", seed="12 44 81")
    assert "Supervised in round 1" in page
    assert "ask/draw_sample" not in page, "a lot is drawn once"
    assert "Supervised in round" not in logged_in(Role.PUBLIC).get(address).text


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_is_wrong_with_the_rules_is_told_at_once(
    logged_in: LogIn, language: Language
) -> None:
    wrong = {
        "time_control": "abc",
        "tolerance": "x",
        "disconnection_rule": "",
        "announced_fine": "0",
        "end": "2026-11-01x",
    }
    answer = posted(logged_in(Role.ARBITER), f"/{language}/hall/new", FORM | wrong)
    assert answer.status_code == 422
    assert not faults_of(answer.text)
    tree: Any = html.fromstring(answer.text)
    assert {one.get("id") for one in tree.xpath("//*[@aria-invalid='true']")} == set(wrong)
    assert {one[1:] for one in tree.xpath("//*[@role='alert']//a/@href")} == set(wrong)


def test_an_event_that_ends_before_it_starts_is_told_so_beside_its_end(logged_in: LogIn) -> None:
    answer = posted(logged_in(Role.ARBITER), "/en/hall/new", FORM | {"end": "2026-11-01"})
    assert answer.status_code == 409
    tree: Any = html.fromstring(answer.text)
    assert [one.get("id") for one in tree.xpath("//*[@aria-invalid='true']")] == ["end"]


def test_decimals_are_written_as_the_language_writes_them(logged_in: LogIn) -> None:
    arbiter = logged_in(Role.ARBITER)
    address = announce(arbiter, announced_fine="20")
    assert "draw 0.5" in arbiter.get(f"{address}/announcement").text
    assert "patta 0,5" in arbiter.get(f"/it{address[3:]}/announcement").text
    assert "20,00 €" in arbiter.get(f"/it{address[3:]}/announcement").text
    assert 'value="0,5"' in arbiter.get("/it/hall/new").text
