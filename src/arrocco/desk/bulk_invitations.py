"""Inviting many: a CSV of people, or a link with an end and a cap."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

from msgspec import Struct
from sqlalchemy import Connection

from arrocco.desk.accounts import INVITATION_DAYS, Accounts
from arrocco.desk.desk import Act, Desk
from arrocco.desk.notices import tell_invited
from arrocco.desk.people import People
from arrocco.errors import Inconsistent, Malformed, NotFound, Refusal
from arrocco.office.roles import Asker, Permission, Role, require
from arrocco.store.sql import invitation_links
from arrocco.store.sql.accounts import same_email
from arrocco.store.sql.invitation_links import InvitationLink
from arrocco.store.sql.tokens import new_token

COLUMNS = ("email", "role", "federation", "player", "name", "language")
MAX_BYTES = 64 * 1024
MAX_ROWS = 500
MAX_CAP, MAX_DAYS = 500, 90
BY_LINK = (Role.ARBITER, Role.FEDERATION_OFFICER)
"""Whom a link may invite: an administrator is invited by name, a player signs up and claims."""


class Invited(Struct, frozen=True, kw_only=True):
    """A line of the file, and why it was refused; `None` where the person is invited."""

    line: int
    email: str
    refusal: Refusal | None = None


class BulkInvitations:
    """Invitations for many."""

    def __init__(self, desk: Desk, accounts: Accounts, people: People) -> None:
        self._desk, self._accounts, self._people = desk, accounts, people

    def invite(self, asker: Asker, data: bytes) -> list[Invited]:
        """Invites everybody in a file, in one act; a line that is refused stops no other."""
        with self._desk.acting(asker, "invite_many") as act:
            require(asker, Permission.INVITE)
            done = [self._row(act, asker, line, row) for line, row in _rows(data)]
            invited = [one.email for one in done if one.refusal is None]
            act.details |= {"invited": len(invited), "refused": len(done) - len(invited)}
            return done

    def _row(self, act: Act, asker: Asker, line: int, row: dict[str, str]) -> Invited:
        email = row["email"]
        try:
            role, player = _role(row["role"]), _number(row["player"])
            name = row["name"] or self._people.listed_name(player)
            token = self._accounts.invitation_for(
                act, email, role, row["federation"].upper(), player, asker.account, name
            )
            until = act.at + timedelta(days=INVITATION_DAYS)
            tell_invited(act, asker, email, role, token, until, row["language"])
        except Refusal as refusal:
            return Invited(line=line, email=email[:254], refusal=refusal)
        return Invited(line=line, email=same_email(email))

    # --- links ------------------------------------------------------------------------------------

    def make_link(self, asker: Asker, role: Role, federation: str, cap: int, days: int) -> str:
        """A link by which up to `cap` people are invited within `days`; its token, only now."""
        with self._desk.acting(asker, "make_invitation_link") as act:
            require(asker, Permission.INVITE)
            if role not in BY_LINK:
                raise Inconsistent.of("bulk.refused.role")
            if not (1 <= cap <= MAX_CAP and 1 <= days <= MAX_DAYS):
                raise Inconsistent.of("bulk.refused.bounds", cap=MAX_CAP, days=MAX_DAYS)
            if role is Role.FEDERATION_OFFICER and len(federation) != 3:
                raise Inconsistent.of("desk.refused.no_federation")
            token = new_token()
            made = invitation_links.add(
                act.connection,
                token=token,
                role=role,
                federation=federation.upper(),
                cap=cap,
                made_by=asker.account,
                made_at=act.at,
                expires_at=act.at + timedelta(days=days),
            )
            act.details |= {"link": made.id, "role": role.value, "cap": cap, "days": days}
            return token

    def links(self, asker: Asker) -> list[InvitationLink]:
        """The links that still serve."""
        with self._desk.looking(asker, "see_invitations") as connection:
            require(asker, Permission.INVITE)
            return invitation_links.serving(connection, self._desk.now())

    def withdraw_link(self, asker: Asker, link: int) -> None:
        """Lets a link serve no more."""
        with self._desk.acting(asker, "withdraw_invitation_link") as act:
            require(asker, Permission.INVITE)
            if not invitation_links.withdraw(act.connection, link, act.at):
                raise NotFound.of("bulk.refused.no_link")

    def link(self, token: str) -> InvitationLink:
        """The link of a token. Raises `NotFound` where it does not serve."""
        with self._desk.database.reading() as connection:
            return self._serving(connection, token)

    def join(self, token: str, email: str, language: str, address: str = "") -> None:
        """Has whoever holds a link invited at an address, which the mail shows to be theirs.

        Whether the address has an account already is not told.
        """
        with self._desk.acting(Asker(address=address), "use_invitation_link") as act:
            invitation_link = invitation_links.use(act.connection, token, act.at)
            if invitation_link is None:
                raise NotFound.of("bulk.refused.no_link")
            act.details["link"] = invitation_link.id
            try:
                made = self._accounts.invitation_for(
                    act,
                    email,
                    invitation_link.role,
                    invitation_link.federation,
                    None,
                    invitation_link.made_by,
                    "",
                )
            except Inconsistent as refusal:
                if refusal.key == "desk.refused.has_account":
                    return
                raise
            until = act.at + timedelta(days=INVITATION_DAYS)
            tell_invited(act, Asker(), email, invitation_link.role, made, until, language)

    def _serving(self, connection: Connection, token: str) -> InvitationLink:
        invitation_link = invitation_links.by_token(connection, token, self._desk.now())
        if invitation_link is None:
            raise NotFound.of("bulk.refused.no_link")
        return invitation_link


def _rows(data: bytes) -> list[tuple[int, dict[str, str]]]:
    """The lines of a file with their numbers. Raises `Malformed` for what is no such file."""
    if len(data) > MAX_BYTES:
        raise Malformed.of("bulk.refused.long", most=MAX_ROWS)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Malformed.of("bulk.refused.columns", columns=COLUMNS) from None
    delimiter = ";" if ";" in text.partition("\n")[0] else ","
    try:
        lines = list(csv.reader(io.StringIO(text), delimiter=delimiter, strict=True))
    except csv.Error:
        raise Malformed.of("bulk.refused.columns", columns=COLUMNS) from None
    heads = [cell.strip().lower() for cell in lines[0]] if lines else []
    if "email" not in heads or "role" not in heads or set(heads) - set(COLUMNS):
        raise Malformed.of("bulk.refused.columns", columns=COLUMNS)
    rows = [(n, line) for n, line in enumerate(lines[1:], start=2) if any(map(str.strip, line))]
    if len(rows) > MAX_ROWS:
        raise Malformed.of("bulk.refused.long", most=MAX_ROWS)
    empty = dict.fromkeys(COLUMNS, "")
    return [
        (n, empty | {head: cell.strip()[:254] for head, cell in zip(heads, line, strict=False)})
        for n, line in rows
    ]


def _role(text: str) -> Role:
    try:
        return Role(text.strip().lower().replace(" ", "_"))
    except ValueError:
        raise Inconsistent.of("bulk.refused.unknown_role", role=text[:40]) from None


def _number(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 12):
        raise Inconsistent.of("desk.refused.no_player_number")
    return int(text)
