"""How many commands an account may give the hall over HTTP: as many as over a socket."""

from __future__ import annotations

import time
from collections import OrderedDict

from litestar.datastructures import State

from arrocco.errors import Refusal
from arrocco.live.connection import BURST, PER_SECOND
from arrocco.live.limits import MS, Bucket

MAX_ACCOUNTS = 10_000
"""Whose commands are remembered; whoever gave none for longest is forgotten first."""


class TooManyCommands(Refusal):
    """Commands come faster than any person gives them."""

    http_status = 429


class CommandRates:
    """A bucket for each account."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[int, Bucket] = OrderedDict()

    def take(self, account: int) -> None:
        """Pays for a command. Raises `TooManyCommands`."""
        now = int(time.monotonic() * MS)
        bucket = self._buckets.pop(account, None) or Bucket(BURST, PER_SECOND, now)
        self._buckets[account] = bucket
        if len(self._buckets) > MAX_ACCOUNTS:
            self._buckets.popitem(last=False)
        if not bucket.take(now):
            raise TooManyCommands.of("hall_live.too_many_messages")


def rates_of(state: State) -> CommandRates:
    """The buckets of an application."""
    if "command_rates" not in state:
        state.command_rates = CommandRates()
    rates: CommandRates = state.command_rates
    return rates
