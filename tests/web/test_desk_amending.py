"""Amending a registration through its pages."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import html

from arrocco.desk import Office
from arrocco.office.roles import Role
from arrocco.web.guard import TOKEN_HEADER
from tests.web.conftest import LogIn
from tests.web.desk_office import *  # noqa: F403 - fixtures
from tests.web.desk_office import FOREIGN, OPEN, RATED, people_in
from tests.web.test_desk_tournaments import ANNOUNCED, NEW
from tests.web.visits import posted, token_of

ARBITER = Role.ARBITER
AMEND = f"/en/desk/tournaments/{OPEN}/amend"


def fields(page: Any) -> dict[str, Any]:
    """What a browser would send of the page's form."""
    found: dict[str, Any] = {}
    (form,) = page.xpath("//form[contains(@action, '/amend')]")
    for name, value in form.form_values():
        if name != "form_token":
            found[name] = [*found[name], value] if name in found else [value]
    return {name: many[0] if len(many) == 1 else many for name, many in found.items()}


def test_the_form_is_filled_in_assessed_and_amended(logged_in: LogIn, office: Office) -> None:
    client = logged_in(ARBITER)
    sent = fields(html.fromstring(client.get(AMEND).text))
    before = office.tournaments.get(people_in(office).arbiter, OPEN).registration
    assert sent["name"] == before.name
    sent |= {"top_rating": "2450", "facts": ["official"], "do": "assess"}
    answer = posted(client, AMEND, sent)
    assert answer.status_code == 200
    page: Any = html.fromstring(answer.text)
    changes = [row.text_content() for row in page.xpath("//section[@id='result']//tbody/tr")]
    assert any("Highest rating expected" in change and "2450" in change for change in changes)
    assert page.xpath("//button[@value='amend']")
    answer = posted(client, AMEND, sent | {"do": "amend"})
    assert answer.status_code == 422, "why it is amended has to be said"
    answer = posted(client, AMEND, sent | {"do": "amend", "reason": "A guest has come."})
    assert answer.status_code == 303
    found = office.tournaments.get(people_in(office).arbiter, OPEN)
    assert found.registration.top_rating == 2450
    assert found.registration.facts.official
    assert found.registration.schedule == before.schedule
    shown = client.get(f"/en/desk/tournaments/{OPEN}").text
    assert "A guest has come." in shown
    assert "Official FIDE event" in shown


def test_new_dates_are_spread_at_a_button(logged_in: LogIn) -> None:
    client = logged_in(ARBITER)
    sent = fields(html.fromstring(client.get(AMEND).text))
    sent |= {"start": "2025-06-14", "end": "2025-06-15", "rounds": "5"}
    assert posted(client, AMEND, sent | {"do": "assess"}).status_code == 422
    page: Any = html.fromstring(posted(client, AMEND, sent | {"do": "spread"}).text)
    days = [page.xpath(f"//input[@name='day_{n}']/@value")[0] for n in range(1, 6)]
    assert days == ["2025-06-14"] * 3 + ["2025-06-15"] * 2


def test_what_was_rated_or_is_another_s_is_not_amended(logged_in: LogIn, office: Office) -> None:
    client = logged_in(ARBITER)
    assert "/amend" not in client.get(f"/en/desk/tournaments/{RATED}").text
    path = f"/en/desk/tournaments/{RATED}/amend"
    sent = fields(html.fromstring(client.get(path).text))
    answer = posted(client, path, sent | {"city": "Altrove", "reason": "x", "do": "amend"})
    assert answer.status_code in (409, 422)
    assert "can no longer be amended" in answer.text
    assert client.get(f"/en/desk/tournaments/{FOREIGN}/amend").status_code == 403


@pytest.mark.parametrize("language", ["en", "it"])
def test_what_cannot_be_rated_is_not_offered_for_registering(
    logged_in: LogIn, language: str
) -> None:
    client = logged_in(ARBITER)
    new = NEW.replace("/en/", f"/{language}/")
    good: Any = html.fromstring(posted(client, new, ANNOUNCED | {"do": "assess"}).text)
    assert good.xpath("//button[@value='register']")
    fast = ANNOUNCED | {"do": "assess", "time_control": "5+3"}
    page: Any = html.fromstring(posted(client, new, fast).text)
    assert not page.xpath("//button[@value='register']")
    assert page.xpath("//section[@id='result']//*[contains(@class, 'notice')]")


# --- the API --------------------------------------------------------------------------------------


def test_the_api_amends_what_is_named_and_keeps_the_rest(logged_in: LogIn, office: Office) -> None:
    client = logged_in(ARBITER)
    path = f"/api/v1/tournaments/{OPEN}"
    before = client.get(f"{path}/registration").json()
    assert before["amendments"] == []
    headers = {TOKEN_HEADER: token_of(client, "/en/account")}
    sent = {"reason": "shorter", "rounds": 3, "official": True, "end": before["start"]}
    after = client.post(f"{path}/amend", json=sent, headers=headers)
    assert after.status_code == 200, after.text
    told = after.json()
    assert [one["day"] for one in told["rounds"]] == [before["start"]] * 3
    assert told["official"]
    assert told["name"] == before["name"]
    (amendment,) = told["amendments"]
    assert set(amendment["changed"]) == {"end", "schedule", "official"}
    again = client.post(f"{path}/amend", json=sent, headers=headers)
    assert again.json()["key"] == "office.refused.nothing_amended"
    for wrong in ({"rounds": 10**9}, {"rounds": -1}, {"end": "1999-01-01"}, {"top_rating": 9999}):
        answer = client.post(f"{path}/amend", json={"reason": "x"} | wrong, headers=headers)
        assert answer.status_code in (409, 422), wrong
    assert client.get(f"/api/v1/tournaments/{FOREIGN}/registration").status_code == 403
