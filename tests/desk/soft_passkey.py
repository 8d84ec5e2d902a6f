"""A passkey without a browser: answers what a site asks, as an authenticator would."""

from __future__ import annotations

import hashlib
import json
import secrets
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import bytes_to_base64url, encode_cbor

SITE = "https://office.example"
_PRESENT, _HAS_KEY = 0x01, 0x40


class SoftPasskey:
    """A key on the curve P-256 with a counter; `counts` is false for those that keep none."""

    def __init__(self, site: str = SITE, *, counts: bool = True) -> None:
        self._site, self._counts = site, counts
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._id = secrets.token_bytes(16)
        self.counter = 0

    def register(self, options: str) -> str:
        """The answer to a site that wants a new key."""
        asked = json.loads(options)
        data = self._told(asked["challenge"], "webauthn.create")
        point = self._key.public_key().public_numbers()
        public = encode_cbor(
            {
                1: 2,
                3: -7,
                -1: 1,
                -2: point.x.to_bytes(32, "big"),
                -3: point.y.to_bytes(32, "big"),
            }
        )
        held = bytes(16) + len(self._id).to_bytes(2, "big") + self._id + public
        seen = self._seen(asked["rp"]["id"], _PRESENT | _HAS_KEY) + held
        attested = encode_cbor({"fmt": "none", "attStmt": {}, "authData": seen})
        return self._answer(clientDataJSON=data, attestationObject=attested)

    def answer(self, options: str) -> str:
        """The answer to a site that wants to see the key."""
        asked = json.loads(options)
        data = self._told(asked["challenge"], "webauthn.get")
        seen = self._seen(asked["rpId"], _PRESENT)
        signed = self._key.sign(seen + hashlib.sha256(data).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer(clientDataJSON=data, authenticatorData=seen, signature=signed)

    def _told(self, challenge: str, kind: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self._site}).encode()

    def _seen(self, host: str, flags: int) -> bytes:
        self.counter += self._counts
        name = hashlib.sha256(host.encode()).digest()
        return name + bytes([flags]) + self.counter.to_bytes(4, "big")

    def _answer(self, **parts: bytes) -> str:
        mine = bytes_to_base64url(self._id)
        response: dict[str, Any] = {name: bytes_to_base64url(part) for name, part in parts.items()}
        return json.dumps(
            {
                "id": mine,
                "rawId": mine,
                "type": "public-key",
                "response": response,
            }
        )
