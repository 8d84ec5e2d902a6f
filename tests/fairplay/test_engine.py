"""12.1 — a real engine: the same nodes give the same answer, and work goes on where it stopped."""

from __future__ import annotations

import json
from pathlib import Path

import chess
import pytest
from click.testing import CliRunner

from arrocco.cli.main import program
from arrocco.fairplay.engine import Analyser, NoEngine, find_engine
from arrocco.fairplay.kept import KeptAnalyses, analyse_games
from arrocco.fairplay.pgn import watched_games
from arrocco.fairplay.records import WatchedGame

PGN = """[Event "Sala"]
[White "Adani, Ada"]
[Black "Belli, Bea"]
[WhiteElo "1500"]
[BlackElo "1600"]
[TimeControl "180+2"]
[Result "1-0"]

1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:58]} 2. Nf3 {[%clk 0:02:57]} Nc6 {[%clk 0:02:50]}
3. Bc4 Nf6 4. Ng5 d5 5. exd5 Nxd5 6. Nxf7 Kxf7 7. Qf3+ Ke6 8. Nc3 Ncb4 9. O-O c6
10. d4 Qf6 11. Qe2 Nxc2 12. dxe5 1-0
"""


@pytest.fixture(scope="module")
def engine() -> str:
    try:
        return find_engine()
    except NoEngine:
        pytest.skip("NO STOCKFISH: install Debian's package `stockfish`")


@pytest.fixture
def game() -> WatchedGame:
    (game,) = watched_games(PGN.encode(), "sala.pgn", "blitz")
    return game


def test_a_game_of_a_file_has_its_moves_ratings_and_times(game: WatchedGame) -> None:
    assert (game.white, game.black_rating, len(game.moves)) == ("Adani, Ada", 1600, 23)
    assert game.spent[:5] == (None, None, 5000, 10_000, None)


def test_the_same_nodes_give_the_same_answer(engine: str, game: WatchedGame) -> None:
    with Analyser(3000, path=engine) as analyser:
        first = analyser.game(game, first_ply=16)
    with Analyser(3000, path=engine) as analyser:
        list(analyser.positions(game, first_ply=20))  # what came before leaves no trace
        assert analyser.game(game, first_ply=16) == first
    assert [position.ply for position in first.positions] == list(range(16, 23))
    assert "Stockfish" in first.setting.engine
    for position in first.positions:
        assert len(position.lines) == 3
        assert position.lines[0].expected >= position.lines[2].expected
        assert position.loss >= 0


def test_a_mate_that_is_missed_is_a_loss(engine: str) -> None:
    board = chess.Board("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    with Analyser(3000, path=engine) as analyser:
        missed = analyser.position(board, chess.Move.from_uci("h2h3"))
        found = analyser.position(board, chess.Move.from_uci("a1a8"))
    assert (found.rank, found.loss, found.lines[0].expected) == (1, 0, 1000)
    assert missed.rank != 1


def test_what_was_stopped_goes_on_and_half_a_line_is_done_again(
    engine: str, game: WatchedGame, tmp_path: Path
) -> None:
    path = tmp_path / "kept.jsonl"
    with Analyser(2000, path=engine) as analyser:
        (first,) = analyse_games([game], analyser, KeptAnalyses(path))
        whole = path.read_bytes()
        assert list(analyse_games([game], analyser, KeptAnalyses(path))) == [first]
        assert path.read_bytes() == whole, "nothing was analysed again"
        path.write_bytes(whole[:-20])
        assert list(analyse_games([game], analyser, KeptAnalyses(path))) == [first]
        assert path.read_bytes().endswith(whole)


def test_a_report_is_the_same_bytes_again(engine: str, tmp_path: Path) -> None:
    (tmp_path / "sala.pgn").write_text(PGN)
    shared = [str(tmp_path / "sala.pgn"), "--time-class", "blitz", "--nodes", "2000"]
    base = tmp_path / "base.json"
    run = CliRunner()
    made = run.invoke(
        program,
        ["fairplay", "baseline", *shared, "--source", "one game", "--out", str(base), "--json"],
    )
    assert made.exit_code == 0, made.output
    texts = [
        run.invoke(program, ["fairplay", "screen", *shared, "--baseline", str(base), "--json"])
        for _ in range(2)
    ]
    assert texts[0].exit_code == 0, texts[0].output
    assert texts[0].output == texts[1].output
    told = json.loads(texts[0].output)
    assert told["baseline"] == ["one game"]
    assert told["helper"] == json.loads(made.output)["helper"]
    assert told["helper"]["sources"] == [], "of no games of a helper: the stated one"
    assert [player["too_few"] for player in told["players"]] == [True, True]
    shown = run.invoke(
        program, ["fairplay", "screen", *shared, "--baseline", str(base), "--lang", "it"]
    )
    assert "Troppo poche decisioni" in shown.output
    assert "42 % prime scelte" in shown.output


def test_what_is_no_baseline_is_refused(engine: str, tmp_path: Path) -> None:
    (tmp_path / "sala.pgn").write_text(PGN)
    (tmp_path / "base.json").write_text("{}")
    told = CliRunner().invoke(
        program,
        [
            "fairplay",
            "screen",
            str(tmp_path / "sala.pgn"),
            "--time-class",
            "blitz",
            "--baseline",
            str(tmp_path / "base.json"),
            "--lang",
            "en",
        ],
    )
    assert told.exit_code == 1
    assert "is not a baseline" in told.output
