"""Finding one's own number by name, and claiming it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal
from litestar.testing import TestClient

from arrocco.desk import Office
from arrocco.office.settings import SignUp
from arrocco.words import LANGUAGES, Language, say
from tests.desk.mailbag import token_in
from tests.desk.offices import name_of, player_id
from tests.web.apps import app_of
from tests.web.conftest import Client
from tests.web.desk_office import people_in
from tests.web.html import faults_of
from tests.web.offices import PASSWORD
from tests.web.public_fixtures import public_folder  # noqa: F401 - a fixture
from tests.web.visits import all_of, posted

OWN = player_id(3)
HERE = "/account/number"


@pytest.fixture
def office(public_folder: Path, tmp_path: Path) -> Iterator[Office]:  # noqa: F811
    folder = Path(shutil.copytree(public_folder, tmp_path / "office"))
    with closing(Office.open(folder)) as opened:
        yield opened


@pytest.fixture
def signed_up(office: Office, portal: BlockingPortal) -> Client:
    """Somebody who signed up under the name that the lists have of them."""
    client: Client = TestClient(app_of(office))
    client.blocking_portal = portal
    root = people_in(office).root
    office.settings.change(root, sign_up=SignUp.OPEN)
    sent = {"email": "own@example.org", "token": ""}
    posted(client, "/it/sign-up", sent, form="/it/sign-up")
    token = token_in(office, "sign_up")
    chosen = {"token": token, "name": name_of(3), "password": PASSWORD, "again": PASSWORD}
    form = f"/it/sign-up/confirm?token={token}"
    done = posted(client, "/it/sign-up/confirm", chosen, form=form)
    assert done.headers["location"] == f"/it{HERE}"
    return client


def page_of(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    assert faults_of(answer.text) == [], path
    return answer.text


def text_in(page: str, section: str) -> str:
    (part,) = all_of(page, f"//section[@aria-labelledby='{section}']")
    return " ".join("".join(part.itertext()).split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_gave_their_name_finds_their_number_and_claims_it_without_typing(
    signed_up: Client, office: Office, language: Language
) -> None:
    page = page_of(signed_up, f"/{language}{HERE}")
    assert name_of(3) in text_in(page, "find")
    (link,) = [one for one in all_of(page, "//section//tbody//a/@href") if one.endswith(f"={OWN}")]
    chosen = page_of(signed_up, link)
    assert name_of(3) in text_in(chosen, "claim")
    (number,) = all_of(chosen, "//input[@name='player']/@value")
    assert number == str(OWN)
    asked = {"player": number, "note": "", "do": "ask"}
    answer = posted(signed_up, f"/{language}{HERE}", asked, form=link)
    assert answer.status_code == 303
    page = page_of(signed_up, f"/{language}{HERE}")
    assert str(OWN) in page
    assert not all_of(page, "//section[@aria-labelledby='find']"), "a claim waits"


@pytest.mark.parametrize("language", LANGUAGES)
def test_another_name_can_be_searched_for(signed_up: Client, language: Language) -> None:
    surname = name_of(5).partition(",")[0]
    page = page_of(signed_up, f"/{language}{HERE}?q={surname}")
    assert name_of(5) in text_in(page, "find")
    assert f"player={OWN}" not in page
    nobody = page_of(signed_up, f"/{language}{HERE}?q=zzqqzz")
    assert say(language, "access.number.none_advice") in text_in(nobody, "find")
    assert all_of(page_of(signed_up, f"/{language}{HERE}?q="), "//input[@id='q']")
    (field,) = all_of(page_of(signed_up, f"/{language}{HERE}?q={'x' * 400}"), "//input[@id='q']")
    assert field.get("value") == "x" * 100


def test_a_number_of_nobody_is_not_shown_as_chosen(signed_up: Client) -> None:
    for number in ("99888888", "1" * 40, "-3", "abc"):
        page = page_of(signed_up, f"/en{HERE}?player={number}")
        assert say("en", "access.number.chosen") not in text_in(page, "claim")
