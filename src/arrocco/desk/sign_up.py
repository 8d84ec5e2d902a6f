"""Sign-up of players: an address is confirmed by a mail before there is an account."""

from __future__ import annotations

from datetime import timedelta

from arrocco.desk import mail, passwords
from arrocco.desk.account_parts import MAX_NAME, check_name
from arrocco.desk.desk import Desk
from arrocco.desk.own_account import LINK_MINUTES, mail_limits
from arrocco.desk.settings import may_sign_up
from arrocco.desk.throttle import OF_RESETS, Throttle, TooManyAttempts
from arrocco.errors import Inconsistent, Refusal
from arrocco.office.roles import Asker, Role
from arrocco.store.sql import accounts, office_settings, one_time
from arrocco.store.sql.accounts import same_email
from arrocco.store.sql.one_time import Purpose
from arrocco.store.sql.tokens import hashed, new_token
from arrocco.words import LANGUAGES

SIGN_UP_HOURS = 24


class SignUps:
    """Players who come without an invitation, where the office lets them."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._throttle = Throttle()

    def is_open(self, link: str = "") -> bool:
        """Whether anybody may sign up, with this link."""
        with self._desk.database.reading() as connection:
            return may_sign_up(office_settings.get(connection), link, self._desk.now())

    def ask(self, email: str, link: str, language: str, address: str = "") -> None:
        """Sends a mail to an address that wants an account; one that has one gets it as well.

        The answer is the same, so nobody learns who has an account. Raises `Inconsistent` where
        sign-up is off or the link does not serve.
        """
        asker, at = Asker(address=address), self._desk.now()
        try:
            to = mail.require_address(email)
            with self._desk.database.writing() as connection:
                if not may_sign_up(office_settings.get(connection), link, at):
                    raise Inconsistent.of("access.refused.sign_up_off")
                self._throttle.pay(connection, mail_limits(address), at)
                try:
                    self._throttle.pay(connection, {f"sign-up:{hashed(to)[:32]}": OF_RESETS}, at)
                except TooManyAttempts:
                    return  # the mails that were sent serve
        except Refusal as refusal:
            self._desk.count_refused("sign_up", refusal)
            raise
        with self._desk.acting(asker, "ask_sign_up") as act:
            one_time.purge(act.connection, act.at)
            token, known = new_token(), accounts.by_email(act.connection, to)
            if known is not None:
                until = act.at + timedelta(minutes=LINK_MINUTES)
                one_time.add(act.connection, token, Purpose.RESET, until, account=known.id)
                path = f"/reset?token={token}"
                kind = mail.MailKind.RESET
                mail.queue(act.connection, act.at, kind, known, path, minutes=LINK_MINUTES)
                return
            until = act.at + timedelta(hours=SIGN_UP_HOURS)
            one_time.add(act.connection, token, Purpose.SIGN_UP, until, email=to)
            mail.queue_to(
                act.connection,
                act.at,
                mail.MailKind.SIGN_UP,
                to,
                language,
                f"/sign-up/confirm?token={token}",
                until=until.date(),
            )

    def email_of(self, token: str) -> str:
        """The address that a link confirms. Raises `Inconsistent` where it does not serve."""
        with self._desk.database.reading() as connection:
            link = one_time.get(connection, token, Purpose.SIGN_UP, self._desk.now())
        if link is None:
            raise Inconsistent.of("access.refused.link")
        return link.email

    def finish(
        self, token: str, name: str, password: str, *, language: str = "en", address: str = ""
    ) -> int:
        """Opens the account of a player whose address is confirmed; its number."""
        asker = Asker(address=address)
        email = self.email_of(token)
        passwords.check_new(password, name[:MAX_NAME], email)
        kept = passwords.hashed(password)
        with self._desk.acting(asker, "sign_up") as act:
            check_name(name)
            link = one_time.take(act.connection, token, Purpose.SIGN_UP, act.at)
            if link is None:
                raise Inconsistent.of("access.refused.link")
            account = accounts.add(
                act.connection,
                email=same_email(link.email),
                name=name.strip(),
                password_hash=kept,
                role=Role.PLAYER,
                created_at=act.at,
                language=language if language in LANGUAGES else "en",
            )
            act.subject = str(account.id)
            act.details |= {"account": account.id, "role": account.role.value}
            return account.id
