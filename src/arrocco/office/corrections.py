"""Corrections of what was rated already: the corrected report, and what it carries forward.

The reading is told in NOTES.md: the period is computed again with the corrected report, and what
comes out otherwise for a player is carried into the list that opens the next period. Published
lists stay as they were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from arrocco.errors import Inconsistent
from arrocco.office.carrying import Impact, ImpactOnPlayer, Note, carry
from arrocco.office.ledger import CorrectionOf, DateCorrection, IdCorrection, ResultCorrection
from arrocco.report import Entry, Game, GameKind, Report
from arrocco.units import HalfPoints

__all__ = ["Impact", "ImpactOnPlayer", "Note", "carry", "corrected"]

_PLAYED_RESULTS = {(2, 0), (1, 1), (0, 2)}
_UNPLAYED_RESULTS = {(2, 0), (0, 2), (0, 0)}
LONGEST_NUMBER = 10**12
"""Numbers of players are below this."""


# --- the corrected report -------------------------------------------------------------------------


def corrected(report: Report, changes: Sequence[CorrectionOf]) -> Report:
    """The report with the changes made; the one given stays as it was.

    Raises `Inconsistent` for a change that does not fit the report, or changes nothing.
    """
    if not changes:
        raise Inconsistent.of("office.refused.nothing_to_correct")
    _refuse_repeated(changes)
    entries = {entry.number: replace(entry) for entry in report.entries}
    games = list(report.games)
    days: tuple[date | None, date | None] = report.start, report.end
    for change in changes:
        if isinstance(change, ResultCorrection):
            _correct_result(games, entries, change)
        elif isinstance(change, IdCorrection):
            _correct_number(entries, change)
        else:
            days = _corrected_days(report, change)
    _refuse_played_twice(entries, changes)
    return replace(
        report,
        start=days[0],
        end=days[1],
        entries=[entries[entry.number] for entry in report.entries],
        games=games,
    )


def _refuse_repeated(changes: Sequence[CorrectionOf]) -> None:
    seen: set[str] = set()
    for change in changes:
        if isinstance(change, ResultCorrection):
            what = f"{change.round}. {change.white} – {change.black}"
        elif isinstance(change, IdCorrection):
            what = str(change.entry)
        else:
            what = f"{change.start} – {change.end}"
        # Whatever the days, a tournament has its days once.
        place = "days" if isinstance(change, DateCorrection) else what
        if place in seen:
            raise Inconsistent.of("office.refused.corrected_twice", what=what)
        seen.add(place)


def _correct_result(
    games: list[Game], entries: Mapping[int, Entry], change: ResultCorrection
) -> None:
    where: dict[str, Any] = {"round": change.round, "white": change.white, "black": change.black}
    index = next(
        (
            at
            for at, game in enumerate(games)
            if (game.round, game.white, game.black) == (change.round, change.white, change.black)
        ),
        None,
    )
    if index is None:
        raise Inconsistent.of("office.refused.no_such_game", **where)
    result = change.white_half, change.black_half
    if result not in (_PLAYED_RESULTS if change.played else _UNPLAYED_RESULTS):
        raise Inconsistent.of(
            "office.refused.impossible_result",
            **where,
            white_half=change.white_half,
            black_half=change.black_half,
        )
    game = games[index]
    was_played = game.kind is GameKind.PLAYED
    if (game.white_score, game.black_score) == result and was_played == change.played:
        raise Inconsistent.of("office.refused.same_result", **where)
    games[index] = replace(
        game,
        white_score=HalfPoints(change.white_half),
        black_score=HalfPoints(change.black_half),
        kind=GameKind.PLAYED if change.played else GameKind.FORFEIT,
    )
    for number in (change.white, change.black):
        # A tournament may score in its own way: what the total is now nobody has said.
        if number in entries:
            entries[number].points = None


def _correct_number(entries: Mapping[int, Entry], change: IdCorrection) -> None:
    entry = entries.get(change.entry)
    if entry is None:
        raise Inconsistent.of("office.refused.no_such_entry", entry=change.entry)
    if not 0 < change.player < LONGEST_NUMBER:
        raise Inconsistent.of("office.refused.no_player_number", player=change.player)
    if entry.id == change.player:
        raise Inconsistent.of(
            "office.refused.same_player", entry=change.entry, player=change.player
        )
    entry.id = change.player


def _corrected_days(report: Report, change: DateCorrection) -> tuple[date, date]:
    if change.end < change.start:
        raise Inconsistent.of(
            "office.refused.days_out_of_order", start=change.start, end=change.end
        )
    if (report.start, report.end) == (change.start, change.end):
        raise Inconsistent.of("office.refused.same_days")
    return change.start, change.end


def _refuse_played_twice(entries: Mapping[int, Entry], changes: Sequence[CorrectionOf]) -> None:
    """Nobody plays twice; what the report itself had twice is not this correction's fault."""
    for change in changes:
        if not isinstance(change, IdCorrection):
            continue
        for number, entry in entries.items():
            if number != change.entry and entry.id == change.player:
                raise Inconsistent.of(
                    "office.refused.player_there_already", player=change.player, other=number
                )
