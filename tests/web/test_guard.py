"""Who comes in: sessions, form tokens, the size of requests, what every answer forbids."""

from __future__ import annotations

import logging
from datetime import timedelta

import pytest
from litestar import Litestar

from arrocco.desk import Office
from arrocco.desk.desk import operator
from arrocco.desk.throttle import Limit
from arrocco.office.roles import Role
from arrocco.web.cookies import form_token, form_token_fits
from arrocco.web.forms import Form
from arrocco.web.guard import TOKEN_FIELD, TOKEN_HEADER
from arrocco.web.pages.session import inner_path
from tests.web.apps import app_of
from tests.web.conftest import Browser, Client, LogIn
from tests.web.html import faults_of
from tests.web.offices import PASSWORD, email_of
from tests.web.visits import posted, token_of

ADMIN = Role.SYSTEM_ADMINISTRATOR


class TestFormToken:
    def test_fits_only_the_cookie_it_was_made_for(self) -> None:
        token = form_token("one")
        assert form_token_fits(token, "one")
        assert not form_token_fits(token, "two")
        assert not form_token_fits(token, "")
        assert not form_token_fits(token + "0", "one")
        assert not form_token_fits("", "one")

    def test_never_looks_the_same(self) -> None:
        assert form_token("one") != form_token("one")

    def test_is_asked_of_every_form(self, logged_in: LogIn) -> None:
        client = logged_in(ADMIN)
        for data in ({}, {TOKEN_FIELD: "x.y"}, {TOKEN_FIELD: form_token("another session")}):
            answer = client.post("/en/accounts/2/disable", data=data)
            assert answer.status_code == 403
            assert faults_of(answer.text) == []
        assert client.post("/en/accounts/2/disable").status_code == 403

    def test_of_another_account_does_not_serve(self, logged_in: LogIn) -> None:
        token = token_of(logged_in(Role.ARBITER))
        answer = logged_in(ADMIN).post("/en/accounts/2/disable", data={TOKEN_FIELD: token})
        assert answer.status_code == 403

    def test_may_come_in_a_header(self, logged_in: LogIn) -> None:
        client = logged_in(ADMIN)
        headers = {TOKEN_HEADER: token_of(client)}
        answer = client.post("/en/accounts/2/disable", headers=headers, follow_redirects=False)
        assert answer.status_code == 303

    def test_does_not_help_a_page_of_another_site(self, logged_in: LogIn) -> None:
        client = logged_in(ADMIN)
        headers = {TOKEN_HEADER: token_of(client), "sec-fetch-site": "cross-site"}
        assert client.post("/en/accounts/2/disable", headers=headers).status_code == 403

    def test_is_asked_before_logging_in_too(self, client: Client) -> None:
        data = {"email": email_of(Role.ARBITER), "password": PASSWORD}
        assert client.post("/en/log-in", data=data).status_code == 403


