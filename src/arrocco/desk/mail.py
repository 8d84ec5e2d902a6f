"""Mail that an act sends: put into the spool in the same transaction, sent later by a worker.

`queue` writes to somebody with an account, in the language of the account and only what they have
not refused; `queue_to` writes to an address, for what nobody can refuse. Both take the words'
parameters by name: the words of a kind are ``mail.<kind>.subject`` and ``mail.<kind>.text``, and
its `path` is the page that the mail leads to, without the language.
"""

from __future__ import annotations

import logging
import re
import secrets
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any

import msgspec
from sqlalchemy import Connection

from arrocco.errors import Inconsistent, Refusal
from arrocco.store.sql import accounts, mail_choices, mails
from arrocco.store.sql.accounts import Account, same_email
from arrocco.words import LANGUAGES, Language, Phrase, say

log = logging.getLogger(__name__)

MAX_WAITING = 50_000
"""Mails in the spool that wait: a mail server that is gone must not fill the disk."""
MAX_TO_ADDRESS = 60
"""Mails to one address in an hour."""
MAX_ADDRESS = 254
_HOUR = timedelta(hours=1)
_LONGEST_PARAM = 8000
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")


class MailKind(StrEnum):
    """What a mail is about."""

    INVITATION = "invitation"
    """`inviter`, `role` (a Phrase), `until` (a date); path: the page of the invitation."""
    SIGN_UP = "sign_up"
    """`until`; path: the page that confirms the address."""
    EVENT_INVITATION = "event_invitation"
    """`inviter`, `event`, `until` (a date); path: the page of the link to enter by."""
    RESET = "reset"
    """`minutes`; path: the page where a new password is chosen."""
    NEW_ADDRESS = "new_address"
    """`minutes`; path: the page that confirms the new address. Written to the new address."""
    CLAIM_CODE = "claim_code"
    """`player`, `code`, `minutes`; path: the page where the code is typed."""
    ACCOUNT_CHANGED = "account_changed"
    """`change` (a Phrase); path: the page of the account. Tells the owner of the account."""
    REPORT_RETURNED = "report_returned"
    """`tournament`, `reason`; path: the page of the report."""
    DECISION = "decision"
    """`tournament`, `decision` (a Phrase), `reason`; path: the page of what was decided."""
    LIST_PUBLISHED = "list_published"
    """`system` (a Phrase), `day`; path: the page of the list."""
    QUESTION = "question"
    """`player`, `tournament`; path: the question at the desk. Written to officers."""
    ANSWER = "answer"
    """`tournament`, `answer`; path: the question as its player sees it."""
    FOLLOWED = "followed"
    """`subject`, `news` (a Phrase); path: the page of what is followed."""
    ROUND = "round"
    """`event`, `topic`, `news` (Phrases); path: the event in the hall. Written to its players."""
    EVENT = "event"
    """`event`, `topic`, `news` (Phrases): a player is entered or taken out, or it is not played."""
    FILING = "filing"
    """12.9 — `event`, `filing`, `judged` (Phrases), `number`, `filer`, `text`, `day`, `hour`;
    path: the filing. Written to the chief arbiter or to the committee; nobody can refuse it."""
    FILING_NEWS = "filing_news"
    """`event`, `filing`, `news` (Phrases), `number`; path: the filing. Written to all concerned."""

    CASE = "case"
    """`event`, `news` (a Phrase); path: the page of a case of the Fair Play Committee."""

    @property
    def can_be_refused(self) -> bool:
        """Whether people choose to have it; what somebody asked for themselves is always sent."""
        return self in CHOSEN

    @property
    def is_secret(self) -> bool:
        """Whether its parameters open something, and are forgotten once it is sent."""
        return self in _SECRET


CHOSEN = (
    MailKind.REPORT_RETURNED,
    MailKind.DECISION,
    MailKind.LIST_PUBLISHED,
    MailKind.QUESTION,
    MailKind.ANSWER,
    MailKind.FOLLOWED,
    MailKind.ROUND,
    MailKind.EVENT,
)
"""What each account may refuse, in the order of the page."""
_SECRET = frozenset(
    {
        MailKind.INVITATION,
        MailKind.SIGN_UP,
        MailKind.RESET,
        MailKind.NEW_ADDRESS,
        MailKind.CLAIM_CODE,
        MailKind.EVENT_INVITATION,
    }
)

Param = str | int | date | Phrase


