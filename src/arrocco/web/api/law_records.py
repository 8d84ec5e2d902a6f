"""What the API answers about the law and what calculators find."""

from __future__ import annotations

from datetime import date

from msgspec import Struct, field

from arrocco.web.api.player_records import GameRecord, StepRecord


class EditionRecord(Struct, frozen=True, kw_only=True):
    """An edition of a regulation; the last day is in force too."""

    law: str
    edition: str
    title: str
    first_day: date | None
    last_day: date | None
    source: str


class ValueRecord(Struct, frozen=True, kw_only=True):
    """A number that a text fixes, and what it rests on."""

    name: str
    value: int
    unit: str
    article: str
    words: str
    basis: str


class ChosenRecord(Struct, frozen=True, kw_only=True):
    """How the office reads an article, from a list on."""

    choice: str
    from_list: date
    reason: str
    seq: int


class ReadingRecord(Struct, frozen=True, kw_only=True):
    """A place where the text leaves room, and how it is read."""

    name: str
    article: str
    words: str
    choices: dict[str, str]
    default: str
    basis: str
    chosen: list[ChosenRecord]


class RuleRecord(Struct, frozen=True, kw_only=True):
    """A rule that the program carries out."""

    name: str
    article: str
    words: str


class LawRecord(Struct, frozen=True, kw_only=True):
    """All that an edition says."""

    edition: EditionRecord
    values: list[ValueRecord]
    readings: list[ReadingRecord]
    rules: list[RuleRecord]


class ChangeRecord(Struct, frozen=True, kw_only=True):
    """The change of a rating by some games."""

    law: str
    edition: str
    on: date
    rating: int
    n: int
    score: str
    expected: str
    delta: str
    k: int
    k_reason: str
    k_applied: int
    variation: str
    change: int
    new_rating: int
    games: list[GameRecord]
    steps: list[StepRecord]


class InitialRecord(Struct, frozen=True, kw_only=True):
    """A first rating from games against rated opponents."""

    law: str
    edition: str
    on: date
    n: int
    score: str
    average: str
    p: str
    dp: int
    initial: int
    publishable: bool
    reasons: list[str] = field(default_factory=list)
    steps: list[StepRecord] = field(default_factory=list)


class PerformanceRecord(Struct, frozen=True, kw_only=True):
    """The performance of a result: the opponents' average plus dp."""

    n: int
    score: str
    average: str
    p: str
    dp: int
    performance: int
