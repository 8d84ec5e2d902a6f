"""What differs between two editions: their values, their readings and their rules, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from arrocco.laws.edition import Edition, Legal, Reading, Rule

T = TypeVar("T")


@dataclass(frozen=True)
class Comparison(Generic[T]):
    """The items of two editions by name, each side in the order of its own text."""

    only_first: dict[str, T]
    only_second: dict[str, T]
    differ: dict[str, tuple[T, T]]
    same: dict[str, tuple[T, T]]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to tell: all items are the same in both."""
        return not (self.only_first or self.only_second or self.differ)


@dataclass(frozen=True)
class RuleBody:
    """A rule of an edition and the class whose code carries it out."""

    edition: type[Edition]
    rule: Rule
    owner: str


def compare_values(first: type[Edition], second: type[Edition]) -> Comparison[Legal]:
    """Compares the numbers; one that only moved to another article is the same number."""
    return _compare(
        dict(first.values()),
        dict(second.values()),
        lambda one, other: int(one) == int(other) and one.unit == other.unit,
    )


def compare_readings(first: type[Edition], second: type[Edition]) -> Comparison[Reading]:
    """Compares the readings: the same one has the same choices, default and basis."""
    return _compare(
        {reading.name: reading for reading in first.READINGS},
        {reading.name: reading for reading in second.READINGS},
        lambda one, other: (
            (one.choices, one.default, one.basis) == (other.choices, other.default, other.basis)
        ),
    )


def compare_rules(first: type[Edition], second: type[Edition]) -> Comparison[RuleBody]:
    """Compares the rules: the same one is carried out by the same code, with whatever numbers."""
    return _compare(_rules(first), _rules(second), lambda one, other: one.owner == other.owner)


def _rules(edition: type[Edition]) -> dict[str, RuleBody]:
    return {
        rule.name: RuleBody(edition, rule, _owner(edition, rule.name)) for rule in edition.rules()
    }


def _owner(edition: type[Edition], name: str) -> str:
    owner = next(owner for owner in edition.__mro__ if name in vars(owner))
    return f"{owner.__module__}.{owner.__qualname__}"


def _compare(
    first: dict[str, T], second: dict[str, T], is_same: Callable[[T, T], bool]
) -> Comparison[T]:
    both = {name: (item, second[name]) for name, item in first.items() if name in second}
    return Comparison(
        only_first={name: item for name, item in first.items() if name not in second},
        only_second={name: item for name, item in second.items() if name not in first},
        differ={name: pair for name, pair in both.items() if not is_same(*pair)},
        same={name: pair for name, pair in both.items() if is_same(*pair)},
    )
