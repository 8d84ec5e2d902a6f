"""What is judged: a report, the edition it falls under, and the list where there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from arrocco.engine.columns import Tournament, reason_of
from arrocco.engine.report_columns import exclusions_in, system_as_played
from arrocco.findings import Finding, Place, Severity
from arrocco.laws.edition import Legal
from arrocco.laws.rating import Exclusion, RatingLaw
from arrocco.records.ratinglist import ListedPlayer, RatingList
from arrocco.records.report import Entry, Game, GameKind, Report, System

SHOWN = 5
"""How many games or players a finding names; the others are only counted."""

PLAUSIBLE_YEARS = range(1900, 2200)


_ARTICLES: dict[type[RatingLaw], Mapping[str, str]] = {}
_VALUES: dict[type[RatingLaw], Mapping[str, Legal]] = {}
"""What every case of an edition asks for, put together once."""


@dataclass(frozen=True)
class Case:
    """A report before the law; `on` is the day it is sent."""

    report: Report
    law: RatingLaw
    listed: RatingList | None = None
    on: date | None = None
    standard: RatingList | None = None
    """The standard list, where its ratings stand in for missing ones."""
    suggests: bool = True
    """Whether the list is searched for others like those it does not have."""

    # --- the edition -----------------------------------------------------------------------------

    def article(self, rule: str) -> str:
        """The article under which the edition has a rule; empty where it has none."""
        edition = type(self.law)
        if edition not in _ARTICLES:
            _ARTICLES[edition] = {rule.name: rule.article for rule in edition.rules()}
        return _ARTICLES[edition].get(rule, "")

    def value(self, name: str) -> Legal | None:
        """A number the edition fixes, with its article; `None` where it fixes none."""
        edition = type(self.law)
        if edition not in _VALUES:
            _VALUES[edition] = dict(edition.values())
        return _VALUES[edition].get(name)

    # --- the days --------------------------------------------------------------------------------

    @property
    def start(self) -> date | None:
        return plausible(self.report.start)

    @property
    def end(self) -> date | None:
        return plausible(self.report.end)

    @property
    def sent(self) -> date | None:
        return plausible(self.on)

    # --- the players -----------------------------------------------------------------------------

    @cached_property
    def entries(self) -> Mapping[int, Entry]:
        """The entries by starting number."""
        return {entry.number: entry for entry in self.report.entries}

    @cached_property
    def listed_players(self) -> Mapping[int, ListedPlayer]:
        """What the list says of those it has, by starting number."""
        if self.listed is None:
            return {}
        players = {}
        for entry in self.report.entries:
            player = None if entry.id is None else self.listed.player(entry.id)
            if player is not None:
                players[entry.number] = player
        return players

    @cached_property
    def ratings(self) -> Mapping[int, int | None]:
        """The ratings that count, by starting number: the list's word before the report's.

        Where a standard rating stands in for a missing one, the report may hold it.
        """
        ratings: dict[int, int | None] = {}
        for entry in self.report.entries:
            player = self.listed_players.get(entry.number)
            if player is None or (player.rating is None and self.law.STANDARD_STANDS_IN):
                ratings[entry.number] = entry.rating
            else:
                ratings[entry.number] = player.rating
        return ratings

    def has_standard_rating(self, entry: Entry) -> bool:
        """Whether a standard rating stands in for a player."""
        if self.standard is None or entry.id is None or not self.law.STANDARD_STANDS_IN:
            return False
        player = self.standard.player(entry.id)
        return player is not None and player.rating is not None

    @cached_property
    def top_rating(self) -> int | None:
        return max((rating for rating in self.ratings.values() if rating), default=None)

    def is_woman(self, entry: Entry) -> bool:
        """Whether the report or the list says so."""
        player = self.listed_players.get(entry.number)
        return entry.sex == "w" or (player is not None and sex_of(player) == "w")

    # --- the games -------------------------------------------------------------------------------

    @cached_property
    def system(self) -> System:
        """How it was played: two who only meet each other play a match, whatever the file says."""
        return system_as_played(self.report)

    @cached_property
    def exclusions(self) -> list[Exclusion | None]:
        """For every game what excludes it for both sides, exactly as the engine finds it."""
        report = self.report
        start = self.start or date.min
        tournament = Tournament(
            key=report.source,
            law=self.law,
            start=start,
            end=self.end or start,
            system=self.system,
            control=report.time_control,
            facts=report.facts,
        )
        return [reason_of(code) for code in exclusions_in(tournament, report, self.ratings)]

    def excluded(self, reason: Exclusion) -> list[Game]:
        """The games excluded for a reason."""
        games = zip(self.report.games, self.exclusions, strict=True)
        return [game for game, why in games if why is reason]

    @cached_property
    def played(self) -> list[Game]:
        return [game for game in self.report.games if game.kind is GameKind.PLAYED]

    # --- speaking --------------------------------------------------------------------------------

    def finding(
        self,
        severity: Severity,
        key: str,
        place: Place | None = None,
        *,
        article: str = "",
        **details: Any,
    ) -> Finding:
        """A finding of these checks; without a place it concerns the whole report."""
        place = Place(self.report.source) if place is None else place
        return Finding(severity, f"check.{key}", place, article, details)

    def name(self, number: int) -> str:
        """A player's name and rating: ``Rossi, Ada 1850``; a dash for no rating."""
        entry = self.entries.get(number)
        name = (entry.name if entry else "") or str(number)
        return f"{name} {self.ratings.get(number) or '-'}"

    def game(self, game: Game) -> str:
        """A game with its round: ``3. Rossi, Ada 1850 – Verdi, Bo 2410``."""
        return f"{game.round}. {self.name(game.white)} – {self.name(game.black)}"


def plausible(day: date | None) -> date | None:
    """The day, unless its year is a slip: no list is looked for in the year 24 or 9999."""
    return day if day is not None and day.year in PLAUSIBLE_YEARS else None


Check = Callable[[Case], Iterator[Finding]]


def some(texts: Iterable[str]) -> str:
    """The first few of some texts, with an ellipsis where there are more."""
    every = list(texts)
    return "; ".join(every[:SHOWN]) + ("; …" if len(every) > SHOWN else "")


def sex_of(player: ListedPlayer) -> str:
    """The sex on a list as reports write it: m, w or empty."""
    return {"m": "m", "f": "w", "w": "w"}.get(player.sex.lower(), "")
