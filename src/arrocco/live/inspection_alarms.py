"""5.10, 12.4 — what players were asked to show: who has not answered, who shows it, who refuses."""

from __future__ import annotations

from collections.abc import Iterable

from arrocco.hall.game.acts.inspection import open_inspections
from arrocco.hall.game.state import Phase, State
from arrocco.live.alarm import Alarm, Level

_REFUSED_BY = ("declare_result", "warn", "close_inspection")
"""5.10, 6.9a — what fits where a player refuses; nothing of it follows by itself."""


def inspection_alarms(state: State) -> Iterable[Alarm]:
    """What there is to see of inspections that are under way."""
    if state.phase is Phase.ENDED:
        return
    for asked in open_inspections(state):
        refuses = asked.shows is False
        standing = "refused" if refuses else "shown" if asked.shows else "waits"
        yield Alarm(
            key=f"hall_live.alarm.inspection_{standing}",
            level=Level.LOOK if asked.shows is None else Level.NOW,
            side=state.side_of(asked.player),
            since=asked.at if asked.answered is None else asked.answered,
            text=asked.text,
            what=f"point.{asked.point}",
            article="5.10" if refuses else asked.point.article,
            acts=_REFUSED_BY if refuses else ("close_inspection",),
        )
