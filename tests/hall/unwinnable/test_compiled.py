"""The compiled search does what the search in Python does, position by position."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import which

import chess
import pytest

from arrocco.hall.unwinnable import analysis, compiled, mates_at_a_glance, verdict
from arrocco.hall.unwinnable.analysis import analyse
from arrocco.hall.unwinnable.compiled import CompiledSearch, find_core
from arrocco.hall.unwinnable.core import build
from arrocco.hall.unwinnable.opening import Opening
from arrocco.hall.unwinnable.position import Position, from_board
from arrocco.hall.unwinnable.potential import NEAR_THE_KING, TO_THE_CORNER, Potential
from arrocco.hall.unwinnable.race import Race
from arrocco.hall.unwinnable.reach import saturate
from arrocco.hall.unwinnable.search import Budget, Rater, Search
from arrocco.hall.unwinnable.targets import find_goals
from arrocco.hall.unwinnable.tempo import Tempo
from arrocco.hall.unwinnable.walks import Walk
from tests.hall.unwinnable.positions import known

KNOWN = known()
needs_compiler = pytest.mark.skipif(find_core() is None, reason="no C compiler has built the core")

STEPS = (700, 1_500, 2_500)
"""Work of one search, in parts: it has to go on where it stopped."""

MANY_MOVES = "QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/k1K4Q/5QQQ b - - 0 1"
CASTLING = "r3k2r/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/R3K2R w KQkq - 0 1"
IN_PASSING = "4k3/8/8/8/3Pp3/8/8/4K2R b - d3 0 1"


def guides(position: Position) -> Iterator[Callable[[], Rater]]:
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


def assert_alike(position: Position, guide: Callable[[], Rater]) -> None:
    plain_tempo, tempo = Tempo(), Tempo()
    plain = Search(position, guide(), plain_tempo)
    fast = CompiledSearch(find_core(), position, guide(), tempo)
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


@needs_compiler
@pytest.mark.parametrize("number", range(len(KNOWN)))
def test_every_guide_looks_at_the_same_positions_in_the_same_order(number: int) -> None:
    board = chess.Board(KNOWN[number].fen)
    for side in chess.COLORS:
        position = from_board(board, side)
        for guide in guides(position):
            assert_alike(position, guide)


@needs_compiler
@pytest.mark.parametrize("fen", [MANY_MOVES, CASTLING, IN_PASSING])
def test_castling_passing_and_crowds_are_alike_too(fen: str) -> None:
    board = chess.Board(fen)
    for side in chess.COLORS:
        position = from_board(board, side)
        assert_alike(position, lambda: Potential(TO_THE_CORNER))
        assert_alike(position, lambda: Potential(NEAR_THE_KING))


@needs_compiler
@pytest.mark.parametrize("number", range(0, len(KNOWN), 2))
def test_a_verdict_does_not_depend_on_a_compiler(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "WORK", 30_000)
    position = from_board(chess.Board(KNOWN[number].fen), chess.WHITE)
    fast = analyse(position)
    monkeypatch.setattr(analysis, "find_core", lambda: None)
    assert analyse(position) == fast


@needs_compiler
@pytest.mark.parametrize("number", range(len(KNOWN)))
def test_a_glance_never_finds_a_mate_that_is_not_there(number: int) -> None:
    known = KNOWN[number]
    board = chess.Board(known.fen)
    assert not mates_at_a_glance(board, chess.WHITE) or known.white
    assert not mates_at_a_glance(board, chess.BLACK) or known.black


@needs_compiler
def test_a_glance_finds_what_is_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    board = chess.Board("7k/8/5K2/8/8/8/8/R7 w - - 0 1")
    assert mates_at_a_glance(board, chess.WHITE)
    assert not mates_at_a_glance(board, chess.BLACK)
    monkeypatch.setattr(verdict, "find_core", lambda: None)
    assert not mates_at_a_glance(board, chess.WHITE)


def test_without_a_library_or_with_another_one_there_is_no_core(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "LIBRARY", tmp_path / "none.so")
    assert compiled.find_core.__wrapped__() is None
    (tmp_path / "none.so").write_bytes(b"no library")
    assert compiled.find_core.__wrapped__() is None


@needs_compiler
def test_a_library_of_other_sources_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "other.c"
    source.write_text("unsigned long size_of_guide(void) { return 8; }\n")
    library = tmp_path / "other.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    monkeypatch.setattr(compiled, "LIBRARY", library)
    assert compiled.find_core.__wrapped__() is None


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