class SpoolFull(Refusal):
    """The spool takes no more mail, or no more to this address, for now."""

    http_status = 429


def queue(
    connection: Connection,
    at: datetime,
    kind: MailKind,
    account: Account | int,
    path: str,
    **params: Param,
) -> bool:
    """Writes to somebody with an account; whether a mail goes.

    None goes to an account that is closed or has refused the kind, nor beyond the bounds of the
    spool, which is logged.
    """
    owner = accounts.by_id(connection, account) if isinstance(account, int) else account
    if owner is None or owner.disabled:
        return False
    if kind.can_be_refused and kind.value in mail_choices.unwanted(connection, owner.id):
        return False
    try:
        _add(connection, at, kind, owner.id, owner.email, owner.language, path, params)
    except Refusal as refusal:
        log.warning("no mail about %s to account %d: %s", kind.value, owner.id, refusal.key)
        return False
    return True


def queue_to(
    connection: Connection,
    at: datetime,
    kind: MailKind,
    address: str,
    language: str,
    path: str,
    **params: Param,
) -> None:
    """Writes to an address. Raises `Inconsistent` for one that is none, `SpoolFull`."""
    _add(connection, at, kind, None, address, language, path, params)


def _add(
    connection: Connection,
    at: datetime,
    kind: MailKind,
    account: int | None,
    address: str,
    language: str,
    path: str,
    params: dict[str, Param],
) -> None:
    to = require_address(address)
    if mails.count_waiting(connection) >= MAX_WAITING:
        raise SpoolFull.of("mail.refused.spool_full")
    if mails.count_to(connection, to, at - _HOUR) >= MAX_TO_ADDRESS:
        raise SpoolFull.of("mail.refused.many_to_address", email=to)
    kept = packed(path, params)
    spoken = language if language in LANGUAGES else "en"
    words_of(kind, spoken, kept)  # a parameter too few is found by the act's own test
    mails.add(
        connection,
        kind=kind.value,
        account=account,
        address=to,
        language=spoken,
        params=kept,
        message_id=secrets.token_hex(16),
        at=at,
    )


def is_address(address: str) -> bool:
    """Whether mail can be sent to an address: plain, short, and of one line."""
    return len(address) <= MAX_ADDRESS and _ADDRESS.fullmatch(address) is not None


def require_address(address: str) -> str:
    """An address as it is kept. Raises `Inconsistent` for one that is none."""
    plain = same_email(address)
    if not is_address(plain):
        raise Inconsistent.of("desk.refused.email", email=plain[:80])
    return plain


# --- parameters as they are kept ------------------------------------------------------------------


def packed(path: str, params: dict[str, Param]) -> str:
    """The parameters of a mail in JSON."""
    values = {name: _packed(value) for name, value in params.items()}
    return msgspec.json.encode({"path": path, "words": values}).decode()


def _packed(value: Any) -> Any:
    if isinstance(value, date):
        return {"day": value.isoformat()}
    if isinstance(value, Phrase):
        details = {name: _packed(detail) for name, detail in value.details.items()}
        return {"key": value.key, "details": details}
    return value if isinstance(value, int) else str(value)[:_LONGEST_PARAM]


def _unpacked(value: Any) -> Any:
    if isinstance(value, dict) and "day" in value:
        return date.fromisoformat(value["day"])
    if isinstance(value, dict):
        details = {name: _unpacked(detail) for name, detail in value["details"].items()}
        return Phrase(value["key"], details)
    return value


def without_secrets(kind: MailKind, params: str) -> str:
    """The parameters of a mail that has ended: what opens something is forgotten."""
    return packed("", {}) if kind.is_secret else params


class Words(msgspec.Struct, frozen=True):
    """What a mail says, in one language."""

    subject: str
    text: str
    path: str
    """Without the language; empty where the mail has ended and it is forgotten."""


def words_of(kind: MailKind, language: Language | str, params: str) -> Words:
    """The words of a mail."""
    spoken: Language = "it" if language == "it" else "en"
    kept = msgspec.json.decode(params)
    if not kept["words"] and not kept["path"]:
        return Words(say(spoken, f"mail.{kind.value}.name"), "", "")
    values = {name: _unpacked(value) for name, value in kept["words"].items()}
    subject = say(spoken, f"mail.{kind.value}.subject", **values)
    one_line = " ".join("".join(c if c.isprintable() else " " for c in subject).split())
    return Words(one_line[:200], say(spoken, f"mail.{kind.value}.text", **values), kept["path"])
