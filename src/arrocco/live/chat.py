"""5.2 — the chat between players and arbiters: how much of it, and how its lines are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from arrocco.findings import Finding, Severity
from arrocco.hall import event as ev
from arrocco.hall.event.acts.chat import reads
from arrocco.hall.game import State
from arrocco.live.limits import Bucket
from arrocco.live.messages import ChatLine
from arrocco.live.server_time import as_moment

AT_ONCE, EVERY = 5, 5
"""Lines a player may write at once, and the seconds after which there is one more."""
MAX_SHOWN = 100
"""The last lines shown to whoever comes; all of them are in the log."""

NameOf = Callable[[str], str]


class Pace:
    """How fast each player of a game or an event may write, whatever socket they use."""

    def __init__(self) -> None:
        self._buckets: dict[str, Bucket] = {}

    def objection(self, person: str, now: int) -> Finding | None:
        bucket = self._buckets.setdefault(person, Bucket(AT_ONCE, 1, now, EVERY))
        if bucket.take(now):
            return None
        return Finding(Severity.ERROR, "hall_live.chat_too_fast", article="5.2")


def game_lines(state: State, name_of: NameOf) -> list[tuple[str, ChatLine]]:
    """The lines of a game, each with the player it is said to or by."""
    counts: Counter[str] = Counter()
    lines = []
    for line in state.chat:
        counts[line.player] += 1
        side = state.side_of(line.player)
        assert side is not None
        name = state.seat(side).player.name if line.by_player else name_of(line.by)
        shown = ChatLine(
            number=counts[line.player],
            at=line.at,
            side=side,
            by_arbiter=not line.by_player,
            name=name,
            text=line.text,
        )
        lines.append((line.player, shown))
    return lines


def event_lines(state: ev.State, account: str) -> list[ChatLine]:
    """The lines of an event that somebody may read."""
    counts: Counter[int] = Counter()
    chat_lines = []
    for line in state.chat:
        counts[line.entry] += 1
        if not reads(state, account, line.entry):
            continue
        person = state.entries[line.entry - 1].person
        is_own = line.by == person.account
        chat_lines.append(
            ChatLine(
                number=counts[line.entry],
                at=as_moment(line.at),
                entry=line.entry,
                by_arbiter=not is_own,
                name=person.full_name if is_own else arbiter_name(state, line.by),
                text=line.text,
            )
        )
    return chat_lines


def arbiter_name(state: ev.State, account: str) -> str:
    """The name of an arbiter; of one who no longer is one there is none."""
    arbiter = state.arbiter(account)
    return "" if arbiter is None else arbiter.name
