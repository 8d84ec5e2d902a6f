"""Getting in over the web: links, second factor, keys of programs, and who is led where."""

from __future__ import annotations

import re
from datetime import timedelta

import pyotp
import pytest
from litestar import Litestar

from arrocco.desk import Office
from arrocco.desk.api_keys import Scope
from arrocco.office.roles import Role
from arrocco.web.guard import TOKEN_HEADER
from tests.desk.mailbag import token_in
from tests.desk.offices import Clock
from tests.web.conftest import Browser, Client, LogIn
from tests.web.desk_office import *  # noqa: F403 - fixtures
from tests.web.desk_office import OPEN, good_file, people_in
from tests.web.html import faults_of
from tests.web.offices import PASSWORD, email_of
from tests.web.visits import all_of, posted, token_of

NEW = "otto gatti sotto il tetto"
API = "/api/v1"


def set_up_app(client: Client) -> pyotp.TOTP:
    """Sets up an app in the pages, as its owner does; leaves the recovery codes."""
    page = posted(client, "/en/account/second-factor/app", {}).text
    assert faults_of(page) == []
    (secret,) = re.findall(r'<code class="copy">(\w+)</code>', page)
    (attempt,) = all_of(page, "//input[@name='attempt']/@value")
    return _confirmed(client, pyotp.TOTP(secret), attempt)


def _confirmed(client: Client, app: pyotp.TOTP, attempt: str) -> pyotp.TOTP:
    office: Office = client.app.state.office
    sent = {"attempt": attempt, "code": app.at(office.desk.now()), "name": "Phone"}
    answer = posted(client, "/en/account/second-factor/app/confirm", sent)
    assert answer.status_code == 200, answer.text
    assert faults_of(answer.text) == []
    assert len(all_of(answer.text, "//ul[@class='codes']/li")) == 10
    return app


class TestSecondFactor:
    def test_is_set_up_and_asked_for(
        self, logged_in: LogIn, browser: Browser, office: Office, clock: Clock
    ) -> None:
        app = set_up_app(logged_in(Role.ARBITER))
        clock.at += timedelta(seconds=30)
        fresh = browser()
        sent = {"email": email_of(Role.ARBITER), "password": PASSWORD, "next": "/it/account"}
        answer = posted(fresh, "/it/log-in", sent, form="/it/log-in")
        assert answer.headers["location"] == "/it/log-in/second?next=%2Fit%2Faccount"
        assert (
            "/log-in?next=" in fresh.get("/it/account", follow_redirects=False).headers["location"]
        )
        page = fresh.get("/it/log-in/second")
        assert faults_of(page.text) == []
        second, form = "/it/log-in/second", "/it/log-in/second"
        wrong = posted(fresh, second, {"code": "000000"}, form=form)
        assert wrong.status_code == 401
        assert 'id="code-wrong"' in wrong.text
        right = {"code": app.at(clock.at), "next": "/it/account"}
        assert posted(fresh, second, right, form=form).headers["location"] == "/it/account"
        assert fresh.get("/it/account").status_code == 200

    def test_a_role_that_needs_one_is_led_to_it(self, logged_in: LogIn, office: Office) -> None:
        boss = logged_in(Role.RATING_ADMINISTRATOR)
        office.settings.change(people_in(office).root, second_factor=(Role.RATING_ADMINISTRATOR,))
        answer = boss.get("/en/desk/reports", follow_redirects=False)
        assert answer.headers["location"] == "/en/account/second-factor"
        assert posted(boss, "/en/desk/reports/1/accept", {}).status_code == 403
        assert boss.get("/en/lists").status_code == 200
        set_up_app(boss)
        assert boss.get("/en/desk/reports").status_code == 200


