"""What both engines know of WebRTC: how browsers find each other, and what an offer has."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import time

from msgspec import Struct

from arrocco.video.messages import IceServer

VALID = 12 * 3600
"""Seconds for which a name and password of the relay are good: longer than any round."""
_MEDIUM = re.compile(r"^m=(\w+)", re.MULTILINE)
_SOUND = re.compile(r"^(m=audio .*?)(?=^m=|\Z)", re.MULTILINE | re.DOTALL)
_LENGTH = re.compile(r"^a=(?:max)?ptime:.*\r?\n", re.MULTILINE)
SOUND_EVERY = 60
"""Milliseconds of sound in a packet: what a server does, it does for each packet. Browsers send
one every 20, which is most of all that comes from a player; nobody minds hearing 40 ms later."""


class IceSettings(Struct, frozen=True, kw_only=True):
    """Where browsers find their own address, or a relay."""

    servers: tuple[str, ...] = ()
    turn_secret: str = ""
    """What coturn was told as `static-auth-secret`."""

    def for_account(self, account: str) -> tuple[IceServer, ...]:
        """What was set, with a name and a password of the relay that expire (as coturn has it)."""
        name = f"{int(time.time()) + VALID}:{account}"
        digest = hmac.digest(self.turn_secret.encode(), name.encode(), hashlib.sha1)
        password = base64.b64encode(digest).decode()
        return tuple(
            IceServer(urls=url, username=name, credential=password)
            if url.startswith("turn") and self.turn_secret
            else IceServer(urls=url)
            for url in self.servers
        )


def media_of(description: str) -> list[str]:
    """The media that an offer or an answer has: `audio`, `video`, or something else."""
    return _MEDIUM.findall(description)


def with_long_sound(answer: str) -> str:
    """The same answer, which asks for longer packets of sound (RFC 8866, 6.4; RFC 7587, 7)."""

    def asks(section: re.Match[str]) -> str:
        text = _LENGTH.sub("", section[1])
        end = "\r\n" if "\r\n" in text else "\n"
        return f"{text}a=ptime:{SOUND_EVERY}{end}a=maxptime:{SOUND_EVERY}{end}"

    return _SOUND.sub(asks, answer)
