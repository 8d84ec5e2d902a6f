"""What comes of a command: events for the log, or a refusal with its article, or both.

Events come with a refusal where time had brought something about before the command arrived: a flag
that had fallen is written down even though the move that came too late is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import chess

from arrocco.findings import Finding, Severity
from arrocco.hall.game.events import Event
from arrocco.hall.game.position import CanMate
from arrocco.laws.online.law import OnlineLaw

ProofOf = Callable[[chess.Board, chess.Color], str]
"""Why a colour can, or cannot, mate: a line of moves or an argument, in words or in a notation."""


def no_proof(board: chess.Board, color: chess.Color) -> str:
    """The proof of whoever gives none."""
    return ""


class Judge(NamedTuple):
    """Who decides what this package does not: the law, and whether mate is possible."""

    can_mate: CanMate
    law: OnlineLaw
    """The edition in force on the day the event started."""
    proof_of: ProofOf = no_proof


class Decision(NamedTuple):
    """The events to be written, in order, and why the command itself was refused, if it was."""

    events: tuple[Event, ...] = ()
    refusal: Finding | None = None


def happened(*events: Event) -> Decision:
    return Decision(events)


def refused(key: str, article: str = "", **details: Any) -> Decision:
    """Nothing happens; `key` names the sentence that says why and what to do.

    Where it is about one field of what was asked, `field` among the details names it.
    """
    return Decision((), Finding(Severity.ERROR, key, article=article, details=details))


def together(first: Sequence[Event], then: Decision) -> Decision:
    """A decision after events that come first in any case."""
    return Decision((*first, *then.events), then.refusal)
