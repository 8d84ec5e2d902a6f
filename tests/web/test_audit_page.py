"""The audit log tells in words who did what, and can be asked by person, action and day."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from lxml import html

from arrocco.desk import Office
from arrocco.desk.accounts import NotLoggedIn
from arrocco.desk.api_keys import Scope
from arrocco.desk.desk import operator
from arrocco.office.roles import Permission, Role
from arrocco.words import LANGUAGES, Language, catalogue, say
from tests.desk.offices import Clock
from tests.refusals import SOURCE
from tests.web.conftest import LogIn
from tests.web.desk_office import *  # noqa: F403 - fixtures
from tests.web.desk_office import JULY, JUNE, OPEN, people_in
from tests.web.html import faults_of
from tests.web.offices import email_of

BOSS = Role.RATING_ADMINISTRATOR
AT = {
    "acting": 1,
    "looking": 1,
    "refused": 1,
    "count_refused": 0,
    "_change": 2,
    "_member": 1,
}
"""Where the name of the action stands among what is given to a function that writes it."""


def rows_of(text: str) -> list[list[str]]:
    """The cells of the table, each as it reads."""
    page: Any = html.fromstring(text)
    found = page.xpath("//main//tbody/tr")
    return [[" ".join(cell.text_content().split()) for cell in row] for row in found]


# --- every action has its sentence ----------------------------------------------------------------


def written() -> Iterator[tuple[str, str]]:
    """Where and by what name the office writes its actions: literals, or a variable `action`."""
    for path in [
        *sorted((SOURCE / "desk").glob("*.py")),
        SOURCE / "cli" / "office.py",
        SOURCE / "cli" / "recording.py",
    ]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            where = f"{path.name}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "action":
                for part in ast.walk(node.value):
                    if isinstance(part, ast.Constant):
                        yield where, str(part.value)
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if getattr(node.func.value, "id", "") == "states":
                continue  # what becomes of a tournament, not a line of the log
            at = AT.get(node.func.attr)
            if at is None or len(node.args) <= at:
                continue
            given = node.args[at]
            if isinstance(given, ast.Constant):
                yield where, str(given.value)
            else:
                assert getattr(given, "id", "") == "action", f"{where}: an action nobody can read"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_action_that_can_be_written_has_a_sentence(language: Language) -> None:
    words, found = catalogue(language, "audit_pages"), list(written())
    assert len({action for _, action in found}) > 35, "the reading of the code still finds them"
    # The guard writes the permission that was missing.
    for where, action in [*found, *(("guard.py", one.value) for one in Permission)]:
        assert f"audit_pages.did.{action}" in words, f"{where}: {action}"
    known = {action for _, action in found} | {one.value for one in Permission}
    spoken = {
        key.removeprefix("audit_pages.did.") for key in words if key.startswith("audit_pages.did.")
    }
    assert spoken == known, "no sentence is for an action that is never written"


# --- the page -------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_strangers_were_refused_is_one_line_that_says_how_often(
    logged_in: LogIn, office: Office, clock: Clock, language: Language
) -> None:
    people = people_in(office)
    before = len(rows_of(logged_in(BOSS).get(f"/{language}/audit").text))
    for typed in ("list:fide:yesterday", "report:7", "12", email_of(Role.ARBITER)):
        with pytest.raises(NotLoggedIn):
            office.accounts.log_in(typed, "wrong password", "192.0.2.7")
    client = logged_in(BOSS)
    assert len(rows_of(client.get(f"/{language}/audit").text)) == before, "the hour is not over"
    clock.at += timedelta(hours=1)
    answer = logged_in(BOSS).get(f"/{language}/audit")
    rows = rows_of(answer.text)
    assert not faults_of(answer.text)
    assert len(rows) == before + 1
    assert "4 volte" in rows[0][2] if language == "it" else "4 times" in rows[0][2]
    assert f"{people.arbiter.name} ({people.arbiter.account})" in rows[0][2]
    for typed in ("yesterday", "report:7", "192.0.2.7"):
        assert typed not in str(rows[0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_have_their_names_and_actions_their_words(
    logged_in: LogIn, office: Office, language: Language
) -> None:
    people = people_in(office)
    boss = people.administrator
    number = office.lists.enter_draft(boss, "fide", JULY)
    office.lists.run_draft(number)
    office.lists.publish(boss, number, before_closing=True)
    text = logged_in(BOSS).get(f"/{language}/audit").text
    assert not faults_of(text)
    told = next(
        row for row in rows_of(text) if say(language, "audit_pages.did.publish_list") in row[2]
    )
    name = office.audit.names(boss, [boss.account or 0])[boss.account or 0]
    assert told[1].startswith(f"{name} {boss.account}")
    assert "30 giu 2025" in told[2] if language == "it" else "30 Jun 2025" in told[2]
    assert "1 lug 2025" in told[3] if language == "it" else "1 Jul 2025" in told[3]
    for raw in ("publish_list", "begin_draft", "list:fide"):
        assert not any(raw in cell for row in rows_of(text) for cell in row), raw


def test_what_was_done_to_an_account_names_its_person(logged_in: LogIn, office: Office) -> None:
    people = people_in(office)
    player = people.player.account or 0
    office.accounts.disable(people.root, player)
    row = rows_of(logged_in(BOSS).get("/en/audit").text)[0]
    assert row[2:4] == ["Closes an account", f"{people.player.name} ({player})"]


def test_the_command_line_and_strangers_are_told_apart(
    logged_in: LogIn, office: Office, clock: Clock
) -> None:
    office.tournaments.cancel(operator(BOSS), OPEN, "rain")
    with pytest.raises(NotLoggedIn):
        office.accounts.log_in("nobody@example.org", "wrong password", "192.0.2.7")
    clock.at += timedelta(hours=1)
    rows = rows_of(logged_in(BOSS).get("/en/audit").text)
    assert [row[1] for row in rows if row[2].startswith("Logs in") and row[5] == "–"] == [
        "Not logged inThe public"
    ]
    (cancelled,) = (row for row in rows if row[2].startswith("Withdraws the registration"))
    assert cancelled[1].startswith("On the office computer")
    assert cancelled[3] == f"Torneo Aperto di Finta (tournament {OPEN})"


def test_the_log_is_asked_by_person_action_and_day(logged_in: LogIn, office: Office) -> None:
    people = people_in(office)
    client = logged_in(BOSS)
    name, number = people.arbiter.name, people.arbiter.account
    for asked in (str(number), name, name.upper()):
        rows = rows_of(client.get("/en/audit", params={"person": asked}).text)
        assert rows
        assert all(row[1].startswith(f"{name} {number}") for row in rows), asked
    rows = rows_of(client.get("/en/audit", params={"action": "import_list"}).text)
    assert [row[2] for row in rows] == ["Imports a list"]
    rows = rows_of(client.get("/en/audit", params={"day": JUNE.isoformat()}).text)
    assert rows
    assert all(row[0].startswith("1 Jun 2025") for row in rows)
    assert rows_of(client.get("/en/audit", params={"day": "2025-06-02"}).text) == []


def test_a_name_that_several_have_is_left_to_choose_and_one_that_nobody_has_is_told(
    logged_in: LogIn, office: Office
) -> None:
    client = logged_in(BOSS)
    several = client.get("/en/audit", params={"person": "example"})
    page: Any = html.fromstring(several.text)
    assert say("en", "audit_pages.several") in several.text
    assert len(page.xpath("//main//li/a[contains(@href, 'person=')]")) > 1
    nobody = client.get("/it/audit", params={"person": "Inesistente"})
    assert say("it", "audit_pages.nobody") in " ".join(nobody.text.split())
    assert rows_of(nobody.text) == []
    wrong = client.get("/it/audit", params={"day": "ieri"})
    assert "day-wrong" in wrong.text


def test_subjects_are_told_by_their_names(logged_in: LogIn, office: Office) -> None:
    people = people_in(office)
    office.accounts.invite(people.root, "guest@example.org", Role.ARBITER)
    (waiting,) = office.accounts.waiting(people.root)
    office.accounts.withdraw_invitation(people.root, waiting.id)
    assert people.player.account
    office.claims.release(people.root, people.player.account, "for another account")
    claim = office.claims.ask(people.player, 99000102)
    office.claims.decide(people.officer, claim, accept=True)
    root = logged_in(Role.SYSTEM_ADMINISTRATOR)
    subjects = [row[3] for row in rows_of(root.get("/en/audit").text)]
    assert f"guest@example.org (invitation {waiting.id})" in subjects
    assert f"Player ({people.player.account})" in subjects
    assert "Brughera, Fintab (player 99000102)" in subjects
    assert f"claim {claim} · Player · Brughera, Fintab" in subjects


def test_drafts_keys_and_replays_have_their_names(logged_in: LogIn, office: Office) -> None:
    people = people_in(office)
    boss = people.administrator
    draft = office.lists.enter_draft(boss, "fide", JULY)
    office.lists.run_draft(draft)
    office.lists.discard(boss, draft)
    office.api_keys.make(people.arbiter, "pairing program", (Scope.REPORTS,), 9)
    (key,) = office.api_keys.own(people.arbiter)
    office.api_keys.revoke(people.arbiter, key.id)
    rows = rows_of(logged_in(BOSS).get("/en/audit").text)
    subjects = [row[3] for row in rows]
    assert f"FIDE standard, list of 1 Jul 2025 (draft {draft})" in subjects
    assert f"pairing program (API key {key.id})" in subjects
