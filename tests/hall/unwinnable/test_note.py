"""What a log keeps of a verdict is said in every language, and in the same words as the verdict."""

from __future__ import annotations

import chess
import pytest

from arrocco.hall.unwinnable import judge, noted, said
from arrocco.words import LANGUAGES

BARE = "8/8/4k3/8/8/3K4/8/8 w - - 0 1"
POSITIONS = (
    chess.STARTING_FEN,  # a line that mates
    BARE,  # no material
    "8/8/4k3/8/1p1p1p1p/1P1P1P1P/4K3/8 w - - 0 1",  # nothing gets through
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",  # stalemate
    "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",  # mate
)


@pytest.mark.parametrize("fen", POSITIONS)
def test_a_note_says_what_the_verdict_says_in_each_language(fen: str) -> None:
    for color in chess.COLORS:
        verdict = judge(fen, color)
        for language in LANGUAGES:
            assert said(language, noted(verdict)) == verdict.said(language)


def test_a_note_is_one_line_and_in_no_language() -> None:
    note = noted(judge(BARE, chess.BLACK))
    assert note == '{"key":"unwinnable.material","side":"black"}'
    both = f"{noted(judge(BARE, chess.WHITE))}\n{note}"
    assert len(said("it", both).splitlines()) == 2
    assert said("it", both) != said("en", both)


def test_moves_have_the_letters_of_the_language() -> None:
    note = noted(judge("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", chess.WHITE))
    assert "1. Qg7#" in said("en", note)
    assert "1. Dg7#" in said("it", note)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "in words",
        "{",
        "3",
        '{"key":"hall.end.time","side":"white"}',
        '{"key":"unwinnable.none","side":"white"}',
        '{"key":"unwinnable.mate","side":"red"}',
    ],
)
def test_a_line_that_is_no_note_is_given_as_it_is(line: str) -> None:
    assert said("en", line) == line
