"""A mail as it is sent: plain text, the same as simple HTML, and the headers.

Headers are made by the standard library's policy, which refuses a line break in any of them; what
comes from people is cleaned before.
"""

from __future__ import annotations

import textwrap
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from html import escape

from arrocco.desk.mail import MailKind, words_of
from arrocco.store.sql.mails import Mail
from arrocco.words import Language, say

_WIDTH = 76


def message_of(
    mail: Mail, *, sender: str, site: str, office: str, token: str, at: datetime
) -> EmailMessage:
    """The message of a mail; `token` lets its reader refuse its kind, where that can be refused."""
    kind, language = MailKind(mail.kind), spoken(mail)
    words = words_of(kind, language, mail.params)
    message = EmailMessage(policy=SMTP)
    message["Subject"] = words.subject
    message["From"] = Address(one_line(office), addr_spec=sender)
    message["To"] = Address(addr_spec=mail.address)
    message["Date"] = format_datetime(at)
    message["Message-ID"] = f"<{mail.message_id}@{sender.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    stop = ""
    if token and kind.can_be_refused:
        stop = f"{site}/{language}/unsubscribe/{token}/{kind.value}"
        message["List-Unsubscribe"] = f"<{stop}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    link = f"{site}/{language}{words.path}" if words.path else ""
    message.set_content(plain_text(language, words.text, link, office, stop, site))
    message.add_alternative(_html(language, words.text, link, office, stop), subtype="html")
    message["Content-Language"] = language  # the content would take it away
    message.set_boundary(f"={mail.message_id}=")  # sent twice it is the same to the byte
    return message


def plain_text(language: Language, text: str, link: str, office: str, stop: str, site: str) -> str:
    """The words of a mail as everybody can read them."""
    wrapped = [textwrap.fill(line, _WIDTH) for line in text.splitlines()]
    parts = [say(language, "mail.greeting"), "\n".join(wrapped)]
    if link:
        parts.append(f"{say(language, 'mail.open')}\n{link}")
    why = "why_account" if stop else "why_address"
    foot = textwrap.fill(say(language, f"mail.{why}", office=office), _WIDTH)
    if stop:
        foot += f"\n{say(language, 'mail.unsubscribe')}\n{stop}"
        foot += f"\n{say(language, 'mail.choose')}\n{site}/{language}/account/mail"
    return "\n\n".join([*parts, f"-- \n{foot}"]) + "\n"


def _html(language: Language, text: str, link: str, office: str, stop: str) -> str:
    paragraphs = [say(language, "mail.greeting"), *text.splitlines()]
    body = "".join(f"<p>{escape(line)}</p>" for line in paragraphs)
    if link:
        shown = escape(link)
        body += f'<p>{escape(say(language, "mail.open"))} <a href="{shown}">{shown}</a></p>'
    why = "why_account" if stop else "why_address"
    body += f"<hr><p><small>{escape(say(language, f'mail.{why}', office=office))}"
    if stop:
        label = escape(say(language, "mail.unsubscribe"))
        body += f'<br>{label} <a href="{escape(stop)}">{escape(stop)}</a>'
    return f'<html lang="{language}"><body>{body}</small></p></body></html>\n'


def spoken(mail: Mail) -> Language:
    """The language of a mail."""
    return "it" if mail.language == "it" else "en"


def one_line(text: str) -> str:
    """A name as a header may have it."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:100]
