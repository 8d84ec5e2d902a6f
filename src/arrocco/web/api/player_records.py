"""Players, their histories and periods as the API answers them."""

from __future__ import annotations

from datetime import date, datetime

from msgspec import Struct

from arrocco.engine.explain import Step
from arrocco.engine.wording import sentence
from arrocco.words import Language


class DepartedRecord(Struct, frozen=True, kw_only=True):
    """Somebody who died, or a number that was left for another."""

    successor: int | None
    """The number that is kept, where this one was merged."""
    died: bool
    last_lists: dict[str, date]
    """By system: the last list that has them."""
    left_with: dict[str, date]
    """By system: the list they left with; not there while it is to come."""


class FoundPlayer(Struct, frozen=True, kw_only=True):
    """A player that a search found, with the ratings of the newest lists by system."""

    id: int
    name: str
    federation: str
    title: str
    birth_year: int | None
    ratings: dict[str, int | None]
    departed: DepartedRecord | None = None
    """For who died or whose number was merged."""


class RatingRecord(Struct, frozen=True, kw_only=True):
    """A player on the newest list of a system."""

    list_date: date
    rating: int | None
    games: int | None
    k: int | None
    active: bool
    rank: int | None
    federation_rank: int | None


class PlayerRecord(Struct, frozen=True, kw_only=True):
    """A player: who they are and their ratings by system."""

    id: int
    name: str
    federation: str
    sex: str
    title: str
    birth_year: int | None
    ratings: dict[str, RatingRecord]
    departed: DepartedRecord | None = None
    """For who died or whose number was merged."""


class HistoryRecord(Struct, frozen=True, kw_only=True):
    """A list that changed something for a player; `player` is the number it was under."""

    list_date: date
    player: int
    rating: int | None
    change: int
    games: int
    k: int | None
    note: str


class EntryRecord(Struct, frozen=True, kw_only=True):
    """A merger, a correction or a change that the ledger holds of a player."""

    seq: int
    at: datetime
    kind: str
    other: int | None
    tournament: int | None
    fields: list[str]
    lists: dict[str, date]


class PlayerHistory(Struct, frozen=True, kw_only=True):
    """The ratings of a player list by list, by system, the oldest first."""

    id: int
    systems: dict[str, list[HistoryRecord]]
    entries: list[EntryRecord]


class StepRecord(Struct, frozen=True, kw_only=True):
    """A step of a computation, in words, with its article."""

    text: str
    article: str
    key: str


class GameRecord(Struct, frozen=True, kw_only=True):
    """A game from the player's side; figures are missing where it does not count."""

    round: int
    opponent: int | None
    opponent_name: str
    opponent_rating: int | None
    score: str
    difference: int | None
    counted_difference: int | None
    expected: str | None
    delta: str | None
    excluded: str | None
    article: str


class EventRecord(Struct, frozen=True, kw_only=True):
    """A tournament of a player's period."""

    key: str
    name: str
    start: date
    end: date
    edition: str
    rating: int | None
    n: int
    score: str
    expected: str
    delta: str
    k: int | None
    variation: str
    games: list[GameRecord] | None
    """Missing where the games were not kept."""
    steps: list[StepRecord]


class PeriodRecord(Struct, frozen=True, kw_only=True):
    """How one list came to a player's rating: the rows of the computation itself."""

    id: int
    name: str
    system: str
    law: str
    edition: str
    readings: dict[str, str]
    opened_on: date
    list_date: date
    listed: int | None
    """The rating on the list that opened the period; corrections may have moved it since."""
    entered: list[EntryRecord]
    """What came into force with the list beside the games."""
    rating: int | None
    n: int
    score: str
    expected: str
    delta: str
    k: int | None
    k_reason: str | None
    k_applied: int | None
    variation: str
    change: int
    new_rating: int | None
    result: str
    tournaments: list[EventRecord]
    steps: list[StepRecord]


def step_record(language: Language, step: Step) -> StepRecord:
    return StepRecord(text=sentence(language, step), article=step.article, key=step.key)
