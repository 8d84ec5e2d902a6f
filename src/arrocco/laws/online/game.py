"""The FSI online regulation, articles 1.3, 2 and 11: how a game starts, ends and is set right."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, StrEnum
from typing import NamedTuple

from arrocco.errors import Illegal
from arrocco.laws.edition import Choice, Edition, Legal, Reading
from arrocco.laws.online.side import Side


class End(Enum):
    """How a game ends: its key, its article, whether it is a draw, whether it ends by itself."""

    RESIGNATION = ("resignation", "2.1a", False, False)
    CHECKMATE = ("checkmate", "2.1b", False, True)
    TIME = ("time", "2.1c", False, True)
    TIME_WITHOUT_MATE = ("time_without_mate", "1.3.4", True, True)
    STALEMATE = ("stalemate", "2.2a", True, True)
    REPETITION = ("repetition", "2.2b", True, True)
    FIFTY_MOVES = ("fifty_moves", "2.2c", True, True)
    DEAD_POSITION = ("dead_position", "2.2d", True, True)
    AGREEMENT = ("agreement", "2.2e", True, False)

    def __init__(self, key: str, article: str, is_draw: bool, is_automatic: bool) -> None:
        self.key = key
        self.article = article
        self.is_draw = is_draw
        self.is_automatic = is_automatic


@dataclass(frozen=True)
class PositionFacts:
    """What a position and its history tell, as far as endings ask.

    `half_moves_without_progress` counts the moves of both sides since a pawn moved or a piece was
    taken; `repetitions` how often the position has appeared, this time included.
    """

    checkmate: bool = False
    stalemate: bool = False
    repetitions: int = 1
    half_moves_without_progress: int = 0
    dead: bool = False


class DrawAct(StrEnum):
    """What can happen to an offer of a draw. To refuse it is to move (2.3), no act of its own."""

    OFFER = "offer"
    ACCEPT = "accept"
    WITHDRAW = "withdraw"
    MOVE = "move"
    END = "end"
    """The game ends in another way."""


class DrawState(NamedTuple):
    """Whose offer stands, and whether the draw is agreed."""

    offered_by: Side | None = None
    agreed: bool = False


class WrongColours(StrEnum):
    """What becomes of a game begun with the colours reversed."""

    NEW_GAME = "new_game"
    GOES_ON = "goes_on"
    RESULT_STANDS = "result_stands"


class Interruption(StrEnum):
    """What the arbiter does to the clocks of a game that must be interrupted."""

    PAUSE = "pause"
    MAY_ADD_TIME = "may_add_time"


class Games(Edition):
    """The start, the endings and the correction of a game."""

    REPETITIONS = Legal(3, "2.2b", "times").means(
        "the same position appears before the game is drawn",
        "appare la stessa posizione prima che la partita sia patta",
    )
    MOVES_WITHOUT_PROGRESS = Legal(50, "2.2c", "moves").means(
        "of each player without a pawn move or a capture draw the game",
        "di ciascun giocatore senza mosse di pedone né catture danno patta",
    )
    MOVES_BEFORE_AGREEMENT = Legal(1, "2.2e", "moves").means(
        "of each player before a draw can be agreed",
        "di ciascun giocatore prima che ci si possa accordare per la patta",
    )
    WRONG_COLOURS_MOVES = Legal(10, "11.2", "moves").means(
        "completed by both from which a game with reversed colours goes on",
        "completate da entrambi da cui una partita a colori invertiti continua",
    )

    WRONG_COLOURS_ENDED = Reading("wrong_colours_ended", "11.2", "result_stands", "guess").means(
        "What becomes of a game with reversed colours that ended before the tenth move",
        "Che ne è di una partita a colori invertiti finita prima della decima mossa",
        Choice("result_stands").means(
            "its result stands: only a game in progress is interrupted",
            "il risultato resta: si interrompe solo una partita in corso",
        ),
        Choice("new_game").means("a new game is played", "si gioca una nuova partita"),
    )

    # --- 1.3: the clock ------------------------------------------------------------------------

    def end_on_time(self, *, opponent_can_mate: bool) -> End:
        """1.3.4 — time out loses, and draws where the opponent cannot mate by any legal moves."""
        return End.TIME if opponent_can_mate else End.TIME_WITHOUT_MATE

    def tolerance(self, stated: timedelta | None) -> timedelta:
        """1.3.5 — the tolerance an event states; unstated it is something, but never zero.

        Raises `Illegal` when it is not stated: the text gives no value to put in its place.
        """
        if stated is None:
            raise Illegal.of("laws.refused.tolerance_not_stated")
        if stated < timedelta(0):
            raise Illegal.of("laws.refused.tolerance_negative")
        return stated

    def side_losing_time(
        self, *, white_present: bool, tolerance: timedelta, decided: Side | None = None
    ) -> Side | None:
        """1.3.5 — with a tolerance, White loses the time until White arrives, even both absent.

        `decided` is what the event's rules or the arbiter put in its place. `None` where White is
        there and the game simply begins, and where there is no tolerance to wait for.
        """
        if white_present or not tolerance:
            return None
        return decided or Side.WHITE

    def is_forfeited(self, late_by: timedelta, tolerance: timedelta) -> bool:
        """1.3.5 — a player who is not there once the tolerance is over has lost the game."""
        return late_by > tolerance

    # --- 2: endings ----------------------------------------------------------------------------

    def automatic_end(self, facts: PositionFacts) -> End | None:
        """2.1, 2.2 — how a position ends the game by itself; mate comes before every draw."""
        if facts.checkmate:
            return End.CHECKMATE
        if facts.stalemate:
            return End.STALEMATE
        if facts.dead:
            return End.DEAD_POSITION
        if facts.repetitions >= self.REPETITIONS:
            return End.REPETITION
        if facts.half_moves_without_progress >= 2 * self.MOVES_WITHOUT_PROGRESS:
            return End.FIFTY_MOVES
        return None

    def draw_state_after(
        self, state: DrawState, act: DrawAct, by: Side, *, white_moves: int, black_moves: int
    ) -> DrawState:
        """2.2e, 2.3 — an offer stands until it is accepted, the opponent moves or the game ends.

        Raises `Illegal` for an act that is not open to that player.
        """
        opponent_offers = state.offered_by is by.other
        match act:
            case DrawAct.OFFER if opponent_offers:
                raise Illegal.of("laws.refused.offer_stands")
            case DrawAct.OFFER:
                return DrawState(by)
            case DrawAct.WITHDRAW:
                raise Illegal.of("laws.refused.offer_withdrawn")
            case DrawAct.ACCEPT if not opponent_offers:
                raise Illegal.of("laws.refused.no_offer")
            case DrawAct.ACCEPT if min(white_moves, black_moves) < self.MOVES_BEFORE_AGREEMENT:
                raise Illegal.of("laws.refused.draw_before_moves")
            case DrawAct.ACCEPT:
                return DrawState(agreed=True)
            case DrawAct.MOVE:
                return DrawState() if opponent_offers else state
            case DrawAct.END:
                return DrawState()

    # --- 11: irregularities --------------------------------------------------------------------

    def wrong_colours(
        self, white_moves: int, black_moves: int, *, ended: bool = False
    ) -> WrongColours:
        """11.2 — reversed colours: a new game before both have completed {WRONG_COLOURS_MOVES}
        moves, else it goes on.

        `white_moves` and `black_moves` are those completed with the colours as played.
        """
        if ended and self.reads("wrong_colours_ended", "result_stands"):
            return WrongColours.RESULT_STANDS
        if min(white_moves, black_moves) < self.WRONG_COLOURS_MOVES:
            return WrongColours.NEW_GAME
        return WrongColours.RESULT_STANDS if ended else WrongColours.GOES_ON

    def draw_to_declare(self, facts: PositionFacts) -> End | None:
        """11.3 — the draw the arbiter declares where the platform has not ended the game."""
        end = self.automatic_end(facts)
        return end if end is not None and end.is_draw else None

    def automatic_draw_stands(
        self, end: End, *, white_can_mate: bool, black_can_mate: bool, flagged: Side | None = None
    ) -> bool:
        """11.4 — a draw for want of mating material is undone where mate is still possible.

        A dead position asks both sides, a draw on time only the opponent of the side `flagged`. The
        other draws do not depend on material. Raises `Illegal` for an end that is no such draw.
        """
        if end is End.DEAD_POSITION:
            return not (white_can_mate or black_can_mate)
        if end is End.TIME_WITHOUT_MATE and flagged is not None:
            return not (black_can_mate if flagged is Side.WHITE else white_can_mate)
        if end.is_draw and end.is_automatic and end is not End.TIME_WITHOUT_MATE:
            return True
        raise Illegal.of("laws.refused.no_automatic_draw", end=end.key)

    def interruption(self, *, clocks_can_be_paused: bool) -> Interruption:
        """11.6 — the clocks are paused if possible; if not, the arbiter may add time."""
        return Interruption.PAUSE if clocks_can_be_paused else Interruption.MAY_ADD_TIME
