"""Addresses of the Internet as limits count them."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

IPV6_PREFIX = 64
"""What one household or one server gets: whoever has one address of it has all."""


def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """An address; `None` for what is none. One of version 4 written as version 6 is version 4."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        return address.ipv4_mapped or IPv6Address(int(address))  # without a scope
    return address


def network_of(text: str) -> str:
    """What is counted as one sender: an address of version 4, the /64 of one of version 6."""
    address = parse_address(text)
    if isinstance(address, IPv6Address):
        return str(IPv6Network((int(address), IPV6_PREFIX), strict=False))
    return text if address is None else str(address)
