"""The compiled search does what the judge does in Python, position by position."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import which

import chess
import pytest

from arrocco.hall.unwinnable import analysis, mates_by_quick_check, search, verdict
from arrocco.hall.unwinnable.analysis import analyse
from arrocco.hall.unwinnable.core import build
from arrocco.hall.unwinnable.guides import NEAR_THE_KING, TO_THE_CORNER
from arrocco.hall.unwinnable.position import Position, from_board
from arrocco.hall.unwinnable.reach import saturate
from arrocco.hall.unwinnable.search import Budget, Search
from arrocco.hall.unwinnable.targets import find_goals
from arrocco.hall.unwinnable.tempo import Tempo
from tests.hall.unwinnable.positions import known
from tests.judge.unwinnable import search as judge
from tests.judge.unwinnable.opening import Opening
from tests.judge.unwinnable.potential import Potential
from tests.judge.unwinnable.race import Race
from tests.judge.unwinnable.walk import Walk

KNOWN = known()

AnyGuide = Potential | Race | Opening | Walk
STEPS = (700, 1_500, 2_500)
"""Work of one search, in parts: it has to go on where it stopped."""

MANY_MOVES = "QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/k1K4Q/5QQQ b - - 0 1"
CASTLING = "r3k2r/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/R3K2R w KQkq - 0 1"
IN_PASSING = "4k3/8/8/8/3Pp3/8/8/4K2R b - d3 0 1"


def guides(position: Position) -> Iterator[Callable[[], AnyGuide]]:
    """Every guide there is, made anew each time: they remember."""
    reach = saturate(position)
    yield lambda: Potential(TO_THE_CORNER)
    yield lambda: Potential(NEAR_THE_KING)
    yield lambda: Race(position, True)
    yield lambda: Race(position, False)
    yield lambda: Opening(reach, white=True)
    yield lambda: Opening(reach, white=False)
    for goal in find_goals(reach, Budget(2_000), 2):
        yield lambda goal=goal: Walk(goal, reach)  # type: ignore[misc]


def assert_alike(position: Position, guide: Callable[[], AnyGuide]) -> None:
    plain_tempo, tempo = Tempo(), Tempo()
    plain = judge.Search(position, guide(), plain_tempo)
    fast = Search(position, guide(), tempo)
    for work in STEPS:
        plain_budget, budget = Budget(work), Budget(work)
        plain.go_on(plain_budget)
        fast.go_on(budget)
        assert fast.line == plain.line
        assert fast.exhausted == plain.exhausted
        assert (fast.positions, fast.seen) == (plain.positions, plain.seen)
        assert budget.left == plain_budget.left
        assert [tempo.is_locked(side) for side in (False, True)] == [
            plain_tempo.is_locked(side) for side in (False, True)
        ]
        if plain.line is not None:
            return


@pytest.mark.parametrize("number", range(len(KNOWN)))
def test_every_guide_looks_at_the_same_positions_in_the_same_order(number: int) -> None:
    board = chess.Board(KNOWN[number].fen)
    for side in chess.COLORS:
        position = from_board(board, side)
        for guide in guides(position):
            assert_alike(position, guide)


@pytest.mark.parametrize("fen", [MANY_MOVES, CASTLING, IN_PASSING])
def test_castling_passing_and_crowds_are_alike_too(fen: str) -> None:
    board = chess.Board(fen)
    for side in chess.COLORS:
        position = from_board(board, side)
        assert_alike(position, lambda: Potential(TO_THE_CORNER))
        assert_alike(position, lambda: Potential(NEAR_THE_KING))


@pytest.mark.parametrize("number", range(0, len(KNOWN), 2))
def test_a_verdict_is_that_of_the_judge(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "WORK", 30_000)
    position = from_board(chess.Board(KNOWN[number].fen), chess.WHITE)
    fast = analyse(position)
    for name, judged in {
        "Search": judge.Search,
        "Potential": Potential,
        "Race": Race,
        "Opening": Opening,
        "Walk": Walk,
    }.items():
        monkeypatch.setattr(analysis, name, judged)
    assert analyse(position) == fast


@pytest.mark.parametrize("number", range(len(KNOWN)))
def test_without_a_core_nothing_is_said_that_is_not_so(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = KNOWN[number]
    board = chess.Board(known.fen)
    monkeypatch.setattr(analysis, "find_core", lambda: None)
    for side, answer in ((chess.WHITE, known.white), (chess.BLACK, known.black)):
        assert analyse(from_board(board, side)).can_mate in (None, answer)


@pytest.mark.parametrize("number", range(len(KNOWN)))
def test_a_glance_never_finds_a_mate_that_is_not_there(number: int) -> None:
    known = KNOWN[number]
    board = chess.Board(known.fen)
    assert not mates_by_quick_check(board, chess.WHITE) or known.white
    assert not mates_by_quick_check(board, chess.BLACK) or known.black


def test_a_glance_finds_what_is_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    board = chess.Board("7k/8/5K2/8/8/8/8/R7 w - - 0 1")
    assert mates_by_quick_check(board, chess.WHITE)
    assert not mates_by_quick_check(board, chess.BLACK)
    monkeypatch.setattr(verdict, "find_core", lambda: None)
    assert not mates_by_quick_check(board, chess.WHITE)


def test_without_a_library_or_with_another_one_there_is_no_core(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "LIBRARY", tmp_path / "none.so")
    assert search.find_core.__wrapped__() is None
    (tmp_path / "none.so").write_bytes(b"no library")
    assert search.find_core.__wrapped__() is None


def test_a_library_of_other_sources_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "other.c"
    source.write_text("unsigned long size_of_guide(void) { return 8; }\n")
    library = tmp_path / "other.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    monkeypatch.setattr(search, "LIBRARY", library)
    assert search.find_core.__wrapped__() is None


def test_a_build_without_compiler_says_so_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    assert "no-such-compiler" in build.build(tmp_path / "search.so")
    monkeypatch.setenv("CC", "false")
    build.build(tmp_path / "search.so")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(which("cc") is None, reason="no C compiler here")
def test_the_sources_compile_without_a_warning(tmp_path: Path) -> None:
    assert build.build(tmp_path / "search.so", "-Wall", "-Wextra", "-Werror") == ""
    assert [path.name for path in tmp_path.iterdir()] == ["search.so"]
