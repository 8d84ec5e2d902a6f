"""A result that is corrected is the same everywhere: in the event, in the game and in its PGN."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace

from arrocco.hall.event.acts import Command
from arrocco.hall.event.acts.closing import CloseEvent, Validate
from arrocco.hall.event.acts.committee import CarryOutDecision
from arrocco.hall.event.acts.results import CorrectResult
from arrocco.hall.event.acts.rounds import CloseRound
from arrocco.hall.event.acts.sanctions import Impose, LiftSanction
from arrocco.hall.game import to_pgn
from arrocco.hall.game.view import end_key
from arrocco.laws.online.sanctions import Scope
from arrocco.live.event_games import Game
from arrocco.live.event_room import EventRoom
from arrocco.live.game_messages import EXPELLED
from arrocco.live.journal import Record
from arrocco.live.receipts import Receipt, digest_of
from arrocco.office.roles import Asker
from arrocco.records.report import GameKind
from tests.hall.event.desk import as_decided
from tests.live.carried import FIRST, playing, points, restarted
from tests.live.stage import CHIEF, Client, MemoryLog, Stage, run, settle


def corrected(score: tuple[int, int], article: str, **more: Any) -> CorrectResult:
    return CorrectResult(
        by=CHIEF, round=1, board=1, points=score, article=article, reason="as seen", **more
    )


async def resigned(stage: Stage) -> tuple[EventRoom, Client]:
    """White has resigned at the only board."""
    room, white, chief = await playing(stage, players=2)
    await white.wish("resign", FIRST)
    await settle()
    assert points(room) == {1: 0, 2: 10}
    return room, chief


async def granted(room: EventRoom, command: Command) -> None:
    assert not (await room.ask(command)).objections
    await settle()


def game_scores(stage: Stage) -> tuple[int, int]:
    outcome = stage.hall.rooms[FIRST].state.outcome
    assert outcome is not None
    return outcome.scores


class SlowForEvents(MemoryLog):
    """A log in which what is written of an event waits while the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.may_write = threading.Event()
        self.may_write.set()

    def append(self, records: Sequence[Record]) -> None:
        if any(record.stream.startswith("event:") for record in records):
            self.may_write.wait(5)
        super().append(records)


def test_5_16_a_correction_reaches_a_game_whose_end_is_being_written() -> None:
    async def play() -> None:
        log = SlowForEvents()
        stage = Stage(log)
        room, white, _ = await playing(stage, players=2)
        log.may_write.clear()
        white.say(type="wish", id="resigns", game=FIRST, wish={"type": "resign"})
        while stage.hall.rooms[FIRST].state.outcome is None:
            await asyncio.sleep(0.001)
        correcting = asyncio.ensure_future(room.ask(corrected((5, 5), "5.16")))
        await asyncio.sleep(0.03)
        log.may_write.set()
        assert not (await correcting).objections
        await settle()
        assert points(room) == {1: 5, 2: 5}
        assert game_scores(stage) == (5, 5)
        await stage.hall.stop()

    asyncio.run(play())


def test_5_16_a_correction_reaches_a_game_of_whose_end_the_event_has_not_heard_yet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def play(stage: Stage) -> None:
        room, _, chief = await playing(stage, players=2)
        take, is_told, tellings = room.take, asyncio.Event(), count()

        async def take_late(game: Game) -> None:
            if next(tellings) == 0:
                await is_told.wait()
            await take(game)

        monkeypatch.setattr(room, "take", take_late)
        wish = {"type": "declare_result", "scores": [10, 0], "against": "black", "article": "6.9f"}
        chief.say(type="wish", id="one", game=FIRST, wish={**wish, "reason": "an engine"})
        while stage.hall.rooms[FIRST].state.outcome is None:
            await asyncio.sleep(0.001)
        assert not (await room.ask(corrected((0, 10), "5.16"))).objections
        is_told.set()
        await settle()
        assert game_scores(stage) == (0, 10)
        assert points(room) == {1: 0, 2: 10}

    run(play)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (corrected((5, 5), "5.16"), "hall.end.appeal"),
        (corrected((10, 0), "C.04.2 4.3"), "hall.end.corrected"),
        (corrected((5, 0), "13.3", against=2), "hall.end.committee"),
    ],
    ids=["5.16", "wrongly taken", "13.3"],
)
def test_5_16_13_3_a_correction_on_the_event_page_reaches_the_game(
    command: CorrectResult, told: str
) -> None:
    async def play(stage: Stage) -> None:
        room, _ = await resigned(stage)
        await granted(room, command)
        game = stage.hall.rooms[FIRST].state
        assert game.outcome is not None
        assert game.outcome.scores == command.points
        assert end_key(game.outcome) == told
        assert '[Termination "adjudication"]' in to_pgn(game)
        assert points(room) == dict(zip((1, 2), command.points, strict=True))
        after = await restarted(stage)
        assert points(after.hall.events["open"]) == points(room)
        await after.hall.stop()

    run(play)


