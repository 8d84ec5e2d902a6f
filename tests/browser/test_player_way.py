"""A player's way in a browser, from signing up by link to having their data erased."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arrocco.desk import Office
from arrocco.office.roles import Asker, Role
from arrocco.office.settings import SignUp
from arrocco.words import Language, say
from tests.browser.conftest import NewTab, Served, keep
from tests.browser.desk_served import answering
from tests.browser.languages import first_in
from tests.desk.mailbag import token_in
from tests.desk.offices import player_id
from tests.web.offices import PASSWORD, email_of
from tests.web.public_fixtures import public_folder  # noqa: F401 - a fixture

OWN = player_id(3)
"""Whose receipt it is."""


@pytest.fixture
def office(public_folder: Path, tmp_path: Path) -> Iterator[Office]:  # noqa: F811
    """An office with lists that the test may change."""
    folder = Path(shutil.copytree(public_folder, tmp_path / "office"))
    with closing(Office.open(folder)) as opened:
        yield opened


@pytest.fixture
def served(office: Office) -> Iterator[Served]:
    with answering(office) as server:
        yield server


def sign_up(page: Page, office: Office, language: Language) -> None:
    """Opens an account by the link that the office gave, and claims a number."""
    root = Asker(account=1, role=Role.SYSTEM_ADMINISTRATOR)
    office.settings.change(root, sign_up=SignUp.LINK)
    link = office.settings.new_sign_up_link(root, 7)
    page.goto(f"/{language}/sign-up?token={link}")
    page.fill("#email", "own@example.org")
    page.get_by_role("button", name=say(language, "access.sign_up.button"), exact=True).click()
    expect(page.locator(".notice.done")).to_contain_text("own@example.org")
    page.goto(f"/{language}/sign-up/confirm?token={token_in(office, 'sign_up')}")
    page.fill("#name", "Castellari Fintac")
    page.fill("#password", PASSWORD)
    page.fill("#again", PASSWORD)
    page.get_by_role("button", name=say(language, "access.sign_up.finish"), exact=True).click()
    page.wait_for_url(f"**/{language}/account/number")
    page.fill("#player", str(OWN))
    page.get_by_role("button", name=say(language, "access.number.ask"), exact=True).click()
    expect(page.locator(".notice.waiting")).to_contain_text(str(OWN))


def log_in(page: Page, language: Language, role: Role) -> None:
    page.goto(f"/{language}/log-in")
    page.fill("#email", email_of(role))
    page.fill("#password", PASSWORD)
    page.locator("main form button.primary").click()
    expect(page.locator(f".side a[href='/{language}/desk']")).to_be_attached()


@first_in("en")
def test_from_the_link_to_the_answer_and_away(
    new_tab: NewTab, office: Office, language: Language
) -> None:
    def words(key: str, **details: object) -> str:
        return say(language, key, **details)

    page, officer = new_tab(language, width=390), new_tab(language)
    sign_up(page, office, language)
    log_in(officer, language, Role.RATING_ADMINISTRATOR)
    officer.goto(f"/{language}/desk/claims")
    keep(officer, language, "claims")
    officer.locator("main tbody form button").first.click()
    expect(officer.locator(".notice.done")).to_be_visible()
    page.goto(f"/{language}/my-rating")
    expect(page).to_have_url(re.compile(f"/{language}/players/{OWN}$"))
    page.goto(f"/{language}/players/{OWN}/fide/2025-06-01")
    page.get_by_role("link", name=words("questions.page.wrong")).first.click()
    page.fill("#text", "2-0 ?")
    page.get_by_role("button", name=words("questions.page.send")).click()
    expect(page.locator(".states")).to_contain_text(words("questions.state.open"))
    keep(page, language, "question-phone")
    question = page.url

    officer.goto(f"/{language}/desk")
    keep(officer, language, "inbox")
    officer.get_by_role("link", name=words("inbox.item.questions"), exact=True).click()
    officer.locator("tbody a").first.click()
    officer.fill("#text", "1-1.")
    officer.get_by_role("button", name=words("questions.page.send_answer")).click()
    expect(officer.locator(".states")).to_contain_text(words("questions.state.answered"))

    page.goto(question)
    expect(page.locator("main")).to_contain_text("1-1.")
    page.goto(f"/{language}/lists/fide")
    page.get_by_role("button", name=words("follow.page.follow"), exact=True).click()
    expect(page.get_by_role("button", name=words("follow.page.unfollow"))).to_be_visible()
    page.goto(f"/{language}/account/data")
    keep(page, language, "own-data-phone")
    with page.expect_download() as download:
        page.get_by_role("link", name=words("privacy.page.download")).click()
    assert download.value.suggested_filename == "personal-data.zip"
    page.locator("details.confirm summary").click()
    page.fill("#password", PASSWORD)
    page.get_by_role("button", name=words("privacy.page.erase_button")).click()
    expect(page.locator(".notice.done")).to_contain_text(words("privacy.page.erased"))
    page.goto(f"/{language}/account")
    assert "/log-in" in page.url
