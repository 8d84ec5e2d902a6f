"""What is public by field, one's own data as a file, and erasing it where nothing rests on it."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile

import pytest

from arrocco.desk import Office
from arrocco.errors import Refusal
from arrocco.office.roles import Asker, Role
from arrocco.operation.verify.seals import check_seals
from arrocco.store.sql import accounts
from arrocco.store.sql import tables as t
from tests.desk.offices import player_id
from tests.web.conftest import Client, LogIn
from tests.web.offices import PASSWORD, email_of
from tests.web.public_fixtures import *  # noqa: F403 - fixtures
from tests.web.public_fixtures import Public
from tests.web.visits import all_of, posted

ROOT = Asker(account=1, role=Role.SYSTEM_ADMINISTRATOR)
LIST = "/lists/fide/2025-06-01"


def shown(client: Client) -> dict[str, str]:
    """What every way to a player gives: pages, API, and the download that a page makes."""
    player = player_id(1)
    return {
        path: client.get(path).text
        for path in (
            f"/en/players/{player}",
            f"/en{LIST}",
            f"/en{LIST}/rows.csv",
            "/en/players?q=Altavilla",
            f"/api/v1/players/{player}",
            f"/api/v1{LIST}/players",
            "/api/v1/players?q=Altavilla",
        )
    }


def births(text: str) -> list[str]:
    return re.findall(r"\b(?:19[3-9]\d|200\d|201\d)\b", text)


def test_a_hidden_field_is_shown_nowhere_and_the_published_file_stays(own_public: Public) -> None:
    client, office = own_public.client, own_public.office
    before = shown(client)
    assert any(births(text) for text in before.values())
    sha = client.get("/en/lists/fide/2025-06-01/files").text
    office.settings.change(ROOT, hidden_fields=("birth", "sex"))
    after = shown(client)
    page = after.pop(f"/en{LIST}")  # it is full of ratings, which look like years
    assert {cell.text for cell in all_of(page, "//tbody/tr/td[last()-1]")} == {"–"}
    table = list(csv.DictReader(io.StringIO(after.pop(f"/en{LIST}/rows.csv"))))
    assert {(row["sex"], row["birth"]) for row in table} == {("", "")}
    listed = json.loads(after.pop(f"/api/v1{LIST}/players"))["players"]
    assert {(row["sex"], row["birth_year"]) for row in listed} == {("", None)}
    for path, text in after.items():
        assert not births(text), path
    rows = json.loads(after[f"/api/v1/players/{player_id(1)}"])
    assert (rows["birth_year"], rows["sex"]) == (None, "")
    assert client.get("/en/lists/fide/2025-06-01/files").text == sha
    by_birth = client.get(f"/api/v1{LIST}/players?sort=birth").json()
    by_name = client.get(f"/api/v1{LIST}/players?sort=name").json()
    assert by_birth["players"] == by_name["players"]  # an order would tell it too
    women = client.get(f"/api/v1{LIST}/players?sex=F").json()
    assert women["total"] == by_name["total"]


def test_a_hidden_year_is_on_no_page_of_the_public(own_public: Public) -> None:
    """Every address that needs no more than a player, a list and a tournament, pages and API."""
    player, client = player_id(1), own_public.client
    year = str(client.get(f"/api/v1/players/{player}").json()["birth_year"])
    known = {
        "{player:int}": str(player),
        "{system:str}": "fide",
        "{on:str}": "2025-06-01",
        "{day:str}": "2025-06-01",
        "{tournament:int}": "1",
    }
    paths = [f"/en/compare?a={player}&b={player_id(2)}", "/en/players?q=Altavilla"]
    for route in own_public.app.routes:
        path = route.path
        for name, value in known.items():
            path = path.replace(name, value)
        if "{" not in path and not path.endswith((".xlsx", ".zip", ".parquet")):
            paths.append(path)

    def telling() -> set[str]:
        return {path for path in paths if re.search(rf"\b{year}\b", client.get(path).text)}

    assert len(telling()) > 3, year
    own_public.office.settings.change(ROOT, hidden_fields=("birth",))
    published = {path for path in telling() if "/files/" in path}
    assert telling() == published


def test_a_person_takes_their_data_along_without_secrets(logged_in: LogIn, office: Office) -> None:
    client = logged_in(Role.PLAYER)
    posted(client, "/en/follow/list/fide", {})
    answer = client.get("/en/account/data/export.zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        text = file.read("personal-data.json").decode()
    data = json.loads(text)
    assert data["accounts"][0]["email"] == email_of(Role.PLAYER)
    assert data["follows"][0]["subject"] == "fide"
    assert data["audit"]
    assert "argon2" not in text
    assert "token" not in text
    assert email_of(Role.ARBITER) not in text


def test_a_person_is_erased_and_the_decision_recorded(logged_in: LogIn, office: Office) -> None:
    client, email = logged_in(Role.PLAYER), email_of(Role.PLAYER)
    posted(client, "/en/follow/list/fide", {})
    wrong = posted(client, "/en/account/data/erase", {"password": "another one entirely"})
    assert wrong.status_code in (401, 403, 409, 422)
    with office.desk.database.reading() as connection:
        account = accounts.by_email(connection, email)
    assert account is not None
    done = posted(client, "/en/account/data/erase", {"password": PASSWORD})
    assert done.status_code == 303
    with office.desk.database.reading() as connection:
        assert accounts.by_email(connection, email) is None
        gone = accounts.by_id(connection, account.id)
        assert gone is not None
        assert (gone.disabled, gone.player) == (True, None)
        for table in t.metadata.sorted_tables:
            if table.name in ("audit", "chain_heads"):
                continue  # what was done stays under the number of the account
            rows = connection.execute(table.select()).all()
            assert email not in str(rows), table.name
    line = next(one for one in office.audit.page(ROOT, limit=9) if one.action == "erase_account")
    assert line.outcome == "done"
    assert list(check_seals(office.desk.database)) == []
    assert client.get("/en/account", follow_redirects=False).status_code == 303


def test_who_registered_a_tournament_is_not_erased(own_public: Public) -> None:
    office = own_public.office
    with office.desk.database.reading() as connection:
        arbiter = accounts.by_email(connection, email_of(Role.ARBITER))
    assert arbiter is not None
    asker = Asker(account=arbiter.id, role=Role.ARBITER)
    assert "tournaments" in office.personal_data.rests_on(asker)
    with pytest.raises(Exception, match="tournaments that you registered"):
        office.personal_data.erase(asker, PASSWORD)


def test_the_last_administrator_is_not_erased(office: Office) -> None:
    with office.desk.database.reading() as connection:
        others = [one for one in accounts.every(connection) if one.role is Role.HEAD_OF_OFFICE]
    for other in others:
        office.accounts.disable(ROOT, other.id)
    with pytest.raises(Refusal):
        office.personal_data.erase(ROOT, PASSWORD)
    with office.desk.database.reading() as connection:
        assert accounts.by_email(connection, email_of(Role.SYSTEM_ADMINISTRATOR)) is not None


def test_the_privacy_page_says_what_is_public(client: Client, office: Office) -> None:
    assert "Year of birth: public" in client.get("/en/privacy").text
    office.settings.change(ROOT, hidden_fields=("birth",))
    assert "Year of birth: kept by the office" in client.get("/en/privacy").text
    assert "Anno di nascita: riservato" in client.get("/it/privacy").text
