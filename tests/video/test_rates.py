"""Nobody begins streams or asks for codes as fast as they like: all others would wait."""

from __future__ import annotations

import pytest

from arrocco.video import messages as m
from arrocco.video.stream import SliceRefused
from arrocco.video.watching import Reading
from arrocco.web.video_rates import BURST, INVITE_SECONDS, INVITES, BeginningRates


def refused(rates: BeginningRates, account: str, asked: m.AnyAsked, now: int) -> bool:
    try:
        rates.take(account, asked, now)
    except SliceRefused:
        return True
    return False


@pytest.mark.parametrize("asked", [m.Join(event="cup"), m.Begin(kind="camera"), m.Rest()])
def test_an_account_begins_so_much_at_once_and_then_one_a_second(asked: m.AnyAsked) -> None:
    rates = BeginningRates()
    assert not any(refused(rates, "1", asked, 0) for _ in range(BURST))
    assert refused(rates, "1", asked, 999)
    assert not refused(rates, "2", asked, 999), "each has their own"
    assert not refused(rates, "1", asked, 1000)
    assert refused(rates, "1", asked, 1000)


def test_codes_for_phones_are_fewer() -> None:
    rates = BeginningRates()
    assert not any(refused(rates, "1", m.Invite(), 0) for _ in range(INVITES))
    assert refused(rates, "1", m.Invite(), 0)
    assert not refused(rates, "1", m.Begin(kind="screen"), 0), "streams go on"
    assert not refused(rates, "1", m.Invite(), INVITE_SECONDS * 1000)


def test_what_is_measured_and_watched_costs_nothing_here() -> None:
    rates = BeginningRates()
    for asked in (m.Read(reading=Reading()), m.Watch(event="cup", entry=1, kind="camera")):
        assert not any(refused(rates, "1", asked, 0) for _ in range(3 * BURST))
