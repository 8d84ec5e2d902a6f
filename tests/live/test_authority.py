"""What arbiters may do at a board, and what the rules of their event make of it."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from arrocco.hall.event.acts.closing import CloseEvent, Validate
from arrocco.hall.event.acts.rounds import CloseRound
from arrocco.hall.event.rules import Supervision
from arrocco.hall.game import Phase
from arrocco.laws.online.sanctions import ArbiterSanction
from tests.live.carried import FIRST, SECOND, act_number, playing, points, restarted
from tests.live.stage import (
    CHIEF,
    HELPER,
    Stage,
    event,
    open_round,
    run,
    settle,
    start_round,
)


class TestAuthority:
    @pytest.mark.parametrize(
        ("kind", "fields"),
        [
            ("fine", {"side": "white", "cents": 100}),
            ("exclude", {"side": "white", "article": "6.9j", "scope": "tournament"}),
            ("change_points", {"side": "white", "article": "6.9e", "scores": [0, 5]}),
            ("declare_result", {"against": "white", "article": "6.9f", "scores": [0, 10]}),
        ],
    )
    def test_6_3_an_assistant_leaves_sanctions_on_points_and_exclusions_to_the_chief(
        self, kind: str, fields: dict[str, Any]
    ) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage, announced_fine=5000)
            await open_round(stage, room)
            await start_round(stage)
            helper = stage.connect(HELPER)
            await helper.join(SECOND)
            refused = await helper.wish(kind, SECOND, reason="x", **fields)
            assert (refused["key"], refused["article"]) == ("event.for_the_chief", "6.3")
            warned = await helper.wish("warn", SECOND, side="white", reason="x")
            assert warned["type"] == "done"
            await settle()
            assert [sanction.article for sanction in room.state.sanctions] == ["6.9a"]

        run(play)

    def test_3_2_a_game_nobody_came_to_has_the_scores_of_a_forfeit_in_both(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage, players=2)
            await open_round(stage, room)
            white, chief = stage.connect("1"), stage.connect(CHIEF)
            for client in (white, chief):
                await client.join(FIRST)
            await start_round(stage)
            await white.wish("move", FIRST, uci="e2e4", ply=0)
            await stage.time.pass_by(5 * 60_000 + 1)
            await settle()
            assert points(room) == {1: 10, 2: 0}
            drawn: dict[str, Any] = {"scores": [5, 5], "article": "5.16", "reason": "appeal"}
            refused = await chief.wish("correct_result", FIRST, **drawn)
            assert refused["key"] == "event.not_a_forfeit"
            assert points(room) == {1: 10, 2: 0}

        run(play)

    def test_12_9_validated_standings_change_by_appeal_only(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage, players=2, rounds=1)
            await open_round(stage, room)
            white, black, chief = (stage.connect(one) for one in ("1", "2", CHIEF))
            for client in (white, black, chief):
                await client.join(FIRST)
            await start_round(stage)
            await white.wish("resign", FIRST)
            for command in (CloseRound(by=CHIEF), CloseEvent(by=CHIEF)):
                assert not (await room.ask(command)).objections
            await stage.time.pass_by(3 * 3_600_000)
            assert not (await room.ask(Validate(by=CHIEF))).objections
            given: dict[str, Any] = {
                "side": "black",
                "scores": [0, 5],
                "article": "6.9e",
                "reason": "x",
            }
            refused = await chief.wish("change_points", FIRST, **given)
            assert (refused["key"], refused["article"]) == ("event.is_validated", "12.9")
            appeal: dict[str, Any] = {"scores": [5, 5], "article": "5.16", "reason": "appeal"}
            assert (await chief.wish("correct_result", FIRST, **appeal))["type"] == "done"
            await settle()
            assert points(room) == {1: 5, 2: 5}

        run(play)

    @pytest.mark.parametrize(
        ("kind", "fields"),
        [
            ("warn", {"side": "white", "article": "9.2", "card": "yellow"}),
            ("declare_result", {"against": "white", "article": "9.2", "scores": [0, 10]}),
        ],
    )
    def test_9_2_cards_only_where_the_events_rules_have_them(
        self, kind: str, fields: dict[str, Any]
    ) -> None:
        async def play(stage: Stage, cards: bool) -> None:
            _room, _white, chief = await playing(stage, cards=cards)
            answer = await chief.wish(kind, FIRST, reason="off the conference", **fields)
            expected = None if cards else "hall_live.no_cards"
            assert answer.get("key") == expected

        for cards in (True, False):
            run(partial(play, cards=cards))

    @pytest.mark.parametrize(("red_from", "yellow"), [(None, 1), (1, 0), (3, 2)])
    def test_9_2_cards_turn_red_when_the_rules_say_or_the_second_time(
        self, red_from: int | None, yellow: int
    ) -> None:
        async def play(stage: Stage) -> None:
            room, _white, chief = await playing(stage, cards=True, red_card_from=red_from)
            card: dict[str, Any] = {"article": "9.2", "reason": "off the conference"}
            for _ in range(yellow):
                answer = await chief.wish("warn", FIRST, side="white", **card)
                assert answer["type"] == "done", answer
            refused = await chief.wish("warn", FIRST, side="white", **card)
            assert (refused["key"], refused["article"]) == ("hall_live.card_is_red", "9.2")
            if yellow:
                # The opponent's are counted apart, and one that was withdrawn is none.
                assert (await chief.wish("warn", FIRST, side="black", **card))["type"] == "done"
                number = stage.hall.rooms[FIRST].state.acts[0].number
                await chief.wish("withdraw", FIRST, corrects=number, reason="not their fault")
                assert (await chief.wish("warn", FIRST, side="white", **card))["type"] == "done"
            red = {**card, "against": "white", "scores": [0, 10]}
            assert (await chief.wish("declare_result", FIRST, **red))["type"] == "done"
            await settle()
            assert points(room)[2] == 10

        run(play)

    def test_6_3_12_7_a_loss_is_the_chiefs_to_declare_under_whatever_article(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage, cards=True)
            await open_round(stage, room)
            await start_round(stage)
            helper = stage.connect(HELPER)
            await helper.join(SECOND)
            for article in ("5.9", "5.10", "6.9f", "9.2", "13.3"):
                lost: dict[str, Any] = {"against": "white", "scores": [0, 10], "reason": "x"}
                refused = await helper.wish("declare_result", SECOND, article=article, **lost)
                assert (refused["key"], refused["article"]) == ("event.for_the_chief", "6.3")
            yellow: dict[str, Any] = {"side": "white", "article": "9.2", "reason": "x"}
            assert (await helper.wish("warn", SECOND, **yellow))["type"] == "done"
            number = act_number(stage, SECOND)
            answer = await helper.wish("withdraw", SECOND, corrects=number, reason="no")
            assert answer["type"] == "done"

        run(play)

    def test_5_9_a_milder_sanction_of_the_rules_is_in_the_place_of_the_loss(self) -> None:
        async def play(stage: Stage, milder: ArbiterSanction | None) -> None:
            _room, _white, chief = await playing(stage, device_sanction=milder)
            fields: dict[str, Any] = {"against": "white", "article": "5.9", "scores": [0, 10]}
            answer = await chief.wish("declare_result", FIRST, reason="a telephone", **fields)
            expected = None if milder is None else "hall_live.milder_sanction"
            assert answer.get("key") == expected
            if milder is not None:
                assert "6.9c" in answer["text"]

        for milder in (None, ArbiterSanction.LESS_TIME):
            run(partial(play, milder=milder))

    def test_12_7_a_final_loss_stands_against_an_appeal_at_the_board_too(self) -> None:
        async def play(stage: Stage, final: tuple[ArbiterSanction, ...]) -> None:
            room, _white, chief = await playing(stage, final_decisions=final)
            lost: dict[str, Any] = {"against": "white", "article": "6.9f", "scores": [0, 10]}
            assert (await chief.wish("declare_result", FIRST, reason="x", **lost))["type"] == "done"
            await settle()
            appeal: dict[str, Any] = {"scores": [5, 5], "article": "5.16", "reason": "appeal"}
            answer = await chief.wish("correct_result", FIRST, **appeal)
            await settle()
            found = points(room)
            if final:
                assert (answer["key"], answer["article"]) == ("hall.decision_is_final", "12.7")
                assert (found[1], found[2]) == (0, 10)
            else:
                assert (found[1], found[2]) == (5, 5)

        for final in ((), (ArbiterSanction.GAME_LOST,)):
            run(partial(play, final=final))

    def test_1_2_6_6_nobody_with_a_part_in_the_event_moves_for_a_player(self) -> None:
        async def play(stage: Stage) -> None:
            _room, _white, chief = await playing(stage)
            allow: dict[str, Any] = {"side": "white", "reason": "a broken arm"}
            for one in (HELPER, CHIEF, "3"):
                refused = await chief.wish("allow_assistant", FIRST, assistant=one, **allow)
                assert (refused["key"], refused["article"]) == ("hall.assistant_not_free", "1.2")
            allowed = await chief.wish("allow_assistant", FIRST, assistant="77", **allow)
            assert allowed["type"] == "done"

        run(play)


class TestRules:
    def test_11_1_a_call_stops_the_clocks_and_the_arbiter_has_them_run_again(self) -> None:
        async def play(stage: Stage) -> None:
            _room, white, chief = await playing(stage, call_stops_clocks=True)
            await stage.time.pass_by(10_000)
            assert (await white.wish("call_arbiter", FIRST, text="help"))["type"] == "done"
            game = stage.hall.rooms[FIRST]
            assert game.state.phase is Phase.PAUSED
            await stage.time.pass_by(3_600_000)
            assert game.state.clock.white == 170_000
            move = await white.wish("move", FIRST, uci="e2e4", ply=0)
            assert move["key"] == "hall.paused"
            call = game.state.calls[0].number
            await chief.wish("answer_call", FIRST, call=call, founded=True, reason="heard")
            assert (await chief.wish("resume", FIRST, reason="go on"))["type"] == "done"
            assert (await white.wish("move", FIRST, uci="e2e4", ply=0))["type"] == "done"

        run(play)

    def test_the_rules_hold_after_a_restart(self) -> None:
        async def play(stage: Stage) -> None:
            await playing(stage, call_stops_clocks=True, premoves=False)
            after = await restarted(stage)
            white, black, chief = (after.connect(one) for one in ("1", "2", CHIEF))
            for client in (white, black, chief):
                await client.join(FIRST)
            await chief.wish("resume", FIRST, reason="go on")
            refused = await black.wish("set_premove", FIRST, uci="e7e5", ply=1)
            assert (refused["key"], refused["article"]) == ("hall_live.no_premoves", "1.2a")
            await white.wish("call_arbiter", FIRST)
            assert after.hall.rooms[FIRST].state.phase is Phase.PAUSED
            await after.hall.stop()

        run(play)

    def test_9_1_the_arbiter_tells_who_of_the_sample_is_in_the_video_conference(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage, supervision=Supervision.FULL, rounds=1)
            await open_round(stage, room)
            white, black, chief = (stage.connect(one) for one in ("1", "2", CHIEF))
            for client in (white, black, chief):
                await client.join(FIRST)
            await start_round(stage)
            refused = await white.wish("move", FIRST, uci="e2e4", ply=0)
            assert (refused["key"], refused["article"]) == ("hall.off_vcs", "9.1f")
            assert (await white.wish("set_vcs", FIRST, side="white", on=True))["type"] == "refused"
            assert (await chief.wish("set_vcs", FIRST, side="white", on=True))["type"] == "done"
            assert (await white.wish("move", FIRST, uci="e2e4", ply=0))["type"] == "done"

        run(play)
