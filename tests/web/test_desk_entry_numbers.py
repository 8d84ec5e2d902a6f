"""Entries without a number: suggested, decided on a page or by the API, rated under the number."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from lxml import html

from arrocco.desk import Office
from arrocco.errors import Refusal
from arrocco.office.ledger import PlayerChanged, PlayerCreated, PlayerMatched
from arrocco.office.new_players import FIRST_OWN
from arrocco.office.records import ReportStatus, SentReport
from arrocco.office.roles import Role
from arrocco.records.report import Birth, Entry
from arrocco.store.sql import ledger
from arrocco.web.guard import TOKEN_HEADER
from tests.desk.offices import Clock, data_of, name_of, player_id
from tests.web.conftest import LogIn
from tests.web.desk_office import *  # noqa: F403 - fixtures
from tests.web.desk_office import JULY, OPEN, people_in, played
from tests.web.visits import posted, token_of

BOSS, ARBITER = Role.RATING_ADMINISTRATOR, Role.ARBITER


def file_without_numbers() -> bytes:
    """The report with the numbers of its first two players left out, and one who is new."""
    made = played()

    def changed(entry: Entry) -> Entry:
        if entry.number <= 2:
            return replace(entry, id=None)
        if entry.number == 3:
            return replace(
                entry, id=None, name="Novella, Fintana", rating=None, birth=Birth(2010, 4, 5)
            )
        return entry

    return data_of(replace(made, entries=[changed(entry) for entry in made.entries]))


@pytest.fixture
def sent(office: Office) -> SentReport:
    made = office.reports.send(people_in(office).arbiter, OPEN, "a.trf", file_without_numbers())
    assert "check.id_missing" in {finding.key for finding in made.findings}
    return made


def test_the_report_page_tells_them_together_with_the_fix(
    logged_in: LogIn, sent: SentReport
) -> None:
    page = logged_in(ARBITER).get(f"/en/desk/reports/{sent.id}").text
    assert "2 players without a FIDE number" in page
    assert f"/en/desk/reports/{sent.id}/numbers" in page


def test_players_of_the_same_name_and_birth_are_proposed_and_decided(
    logged_in: LogIn, office: Office, sent: SentReport, clock: Clock
) -> None:
    client = logged_in(BOSS)
    path = f"/en/desk/reports/{sent.id}/numbers"
    page: Any = html.fromstring(client.get(path).text)
    chosen = {
        number: page.xpath(f"//select[@name='choice_{number}']/option[@selected]/@value")
        for number in (1, 2, 3)
    }
    assert chosen == {1: [str(player_id(1))], 2: [str(player_id(2))], 3: []}
    answer = posted(
        client,
        path,
        {
            "entry": ["1", "2", "3"],
            "choice_1": str(player_id(1)),
            "choice_2": "",
            "typed_2": str(player_id(2)),
            "choice_3": "new",
        },
    )
    assert answer.status_code == 303
    given = office.reports.get(people_in(office).arbiter, sent.id)
    assert given.numbers == {1: player_id(1), 2: player_id(2), 3: FIRST_OWN}
    assert "check.id_missing" not in {finding.key for finding in given.findings}
    shown = client.get(f"/en/desk/people/{FIRST_OWN}").text
    assert "Novella, Fintana" in shown
    # The list has the new player under the number, and the old ones under theirs.
    people = people_in(office)
    if given.status is ReportStatus.NEEDS_ANSWERS:
        office.reports.answer(
            people.arbiter,
            sent.id,
            {i: "so it was" for i, one in enumerate(given.findings) if one.severity == "warning"},
        )
    office.reports.accept(people.administrator, sent.id)
    clock.go_to(JULY)
    number = office.lists.enter_draft(people.administrator, "fide", JULY)
    office.lists.run_draft(number)
    office.lists.publish(people.administrator, number)
    assert office.lists.verify("fide", JULY).is_good
    rated = office.people.history(player_id(1))["fide"]
    assert rated[-1].list_date == JULY


def test_what_was_decided_is_proposed_again_and_kept_for_the_next_version(
    logged_in: LogIn, office: Office, sent: SentReport
) -> None:
    client, arbiter = logged_in(BOSS), people_in(office).arbiter
    path = f"/api/v1/reports/{sent.id}/numbers"
    headers = {TOKEN_HEADER: token_of(client, "/en/account")}
    answer = client.post(path, json={"numbers": {3: 0, 1: player_id(9)}}, headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.json()["numbers"] == {"1": player_id(9), "3": FIRST_OWN}
    again = office.reports.send(arbiter, OPEN, "b.trf", file_without_numbers())
    assert again.numbers == {1: player_id(9), 3: FIRST_OWN}
    told = {one["entry"]: one for one in client.get(f"/api/v1/reports/{again.id}/numbers").json()}
    assert told[3]["remembered"] == FIRST_OWN
    assert told[1]["remembered"] == player_id(9)
    assert told[2]["remembered"] is None
    assert told[2]["candidates"][0]["player"] == player_id(2)


def test_what_cannot_be_is_refused_and_changes_nothing(
    logged_in: LogIn, office: Office, sent: SentReport
) -> None:
    client = logged_in(ARBITER)
    path = f"/en/desk/reports/{sent.id}/numbers"
    there = posted(client, path, {"entry": "1", "choice_1": str(player_id(5))})
    assert there.status_code in (409, 422)
    new = posted(client, path, {"entry": "3", "choice_3": "new"})
    assert new.status_code == 403, "an arbiter gives no new numbers"
    strange = posted(client, path, {"entry": ["1", "x", "99999999"], "typed_1": "many"})
    assert strange.status_code == 422
    assert office.reports.get(people_in(office).arbiter, sent.id).numbers == {}
    with pytest.raises(Refusal):
        office.numbers.give(people_in(office).player, sent.id, {1: player_id(1)})


def test_of_a_birth_the_ledger_has_the_year_alone(
    logged_in: LogIn, office: Office, sent: SentReport
) -> None:
    """Everybody can download it: whom a form, a report or a change gives a whole date."""
    client = logged_in(BOSS)
    new = PERSON | {"birth": "1999-12-24"}
    assert posted(client, "/en/desk/people/new", new).status_code == 303
    assert "keeps only the year" in client.get("/en/desk/people/new").text
    path = f"/en/desk/reports/{sent.id}/numbers"
    assert "only the year" in client.get(path).text
    given = {"entry": ["1", "3"], "choice_3": "new", "typed_1": str(player_id(9))}
    assert posted(client, path, given).status_code == 303
    again = {"entry": "3", "typed_3": str(player_id(10))}
    assert posted(client, path, again).status_code == 303
    change = {"birth": "1987-05-31", "from_day": "2025-06-20", "reason": "passport"}
    person = f"/en/desk/people/{player_id(2)}"
    assert "keeps only the year" in client.get(person).text
    assert posted(client, f"{person}/change", change).status_code == 303
    with office.desk.database.reading() as connection:
        kinds = (PlayerCreated, PlayerMatched, PlayerChanged)
        entries = [one.entry for one in ledger.of_kind(connection, *kinds)]
    born = sorted((type(one).__name__, getattr(one, "birth", "")) for one in entries)
    assert set(born) >= {
        ("PlayerChanged", "1987"),
        ("PlayerCreated", "1999"),
        ("PlayerCreated", "2010"),
        ("PlayerMatched", "2010"),
    }
    public = client.get("/api/v1/ledger/entries").text
    assert public.count("player_matched") == 2
    for day in ("1999-12", "2010-04", "1987-05"):
        assert day not in public


def test_twins_of_a_year_are_both_shown_and_neither_is_proposed(
    logged_in: LogIn, office: Office, sent: SentReport
) -> None:
    arbiter, boss = people_in(office).arbiter, people_in(office).administrator
    office.numbers.give(boss, sent.id, {3: player_id(9)})
    again = office.reports.send(arbiter, OPEN, "b.trf", file_without_numbers())
    office.numbers.give(boss, again.id, {3: player_id(10)})
    office.numbers.give(boss, again.id, {})
    (told,) = [one for one in office.numbers.suggestions(boss, again.id) if one.entry == 3]
    assert (told.remembered, told.suggested) == (None, None)
    assert told.decided == (player_id(9), player_id(10))
    page: Any = html.fromstring(logged_in(BOSS).get(f"/en/desk/reports/{again.id}/numbers").text)
    options = page.xpath("//select[@name='choice_3']/option")
    assert [one.get("value") for one in options if one.get("selected") is not None] == []
    assert {str(player_id(10)), str(player_id(9))} <= {one.get("value") for one in options}


# --- a form of its own ----------------------------------------------------------------------------

PERSON = {"name": "Altri, Finta", "federation": "ITA", "birth": "1999", "reason": "asks for one"}


def test_a_form_gives_a_number_after_a_look_at_who_it_may_be(
    logged_in: LogIn, office: Office
) -> None:
    client = logged_in(Role.FEDERATION_OFFICER)
    assert client.get("/it/desk/people/new").status_code == 200
    answer = posted(client, "/en/desk/people/new", PERSON)
    assert answer.headers["location"].endswith(f"/desk/people/{FIRST_OWN}")
    known = PERSON | {"name": name_of(1), "birth": "1963"}
    answer = posted(client, "/en/desk/people/new", known)
    assert answer.status_code == 422
    assert str(player_id(1)) in answer.text
    answer = posted(client, "/en/desk/people/new", known | {"another": "1"})
    assert answer.headers["location"].endswith(f"/desk/people/{FIRST_OWN + 1}")
    foreign = posted(client, "/en/desk/people/new", PERSON | {"federation": "FRA", "name": "B, C"})
    assert foreign.status_code == 403
    taken = PERSON | {"player": str(player_id(1)), "name": "D, E"}
    assert posted(client, "/en/desk/people/new", taken).status_code in (409, 422)
    assert posted(client, "/en/desk/people/new", {"name": ""}).status_code == 422


def test_the_api_does_the_same(logged_in: LogIn, office: Office) -> None:
    client = logged_in(BOSS)
    headers = {TOKEN_HEADER: token_of(client, "/en/account")}
    found = client.get("/api/v1/people/candidates", params={"name": name_of(2)}).json()
    assert found[0]["player"] == player_id(2)
    known = PERSON | {"name": name_of(2)}
    known.pop("birth")
    refused = client.post("/api/v1/people", json=known, headers=headers)
    assert refused.json()["key"] == "office.refused.may_be_known"
    made = client.post("/api/v1/people", json=PERSON, headers=headers)
    assert made.json() == {"player": FIRST_OWN}
    assert office.numbers.created(FIRST_OWN) is not None
