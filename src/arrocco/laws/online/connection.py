"""The FSI online regulation, articles 7 and 9: lost connections and the video conference (VCS)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from arrocco.errors import Illegal
from arrocco.laws.edition import Choice, Edition, Reading
from arrocco.moments import instant


class AwayOutcome(StrEnum):
    """What a lost connection has made of the game so far."""

    GOES_ON = "goes_on"
    LOST = "lost"
    DRAWN = "drawn"


class Away(NamedTuple):
    """The outcome, the article it rests on, and what is left on the player's clock."""

    outcome: AwayOutcome
    article: str
    left: timedelta


class Absence(NamedTuple):
    """A stretch without connection; `end` is `None` while it lasts."""

    start: datetime
    end: datetime | None = None


class VcsConsequence(StrEnum):
    """How far the arbiter may go over disconnections from the video conference."""

    NONE = "none"
    SANCTION = "sanction"
    """A sanction of 6.9."""
    EXCLUSION = "exclusion"
    """Exclusion from the tournament or the championship."""


class Card(StrEnum):
    """9.2 — yellow is a warning, red loses the game."""

    YELLOW = "yellow"
    RED = "red"


class Connections(Edition):
    """Connection to the platform (7) and to the video conference (9)."""

    YELLOW_CARDS = Reading("yellow_cards", "9.2", "second_is_red", "guess").means(
        "When cards turn red, where the event has cards and does not say",
        "Quando il cartellino diventa rosso, se l'evento li prevede e non lo dice",
        Choice("second_is_red").means("the second card is red", "il secondo cartellino è rosso"),
        Choice("always_yellow").means(
            "never by themselves: the arbiter decides", "mai da soli: decide l'arbitro"
        ),
    )

    # --- 7: the platform -----------------------------------------------------------------------

    def away_outcome(
        self,
        away: timedelta,
        ran: timedelta,
        remaining: timedelta,
        *,
        opponent_can_mate: bool,
        limit: timedelta | None = None,
    ) -> Away:
        """7.5, 7.6, 7.7 — the clock runs on; not back in time is a loss, or a draw by 1.3.4.

        `away` is how long the player has been gone, `ran` how much of that their clock ran and
        `remaining` what it showed before. `limit` is the time to reconnect, where the event's
        rules give one: it adds a way to lose, it does not stop the clock.
        """
        left = max(remaining - ran, timedelta(0))
        if left and (limit is None or away <= limit):
            return Away(AwayOutcome.GOES_ON, "7.6", left)
        if not opponent_can_mate:
            return Away(AwayOutcome.DRAWN, "1.3.4", left)
        return Away(AwayOutcome.LOST, "7.7", left)

    def vcs_only_disconnections(self, vcs: Iterable[Absence], platform: Iterable[Absence]) -> int:
        """7.9 — how many disconnections from the VCS had no disconnection from the platform.

        Both are of one player, so that none overlaps another of its own kind. Each disconnection
        from the platform answers for one from the VCS that it overlaps.
        """
        unused = sorted(platform, key=_start)
        count = 0
        for absence in sorted(vcs, key=_start):
            match = next((other for other in unused if _overlap(absence, other)), None)
            if match is None:
                count += 1
            else:
                unused.remove(match)
        return count

    def vcs_consequence(self, vcs_only_disconnections: int) -> VcsConsequence:
        """7.9 — one may be sanctioned by 6.9; repeated ones may lead to exclusion."""
        if vcs_only_disconnections < 1:
            return VcsConsequence.NONE
        if vcs_only_disconnections == 1:
            return VcsConsequence.SANCTION
        return VcsConsequence.EXCLUSION

    # --- 9: the video conference ---------------------------------------------------------------

    def is_late_at_vcs(self, connected: datetime | None, due: datetime) -> bool:
        """9.1e — not connected at the time the arbiter set: the player may be excluded."""
        return connected is None or instant(connected) > instant(due)

    def may_move(self, *, on_platform: bool, on_vcs: bool, vcs_required: bool = True) -> bool:
        """9.1f — no move on the board while off the VCS, until reconnected to it."""
        return on_platform and (on_vcs or not vcs_required)

    def card(
        self, disconnections: int, *, cards_in_use: bool, red_from: int | None = None
    ) -> Card | None:
        """9.2 — the card for a disconnection from the VCS, the so many-th of the player.

        Cards exist only where the event's rules have them; `red_from` is the disconnection from
        which they are red, where those rules say it.
        """
        if disconnections < 1 or (red_from is not None and red_from < 1):
            raise Illegal.of("laws.refused.disconnections")
        if not cards_in_use:
            return None
        if red_from is None:
            red_from = 2 if self.reads("yellow_cards", "second_is_red") else None
        return Card.RED if red_from is not None and disconnections >= red_from else Card.YELLOW


def _start(absence: Absence) -> datetime:
    return instant(absence.start)


def _overlap(first: Absence, other: Absence) -> bool:
    one_ends_after = first.end is None or instant(first.end) >= _start(other)
    other_ends_after = other.end is None or instant(other.end) >= _start(first)
    return one_ends_after and other_ends_after
