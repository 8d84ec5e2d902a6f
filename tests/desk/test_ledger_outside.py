"""An office checked from outside: the same head for everybody, and nothing can be changed."""

from __future__ import annotations

import json
import os
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from arrocco.cli.main import program
from arrocco.desk import Office
from arrocco.desk.keys import Keys
from arrocco.desk.ledger_copy import LedgerCopy, LedgerLine
from arrocco.desk.ledger_sources import FolderSource, source_of
from arrocco.desk.ledger_verification import CheckedLedger, LedgerCheck
from arrocco.errors import Refusal
from arrocco.office.ledger import chained_bytes
from tests.desk.conftest import *  # noqa: F403 - fixtures
from tests.desk.offices import Clock, People, accepted, published, report, write_opening

MAY, JUNE = date(2025, 5, 1), date(2025, 6, 1)


@pytest.fixture
def copy(office: Office, people: People, clock: Clock, tmp_path: Path) -> Path:
    """What an office with an imported and a made list gives to everybody."""
    office.lists.import_list(people.administrator, "fide", MAY, write_opening(tmp_path / "may.csv"))
    accepted(office, clock, people, report(1, date(2025, 5, 8)), ("fide",))
    clock.go_to(JUNE)
    published(office, people, "fide", JUNE)
    LedgerCopy(office.desk).write(tmp_path / "copy")
    return tmp_path / "copy"


def checked(copy: Path, known: tuple[int, str] | None = None) -> CheckedLedger:
    return LedgerCheck(FolderSource(copy)).run(known)


def keys_of(found: CheckedLedger) -> set[str]:
    return {finding.key.removeprefix("outside.verify.") for finding in found.findings}


def lines(copy: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (copy / "ledger.jsonl").read_text().splitlines()]