class TestLinks:
    def test_a_forgotten_password(self, client: Client, office: Office) -> None:
        sent = {"email": email_of(Role.ARBITER)}
        known = posted(client, "/en/forgotten", sent, form="/en/forgotten")
        unknown = posted(client, "/en/forgotten", {"email": "x@example.org"}, form="/en/forgotten")
        assert known.headers["location"] == unknown.headers["location"] == "/en/log-in"
        token = token_in(office, "reset")
        page = client.get(f"/en/reset?token={token}")
        assert page.status_code == 200
        assert client.get("/en/reset?token=guessed").status_code == 404
        chosen = {"token": token, "password": NEW, "again": NEW}
        done = posted(client, "/en/reset", chosen, form=f"/en/reset?token={token}")
        assert done.headers["location"] == "/en/log-in"
        assert office.accounts.log_in(email_of(Role.ARBITER), NEW)

    def test_a_player_signs_up_by_link_and_claims(
        self, client: Client, office: Office, logged_in: LogIn
    ) -> None:
        root = people_in(office).root
        assert 'name="email"' not in client.get("/it/sign-up").text.split("<main")[1]
        office.settings.change(root, sign_up="link")
        link = f"/it/sign-up?token={office.settings.new_sign_up_link(root, 7)}"
        assert 'name="email"' in client.get(link).text
        sent = {"email": "nuova@example.org", "token": link.partition("=")[2]}
        assert "nuova@example.org" in posted(client, "/it/sign-up", sent, form=link).text
        token = token_in(office, "sign_up")
        confirm = f"/it/sign-up/confirm?token={token}"
        chosen = {"token": token, "name": "Nuova Finta", "password": NEW, "again": NEW}
        done = posted(client, "/it/sign-up/confirm", chosen, form=confirm)
        assert done.headers["location"] == "/it/account/number"
        asked = {"player": "99000102", "note": "nata nel 1966", "do": "ask"}
        assert posted(client, "/it/account/number", asked, form="/it/account").status_code == 303
        officer = logged_in(Role.FEDERATION_OFFICER)
        page = officer.get("/it/desk/claims").text
        assert faults_of(page) == []
        assert "nata nel 1966" in page
        assert posted(officer, "/it/desk/claims/1/accept", {}).status_code == 303
        assert "99000102" in client.get("/it/account/number").text

    @pytest.mark.parametrize(
        ("role", "player", "to"),
        [
            (Role.PLAYER, 99000102, "/it/my-rating"),
            (Role.ARBITER, None, "/it"),
        ],
    )
    def test_who_takes_up_an_invitation_is_in_at_once(
        self, client: Client, office: Office, role: Role, player: int | None, to: str
    ) -> None:
        root = people_in(office).root
        token = office.accounts.invite(root, "nuova@example.org", role, player=player)
        link = f"/it/invitation?token={token}"
        chosen = {"token": token, "name": "Nuova Finta", "password": NEW, "again": NEW}
        done = posted(client, "/it/invitation", chosen, form=link)
        assert (done.status_code, done.headers["location"]) == (303, to)
        assert client.get("/it/account", follow_redirects=False).status_code == 200
        last = office.audit.page(root, action="log_in", limit=1)[0]
        assert (last.subject, last.outcome) == ("nuova@example.org", "done")

    def test_an_invited_officer_still_sets_up_the_second_factor_that_the_office_requires(
        self, client: Client, office: Office
    ) -> None:
        root = people_in(office).root
        office.settings.change(root, second_factor=(Role.RATING_ADMINISTRATOR,))
        token = office.accounts.invite(root, "nuova@example.org", Role.RATING_ADMINISTRATOR)
        link = f"/it/invitation?token={token}"
        chosen = {"token": token, "name": "Nuova Finta", "password": NEW, "again": NEW}
        posted(client, "/it/invitation", chosen, form=link)
        led = client.get("/it/desk/reports", follow_redirects=False)
        assert led.headers["location"] == "/it/account/second-factor"


class TestKeys:
    @pytest.fixture
    def program(self, browser: Browser, office: Office) -> Client:
        """A pairing program with the key of the arbiter; it knows no cookies."""
        key = office.api_keys.make(people_in(office).arbiter, "Pairing", (Scope.REPORTS,), 30)
        made = browser()
        made.headers["authorization"] = f"Bearer {key}"
        return made

    def test_a_program_checks_and_sends_a_report(self, program: Client, office: Office) -> None:
        assert program.get(f"{API}/session").json()["role"] == "arbiter"
        file = {"file": ("open.trf", good_file())}
        checked = program.post(f"{API}/tournaments/{OPEN}/reports/check", files=file)
        assert checked.status_code == 200, checked.text
        sent = program.post(f"{API}/tournaments/{OPEN}/reports", files=file)
        assert sent.status_code == 200, sent.text
        people = people_in(office)
        stored = office.reports.content(people.arbiter, sent.json()["report"])
        assert stored == good_file()
        line = office.audit.page(people.root, action="send_report")[0]
        assert (line.account, line.details["program"]) == (people.arbiter.account, "Pairing")
        (own,) = office.api_keys.own(people.arbiter)
        assert own.used_at

    def test_a_key_opens_no_page_and_nothing_beyond_its_scopes(self, program: Client) -> None:
        assert "/log-in" in program.get("/en/account", follow_redirects=False).headers["location"]
        accept = program.post(f"{API}/reports/1/accept", json={"note": ""})
        assert accept.status_code == 403
        foreign = program.post(
            f"{API}/tournaments/4/reports", files={"file": ("open.trf", good_file())}
        )
        assert foreign.status_code == 403

    @pytest.mark.parametrize("scope", Scope)
    @pytest.mark.parametrize("path", ["events", "events/open/commands"])
    def test_no_key_commands_the_hall(
        self, browser: Browser, office: Office, scope: Scope, path: str
    ) -> None:
        """A key that was made to read acted in its owner's name there, as fast as it liked."""
        arbiter = people_in(office).arbiter
        key = office.api_keys.make(arbiter, "Reader", (scope,), 30)
        headers = {"authorization": f"Bearer {key}"}
        command = {"type": "open_round"}
        answer = browser().post(f"{API}/hall/{path}", json=command, headers=headers)
        assert answer.status_code == 403
        line = office.audit.page(people_in(office).root, outcome="refused")[0]
        assert (line.account, line.details["program"]) == (arbiter.account, "Reader")

    def test_a_wrong_key_is_refused_and_not_taken_for_the_public(self, client: Client) -> None:
        for value in ("Bearer arrocco_guessed", "bearer x", "Bearer " + "x" * 5000):
            answer = client.get(f"{API}/tournaments", headers={"authorization": value})
            assert answer.status_code == 401, answer.text

    def test_the_pages_make_and_revoke_one(self, logged_in: LogIn, office: Office) -> None:
        client = logged_in(Role.ARBITER)
        sent = {"name": "Pairing", "scope": ["reports", "read"], "days": "30"}
        made = posted(client, "/en/account/keys", sent)
        (key,) = re.findall(r"arrocco_[\w-]+", made.text.split("<main")[1])
        assert office.api_keys.asker_of(key).only
        assert posted(client, "/en/account/keys/1/revoke", {}).status_code == 303
        assert key not in client.get("/en/account/keys").text


