"""Hostile lists and games cost in proportion to their size."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest

from arrocco.errors import Refusal
from arrocco.formats.lists import read_lists
from arrocco.formats.pgn import read_games
from tests.formats.lists.samples import COMBINED, combined_line, text_file
from tests.work import growth

LINEAR = 1.25

GAMES: dict[str, Callable[[int], str]] = {
    "bad tags": lambda n: '[Event "x"]\n' + '[Bad x"\n' * n + "\n1. e4 *\n",
    "illegal moves": lambda n: '[Event "x"]\n\n1. e5 Qh9 Zz *\n\n' * n,
    "variations": lambda n: '[Event "x"]\n\n1. e4 ' + "(1. d4) " * n + "*\n",
    "open variations": lambda n: '[Event "x"]\n\n1. e4 ' + "(1. d4 " * n + "*\n",
    "comments": lambda n: '[Event "x"]\n\n1. e4 ' + "{ [%clk 0:00:01] } " * n + "*\n",
    "open comments": lambda n: '[Event "x"]\n\n1. e4 ' + "{ " * n + "*\n",
    "results": lambda n: '[Event "x"]\n\n' + "1-0 0-1 * " * n,
    "text": lambda n: "no game at all ] [ \n" * n,
}


@pytest.mark.parametrize("kind", GAMES)
def test_games_are_read_in_linear_time(kind: str) -> None:
    def read(data: bytes) -> None:
        with contextlib.suppress(Refusal):
            read_games(data, "a.pgn")

    made = GAMES[kind]
    assert growth(read, made(150).encode(), made(300).encode()) < LINEAR


def _txt(*lines: str) -> bytes:
    return text_file(COMBINED, lines)


def _xml(*players: str) -> bytes:
    return f"<playerslist>{''.join(players)}</playerslist>".encode()


_NAMES = "fideid,name,fed,sex,title,rating"
LISTS: dict[str, tuple[str, Callable[[int], bytes]]] = {
    "one player many times": ("a.txt", lambda n: _txt(*[combined_line()] * n)),
    "text of garbage": ("a.txt", lambda n: _txt(*["9½x , " * 30] * n)),
    "lines without an id": ("a.txt", lambda n: _txt(*[combined_line(id="x")] * n)),
    "ratings of letters": ("a.txt", lambda n: _txt(*[combined_line(standard=("x", "y", "z"))] * n)),
    "rows of csv": ("a.csv", lambda n: "\n".join([_NAMES, *["1,x,y,z,w,q"] * n]).encode()),
    "open quotes": ("a.csv", lambda n: "\n".join([_NAMES, *['"1,x'] * n]).encode()),
    "players of xml": ("a.xml", lambda n: _xml(*["<player><fideid>x</fideid></player>"] * n)),
    "same id of xml": (
        "a.xml",
        lambda n: _xml(*["<player><fideid>9</fideid><name>A</name></player>"] * n),
    ),
    "unknown elements": ("a.xml", lambda n: _xml(*["<player><a/><b>1</b></player>"] * n)),
}


@pytest.mark.parametrize("kind", LISTS)
def test_lists_are_read_in_linear_time(kind: str, tmp_path: Path) -> None:
    name, made = LISTS[kind]

    def read(data: bytes) -> None:
        path = tmp_path / name
        path.write_bytes(data)
        with contextlib.suppress(Refusal):
            read_lists(path)

    assert growth(read, made(150), made(300)) < LINEAR
