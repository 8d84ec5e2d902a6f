"""A real mail server in the process of a test: it keeps what it takes, and refuses as told."""

from __future__ import annotations

import ssl
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from arrocco.desk.mail_settings import MailSettings

USER, PASSWORD = "post", "briefkasten"


class Mailbox:
    """What the server was given; `answers` are what it says next instead of taking a mail."""

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []
        self.recipients: list[list[str]] = []
        self.answers: deque[str] = deque()
        self.refuses: dict[str, str] = {}

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        if address in self.refuses:
            return self.refuses[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.answers:
            return self.answers.popleft()
        read = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(read, EmailMessage)
        self.messages.append(read)
        self.recipients.append(envelope.rcpt_tos)
        return "250 taken"


class _Controller(Controller):
    """A server at a port that the system chooses, which it is told of once it listens."""

    def _trigger_server(self) -> None:
        server: Any = self.server
        self.port = server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]


def certificate(folder: Path) -> Path:
    """A certificate of this machine with its key, in one file, which is its own authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "mail.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM) + private)
    return path


def _authenticated(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> Any:
    right = LoginPassword(USER.encode(), PASSWORD.encode())
    return AuthResult(success=data == right, handled=False)


@contextmanager
def mail_server(
    tls: Path | None = None, *, starttls: bool = True
) -> Iterator[tuple[Mailbox, MailSettings]]:
    """A server at a port of its own, and the settings that lead to it."""
    box = Mailbox()
    options: dict[str, Any] = {}
    context = None
    if tls is not None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(tls)
        options = {"authenticator": _authenticated}
        if starttls:
            options |= {"tls_context": context, "require_starttls": True, "auth_required": True}
        else:
            options |= {"auth_require_tls": False}
    direct = context if tls is not None and not starttls else None
    controller = _Controller(box, hostname="127.0.0.1", port=0, ssl_context=direct, **options)
    controller.start()
    try:
        scheme = "smtp+insecure" if tls is None else "smtp" if starttls else "smtps"
        user, password = ("", "") if tls is None else (USER, PASSWORD)
        yield (
            box,
            MailSettings(
                scheme,
                "127.0.0.1",
                controller.port,
                user,
                password,
                "office@chess.example",
                "https://chess.example",
                "" if tls is None else str(tls),
            ),
        )
    finally:
        controller.stop()