def test_11_3_what_the_game_refuses_the_event_does_not_have_either() -> None:
    async def play(stage: Stage) -> None:
        room, _ = await resigned(stage)
        (refused,) = (await room.ask(corrected((5, 5), "11.3"))).objections
        assert (refused.key, refused.article) == ("hall.no_draw_to_declare", "11.3")
        forfeit = corrected((10, 0), "5.16", kind=GameKind.FORFEIT)
        (refused,) = (await room.ask(forfeit)).objections
        assert refused.key == "hall_live.kind_of_game"
        assert points(room) == {1: 0, 2: 10}
        assert game_scores(stage) == (0, 10)

    run(play)


def test_6_9f_a_sanction_on_points_reaches_the_game_and_is_lifted_there() -> None:
    async def play(stage: Stage) -> None:
        room, _ = await resigned(stage)
        given: dict[str, Any] = {"article": "6.9f", "entry": 2, "reason": "an engine", "round": 1}
        await granted(room, Impose(by=CHIEF, **given, points=(0, 0)))
        assert points(room) == {1: 0, 2: 0}
        assert game_scores(stage) == (0, 0)
        (sanction,) = room.state.sanctions
        assert (sanction.article, sanction.game) == ("6.9f", FIRST)
        await granted(room, LiftSanction(by=CHIEF, number=1, reason="a mistake"))
        assert points(room) == {1: 0, 2: 10}
        assert game_scores(stage) == (0, 10)

    run(play)


def test_12_9_after_validation_nothing_turns_a_result_but_an_appeal() -> None:
    async def play(stage: Stage) -> None:
        room, chief = await resigned(stage)
        given: dict[str, Any] = {"article": "6.9f", "entry": 2, "reason": "an engine", "round": 1}
        await granted(room, Impose(by=CHIEF, **given, points=(0, 0)))
        await granted(room, CloseRound(by=CHIEF))
        await granted(room, CloseEvent(by=CHIEF, reason="enough"))
        await stage.time.pass_by(2 * 3600 * 1000 + 1)
        await granted(room, Validate(by=CHIEF))
        lift = LiftSanction(by=CHIEF, number=1, reason="upheld")
        (refused,) = (await room.ask(lift)).objections
        assert (refused.key, refused.article) == ("event.is_validated", "12.9")
        withdrawn = await chief.wish(
            "withdraw", FIRST, corrects=room.state.sanctions[0].act, reason="x"
        )
        assert (withdrawn["key"], withdrawn["article"]) == ("event.is_validated", "12.9")
        assert points(room) == {1: 0, 2: 0}
        appeal = LiftSanction(by=CHIEF, number=1, reason="upheld", article="5.16")
        await granted(room, appeal)
        assert points(room) == {1: 0, 2: 10}

    run(play)


def test_12_7_what_the_committee_decided_no_arbiter_withdraws() -> None:
    async def play(stage: Stage) -> None:
        room, chief = await resigned(stage)
        await granted(room, corrected((0, 0), "13.3", against=2))
        number = stage.hall.rooms[FIRST].state.acts[-1].number
        refused = await chief.wish("withdraw", FIRST, corrects=number, reason="x")
        assert (refused["key"], refused["article"]) == ("event.of_the_committee", "12.7")

    run(play)


@pytest.mark.parametrize("article", ["6.9j", "13.5c"])
def test_6_9j_13_5c_who_is_expelled_while_playing_has_lost_and_is_sent_away(article: str) -> None:
    async def play(stage: Stage) -> None:
        room, white, _chief = await playing(stage, players=2)
        expel = Impose(
            by=CHIEF, article=article, entry=1, reason="a device", scope=Scope.TOURNAMENT
        )
        await granted(room, as_decided(expel))
        outcome = stage.hall.rooms[FIRST].state.outcome
        assert outcome is not None
        assert (outcome.scores, outcome.article) == ((0, 10), article)
        assert white.connection.close_code == EXPELLED
        board = room.state.board(1, 1)
        assert board is not None
        assert board.result is not None
        assert board.result.points == (0, 10)

    run(play)


