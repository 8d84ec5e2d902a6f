"""Championships on pages: made, events added, their standing, and who is excluded enters none."""

from __future__ import annotations

from litestar import Litestar

from arrocco.desk import Office
from arrocco.office.roles import Role
from arrocco.words import LANGUAGES
from tests.web.conftest import LogIn
from tests.web.html import faults_of
from tests.web.test_hall_pages import (
    announce,
    app,
    asked,
    end_the_game,
    enter_both,
    logged_in,
    plain,
)
from tests.web.visits import posted

__all__ = ["app", "logged_in"]


def test_13_5c_a_championship_of_two_events_and_an_excluded_player(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    arbiter, public = logged_in(Role.ARBITER), logged_in(Role.PUBLIC)
    made = {"name": "Coppa", "rule": "grand_prix", "points": "10, x", "best": ""}
    wrong = posted(arbiter, "/en/hall/championships", made)
    assert wrong.status_code == 422
    assert not faults_of(wrong.text)
    answer = posted(arbiter, "/en/hall/championships", made | {"points": "10, 7"})
    assert answer.status_code == 303, plain(answer.text)
    cup = str(answer.headers["location"])
    again = posted(arbiter, "/en/hall/championships", made | {"points": "5", "name": " COPPA "})
    assert "already" in again.text

    first, second = announce(arbiter), announce(arbiter, name="Secondo")
    for event in (first, second):
        name = event.removeprefix("/en/hall/")
        assert name in arbiter.get(cup).text
        added = posted(arbiter, f"{cup}/add", {"event": name})
        assert added.status_code == 303, plain(added.text)
        assert "Coppa" in public.get(event).text
    enter_both(office, arbiter, first)
    asked(arbiter, first, "pair_round")
    asked(arbiter, first, "open_round")
    end_the_game(app.state.live, first.removeprefix("/en/hall/"), arbiter)
    asked(arbiter, first, "close_round")
    page = public.get(cup).text
    assert "Abete, Bea" in page
    assert "Nobody is excluded." in page
    asked(
        arbiter, first, "impose", entry="1", article="6.9j", scope="championship", reason="engine"
    )
    page = public.get(cup).text
    assert "Nobody is excluded." not in page
    refused = posted(arbiter, f"{second}/ask/enter", {"email": "p1@example.org"})
    assert refused.status_code == 409
    assert "excluded from the championship" in refused.text
    for language in LANGUAGES:
        for path in ("/hall/championships", cup[3:]):
            shown = arbiter.get(f"/{language}{path}")
            assert shown.status_code == 200
            assert not faults_of(shown.text), path


def test_only_who_made_a_championship_adds_events(logged_in: LogIn) -> None:
    arbiter, officer = logged_in(Role.ARBITER), logged_in(Role.FEDERATION_OFFICER)
    made = posted(arbiter, "/en/hall/championships", {"name": "Coppa", "rule": "sum"})
    cup = str(made.headers["location"])
    event = announce(officer).removeprefix("/en/hall/")
    refused = posted(officer, f"{cup}/add", {"event": event})
    assert refused.status_code == 403
    assert posted(arbiter, f"{cup}/add", {"event": event}).status_code in (403, 409)
    assert arbiter.get("/en/hall/championships/none").status_code == 404
