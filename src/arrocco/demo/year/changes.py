"""What happens to people in an invented year: they move, get titles, and one of them dies."""

from __future__ import annotations

from datetime import timedelta

from arrocco.demo.year.desk import YearDesk
from arrocco.demo.year.people import FIRST_MONTH, GUEST, HOME, Person
from arrocco.office.ledger import PlayerChanged

_MOVE, _TITLE, _DEATH = 3, 5, 6
"""In which month of a whole year each of them happens."""


class Changes:
    """Puts changes of particulars into the agenda."""

    def __init__(self, desk: YearDesk, months: int) -> None:
        self.desk, self.months = desk, months

    def enter(self) -> None:
        for month, act in ((_MOVE, self._move), (_TITLE, self._title), (_DEATH, self._death)):
            first = FIRST_MONTH.plus((month - 1) * self.months // 12).first_day
            self.desk.on(first + timedelta(days=11 + month), 14, act)

    def _strongest(self, place: int, *, untitled: bool = False, idle: bool = False) -> Person:
        """Somebody of the first federation; `idle`: who plays nowhere in the days to come."""
        world, day = self.desk.world, self.desk.agenda.day
        people = [
            person
            for person in world.people
            if person.alive
            and person.federation == HOME
            and not (untitled and person.title)
            and not (idle and not world.is_free(person, day, day + timedelta(days=365)))
        ]
        people.sort(key=lambda one: (-one.strength, one.id))
        return people[min(place, len(people) - 1)]

    def _change(self, change: PlayerChanged, federation: str = "") -> None:
        asker = self.desk.staff.officers[federation] if federation else self.desk.staff.boss
        self.desk.office.people.change(asker, change)

    def _move(self) -> None:
        person = self._strongest(5)
        day = self.desk.agenda.day
        self._change(
            PlayerChanged(
                player=person.id, federation=GUEST, from_day=day, reason="Transfer agreed."
            ),
            HOME,
        )
        person.federation = GUEST

    def _title(self) -> None:
        person = self._strongest(0, untitled=True)
        day = self.desk.agenda.day
        reason = "Title confirmed by the Council."
        self._change(PlayerChanged(player=person.id, title="FM", from_day=day, reason=reason))
        person.title = "FM"

    def _death(self) -> None:
        person = self._strongest(12, idle=True)
        day = self.desk.agenda.day
        reason = "The family has informed the federation."
        self._change(
            PlayerChanged(
                player=person.id, died=day - timedelta(days=2), from_day=day, reason=reason
            ),
            HOME,
        )
        person.alive = False
