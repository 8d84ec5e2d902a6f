"""The ledger for everybody: its page, its API, and one command that checks it all."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from arrocco.cli.main import program
from arrocco.desk import Office
from arrocco.office import signatures
from arrocco.office.roles import Role
from arrocco.web.pages import public_ledger
from tests.browser.desk_served import answering
from tests.web.conftest import LogIn
from tests.web.desk_office import *  # noqa: F403 - fixtures
from tests.web.desk_office import people_in

API = "/api/v1/ledger"


def test_the_page_shows_head_keys_and_signed_heads(logged_in: LogIn, office: Office) -> None:
    client = logged_in(Role.PUBLIC)
    office.keys.rotate(people_in(office).root, "a new machine")
    head = client.get(f"{API}/head").json()
    for language, said in (("en", "a new machine"), ("it", "garantita dalla chiave precedente")):
        page = client.get(f"/{language}/ledger").text
        assert f"{head['seq']}:{head['hash']}" in page
        assert said in page
        assert "arrocco ledger verify http" in page
        assert "/lists/fide/2025-06-01/files" in page
    files = client.get("/en/lists/fide/2025-06-01/files").text
    assert office.keys.signed_heads().popitem()[1].signature in files


@pytest.mark.parametrize(("shown", "is_cut"), [(1, True), (2, False)])
def test_the_page_says_how_many_heads_it_leaves_out(
    logged_in: LogIn, monkeypatch: pytest.MonkeyPatch, shown: int, is_cut: bool
) -> None:
    monkeypatch.setattr(public_ledger, "_MAX_SHOWN", shown)
    client = logged_in(Role.PUBLIC)
    assert len(client.get(f"{API}/keys").json()["heads"]) == 2
    assert ("The newest 1 of 2" in client.get("/en/ledger").text) is is_cut
    assert ("più recenti di 2" in client.get("/it/ledger").text) is is_cut


def test_the_api_gives_what_a_program_needs_to_check_a_signature(logged_in: LogIn) -> None:
    client = logged_in(Role.PUBLIC)
    told = client.get(f"{API}/keys").json()
    (key,) = told["keys"]
    for head in told["heads"]:
        text = (
            f"arrocco ledger head\noffice {told['office']}\n"
            f"list {head['system']} {head['list_date']}\nseq {head['seq']}\nhead {head['head']}\n"
        )
        assert signatures.is_signed(key["public"], head["signature"], text.encode())
    signed = client.get("/api/v1/lists/fide/2025-06-01").json()["signed"]
    assert signed["signature"] == told["heads"][-1]["signature"]
    lines = client.get(f"{API}/entries").text.splitlines()
    assert [json.loads(line)["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert json.loads(lines[-1])["hash"] == client.get(f"{API}/head").json()["hash"]
    rest = client.get(f"{API}/entries?from={len(lines)}").text.splitlines()
    assert rest == lines[-1:]
    assert client.get(f"{API}/entries?from=0").status_code == 400


def test_only_what_lists_were_imported_from_is_given(logged_in: LogIn, office: Office) -> None:
    client = logged_in(Role.PUBLIC)
    blobs = set(office.desk.blobs.all())
    given = {blob for blob in blobs if client.get(f"{API}/imported/{blob}").status_code == 200}
    assert len(given) == 1, "reports are not for everybody"
    assert client.get(f"{API}/imported/..%2Foffice-key").status_code == 404
    assert (
        client.get("/en/lists/fide/2025-06-01/files/..%2F..%2F..%2Foffice-key").status_code == 404
    )


@pytest.mark.parametrize("damaged", [False, True])
def test_one_command_and_no_account_check_an_office_at_its_address(
    office: Office, damaged: bool
) -> None:
    if damaged:
        listed = office.folder / "lists" / "fide" / "2025-06-01" / "list.csv"
        listed.chmod(0o600)
        listed.write_bytes(listed.read_bytes().replace(b"ITA", b"FRA"))
    with answering(office) as server:
        result = CliRunner().invoke(program, ["ledger", "verify", server.address, "--json"])
    told = json.loads(result.output)
    assert (result.exit_code, told["good"]) == (int(damaged), not damaged)
    assert [one["signature"] for one in told["lists"]] == ["signed", "signed"]
    assert [one["key"] for one in told["findings"]] == ["outside.verify.changed"] * damaged
