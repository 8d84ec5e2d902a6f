"""One player's period out of the store: the rows as the computation left them.

The same records that explain a period in memory are made from the rows of a list folder, so that
the same sentences can be said about them. Nothing is computed again but sums of what is shown.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from arrocco.dates import Month, parse_day
from arrocco.engine.columns import Tournament, reason_of
from arrocco.engine.explain import EventRow, GameRow, PlayerRows
from arrocco.engine.pools import FirstRating
from arrocco.errors import Inconsistent
from arrocco.laws.rating import Exclusion, InitialRating, RatingLaw, Tranche
from arrocco.laws.registry import edition_named
from arrocco.records.ratinglist import ListedPlayer
from arrocco.records.report import System
from arrocco.records.timecontrol import parse_code
from arrocco.store.calculations import (
    ENTRIES,
    GAMES,
    PLAYERS,
    SUMMARY,
    TOURNAMENTS,
    StoredRoundRobin,
    reason_of_k,
)
from arrocco.store.list_folder import ADJUSTED, LIST, ListFolder
from arrocco.units import Hundredths, Rating


@dataclass(frozen=True)
class EventFacts:
    """What the store tells about one tournament of the player beside its row."""

    was_rated: bool
    """Whether the list in force at the start had the player with a rating."""
    pool_games: int
    pool_ratings: int
    pool_half_points: int
    ignored: Exclusion | None
    """Why the result does not count towards a first rating."""
    round_robin: StoredRoundRobin | None


@dataclass(frozen=True)
class Explanation:
    """One player's period; `rows.events` and `facts` stand in the same order."""

    law: RatingLaw
    opened_on: date
    list_date: date
    listed: ListedPlayer
    """The player on the list that closes the period."""
    rows: PlayerRows
    facts: tuple[EventFacts, ...]
    names: Mapping[int, str]
    """Names by id, of everybody the rows name."""
    counts: bool
    """Whether anything counted: the others have no step of their own."""
    stands_in: bool
    """The rating was borrowed from the standard list or given on entry."""
    has_games: bool
    """Whether the games were kept."""
    adjusted: tuple[int, int] | None = None
    """The rating before and after the adjustment of the opening list, where that moved it."""


# --- finding the folder and the player ------------------------------------------------------------


def period_folder(lists: Path, period: Month) -> Path:
    """The folder of the list that closes a period. Raises `Inconsistent` naming those there are."""
    known = []
    for day in ListFolder(lists, "").days():
        folder = lists / day.isoformat()
        if not (folder / SUMMARY).is_file():
            continue
        opened_on = parse_day(str(read_summary(folder)["opened_on"]))
        if opened_on <= period.first_day < day:
            return folder
        known.append(str(Month.of(opened_on)))
    raise Inconsistent.of(
        "player.no_period", folder=lists, period=period, known=", ".join(known) or "-"
    )


def read_summary(folder: Path) -> dict[str, Any]:
    """What a run wrote down about its period."""
    try:
        summary = msgspec.json.decode((folder / SUMMARY).read_bytes())
        if not {"law", "edition", "readings", "opened_on", "list"} <= set(summary):
            raise ValueError("not the summary of a period")
    except (OSError, ValueError, TypeError) as error:
        raise _unreadable(folder / SUMMARY, error) from None
    return dict(summary)


def players_named(folder: Path, text: str) -> list[tuple[int, str]]:
    """The players of a list whose name holds a text, by id."""
    table = _table(folder / LIST, ["id", "name"])
    matching = table.filter(pc.match_substring(table["name"], text, ignore_case=True))
    return list(zip(matching["id"].to_pylist(), matching["name"].to_pylist(), strict=True))


# --- reading --------------------------------------------------------------------------------------


