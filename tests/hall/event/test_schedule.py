"""The schedule of an event: stated starts, places, the waiting list, links, announcements."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from arrocco.hall.event.acts.announcements import Announce
from arrocco.hall.event.acts.entries import Enter, EnterMany, WithdrawEntry
from arrocco.hall.event.acts.entry_links import MakeEntryLink, WithdrawEntryLink, digest_of
from arrocco.hall.event.acts.pairing import PairRound, WithdrawPairing
from arrocco.hall.event.acts.schedule import HoldStart, ReleaseStart, SetSchedule
from arrocco.hall.event.acts.waiting import LeaveWaitingList
from arrocco.hall.event.schedule import Schedule
from arrocco.hall.event.starts import REST, next_start
from tests.hall.event.desk import CHIEF, DRAW, ORGANISER, START, Desk, person

HOUR = timedelta(hours=1)


def scheduled(desk: Desk, **given: Any) -> Desk:
    desk.granted(SetSchedule(by=ORGANISER, schedule=Schedule(**given)))
    return desk


def refused(desk: Desk, **given: Any) -> str:
    return desk.refusal(SetSchedule(by=ORGANISER, schedule=Schedule(**given)))[0]


def people(desk: Desk) -> list[str]:
    return [entry.person.account for entry in desk.state.entries]


def waiting(desk: Desk) -> list[str]:
    return [one.person.account for one in desk.state.waiting]


def test_starts_lie_ahead_in_order_and_in_the_days_of_the_event() -> None:
    desk = Desk(4)
    assert refused(desk, starts=(START - HOUR,)) == "start_in_the_past"
    assert refused(desk, starts=(START + HOUR, START + HOUR)) == "starts_not_in_order"
    assert refused(desk, starts=(START + timedelta(days=9),)) == "start_on_another_day"
    late = {"starts": (START + HOUR,), "entries_until": START + 2 * HOUR}
    assert refused(desk, **late) == "entries_after_start"
    assert refused(desk, least_rating=2000, most_rating=1900) == "rating_limits"
    assert refused(desk, description="x" * 2001) == "text_too_long"
    scheduled(desk, starts=(START + HOUR, None, START + 2 * HOUR))
    assert desk.refolded() == desk.state


def test_a_round_that_is_paired_starts_as_the_schedule_says() -> None:
    desk = scheduled(Desk(4), starts=(START + HOUR,)).pair()
    assert desk.state.rounds[0].starts == START + HOUR
    assert refused(desk, starts=(START + 2 * HOUR,)) == "start_is_published"


def test_the_next_round_rests_after_the_last_result_of_the_one_before() -> None:
    desk = scheduled(Desk(4), starts=(None, START + HOUR)).pair().open()
    start = next_start(desk.state)
    assert start is not None
    assert start.waits
    desk.later(minutes=70).take(1, DRAW).take(2, DRAW)
    start = next_start(desk.state)
    assert start is not None
    assert (start.round, start.moment, start.waits) == (2, desk.now + REST, False)


def test_the_arbiter_holds_a_start_and_lets_it_start_again() -> None:
    desk = scheduled(Desk(4), starts=(START + HOUR,))
    assert desk.refusal(ReleaseStart(by=CHIEF))[0] == "start_not_held"
    desk.granted(HoldStart(by=CHIEF, reason="the video conference is down"))
    start = next_start(desk.state)
    assert start is not None
    assert start.held == "the video conference is down"
    assert desk.refusal(HoldStart(by=CHIEF))[0] == "start_is_held"
    desk.granted(ReleaseStart(by=CHIEF))
    desk.granted(HoldStart(by=CHIEF))
    desk.later(hours=2)
    assert desk.refusal(ReleaseStart(by=CHIEF))[0] == "start_has_passed"
    scheduled(desk, starts=(desk.now + HOUR,))
    assert not desk.state.held, "a new start is a start again"
    assert desk.refolded() == desk.state


def test_c042_a_pairing_that_is_withdrawn_is_not_made_again_by_itself() -> None:
    desk = scheduled(Desk(4), starts=(START + HOUR,)).pair()
    desk.granted(WithdrawPairing(by=CHIEF, reason="a name was wrong"))
    assert 1 in desk.state.held
    desk.granted(PairRound(by=CHIEF))
    assert not desk.state.held
    assert desk.refolded() == desk.state


def test_the_hall_may_pair_for_a_start_that_is_now() -> None:
    desk = scheduled(Desk(4), starts=(START + HOUR,)).later(hours=1, seconds=2)
    desk.granted(PairRound(by="", starts=START + HOUR))
    assert Desk(4).refusal(PairRound(by=CHIEF, starts=START - HOUR))[0] == "starts_in_the_past"


def test_beyond_the_cap_players_wait_in_order_and_follow_who_leaves() -> None:
    desk = scheduled(Desk(2), cap=2)
    for number in (3, 4, 5):
        desk.granted(Enter(by=f"p{number}", person=person(number)))
    assert waiting(desk) == ["p3", "p4", "p5"]
    assert desk.refusal(Enter(by="p3", person=person(3)))[0] == "already_waiting"
    desk.granted(WithdrawEntry(by="p1", entry=1))
    assert (people(desk)[-1], waiting(desk)) == ("p3", ["p4", "p5"])
    desk.granted(LeaveWaitingList(by="p4"))
    assert desk.refusal(LeaveWaitingList(by="p4"))[0] == "not_waiting"
    assert desk.refusal(LeaveWaitingList(by="p3", account="p5"))[0] == "not_about_you"
    scheduled(desk, cap=9)
    assert (people(desk)[-1], waiting(desk)) == ("p5", [])
    assert desk.refolded() == desk.state


def test_entries_close_and_ratings_have_limits() -> None:
    desk = scheduled(Desk(1), entries_until=START + HOUR, least_rating=1800, most_rating=2000)
    assert desk.refusal(Enter(by="a", person=person(9, account="a", rating=1799)))[0] == (
        "rating_too_low"
    )
    assert desk.refusal(Enter(by="a", person=person(9, account="a", rating=None)))[0] == (
        "rating_too_low"
    )
    assert desk.refusal(Enter(by="a", person=person(9, account="a", rating=2001)))[0] == (
        "rating_too_high"
    )
    desk.granted(Enter(by="a", person=person(9, account="a", rating=1800)))
    desk.later(hours=1)
    desk.granted(Enter(by="b", person=person(10, account="b", rating=2000)))
    desk.later(seconds=1)
    late = Enter(by="c", person=person(11, account="c", rating=1900))
    assert desk.refusal(late)[0] == "entries_closed"
    desk.granted(Enter(by=ORGANISER, person=late.person))


def test_by_invitation_players_enter_with_a_link_until_its_end_and_its_cap() -> None:
    desk = scheduled(Desk(0), by_invitation=True)
    assert desk.refusal(Enter(by="p1", person=person(1)))[0] == "by_invitation"
    made = MakeEntryLink(by=ORGANISER, digest=digest_of("key"), until=START + HOUR, cap=1)
    assert desk.refusal(MakeEntryLink(by=ORGANISER, digest="0" * 64, until=START, cap=1))[0] == (
        "link_until"
    )
    desk.granted(made)
    assert desk.refusal(Enter(by="p1", person=person(1), link="kay"))[0] == "link_serves_no_more"
    desk.granted(Enter(by="p1", person=person(1), link="key"))
    assert desk.state.links[0].used == 1
    assert desk.refusal(Enter(by="p2", person=person(2), link="key"))[0] == "link_serves_no_more"
    desk.granted(MakeEntryLink(by=ORGANISER, digest=digest_of("other"), until=START + HOUR, cap=5))
    desk.granted(WithdrawEntryLink(by=ORGANISER, number=2))
    assert desk.refusal(WithdrawEntryLink(by=ORGANISER, number=2))[0] == "no_such_link"
    assert desk.refusal(Enter(by="p2", person=person(2), link="other"))[0] == "link_serves_no_more"
    assert "key" not in str(desk.log[-3]), "the log has no secret"
    assert desk.refolded() == desk.state


def test_5_4_a_list_is_entered_whole_or_not_at_all() -> None:
    desk = scheduled(Desk(1), cap=3)
    twice = EnterMany(by=ORGANISER, people=(person(2), person(1), person(2)))
    decision = desk.ask(twice)
    assert [objection.details["place"] for objection in decision.objections] == [1, 2]
    assert people(desk) == ["p1"]
    desk.granted(EnterMany(by=ORGANISER, people=tuple(map(person, (2, 3, 4)))))
    assert (people(desk), waiting(desk)) == (["p1", "p2", "p3"], ["p4"])
    assert desk.refolded() == desk.state


@pytest.mark.parametrize("text", ["", "  \n ", "x" * 501])
def test_an_announcement_says_something_and_not_too_much(text: str) -> None:
    assert Desk(0).refusal(Announce(by=CHIEF, text=text))[0] in ("text_needed", "text_too_long")


def test_an_announcement_is_in_the_log_and_by_officials_only() -> None:
    desk = Desk(1)
    desk.granted(Announce(by=CHIEF, text="Ten minutes  of\nbreak."))
    assert desk.state.announcements[-1].text == "Ten minutes of break."
    assert desk.refusal(Announce(by="p1", text="hello"))[0] == "not_yours_to_do"
    assert desk.refolded() == desk.state
