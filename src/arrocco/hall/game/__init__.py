"""A live game of the playing hall, from its log to what each person sees of it.

`create` makes the first event, `fold` and `apply` make the state, `decide` answers commands,
`next_deadline` and `on_deadline` let time do its part. Nothing here reads a clock or a file.
"""

from arrocco.hall.game.create import create
from arrocco.hall.game.deadlines import Deadline, DeadlineKind, next_deadline, on_deadline
from arrocco.hall.game.decide import Command, decide
from arrocco.hall.game.decision import Decision, Judge
from arrocco.hall.game.fold import apply, begin, fold
from arrocco.hall.game.held import clocks_held, time_given_back
from arrocco.hall.game.pgn import to_pgn
from arrocco.hall.game.position import CanMate
from arrocco.hall.game.recovery import recovered
from arrocco.hall.game.score import kind, report_game
from arrocco.hall.game.state import Phase, State
from arrocco.hall.game.view import ArbiterView, PlayerView, View, view_for
from arrocco.hall.game.visible import GameRole, visible_to

__all__ = [
    "ArbiterView",
    "CanMate",
    "Command",
    "Deadline",
    "DeadlineKind",
    "Decision",
    "GameRole",
    "Judge",
    "Phase",
    "PlayerView",
    "State",
    "View",
    "apply",
    "begin",
    "clocks_held",
    "create",
    "decide",
    "fold",
    "kind",
    "next_deadline",
    "on_deadline",
    "recovered",
    "report_game",
    "time_given_back",
    "to_pgn",
    "view_for",
    "visible_to",
]
