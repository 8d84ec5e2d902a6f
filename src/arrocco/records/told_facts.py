"""Facts of tournaments that a file does not say and somebody tells: official, a league."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from arrocco.records.report import Facts

TELLABLE = tuple("official league national_championship women_only world_team_event hybrid".split())
"""FIDE 2024 7.1.3, 9.4; 2010 7.13, 4.11, 6.33, 7.14f."""


@dataclass(frozen=True)
class ToldFact:
    """A fact of all reports, or of the one that is named by its file."""

    name: str
    file: str = ""

    def covers(self, source: str) -> bool:
        """Whether it is about this report: by its whole name or the name of its file."""
        return not self.file or self.file in (source, PurePath(source).name)


def with_facts(facts: Facts, source: str, told: Iterable[ToldFact]) -> Facts:
    """The facts of a report with those that were told of it."""
    changed: dict[str, Any] = {fact.name: True for fact in told if fact.covers(source)}
    return replace(facts, **changed) if changed else facts


def unused(told: Sequence[ToldFact], sources: Iterable[str]) -> list[ToldFact]:
    """Facts that are told of no report there is."""
    known = list(sources)
    return [fact for fact in told if fact.file and not any(map(fact.covers, known))]
