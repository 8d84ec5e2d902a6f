"""Inviting many: a file line by line, a link with an end and a cap; what is known is not typed."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from arrocco.desk import Office
from arrocco.desk.bulk_invitations import MAX_ROWS
from arrocco.errors import Malformed, NotFound
from arrocco.office.roles import Asker, Role
from arrocco.store.sql import mails
from tests.web.conftest import Client, LogIn
from tests.web.visits import posted

ROOT = Asker(account=1, name="Ada Rossi", role=Role.SYSTEM_ADMINISTRATOR)
FILE = """email,role,federation,player,name,language
new@example.org,arbiter,,,"Bianchi, Lea",it
officer2@example.org,federation_officer,ITA,,,
no address,arbiter,,,,
x@example.org,king,,,,
player@example.org,arbiter,,,,
"""


def written(office: Office) -> dict[str, tuple[str, str]]:
    """By address the language and the link of the newest mail."""
    with office.desk.database.reading() as connection:
        found = mails.newest(connection)[::-1]
    links = {}
    for one in found:
        link = re.search(r"/invitation\?token=[\w-]+", one.params)
        links[one.address] = (one.language, "" if link is None else link[0])
    return links


def test_a_file_invites_line_by_line_and_tells_what_it_refused(
    logged_in: LogIn, office: Office, client: Client
) -> None:
    root = logged_in(Role.SYSTEM_ADMINISTRATOR)
    files = {"file": ("people.csv", FILE.encode(), "text/csv")}
    page = posted(root, "/en/accounts/many", {}, form="/en/accounts/many", files=files).text
    assert page.count("Invited") == 2
    assert "king is not a role" in page
    language, link = written(office)["new@example.org"]
    assert language == "it"
    shown = client.get(f"/it{link}").text
    assert 'value="Bianchi, Lea"' in shown  # what the office knows is not typed
    assert 'type="hidden" name="token"' in shown
    assert "new@example.org" in shown


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"name\nx\n",
        b"email,role,secret\na@example.org,arbiter,x\n",
        b"\xff\xfe",
        b"email,role\n" + b"a@example.org,arbiter\n" * (MAX_ROWS + 1),
        b"e" * 70_000,
    ],
)
def test_a_file_that_is_none_is_refused_whole(office: Office, data: bytes) -> None:
    before = written(office)
    with pytest.raises(Malformed):
        office.bulk.invite(ROOT, data)
    assert written(office) == before


def test_a_link_invites_up_to_its_cap_and_until_its_end(
    logged_in: LogIn, office: Office, client: Client
) -> None:
    root = logged_in(Role.SYSTEM_ADMINISTRATOR)
    sent = {"role": "arbiter", "cap": "2", "days": "3"}
    page = posted(root, "/en/accounts/links", sent, form="/en/accounts/many").text
    token = re.search(r"/en/join\?token=([\w-]+)", page)
    assert token is not None
    path = f"/en/join?token={token[1]}"
    for email in ("one@example.org", "player@example.org"):
        answer = posted(client, "/en/join", {"token": token[1], "email": email}, form=path)
        assert answer.status_code == 303  # whether an address is known is not told
    assert written(office)["one@example.org"][1]
    assert client.get(path).status_code == 404  # two places, both taken
    with pytest.raises(NotFound):
        office.bulk.join(token[1], "three@example.org", "en")
    assert "three@example.org" not in written(office)


def test_a_link_ends_and_can_be_withdrawn_and_makes_no_administrators(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Exception, match="arbiters and federation officers"):
        office.bulk.make_link(ROOT, Role.RATING_ADMINISTRATOR, "", 1, 1)
    token = office.bulk.make_link(ROOT, Role.ARBITER, "", 5, 2)
    now = office.desk.now()
    with monkeypatch.context() as patch:
        patch.setattr(office.desk, "now", lambda: now + timedelta(days=2, seconds=1))
        with pytest.raises(NotFound):
            office.bulk.link(token)
    (link,) = office.bulk.links(ROOT)
    office.bulk.withdraw_link(ROOT, link.id)
    with pytest.raises(NotFound):
        office.bulk.link(token)
