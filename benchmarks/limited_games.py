"""Games by engines of limited strength: what the screen of fair play is calibrated and tried with.

    python -m benchmarks.limited_games FOLDER

A limited engine looks at a few thousand nodes and then chooses among six moves by lot, the worse
the rarer; how rarely hangs on the rating it stands for, on the pace, and on a taste of its own, so
that players of one rating differ. Games are decided soon, so that a player has some ten decisions
in each: twenty rounds give what nine of long games do. Nothing here was played by a person. The
same numbers give the same games again.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from itertools import count
from math import exp
from pathlib import Path
from typing import Any, NamedTuple

import chess
import chess.engine
import chess.pgn

from arrocco.fairplay.engine import find_engine

LOOK_NODES, LOOK_LINES = 3000, 6
HELPER_NODES = 20_000
"""Of the engine that helps: twice what the screen looks at, and one line, not three."""
PACES = {"rapid": 1.0, "blitz": 1.35}
SHARES = (30, 50, 100)
"""Per cent of the moves that are planted."""
LOWEST, HIGHEST = 1200, 2400
MAX_PLIES = 130
RESIGNS_BELOW, RESIGNS_AFTER = 35, 3


class Limited(NamedTuple):
    """A player: what it is rated, how it differs from others, how much of its play is help."""

    name: str
    rating: int
    taste: float
    helped: float = 0.0


def players_of(
    seed: int, number: int, prefix: str, helped: float = 0.0, taste: float = 0.12
) -> list[Limited]:
    chance = random.Random(f"{prefix}{seed}")
    return [
        Limited(
            f"{prefix} {index:03d}",
            LOWEST + (HIGHEST - LOWEST) * index // number + chance.randrange(50),
            exp(chance.gauss(0, taste)),
            helped,
        )
        for index in range(number)
    ]


def rounds_of(players: Sequence[Limited], rounds: int) -> Iterator[tuple[int, Limited, Limited]]:
    """Everybody meets neighbours in the order of ratings, another one in each round."""
    size = len(players)
    for number in range(1, rounds + 1):
        taken: set[int] = set()
        first = (number - 1) % (size - 1) + 1
        for index in range(size):
            if index in taken:
                continue
            for step in (*range(first, size), *range(1, first)):
                other = (index + step) % size
                if other not in taken and other != index:
                    break
            else:
                break
            taken |= {index, other}
            pair = players[index], players[other]
            yield (number, *(pair if (number + index) % 2 else reversed(pair)))


class Table:
    """Where limited engines play: one engine that looks, one that helps."""

    def __init__(self) -> None:
        self._look = chess.engine.SimpleEngine.popen_uci(find_engine())
        self._help = chess.engine.SimpleEngine.popen_uci(find_engine())
        self._look.configure({"Threads": 1, "Hash": 1})
        self._help.configure({"Threads": 1, "Hash": 1})

    def close(self) -> None:
        self._look.close()
        self._help.close()

    def game(self, white: Limited, black: Limited, pace: str, seed: str) -> chess.Board:
        chance, board, bad = random.Random(seed), chess.Board(), [0, 0]
        while board.ply() < MAX_PLIES and not board.is_game_over(claim_draw=True):
            player = white if board.turn else black
            if board.ply() >= 16 and chance.random() < player.helped:
                answer = self._help.play(
                    board, chess.engine.Limit(nodes=HELPER_NODES), game=object()
                )
                assert answer.move is not None
                board.push(answer.move)
                continue
            move, best = self._choose(board, player, pace, chance)
            bad[board.turn] = bad[board.turn] + 1 if best < RESIGNS_BELOW else 0
            if bad[board.turn] >= RESIGNS_AFTER:
                break
            board.push(move)
        return board

    def _choose(
        self, board: chess.Board, player: Limited, pace: str, chance: random.Random
    ) -> tuple[chess.Move, int]:
        infos: Any = self._look.analyse(
            board, chess.engine.Limit(nodes=LOOK_NODES), multipv=LOOK_LINES, game=object()
        )
        lines = [(info["pv"][0], _expected(info, board)) for info in infos if info.get("pv")]
        best = max(worth for _, worth in lines)
        heat = warmth(player.rating, pace) * player.taste * (2 if board.ply() < 10 else 1)
        weights = [exp((worth - best) / heat) for _, worth in lines]
        return chance.choices([move for move, _ in lines], weights)[0], best


def warmth(rating: int, pace: str) -> float:
    """Thousandths of a point that such a player hardly tells apart."""
    return PACES[pace] * (13 - 8 * (rating - LOWEST) / (HIGHEST - LOWEST))


def _expected(info: Any, board: chess.Board) -> int:
    wdl = info["score"].wdl(model="sf15.1", ply=board.ply()).pov(board.turn)
    return int(wdl.wins + wdl.draws // 2)


def write_event(
    table: Table, target: Path, players: Sequence[Limited], rounds: int, pace: str
) -> None:
    """Plays an event into a file; games that are there already stay, so a run goes on."""
    done = target.read_text().count("[Event ") if target.exists() else 0
    numbers = count()
    for number, white, black in rounds_of(players, rounds):
        if next(numbers) < done:
            continue
        board = table.game(white, black, pace, f"{target.stem}/{number}/{white.name}")
        game = chess.pgn.Game.from_board(board)
        game.headers.update(
            {
                "Event": target.stem,
                "Site": "?",
                "Round": str(number),
                "White": white.name,
                "Black": black.name,
                "WhiteElo": str(white.rating),
                "BlackElo": str(black.rating),
                "Result": board.result(claim_draw=True)
                if board.is_game_over(claim_draw=True)
                else ("0-1" if board.turn else "1-0")
                if board.ply() < MAX_PLIES
                else "1/2-1/2",
            }
        )
        with target.open("a") as file:
            file.write(f"{game}\n\n")


class Planned(NamedTuple):
    """A file of games to be."""

    name: str
    players: list[Limited]
    rounds: int


def plan(pace: str, rounds: int = 12, events: int = 20) -> list[Planned]:
    """The files of a pace, the longest first: `rounds` of those that are counted, `events` rounds
    of honest players whom the baseline never sees, and of those with planted help."""
    return [
        Planned(f"baseline-{pace}", players_of(1, 60, f"Baseline {pace}"), rounds),
        Planned(f"honest-{pace}", players_of(2, 24, f"Unseen {pace}"), events),
        *(
            Planned(
                f"planted-{share}-{pace}",
                players_of(3, 12, f"Planted {share} {pace}", share / 100),
                events,
            )
            for share in SHARES
        ),
        Planned(f"helped-{pace}", players_of(5, 12, f"Helper {pace}", 1.0), rounds),
    ]


def write_games(folder: Path, pace: str, planned: Planned) -> Path:
    """Writes a file; games that are there already stay."""
    folder.mkdir(parents=True, exist_ok=True)
    target, table = folder / f"{planned.name}.pgn", Table()
    try:
        write_event(table, target, planned.players, planned.rounds, pace)
    finally:
        table.close()
    return target


if __name__ == "__main__":
    for each in PACES:
        for one in plan(each):
            write_games(Path(sys.argv[1]), each, one)
