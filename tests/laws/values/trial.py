"""A trial edition in a trial registry: one number changed, everything else as it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from unittest.mock import patch

from arrocco.laws import registry
from arrocco.laws.edition import Edition, Legal
from arrocco.laws.rating import RatingLaw


@dataclass(frozen=True)
class World:
    """An edition as it was written, and a day on which the registry is asked for it.

    Scenarios take their numbers from `edition`, which no trial changes, so that they stand exactly
    at the limit; what they compute comes from the edition that the registry has.
    """

    law: str
    edition: type[Edition]

    @property
    def day(self) -> date:
        """The tenth day of the second month the edition is in force."""
        start = self.edition.in_force.start or date(2026, 1, 1)
        return (start.replace(day=1) + timedelta(days=32)).replace(day=10)

    def number(self, name: str) -> int:
        """A number as the text has it, whatever the trial makes of it."""
        return int(getattr(self.edition, name))

    def has(self, name: str) -> bool:
        return name in dict(self.edition.values())

    def original(self, **readings: str) -> Any:
        """The edition as it was written."""
        return self.edition(**readings)

    def text(self, **readings: str) -> Any:
        """The edition that the registry has, whatever it is about."""
        return registry.text_in_force(self.law, self.day)(**readings)

    def rating_law(self, **readings: str) -> RatingLaw:
        return registry.edition_in_force(self.law, self.day)(**readings)


Scenario = Callable[[World], object]
"""A small computation or check; what it returns is compared."""


@dataclass(frozen=True)
class Case:
    """One number of one edition, by how much a trial changes it, and where that must be seen."""

    world: World
    name: str
    value: Legal
    scenario: Scenario
    step: int = 1

    def trial(self) -> type[Edition]:
        """The edition with this number changed."""
        changed = Legal(self.value + self.step, self.value.article, self.value.unit)
        written = self.world.edition
        return type(
            f"Trial{written.__name__}",
            (written,),
            {self.name: changed, "__module__": written.__module__},
        )


@contextmanager
def registered(trial: type[Edition], instead_of: type[Edition]) -> Iterator[None]:
    """A registry in which the trial has the place of the edition it was made from."""

    def with_trial(known: Callable[[str], tuple[Any, ...]]) -> Callable[[str], tuple[Any, ...]]:
        return lambda law: tuple(trial if e is instead_of else e for e in known(law))

    with (
        patch.object(registry, "editions", with_trial(registry.editions)),
        patch.object(registry, "texts", with_trial(registry.texts)),
    ):
        yield
