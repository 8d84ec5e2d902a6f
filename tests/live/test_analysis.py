"""Whether mate is possible: asked once, in time for a flag, and never in the way of a move."""

from __future__ import annotations

import asyncio
import threading

import chess
import pytest
from msgspec.structs import replace

from arrocco.hall.game import Phase
from arrocco.hall.game.position import Board, key
from arrocco.hall.game.records import Reason
from arrocco.live import analysis
from arrocco.live.analysis import Answer, Thinking, judged, thinking_process
from arrocco.live.room import Room
from arrocco.live.wakeup import THINK_AHEAD
from tests.live.stage import Stage, by_material, run, seated, settle

LAST_KNIGHT = "8/8/8/8/8/1k6/3n4/4K3 w - - 0 1"
DEAD = "8/8/4k3/8/8/3BK3/8/8 w - - 0 1"


def test_a_question_asked_by_many_is_thought_about_once() -> None:
    asked: list[str] = []

    def think(fen: str, color: chess.Color) -> Answer:
        asked.append(fen)
        return Answer(True)

    async def scene() -> None:
        thinking = Thinking(think)
        board = chess.Board()
        answers = await asyncio.gather(*(thinking.answer(board, chess.WHITE) for _ in range(20)))
        assert set(answers) == {Answer(True)}
        assert await thinking.answer(board, chess.WHITE) == Answer(True)
        thinking.close()

    asyncio.run(scene())
    assert len(asked) == 1


def test_an_analysis_that_fails_is_not_known() -> None:
    def think(fen: str, color: chess.Color) -> Answer:
        raise ValueError(fen)

    async def scene() -> None:
        thinking = Thinking(think)
        assert await thinking.answer(chess.Board(), chess.WHITE) == Answer(None)
        assert not await thinking.is_dead(chess.Board(DEAD))
        thinking.close()

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("fen", "has_proof"),
    [
        ("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", False),
        ("8/8/8/4k3/8/8/8/4KR2 w - - 0 1", False),
        ("8/5p2/8/4k3/8/8/2N5/4K3 w - - 0 1", True),
        (DEAD, True),
    ],
    ids=["after 1.e4 e5", "a rook", "a knight against a pawn", "dead"],
)
def test_1_3_4_a_proof_is_given_only_where_somebody_could_doubt(fen: str, has_proof: bool) -> None:
    assert bool(judged(fen, chess.WHITE).proof) is has_proof


def test_another_process_gives_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "LONGEST", 120.0)  # the process starts on a busy machine too

    async def scene() -> None:
        thinking = thinking_process()
        board = chess.Board(DEAD)
        assert await thinking.is_dead(board)
        assert await thinking.answer(board, chess.WHITE) == judged(board.fen(), chess.WHITE)
        thinking.close()

    asyncio.run(scene())


def test_2_2d_one_position_is_wondered_about_at_a_time_and_of_each_game_the_last() -> None:
    asked: list[str] = []

    def think(fen: str, color: chess.Color) -> Answer:
        asked.append(fen)
        return Answer(False)

    async def scene() -> None:
        thinking, dead = Thinking(think), []
        boards = [
            chess.Board(f"8/8/4k3/8/8/3K4/8/{where} w - - 0 1") for where in ["1N6", "2N5", "3N4"]
        ]
        gone, game = object(), object()
        for board in boards:
            thinking.analyse(game, board, lambda: dead.append("game"))
        thinking.analyse(gone, chess.Board(DEAD), lambda: dead.append("gone"))
        thinking.stop_analysing(gone)
        while not dead or thinking._analysing is not None:
            await asyncio.sleep(0.01)
        assert dead == ["game"]
        assert asked == [boards[-1].fen()] * 2  # for both sides
        thinking.close()

    asyncio.run(scene())


def test_2_2d_what_is_plain_at_a_glance_is_not_asked() -> None:
    asked: list[str] = []

    def think(fen: str, color: chess.Color) -> Answer:
        asked.append(fen)
        return Answer(None)

    async def scene() -> None:
        thinking = Thinking(think, quick_check=lambda board, color: bool(board.rooks))
        thinking.analyse("plain", chess.Board("8/8/4k3/8/8/3K4/8/R7 w - - 0 1"), asked.clear)
        assert thinking._analysing is None
        thinking.analyse("not", chess.Board(DEAD), asked.clear)
        while thinking._analysing is not None:
            await asyncio.sleep(0.01)
        assert asked == [chess.Board(DEAD).fen()]
        thinking.close()

    asyncio.run(scene())


def put(room: Room, fen: str) -> None:
    """Sets up a position, as no log could."""
    board = Board(fen)
    room.state = replace(room.state, board=board, seen={key(board): 1})


def test_a_move_into_a_dead_position_is_played_at_once_and_then_ends_the_game() -> None:
    async def play(stage: Stage) -> None:
        room, white, black, _ = await seated(stage)
        put(room, LAST_KNIGHT)
        assert (await white.wish("move", uci="e1d2", ply=0))["type"] == "done"
        await settle()
        assert room.state.outcome is not None
        assert room.state.outcome.reason is Reason.DEAD_POSITION
        assert room.state.outcome.proof == "material\nmaterial"
        await black.hear()
        kinds = [one["type"] for one in black.heard]
        assert kinds[-2:] == ["update", "view"], "the move first, then the end"

    run(play)


def test_a_position_taken_back_while_it_was_thought_about_ends_nothing() -> None:
    async def play(stage: Stage) -> None:
        gate = threading.Event()

        def think(fen: str, color: chess.Color) -> Answer:
            gate.wait(5)
            return by_material(fen, color)

        stage.hall.services.thinking._think = think
        room, white, _, _ = await seated(stage)
        put(room, LAST_KNIGHT)
        white.say(type="wish", id="m", game=room.id, wish={"type": "move", "uci": "e1d2", "ply": 0})
        while room.state.ply == 0:
            await asyncio.sleep(0.001)
        put(room, chess.STARTING_FEN)
        gate.set()
        await settle()
        assert room.state.outcome is None

    run(play)


def test_what_a_flag_will_ask_is_known_before_it_falls() -> None:
    asked: list[int] = []

    async def play(stage: Stage) -> None:
        def think(fen: str, color: chess.Color) -> Answer:
            asked.append(stage.time.now())
            return Answer(True)

        stage.hall.services.thinking._think = think
        room, _, _, _ = await seated(stage, control="60+0")
        start = stage.time.now()
        await stage.time.pass_by(60_000)
        assert room.state.phase is Phase.ENDED
        assert asked == [start + 60_000 - THINK_AHEAD]

    run(play)
