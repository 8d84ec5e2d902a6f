"""12.9 — e-mails that are handed in: what is read of them, and that hostile ones cost little."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP

import pytest

from arrocco.desk.filing_message import read_message
from arrocco.errors import Malformed

SECONDS = 1.0
"""Of the processor; each of these took from many seconds to hours, or ended in a traceback."""
SIZE = 3 << 20
HEAD = b"From: a@example.org\r\nTo: b@example.org\r\n"
END = b"\r\n\r\nI complain.\r\n"


def mail(text: str = "I complain.", subtype: str = "plain") -> EmailMessage:
    made = EmailMessage(policy=SMTP)
    made["Received"] = "from there by here; Sun, 15 Nov 2026 18:00:00 +0100"
    made["From"] = "Ada Rossi <Ada@example.org>"
    made["To"] = '"Bianchi, Bo" <bo@example.org>, cc@example.org'
    made.set_content(text, subtype=subtype)
    return made


def test_what_a_mail_program_saves_is_read() -> None:
    written = mail("Perché no?\nCosì è.")
    written.add_attachment(b"notes", maintype="text", subtype="plain", filename="notes.txt")
    written.add_attachment(b"%PDF-1.7", maintype="application", subtype="pdf", filename="b.pdf")
    message = read_message(bytes(written))
    assert message.sender == "ada@example.org"
    assert message.recipients == {"bo@example.org", "cc@example.org"}
    assert message.text == "Perché no?\nCosì è."
    assert message.arrived == datetime(2026, 11, 15, 17, tzinfo=UTC)
    assert message.receipt is not None
    assert message.receipt.name == "b.pdf"


def test_plain_words_go_before_a_page_and_a_page_loses_its_marks() -> None:
    both = mail("plain words")
    both.add_alternative("<p>a <b>page</b> &amp; more</p>", subtype="html")
    assert read_message(bytes(both)).text == "plain words"
    page = read_message(bytes(mail("<p>a <b>page</b> &amp; more</p>", "html"))).text
    assert page.split() == ["a", "page", "&", "more"]


@pytest.mark.parametrize("charset", ["iso-8859-15", "windows-1252", "utf-8"])
def test_words_are_read_in_their_own_letters(charset: str) -> None:
    written = HEAD + f"Content-Type: text/plain; charset={charset}\r\n\r\n".encode()
    assert read_message(written + "perché".encode(charset)).text == "perché"


def test_a_header_that_nobody_looks_at_may_be_long() -> None:
    long = b"X-Spam-Report: " + b"x" * 60_000
    assert read_message(HEAD + long + END).sender == "a@example.org"


def nested(levels: int) -> bytes:
    kinds = [
        b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (n, n)
        for n in range(levels)
    ]
    return b"From: a@example.org\r\n" + b"".join(kinds) + b"\n" * 1_000_000


HOSTILE = {
    "quotes": HEAD + b"Cc: " + b'"' * SIZE + END,
    "comments": HEAD + b"Cc: " + b"(" * SIZE + END,
    "encoded words": HEAD + b"Cc: " + b"=?utf-8?q?a?= " * (SIZE // 14) + END,
    "recipients": HEAD + b"Cc: a@example.org,\r\n" * (SIZE // 20) + END,
    "parameters": HEAD + b"Content-Type: text/plain; " + b"a=b;" * (SIZE // 4) + END,
    "letters": HEAD + b"Content-Type: text/plain; charset=punycode\r\n\r\n" + b"a" * SIZE,
    "parts": HEAD + b"Content-Type: multipart/digest; boundary=b\r\n\r\n" + b"--b\n\n" * 200_000,
    "levels": nested(900),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_message_costs_little_and_ends_in_words(kind: str) -> None:
    began = time.thread_time()
    with suppress(Malformed):
        assert read_message(HOSTILE[kind]).text
    assert time.thread_time() - began < SECONDS
