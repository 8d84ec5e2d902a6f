"""7.9, 9.1, 9.2 — what is missing in the video conference, and what the arbiter may make of it.

A card is proposed from the count and the event's rules, and given by a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from arrocco.hall.game.acts.warn import warnings
from arrocco.hall.game.state import Phase, State
from arrocco.hall.game.vcs_gaps import vcs_only
from arrocco.hall.presence import OF_ROOM, OFF, Problem
from arrocco.laws.online.connection import Card
from arrocco.laws.online.law import OnlineLaw
from arrocco.laws.online.side import Side
from arrocco.live.alarm import Alarm, Level

_FITTING = ("ask_to_show", "pause", "warn")
_OFF_ALONE = ("pause", "warn")
"""What an arbiter may do about something that is missing; nothing of it follows by itself."""
_TO_BE_SHOWN = frozenset(Problem) - {Problem.LOST}
"""8.1, 8.2, 10 — where the player is there and can be asked to show it."""


class SeenMissing(NamedTuple):
    """What is missing of a player, and since when."""

    problems: tuple[Problem, ...]
    since: int


class VideoFacts(NamedTuple):
    """What is known of the players of a game, and what its event's rules say of cards."""

    law: OnlineLaw
    seen: Mapping[str, SeenMissing]
    cards: bool = False
    red_card_from: int | None = None


def video_alarms(state: State, facts: VideoFacts) -> Iterable[Alarm]:
    """What there is to see about a game in the video conference."""
    if state.phase is not Phase.ENDED and not state.is_supervised:
        yield Alarm(key="hall_live.alarm.video_away", level=Level.SOON)
        return
    for side in Side:
        player = state.seat(side).player.id
        missing = facts.seen.get(player)
        if missing is not None and state.phase is not Phase.ENDED and state.needs_vcs(side):
            for problem in missing.problems:
                level = Level.NOW if problem in OFF else Level.LOOK
                level = Level.SOON if problem in OF_ROOM else level
                yield Alarm(
                    key=f"hall_live.alarm.video_{problem}",
                    level=level,
                    side=side,
                    since=missing.since,
                    article=problem.article,
                    acts=_FITTING if problem in _TO_BE_SHOWN else _OFF_ALONE,
                )
        yield from _proposed(state, side, facts)


def _proposed(state: State, side: Side, facts: VideoFacts) -> Iterable[Alarm]:
    """7.9, 9.2 — as long as fewer warnings were given than there were disconnections."""
    line = state.seat(side).vcs
    if not line.gaps and line.lost is None:
        return
    count = vcs_only(state, side, facts.law)
    given = len(warnings(state, state.seat(side).player.id))
    if count <= given:
        return
    card = facts.law.card(given + 1, cards_in_use=facts.cards, red_from=facts.red_card_from)
    yield Alarm(
        key="hall_live.alarm.vcs_gaps" if card is None else f"hall_live.alarm.card_{card}",
        level=Level.SOON,
        side=side,
        count=count,
        article="7.9" if card is None else "9.2",
        acts=("declare_result", "warn") if card is Card.RED else ("warn", "exclude"),
    )
