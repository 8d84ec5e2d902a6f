"""12.9 — teams from a list: matches, the standing, and a captain who complains."""

from __future__ import annotations

import time

from litestar import Litestar

from arrocco.desk import Office
from arrocco.office.roles import Asker, Role
from arrocco.words import LANGUAGES
from tests.web.conftest import LogIn
from tests.web.html import faults_of
from tests.web.offices import PASSWORD, logged_in_cookie_of
from tests.web.test_hall_pages import announce, app, asked, end_the_game, logged_in, plain
from tests.web.visits import posted

__all__ = ["app", "logged_in"]


def test_12_9_teams_come_from_a_list_and_their_captain_complains(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    admin = Asker(account=1, name="Ada Rossi", role=Role.SYSTEM_ADMINISTRATOR)
    people = ("Bea Abete", "Carlo Betulla", "Dina Cedro")
    for number, name in enumerate(people, start=1):
        email, player = f"p{number}@example.org", 99000010 + number
        token = office.accounts.invite(admin, email, Role.PLAYER, "", player)
        office.accounts.accept_invitation(token, name, PASSWORD)
    arbiter, public = logged_in(Role.ARBITER), logged_in(Role.PUBLIC)
    event = announce(arbiter, system="team", tie_breaks_1="wins")
    assert f"{event}/teams" in public.get(event).text
    wrong = posted(arbiter, f"{event}/teams", {"boards": "1", "list": "Rossi, p3@example.org"})
    assert "Line 1" in wrong.text
    assert not faults_of(wrong.text)
    stated = "Rossi; p3@example.org; p1@example.org\nNeri; 99000012; 99000012\n"
    assert posted(public, f"{event}/teams", {"boards": "1", "list": stated}).status_code != 303
    answer = posted(arbiter, f"{event}/teams", {"boards": "1", "list": stated})
    assert answer.status_code == 303, plain(answer.text)
    asked(arbiter, event, "pair_round")
    asked(arbiter, event, "open_round")
    end_the_game(app.state.live, event.removeprefix("/en/hall/"), arbiter)
    until = time.monotonic() + 60
    while time.monotonic() < until:  # the hall tells the event of the end once it is written
        table = arbiter.get(f"{event}/teams").text
        if table.index("Neri") < table.index("Rossi"):
            break
        time.sleep(0.05)
    for language in LANGUAGES:
        for client in (public, arbiter):
            page = client.get(f"/{language}{event[3:]}/teams")
            assert page.status_code == 200
            assert not faults_of(page.text)
    assert "Dina Cedro" in page.text
    assert page.text.index("Neri") < page.text.index("Rossi"), "White has resigned"
    captain = logged_in(Role.PUBLIC)
    captain.cookies.set(app.state.cookies.session, logged_in_cookie_of(office, "p3@example.org"))
    filed = {"kind": "complaint", "text": "The clock was wrong", "federation_id": "99000099"}
    answer = posted(captain, f"{event}/filings", filed)
    assert answer.status_code == 303, plain(answer.text)
    one = arbiter.get(f"{event}/filings/1").text
    assert "The clock was wrong" in one
    assert "Nothing was found that keeps it from being considered" in one
    assert "Dina Cedro (Rossi)" in one
    assert "1 to be decided by you" in arbiter.get(event).text
    assert "The clock was wrong" not in captain.get(event).text
    assert not faults_of(captain.get(f"{event}/filings/1").text)
