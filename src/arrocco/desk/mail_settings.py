"""What an operator sets about mail, in the environment of the server or with `arrocco serve`."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from arrocco.desk.mail import is_address
from arrocco.errors import Malformed

SMTP, PASSWORD, FROM, CA = (
    f"ARROCCO_{name}" for name in ("SMTP", "SMTP_PASSWORD", "MAIL_FROM", "SMTP_CA")
)
SITE = "ARROCCO_SITE"
_PORTS = {"smtps": 465, "smtp": 587, "smtp+insecure": 25}
"""By how it is protected: from the first byte, by STARTTLS or not at all, or not."""
_HOST = re.compile(r"[A-Za-z0-9.:-]{1,253}")


class MailSettings(NamedTuple):
    """Where mail is handed over, and as whom."""

    scheme: str
    host: str
    port: int
    user: str
    password: str
    sender: str
    site: str
    """The address of the site as the public has it, without a slash at its end."""
    authorities: str = ""
    """A file of authorities that are believed besides those of the system."""

    @property
    def name(self) -> str:
        """What is shown of it: no password."""
        return f"{self.scheme}://{self.host}:{self.port}"


def mail_settings_from(environment: Mapping[str, str] = os.environ) -> MailSettings | None:
    """The settings; `None` where no mail is sent. Raises `Malformed` for nonsense."""
    given = environment.get(SMTP, "").strip()
    if not given:
        site_from(environment)
        return None
    try:
        url = urlsplit(given)
        port = url.port or _PORTS[url.scheme]
    except (ValueError, KeyError):
        raise _unreadable(SMTP, given) from None
    host = url.hostname or ""
    if not _HOST.fullmatch(host) or url.path.strip("/") or url.query or url.password:
        raise _unreadable(SMTP, given)  # a password in it would be seen where it is shown
    sender = environment.get(FROM, "").strip()
    if not is_address(sender):
        raise _unreadable(FROM, sender)
    site = site_from(environment)
    if not site:
        raise _unreadable(SITE, "")
    authorities = environment.get(CA, "").strip()
    if authorities and not Path(authorities).is_file():
        raise _unreadable(CA, authorities)
    return MailSettings(
        url.scheme,
        host,
        port,
        unquote(url.username or ""),
        environment.get(PASSWORD, ""),
        sender,
        site,
        authorities,
    )


def site_from(environment: Mapping[str, str] = os.environ) -> str:
    """The address of the site as the public has it; empty where it is not set."""
    given = environment.get(SITE, "").strip().rstrip("/")
    if not given:
        return ""
    try:
        url = urlsplit(given)
        is_site = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        is_site = False
    if not is_site or not given.isprintable() or " " in given or url.query or url.fragment:
        raise _unreadable(SITE, given)
    return given


def _unreadable(name: str, value: str) -> Malformed:
    return Malformed.of("mail.refused.setting", name=name, value=value[:200])
