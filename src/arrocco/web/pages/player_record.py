"""What a player has done: tournaments, results by colour and by opponents, the best win, whom they
met. Read from the calculations of the published lists, nothing is computed anew."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from arrocco.desk.questions import number_of
from arrocco.engine.explain import EventRow, GameRow
from arrocco.errors import Inconsistent
from arrocco.store.explanation import Explanation
from arrocco.store.sql.history import HistoryRow
from arrocco.web.view import View

MAX_PERIODS = 36
"""The newest lists that are looked at."""
_MAX_OPPONENTS = 10
BANDS = (1400, 1600, 1800, 2000, 2200, 2400)
"""Where the bands of opponents begin; below the first there is one more."""


class Played(NamedTuple):
    """A tournament with what it brought."""

    name: str
    key: str
    end: date
    list_date: date
    games: int
    half_points: int

    @property
    def number(self) -> int:
        """Its number at the office; 0 where it has none."""
        return number_of(self.key)


class Band(NamedTuple):
    """Results against opponents of some strength; `low` is 0 for the lowest, `high` for no end."""

    low: int
    high: int
    games: int
    half_points: int


class OfColour(NamedTuple):
    """Results with one colour: ``white`` or ``black``."""

    colour: str
    games: int
    half_points: int


class Met(NamedTuple):
    """An opponent: how often, with how many points, at which rating last."""

    id: int
    name: str
    rating: int | None
    games: int
    half_points: int


class Record(NamedTuple):
    """What a player has done in one system."""

    tournaments: list[Played]
    bands: list[Band]
    colours: list[OfColour]
    best_win: tuple[Met, Played] | None
    met: list[Met]
    games: int
    half_points: int


def record_of(view: View, system: str, rows: list[HistoryRow]) -> Record:
    """The record of a player, from the lists on which something of theirs was rated."""
    tournaments: list[Played] = []
    bands: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    colours = {"white": [0, 0], "black": [0, 0]}
    met: dict[int, Met] = {}
    best: tuple[Met, Played] | None = None
    for explanation, event in _events(view, system, rows):
        told = event.tournament
        played = Played(
            told.name,
            told.key,
            told.end,
            explanation.list_date,
            len(event.games),
            sum(game.half_points for game in event.games),
        )
        tournaments.append(played)
        for game in event.games:
            name = explanation.names.get(game.opponent, str(game.opponent))
            met[game.opponent] = _met_again(met.get(game.opponent), game, name)
            if game.white is not None:
                with_colour = colours["white" if game.white else "black"]
                with_colour[0] += 1
                with_colour[1] += game.half_points
            if game.opponent_rating is None:
                continue
            band = bands[sum(game.opponent_rating >= start for start in BANDS)]
            band[0] += 1
            band[1] += game.half_points
            is_better = best is None or game.opponent_rating > (best[0].rating or 0)
            if game.half_points == 2 and is_better:
                best = Met(game.opponent, name, game.opponent_rating, 1, 2), played
    edges = (0, *BANDS, 0)
    return Record(
        tournaments=sorted(tournaments, key=lambda one: one.end, reverse=True),
        bands=[Band(edges[at], edges[at + 1], *bands[at]) for at in sorted(bands)],
        colours=[OfColour(name, *results) for name, results in colours.items() if results[0]],
        best_win=best,
        met=sorted(met.values(), key=lambda one: -one.games)[:_MAX_OPPONENTS],
        games=sum(tournament.games for tournament in tournaments),
        half_points=sum(tournament.half_points for tournament in tournaments),
    )


def between(view: View, system: str, rows: list[HistoryRow], opponent: int) -> tuple[int, int]:
    """Games of a player against one opponent, and the half points they made."""
    games = [
        game
        for _, event in _events(view, system, rows)
        for game in event.games
        if game.opponent == opponent
    ]
    return len(games), sum(game.half_points for game in games)


def _events(
    view: View, system: str, rows: list[HistoryRow]
) -> Iterator[tuple[Explanation, EventRow]]:
    played = [row for row in rows if row.games and row.note != "imported"]
    for row in played[-MAX_PERIODS:]:
        try:
            explanation = view.office.people.period(system, row.player, row.list_date)
        except Inconsistent:
            continue
        for event in explanation.rows.events:
            yield explanation, event


def _met_again(before: Met | None, game: GameRow, name: str) -> Met:
    games, half = (before.games, before.half_points) if before else (0, 0)
    rating = game.opponent_rating or (before.rating if before else None)
    return Met(game.opponent, name, rating, games + 1, half + game.half_points)