def test_a_session_may_not_send_without_the_token_of_a_form(
    logged_in: LogIn, app: Litestar
) -> None:
    client = logged_in(Role.ARBITER)
    file = {"file": ("open.trf", good_file())}
    path = f"{API}/tournaments/{OPEN}/reports/check"
    assert client.post(path, files=file).status_code == 403
    headers = {TOKEN_HEADER: token_of(client)}
    assert client.post(path, files=file, headers=headers).status_code == 200


def test_signing_out_everywhere_leaves_the_browser_that_asks(logged_in: LogIn) -> None:
    here, there, other = logged_in(Role.ARBITER), logged_in(Role.ARBITER), logged_in(Role.PLAYER)
    assert there.get("/en/account", follow_redirects=False).status_code == 200
    path = "/en/account/security"
    done = posted(here, "/en/account/sessions/end-others", {}, form=path)
    assert done.headers["location"] == path
    assert "/log-in" in there.get("/en/account", follow_redirects=False).headers["location"]
    for client in (here, other):
        assert client.get("/en/account", follow_redirects=False).status_code == 200


def test_roles_are_given_on_the_page_of_a_person(logged_in: LogIn, office: Office) -> None:
    root = logged_in(Role.SYSTEM_ADMINISTRATOR)
    arbiter = people_in(office).arbiter.account
    path = f"/en/accounts/{arbiter}"
    sent = {"role": "federation_officer", "federation": "ita", "reason": "elected"}
    assert posted(root, f"{path}/role", sent).status_code == 303
    page = root.get(path).text
    assert faults_of(page) == []
    assert "elected" in page
    assert "Ada Rossi" in page
    log = root.get("/en/audit?action=give_role").text
    assert f"Arbiter ({arbiter})" in log


class TestSecondLook:
    def test_keys_and_factors_ask_for_the_password_after_a_while(
        self, logged_in: LogIn, office: Office, clock: Clock
    ) -> None:
        client = logged_in(Role.ARBITER)
        key = {"name": "program", "days": "9", "scope": "reports"}
        factor = "/en/account/second-factor"
        assert client.get("/en/account/keys", follow_redirects=False).status_code == 200
        clock.at += timedelta(minutes=16)
        for path in ("/en/account/keys", factor):
            answer = client.get(path, follow_redirects=False)
            assert answer.headers["location"].startswith("/en/account/confirm?next=")
        for path, sent in (
            ("/en/account/keys", key),
            (f"{factor}/app", {}),
            (f"{factor}/codes", {}),
            (f"{factor}/1/remove", {}),
            (f"{factor}/passkey", {}),
            (f"{factor}/app/confirm", {}),
        ):
            answer = posted(client, path, sent, form="/en/account")
            assert "/account/confirm" in answer.headers["location"], path
        assert office.api_keys.own(people_in(office).arbiter) == []
        confirm = client.get("/en/account/keys")
        assert faults_of(confirm.text) == []
        sent = {"password": "wrong " + PASSWORD, "next": "/en/account/keys"}
        answer = posted(client, "/en/account/confirm", sent)
        assert answer.status_code == 401
        answer = posted(client, "/en/account/confirm", sent | {"password": PASSWORD})
        assert answer.headers["location"] == "/en/account/keys"
        assert posted(client, "/en/account/keys", key).status_code == 200
        other = {"password": PASSWORD, "next": "https://elsewhere.example/"}
        answer = posted(client, "/en/account/confirm", other)
        assert answer.headers["location"] == "/en/account"
        clock.at += timedelta(minutes=16)
        assert client.get("/en/account/keys", follow_redirects=False).status_code == 303

    def test_who_finds_a_browser_open_cannot_guess_on(self, logged_in: LogIn, clock: Clock) -> None:
        client = logged_in(Role.ARBITER)
        clock.at += timedelta(minutes=16)
        answers = [
            posted(client, "/en/account/confirm", {"password": f"guess {n}", "next": ""})
            for n in range(30)
        ]
        assert 429 in {answer.status_code for answer in answers}
        assert {answer.status_code for answer in answers} <= {401, 429}
