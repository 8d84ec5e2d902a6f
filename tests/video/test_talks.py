"""Talks without sockets: nobody is heard before the log has it, and both ways are signalled."""

from __future__ import annotations

import pytest

from arrocco.errors import Refusal
from arrocco.video.messages import Silenced, Spoken, Talking
from arrocco.video.session import Session
from arrocco.video.talks import TO_BEGIN, TalkOver
from tests.video.test_engine import EVENT, Ear, Stage, stage, stages

__all__ = ["stage", "stages"]

AUDIO = "v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n"
VIDEO = "v=0\r\nm=audio 9 X 111\r\nm=video 9 X 96\r\n"


def refusal(stage: Stage, peer: Ear, entry: int = 1, offer: str = AUDIO, event: str = EVENT) -> str:
    with pytest.raises(Refusal) as caught:
        stage.engine.talk(peer, event, entry, offer)
    return caught.value.key


def talking(stage: Stage) -> tuple[Ear, Ear, Session]:
    """An arbiter who talks to the first player: both sockets, and the player."""
    arbiter, player = Ear(), Ear()
    session = stage.join(ear=player)
    stage.engine.talks.begin(arbiter, EVENT, "t1", (1, 2))
    stage.engine.talk(arbiter, EVENT, 1, AUDIO)
    return arbiter, player, session


def last(ear: Ear, kind: type) -> object:
    return next(one for one in reversed(ear.told) if isinstance(one, kind))


def spoken(player: Ear) -> Spoken:
    message = last(player, Spoken)
    assert isinstance(message, Spoken)
    return message


def test_offer_and_answer_go_from_browser_to_browser(stage: Stage) -> None:
    arbiter, player, session = talking(stage)
    offered = spoken(player)
    assert (offered.offer, offered.is_both_ways) == (AUDIO, True)
    stage.engine.hear(session, offered.voice, AUDIO)
    assert last(arbiter, Talking) == Talking(entry=1, on=True, answer=AUDIO)
    stage.engine.hush(arbiter)
    assert last(arbiter, Talking) == Talking(entry=1, on=False)
    assert last(player, Silenced) == Silenced(voice=offered.voice)
    assert stage.engine.talks.take_over() == [TalkOver(EVENT, "t1", stage.now, (1,))]


def test_nobody_is_heard_before_the_log_has_the_talk(stage: Stage) -> None:
    arbiter = Ear()
    stage.join()
    stage.join(3)
    assert refusal(stage, arbiter) == "video.no_open_talk"
    stage.engine.talks.begin(arbiter, EVENT, "t1", (1,))
    assert refusal(stage, Ear()) == "video.no_open_talk"
    assert refusal(stage, arbiter, entry=3) == "video.no_open_talk"
    assert refusal(stage, arbiter, event="other") == "video.no_open_talk"


@pytest.mark.parametrize("offer", ["", VIDEO, "m=video 9 X 96", "m=application 9 X 1"])
def test_only_sound_is_offered_and_answered(stage: Stage, offer: str) -> None:
    arbiter, player, session = talking(stage)
    assert refusal(stage, arbiter, offer=offer) == "video.not_an_offer"
    with pytest.raises(Refusal, match="nothing was offered"):
        stage.engine.hear(session, spoken(player).voice, offer)


def test_a_voice_is_taken_once_and_by_the_player_it_is_for(stage: Stage) -> None:
    _, player, session = talking(stage)
    other, voice = stage.join(2), spoken(player).voice
    with pytest.raises(Refusal, match="nothing was offered"):
        stage.engine.hear(other, voice, AUDIO)
    stage.engine.hear(session, voice, AUDIO)
    with pytest.raises(Refusal, match="nothing was offered"):
        stage.engine.hear(session, voice, AUDIO)


def test_a_group_is_over_when_the_last_voice_is_gone(stage: Stage) -> None:
    arbiter, player, session = talking(stage)
    second = Ear()
    stage.join(2, second)
    stage.engine.talk(arbiter, EVENT, 2, AUDIO)
    stage.engine.hear(session, spoken(player).voice, AUDIO)
    stage.engine.gone(session, player)  # the first player's page is closed
    stage.engine.look()
    assert not stage.engine.talks.take_over()
    stage.now += 5_000
    stage.engine.hush(arbiter, 2)
    stage.engine.look()
    assert stage.engine.talks.take_over() == [TalkOver(EVENT, "t1", stage.now, (1,))]


def test_an_arbiter_who_goes_ends_the_talk(stage: Stage) -> None:
    arbiter, player, _ = talking(stage)
    stage.engine.leave(arbiter)
    assert isinstance(player.told[-1], Silenced)
    assert [over.reached for over in stage.engine.talks.take_over()] == [()]


def test_a_talk_that_nobody_begins_is_over_after_half_a_minute(stage: Stage) -> None:
    stage.engine.talks.begin(Ear(), EVENT, "t1", (1,))
    stage.now += TO_BEGIN
    stage.engine.look()
    assert not stage.engine.talks.take_over()
    stage.now += 1
    stage.engine.look()
    assert len(stage.engine.talks.take_over()) == 1


def test_a_second_talk_ends_the_first_and_the_server_s_end_all(stage: Stage) -> None:
    arbiter, _, _ = talking(stage)
    stage.engine.talks.begin(arbiter, EVENT, "t2", (1,))
    stage.engine.close()
    assert [over.talk for over in stage.engine.talks.take_over()] == ["t1", "t2"]


def test_6_3_who_is_moved_to_other_boards_is_heard_no_more(stage: Stage) -> None:
    arbiter, player, _ = talking(stage)
    stage.engine.end_unseen(arbiter, lambda event, entry: False)
    assert isinstance(player.told[-1], Silenced)
    stage.engine.look()
    assert len(stage.engine.talks.take_over()) == 1
