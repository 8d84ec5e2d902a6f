"""The configuration of Janus: written anew at each start, with secrets of that start."""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path
from typing import NamedTuple

from arrocco.errors import Unavailable
from arrocco.video.settings import JanusSettings

PROGRAM = "janus"
_LIBRARIES = ("usr/lib/*/janus", "usr/lib/janus", "usr/local/lib/janus", "opt/janus/lib/janus")
_LOADED = {
    "plugins": "libjanus_videoroom.so",
    "transports": "libjanus_websockets.so",
    "events": "libjanus_wsevh.so",
}
"""All that is loaded: nothing else of Janus can be reached."""
STATISTICS = 1
"""Seconds between two events with the packets of a track."""
NO_MEDIA = 2
"""Seconds without a packet after which Janus says that a track has stopped."""


class JanusPlaces(NamedTuple):
    """Where Janus is configured, and where it takes requests."""

    folder: Path
    socket: Path


class Secrets(NamedTuple):
    """What only this program and its Janus know."""

    api: str
    admin: str
    feed: str

    @classmethod
    def new(cls) -> Secrets:
        return cls(*(secrets.token_urlsafe(24) for _ in cls._fields))


def program() -> str:
    """Where Janus is. Raises `Unavailable` where it is not installed."""
    path = shutil.which(PROGRAM)
    if path is None or library() is None:
        raise Unavailable.of("video.no_janus")
    return path


def is_installed() -> bool:
    return shutil.which(PROGRAM) is not None and library() is not None


def library() -> Path | None:
    """The folder of Janus' plugins; `None` where there is none."""
    paths = (path for pattern in _LIBRARIES for path in sorted(Path("/").glob(pattern)))
    return next((path for path in paths if (path / "plugins").is_dir()), None)


def write(places: JanusPlaces, settings: JanusSettings, own: Secrets, feed_port: int) -> Path:
    """Writes all files that Janus reads; the first of them is returned."""
    folder, installed = places.folder, library()
    if installed is None:
        raise Unavailable.of("video.no_janus")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    (folder / "loggers").mkdir()
    for kind, name in _LOADED.items():
        (folder / kind).mkdir()
        (folder / kind / name).symlink_to(installed / kind / name)
    first, last = settings.ports
    # Janus answers and never asks: it sends nothing to an address that a page made up.
    reached: dict[str, object] = {"ice_lite": True}
    if settings.listen_at:
        reached["ice_enforce_list"] = settings.listen_at
    if settings.public_address:
        reached["nat_1_1_mapping"] = settings.public_address
    _put(
        folder,
        "janus.jcfg",
        {
            "general": {
                "configs_folder": str(folder),
                "plugins_folder": str(folder / "plugins"),
                "transports_folder": str(folder / "transports"),
                "events_folder": str(folder / "events"),
                "loggers_folder": str(folder / "loggers"),
                "server_name": "arrocco",
                "debug_level": 2,
                "debug_timestamps": False,
                "debug_colors": False,
                "api_secret": own.api,
                "admin_secret": own.admin,
                "hide_dependencies": True,
                "session_timeout": 60,
            },
            "media": {"rtp_port_range": f"{first}-{last}", "no_media_timer": NO_MEDIA},
            "nat": reached,
            "events": {"broadcast": True, "stats_period": STATISTICS},
        },
    )
    _put(
        folder,
        "janus.transport.websockets.jcfg",
        {
            "general": {"json": "compact", "ws": True, "ws_unix": str(places.socket), "wss": False},
            "admin": {"admin_ws": False, "admin_wss": False},
        },
    )
    _put(folder, "janus.plugin.videoroom.jcfg", {"general": {"string_ids": True}})
    _put(
        folder,
        "janus.eventhandler.wsevh.jcfg",
        {
            "general": {
                "enabled": True,
                "events": "media",
                "grouping": True,
                "json": "compact",
                "backend": f"ws://127.0.0.1:{feed_port}/{own.feed}",
            },
        },
    )
    return folder / "janus.jcfg"


def _put(folder: Path, name: str, groups: dict[str, dict[str, object]]) -> None:
    lines = []
    for group, values in groups.items():
        lines.append(f"{group}: {{")
        lines += [f"\t{key} = {_written(value)}" for key, value in values.items()]
        lines.append("}")
    descriptor = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
