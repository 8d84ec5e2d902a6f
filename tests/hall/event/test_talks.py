"""6.3, 12.4 — an arbiter talks with players: with whom, from when to when and why is kept."""

from __future__ import annotations

from datetime import timedelta

import pytest

from arrocco.hall.event import arbiters_report
from arrocco.hall.event.acts.talks import BeginTalk, EndTalk
from arrocco.hall.event.rules import Supervision
from arrocco.hall.event.talk import TalkReason
from tests.hall.event.desk import CHIEF, HELPER, ORGANISER, Desk

TALK, CONDUCT = "0a" * 8, TalkReason.CONDUCT


@pytest.fixture
def desk() -> Desk:
    return Desk(4, supervision=Supervision.FULL)


def begin(
    *entries: int, by: str = CHIEF, why: TalkReason = CONDUCT, note: str = "", talk: str = TALK
) -> BeginTalk:
    return BeginTalk(by=by, talk=talk, entries=entries, why=why, note=note)


def test_from_when_to_when_with_whom_and_why(desk: Desk) -> None:
    began = desk.now
    desk.granted(begin(1, 3, 1, note=" noise "))
    (talk,) = desk.state.talks
    assert (talk.entries, talk.began, talk.note, talk.is_over) == ((1, 3), began, "noise", False)
    desk.later(minutes=2)
    ended = began + timedelta(seconds=70)
    desk.granted(EndTalk(by="", talk=TALK, ended=ended, reached=(2, 3)))
    (talk,) = desk.state.talks
    assert (talk.is_over, talk.ended, talk.reached) == (True, ended, (3,))


def test_the_report_has_it_with_its_reason(desk: Desk) -> None:
    desk.granted(begin(1))
    (act,) = (act for act in arbiters_report(desk.state, desk.log, []) if act.what == "talk_began")
    assert act.by == CHIEF
    assert (act.details["entries"], act.details["why"]) == ((1,), "conduct")


def test_only_arbiters_of_a_supervised_event_talk(desk: Desk) -> None:
    for who in (ORGANISER, "p1", "stranger"):
        assert desk.refusal(begin(1, by=who))[0] == "not_yours_to_do"
    assert Desk(2).refusal(begin(1)) == ("not_supervised", "9.1")
    assert desk.refusal(begin(1, 9))[0] == "no_such_entry"


def test_6_3_assistants_talk_with_the_players_of_their_boards(desk: Desk) -> None:
    desk.appoint(HELPER, "Anna Aiuto", zone=(2, 2))
    desk.pair()
    first, second = (board.white for board in desk.state.rounds[0].boards)
    assert desk.refusal(begin(second, first, by=HELPER)) == ("not_in_zone", "6.3")
    desk.granted(begin(second, by=HELPER))


def test_another_reason_is_said_in_words(desk: Desk) -> None:
    assert desk.refusal(begin(1, why=TalkReason.OTHER, note="  "))[0] == "reason_needed"
    desk.granted(begin(1, why=TalkReason.OTHER, note="a dog"))


def test_only_the_server_ends_a_talk_once_and_within_its_time(desk: Desk) -> None:
    began = desk.now
    desk.granted(begin(1))
    assert desk.refusal(EndTalk(by=CHIEF, talk=TALK))[0] == "not_yours_to_do"
    assert desk.refusal(EndTalk(by="", talk="1" * 16))[0] == "no_such_talk"
    desk.later(minutes=1)
    desk.granted(EndTalk(by="", talk=TALK, ended=began - timedelta(hours=1)))
    assert desk.state.talks[0].ended == began
    assert not desk.granted(EndTalk(by="", talk=TALK, ended=desk.now))
    assert not desk.granted(begin(1))  # what was asked twice is one talk


def test_where_the_server_had_stopped_nobody_knows_the_end(desk: Desk) -> None:
    desk.granted(begin(1))
    desk.granted(EndTalk(by="", talk=TALK))
    assert (desk.state.talks[0].is_over, desk.state.talks[0].ended) == (True, None)


@pytest.mark.parametrize("entries", [(), tuple(range(1, 42))])
def test_a_talk_has_one_player_at_least_and_forty_at_most(
    desk: Desk, entries: tuple[int, ...]
) -> None:
    assert desk.refusal(begin(*entries))[0] == "not_a_command"
