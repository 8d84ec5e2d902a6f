"""Every page without parameters, in both languages, for every role: sound HTML, all its words."""

from __future__ import annotations

import pytest
from litestar import Litestar
from lxml import html

from arrocco.office.roles import Asker, Permission, Role, may
from arrocco.web.routes import PERMISSION, route_table
from arrocco.words import LANGUAGES, Language
from tests.web.conftest import Client, LogIn
from tests.web.html import faults_of
from tests.web.offices import PASSWORD
from tests.web.visits import all_of, posted

NOT_PAGES = {
    "/appearance",
    "/hall/now",
    "/account/data/export.zip",
    "/questions/new",
    "/committee/cases/new",
}
"""A way back, a part of a page that may be empty, a file, forms about what a query names."""


def pages(app: Litestar) -> list[tuple[str, Permission]]:
    """The pages that need no parameters."""
    return [
        (path, handler.opt[PERMISSION])
        for path, method, handler in route_table(app)
        if method == "GET"
        and "{" not in path
        and path[1:3] in LANGUAGES
        and path[3:4] in ("", "/")
        and path[3:] not in NOT_PAGES
    ]


@pytest.mark.parametrize("role", Role)
def test_every_page_is_sound(app: Litestar, logged_in: LogIn, role: Role) -> None:
    client, seen = logged_in(role), 0
    for path, permission in pages(app):
        if may(Asker(role=role), permission):
            answer = client.get(path)
            assert answer.status_code == 200, path
            assert faults_of(answer.text) == [], path
            assert html.fromstring(answer.text).get("lang") == path[1:3]
            seen += 1
    assert seen >= 6


@pytest.mark.parametrize("role", Role)
def test_every_link_of_a_page_leads_somewhere(app: Litestar, logged_in: LogIn, role: Role) -> None:
    client = logged_in(role)
    found = {
        str(link)
        for language in LANGUAGES
        for link in all_of(client.get(f"/{language}").text, "//@href | //@src")
    }
    assert len(found) > 5
    for link in sorted(found):
        if link.startswith("/"):
            answer = client.get(link, follow_redirects=False)
            assert answer.status_code in (200, 303), link


@pytest.mark.parametrize("language", LANGUAGES)
def test_failures_are_sound_pages_too(client: Client, language: Language) -> None:
    for path, status in ((f"/{language}/no/such/page", 404), (f"/{language}/log-out", 405)):
        answer = client.get(path)
        assert answer.status_code == status
        assert faults_of(answer.text) == []
        assert html.fromstring(answer.text).get("lang") == language


def test_a_page_that_is_wrong_is_found() -> None:
    good = (
        '<html lang="en"><head><title>x</title></head><body><a class="skip" href="#main">s</a>'
        '<header></header><main id="main"><h1>x</h1></main><footer></footer></body></html>'
    )
    assert faults_of(good) == []
    for wrong in (
        "<h3>skipped</h3>",
        "<p id='main'></p>",
        "<input name='a'>",
        "<p style='x'></p>",
        "<script>x</script>",
        "<div>",
        "<a href='/x'></a>",
        "<form method='post'></form>",
        "<table></table>",
        "<p onclick='x'></p>",
        "<label for='none'>x</label>",
    ):
        assert faults_of(good.replace("</main>", f"{wrong}</main>")), wrong


class TestForms:
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_faults_stand_under_their_fields(self, logged_in: LogIn, language: Language) -> None:
        client = logged_in(Role.PLAYER)
        answer = posted(client, f"/{language}/account/password", {"old": "x", "new": "y"})
        assert answer.status_code == 422
        assert faults_of(answer.text) == []
        (field,) = all_of(answer.text, "//*[@id='again']")
        assert field.get("aria-invalid") == "true"
        assert "again-wrong" in (field.get("aria-describedby") or "")

    def test_a_refusal_is_of_no_field_is_told_above_the_form(self, logged_in: LogIn) -> None:
        client = logged_in(Role.PLAYER)
        data = {"email": "nobody@example.org", "password": "another good one"}
        answer = posted(client, "/it/log-in", data)
        assert answer.status_code in (401, 409, 422)
        assert 'role="alert"' in answer.text
        assert faults_of(answer.text) == []

    def test_the_language_of_an_answer_to_a_form_can_be_switched(self, logged_in: LogIn) -> None:
        client = logged_in(Role.PLAYER)
        answer = posted(client, "/en/account/password", {})
        (link,) = all_of(answer.text, "//header//a[@hreflang='it']/@href")
        assert link == "/it/account"
        assert client.get(link).status_code == 200

    def test_what_was_done_is_told_once(self, logged_in: LogIn) -> None:
        client = logged_in(Role.PLAYER)
        data = {"old": PASSWORD, "new": "another good one", "again": "another good one"}
        answer = posted(client, "/en/account/password", data)
        assert answer.status_code == 303
        assert "Your password has been changed." in client.get(answer.headers["location"]).text
        assert "Your password has been changed." not in client.get(answer.headers["location"]).text
