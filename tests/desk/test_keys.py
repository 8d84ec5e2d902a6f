"""The office's key: made once, kept for its owner, rotated in the ledger, brought by backups."""

from __future__ import annotations

import stat
from datetime import date
from pathlib import Path

import pytest

from arrocco.desk import Office
from arrocco.errors import Refusal
from arrocco.office import signatures
from arrocco.office.ledger import HeadSigned, OfficeKey
from arrocco.store.backup import backup
from arrocco.store.office_key import KEY_FILE, read_key, write_next
from arrocco.store.restore import restore
from arrocco.store.sql import ledger
from tests.desk.conftest import *  # noqa: F403 - fixtures
from tests.desk.offices import Clock, People, accepted, published, report, write_opening

MAY, JUNE = date(2025, 5, 1), date(2025, 6, 1)


def kinds(office: Office) -> list[str]:
    with office.desk.database.reading() as connection:
        return [ledger.kind_of(one.entry) for one in ledger.read(connection)]


def with_opening(office: Office, people: People, folder: Path) -> None:
    office.lists.import_list(people.administrator, "fide", MAY, write_opening(folder / "may.csv"))


def with_june(office: Office, people: People, clock: Clock) -> None:
    accepted(office, clock, people, report(1, date(2025, 5, 8)), ("fide",))
    clock.go_to(JUNE)
    published(office, people, "fide", JUNE)


def test_the_first_list_makes_the_key_and_every_list_is_signed(
    office: Office, people: People, clock: Clock, tmp_path: Path
) -> None:
    with_opening(office, people, tmp_path)
    with_june(office, people, clock)
    assert [kind for kind in kinds(office) if kind != "errors_waived"] == [
        "office_key",
        "list_imported",
        "head_signed",
        "report_accepted",
        "list_published",
        "head_signed",
    ]
    key_file = office.folder / KEY_FILE
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    secret = read_key(office.folder)
    assert secret is not None
    heads = office.keys.signed_heads()
    assert heads.keys() == {("fide", MAY), ("fide", JUNE)}
    june = heads["fide", JUNE]
    text = signatures.head_text(office.keys.office_id(), "fide", JUNE, june.seq, june.head)
    assert signatures.is_signed(signatures.public_of(secret), june.signature, text)
    assert not signatures.is_signed(signatures.public_of(secret), june.signature, text + b" ")
    assert office.lists.verify("fide", JUNE).is_good, "its own bytes know nothing of it"
    assert not any(KEY_FILE in str(one) for one in (office.folder / "lists").rglob("*"))


def test_a_rotation_is_vouched_for_and_the_next_list_has_the_new_key(
    office: Office, people: People, clock: Clock, tmp_path: Path
) -> None:
    with pytest.raises(Refusal) as refusal:
        office.keys.rotate(people.root, "too early")
    assert refusal.value.key == "desk.refused.no_key_yet"
    with_opening(office, people, tmp_path)
    (first,) = office.keys.known()
    second = office.keys.rotate(people.root, "a new administrator")
    assert (second.replaces, second.is_proved) == (first.public, True)
    with_june(office, people, clock)
    assert office.keys.signed_heads()["fide", JUNE].key == second.public
    with pytest.raises(Refusal):
        office.keys.rotate(people.root, " ")


def test_a_lost_key_stops_publication_until_it_is_replaced(
    office: Office, people: People, clock: Clock, tmp_path: Path
) -> None:
    with_opening(office, people, tmp_path)
    (office.folder / KEY_FILE).unlink()
    with pytest.raises(Refusal) as refusal:
        with_june(office, people, clock)
    assert refusal.value.key == "desk.refused.key_missing"
    with pytest.raises(Refusal):
        office.keys.rotate(people.root, "lost on a disk")
    assert not office.keys.rotate(people.root, "lost on a disk", lost=True).is_proved
    published(office, people, "fide", JUNE)
    assert ("fide", JUNE) in office.keys.signed_heads()


@pytest.mark.parametrize("damaged", [b"", b"0" * 64, b"G" * 64 + b"\n", b"A" * 64 + b"\n"])
def test_a_damaged_key_is_refused(
    office: Office, people: People, tmp_path: Path, damaged: bytes
) -> None:
    with_opening(office, people, tmp_path)
    (office.folder / KEY_FILE).write_bytes(damaged)
    with pytest.raises(Refusal) as refusal:
        office.keys.rotate(people.root, "because")
    assert refusal.value.key == "store.refused.office_key"


def test_what_a_crash_has_left_of_making_or_rotating_is_used(
    office: Office, people: People, clock: Clock, tmp_path: Path
) -> None:
    office.keys.make(people.root)
    office.keys.make(people.root)
    (first,) = office.keys.known()
    with_opening(office, people, tmp_path)
    # A rotation that was stopped before its commit: the key in use stays.
    write_next(office.folder, signatures.new_secret())
    with_june(office, people, clock)
    assert office.keys.signed_heads()["fide", JUNE].key == first.public
    # One that was stopped after it: the new key is where it was put.
    secret = read_key(office.folder)
    assert secret is not None
    new = signatures.new_secret()
    write_next(office.folder, new)
    text = signatures.key_text(office.keys.office_id(), signatures.public_of(new))
    with office.desk.acting(people.root, "rotate_office_key") as act:
        entry = OfficeKey(
            public=signatures.public_of(new),
            replaces=first.public,
            proof=signatures.signed(secret, text),
            reason="x",
        )
        ledger.append(act.connection, act.at, 1, entry)
    assert office.keys.rotate(people.root, "again").replaces == signatures.public_of(new)


def test_a_backup_has_the_key_and_what_is_restored_goes_on_signing(
    office: Office, people: People, clock: Clock, tmp_path: Path
) -> None:
    with_opening(office, people, tmp_path)
    manifest = backup(office.folder, office.desk.database, tmp_path / "b.zip")
    assert KEY_FILE in manifest.files
    restore(tmp_path / "b.zip", tmp_path / "again")
    assert read_key(tmp_path / "again") == read_key(office.folder)
    assert stat.S_IMODE((tmp_path / "again" / KEY_FILE).stat().st_mode) == 0o600


def test_what_is_signed_and_entered_is_read_back() -> None:
    secret = signatures.new_secret()
    entry = HeadSigned(
        system="fide",
        list_date=JUNE,
        seq=3,
        head="a" * 64,
        key=signatures.public_of(secret),
        signature=signatures.signed(secret, b"x"),
    )
    from arrocco.office.ledger import decoded, encoded

    assert decoded(encoded(entry)) == entry
    assert not signatures.is_signed("x", entry.signature, b"x")
    assert not signatures.is_signed("0" * 64, "zz", b"x")
