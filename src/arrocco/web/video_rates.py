"""How often somebody may begin something in the video conference: each costs all others a moment.

A stream that begins makes two files and is told to all who follow the event; a code for a phone
takes a thirtieth of a second to draw. The budget is the account's: another socket brings no other.
"""

from __future__ import annotations

from collections import OrderedDict

from arrocco.live.limits import Bucket
from arrocco.video import messages as m
from arrocco.video.stream import SliceRefused

BURST, PER_SECOND = 40, 1
"""A page that is loaded again joins and begins two streams."""
INVITES, INVITE_SECONDS = 10, 10
MAX_ACCOUNTS = 10_000
"""Whose budgets are remembered; whoever began nothing for longest is forgotten first."""
BEGINNINGS = (m.Join, m.Begin, m.Rest, m.Reach, m.Invite, m.Follow, m.Converse, m.Talk)


class BeginningRates:
    """Two buckets for each account: of all that begins something, and of codes for phones."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[str, tuple[Bucket, Bucket]] = OrderedDict()

    def take(self, account: str, asked: m.AnyAsked, now: int) -> None:
        """Pays for a message of an account. Raises `SliceRefused`."""
        if not isinstance(asked, BEGINNINGS):
            return
        known = self._buckets.pop(account, None)
        if known is None:
            known = Bucket(BURST, PER_SECOND, now), Bucket(INVITES, 1, now, INVITE_SECONDS)
        every, invites = self._buckets[account] = known
        if len(self._buckets) > MAX_ACCOUNTS:
            self._buckets.popitem(last=False)
        is_enough = every.take(now) and (not isinstance(asked, m.Invite) or invites.take(now))
        if not is_enough:
            raise SliceRefused.of("hall_live.too_many_messages")
