"""Round robins, single and double, and matches: who meets whom is known before the first round."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arrocco.demo.generate.draws import Ints, Mask, ranges


@dataclass
class Schedule:
    """The games of some tournaments, and the rounds in which a player of an odd field is free.

    Players are counted from 0 in their tournament.
    """

    tournament: Ints
    round: Ints
    white: Ints
    black: Ints
    free_tournament: Ints
    free_round: Ints
    free_player: Ints


def schedule(size: Ints, rounds: Ints) -> Schedule:
    """Everybody meets everybody as often as the rounds allow, colours turned in each new cycle.

    All but the last player move around a circle; an odd field has an empty last place.
    """
    places = size + size % 2
    circle = places - 1
    boards = places // 2
    games = rounds * boards
    tournament = np.repeat(np.arange(len(size)), games)
    number = ranges(games)
    board = number % boards[tournament]
    round_ = number // boards[tournament]
    around = circle[tournament]
    turn = round_ % around
    first = (turn + board) % around
    second = np.where(board == 0, around, (turn - board) % around)
    # Colours: on the first board by round, on the others by board, and all turned in even cycles.
    turned = np.where(board == 0, turn % 2, board % 2) + round_ // around
    white = np.where(turned % 2 == 0, first, second)
    black = np.where(turned % 2 == 0, second, first)
    is_free: Mask = second == size[tournament]
    game = ~is_free
    return Schedule(
        tournament[game],
        round_[game] + 1,
        white[game],
        black[game],
        tournament[is_free],
        round_[is_free] + 1,
        first[is_free],
    )