def put(copy: Path, rows: list[dict[str, object]], *, chained: bool) -> None:
    """Writes a ledger again; `chained` makes the hashes fit, as the office itself could."""
    previous = "0" * 64
    for row in rows if chained else ():
        entry = str(row["entry"]).encode()
        row["previous"] = previous
        previous = chained_bytes(
            int(str(row["seq"])), str(row["at"]), int(str(row["by"])), entry, previous
        )
        row["hash"] = previous
    (copy / "ledger.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    if chained:
        head = json.loads((copy / "head.json").read_text())
        (copy / "head.json").write_text(json.dumps(head | {"hash": previous, "seq": len(rows)}))


def test_all_is_as_it_was_published(copy: Path, office: Office) -> None:
    found = checked(copy)
    assert found.is_good
    assert [(listed.system, listed.list_date, listed.signature) for listed in found.lists] == [
        ("fide", MAY, "signed"),
        ("fide", JUNE, "signed"),
    ]
    assert found.key == office.keys.known()[-1].public
    assert found.head == LedgerCopy(office.desk).head().hash
    assert found.lists[1].files > 3
    assert checked(copy, (2, str(lines(copy)[1]["hash"]))).is_good, "a head of an earlier reader"


def test_a_changed_file_is_told(copy: Path) -> None:
    for name in ("lists/fide/2025-06-01/list.csv", "lists/fide/2025-05-01/list.csv"):
        path = copy / name
        before = path.read_bytes()
        path.write_bytes(before.replace(b"2210", b"2310") + b"x")
        assert keys_of(checked(copy)) == {"changed"}
        path.write_bytes(before)
    path.unlink()
    assert keys_of(checked(copy)) == {"unavailable"}


@pytest.mark.parametrize("place", [0, 2, -1])
def test_a_changed_entry_breaks_the_chain(copy: Path, place: int) -> None:
    rows = lines(copy)
    rows[place]["by"] = 99
    put(copy, rows, chained=False)
    assert "chain" in keys_of(checked(copy))


def test_a_history_that_the_office_wrote_anew_has_no_signature(copy: Path) -> None:
    rows = lines(copy)
    at = next(n for n, row in enumerate(rows) if "report_accepted" in str(row["entry"]))
    head = (len(rows), str(rows[-1]["hash"]))
    rows[at]["entry"] = str(rows[at]["entry"]).replace('"report":1', '"report":7')
    put(copy, rows, chained=True)
    found = checked(copy, head)
    assert {"signature", "not_signed", "told_otherwise"} <= keys_of(found)


def test_signatures_cannot_be_left_out(copy: Path) -> None:
    rows = [row for row in lines(copy) if "head_signed" not in str(row["entry"])]
    for number, row in enumerate(rows, start=1):
        row["seq"] = number
    put(copy, rows, chained=True)
    assert keys_of(checked(copy)) == {"not_signed"}


def test_lists_from_before_there_was_a_key_verify_and_say_so(
    office: Office, people: People, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr("arrocco.desk.keys.ensured", lambda *_: "")
        older.setattr("arrocco.desk.keys.sign_head", lambda *_: None)
        opening = write_opening(tmp_path / "may.csv")
        office.lists.import_list(people.administrator, "fide", MAY, opening)
    accepted(office, clock, people, report(1, date(2025, 5, 8)), ("fide",))
    clock.go_to(JUNE)
    published(office, people, "fide", JUNE)
    LedgerCopy(office.desk).write(tmp_path / "copy")
    found = checked(tmp_path / "copy")
    assert found.is_good
    assert [listed.signature for listed in found.lists] == ["before_keys", "signed"]


def test_a_lost_key_is_a_warning_and_a_forged_one_an_error(
    copy: Path, office: Office, people: People
) -> None:
    office.keys.rotate(people.root, "fell into the sea", lost=True)
    target = copy.with_name("second")
    LedgerCopy(office.desk).write(target)
    found = checked(target)
    assert found.is_good
    assert keys_of(found) == {"key_unproved"}
    rows = lines(target)
    rows[-1]["entry"] = str(rows[-1]["entry"]).replace('"proof":""', f'"proof":"{"a" * 128}"')
    put(target, rows, chained=True)
    assert keys_of(checked(target)) == {"key_forged"}


def test_a_strange_name_leads_nowhere(copy: Path) -> None:
    rows = lines(copy)
    at = next(n for n, row in enumerate(rows) if "list_published" in str(row["entry"]))
    rows[at]["entry"] = str(rows[at]["entry"]).replace('"list.csv"', '"../../../etc/passwd"')
    put(copy, rows, chained=True)
    assert "unavailable" in keys_of(checked(copy))


@pytest.mark.parametrize("where", ["ftp://example.org", "http://", "no-such-folder"])
def test_what_is_no_source_is_refused(where: str) -> None:
    with pytest.raises(Refusal):
        LedgerCheck(source_of(where)).run()


def test_the_ledger_is_written_once_and_line_by_line(copy: Path, office: Office) -> None:
    with pytest.raises(Refusal) as refusal:
        LedgerCopy(office.desk).write(copy)
    assert refusal.value.key == "outside.refused.in_the_way"
    assert LedgerLine.__struct_fields__ == ("seq", "at", "by", "entry", "previous", "hash")
    assert Keys(office.desk).known()


# --- on the command line --------------------------------------------------------------------------


@pytest.fixture
def closed(copy: Path, office: Office, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the office, for commands that open it by themselves."""
    monkeypatch.setenv("ARROCCO_DATABASE", office.desk.database.address)
    return office.folder


def run(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(program, list(args))
    return result.exit_code, result.output


def test_one_command_checks_a_folder(copy: Path) -> None:
    code, said = run("ledger", "verify", str(copy))
    assert code == 0, said
    assert "fide 2025-06-01" in said
    assert "signed" in said
    assert "Head 6:" in said
    code, said = run("ledger", "verify", str(copy), "--lang", "it", "--no-files")
    assert code == 0
    assert "firmata" in said
    (copy / "lists/fide/2025-06-01/list.csv").write_bytes(b"")
    code, said = run("ledger", "verify", str(copy), "--json")
    assert code == 1
    record = json.loads(said)
    assert record["good"] is False
    assert record["findings"][0]["key"] == "outside.verify.changed"


def test_what_was_saved_can_be_checked_again(copy: Path, tmp_path: Path) -> None:
    code, said = run("ledger", "verify", str(copy), "--save", str(tmp_path / "kept"))
    assert code == 0, said
    code, said = run("ledger", "verify", str(tmp_path / "kept"))
    assert code == 0, said
    assert run("ledger", "verify", str(copy), "--head", "nonsense")[0] == 2
    code, said = run("ledger", "verify", str(copy), "--head", f"2:{'0' * 64}")
    assert code == 1
    assert "is not in this ledger" in said


def test_the_operator_exports_shows_and_rotates(closed: Path, tmp_path: Path) -> None:
    office = str(closed)
    code, said = run("ledger", "export", str(tmp_path / "out"), "--office", office)
    assert code == 0, said
    assert run("ledger", "verify", str(tmp_path / "out"))[0] == 0
    code, said = run("office", "key", "--office", office)
    assert code == 0
    assert "Fingerprint" in said
    code, said = run("office", "rotate-key", "--office", office, "--reason", "yearly", "--json")
    assert code == 0, said
    keys = json.loads(run("office", "key", "--office", office, "--json")[1])["keys"]
    assert keys[-1]["public"] == json.loads(said)["public"]
    assert keys[-1]["proved"]
    with closing(Office.open(closed, database=os.environ["ARROCCO_DATABASE"])) as again:
        assert len(again.keys.known()) == 2
