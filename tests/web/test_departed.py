"""Who died or whose number was merged is found by page and API alike, with the lists concerned."""

from __future__ import annotations

from datetime import date

import pytest

from arrocco.desk.desk import operator
from arrocco.office.ledger import PlayerChanged
from arrocco.office.roles import Role
from tests.desk.offices import name_of, player_id
from tests.web.public_fixtures import *  # noqa: F403 - fixtures
from tests.web.public_fixtures import Public
from tests.web.public_office import KEPT, LEFT

BOSS = operator(Role.RATING_ADMINISTRATOR)
DEAD = player_id(4)


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_number_that_was_merged_leads_to_its_successor(public: Public, language: str) -> None:
    page = public.client.get(f"/{language}/players/{LEFT}")
    assert page.status_code == 200
    assert f"/{language}/players/{KEPT}" in page.text
    assert f"/{language}/lists/fide/2025-06-01" in page.text, "the last list that has them"
    assert f"/{language}/lists/fide/2025-07-01" in page.text, "the list they left with"
    found = public.client.get(f"/{language}/players", params={"q": str(LEFT)}).text
    assert f"/{language}/players/{KEPT}" in found


def test_the_api_says_the_same_of_a_merged_number(public: Public) -> None:
    told = public.client.get(f"/api/v1/players/{LEFT}").json()
    assert (told["departed"]["successor"], told["departed"]["died"]) == (KEPT, False)
    assert told["departed"]["last_lists"]["fide"] == "2025-06-01"
    assert told["departed"]["left_with"]["fide"] == "2025-07-01"
    found = public.client.get("/api/v1/players", params={"q": str(LEFT)}).json()
    assert [(one["id"], one["departed"]["successor"]) for one in found] == [(LEFT, KEPT)]
    assert public.client.get(f"/api/v1/players/{KEPT}").json()["departed"] is None
    assert public.client.get(f"/api/v1/players/{LEFT}/history").status_code == 200


def test_who_died_is_found_before_and_after_the_list(own_public: Public) -> None:
    office, client = own_public.office, own_public.client
    gone = PlayerChanged(player=DEAD, died=date(2025, 7, 2), from_day=date(2025, 7, 2), reason="x")
    office.people.change(BOSS, gone)
    told = client.get(f"/api/v1/players/{DEAD}").json()
    assert told["departed"]["died"], "still on the newest list, and known to be gone"
    assert told["departed"]["left_with"] == {}
    assert told["ratings"]["fide"]["rating"]
    page = client.get(f"/en/players/{DEAD}").text
    assert "This player has died." in page
    assert name_of(4) in page
    found = client.get("/en/players", params={"q": name_of(4)}).text
    assert found.count(str(DEAD)) >= 1


def test_nobody_is_not_found(public: Public) -> None:
    assert public.client.get("/api/v1/players/77").status_code == 404
    assert public.client.get("/en/players/77").status_code == 404
    assert public.client.get("/api/v1/players", params={"q": "Nessuno Mai"}).json() == []
