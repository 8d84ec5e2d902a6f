"""Backups encrypted to a key, in the format of age: who has only the office cannot open them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arrocco.errors import Inconsistent, Malformed
from arrocco.words import system

_HEADER = b"age-encryption.org/v1"
_SECRET = "AGE-SECRET-KEY-"


def is_encrypted(file: Path) -> bool:
    """Whether a file is encrypted in the format of age."""
    with file.open("rb") as opened:
        return opened.read(len(_HEADER)) == _HEADER


def require_recipients(recipients: Sequence[str]) -> None:
    """Raises `Inconsistent` for what nothing can be encrypted to."""
    _recipients(recipients)


def encrypt(source: Path, target: Path, recipients: Sequence[str]) -> None:
    """Encrypts a file so that each of the recipients can open it: ``age1…`` or a public SSH key."""
    import pyrage

    pyrage.encrypt_file(str(source), str(target), _recipients(recipients))
    target.chmod(0o600)


def decrypt(source: Path, target: Path, identity: Path | None) -> None:
    """Opens a file with the keys of an identity file: lines of age, or a private SSH key."""
    import pyrage

    if identity is None:
        raise Inconsistent.of("store.backup.needs_identity", archive=source)
    try:
        pyrage.decrypt_file(str(source), str(target), _identities(identity))
    except pyrage.DecryptError as error:
        target.unlink(missing_ok=True)
        raise Malformed.of(
            "store.backup.not_decrypted", archive=source, identity=identity, reason=str(error)
        ) from None
    target.chmod(0o600)


def _recipients(texts: Sequence[str]) -> list[Any]:
    import pyrage

    recipients = []
    for text in texts:
        kind = pyrage.ssh if text.startswith("ssh-") else pyrage.x25519
        try:
            recipients.append(kind.Recipient.from_str(text.strip()))
        except (pyrage.RecipientError, ValueError):
            # A private key by mistake is not repeated in what is printed and logged.
            shown = _SECRET + "…" if text.upper().startswith(_SECRET) else text[:80]
            raise Inconsistent.of("store.backup.no_recipient", recipient=shown) from None
    return recipients


def _identities(file: Path) -> list[Any]:
    import pyrage

    try:
        data = file.read_bytes()
    except OSError as error:
        raise Inconsistent.of("store.backup.unreadable", file=file, reason=system(error)) from None
    try:
        if b"PRIVATE KEY-----" in data:
            return [pyrage.ssh.Identity.from_buffer(data)]
        lines = [line.strip() for line in data.decode().splitlines()]
        keys = [line for line in lines if line and not line.startswith("#")]
        if not keys:
            raise ValueError("no key")
        return [pyrage.x25519.Identity.from_str(key) for key in keys]
    except (pyrage.IdentityError, ValueError):
        raise Malformed.of("store.backup.no_identity", file=file) from None
