"""9.1f fed by the video server: what is missing, the event's grace, cards that are proposed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from arrocco.hall.chain import recordings_of_event
from arrocco.hall.event.acts.consent import WORDS, ConsentToVideo
from arrocco.hall.event.acts.entries import WithdrawEntry
from arrocco.hall.event.acts.rounds import CloseRound
from arrocco.hall.event.rules import Supervision
from arrocco.hall.game import Phase
from arrocco.hall.game import events as e
from arrocco.hall.game.commands import SetSupervision
from arrocco.hall.game.log import decode
from arrocco.hall.game.players import MAX_UNFOCUSED
from arrocco.hall.game.records import Cause
from arrocco.hall.presence import HeadsKept, PlayerPresence, Problem, RecordingHead
from arrocco.laws.online.side import Side
from arrocco.live.alarm import Level
from arrocco.live.event_room import EventRoom
from arrocco.live.hall import TO_THE_SEATS
from arrocco.live.presence import AWAY_AFTER, BACK_WITHIN, Presence
from arrocco.live.room import Room
from arrocco.live.server_time import as_datetime
from arrocco.live.urgency import alarms
from tests.live.stage import CHIEF, Client, Stage, event, open_round, run

FIRST = "open-1-1"


class Video:
    """The video server, which tells the hall of two players."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._seen: dict[str, PlayerPresence] = {}
        for account in ("1", "2"):
            self.sees(account)

    def sees(
        self, account: str, *problems: Problem, resting: bool = False, beginning: bool = False
    ) -> None:
        self._seen[account] = PlayerPresence(
            event="open",
            account=account,
            since=self._stage.time.now(),
            problems=problems,
            is_resting=resting,
            is_beginning=beginning,
        )

    def tell(self, accounts: Sequence[str] = ("1", "2")) -> list[tuple[str, str]]:
        return self._stage.hall.presence.take([self._seen[account] for account in accounts])

    async def tells_for(self, milliseconds: int) -> None:
        """Tells every second, as it does."""
        for _ in range(milliseconds // 500):
            await self._stage.time.pass_by(500)
            self.tell()


async def supervised(stage: Stage, **rules: Any) -> tuple[Video, Client, Client, Client]:
    """A game under way, both players in the conference by themselves."""
    room = await event(stage, supervision=Supervision.FULL, **rules)
    video = Video(stage)
    video.tell()
    await open_round(stage, room)
    clients = [stage.connect(one) for one in ("1", "2", CHIEF)]
    for client in clients:
        await client.join(FIRST)
    await video.tells_for(TO_THE_SEATS)
    white, black, chief = clients
    return video, white, black, chief


def keys(stage: Stage) -> list[str]:
    room = stage.hall.rooms[FIRST]
    found = alarms(room.state, stage.time.now(), room.refused, None, room.video)
    return [one.key.removeprefix("hall_live.alarm.") for one in found]


def test_9_1_who_is_in_the_conference_needs_no_mark_by_hand() -> None:
    async def play(stage: Stage) -> None:
        _, white, black, _ = await supervised(stage)
        assert (await white.wish("move", FIRST, uci="e2e4", ply=0))["type"] == "done"
        assert (await black.wish("move", FIRST, uci="e7e5", ply=1))["type"] == "done"

    run(play)


def test_9_1f_moves_wait_after_the_grace_the_clock_runs_and_play_goes_on() -> None:
    async def play(stage: Stage) -> None:
        video, white, _, _ = await supervised(stage)
        video.sees("1", Problem.BLACK)
        video.tell()
        assert keys(stage) == ["video_black"]
        await video.tells_for(2_500)
        assert stage.hall.rooms[FIRST].state.white.vcs.on
        await video.tells_for(1_000)
        before = stage.hall.rooms[FIRST].state.clock.remaining(Side.WHITE, stage.time.now())
        refused = await white.wish("move", FIRST, uci="e2e4", ply=0)
        assert (refused["key"], refused["article"]) == ("hall.off_vcs", "9.1f")
        await video.tells_for(5_000)
        state = stage.hall.rooms[FIRST].state
        assert state.clock.remaining(Side.WHITE, stage.time.now()) == before - 5_000
        video.sees("1")
        video.tell()
        assert (await white.wish("move", FIRST, uci="e2e4", ply=0))["type"] == "done"
        gap = stage.hall.rooms[FIRST].state.white.vcs.gaps[0]
        assert (gap.end - gap.start, gap.cause) == (5_500, Cause.PLAYER)

    run(play)


def test_9_1f_the_grace_is_the_events_own() -> None:
    async def play(stage: Stage) -> None:
        video, _, _, _ = await supervised(stage, vcs_grace=timedelta(seconds=10))
        video.sees("2", Problem.LOST)
        await video.tells_for(9_500)
        assert stage.hall.rooms[FIRST].state.black.vcs.on
        await video.tells_for(1_000)
        assert not stage.hall.rooms[FIRST].state.black.vcs.on

    run(play)


def test_8_3_what_only_the_arbiter_has_to_see_stops_nothing() -> None:
    async def play(stage: Stage) -> None:
        video, white, _, _ = await supervised(stage)
        video.sees("1", Problem.UNFOCUSED, Problem.SECOND_MONITOR)
        await video.tells_for(5_000)
        assert keys(stage) == ["video_unfocused", "video_second_monitor"]
        assert (await white.wish("move", FIRST, uci="e2e4", ply=0))["type"] == "done"

    run(play)


def test_8_3_12_1_lost_focus_stands_in_the_log_from_its_moment_to_its_end() -> None:
    """For the arbiters and the screen alone: neither player is told of it."""

    async def play(stage: Stage) -> None:
        video, white, black, _ = await supervised(stage)
        seat = stage.hall.rooms[FIRST].state.white
        assert seat.focus.on
        assert not seat.focus.gaps
        video.sees("1", Problem.UNFOCUSED)
        await video.tells_for(4_000)
        seat = stage.hall.rooms[FIRST].state.white
        assert not seat.focus.on
        video.sees("1")
        await video.tells_for(1_000)
        state = stage.hall.rooms[FIRST].state
        (gap,) = state.white.focus.gaps
        assert gap.end - gap.start == 4_000
        assert state.white.focus.on
        assert not state.black.focus.gaps
        logged = [decode(line) for line in stage.store.read(f"game:{FIRST}")]
        told = [(one.side, one.on) for one in logged if isinstance(one, e.FocusChanged)]
        assert told == [(Side.WHITE, False), (Side.WHITE, True)]
        for client in (white, black):
            await client.hear()
            assert "focus" not in str(client.heard)

    run(play)


def test_8_3_a_browser_cannot_fill_the_log_with_its_focus() -> None:
    async def play(stage: Stage) -> None:
        video, _, _, _ = await supervised(stage)
        for _ in range(MAX_UNFOCUSED + 5):
            video.sees("1", Problem.UNFOCUSED)
            await video.tells_for(500)
            video.sees("1")
            await video.tells_for(500)
        assert len(stage.hall.rooms[FIRST].state.white.focus.gaps) == MAX_UNFOCUSED

    run(play)


def test_10_3_a_second_camera_that_is_missing_or_covered_is_an_alarm_and_stops_no_move() -> None:
    async def play(stage: Stage) -> None:
        video, white, _, _ = await supervised(stage, second_camera=True)
        for problem in (Problem.NO_ROOM, Problem.ROOM_BLACK, Problem.ROOM_FROZEN):
            video.sees("1", problem)
            video.tell()
            room = stage.hall.rooms[FIRST]
            (alarm,) = alarms(room.state, stage.time.now(), room.refused, None, room.video)
            assert (alarm.key, alarm.article) == (f"hall_live.alarm.video_{problem}", "10.3")
            assert (alarm.level, alarm.side) == (Level.SOON, Side.WHITE)
            assert "ask_to_show" in alarm.acts
        await video.tells_for(10_000)
        assert (await white.wish("move", FIRST, uci="e2e4", ply=0))["type"] == "done"
        assert not stage.hall.rooms[FIRST].state.acts

    run(play)


def test_1_2a_9_1f_a_premove_waits_and_is_played_by_who_is_back() -> None:
    async def play(stage: Stage) -> None:
        video, white, black, _ = await supervised(stage)
        await black.wish("set_premove", FIRST, uci="e7e5", ply=1)
        video.sees("2", Problem.SILENT)
        await video.tells_for(4_000)
        await white.wish("move", FIRST, uci="e2e4", ply=0)
        assert stage.hall.rooms[FIRST].state.ply == 1
        await video.tells_for(2_000)
        video.sees("2")
        video.tell()
        await black.hear()
        state = stage.hall.rooms[FIRST].state
        assert [move.uci for move in state.moves] == ["e2e4", "e7e5"]
        assert state.moves[-1].spent == 2_000

    run(play)


def test_9_2_7_9_a_card_is_proposed_and_not_given() -> None:
    async def play(stage: Stage) -> None:
        video, _, _, chief = await supervised(stage, cards=True)
        await self_lost(video, "1")
        assert "card_yellow" in keys(stage)
        assert not stage.hall.rooms[FIRST].state.acts
        done = await chief.wish(
            "warn", FIRST, side="white", article="9.2", card="yellow", reason="camera off"
        )
        assert done["type"] == "done"
        assert "card_yellow" not in keys(stage)
        await self_lost(video, "1")
        assert "card_red" in keys(stage)

    run(play)


def test_7_9_a_loss_that_matches_one_of_the_board_counts_for_nothing() -> None:
    async def play(stage: Stage) -> None:
        video, white, _, _ = await supervised(stage)
        white.connection.close()
        await self_lost(video, "1")
        assert "vcs_gaps" not in keys(stage)
        back = stage.connect("1")
        await back.join(FIRST)
        await self_lost(video, "1")
        assert "vcs_gaps" in keys(stage)

    run(play)


def test_9_1_a_mark_by_the_arbiter_stands_until_the_player_was_there_again() -> None:
    async def play(stage: Stage) -> None:
        video, white, _, chief = await supervised(stage)
        video.sees("1", Problem.NO_CAMERA)
        await video.tells_for(4_000)
        await chief.wish("set_vcs", FIRST, side="white", on=True)
        video.sees("1", Problem.NO_CAMERA, Problem.UNFOCUSED)
        await video.tells_for(6_000)
        assert (await white.wish("move", FIRST, uci="e2e4", ply=0))["type"] == "done"

    run(play)


def test_a_video_server_that_is_gone_blames_nobody() -> None:
    async def play(stage: Stage) -> None:
        video, white, black, _ = await supervised(stage)
        video.sees("2", Problem.LOST)
        await video.tells_for(4_000)
        await stage.time.pass_by(AWAY_AFTER)
        assert "video_away" in keys(stage)
        assert (await white.wish("move", FIRST, uci="e2e4", ply=0))["type"] == "done"
        assert (await black.wish("move", FIRST, uci="e7e5", ply=1))["type"] == "done"
        # It is back, and nobody has joined yet.
        stage.hall.presence.take([])
        await stage.time.pass_by(1_000)
        assert (await white.wish("move", FIRST, uci="d2d4", ply=2))["type"] == "done"
        refused = await black.wish("move", FIRST, uci="e5d4", ply=3)
        assert refused["key"] == "hall.off_vcs"
        video.sees("2")
        video.tell(["2"])
        assert (await black.wish("move", FIRST, uci="e5d4", ply=3))["type"] == "done"
        for _ in range(BACK_WITHIN // 1_000):
            await stage.time.pass_by(1_000)
            video.tell(["2"])
        state = stage.hall.rooms[FIRST].state
        assert (state.white.vcs.on, state.black.vcs.on) == (False, True)

    run(play)


def test_5_14_who_has_finished_need_not_be_there() -> None:
    async def play(stage: Stage) -> None:
        video, white, _, _ = await supervised(stage)
        assert video.tell() == []
        await white.wish("resign", FIRST)
        assert stage.hall.rooms[FIRST].state.phase is Phase.ENDED
        assert video.tell() == [("open", "1"), ("open", "2")]
        video.sees("1", resting=True)
        await video.tells_for(5_000)
        assert keys(stage) == []

    run(play)


@pytest.mark.parametrize("may_rest", [True, False])
def test_12_3_between_rounds_cameras_are_off_where_the_rules_permit_it(may_rest: bool) -> None:
    """After one's own game always (5.14); once the round is over the rules say (9.1d)."""

    async def play(stage: Stage) -> None:
        rules = {"rest_between_rounds": may_rest, "rounds": 2}
        video, white, _, _ = await supervised(stage, **rules)
        event = stage.hall.events["open"]
        free = [("open", "1"), ("open", "2")]
        second = stage.connect("3")
        await second.join("open-1-2")
        await white.wish("resign", FIRST)
        assert video.tell() == free  # the other board plays on
        await second.wish("resign", "open-1-2")
        assert not (await event.ask(CloseRound(by=CHIEF))).objections
        assert video.tell() == (free if may_rest else [])
        withdrawn = await event.ask(WithdrawEntry(by=CHIEF, entry=1))
        assert not withdrawn.objections
        assert video.tell() == (free if may_rest else free[:1])

    run(play)


def test_12_3_after_the_last_round_nobody_has_to_be_there() -> None:
    async def play(stage: Stage) -> None:
        video, white, _, _ = await supervised(stage, rest_between_rounds=False, rounds=1)
        second = stage.connect("3")
        await second.join("open-1-2")
        await white.wish("resign", FIRST)
        await second.wish("resign", "open-1-2")
        assert not (await stage.hall.events["open"].ask(CloseRound(by=CHIEF))).objections
        assert video.tell() == [("open", "1"), ("open", "2")]

    run(play)


def test_a_word_of_the_video_looks_at_each_board_once_however_many_players_it_tells_of() -> None:
    """Moves wait while it is taken: it must not cost players times boards."""

    async def play(stage: Stage) -> None:
        await supervised(stage)
        looked: list[str] = []

        def rooms_of(event: EventRoom) -> Iterator[Room]:
            looked.append(event.id)
            return stage.hall.rooms_of(event)

        presence = Presence(stage.time, stage.hall.events.get, rooms_of)
        everybody = [
            PlayerPresence(event="open", account=account, since=stage.time.now())
            for account in ("1", "2", "3", "4")
        ]
        for _ in range(2):
            looked.clear()
            presence.take(everybody)
            assert looked == ["open"]
        presence.close()

    run(play)


def test_9_1f_5_14_who_switches_off_during_their_game_is_off() -> None:
    async def play(stage: Stage) -> None:
        video, white, black, _ = await supervised(stage)
        video.sees("1", resting=True)
        video.tell()
        assert keys(stage) == ["video_no_camera", "video_no_microphone"]
        await video.tells_for(2_500)
        assert stage.hall.rooms[FIRST].state.white.vcs.on  # the grace is the same
        await video.tells_for(1_000)
        refused = await white.wish("move", FIRST, uci="e2e4", ply=0)
        assert (refused["key"], refused["article"]) == ("hall.off_vcs", "9.1f")
        video.sees("1")
        video.tell()
        assert (await white.wish("move", FIRST, uci="e2e4", ply=0))["type"] == "done"
        assert (await black.wish("move", FIRST, uci="e7e5", ply=1))["type"] == "done"

    run(play)


def test_9_1f_joining_alone_is_not_being_there() -> None:
    async def play(stage: Stage) -> None:
        room = await event(stage, supervision=Supervision.FULL)
        video = Video(stage)
        video.sees("1", beginning=True)
        video.tell()
        await open_round(stage, room)
        white = stage.connect("1")
        await white.join(FIRST)
        await video.tells_for(TO_THE_SEATS)
        assert (await white.wish("move", FIRST, uci="e2e4", ply=0))["key"] == "hall.off_vcs"
        video.sees("1")
        video.tell()
        assert (await white.wish("move", FIRST, uci="e2e4", ply=0))["type"] == "done"

    run(play)


def test_9_1f_who_joins_again_and_again_without_pictures_is_off() -> None:
    async def play(stage: Stage) -> None:
        video, white, _, _ = await supervised(stage)
        for _ in range(4):
            video.sees("1", Problem.LOST)
            await video.tells_for(500)
            video.sees("1", beginning=True)
            await video.tells_for(500)
        assert (await white.wish("move", FIRST, uci="e2e4", ply=0))["key"] == "hall.off_vcs"

    run(play)


def test_9_1f_5_14_who_rests_is_off_in_the_game_that_is_played_again() -> None:
    """6.8 — the seats of a game that is played again are those of the one that had ended."""

    async def play(stage: Stage) -> None:
        video, white, _, chief = await supervised(stage)
        await white.wish("resign", FIRST)
        video.sees("1", resting=True)
        await video.tells_for(5_000)
        again = await chief.wish("replay", FIRST, reason="resigned by mistake")
        assert again["type"] == "done", again
        await video.tells_for(4_000)
        state = stage.hall.rooms[FIRST].state
        assert state.phase is not Phase.ENDED
        assert (state.white.vcs.on, state.black.vcs.on) == (False, True)

    run(play)


def test_9_1f_who_does_not_come_back_to_a_video_server_started_again_is_off() -> None:
    """It was back before anybody missed it, and its players have some time to join again."""

    async def play(stage: Stage) -> None:
        video, _, _, _ = await supervised(stage)
        for _ in range(BACK_WITHIN // 1_000 - 1):
            await stage.time.pass_by(1_000)
            video.tell(["2"])
        assert stage.hall.rooms[FIRST].state.white.vcs.on
        for _ in range(3):
            await stage.time.pass_by(1_000)
            video.tell(["2"])
        state = stage.hall.rooms[FIRST].state
        assert (state.white.vcs.on, state.black.vcs.on) == (False, True)

    run(play)


def test_9_1f_a_board_that_nobody_saw_for_a_while_is_watched_again() -> None:
    """A hall that is started again while the video is gone finds its boards without supervision."""

    async def play(stage: Stage) -> None:
        video, white, _, _ = await supervised(stage)
        room = stage.hall.rooms[FIRST]
        room.ask(SetSupervision(by="", on=False))
        await stage.time.pass_by(500)
        assert not room.state.is_supervised
        video.sees("1", Problem.NO_CAMERA)
        await video.tells_for(4_000)
        assert room.state.is_supervised
        assert (await white.wish("move", FIRST, uci="e2e4", ply=0))["key"] == "hall.off_vcs"

    run(play)


def test_12_3_a_player_consents_once_and_for_themselves() -> None:
    async def play(stage: Stage) -> None:
        room = await event(stage, supervision=Supervision.FULL)
        other = await room.ask(ConsentToVideo(by="1", words="older"))
        assert [objection.key for objection in other.objections] == ["event.other_words"]
        for _ in range(2):
            assert not (await room.ask(ConsentToVideo(by="1", words=WORDS))).objections
        assert room.state.consents == {1}
        assert (await room.ask(ConsentToVideo(by=CHIEF, words=WORDS))).objections

    run(play)


def test_12_3_there_is_nothing_to_consent_to_where_nobody_is_watched() -> None:
    async def play(stage: Stage) -> None:
        room = await event(stage)
        outcome = await room.ask(ConsentToVideo(by="1", words=WORDS))
        assert [objection.key for objection in outcome.objections] == ["event.not_supervised"]

    run(play)


def test_the_last_slices_of_recordings_are_in_the_hall_s_log() -> None:
    async def play(stage: Stage) -> None:
        await event(stage)
        heads = [RecordingHead(recording="1-camera-1", slices=3, hash="ab" * 32, bytes=9)]
        for _ in range(2):
            await stage.hall.keep_heads("open", heads)
        lines = stage.store.read(recordings_of_event("open"))
        assert [msgspec.json.decode(line, type=HeadsKept).heads for line in lines] == 2 * [
            tuple(heads)
        ]

    run(play)


async def self_lost(video: Video, account: str) -> None:
    """Off for more than the grace, and back."""
    video.sees(account, Problem.LOST)
    await video.tells_for(4_000)
    video.sees(account)
    await video.tells_for(500)


class TestAttendance:
    """9.1d — the presence board of the wall."""

    def test_9_1d_who_joins_is_noted_once_and_shown_to_the_arbiter(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage, supervision=Supervision.FULL)
            chief = stage.connect(CHIEF)
            chief.say(type="wall", event="open")
            assert board_of(await chief.hear())["1"] == ("expected", False)
            joining = as_datetime(stage.time.now() + 60_000).isoformat()
            done = await chief.command("set_joining_time", joining=joining)
            assert done["type"] == "done", done
            video = Video(stage)
            video.sees("2", Problem.LOST)
            video.tell()
            await stage.time.pass_by(1_000)
            video.tell()
            shown = board_of(await chief.hear())
            assert shown["1"] == ("joined", True)
            assert shown["2"] == ("expected", False)  # nothing comes of them
            await stage.time.pass_by(61_000)
            assert board_of(await chief.hear())["2"] == ("late", False)
            noted = [line for line in stage.store.read("event:open") if b"joined_conf" in line]
            assert len(noted) == 1
            assert room.state.joined.keys() == {1}

        run(play)

    def test_10_3_the_presence_board_says_what_the_rules_require_and_what_is_missing(self) -> None:
        async def play(stage: Stage) -> None:
            await event(stage, supervision=Supervision.FULL, second_camera=True)
            chief = stage.connect(CHIEF)
            chief.say(type="wall", event="open")
            await chief.hear()
            video = Video(stage)
            video.sees("1", Problem.NO_ROOM)
            video.tell()
            await stage.time.pass_by(1_000)
            boards = [one for one in await chief.hear() if one["type"] == "attendance"]
            assert boards[-1]["demanded"] == ["second_camera"]
            first = boards[-1]["players"][0]
            assert (first["problems"], first["is_on"]) == (["no_room"], True)

        run(play)

    def test_12_4_asked_and_answered_over_sockets_and_shown_at_once(self) -> None:
        async def play(stage: Stage) -> None:
            await event(stage, supervision=Supervision.FULL)
            chief, player, other = (stage.connect(one) for one in (CHIEF, "1", "2"))
            chief.say(type="wall", event="open")
            for client in (player, other):
                client.say(type="event", event="open")
                await client.hear()
            await chief.command("request_room_check", entry=1, point="room")
            assert [one["type"] for one in await player.hear()] == ["event_update"]
            assert await other.hear() == []  # nobody else is told
            await player.command("answer_room_check", point="room", shows=False)
            last = [one for one in await chief.hear() if one["type"] == "attendance"][-1]
            (point,) = last["players"][0]["points"]
            assert (point["point"], point["standing"]) == ("room", "refuses")
            await chief.command("record_room_check", entry=1, point="room", in_order=True)
            last = [one for one in chief.heard if one["type"] == "attendance"][-1]
            assert last["players"][0]["points"][0]["standing"] == "in_order"

        run(play)

    def test_12_4_many_are_asked_in_one_act_and_the_board_says_who_has_answered(self) -> None:
        async def play(stage: Stage) -> None:
            await event(stage, supervision=Supervision.FULL)
            chief, player, other = (stage.connect(one) for one in (CHIEF, "1", "2"))
            chief.say(type="wall", event="open")
            for client in (player, other):
                client.say(type="event", event="open")
                await client.hear()
            await chief.command("request_room_checks", points=["room", "ears"])
            for client in (player, other):
                assert [one["type"] for one in await client.hear()] == ["event_update"]
            await player.command("answer_room_check", point="room", shows=True)
            last = [one for one in await chief.hear() if one["type"] == "attendance"][-1]
            standing = [
                [(point["point"], point["standing"]) for point in one["points"]]
                for one in last["players"][:2]
            ]
            assert sorted(standing[0]) == [("ears", "waiting"), ("room", "shown")]
            assert sorted(standing[1]) == [("ears", "waiting"), ("room", "waiting")]

        run(play)

    def test_9_1_an_event_without_supervision_has_no_presence_board(self) -> None:
        async def play(stage: Stage) -> None:
            await event(stage)
            chief = stage.connect(CHIEF)
            chief.say(type="wall", event="open")
            assert not [one for one in await chief.hear() if one["type"] == "attendance"]

        run(play)


def board_of(heard: list[dict[str, Any]]) -> dict[str, tuple[str, bool]]:
    """How everybody stands on the presence board that was shown last, by entry."""
    last = [one for one in heard if one["type"] == "attendance"][-1]
    return {str(one["entry"]): (one["standing"], one["is_on"]) for one in last["players"]}
