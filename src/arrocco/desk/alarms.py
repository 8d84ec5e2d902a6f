"""12.2 — alarms about a player that a person has looked at: one that is dismissed stays so.

An alarm is known by the games it rests on. It comes back only with a game that was not among them.
"""

from __future__ import annotations

from collections.abc import Iterable

from arrocco.desk.committee import is_member
from arrocco.desk.desk import Desk, account_of
from arrocco.desk.reasons import check_reason
from arrocco.errors import NotFound
from arrocco.hall.event.records import EventRole
from arrocco.hall.event.state import State
from arrocco.office.roles import Asker
from arrocco.store.sql import dismissed_alarms
from arrocco.store.sql.dismissed_alarms import DismissedAlarm


class FairPlayAlarms:
    """What was dismissed in an event, by chief arbiter or committee."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def dismissed(self, event: str) -> list[DismissedAlarm]:
        """The dismissed alarms of an event, in order."""
        with self._desk.database.reading() as connection:
            return dismissed_alarms.of_event(connection, event)

    def dismiss(
        self, asker: Asker, event: State, entry: int, games: tuple[str, ...], reason: str
    ) -> DismissedAlarm:
        """Dismisses an alarm about a player, with the games that it rests on and a reason."""
        with self._desk.acting(asker, "dismiss_alarm", f"event:{event.created.event}") as act:
            is_chief = EventRole.CHIEF in event.roles(str(account_of(asker)))
            if not is_chief and not is_member(act.connection, asker.account, act.at):
                raise NotFound.of("watch.for_few")
            check_reason(reason)
            alarm = DismissedAlarm(
                event=event.created.event,
                entry=entry,
                games=tuple(sorted(games)),
                account=account_of(asker),
                at=act.at,
                reason=reason.strip(),
            )
            act.details |= {"entry": entry, "games": len(games)}
            dismissed_alarms.add(act.connection, alarm)
            return alarm


def dismissal_of(
    dismissed: Iterable[DismissedAlarm], entry: int, games: tuple[str, ...]
) -> DismissedAlarm | None:
    """The dismissal that holds for an alarm: one that rested on all of its games."""
    holding = [
        dismissed_alarm
        for dismissed_alarm in dismissed
        if dismissed_alarm.entry == entry and set(games) <= set(dismissed_alarm.games)
    ]
    return holding[-1] if holding else None
