"""Runs the judge's histories through batches and list folders, as `arrocco period rate` does.

The opening list, the older one and the lists of other ratings are written as files; every period is
cut into batches at random, rated, and its list is written and read back for the next one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np

from arrocco.engine.batch import ListColumns, PeriodContext, rate_batch
from arrocco.engine.month import PeriodBuilder, rate_month
from arrocco.engine.outcome import Outcome
from arrocco.engine.players import Players
from arrocco.engine.pools import Pools
from arrocco.engine.publish import next_list
from arrocco.formats.lists import write_list
from arrocco.formats.report_parquet import batch_from_arrow, batch_to_arrow
from arrocco.laws.rating import RatingLaw, Tranche
from arrocco.records.ratinglist import UNKNOWN, RatingList
from arrocco.records.report import Birth, Entry, Facts, Game, GameKind, Report, System
from arrocco.records.reportbatch import ReportBatch, batch_of, joined
from arrocco.runs.period import EarlierLists
from arrocco.store.calculations import PLAYERS, SUMMARY, Calculations, write_players
from arrocco.store.list_folder import (
    LIST,
    POOLS,
    STATE,
    ListFolder,
    StoredList,
    new_folder,
    write_pools,
    write_state,
)
from arrocco.units import HalfPoints
from tests.engine.judged import Laws, birth_number, control_of, highest_of, tournaments_of
from tests.judge.random_periods import JHistory, JPeriod, months_later
from tests.judge.records import JPlayer, JTournament

STANDARD, ENTRY = "standard", "fide"
"""Folder of the lists that stand in; the list that gives entry ratings under every law."""


@dataclass
class JudgedContext(PeriodContext):
    """A context with the editions of a history: the judge reads some on after their end."""

    laws: Laws = field(kw_only=True)

    @cached_property
    def law(self) -> RatingLaw:
        return self.laws.of_period

    def law_at(self, start: date) -> RatingLaw:
        return self.laws.at(start)


@dataclass
class Streamed:
    """One period as the files tell it, rated."""

    context: JudgedContext
    stored: StoredList
    month: PeriodBuilder
    outcome: Outcome
    listed: RatingList
    after: Players


class Office:
    """A history's lists on the disk, and its periods rated one after the other."""

    def __init__(
        self,
        root: Path,
        history: JHistory,
        rng: Random,
        nameless: Set[int] = frozenset(),
        *,
        games: bool = True,
    ) -> None:
        # Lists stay two months apart in the judge's 2010, whatever the day.
        readings = history.readings | {"monthly_lists": "never"}
        self.history, self.rng, self.nameless, self.games = history, rng, nameless, games
        self.laws = Laws(replace(history, readings=readings))
        self.kind = "standard" if self.laws.name == "fide" else self.laws.kind or "uisp"
        self.lists = ListFolder(root / "lists", self.kind)
        self.standard = ListFolder(root / STANDARD, "standard")
        self.absent = self._absent()
        self._write_opening()
        self._write_older()
        self.entry = self._entry_list()

    # --- the lists there are before the first period ---

    def _absent(self) -> set[int]:
        """Some of those without any past: they come along only in a report."""
        choice = Random(self.history.seed)  # the same people, however reports are cut
        return {
            id_
            for id_, player in self.history.players.items()
            if player.rating is None
            and not (player.pool or player.games_total or player.first_event_done)
            and not (player.special_body or player.last_rated_month)
            and choice.random() < 0.6
        } | self.nameless

    def _write_opening(self) -> None:
        opening = self.history.periods[0].previous_list
        people = [p for id_, p in sorted(self.history.players.items()) if id_ not in self.absent]
        listed = list_of(people, {p.id: p.rating for p in people}, self.kind)
        pools = Pools({p.id: tranches_of(p) for p in people if p.pool})
        write_folder(self.lists.root / opening.isoformat(), listed, players_of(people), pools)
        if self.laws.of_period.STANDARD_STANDS_IN:
            self._write_standard(opening)

    def _write_older(self) -> None:
        """The list before the opening one, as late reports quote it, under every earlier day."""
        opening = self.history.periods[0].previous_list
        shown: dict[int, int | None] = {}
        for tournament in (t for p in self.history.periods for t in p.tournaments):
            if tournament.start < opening:
                shown |= tournament.ratings
        people = [self.history.players[id_] for id_ in sorted(shown)]
        step = 2 if self.laws.is_2010 else 1
        for ago in range(1, 7):
            day = months_later(opening, -step * ago)
            write_list(list_of(people, shown, self.kind), self.lists.root / f"{day}.csv", "csv")
            if self.laws.of_period.STANDARD_STANDS_IN:
                self._write_standard(day)

    def _write_standard(self, day: date) -> None:
        people = [p for _, p in sorted(self.history.players.items())]
        listed = list_of(people, {p.id: p.standard for p in people}, "standard")
        self.standard.root.mkdir(exist_ok=True)
        write_list(listed, self.standard.root / f"{day}.csv", "csv")

    def _entry_list(self) -> ListColumns:
        """What gives new players of RIO and UISP the judge's ratings on entry."""
        given: dict[int, int] = {}
        if not self.laws.of_period.HAS_UNRATED:
            for tournament in (t for p in self.history.periods for t in p.tournaments):
                for id_, rating in tournament.ratings.items():
                    if self.history.players[id_].rating is None and rating:
                        given.setdefault(id_, rating)
            default = self.laws.of_period.entry_rating_without_lists()[0]
            given = {id_: rating for id_, rating in given.items() if rating != default}
        ids = np.array(sorted(given), dtype=np.int64)
        return ListColumns(ids, np.array([given[id_] for id_ in ids.tolist()], dtype=np.int64))

    # --- a period ---

    def context(self, period: JPeriod) -> tuple[JudgedContext, StoredList]:
        stored = self.lists.read(period.previous_list)
        stands_in = self.laws.of_period.STANDARD_STANDS_IN
        if stands_in and period.previous_list not in self.standard.days():
            self._write_standard(period.previous_list)
        context = JudgedContext(
            self.laws.name,
            {},
            period.previous_list,
            period.list_date,
            stored.columns,
            EarlierLists(self.lists, "fide"),
            self.standard.read_columns(period.previous_list) if stands_in else None,
            EarlierLists(self.standard, "fide"),
            {} if self.laws.of_period.HAS_UNRATED else {ENTRY: self.entry},
            self.kind,
            laws=self.laws,
        )
        return context, stored

    def batches(self, period: JPeriod) -> list[ReportBatch]:
        """The tournaments in any order, in any number of batches, some through Parquet."""
        reports = [self.report(source) for _, source in tournaments_of(self.laws, period)]
        self.rng.shuffle(reports)
        made = [batch_of(part) for part in cut(reports, self.rng)]
        return [
            batch_from_arrow(batch_to_arrow(batch)) if self.rng.random() < 0.3 else batch
            for batch in made
        ]

    def report(self, source: JTournament) -> Report:
        people = self.history.players
        number = {id_: n for n, id_ in enumerate(source.ratings, start=1)}
        return Report(
            source=source.id,
            name=f"Torneo {source.id}",
            start=source.start,
            end=source.end,
            system=System(source.system),
            time_control=control_of(source, self.laws),
            rounds=max((g.round for g in source.games), default=0),
            entries=[
                Entry(
                    n,
                    name_of(id_),
                    None if id_ in self.nameless else id_,
                    federation="ITA",
                    sex="mw"[id_ % 2],
                    birth=birth_of(people[id_]),
                )
                for id_, n in number.items()
            ],
            games=[
                Game(
                    g.round,
                    number[g.white],
                    number[g.black],
                    HalfPoints(g.white_half),
                    HalfPoints(g.black_half),
                    GameKind.PLAYED if g.played else GameKind.FORFEIT,
                )
                for g in source.games
            ],
            facts=Facts(
                online=source.online,
                official=source.official,
                world_team_event=source.world_team,
                match_games=source.match_games,
                match_waiver=source.match_waiver,
            ),
        )

    def rate(self, period: JPeriod) -> Streamed:
        """Rates one period from the list on the disk and writes the next list beside it."""
        context, stored = self.context(period)
        month = PeriodBuilder(context, stored.players, stored.pools)
        batches = self.batches(period)
        if context.law.RATES_ROUND_ROBINS:
            batches = [joined(batches)]
        with new_folder(self.lists.root / period.list_date.isoformat()) as folder:
            with Calculations(folder, games=self.games) as calculations:
                rated = (rate_batch(context, batch, keep_sides=self.games) for batch in batches)
                outcome = rate_month(month, rated, calculations.add)
            listed, after = next_list(outcome, stored.listed, month.newcomers)
            write_files(folder, listed, after, outcome.pools)
            write_players(folder / PLAYERS, outcome)
            (folder / SUMMARY).write_text(json.dumps(summary_of(context)))
        return Streamed(context, stored, month, outcome, listed, after)

    def all_periods(self) -> Iterator[Streamed]:
        for period in self.history.periods:
            yield self.rate(period)


