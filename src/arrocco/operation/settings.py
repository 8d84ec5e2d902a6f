"""What an operator can set about watching: limits of alarms, who may read the numbers."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import NamedTuple

from arrocco.errors import Malformed

_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?|(\d+(?:\.\d+)?)\s*%", re.IGNORECASE)

Network = IPv4Network | IPv6Network
LOOPBACK: tuple[Network, ...] = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


class Limit(NamedTuple):
    """So many bytes, or such a part of the disk."""

    bytes: int = 0
    share: float = 0.0

    def of(self, total: int) -> int:
        """In bytes, for a disk of that size."""
        return self.bytes or int(self.share * total)


class OperationSettings(NamedTuple):
    """The settings, with what holds where nothing is set."""

    metrics_token: str = ""
    """Who shows it may read the numbers, from anywhere; without one, nobody by a token."""
    metrics_from: tuple[Network, ...] = LOOPBACK
    """Who may read the numbers without a token."""
    disk_free: Limit = Limit(share=0.05)
    backup_hours: float = 26.0
    loop_seconds: float = 0.5
    alarm_command: str = ""

    def allows(self, address: str) -> bool:
        """Whether an address may read the numbers without a token."""
        try:
            parsed = ip_address(address)
        except ValueError:
            return False
        mapped = getattr(parsed, "ipv4_mapped", None)
        return any((mapped or parsed) in network for network in self.metrics_from)


def settings_from(environment: Mapping[str, str] = os.environ) -> OperationSettings:
    """The settings of the environment. Raises `Malformed` for one that cannot be read."""
    given = {name: environment.get(f"ARROCCO_{name}", "").strip() for name in _READ}
    values = {
        field: read(name, given[name]) for name, (field, read) in _READ.items() if given[name]
    }
    return OperationSettings(**values)  # type: ignore[arg-type]


def _text(name: str, value: str) -> object:
    return value


def _limit(name: str, value: str) -> object:
    match = _SIZE.fullmatch(value)
    if match is None:
        raise _unreadable(name, value)
    if match[3]:
        return Limit(share=min(float(match[3]), 100.0) / 100)
    return Limit(bytes=int(float(match[1]) * _UNITS[match[2].upper()]))


def _number(name: str, value: str) -> object:
    try:
        number = float(value)
    except ValueError:
        raise _unreadable(name, value) from None
    if not 0 < number < 1e6:
        raise _unreadable(name, value)
    return number


def _networks(name: str, value: str) -> object:
    try:
        return tuple(ip_network(part.strip(), strict=False) for part in value.split(",") if part)
    except ValueError:
        raise _unreadable(name, value) from None


def _unreadable(name: str, value: str) -> Malformed:
    return Malformed.of("operation.refused.setting", name=f"ARROCCO_{name}", value=value)


_READ = {
    "METRICS_TOKEN": ("metrics_token", _text),
    "METRICS_FROM": ("metrics_from", _networks),
    "ALARM_DISK_FREE": ("disk_free", _limit),
    "ALARM_BACKUP_HOURS": ("backup_hours", _number),
    "ALARM_LOOP_SECONDS": ("loop_seconds", _number),
    "ALARM_COMMAND": ("alarm_command", _text),
}
