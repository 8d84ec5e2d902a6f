"""12.9 — a complaint or an appeal that came as an e-mail: who sent it, to whom, when, and what.

Anybody with an account hands one in, and it is read while a page waits. So nothing beyond what
mail programs write is looked at: three megabytes of hostile headers would take hours.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import datetime
from email.errors import MessageError
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import getaddresses, parsedate_to_datetime
from typing import Any, NamedTuple

from arrocco.desk.filing_papers import Attachment, is_receipt
from arrocco.errors import Malformed
from arrocco.hall.event.filings import MAX_TEXT
from arrocco.store.sql.accounts import same_email

_MAX_PARTS = 30
_MAX_LINES = 100_000
"""Three megabytes of an attachment are forty thousand."""
_MAX_HEADER = 8_000
"""Characters of one header that are looked at: a hundred recipients."""
_MAX_HEADERS = 40
"""Of one part; every server on the way adds one."""
_MAX_SAME = 3
"""Of one name: mail programs write one each."""
_LOOKED_AT = {"from", "to", "cc", "received", "content-type", "content-disposition"} | {
    "content-transfer-encoding"
}
_MAX_RECIPIENTS = 100
_MAX_BODY = 256 * 1024
"""Bytes of the text that are looked at."""
_TAG = re.compile(r"<[^<>]{0,2000}>")
_CHARSETS = re.compile(r"(us-ascii|utf-?(8|16)|iso-?8859-\d\d?|windows-\d+|cp\d+|koi8-[ru])", re.I)
"""Of texts: others, and those that take long over few bytes, are read as UTF-8."""


class FiledMessage(NamedTuple):
    """An e-mail as far as the desk of filings is concerned."""

    sender: str
    recipients: frozenset[str]
    text: str
    arrived: datetime | None
    """When the addressee's mail server took it, by the header that it wrote on top."""
    receipt: Attachment | None


class _Part(Message):
    """A part of a message that keeps of its headers what is looked at here, and not too much."""

    def set_raw(self, name: str, value: str) -> None:
        """Adds a header, as the parser does."""
        if name.lower() in _LOOKED_AT and len(self) < _MAX_HEADERS:
            super().set_raw(name, value[:_MAX_HEADER])


def _few_parts() -> Callable[..., _Part]:
    """Makes the parts of one message. Raises `MessageError` for more than messages have."""
    made = 0

    def make(policy: Any = compat32) -> _Part:
        nonlocal made
        made += 1
        if made > _MAX_PARTS:
            raise MessageError("too many parts")
        return _Part(policy)

    return make


def read_message(data: bytes) -> FiledMessage:
    """Reads a message as mail programs save it (.eml). Raises `Malformed` for what is none."""
    try:
        if data.count(b"\n") + data.count(b"\r") > 2 * _MAX_LINES:
            raise MessageError("too many lines")
        # The parser of `policy.default` reads headers in a time that grows with their square.
        message = BytesParser(_few_parts(), policy=compat32).parsebytes(data)
        senders = _addresses(message, "From")
        recipients = _addresses(message, "To") | _addresses(message, "Cc")
        text = _text(message)
        receipt = next(
            (attachment for attachment in _attachments(message) if is_receipt(attachment.data)),
            None,
        )
    except (MessageError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise Malformed.of("filings.refused.no_message") from None
    if len(senders) != 1 or not text:
        raise Malformed.of("filings.refused.no_message")
    return FiledMessage(next(iter(senders)), recipients, text, _arrived(message), receipt)


def _headers(message: Message, name: str) -> list[str]:
    return [str(value) for value in message.get_all(name, [])[:_MAX_SAME]]


def _addresses(message: Message, header: str) -> frozenset[str]:
    pairs = getaddresses(_headers(message, header))[:_MAX_RECIPIENTS]
    return frozenset(same_email(address) for _, address in pairs if "@" in address)


def _arrived(message: Message) -> datetime | None:
    """The header on top is of the last server; the others, and ``Date``, are the sender's word."""
    for header in _headers(message, "Received")[:1]:
        try:
            moment = parsedate_to_datetime(header.rpartition(";")[2].strip())
        except ValueError:
            return None
        return moment if moment.tzinfo is not None else None
    return None


def _text(message: Message) -> str:
    """The words of a message: its first plain text, else its first page of HTML."""
    texts = [part for part in message.walk() if _is_text(part)]
    body = min(texts, key=lambda part: part.get_content_type() != "text/plain", default=None)
    if body is None:
        return ""
    content = body.get_payload(decode=True)
    assert isinstance(content, bytes)
    charset = str(body.get_param("charset", "utf-8"))
    known = charset if _CHARSETS.fullmatch(charset) else "utf-8"
    text = content[:_MAX_BODY].decode(known, errors="replace")
    if body.get_content_type() == "text/html":
        text = html.unescape(_TAG.sub(" ", text))
    return text.replace("\0", "").replace("\r\n", "\n").strip()[:MAX_TEXT]


def _is_text(part: Message) -> bool:
    is_body = part.get_content_type() in ("text/plain", "text/html") and not part.is_multipart()
    return is_body and part.get_content_disposition() != "attachment"


def _attachments(message: Message) -> list[Attachment]:
    attachments = []
    for part in message.walk():
        if part.is_multipart():
            continue
        content = part.get_payload(decode=True)
        if isinstance(content, bytes) and content:
            attachments.append(Attachment(part.get_filename() or "allegato", content))
    return attachments
