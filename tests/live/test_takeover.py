"""Games that one process hands over to the next: they go on by themselves, nobody pays (11.6)."""

from __future__ import annotations

from arrocco.hall.game import Phase
from arrocco.hall.game import events as e
from arrocco.hall.game.log import decode
from arrocco.hall.game.recovery import HANDED_OVER, TAKEN_OVER
from arrocco.live.hall import TO_THE_SEATS
from arrocco.live.room import Room
from arrocco.live.takeover import LONGEST_PAUSE, TOO_LATE
from tests.live.stage import (
    BLACK,
    GAME,
    WHITE,
    Client,
    Stage,
    event,
    open_round,
    run,
    seated,
    settle,
)


async def next_process(stage: Stage) -> Stage:
    """The process that takes over, with the logs and the time of the one before."""
    following = Stage(stage.store, stage.time)
    await following.hall.start()
    return following


def phase_of(room: Room) -> Phase:
    return room.state.phase


def acts_of(room: Room) -> list[tuple[str, str]]:
    return [(type(act.act).__name__, act.act.reason) for act in room.state.acts]


async def handed_over(stage: Stage) -> tuple[Stage, Room]:
    """White has used five seconds of a running game when the server is restarted."""
    await seated(stage)
    await stage.time.pass_by(5000)
    assert await stage.hall.hand_over() == 1
    following = await next_process(stage)
    return following, following.hall.rooms[GAME]


def test_a_game_goes_on_when_both_players_are_back() -> None:
    async def play(stage: Stage) -> None:
        following, room = await handed_over(stage)
        assert phase_of(room) is Phase.PAUSED
        assert room.state.clock.white == 175_000, "until that moment it was White's time"
        await stage.time.pass_by(400)
        await following.connect(WHITE).join()
        assert phase_of(room) is Phase.PAUSED
        await stage.time.pass_by(300)
        await following.connect(BLACK).join()
        await settle()
        assert phase_of(room) is Phase.RUNNING
        assert acts_of(room) == [("Paused", HANDED_OVER), ("Resumed", TAKEN_OVER)]
        assert room.state.clock.white == 175_000
        assert room.state.clock.since == stage.time.now()
        await following.hall.stop()

    run(play)


def test_a_move_that_comes_too_early_waits_and_costs_nothing() -> None:
    async def play(stage: Stage) -> None:
        following, _ = await handed_over(stage)
        white: Client = following.connect(WHITE)
        await white.join()
        wish = {"type": "move", "uci": "e2e4", "ply": 0}
        white.say(type="wish", id="early", game=GAME, wish=wish)
        assert not [one for one in await white.hear() if one.get("id") == "early"]
        await stage.time.pass_by(900)
        await following.connect(BLACK).join()
        assert white.answer(await white.hear(), "early")["type"] == "done"
        [move] = [
            one for one in map(decode, stage.store.read(f"game:{GAME}")) if isinstance(one, e.Moved)
        ]
        assert move.white == 175_000 + 2000, "with the increment"
        await following.hall.stop()

    run(play)


def test_who_does_not_come_back_is_not_waited_for_longer_than_two_seconds() -> None:
    async def play(stage: Stage) -> None:
        following, room = await handed_over(stage)
        await following.connect(WHITE).join()
        await stage.time.pass_by(LONGEST_PAUSE)
        assert room.state.phase is Phase.RUNNING
        paused, resumed = (act.act for act in room.state.acts)
        assert resumed.at - paused.at <= LONGEST_PAUSE
        await following.hall.stop()

    run(play)


def test_a_restart_that_took_too_long_is_for_the_arbiter() -> None:
    async def play(stage: Stage) -> None:
        await seated(stage)
        await stage.hall.hand_over()
        await stage.time.pass_by(TOO_LATE)
        following = await next_process(stage)
        await stage.time.pass_by(LONGEST_PAUSE)
        assert following.hall.rooms[GAME].state.phase is Phase.PAUSED
        await following.hall.stop()

    run(play)


def test_a_game_that_the_arbiter_has_paused_stays_so() -> None:
    async def play(stage: Stage) -> None:
        _, _, _, arbiter = await seated(stage)
        await arbiter.wish("pause", reason="a moment")
        await stage.hall.hand_over()
        following = await next_process(stage)
        for account in (WHITE, BLACK):
            await following.connect(account).join()
        await stage.time.pass_by(LONGEST_PAUSE)
        room = following.hall.rooms[GAME]
        assert room.state.phase is Phase.PAUSED
        assert acts_of(room) == [("Paused", "a moment")]
        await following.hall.stop()

    run(play)


def test_a_round_that_was_about_to_begin_begins() -> None:
    async def play(stage: Stage) -> None:
        rooms = await open_round(stage, await event(stage))
        await stage.time.pass_by(1000)
        assert await stage.hall.hand_over() == len(rooms)
        following = await next_process(stage)
        begun = list(following.hall.rooms.values())
        assert [room.state.phase for room in begun] == [Phase.WAITING] * len(rooms)
        await stage.time.pass_by(TO_THE_SEATS)
        assert [room.state.phase for room in begun] == [Phase.RUNNING] * len(rooms)
        await following.hall.stop()

    run(play)


def test_what_comes_while_games_are_handed_over_is_left_to_the_next_process() -> None:
    async def play(stage: Stage) -> None:
        _, white, _, _ = await seated(stage)
        stage.hall.is_handing_over = True
        wish = {"type": "move", "uci": "e2e4", "ply": 0}
        white.say(type="wish", id="late", game=GAME, wish=wish)
        assert await white.hear() == []
        stage.hall.is_handing_over = False

    run(play)