def test_12_13_at_the_board_too_nothing_is_given_for_the_fault_of_the_excluded() -> None:
    async def play(stage: Stage) -> None:
        room, chief = await resigned(stage)
        out = Impose(by=CHIEF, article="6.9i", entry=2, reason="x", scope=Scope.TOURNAMENT)
        await granted(room, out)
        refused = await chief.wish(
            "correct_result", FIRST, scores=[10, 0], against="black", article="6.9f", reason="x"
        )
        assert (refused["key"], refused["article"]) == ("event.opponent_of_excluded", "12.13")

    run(play)


def test_13_3_13_5_at_the_board_too_the_chief_alone_decides_nothing_of_the_committee() -> None:
    async def play(stage: Stage) -> None:
        room, chief = await resigned(stage)

        async def tried(article: str) -> tuple[str, str]:
            lost: dict[str, Any] = {"scores": [0, 0], "against": "black", "reason": "an engine"}
            answer = await chief.wish("correct_result", FIRST, article=article, **lost)
            return answer.get("key", answer["type"]), answer.get("article", "")

        assert await tried("13.5b") == ("event.committee_imposes", "13.5")
        await granted(room, CloseRound(by=CHIEF))
        assert await tried("13.3") == ("event.committee_signs", "13.3")
        assert points(room) == {1: 0, 2: 10}
        together = CarryOutDecision(by="", case=1, correct=corrected((0, 0), "13.3", against=2))
        socket = await room.ask_as(Asker(), together)
        assert [one.key for one in socket.objections] == ["event.only_on_pages"]
        await granted(room, together)
        assert points(room) == {1: 0, 2: 0}
        assert game_scores(stage) == (0, 0)

    run(play)


def test_13_3_the_chief_alone_declares_the_round_lost_that_is_played() -> None:
    async def play(stage: Stage) -> None:
        room, chief = await resigned(stage)
        lost: dict[str, Any] = {"scores": [0, 0], "against": "black", "reason": "an engine"}
        answer = await chief.wish("correct_result", FIRST, article="13.3", **lost)
        assert answer["type"] == "done", answer
        await settle()
        assert points(room) == {1: 0, 2: 0}

    run(play)


def test_13_5b_the_committees_score_is_decided_in_its_game() -> None:
    async def play(stage: Stage) -> None:
        room, _ = await resigned(stage)
        await granted(room, CloseRound(by=CHIEF))
        impose = Impose(by="900", article="13.5b", entry=2, reason="caso 1", round=1, points=(5, 0))
        refused = await room.ask(replace(impose, by=CHIEF))
        assert [one.key for one in refused.objections] == ["event.committee_imposes"]
        await granted(room, as_decided(impose))
        assert game_scores(stage) == (5, 0)
        assert [(one.article, one.by) for one in room.state.sanctions] == [("13.5b", "900")]

    run(play)


@pytest.mark.parametrize(
    "command",
    [
        corrected((5, 5), "5.16"),
        Impose(by=CHIEF, article="6.9f", entry=2, reason="an engine", round=1, points=(0, 0)),
        CarryOutDecision(by="", case=1, correct=corrected((0, 0), "13.3", against=2)),
    ],
    ids=["correction", "sanction", "committee"],
)
def test_a_correction_that_comes_twice_was_done_before(command: Command) -> None:
    """A page that heard no answer sends the same again: it is told that it was done."""

    async def play(stage: Stage) -> None:
        room, _ = await resigned(stage)
        receipt = Receipt(CHIEF, "same", digest_of(command))
        outcome = await room.ask(command, receipt)
        assert (outcome.objections, outcome.again) == ((), False)
        await settle()
        before = (points(room), room.state.number, stage.hall.rooms[FIRST].state.number)
        outcome = await room.ask(command, receipt)
        assert (outcome.objections, outcome.again) == ((), True)
        await settle()
        assert (points(room), room.state.number, stage.hall.rooms[FIRST].state.number) == before
        after = await restarted(stage)
        again = await after.hall.events["open"].ask(command, receipt)
        assert (again.objections, again.again) == ((), True)
        other = await room.ask(command, Receipt(CHIEF, "same", "of another"))
        assert [one.key for one in other.objections] == ["hall_live.id_reused"]
        await after.hall.stop()

    run(play)