def cut(items: Sequence[Report], rng: Random) -> list[list[Report]]:
    """The items in their order, in one to five parts, some of them empty."""
    marks = sorted(rng.randint(0, len(items)) for _ in range(rng.randint(0, 4)))
    edges = [0, *marks, len(items)]
    return [list(items[a:b]) for a, b in pairwise(edges)]


def name_of(id_: int) -> str:
    return f"Inventato, {id_ % 1000}"


def birth_of(player: JPlayer) -> Birth | None:
    if player.birth is not None:
        return Birth(player.birth.year, player.birth.month, player.birth.day)
    return None if player.birth_year is None else Birth(player.birth_year)


def tranches_of(player: JPlayer) -> tuple[Tranche, ...]:
    return tuple(
        Tranche(
            t.month,
            t.tournament,
            t.n,
            t.opponent_sum,
            t.half,
            t.round_robin_opponents,
            t.world_team,
        )
        for t in player.pool
    )


def list_of(people: Sequence[JPlayer], ratings: dict[int, int | None], kind: str) -> RatingList:
    """A list of invented people with these ratings and the K the judge has printed."""

    def text(values: list[str]) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
        return np.array(values, dtype=np.object_)

    def number(values: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        return np.array(values, dtype=np.int32)

    count = len(people)
    return RatingList(
        id=np.array([p.id for p in people], dtype=np.int64),
        name=text([name_of(p.id) for p in people]),
        federation=text(["ITA"] * count),
        sex=text(["MF"[p.id % 2] for p in people]),
        title=text([""] * count),
        rating=number([ratings[p.id] or 0 for p in people]),
        games=number([0] * count),
        k=number([p.k if p.k is not None else UNKNOWN for p in people]),
        birth=number([birth_number(p) for p in people]),
        flag=text([""] * count),
        system=kind,
    )


def players_of(people: Sequence[JPlayer]) -> Players:
    """What the law remembers of the judge's people."""

    def number(values: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.array(values, dtype=np.int64)

    def flag(values: list[bool]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return np.array(values, dtype=np.bool_)

    return Players(
        id=number([p.id for p in people]),
        rating=number([p.rating or 0 for p in people]),
        k=number([p.k if p.k is not None else UNKNOWN for p in people]),
        birth=number([birth_number(p) for p in people]),
        completed_games=number([p.games_total for p in people]),
        highest_published=number([highest_of(p) for p in people]),
        last_rated=number([p.last_rated_month or 0 for p in people]),
        first_event=flag([p.first_event_done or p.rating is not None for p in people]),
        stands_in=flag([False] * len(people)),
        affiliated=flag([p.special_body for p in people]),
        decimals=number([0] * len(people)),
    )


def write_folder(path: Path, listed: RatingList, players: Players, pools: Pools) -> None:
    """Writes the folder of a list as `arrocco period rate` does."""
    with new_folder(path) as folder:
        write_files(folder, listed, players, pools)


def write_files(folder: Path, listed: RatingList, players: Players, pools: Pools) -> None:
    write_list(listed, folder / LIST, "parquet")
    write_state(folder / STATE, players)
    write_pools(folder / POOLS, pools)


def summary_of(context: PeriodContext) -> dict[str, object]:
    """What the summary of a run tells about its period."""
    return {
        "law": context.law.law,
        "edition": context.law.edition,
        "readings": dict(context.law.readings),
        "opened_on": str(context.opened_on),
        "list": str(context.list_date),
    }
