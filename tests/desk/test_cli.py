"""`arrocco office`: from an empty folder to an office with a list, as its operator does it."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pyotp
import pytest
from click.testing import CliRunner, Result

from arrocco.cli.main import program
from arrocco.desk import Office
from arrocco.desk.accounts import NotLoggedIn
from arrocco.desk.desk import operator
from arrocco.errors import Refusal
from arrocco.office.roles import Role
from tests.desk.offices import PASSWORD, write_opening


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARROCCO_LANG", "en")
    monkeypatch.setenv("ARROCCO_OFFICE", str(tmp_path / "office"))
    monkeypatch.delenv("ARROCCO_DATABASE", raising=False)


def run(*args: object) -> Result:
    return CliRunner().invoke(program, [str(arg) for arg in args])


def run_json(*args: object, status: int = 0) -> dict[str, Any]:
    result = run(*args, "--json")
    assert result.exit_code == status, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_an_office_is_made_once_and_its_first_invitation_serves(tmp_path: Path) -> None:
    invited = run_json("office", "init", "--email", "Root@Example.org")
    assert invited["email"] == "root@example.org"
    office = Office.open(tmp_path / "office")
    office.accounts.accept_invitation(invited["token"], "Radice Finta", PASSWORD)
    office.accounts.log_in("root@example.org", PASSWORD)
    office.close()
    assert run_json("office", "init", "--email", "me@example.org", status=1)["key"] == (
        "desk.refused.has_accounts"
    )


def test_invitations_need_an_office_and_make_sense(tmp_path: Path) -> None:
    assert run("office", "invite", "a@example.org", "arbiter").exit_code == 1
    assert not (tmp_path / "office").exists()
    run_json("office", "init", "--email", "root@example.org")
    assert run("office", "invite", "a@example.org", "king").exit_code == 2
    officer = ("office", "invite", "a@example.org", "federation_officer")
    assert run_json(*officer, status=1)["key"] == "desk.refused.no_federation"
    assert run_json(*officer, "--federation", "ita")["token"]


def test_lists_are_imported_in_order_and_shown(tmp_path: Path) -> None:
    run_json("office", "init", "--email", "root@example.org")
    file = write_opening(tmp_path / "list.csv")
    assert run_json("office", "import-list", "fide", "2025-05-01", file)["players"] == 12
    for system, day, key in (
        ("fide", "2025-05-01", "import_order"),
        ("fide", "2025-06-15", "import_day"),
        ("elo", "2025-06-01", "not_importable"),
    ):
        refused = run_json("office", "import-list", system, day, file, status=1)
        assert refused["key"] == f"desk.refused.{key}"
    empty = tmp_path / "empty.csv"
    empty.write_text("id,name,rating\n", "utf-8")
    refused = run_json("office", "import-list", "fide", "2025-06-01", empty, status=1)
    assert refused["key"] == "desk.refused.import_empty"
    assert [path.name for path in (tmp_path / "office" / "lists" / "fide").iterdir()] == [
        "2025-05-01"
    ]
    status = run_json("office", "status")
    assert status["systems"] == [
        {"system": "fide", "lists": 1, "latest": "2025-05-01", "players": 12, "waiting": {}}
    ]
    said = run("office", "status", "--lang", "it").output
    assert "Voci del registro" in said
    assert "2025-05-01" in said
    assert "as published" in run("list", "verify", "fide", "2025-05-01").output
    assert "No errors" in run("office", "verify").output


def test_the_operator_is_in_the_audit_log_without_an_account(tmp_path: Path) -> None:
    run_json("office", "init", "--email", "root@example.org")
    run_json("office", "import-list", "fide", "2025-05-01", write_opening(tmp_path / "list.csv"))
    office = Office.open(tmp_path / "office")
    line = office.audit.page(operator(Role.SYSTEM_ADMINISTRATOR), action="import_list")[0]
    office.close()
    assert (line.account, line.address, line.outcome) == (None, "local", "done")
    assert line.subject == f"list:fide:{date(2025, 5, 1)}"


def test_a_sole_administrator_who_forgot_everything_comes_in_from_the_machine(
    tmp_path: Path,
) -> None:
    forgotten, new = "una parola che nessuno sa", "otto torri di carta blu"
    token = run_json("office", "init", "--email", "root@example.org")["token"]
    with closing(Office.open(tmp_path / "office")) as office:
        office.accounts.accept_invitation(token, "Radice Finta", forgotten)
        session = office.accounts.log_in("root@example.org", forgotten)
        asker = office.accounts.asker_of(session)
        app = office.second_factors.new_app(asker, "Office")
        code = pyotp.TOTP(app.secret).at(office.desk.now())
        office.second_factors.add_app(asker, app.attempt, code, "Lost phone")

    site = ("--site", "https://office.example")
    told = run_json("office", "reset-password", "Root@Example.org", *site)
    assert told["email"] == "root@example.org"
    assert told["link"].startswith("https://office.example/en/reset?token=")
    serving = told["link"].partition("token=")[2]
    nobody = run_json("office", "reset-password", "me@example.org", *site, status=1)
    assert nobody["key"] == "access.refused.no_email"
    with closing(Office.open(tmp_path / "office")) as office:
        office.own_account.reset(serving, new)
        with pytest.raises(Refusal):
            office.own_account.reset(serving, forgotten)
        with pytest.raises(NotLoggedIn):
            office.accounts.asker_of(session)
        with pytest.raises(NotLoggedIn):
            office.accounts.log_in("root@example.org", new)

    assert run_json("office", "reset-factors", "root@example.org")["email"] == "root@example.org"
    with closing(Office.open(tmp_path / "office")) as office:
        assert office.accounts.log_in("root@example.org", new)
        root = operator(Role.SYSTEM_ADMINISTRATOR)
        for action in ("make_reset_link", "reset_password", "reset_factors"):
            assert office.audit.page(root, action=action), action