def explain_player(folder: Path, player: int) -> Explanation:
    """Reads one player's period from a list folder.

    Raises `Inconsistent` when the folder has no calculations or the list no such player.
    """
    summary = read_summary(folder)
    listed, names = _people(folder, [player])
    if listed is None:
        raise Inconsistent.of("player.not_listed", id=player, folder=folder)
    laws = _laws(summary)
    steps = rows_with(folder / PLAYERS, "player", [player])
    step = steps[0] if steps else _step_without_games(listed)
    entries = rows_with(folder / ENTRIES, "player", [player])
    has_games = (folder / GAMES).is_file()
    games = rows_with(folder / GAMES, "player", [player]) if has_games else []
    tournaments = {
        row["tournament"]: row
        for row in rows_with(
            folder / TOURNAMENTS, "tournament", {entry["tournament"] for entry in entries}
        )
    }
    ignored = {row["tournament"]: Exclusion(row["reason"]) for row in step["ignored"] or ()}
    reader = _Reader(laws, step, ignored, tournaments, games)
    entries.sort(key=lambda entry: _when(tournaments[entry["tournament"]]))
    events = tuple(reader.event(entry) for entry in entries)
    facts = tuple(reader.facts(entry) for entry in entries)
    named = {game.opponent for event in events for game in event.games}
    named |= {id_ for fact in facts if fact.round_robin for id_ in fact.round_robin.players}
    _, others = _people(folder, named | {player})
    return Explanation(
        law=laws.edition(str(summary["edition"])),
        opened_on=parse_day(str(summary["opened_on"])),
        list_date=parse_day(str(summary["list"])),
        listed=listed,
        rows=_player_rows(player, step, events),
        facts=facts,
        names=names | others,
        counts=bool(steps),
        stands_in=bool(step["stands_in"]),
        has_games=has_games,
        adjusted=_adjusted(folder, player),
    )


def _adjusted(folder: Path, player: int) -> tuple[int, int] | None:
    if not (folder / ADJUSTED).is_file():
        return None
    rows = rows_with(folder / ADJUSTED, "player", [player])
    return (rows[0]["before"], rows[0]["after"]) if rows else None


def _when(tournament: dict[str, Any]) -> tuple[date, date, str]:
    return tournament["start"], tournament["end"], tournament["key"]


def _people(folder: Path, ids: Collection[int]) -> tuple[ListedPlayer | None, dict[int, str]]:
    """The first of these players on the list, and the names of all."""
    from arrocco.formats.lists import read_list

    listed, _ = read_list(folder / LIST, only=sorted(ids))
    names = dict(zip(listed.id.tolist(), listed.name.tolist(), strict=True))
    return (listed.at(0) if len(listed) else None), names


def law_of(folder: Path) -> RatingLaw:
    """The edition that settled the period of a list, read as it was read then."""
    summary = read_summary(folder)
    return _laws(summary).edition(str(summary["edition"]))


def _laws(summary: dict[str, Any]) -> _Laws:
    return _Laws(str(summary["law"]), dict(summary["readings"]))


class _Laws:
    """The editions of a regulation with the readings of the run."""

    def __init__(self, law: str, readings: Mapping[str, str]) -> None:
        self.law, self.readings = law, readings
        self.edition = cache(self._edition)

    def _edition(self, name: str) -> RatingLaw:
        edition = edition_named(self.law, name)
        return edition(**edition.readings_of(self.readings))


@dataclass(frozen=True)
class _Reader:
    """Turns the rows of one player into the records of an explanation."""

    laws: _Laws
    step: dict[str, Any]
    ignored: Mapping[str, Exclusion]
    tournaments: Mapping[int, dict[str, Any]]
    games: list[dict[str, Any]]

    def tournament(self, number: int) -> Tournament:
        row = self.tournaments[number]
        return Tournament(
            row["key"],
            self.laws.edition(row["edition"]),
            row["start"],
            row["end"],
            System(row["system"]),
            parse_code(row["control"]) if row["control"] else None,
            name=row["name"],
            k=row["k"],
            k_reason=row["k_reason"] or "",
        )

    def event(self, entry: dict[str, Any]) -> EventRow:
        tournament = self.tournament(entry["tournament"])
        law, ignored = tournament.law, self.ignored.get(tournament.key)
        mine = [row for row in self.games if row["tournament"] == entry["tournament"]]
        return EventRow.of(
            tournament,
            entry["own"],
            (_game(law, row, ignored) for row in mine),
            entry["games"],
            entry["half_points"],
            unrounded=entry["expected"],
            expected=entry["expected_points"],
            k=(tournament.k or 0) if law.K_FROM_TOURNAMENT else self.step["k_applied"],
        )

    def facts(self, entry: dict[str, Any]) -> EventFacts:
        row = self.tournaments[entry["tournament"]]
        table = row["round_robin"]
        return EventFacts(
            was_rated=entry["shown"] > 0,
            pool_games=entry["pool_games"],
            pool_ratings=entry["pool_ratings"],
            pool_half_points=entry["pool_half_points"],
            ignored=self.ignored.get(row["key"]),
            round_robin=msgspec.json.decode(table, type=StoredRoundRobin) if table else None,
        )


