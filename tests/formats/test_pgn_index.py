"""Games of a PGN file are found by their tags, and the moves of one are read."""

from __future__ import annotations

from arrocco.formats.pgn.index import index_games, read_moves, text_of

TWO = """[Event "Prova"]
[Round "3.1"]
[White "Adani, Ada"]
[Black "Belli, Bea"]
[WhiteFideId "99000001"]
[Result "1-0"]

1. e4 { [%clk 0:01:00]
[%emt 0:00:01] a note } e5 (1... c5 2. Nf3) 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

[Event "Prova"]
[White "Cerri, Cia"]
[Annotator "c@example.org"]
[Result "*"]
[SetUp "1"]
[FEN "8/8/8/8/8/5k2/5p2/5K2 b - - 0 60"]

60... Ke3 61. Kg2 nonsense *
"""


def test_games_are_found_by_their_tags_and_one_is_read_alone() -> None:
    first, second = index_games(TWO)
    assert first[:6] == (3, "Adani, Ada", "Belli, Bea", 99000001, None, "1-0")
    assert (second.round, second.white, second.result) == (None, "Cerri, Cia", "*")
    read = read_moves(TWO, first)
    assert [san for _, san in read.moves] == ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]
    assert read.moves[-1][0] == "h5f7"
    assert "a note" not in read.pgn
    assert "c5" not in read.pgn
    other = read_moves(TWO, second)
    assert [san for _, san in other.moves] == ["Ke3", "Kg2"]
    assert other.start.startswith("8/8/8/8/8/5k2/5p2/5K2 b")
    assert "example.org" not in other.pgn


def test_nonsense_has_no_games_and_a_bad_position_no_moves() -> None:
    assert index_games("no game here\n\n{[x}") == []
    bad = '[White "A"]\n[SetUp "1"]\n[FEN "nonsense"]\n\n1. e4 *\n'
    (head,) = index_games(bad)
    assert read_moves(bad, head).moves == ()
    assert text_of(b'[White "Nicol\xf2"]\n').endswith('ò"]\n')
