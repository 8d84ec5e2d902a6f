"""Signatures of the office: what is signed, as text that other programs can write too (Ed25519)."""

from __future__ import annotations

import hashlib
import re
from datetime import date

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

_KEY = re.compile(r"[0-9a-f]{64}", re.ASCII)
_SIGNATURE = re.compile(r"[0-9a-f]{128}", re.ASCII)


def head_text(office: str, system: str, list_date: date, seq: int, head: str) -> bytes:
    """What is signed when a list comes out: which list of whom, and the ledger's head with it."""
    return (
        f"arrocco ledger head\noffice {office}\nlist {system} {list_date.isoformat()}\n"
        f"seq {seq}\nhead {head}\n"
    ).encode()


def key_text(office: str, public: str) -> bytes:
    """What the key before signs when another takes its place."""
    return f"arrocco office key\noffice {office}\nkey {public}\n".encode()


def fingerprint(public: str) -> str:
    """A key as people compare it: groups of four digits of its SHA-256."""
    digest = hashlib.sha256(bytes.fromhex(public)).hexdigest()[:32]
    return " ".join(digest[at : at + 4] for at in range(0, 32, 4))


def new_secret() -> str:
    """A private key that nobody else has."""
    return Ed25519PrivateKey.generate().private_bytes_raw().hex()


def public_of(secret: str) -> str:
    """The public key of a private one."""
    return _private(secret).public_key().public_bytes_raw().hex()


def signed(secret: str, text: bytes) -> str:
    """The signature of a text; the same for the same text and key, always."""
    return _private(secret).sign(text).hex()


def is_signed(public: str, signature: str, text: bytes) -> bool:
    """Whether a signature is that of a key under a text; what is no key has signed nothing."""
    if not (_KEY.fullmatch(public) and _SIGNATURE.fullmatch(signature)):
        return False
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), text)
    except (InvalidSignature, ValueError):
        return False
    return True


def is_key(text: str) -> bool:
    """Whether a text has the form of a key."""
    return _KEY.fullmatch(text) is not None


def _private(secret: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret))
