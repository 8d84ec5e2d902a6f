"""The office's key: made once, kept in its folder, rotated in the ledger; it signs the heads."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from sqlalchemy import Connection

from arrocco.desk import locks
from arrocco.desk.desk import Act, Desk, account_of
from arrocco.desk.reasons import check_reason
from arrocco.errors import Illegal, Inconsistent
from arrocco.office import signatures
from arrocco.office.ledger import Entered, HeadSigned, ListImported, ListPublished, OfficeKey
from arrocco.office.roles import Asker
from arrocco.store import office_folder, office_key
from arrocco.store.sql import ledger, office_id


@dataclass(frozen=True)
class KnownKey:
    """A key of the office, as the ledger has it."""

    seq: int
    at: datetime
    public: str
    replaces: str
    is_proved: bool
    """Whether the key before vouches for it; the first one has none before."""
    reason: str

    @property
    def fingerprint(self) -> str:
        return signatures.fingerprint(self.public)


class Keys:
    """The keys of an office; the private one never leaves its folder but in backups."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def known(self) -> list[KnownKey]:
        """All keys, the one in use last."""
        with self._desk.database.reading() as connection:
            return [
                KnownKey(
                    entered.seq,
                    entered.at,
                    entry.public,
                    entry.replaces,
                    bool(entry.proof) or not entry.replaces,
                    entry.reason,
                )
                for entered in ledger.of_kind(connection, OfficeKey)
                if isinstance(entry := entered.entry, OfficeKey)
            ]

    def office_id(self) -> str:
        """The id that is signed with every head."""
        with self._desk.database.reading() as connection:
            return office_id.get(connection) or ""

    def signed_heads(self) -> dict[tuple[str, date], HeadSigned]:
        """By system and day of a list: the head that was signed as it came out."""
        with self._desk.database.reading() as connection:
            return {
                (entry.system, entry.list_date): entry
                for entered in ledger.of_kind(connection, HeadSigned)
                if isinstance(entry := entered.entry, HeadSigned)
            }

    def make(self, asker: Asker) -> None:
        """Makes the first key, where there is none yet."""
        with locks.held(self._lock):
            if not self.known():
                with self._desk.acting(asker, "make_office_key") as act:
                    ensured(self._desk, act, account_of(asker))

    def rotate(self, asker: Asker, reason: str, *, lost: bool = False) -> KnownKey:
        """Puts a new key in the place of the one in use, which vouches for it.

        `lost` says that the key in use is not there any more: then nothing vouches for the new one.
        """
        folder = self._desk.folder
        with locks.held(self._lock):
            with self._desk.acting(asker, "rotate_office_key") as act:
                check_reason(reason)
                current = current_key(act.connection)
                if current is None:
                    raise Illegal.of("desk.refused.no_key_yet")
                secret = None if lost else _secret(self._desk, current)
                new = signatures.new_secret()
                public = signatures.public_of(new)
                text = signatures.key_text(office_id.get(act.connection) or "", public)
                entry = OfficeKey(
                    public=public,
                    replaces=current,
                    reason=reason.strip(),
                    proof=signatures.signed(secret, text) if secret else "",
                )
                office_key.write_next(folder, new)
                seq = ledger.append(act.connection, act.at, account_of(asker), entry).seq
                act.details |= {"seq": seq, "public": public, "lost": lost}
            office_key.take_next(folder)
        return self.known()[-1]

    @property
    def _lock(self) -> Path:
        return self._desk.folder / office_folder.LISTS_LOCK


# --- signing --------------------------------------------------------------------------------------


def ensured(desk: Desk, act: Act, by: int) -> str:
    """The private key in use; the first one is made and entered where there is none.

    Raises `Inconsistent` where the ledger names a key that the folder does not have.
    """
    current = current_key(act.connection)
    if current is not None:
        return _secret(desk, current)
    secret = office_key.read_key(desk.folder)  # of an act that a crash has stopped
    if secret is None:
        secret = signatures.new_secret()
        office_key.write_key(desk.folder, secret)
    ledger.append(act.connection, act.at, by, OfficeKey(public=signatures.public_of(secret)))
    return secret


def sign_head(act: Act, by: int, secret: str, entered: Entered) -> HeadSigned:
    """Signs the head of the ledger with the list that was just entered."""
    entry = entered.entry
    assert isinstance(entry, ListPublished | ListImported)
    office = office_id.get(act.connection) or ""
    text = signatures.head_text(office, entry.system, entry.list_date, entered.seq, entered.hash)
    signed = HeadSigned(
        system=entry.system,
        list_date=entry.list_date,
        seq=entered.seq,
        head=entered.hash,
        key=signatures.public_of(secret),
        signature=signatures.signed(secret, text),
    )
    ledger.append(act.connection, act.at, by, signed)
    return signed


def current_key(connection: Connection) -> str | None:
    """The public key in use."""
    key = None
    for entered in ledger.of_kind(connection, OfficeKey):
        if isinstance(entered.entry, OfficeKey):
            key = entered.entry.public
    return key


def _secret(desk: Desk, public: str) -> str:
    """The private key of a public one. A rotation that a crash has stopped is ended."""
    secret = office_key.read_key(desk.folder)
    if secret is not None and signatures.public_of(secret) == public:
        office_key.drop_next(desk.folder)
        return secret
    following = office_key.read_next(desk.folder)
    if following is not None and signatures.public_of(following) == public:
        office_key.take_next(desk.folder)
        return following
    raise Inconsistent.of("desk.refused.key_missing", fingerprint=signatures.fingerprint(public))
