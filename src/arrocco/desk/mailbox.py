"""What people choose to get by mail, and what administrators see of the spool."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from arrocco.desk.desk import Desk, account_of
from arrocco.desk.mail import CHOSEN, MailKind, Words, words_of
from arrocco.errors import NotFound
from arrocco.office.roles import Asker, Permission, require
from arrocco.store.sql import accounts, mail_choices, mails
from arrocco.store.sql.mails import Mail, MailState

PAGE = 50


class ShownMail(Struct, frozen=True, kw_only=True):
    """A mail and what it says."""

    mail: Mail
    words: Words


class Mailbox:
    """The spool of mail and the choices of its readers."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    # --- one's own choices ------------------------------------------------------------------------

    def wanted(self, asker: Asker) -> frozenset[MailKind]:
        """What the asker gets of all that can be chosen."""
        with self._desk.looking(asker, "see_mail_choices") as connection:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            refused = mail_choices.unwanted(connection, account_of(asker))
        return frozenset(kind for kind in CHOSEN if kind.value not in refused)

    def choose(self, asker: Asker, wanted: Collection[MailKind]) -> None:
        """Keeps what the asker wants to get."""
        with self._desk.acting(asker, "choose_mail") as act:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            refused = [kind.value for kind in CHOSEN if kind not in wanted]
            mail_choices.refuse(act.connection, account_of(asker), refused)
            act.details["refused"] = refused

    def whose(self, token: str) -> str:
        """The address whose mails carry a token. Raises `NotFound`."""
        with self._desk.database.reading() as connection:
            account = mail_choices.account_of(connection, token)
            owner = None if account is None else accounts.by_id(connection, account)
        if owner is None:
            raise NotFound.of("mail.refused.no_token")
        return owner.email

    def refuse(self, token: str, kind: MailKind, address: str = "") -> None:
        """Refuses a kind of mail for whoever got it; asked twice it is no fault."""
        with self._desk.acting(Asker(address=address), "refuse_mail", kind.value) as act:
            account = mail_choices.account_of(act.connection, token)
            if account is None or not kind.can_be_refused:
                raise NotFound.of("mail.refused.no_token")
            refused = mail_choices.unwanted(act.connection, account)
            mail_choices.refuse(act.connection, account, {*refused, kind.value})
            act.details["account"] = account

    # --- the spool --------------------------------------------------------------------------------

    def spool(self, asker: Asker, *, offset: int = 0) -> tuple[dict[MailState, int], list[Mail]]:
        """How many mails there are of each state, and a page of them, the newest first."""
        with self._desk.looking(asker, "see_mails") as connection:
            require(asker, Permission.MANAGE_ACCOUNTS)
            return mails.counts(connection), mails.newest(connection, offset=offset, limit=PAGE)

    def read(self, asker: Asker, mail: int) -> ShownMail:
        """A mail with its words; that somebody read it is written down.

        Its link may open an account: an office without a mail server hands it over by this page.
        """
        with self._desk.acting(asker, "read_mail", f"mail:{mail}") as act:
            require(asker, Permission.MANAGE_ACCOUNTS)
            row = mails.get(act.connection, mail)
            if row is None:
                raise NotFound.of("mail.refused.no_mail", number=mail)
            act.details |= {"kind": row.kind, "address": row.address}
            return ShownMail(mail=row, words=words_of(MailKind(row.kind), row.language, row.params))
