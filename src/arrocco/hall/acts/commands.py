"""What an arbiter can do in a game, each act with the articles it can rest on and its reason.

An act is a wish until the game's state allows it; what became of it stands in the log. Scores are
pairs of White and Black in the unit of the event's scoring, times are in milliseconds.
"""

from __future__ import annotations

from typing import ClassVar

import msgspec

from arrocco.hall.log.records import Card, Pair
from arrocco.laws.online.sanctions import Scope
from arrocco.laws.online.side import Side

LOST = ("6.9f", "5.9", "5.10", "9.2", "13.3")
"""The articles by which a game is declared lost for a player at fault."""


class ArbiterAct(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True
):
    """The wish of an arbiter: `by` whom, why, and by which of the `ARTICLES` (the first if unsaid).

    `corrects` is the number of an earlier event that this act sets right.
    """

    ARTICLES: ClassVar[tuple[str, ...]] = ()

    by: str
    reason: str
    article: str = ""
    corrects: int | None = None


# --- the clocks -----------------------------------------------------------------------------------


class Pause(ArbiterAct, frozen=True, kw_only=True, tag="pause"):
    """Stops the clocks of a game that must be interrupted."""

    ARTICLES = ("11.6",)


class Resume(ArbiterAct, frozen=True, kw_only=True, tag="resume"):
    """Lets the clocks run again."""

    ARTICLES = ("11.6", "6.8")


class SetTime(ArbiterAct, frozen=True, kw_only=True, tag="set_time"):
    """Puts the right time on a clock."""

    ARTICLES = ("11.5", "1.3.5")

    side: Side
    time: int


class AddTime(ArbiterAct, frozen=True, kw_only=True, tag="add_time"):
    """Gives a side more time: for a disturbance, as a sanction on the opponent, as a correction."""

    ARTICLES = ("6.5", "6.9b", "11.5", "11.6")

    side: Side
    time: int


class SubtractTime(ArbiterAct, frozen=True, kw_only=True, tag="subtract_time"):
    """Takes time from a side; taking all of it makes its flag fall."""

    ARTICLES = ("6.9c", "11.5")

    side: Side
    time: int


# --- the game -------------------------------------------------------------------------------------


class ResumeFromPosition(ArbiterAct, frozen=True, kw_only=True, tag="resume_from_position"):
    """Goes back to the position after `ply` half moves; the clocks as then, or as `clocks` says."""

    ARTICLES = ("6.8", "11.4")

    ply: int
    clocks: Pair | None = None


class Replay(ArbiterAct, frozen=True, kw_only=True, tag="replay"):
    """Has the game played again from the start, with the same colours."""

    ARTICLES = ("6.8",)


class CorrectColours(ArbiterAct, frozen=True, kw_only=True, tag="correct_colours"):
    """Has a new game played with the right colours, before both have made ten moves."""

    ARTICLES = ("11.2",)


class DeclareResult(ArbiterAct, frozen=True, kw_only=True, tag="declare_result"):
    """Decides a game that goes on; `against` is the player at fault, where one is."""

    ARTICLES = (*LOST, "11.3", "2.1a", "2.2e")

    scores: Pair
    against: Side | None = None


class CorrectResult(ArbiterAct, frozen=True, kw_only=True, tag="correct_result"):
    """Changes the result of a game that is over; `against` is the player at fault, if any."""

    ARTICLES = ("11.4", "11.3", "1.3.4", *LOST, "5.16", "13.5b")

    scores: Pair
    against: Side | None = None


class ChangePoints(ArbiterAct, frozen=True, kw_only=True, tag="change_points"):
    """Raises the opponent's points, or lowers those of the player at fault, `side`."""

    ARTICLES = ("6.9d", "6.9e")

    side: Side
    scores: Pair


# --- the players ----------------------------------------------------------------------------------


class Warn(ArbiterAct, frozen=True, kw_only=True, tag="warn"):
    """Warns a player officially, perhaps with a yellow card."""

    ARTICLES = ("6.9a", "9.2")

    side: Side
    card: Card | None = None


class Fine(ArbiterAct, frozen=True, kw_only=True, tag="fine"):
    """Fines a player, up to what the event has announced."""

    ARTICLES = ("6.9g",)

    side: Side
    cents: int


class Exclude(ArbiterAct, frozen=True, kw_only=True, tag="exclude"):
    """Excludes a player from rounds, from the standings, or altogether; the event does the rest."""

    ARTICLES = ("6.9h", "6.9i", "6.9j")

    side: Side
    scope: Scope
    rounds: int | None = None


class BlockChat(ArbiterAct, frozen=True, kw_only=True, tag="block_chat"):
    """Keeps a player from the chat."""

    ARTICLES = ("6.9k",)

    side: Side


class AllowAssistant(ArbiterAct, frozen=True, kw_only=True, tag="allow_assistant"):
    """Lets a person move the pieces for a player who cannot."""

    ARTICLES = ("1.2",)

    side: Side
    assistant: str
    name: str = ""


class AnswerCall(ArbiterAct, frozen=True, kw_only=True, tag="answer_call"):
    """Answers the call of that number; `founded` tells whether there was a reason for it."""

    ARTICLES = ("11.1",)

    call: int
    founded: bool


class Withdraw(ArbiterAct, frozen=True, kw_only=True, tag="withdraw"):
    """Takes back the act `corrects`; its article is that act's own."""
