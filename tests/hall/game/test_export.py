"""Games in PGN and in reports."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from msgspec.structs import replace

from arrocco.findings import Severity
from arrocco.formats.pgn import PgnGame, read_games
from arrocco.hall.game import begin, kind, report_game, to_pgn
from arrocco.hall.game import commands as c
from arrocco.hall.game.acts.results import CorrectResult, DeclareResult
from arrocco.laws.online.score import Scoring
from arrocco.records.report import Game, GameKind
from arrocco.records.timecontrol import parse_code
from arrocco.units import HalfPoints
from tests.hall.game.table import ARBITER, BLACK, WHITE, Table, created


def read(table: Table) -> PgnGame:
    games, findings = read_games(to_pgn(table.state).encode(), "g1.pgn")
    assert [f for f in findings if f.severity is Severity.ERROR] == []
    (game,) = games
    return game


class TestPgn:
    def test_moves_clocks_and_result_come_back(self) -> None:
        table = Table("180+2").play("e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7", think=1_250)
        game = read(table)
        assert (game.white_moves, game.black_moves, game.result) == (4, 3, "1-0")
        assert list(game.clocks) == [
            move.white if move.side is WHITE else move.black for move in table.state.moves
        ]
        assert (game.white, game.black) == ("Adani, Ada", "Belli, Bea")
        assert game.white_rating == 2105
        assert (game.round, game.time_control) == (3, parse_code("180+2"))

    def test_the_seven_tags_come_first_then_board_and_start(self) -> None:
        table = Table().play("e2e4 e7e5")
        state = replace(table.state, created=replace(table.state.created, board=4))
        lines = to_pgn(state).splitlines()
        tags = [line[1:].partition(" ")[0] for line in lines if line.startswith("[")]
        roster = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
        assert tags[:7] == roster
        assert '[Board "4"]' in lines
        assert table.state.started is not None
        began = datetime.fromtimestamp(table.state.started // 1000, UTC)
        assert f'[UTCDate "{began:%Y.%m.%d}"]' in lines
        assert f'[UTCTime "{began:%H:%M:%S}"]' in lines

    def test_a_clock_is_written_in_hours_minutes_and_seconds(self) -> None:
        text = to_pgn(Table("5400+30").play("e2e4 e7e5", think=29_250).state)
        assert "1. e4 {[%clk 1:30:00.750]} 1... e5 {[%clk 1:30:00.750]} *" in text

    def test_2_3_an_offer_stands_beside_its_move(self) -> None:
        table = Table("180").play("e2e4 e7e5", think=0)
        table.granted(c.OfferDraw(by="bea"))
        assert "1... e5 {[%clk 0:03:00] (=)}" in to_pgn(table.state)

    def test_2_3_an_offer_made_before_ones_own_move_stands_beside_that_move(self) -> None:
        table = Table("180").play("e2e4 e7e5", think=0)
        table.granted(c.OfferDraw(by="ada"))
        assert "1... e5 {[%clk 0:03:00] (=)}" in to_pgn(table.state)
        table.play("g1f3", think=0)
        text = to_pgn(table.state)
        assert "2. Nf3 {[%clk 0:03:00] (=)}" in text
        assert text.count("(=)") == 1

    def test_lines_are_short(self) -> None:
        table = Table().play("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8")
        assert max(len(line) for line in to_pgn(table.state).splitlines()) <= 80
        assert read(table).result == "1/2-1/2"

    @pytest.mark.parametrize(
        ("end", "termination"),
        [("time", "time forfeit"), ("resign", "normal"), ("", "unterminated")],
    )
    def test_the_termination_is_told(self, end: str, termination: str) -> None:
        table = Table("180").play("e2e4 e7e5")
        if end == "time":
            table.wake()
        elif end:
            table.granted(c.Resign(by="ada"))
        assert read(table).termination == termination

    def test_a_loss_of_both_is_a_tag_and_no_castling(self) -> None:
        table = Table().play("e2e4 e7e5")
        scores = DeclareResult(by=ARBITER, reason="both", scores=(0, 0), against=WHITE)
        table.granted(scores)
        assert to_pgn(table.state).rstrip().endswith("*")
        game = read(table)
        assert (game.result, game.white_moves) == ("0-0", 1)

    def test_a_score_without_a_word_is_left_open(self) -> None:
        table = Table().play("e2e4 e7e5")
        table.granted(DeclareResult(by=ARBITER, reason="x", scores=(0, 1), against=WHITE))
        assert '[Result "*"]' in to_pgn(table.state)

    def test_names_cannot_break_out_of_their_tag(self) -> None:
        event = created()
        odd = replace(event, white=replace(event.white, name='A "B" \\ C\n[Black "x"]'))
        text = to_pgn(begin(odd))
        assert '[White "A \\"B\\" \\\\ C [Black \\"x\\"]"]' in text.splitlines()

    def test_the_day_and_the_event_are_told(self) -> None:
        event = replace(created(), day=date(2025, 5, 1), event="Open", site="arrocco")
        text = to_pgn(begin(event))
        for tag in ('[Event "Open"]', '[Site "arrocco"]', '[Date "2025.05.01"]'):
            assert tag in text.splitlines()


class TestReport:
    def test_a_game_in_which_both_moved_was_played(self) -> None:
        table = Table().play("e2e4 e7e5")
        table.granted(c.Resign(by="ada"))
        scores = HalfPoints(0), HalfPoints(2)
        assert report_game(table.state, 3, 7, 12) == Game(3, 7, 12, *scores, GameKind.PLAYED)

    @pytest.mark.parametrize("moves", ["", "e2e4"])
    def test_with_fewer_moves_it_is_short(self, moves: str) -> None:
        table = Table().play(moves)
        table.granted(c.Resign(by="ada"))
        assert kind(table.state) is GameKind.SHORT

    def test_where_somebody_never_came_it_is_a_forfeit(self) -> None:
        table = Table(there=(WHITE,)).play("e2e4")
        table.granted(
            DeclareResult(by=ARBITER, reason="will not come", scores=(2, 0), against=BLACK)
        )
        assert kind(table.state) is GameKind.FORFEIT

    def test_a_game_that_goes_on_is_in_no_report(self) -> None:
        assert report_game(Table().state, 1, 1, 2) is None

    def test_3_2_corrected_scores_are_reported_in_half_points(self) -> None:
        table = Table(scoring=Scoring(win=3, draw=1, loss=0)).play("e2e4 e7e5")
        table.granted(c.Resign(by="ada"))
        table.granted(CorrectResult(by=ARBITER, reason="x", scores=(0, 1), article="5.16"))
        game = report_game(table.state, 1, 1, 2)
        assert game is not None
        assert (game.white_score, game.black_score) == (0, 1)
