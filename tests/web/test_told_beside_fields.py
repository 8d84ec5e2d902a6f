"""What the office refuses is told beside the field it is about, and nothing typed is lost."""

from __future__ import annotations

from typing import Any

import pytest
from httpx import Response
from lxml import html

from arrocco.desk import Office
from arrocco.office.roles import Role
from arrocco.words import LANGUAGES, Language, say
from tests.desk.offices import player_id
from tests.web.conftest import LogIn
from tests.web.desk_office import *  # noqa: F403 - fixtures
from tests.web.desk_office import OPEN, RATED_REPORT
from tests.web.html import faults_of
from tests.web.offices import PASSWORD, email_of
from tests.web.visits import posted

ADMIN, BOSS, ARBITER = Role.SYSTEM_ADMINISTRATOR, Role.RATING_ADMINISTRATOR, Role.ARBITER


def told_beside(answer: Response, field: str) -> str:
    """What stands under a field that is marked as wrong, and nothing above the page."""
    assert answer.status_code in (401, 404, 409, 422), answer.status_code
    assert not faults_of(answer.text)
    page: Any = html.fromstring(answer.text)
    assert not page.xpath("//main//*[@role='alert']"), "it is not told above the page as well"
    (marked,) = page.xpath(f"//*[@id='{field}']")
    assert marked.get("aria-invalid") == "true"
    assert f"{field}-wrong" in marked.get("aria-describedby", "").split()
    return " ".join(page.xpath(f"string(//*[@id='{field}-wrong'])").split())


def value_of(answer: Response, field: str) -> str:
    page: Any = html.fromstring(answer.text)
    (found,) = page.xpath(f"//*[@id='{field}']")
    if found.tag == "select":
        return str(found.xpath("string(./option[@selected]/@value)"))
    return str(found.get("value"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_invitation_of_a_player_without_a_number(logged_in: LogIn, language: Language) -> None:
    sent = {"email": "nuova@example.org", "role": "player", "federation": "ITA", "player": ""}
    answer = posted(logged_in(ADMIN), f"/{language}/accounts/invite", sent)
    said = told_beside(answer, "player")
    for part in ("text", "do"):
        words = say(language, f"desk.refused.no_player_number.{part}")
        assert words[1:] in said
    for field in ("email", "role", "federation"):
        assert value_of(answer, field) == sent[field], field


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"role": "federation_officer", "federation": ""}, "federation"),
        ({"federation": "ITALIA"}, "federation"),
        ({"email": "nobody"}, "email"),
        ({"email": email_of(ARBITER)}, "email"),
        ({"role": "public"}, "role"),
    ],
)
def test_an_invitation_with_another_fault(
    logged_in: LogIn, changed: dict[str, str], field: str
) -> None:
    sent = {"email": "nuova@example.org", "role": "arbiter", "federation": "", "player": "7"}
    answer = posted(logged_in(ADMIN), "/en/accounts/invite", sent | changed)
    assert told_beside(answer, field)
    assert value_of(answer, "player") == "7"


def test_the_passwords_of_ones_own_account(logged_in: LogIn) -> None:
    client, path = logged_in(ARBITER), "/en/account/password"
    wrong = {"old": "not my password", "new": "a good new one", "again": "a good new one"}
    assert told_beside(posted(client, path, wrong), "old")
    short = {"old": PASSWORD, "new": "short", "again": "short"}
    assert told_beside(posted(client, path, short), "new")


def test_the_form_of_an_invitation(client: Any, office: Office, logged_in: LogIn) -> None:
    sent = {"token": "made up", "name": "Nina Ontano", "password": PASSWORD, "again": PASSWORD}
    answer = posted(client, "/en/invitation", sent)
    assert told_beside(answer, "token")
    assert value_of(answer, "name") == "Nina Ontano"


def test_the_birth_of_a_changed_record(logged_in: LogIn) -> None:
    sent = {"birth": "31 May", "from_day": "2025-06-29", "reason": "passport", "title": "FM"}
    answer = posted(logged_in(BOSS), f"/en/desk/people/{player_id(2)}/change", sent)
    assert told_beside(answer, "birth")
    assert value_of(answer, "title") == "FM"


@pytest.mark.parametrize(
    ("kept", "left", "field"),
    [
        (str(player_id(1)), "99888888", "see-left"),
        ("99888888", str(player_id(1)), "see-kept"),
        (str(player_id(1)), str(player_id(1)), "see-left"),
    ],
)
def test_two_numbers_to_be_merged(logged_in: LogIn, kept: str, left: str, field: str) -> None:
    sent = {"kept": kept, "left": left, "merge_reason": "the same person"}
    answer = posted(logged_in(BOSS), "/en/desk/people/merge", sent)
    assert told_beside(answer, field)
    assert (value_of(answer, "see-kept"), value_of(answer, "see-left")) == (kept, left)


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"round_0": "99", "white_0": "1", "black_0": "2", "result_0": "1-0"}, "round_0"),
        ({"entry_1": "99", "player_1": "99000900"}, "entry_1"),
        ({"entry_0": "1", "player_0": str(player_id(2))}, "player_0"),
        ({"entry_0": "1", "player_0": str(player_id(1))}, "player_0"),
        ({"start": "2025-05-08", "end": "2025-05-01"}, "end"),
    ],
)
def test_a_correction(logged_in: LogIn, sent: dict[str, str], field: str) -> None:
    path = f"/en/desk/corrections/{RATED_REPORT}"
    answer = posted(logged_in(BOSS), path, {"do": "preview"} | sent)
    assert told_beside(answer, field)
    for name, value in sent.items():
        assert value_of(answer, name) == value


def test_a_report_that_is_no_report(logged_in: LogIn) -> None:
    files = {"file": ("broken.zip", b"PK\x03\x04 and no more", "application/zip")}
    path = f"/en/desk/tournaments/{OPEN}/report"
    answer = posted(logged_in(ARBITER), path, {"do": "check"}, files=files)
    assert "broken.zip" in told_beside(answer, "file")


def test_a_fault_in_a_closed_part_of_the_page_opens_it(logged_in: LogIn) -> None:
    client = logged_in(BOSS)
    for path, field in (
        (f"/en/desk/tournaments/{OPEN}/cancel", "cancel_reason"),
        (f"/en/desk/people/{player_id(2)}/died", "died"),
    ):
        answer = posted(client, path, {})
        page: Any = html.fromstring(answer.text)
        assert page.xpath(f"//details[@open]//*[@id='{field}-wrong']"), path