class TestSession:
    def test_ends_with_logging_out(self, logged_in: LogIn) -> None:
        client = logged_in(Role.PLAYER)
        kept = dict(client.cookies)
        answer = posted(client, "/en/log-out", {})
        assert answer.status_code == 303
        assert client.get("/en/account", follow_redirects=False).status_code == 303
        client.cookies.update(kept)
        assert client.get("/en/account", follow_redirects=False).status_code == 303

    def test_cookie_is_out_of_reach_of_scripts_and_other_sites(self, client: Client) -> None:
        data = {"email": email_of(Role.ARBITER), "password": PASSWORD}
        answer = posted(client, "/en/log-in", data, form="/en/log-in")
        cookie = next(c for c in answer.headers.get_list("set-cookie") if "session" in c)
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert "Path=/" in cookie
        assert "Secure" not in cookie

    def test_cookie_is_for_https_only_where_the_site_is(
        self, office: Office, browser: Browser
    ) -> None:
        app = app_of(office, secure=True)
        client = browser(app=app, base_url="https://x.example")
        data = {"email": email_of(Role.ARBITER), "password": PASSWORD}
        answer = posted(client, "/en/log-in", data, form="/en/log-in")
        cookie = next(c for c in answer.headers.get_list("set-cookie") if "session" in c)
        assert cookie.startswith("__Host-")
        assert "Secure" in cookie
        assert "strict-transport-security" in client.get("/en").headers

    def test_wrong_password_is_refused_in_words(self, client: Client) -> None:
        data = {"email": email_of(Role.ARBITER), "password": "wrong"}
        answer = posted(client, "/it/log-in", data, form="/it/log-in")
        assert answer.status_code in (401, 409)
        assert faults_of(answer.text) == []
        assert email_of(Role.ARBITER) in answer.text
        assert "wrong" not in answer.text.replace('id="wrong"', "").replace("-wrong", "")

    def test_guessing_has_to_wait_and_a_known_browser_does_not(
        self, client: Client, browser: Browser, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("arrocco.desk.throttle.OF_PAIR", Limit(2, timedelta(1)))
        data = {"email": email_of(Role.ARBITER), "password": "wrong"}
        mine = browser()
        right = posted(mine, "/it/log-in", data | {"password": PASSWORD}, form="/it/log-in")
        assert right.status_code == 303
        cookie = next(c for c in right.headers.get_list("set-cookie") if "arrocco_device" in c)
        assert "HttpOnly" in cookie
        assert "Max-Age=31536000" in cookie
        answers = [posted(client, "/it/log-in", data, form="/it/log-in") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [401, 401, 429]
        late = posted(client, "/it/log-in", data | {"password": PASSWORD}, form="/it/log-in")
        assert late.status_code == 429
        assert faults_of(late.text) == []
        posted(mine, "/it/log-out", {}, form="/it/account")
        again = posted(mine, "/it/log-in", data | {"password": PASSWORD}, form="/it/log-in")
        assert again.status_code == 303

    def test_leads_back_to_the_page_that_asked_for_it(self, client: Client) -> None:
        asked = client.get("/it/account?a=b", follow_redirects=False)
        assert asked.headers["location"] == "/it/log-in?next=%2Fit%2Faccount%3Fa%3Db"
        data = {"email": email_of(Role.ARBITER), "password": PASSWORD, "next": "/it/account?a=b"}
        answer = posted(client, "/it/log-in", data, form=asked.headers["location"])
        assert answer.headers["location"] == "/it/account?a=b"

    @pytest.mark.parametrize(
        "path",
        ["https://x.example", "//x.example", "/\\x.example", "/en\\..", "x", "", "/en/\r\nx: y"],
    )
    def test_never_leads_to_another_site(self, path: str) -> None:
        assert inner_path(path, "/en") == "/en"


class TestHeaders:
    @pytest.mark.parametrize(
        "path", ["/en", "/en/nothing/here", "/", "/api/v1/schema", "/en/account"]
    )
    def test_every_answer_forbids_what_no_page_needs(self, client: Client, path: str) -> None:
        headers = client.get(path, follow_redirects=False).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"

    def test_private_pages_are_not_kept(self, logged_in: LogIn) -> None:
        assert logged_in(ADMIN).get("/en/accounts").headers["cache-control"] == "no-store"

    def test_files_are_kept_for_good_under_their_hash(self, client: Client, app: Litestar) -> None:
        url = app.state.assets.url("site.css")
        answer = client.get(url)
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["content-type"].startswith("text/css")
        again = client.get(url, headers={"if-none-match": answer.headers["etag"]})
        assert again.status_code == 304
        assert client.get("/static/site.css").status_code == 404
        assert client.get("/static/../app.py").status_code == 404


class TestFailures:
    def test_a_defect_is_logged_under_the_number_the_page_shows(
        self,
        app: Litestar,
        browser: Browser,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        def broken(system: str) -> None:
            raise ZeroDivisionError("a secret of the house")

        monkeypatch.setattr(app.state.office.lists, "latest", broken)
        with caplog.at_level(logging.ERROR, "arrocco.web"):
            answer = browser(raise_server_exceptions=False).get("/it")
        assert answer.status_code == 500
        assert "a secret of the house" not in answer.text
        assert faults_of(answer.text) == []
        assert caplog.records[0].exc_info is not None
        assert answer.headers["x-request-id"] in answer.text

    def test_the_api_answers_in_json(self, client: Client) -> None:
        answer = client.get("/api/v1/nothing/here", headers={"accept-language": "it"})
        assert answer.status_code == 404
        assert set(answer.json()) == {"refused", "advice"}
        assert "indirizzo" in answer.json()["refused"]


class TestTheAuditLog:
    def test_tells_what_somebody_tried_and_may_not(self, logged_in: LogIn, office: Office) -> None:
        assert logged_in(Role.PLAYER).get("/en/accounts").status_code == 403
        logged_in(ADMIN).post("/en/accounts/2/disable")
        lines = office.audit.page(operator(ADMIN), outcome="refused")
        told = [(line.action, line.subject, line.role) for line in lines]
        assert ("manage_accounts", "/en/accounts/2/disable", ADMIN.value) in told
        assert any(
            subject == "/en/accounts" and role == Role.PLAYER.value for _, subject, role in told
        )

    def test_is_not_filled_by_strangers(self, client: Client, office: Office) -> None:
        client.get("/en/accounts", follow_redirects=False)
        client.post("/en/accounts/2/disable")
        assert office.audit.page(operator(ADMIN), outcome="refused") == []


@pytest.mark.parametrize("number", [2**63, 10**30, -(2**64)])
def test_a_number_no_database_holds_names_no_page(client: Client, number: int) -> None:
    assert client.get(f"/en/players/{number}").status_code == 404
    assert client.get(f"/api/v1/players/{number}").status_code == 404


def test_a_number_with_two_signs_is_no_number() -> None:
    form = Form({"k": "--5"}, "en")
    assert form.integer("k") is None
    assert not form.ok
