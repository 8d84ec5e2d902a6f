"""Hands the mails of the spool to the mail server, each at least once and always as the same one.

A mail is claimed for a while, handed over, and marked. Where the process ends between the last two
the claim runs out and the mail is handed over once more with the same Message-ID, by which mail
programs show it once. What the server refuses for now (4xx) is tried again after a growing time;
what it refuses for good (5xx) is not. A server that cannot be reached costs no mail a try.
"""

from __future__ import annotations

import logging
import smtplib
import ssl
from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy import Connection

from arrocco.desk.desk import Desk
from arrocco.desk.mail import MailKind, without_secrets
from arrocco.desk.mail_message import message_of
from arrocco.desk.mail_settings import MailSettings
from arrocco.office.settings import identity_of
from arrocco.store.sql import mail_choices, mails, office_settings
from arrocco.store.sql.mails import Mail, MailState

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=10)
RETRIES = tuple(timedelta(minutes=n) for n in (1, 5, 15, 60, 180, 360, 720))
"""After the first refusal, the second …; the last one again and again."""
MAX_AGE = timedelta(days=3)
"""What was not taken for so long fails; also what waited for a mail server that never was set."""
KEPT = timedelta(days=30)
"""How long the spool remembers a mail, from when it was written."""
AT_ONCE = 200
_TIMEOUT = 30
_PERMANENT = range(500, 600)


class MailDelivery:
    """The spool of an office and the mail server; `settings` is `None` where there is none."""

    def __init__(self, desk: Desk, settings: MailSettings | None) -> None:
        self._desk, self.settings = desk, settings
        self.said = ""
        """Why the mail server could not be reached, when it was tried last."""

    def tidy(self) -> None:
        """Gives up what waited too long and forgets what was sent long ago."""
        at = self._desk.now()
        with self._desk.database.reading() as connection:
            old = mails.waiting_since_before(connection, at - MAX_AGE)
        if old:
            with self._desk.database.writing() as connection:
                for mail in old:
                    _end(connection, mail, MailState.FAILED, at, mail.said)
        with self._desk.database.writing() as connection:
            mails.forget_before(connection, at - KEPT)

    def deliver(self) -> int:
        """Hands over what is due; how many were taken. Raises `OSError` for a server not there."""
        if self.settings is None or not self._is_any_due():
            return 0
        taken = 0
        server = self._connected(self.settings)
        try:
            for _ in range(AT_ONCE):
                mail = self._claim()
                if mail is None:
                    break
                taken += self._hand_over(server, mail)
        finally:
            with suppress(smtplib.SMTPException, OSError):
                server.quit()
        return taken

    def _is_any_due(self) -> bool:
        with self._desk.database.reading() as connection:
            return mails.is_any_due(connection, self._desk.now())

    def _connected(self, settings: MailSettings) -> smtplib.SMTP:
        """A session with the mail server, protected and logged in. Raises `OSError`."""
        context = ssl.create_default_context()
        if settings.authorities:
            context.load_verify_locations(settings.authorities)
        host, port = settings.host, settings.port
        try:
            server: smtplib.SMTP
            if settings.scheme == "smtps":
                server = smtplib.SMTP_SSL(host, port, timeout=_TIMEOUT, context=context)
            else:
                server = smtplib.SMTP(host, port, timeout=_TIMEOUT)
            try:
                if settings.scheme == "smtp":  # refused by a server without it: nothing goes open
                    server.starttls(context=context)
                if settings.user:
                    server.login(settings.user, settings.password)
            except BaseException:
                server.close()
                raise
        except (smtplib.SMTPException, OSError) as error:
            self.said = f"{type(error).__name__}: {error}"[:200]
            raise OSError(self.said) from error
        self.said = ""
        return server

    def _claim(self) -> Mail | None:
        with self._desk.database.writing() as connection:
            return mails.claim(connection, self._desk.now(), LEASE)

    def _hand_over(self, server: smtplib.SMTP, mail: Mail) -> bool:
        assert self.settings is not None
        at = self._desk.now()
        with self._desk.database.writing() as connection:
            account = mail.account
            token = "" if account is None else mail_choices.token_of(connection, account)
            office = identity_of(office_settings.get(connection), mail.language).name
        try:
            message = message_of(
                mail,
                sender=self.settings.sender,
                site=self.settings.site,
                office=office or "Arrocco",
                token=token,
                at=mail.queued_at,
            )
            server.send_message(message, self.settings.sender, [mail.address])
        except smtplib.SMTPRecipientsRefused as refused:
            code, said = refused.recipients[mail.address]
            self._not_taken(mail, at, code, said)
            return False
        except smtplib.SMTPResponseException as refused:
            self._not_taken(mail, at, refused.smtp_code, refused.smtp_error)
            return False
        except (smtplib.SMTPException, OSError) as error:  # the session is gone
            self._put_off(mail, at, f"{type(error).__name__}: {error}")
            raise OSError(str(error)) from error
        except (ValueError, KeyError, LookupError) as error:  # no message can be made of it
            log.exception("mail %d", mail.id)
            self._ended(mail, MailState.FAILED, at, f"{type(error).__name__}: {error}")
            return False
        self._ended(mail, MailState.SENT, self._desk.now(), "")
        return True

    def _not_taken(self, mail: Mail, at: datetime, code: int, said: bytes | str) -> None:
        text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
        if code in _PERMANENT or at - mail.queued_at >= MAX_AGE:
            self._ended(mail, MailState.FAILED, at, f"{code} {text}")
        else:
            self._put_off(mail, at, f"{code} {text}")

    def _put_off(self, mail: Mail, at: datetime, said: str) -> None:
        wait = RETRIES[min(mail.attempts, len(RETRIES)) - 1]
        with self._desk.database.writing() as connection:
            mails.put_off(connection, mail.id, at + wait, said)

    def _ended(self, mail: Mail, state: MailState, at: datetime, said: str) -> None:
        with self._desk.database.writing() as connection:
            _end(connection, mail, state, at, said)


def _end(connection: Connection, mail: Mail, state: MailState, at: datetime, said: str) -> None:
    kept = without_secrets(MailKind(mail.kind), mail.params)
    mails.end(connection, mail.id, state, at, said, kept)
