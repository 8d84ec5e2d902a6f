"""What an edition of a regulation is: its dates, its source, its values, its readings, its rules.

An edition is a class. The numbers its text fixes are `Legal` integers that stand in the class body
with their article; its rules are methods that name their article; where the text leaves room, a
`Reading` names the choices, and an instance of the class is that edition read in one way.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import ClassVar, Self

from arrocco.dates import Interval
from arrocco.errors import Illegal
from arrocco.words import Language, Phrase, fill

_NAMED = re.compile(r"\{([A-Z_]+)")


class Legal(int):
    """An integer fixed by a regulation: usable as a number, it remembers where it stands."""

    article: str
    unit: str
    en: str
    it: str

    def __new__(cls, value: int, article: str, unit: str, en: str = "", it: str = "") -> Legal:
        self = super().__new__(cls, value)
        self.article, self.unit, self.en, self.it = article, unit, en, it
        return self

    def means(self, en: str, it: str) -> Legal:
        """The same value with what it means, in English and in Italian."""
        return Legal(int(self), self.article, self.unit, en, it)

    def __reduce__(self) -> tuple[type[Legal], tuple[int, str, str, str, str]]:
        return Legal, (int(self), self.article, self.unit, self.en, self.it)


BASES = ("text", "figures", "second-hand", "guess")
"""What a value or a reading rests on: the words themselves, figures that the authority published,
what others tell of the text, or nothing that was found."""


@dataclass(frozen=True)
class Choice:
    """One way to read an ambiguous text."""

    name: str
    en: str = ""
    it: str = ""

    def means(self, en: str, it: str) -> Choice:
        """The same choice with what it means, in English and in Italian."""
        return replace(self, en=en, it=it)


@dataclass(frozen=True)
class Reading:
    """A place where the text can be read in more than one way, and what we read by default.

    `basis`, one of `BASES`, tells what the default rests on; a guess is ours, and the program says
    so wherever it shows it. `before` is how lists were read that were made before the reading was
    named, where that is not the default.
    """

    name: str
    article: str
    default: str
    basis: str
    en: str = ""
    it: str = ""
    choices: tuple[Choice, ...] = ()
    before: str = ""
    formerly: str = ""
    """The name it had in lists made before, with the same choices."""
    bears_on: tuple[str, ...] = ()
    """Other articles whose outcome rests on it: receipts that cite them tell of another choice than
    the default."""

    def __post_init__(self) -> None:
        if self.basis not in BASES:
            raise ValueError(f"{self.name}: {self.basis!r} is no basis for a reading")

    def means(self, en: str, it: str, *choices: Choice) -> Reading:
        """The same reading with its question, in English and in Italian, and its choices."""
        if self.default not in {choice.name for choice in choices}:
            raise ValueError(f"{self.name}: the default {self.default!r} is not one of its choices")
        return replace(self, en=en, it=it, choices=choices)

    def choice(self, name: str) -> Choice:
        """The choice of that name. Raises `Illegal` naming the choices there are."""
        for choice in self.choices:
            if choice.name == name:
                return choice
        choices = tuple(choice.name for choice in self.choices)
        raise Illegal.of("laws.refused.no_choice", name=name, reading=self.name, choices=choices)


@dataclass(frozen=True)
class Rule:
    """One rule of an edition, as the law browser shows it."""

    name: str
    article: str
    words: str


class Edition:
    """The common root of all editions; an instance is an edition with its readings chosen."""

    law: ClassVar[str]
    """The name on the command line: ``fide``, ``fide-rapid``, ``rio``, ``uisp`` ..."""
    in_force: ClassVar[Interval]
    title_en: ClassVar[str]
    title_it: ClassVar[str]
    source: ClassVar[str]
    """Where the text comes from and who approved it."""
    source_it: ClassVar[str]
    READINGS: ClassVar[tuple[Reading, ...]] = ()
    VALUE_BASES: ClassVar[Mapping[str, str]] = {}
    """What values rest on whose text was not seen, by name: the others stand in the text."""
    WITHOUT: ClassVar[frozenset[str]] = frozenset()
    """Numbers that the edition inherits as code and its text does not have."""

    def __init__(self, /, **choices: str) -> None:
        known = {reading.name: reading for reading in self.READINGS}
        for name in choices:
            if name not in known:
                readings = tuple(known) or Phrase("laws.none")
                raise Illegal.of(
                    "laws.refused.no_reading", law=self.law, name=name, readings=readings
                )
        self.readings: Mapping[str, str] = {
            name: reading.choice(choices.get(name, reading.default)).name
            for name, reading in known.items()
        }

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.readings == getattr(other, "readings", None)

    def __hash__(self) -> int:
        return hash((type(self), tuple(self.readings.items())))

    @classmethod
    def readings_of(cls, named: Mapping[str, str]) -> dict[str, str]:
        """Every reading of a list made earlier, of which those known then were named."""
        return {
            reading.name: named.get(
                reading.name, named.get(reading.formerly, reading.before or reading.default)
            )
            for reading in cls.READINGS
        }

    @classmethod
    def with_known(cls, chosen: Mapping[str, str]) -> Self:
        """This edition with those of the choices that it has; others are of another edition."""
        known = {reading.name: reading for reading in cls.READINGS}
        return cls(
            **{
                name: choice
                for name, choice in chosen.items()
                if name in known and any(choice == one.name for one in known[name].choices)
            }
        )

    def reads(self, name: str, choice: str) -> bool:
        """Whether this edition is read that way."""
        return self.readings[name] == choice

    @property
    def edition(self) -> str:
        """The edition's name: the day it came into force, or ``undated``."""
        return edition_name(type(self))

    @classmethod
    def values(cls) -> Iterator[tuple[str, Legal]]:
        """Every number the text fixes, with its name, in the order of the text."""
        seen: set[str] = set(cls.WITHOUT)
        values: list[tuple[str, Legal]] = []
        for owner in cls.__mro__:
            for name, value in vars(owner).items():
                if isinstance(value, Legal) and name not in seen:
                    seen.add(name)
                    values.append((name, value))
        yield from sorted(values, key=lambda pair: article_order(pair[1].article))

    @classmethod
    def basis_of(cls, name: str) -> str:
        """What a value rests on: one of `BASES`."""
        return cls.VALUE_BASES.get(name, "text")

    def named(self, names: Mapping[str, str | int]) -> dict[str, int]:
        """Values as details of a sentence: each by its name here, or the number of another text."""
        return {
            detail: int(getattr(self, name) if isinstance(name, str) else name)
            for detail, name in names.items()
        }

    @classmethod
    def with_numbers(cls, language: Language, words: str) -> str:
        """The words of a rule with this edition's numbers where they name them: ``{K_TOP}``."""
        names = set(_NAMED.findall(words))
        return fill(language, words, **{name: int(getattr(cls, name)) for name in names})

    @classmethod
    def rules(cls) -> Iterator[Rule]:
        """Every rule with its name, its article and its words, which begin the docstring."""
        rules = []
        for name, member in inspect.getmembers(cls):
            words = " ".join((inspect.getdoc(member) or "").partition("\n\n")[0].split())
            article, dash, text = words.partition(" — ")
            if callable(member) and not name.startswith("_") and dash:
                rules.append(Rule(name, article, cls.with_numbers("en", text)))
        yield from sorted(rules, key=lambda rule: article_order(rule.article))


UNDATED = "undated"
"""The name of an edition whose text has no date."""


def edition_name(edition: type[Edition]) -> str:
    """The day an edition came into force, or ``undated``."""
    start: date | None = edition.in_force.start
    return start.isoformat() if start else UNDATED


def article_order(article: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key that puts 7.2 before 7.14 and 8.3.3 before 8.3.10."""
    key: list[tuple[int, int, str]] = []
    for part in article.replace(",", ".").replace(" ", ".").split("."):
        digits = "".join(c for c in part if c.isdigit())
        key.append((0, int(digits), part) if digits else (1, 0, part))
    return tuple(key)
