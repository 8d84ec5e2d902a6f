"""What an arbiter does in a game reaches the event once, also over a crash, and goes back."""

from __future__ import annotations

from typing import Any

import pytest

from arrocco.hall.event.acts.pairing import PairByHand
from arrocco.hall.event.acts.results import CorrectResult, ResultTaken, ResultTakenBack, TakeResult
from arrocco.hall.event.acts.rounds import CloseRound
from arrocco.hall.event.acts.sanctions import LiftSanction, SanctionLifted
from arrocco.hall.event.records import Result
from arrocco.live.event_room import EventRoom
from tests.live.carried import FIRST, SECOND, act_number, playing, points, records, restarted
from tests.live.stage import (
    CHIEF,
    HELPER,
    Client,
    Stage,
    event,
    open_round,
    run,
    settle,
    start_round,
)


class TestPoints:
    @pytest.mark.parametrize(
        ("article", "scores", "expected"),
        [("6.9d", [0, 10], {1: 0, 2: 10}), ("6.9e", [0, 0], {1: 0, 2: 0})],
    )
    def test_6_9d_e_are_in_the_standings_and_out_again_when_withdrawn(
        self, article: str, scores: list[int], expected: dict[int, int]
    ) -> None:
        async def play(stage: Stage) -> None:
            room, _white, chief = await playing(stage)
            lost: dict[str, Any] = {
                "scores": [0, 5],
                "article": "6.9f",
                "against": "white",
                "reason": "fault",
            }
            assert (await chief.wish("declare_result", FIRST, **lost))["type"] == "done"
            side = {"6.9d": "white", "6.9e": "black"}[article]
            answer = await chief.wish(
                "change_points", FIRST, article=article, side=side, scores=scores, reason="x"
            )
            assert answer["type"] == "done", answer
            await settle()
            found = points(room)
            assert {entry: found[entry] for entry in (1, 2)} == expected
            number = act_number(stage)
            await chief.wish("withdraw", FIRST, corrects=number, reason="wrong board")
            await settle()
            found = points(room)
            assert (found[1], found[2]) == (0, 5)
            board = room.state.board(1, 1)
            assert board is not None
            assert [one.article for one in board.settled] == ["6.9f", article, "6.9f"]

        run(play)

    def test_a_change_that_a_crash_kept_from_the_event_is_taken_once(self) -> None:
        async def play(stage: Stage) -> None:
            _room, white, chief = await playing(stage)
            await white.wish("resign", FIRST)
            await settle()
            stage.store.bad_stream = "event:open"
            answer = await chief.wish(
                "change_points", FIRST, article="6.9e", side="black", scores=[0, 5], reason="x"
            )
            assert answer["type"] == "done", answer
            stage.store.bad_stream = ""
            for _ in range(3):
                after = await restarted(stage)
                found = points(after.hall.events["open"])
                assert (found[1], found[2]) == (0, 5)
                assert len(records(after, ResultTaken)) == 2
                await after.hall.stop()

        run(play)

    def test_a_change_in_a_round_that_is_closed_is_not_lost_in_a_crash(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage, players=2)
            await open_round(stage, room)
            white, black, chief = (stage.connect(one) for one in ("1", "2", CHIEF))
            for client in (white, black, chief):
                await client.join(FIRST)
            await start_round(stage)
            await white.wish("resign", FIRST)
            assert not (await room.ask(CloseRound(by=CHIEF))).objections
            stage.store.bad_stream = "event:open"
            answer = await chief.wish(
                "change_points", FIRST, article="6.9e", side="black", scores=[0, 5], reason="x"
            )
            assert answer["type"] == "done", answer
            stage.store.bad_stream = ""
            for _ in range(2):
                after = await restarted(stage)
                assert points(after.hall.events["open"]) == {1: 0, 2: 5}
                assert len(records(after, ResultTaken)) == 2
                await after.hall.stop()

        run(play)

    def test_what_the_chief_corrected_in_the_event_stands_after_a_restart(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, _chief = await playing(stage)
            await white.wish("resign", FIRST)
            await settle()
            correct = CorrectResult(
                by=CHIEF, round=1, board=1, points=(5, 5), article="5.16", reason="appeal"
            )
            assert not (await room.ask(correct)).objections
            after = await restarted(stage)
            found = points(after.hall.events["open"])
            assert (found[1], found[2]) == (5, 5)
            await after.hall.stop()

        run(play)


class TestPlayedOn:
    """6.8, 11.2 — a game that goes on or begins anew has no result in its event."""

    async def resigned(self, stage: Stage) -> tuple[EventRoom, Client, Client]:
        room = await event(stage, players=2)
        await open_round(stage, room)
        white, black, chief = (stage.connect(one) for one in ("1", "2", CHIEF))
        for client in (white, black, chief):
            await client.join(FIRST)
        await start_round(stage)
        await white.wish("resign", FIRST)
        await settle()
        assert points(room) == {1: 0, 2: 10}
        return room, white, chief

    def test_11_2_the_winner_of_the_new_game_has_the_point_whatever_the_colours_were(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, chief = await playing(stage)
            answer = await chief.wish("correct_colours", FIRST, reason="the other way round")
            assert answer["type"] == "done", answer
            await settle()
            board = room.state.board(1, 1)
            assert board is not None
            assert (board.white, board.black) == (2, 1)
            assert (await chief.wish("start", FIRST))["type"] == "done"
            assert (await white.wish("resign", FIRST))["type"] == "done"
            await settle()
            found = points(room)
            assert (found[1], found[2]) == (0, 10)
            after = await restarted(stage)
            found = points(after.hall.events["open"])
            assert (found[1], found[2]) == (0, 10)
            assert len(records(after, ResultTakenBack)) == 1
            await after.hall.stop()

        run(play)

    @pytest.mark.parametrize(
        ("kind", "fields"),
        [("replay", {}), ("resume_from_position", {"ply": 0, "clocks": [60_000, 60_000]})],
    )
    def test_6_8_its_result_is_taken_back_and_the_round_waits(
        self, kind: str, fields: dict[str, Any]
    ) -> None:
        async def play(stage: Stage) -> None:
            room, white, chief = await self.resigned(stage)
            answer = await chief.wish(kind, FIRST, reason="the server was at fault", **fields)
            assert answer["type"] == "done", answer
            await settle()
            assert points(room) == {1: 0, 2: 0}
            (objection,) = (await room.ask(CloseRound(by=CHIEF))).objections
            assert objection.key == "event.results_missing"
            begin: dict[str, Any] = {"kind": "start"}
            if kind != "replay":
                begin = {"kind": "resume", "reason": "go"}
            assert (await chief.wish(game=FIRST, **begin))["type"] == "done"
            assert (await white.wish("resign", FIRST))["type"] == "done"
            await settle()
            assert points(room) == {1: 0, 2: 10}
            assert not (await room.ask(CloseRound(by=CHIEF))).objections

        run(play)

    def test_6_8_a_crash_does_not_keep_the_result_of_a_game_that_goes_on(self) -> None:
        async def play(stage: Stage) -> None:
            _room, _white, chief = await self.resigned(stage)
            stage.store.bad_stream = "event:open"
            assert (await chief.wish("replay", FIRST, reason="x"))["type"] == "done"
            stage.store.bad_stream = ""
            for _ in range(2):
                after = await restarted(stage)
                assert points(after.hall.events["open"]) == {1: 0, 2: 0}
                assert len(records(after, ResultTakenBack)) == 1
                await after.hall.stop()

        run(play)

    def test_6_8_games_are_played_in_their_round(self) -> None:
        async def play(stage: Stage) -> None:
            room, _white, chief = await self.resigned(stage)
            assert not (await room.ask(CloseRound(by=CHIEF))).objections
            refused = await chief.wish("replay", FIRST, reason="x")
            assert (refused["key"], refused["article"]) == ("hall_live.round_is_over", "6.8")
            assert points(room) == {1: 0, 2: 10}

        run(play)

    def test_6_3_no_result_is_entered_by_hand_while_the_game_goes_on(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, _chief = await playing(stage)
            taken = TakeResult(
                by=CHIEF, round=1, board=1, result=Result((5, 5), (1, 1)), reason="agreed"
            )
            (refused,) = (await room.ask(taken)).objections
            assert (refused.key, refused.article) == ("hall_live.game_goes_on", "6.3")
            (refused,) = (await room.ask(CloseRound(by=CHIEF))).objections
            assert (refused.key, refused.details["boards"]) == ("event.results_missing", (1, 2))
            await white.wish("resign", FIRST)
            await settle()
            assert points(room)[2] == 10

        run(play)

    def test_6_3_a_round_does_not_close_over_a_game_that_goes_on(self) -> None:
        async def play(stage: Stage) -> None:
            room, _white, _chief = await playing(stage, players=2)
            # A log may have a result of a game that goes on: it was once entered by hand.
            taken = TakeResult(by="", round=1, board=1, result=Result((5, 5), (1, 1)))
            assert not (await room.ask(taken)).objections
            (refused,) = (await room.ask(CloseRound(by=CHIEF))).objections
            assert (refused.key, refused.details["boards"]) == ("event.results_missing", (1,))

        run(play)


class TestSanctions:
    @pytest.mark.parametrize(
        ("act", "holds"),
        [
            (
                {"article": "6.9h", "scope": "rounds", "rounds": 1},
                lambda state: state.is_excluded_from(1, 2),
            ),
            (
                {"article": "6.9i", "scope": "tournament"},
                lambda state: state.is_out_of_standings(1) and not state.is_expelled(1),
            ),
            ({"article": "6.9j", "scope": "tournament"}, lambda state: state.is_expelled(1)),
        ],
        ids=["6.9h", "6.9i", "6.9j"],
    )
    def test_6_9h_i_j_hold_in_the_event_until_withdrawn_in_the_game(
        self, act: dict[str, Any], holds: Any
    ) -> None:
        async def play(stage: Stage) -> None:
            room, _white, chief = await playing(stage)
            answer = await chief.wish("exclude", FIRST, side="white", reason="fault", **act)
            assert answer["type"] == "done", answer
            await settle()
            assert holds(room.state)
            await chief.wish("withdraw", FIRST, corrects=act_number(stage), reason="no")
            await settle()
            assert not holds(room.state)
            (lifted,) = records(stage, SanctionLifted)
            assert (lifted.by, getattr(lifted, "reason", "")) == (CHIEF, "no")

        run(play)

    def test_a_crash_loses_neither_a_sanction_nor_its_withdrawal_and_doubles_none(self) -> None:
        async def play(stage: Stage) -> None:
            _room, _white, chief = await playing(stage)
            stage.store.bad_stream = "event:open"
            await chief.wish(
                "exclude", FIRST, article="6.9j", side="white", scope="tournament", reason="x"
            )
            stage.store.bad_stream = ""
            for _ in range(2):
                after = await restarted(stage)
                state = after.hall.events["open"].state
                assert state.is_expelled(1)
                assert len(state.sanctions) == 1
                await after.hall.stop()
            after = await restarted(stage)
            again = after.connect(CHIEF)
            await again.join(FIRST)
            after.store.bad_stream = "event:open"
            number = next(
                act.number for act in after.hall.rooms[FIRST].state.acts if act.concerns == "1"
            )
            answer = await again.wish("withdraw", FIRST, id="w", corrects=number, reason="no")
            assert answer["type"] == "done", answer
            after.store.bad_stream = ""
            await after.hall.stop()
            for _ in range(2):
                last = await restarted(stage)
                state = last.hall.events["open"].state
                assert not state.is_expelled(1)
                assert (len(state.sanctions), state.lifted) == (1, frozenset({1}))
                await last.hall.stop()

        run(play)

    def test_a_sanction_lifted_in_the_event_is_withdrawn_in_its_game(self) -> None:
        async def play(stage: Stage) -> None:
            room, _white, chief = await playing(stage)
            await chief.wish("block_chat", FIRST, side="white", reason="words")
            await settle()
            game = stage.hall.rooms[FIRST]
            assert game.state.white.chat_blocked
            await room.ask(LiftSanction(by=CHIEF, number=1, reason="appeal"))
            await settle()
            assert not game.state.white.chat_blocked
            assert len(records(stage, SanctionLifted)) == 1

        run(play)

    def test_6_3_an_assistants_warning_holds_wherever_the_player_sits_next(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            await open_round(stage, room)
            players = {one: stage.connect(one) for one in ("1", "2", "3", "4")}
            for number, client in players.items():
                await client.join(FIRST if number in "12" else SECOND)
            helper = stage.connect(HELPER)
            await helper.join(SECOND)
            await start_round(stage)
            await players["1"].wish("resign", FIRST)
            await players["3"].wish("resign", SECOND)
            await settle()
            for command in (
                CloseRound(by=CHIEF),
                PairByHand(by=CHIEF, boards=((3, 1), (2, 4)), reason="by hand"),
            ):
                assert not (await room.ask(command)).objections
            warned = await helper.wish("warn", SECOND, side="white", reason="shouted")
            assert warned["type"] == "done", warned
            await settle()
            assert [(one.entry, one.article) for one in room.state.sanctions] == [(3, "6.9a")]

        run(play)
