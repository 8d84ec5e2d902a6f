"""What the video of a server may take, and which engine carries it; stated by the environment."""

from __future__ import annotations

import os
import re
from enum import StrEnum

from msgspec import Struct

from arrocco.errors import Malformed
from arrocco.video.webrtc import IceSettings

QUOTA = "ARROCCO_VIDEO_QUOTA"
PLAYER_QUOTA = "ARROCCO_VIDEO_PLAYER_QUOTA"
KEEP_FREE = "ARROCCO_VIDEO_KEEP_FREE"
ENGINE = "ARROCCO_VIDEO_ENGINE"
RTP_PORTS = "ARROCCO_VIDEO_RTP_PORTS"
LISTEN_AT = "ARROCCO_VIDEO_LISTEN_AT"
PUBLIC_ADDRESS = "ARROCCO_VIDEO_PUBLIC_ADDRESS"
ICE_SERVERS = "ARROCCO_VIDEO_ICE_SERVERS"
TURN_SECRET = "ARROCCO_VIDEO_TURN_SECRET"
MEGABYTE = 1 << 20
MAX_SLICE = 512 * 1024
"""Bytes of one second of one stream: ten times what a page of ours sends."""
MAX_STILL = 16 * 1024
BYTES_PER_SECOND, BURST = 384 * 1024, 4 * MEGABYTE
"""What one player may send; what is more is refused, and said to be."""


class VideoSettings(Struct, frozen=True, kw_only=True):
    """The quotas, in bytes."""

    quota: int = 20 * 1024 * MEGABYTE
    """All recordings together: 60 players for nearly four hours."""
    player_quota: int = 2 * 1024 * MEGABYTE
    """The recordings of one player in one event."""
    keep_free: int = 1024 * MEGABYTE
    """What recordings leave free on their disk, whatever the quota: the logs may be there too."""


class EngineName(StrEnum):
    """The engines that can carry pictures and sound."""

    SEGMENTS = "segments"
    JANUS = "janus"


class JanusSettings(Struct, frozen=True, kw_only=True):
    """How Janus is reached: over UDP, at these ports and addresses."""

    ports: tuple[int, int] = (20_000, 20_999)
    """The first and the last; a stream takes one, and so does each who watches it."""
    listen_at: str = ""
    """Addresses of this machine, with commas; empty for all but its own loopback."""
    public_address: str = ""
    """What the world calls this machine, where it stands behind a router that maps it."""
    ice: IceSettings = IceSettings()


_PORTS = re.compile(r"(\d{4,5})-(\d{4,5})")
_ADDRESSES = re.compile(r"[0-9A-Fa-f.:,]*")
_ICE_SERVER = re.compile(r"(?:stun|turn|turns):[A-Za-z0-9.:\[\]_-]+(?:\?transport=(?:udp|tcp))?")


def engine_from_environment() -> EngineName:
    """The engine that the environment states. Raises `Malformed` for one that is none."""
    text = _text(ENGINE) or EngineName.SEGMENTS
    try:
        return EngineName(text)
    except ValueError:
        raise Malformed.of("video.unknown_engine", name=ENGINE, given=text) from None


def video_from_environment() -> EngineName:
    """The engine, once all that the environment states was looked at. Raises `Malformed`."""
    settings_from_environment()
    janus_from_environment()
    return engine_from_environment()


def janus_from_environment() -> JanusSettings:
    """How the environment wants Janus to be reached. Raises `Malformed` for what makes no sense."""
    default = JanusSettings()
    ports, match = default.ports, _PORTS.fullmatch(_text(RTP_PORTS) or "20000-20999")
    if match is not None:
        ports = int(match[1]), int(match[2])
    if match is None or not 1024 <= ports[0] < ports[1] < 1 << 16:
        raise _misstated(RTP_PORTS)
    for name in (LISTEN_AT, PUBLIC_ADDRESS):
        if not _ADDRESSES.fullmatch(_text(name)):
            raise _misstated(name)
    return JanusSettings(
        ports=ports,
        listen_at=_text(LISTEN_AT),
        public_address=_text(PUBLIC_ADDRESS),
        ice=ice_from_environment(),
    )


def ice_from_environment() -> IceSettings:
    """What browsers are told, for Janus and to talk without it. Raises `Malformed`."""
    servers = tuple(_text(ICE_SERVERS).split())
    if not all(map(_ICE_SERVER.fullmatch, servers)):
        raise _misstated(ICE_SERVERS)
    return IceSettings(servers=servers, turn_secret=_text(TURN_SECRET))


def _text(name: str) -> str:
    return os.environ.get(name, "").strip()


def _misstated(name: str) -> Malformed:
    return Malformed.of("video.misstated", name=name, given=_text(name))


def settings_from_environment() -> VideoSettings:
    """The quotas that the environment states, in megabytes. Raises `Malformed` for what is none."""
    default = VideoSettings()
    return VideoSettings(
        quota=_megabytes(QUOTA, default.quota),
        player_quota=_megabytes(PLAYER_QUOTA, default.player_quota),
        keep_free=_megabytes(KEEP_FREE, default.keep_free),
    )


def _megabytes(name: str, default: int) -> int:
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Malformed.of("video.setting", name=name, given=text)
    return int(text) * MEGABYTE
