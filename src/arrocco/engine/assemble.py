"""From reports and a rating list to columns, with a finding for whatever does not fit.

Nothing is guessed: a player whom the list does not have stops the work unless the caller says how
such players are to be taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

import numpy as np

from arrocco.engine.batch import law_on
from arrocco.engine.columns import Entries, Games, Tournament
from arrocco.engine.exclusions import exclusion_codes
from arrocco.engine.kernel import MAX_RATING
from arrocco.engine.players import ASSUMED_GAMES, Players, players_of_list
from arrocco.errors import Inconsistent
from arrocco.findings import Finding, Findings, Severity
from arrocco.laws.rating import RatingLaw
from arrocco.ratinglist import RatingList, birth_to_number
from arrocco.report import Entry, Report

Unlisted = Literal["refuse", "unrated", "report"]
"""What to do with a reported rating of a player the list does not have."""


@dataclass
class Assembled:
    """The columns of a period, and the names behind them.

    Entries carry `numbers` (starting numbers) and games stand in the order of the reports, so that
    every row can be led back to its file.
    """

    tournaments: list[Tournament]
    reports: Sequence[Report]
    players: Players
    names: dict[int, str]
    entries: Entries
    numbers: list[int]
    games: Games
    game_tournament: list[int]
    findings: list[Finding] = field(default_factory=list)


def law_for(
    name: str, report: Report, on: date | None, readings: dict[str, str], edition: str = ""
) -> RatingLaw:
    """The edition in force on the day a tournament starts, or the one named, as it is read."""
    start = report.start or on
    if start is None:
        raise Inconsistent.of("engine.refused.no_start", file=report.source)
    return law_on(name, start, readings, edition)


def assemble(
    reports: Sequence[Report],
    laws: Sequence[RatingLaw],
    listed: RatingList,
    *,
    on: date | None = None,
    unlisted: Unlisted = "refuse",
    entry_ratings: dict[int, tuple[int, str]] | None = None,
    standard: RatingList | None = None,
) -> Assembled:
    """Puts reports and the list that opens the period into columns.

    `entry_ratings` gives players who are new to RIO or UISP their rating on entry and its source;
    `standard` is the list whose ratings stand in for missing ones in FIDE rapid and blitz.
    """
    builder = _Builder(listed, unlisted, entry_ratings or {}, standard)
    for report, law in zip(reports, laws, strict=True):
        builder.add(report, law, on)
    return builder.finish(reports)


class _Builder:
    def __init__(
        self,
        listed: RatingList,
        unlisted: Unlisted,
        entry_ratings: dict[int, tuple[int, str]],
        standard: RatingList | None,
    ) -> None:
        self.listed, self.unlisted, self.entry_ratings = listed, unlisted, entry_ratings
        self.standard = standard
        self.standing_in: dict[int, int] = {}
        self.findings = Findings()
        self.tournaments: list[Tournament] = []
        self.names: dict[int, str] = {}
        self.numbers: list[int] = []
        self.entry_rows: list[tuple[int, int, int]] = []  # tournament, player id, rating
        self.game_rows: list[tuple[int, int, int, int, int, int]] = []
        self.game_tournament: list[int] = []
        self.newcomers: dict[int, int] = {}  # player id -> packed birth
        self.given_ratings: dict[int, int] = {}
        self.missing = 0
        self.nameless = 0

    def add(self, report: Report, law: RatingLaw, on: date | None) -> None:
        start = report.start or on or date.min
        tournament = Tournament(
            key=report.source or report.name,
            law=law,
            start=start,
            end=report.end or start,
            system=report.system,
            control=report.time_control,
            facts=report.facts,
            name=report.name,
        )
        if law.K_FROM_TOURNAMENT:
            tournament.k, tournament.k_reason = law.tournament_coefficient(
                report.time_control, online=report.facts.online
            )
        index = len(self.tournaments)
        self.tournaments.append(tournament)
        base = len(self.entry_rows)
        row_of: dict[int, int] = {}
        shown: dict[int, int] = {}
        for entry in report.entries:
            row_of[entry.number] = base + len(row_of)
            shown[entry.number] = self._add_entry(index, entry, law)
        codes = exclusion_codes(tournament, report.games, shown)
        for game, code in zip(report.games, codes, strict=True):
            self.game_rows.append(
                (
                    game.round,
                    row_of[game.white],
                    row_of[game.black],
                    game.white_score,
                    game.black_score,
                    code,
                )
            )
            self.game_tournament.append(index)

    def _add_entry(self, tournament: int, entry: Entry, law: RatingLaw) -> int:
        """Adds one entry and returns the rating it shows its opponents."""
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
                place=str(entry.place), player=entry.name, rating=rating,
            )  # fmt: skip
        self.numbers.append(entry.number)
        self.entry_rows.append((tournament, player, rating))
        return rating

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
        if self.unlisted == "report":
            self.given_ratings[player] = entry.rating
            return entry.rating
        self._note("engine.not_on_list", entry, Severity.ERROR)
        self.missing += 1
        return 0

    def _note(self, key: str, entry: Entry, severity: Severity, **more: object) -> None:
        details = {
            "player": entry.name, "id": entry.id or "-", "rating": entry.rating or "-",
        } | more  # fmt: skip
        self.findings.add(Finding(severity, key, entry.place, "", details))

    def finish(self, reports: Sequence[Report]) -> Assembled:
        if self.missing:
            raise Inconsistent.of(
                "engine.refused.not_listed",
                findings=tuple(self.findings.all()), players=self.missing,
            )  # fmt: skip
        players = self._players()
        tournament, player, shown = (
            np.array(column, dtype=np.int64).reshape(-1)
            for column in (zip(*self.entry_rows, strict=True) if self.entry_rows else ((), (), ()))
        )
        rows = players.rows(player)
        current = players.rating[rows]
        own = np.where(current > 0, np.where(shown > 0, shown, current), 0)
        games = np.array(self.game_rows, dtype=np.int64).reshape(-1, 6).T
        return Assembled(
            tournaments=self.tournaments,
            reports=reports,
            players=players,
            names=self.names,
            entries=Entries(tournament, rows, shown, own),
            numbers=self.numbers,
            games=Games(
                games[0],
                games[1],
                games[2],
                games[3].astype(np.int8),
                games[4].astype(np.int8),
                games[5].astype(np.int8),
            ),
            game_tournament=self.game_tournament,
            findings=self.findings.all(),
        )

    def _players(self) -> Players:
        players = players_of_list(self.listed)
        ids = np.array(list(self.newcomers), dtype=np.int64)
        births = np.array(list(self.newcomers.values()), dtype=np.int64)
        order = np.argsort(ids)
        players = players.with_new(ids[order], births[order])
        for player, rating in self.given_ratings.items():
            row = int(players.rows(np.array([player]))[0])
            players.rating[row] = rating
            players.completed_games[row] = ASSUMED_GAMES
            players.reached_2400[row] = rating >= 2400
            players.reached_2300[row] = rating >= 2300
        for player, rating in self.standing_in.items():
            row = int(players.rows(np.array([player]))[0])
            players.rating[row] = rating
            players.stands_in[row] = True
        return players