def _game(law: RatingLaw, row: dict[str, Any], ignored: Exclusion | None) -> GameRow:
    reason = reason_of(row["exclusion"])
    if reason is Exclusion.OWN_UNRATED and ignored is not None:
        reason = ignored
    return GameRow.of(
        law,
        row["round"],
        row["opponent"],
        row["against"],
        row["half_points"],
        reason,
        difference=row["difference"],
        counted=row["counted_difference"],
        expected=row["expected"],
        white=row.get("white"),
    )


def _player_rows(player: int, step: dict[str, Any], events: tuple[EventRow, ...]) -> PlayerRows:
    return PlayerRows(
        row=player,
        id=player,
        rating=step["rating"] or None,
        n=step["games"],
        half_points=step["half_points"],
        expected_unrounded=Hundredths(sum(event.expected_unrounded for event in events)),
        expected=Hundredths(step["expected"]),
        delta=Hundredths(50 * step["half_points"] - step["expected"]),
        k=step["k"],
        k_reason=reason_of_k(step["k_reason"]),
        k_applied=step["k_applied"],
        variation=Hundredths(step["variation"]),
        change=step["change"],
        new_rating=step["new_rating"] or None,
        delisted=step["delisted"],
        events=events,
        first_rating=_first_rating(step),
    )


def _first_rating(step: dict[str, Any]) -> FirstRating | None:
    if step["first_rating"] is None:
        return None
    reasons = tuple(step["first_reasons"])
    rating = InitialRating(
        step["first_games"],
        step["first_half_points"],
        Hundredths(step["first_average"]),
        step["first_percent"],
        step["first_dp"],
        Rating(step["first_rating"]),
        reasons,
    )
    tranches = tuple(Tranche(**row) for row in step["first_results"])
    return FirstRating(rating, step["first_published"], reasons, tranches)


def _step_without_games(listed: ListedPlayer) -> dict[str, Any]:
    """The step of somebody for whom nothing counted: the rating stays as it was."""
    nothing = dict.fromkeys(
        ("games", "half_points", "expected", "k", "k_applied", "variation", "change"), 0
    )
    missing = dict.fromkeys(("first_rating", "ignored"))
    return (
        nothing
        | missing
        | {
            "rating": listed.rating or 0,
            "new_rating": listed.rating or 0,
            "k_reason": "",
            "stands_in": False,
            "delisted": False,
        }
    )


# --- rows of Parquet files ------------------------------------------------------------------------


def rows_with(path: Path, column: str, values: Collection[int]) -> list[dict[str, Any]]:
    """The rows whose column has one of these values, without reading the others in full."""
    wanted = np.array(sorted(values), dtype=np.int64)
    rows: list[dict[str, Any]] = []
    try:
        with pq.ParquetFile(path, memory_map=True) as file:
            place = file.schema_arrow.names.index(column)
            for number in range(file.num_row_groups):
                told = file.metadata.row_group(number).column(place).statistics
                if told is not None and told.has_min_max:
                    first, last = np.searchsorted(wanted, [told.min, told.max + 1])
                    if first == last:
                        continue
                key = file.read_row_group(number, columns=[column])[column].to_numpy()
                matching = np.flatnonzero(np.isin(key, wanted))
                if len(matching):
                    rows += file.read_row_group(number).take(pa.array(matching)).to_pylist()
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    return rows


def _table(path: Path, columns: list[str]) -> pa.Table:
    try:
        return pq.read_table(path, columns=columns)
    except (pa.ArrowException, OSError) as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: Exception) -> Inconsistent:
    what = str(error).partition("\n")[0][:200]
    return Inconsistent.of("player.no_calculations", file=path, words=what)
