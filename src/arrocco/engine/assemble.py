"""From reports and a rating list to columns, with a finding for whatever does not fit.

Reports come here through the gate (`engine.admission`): a rated player whom the list does not have
was let pass by somebody, who also says how such players are to be taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal

import numpy as np

from arrocco.engine.batch import law_on
from arrocco.engine.columns import Entries, Games, Tournament
from arrocco.engine.kernel import MAX_RATING
from arrocco.engine.players import ASSUMED_GAMES, Players, assumed_games, players_of_list
from arrocco.engine.report_columns import games_of, tournaments_of
from arrocco.errors import Inconsistent
from arrocco.findings import Finding, Findings, Severity
from arrocco.laws.rating import RatingLaw
from arrocco.records.ratinglist import RatingList, birth_to_number
from arrocco.records.report import Entry, Report
from arrocco.records.reportbatch import batch_of

Unlisted = Literal["unrated", "report"]
"""What to do with a reported rating of a player the list does not have: the gate let it pass."""


@dataclass
class Assembled:
    """The columns of a period, and the names behind them.

    Entries and games stand in the order of the reports, so that every row can be led back to its
    file.
    """

    tournaments: list[Tournament]
    reports: Sequence[Report]
    players: Players
    names: dict[int, str]
    entries: Entries
    games: Games
    findings: list[Finding] = field(default_factory=list)


def law_for(
    name: str, report: Report, on: date | None, readings: dict[str, str], edition: str = ""
) -> RatingLaw:
    """The edition in force on the day a tournament starts, or the one named, as it is read."""
    start = report.law_day or on
    if start is None:
        raise Inconsistent.of("engine.refused.no_start", file=report.source)
    return law_on(name, start, readings, edition)


def assemble(
    reports: Sequence[Report],
    laws: Sequence[RatingLaw],
    listed: RatingList,
    *,
    on: date | None = None,
    unlisted: Unlisted = "unrated",
    entry_ratings: dict[int, tuple[int, str]] | None = None,
    standard: RatingList | None = None,
) -> Assembled:
    """Puts reports and the list that opens the period into columns.

    `entry_ratings` gives players who are new to RIO or UISP their rating on entry and its source;
    `standard` is the list whose ratings stand in for missing ones in FIDE rapid and blitz.
    """
    batch = batch_of([replace(each, start=each.start or on or date.min) for each in reports])
    entering = _Entering(listed, unlisted, entry_ratings or {}, standard)
    entering.assumed_games = max(map(assumed_games, laws), default=ASSUMED_GAMES)
    for report, law in zip(reports, laws, strict=True):
        for entry in report.entries:
            entering.add(entry, law)
    players = entering.players()
    rows = players.rows(np.array(entering.ids, dtype=np.int64))
    shown = np.array(entering.shown, dtype=np.int64)
    current = players.rating[rows]
    own = np.where(current > 0, np.where(shown > 0, shown, current), 0)
    tournaments = tournaments_of(batch, laws)
    return Assembled(
        tournaments=tournaments,
        reports=reports,
        players=players,
        names=entering.names,
        entries=Entries(batch.entries.tournament.astype(np.int64), rows, shown, own),
        games=games_of(batch, tournaments, shown),
        findings=entering.findings.all(),
    )


class _Entering:
    """Who the players of some reports are, and with which rating each entry is met."""

    def __init__(
        self,
        listed: RatingList,
        unlisted: Unlisted,
        entry_ratings: dict[int, tuple[int, str]],
        standard: RatingList | None,
    ) -> None:
        self.listed, self.unlisted, self.entry_ratings = listed, unlisted, entry_ratings
        self.standard = standard
        self.assumed_games = ASSUMED_GAMES
        self.standing_in: dict[int, int] = {}
        self.findings = Findings()
        self.names: dict[int, str] = {}
        self.ids: list[int] = []
        """By entry; those without an id have negative numbers."""
        self.shown: list[int] = []
        """By entry: the rating it shows its opponents, 0 for none."""
        self.newcomers: dict[int, int] = {}  # player id -> packed birth
        self.given_ratings: dict[int, int] = {}
        self.nameless = 0

    def add(self, entry: Entry, law: RatingLaw) -> None:
        """Adds one entry of a tournament under its edition."""
        player = entry.id
        if player is None:
            self.nameless += 1
            player = -self.nameless
            self._note("engine.no_id", entry, Severity.WARNING if entry.rating else Severity.NOTE)
        row = self.listed.row(player)
        self.names.setdefault(player, entry.name)
        if row is not None:
            rating = int(self.listed.rating[row])
            self.names[player] = str(self.listed.name[row]) or entry.name
            if law.HAS_UNRATED and entry.rating is not None and entry.rating != rating:
                self._note("engine.rating_differs", entry, Severity.WARNING, listed=rating or "-")
        else:
            self.newcomers.setdefault(player, birth_to_number(entry.birth))
            rating = self._stand_in(player, law) or self._unlisted_rating(player, entry, law)
        if row is not None and rating == 0:
            rating = self._stand_in(player, law)
            if not law.HAS_UNRATED:
                rating = self._unlisted_rating(player, entry, law)
        if not 0 <= rating <= MAX_RATING:
            raise Inconsistent.of(
                "engine.refused.rating_of_entry",
                place=str(entry.place),
                player=entry.name,
                rating=rating,
            )
        self.ids.append(player)
        self.shown.append(rating)

    def _stand_in(self, player: int, law: RatingLaw) -> int:
        """The standard rating of a player without one of this kind, where the law lets it stand."""
        if not law.STANDARD_STANDS_IN or self.standard is None:
            return 0
        row = self.standard.row(player)
        rating = 0 if row is None else int(self.standard.rating[row])
        if rating:
            self.standing_in[player] = rating
        return rating

    def _unlisted_rating(self, player: int, entry: Entry, law: RatingLaw) -> int:
        if not law.HAS_UNRATED:
            rating, source = self.entry_ratings.get(player) or law.entry_rating_without_lists()
            self.given_ratings[player] = rating
            self._note("engine.entry_rating", entry, Severity.NOTE, given=rating, source=source)
            return rating
        if entry.rating is None or self.unlisted == "unrated":
            if entry.rating is not None:
                self._note("engine.taken_as_unrated", entry, Severity.WARNING)
            return 0
        self.given_ratings[player] = entry.rating
        return entry.rating

    def _note(self, key: str, entry: Entry, severity: Severity, **more: object) -> None:
        details = {
            "player": entry.name,
            "id": entry.id or "-",
            "rating": entry.rating or "-",
        } | more
        self.findings.add(Finding(severity, key, entry.place, "", details))

    def players(self) -> Players:
        """The players of the list and those whom it does not have, with what was given them."""
        players = players_of_list(self.listed)
        players.completed_games[players.rating > 0] = self.assumed_games
        ids = np.array(list(self.newcomers), dtype=np.int64)
        births = np.array(list(self.newcomers.values()), dtype=np.int64)
        order = np.argsort(ids)
        players = players.with_new(ids[order], births[order])
        for player, rating in self.given_ratings.items():
            row = int(players.rows(np.array([player]))[0])
            players.rating[row] = rating
            players.completed_games[row] = self.assumed_games
            players.highest_published[row] = rating
        for player, rating in self.standing_in.items():
            row = int(players.rows(np.array([player]))[0])
            players.rating[row] = rating
            players.stands_in[row] = True
        return players
