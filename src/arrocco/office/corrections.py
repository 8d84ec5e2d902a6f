"""Corrections of what was rated already: the corrected report, and what it carries forward.

The reading is told in NOTES.md: the period is computed again with the corrected report, and what
comes out otherwise for a player is carried into the list that opens the next period. Published
lists stay as they were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from msgspec import structs

from arrocco.errors import Inconsistent
from arrocco.office.carrying import Impact, ImpactOnPlayer, Note, carry
from arrocco.office.ledger import (
    Annulment,
    CorrectionOf,
    DateCorrection,
    DecidedResult,
    GameExclusion,
    IdCorrection,
    ReportReplacement,
    ResultCorrection,
)
from arrocco.office.overlap import same_game
from arrocco.records.report import EXCLUDED_KINDS, Entry, Game, GameKind, Report
from arrocco.units import HalfPoints

__all__ = ["Impact", "ImpactOnPlayer", "Note", "ReadReport", "carry", "corrected", "is_annulled"]

ReadReport = Callable[[ReportReplacement], Report]
"""Reads the report that takes the place of another."""
MAX_ARTICLE = 100
_PLAYED_RESULTS = {(2, 0), (1, 1), (0, 2)}
_DECIDED_RESULTS = _PLAYED_RESULTS | {(1, 0), (0, 1), (0, 0)}
"""3.2, 13.3 of the online regulation: who is at fault loses, and the other may be given nothing."""
_UNPLAYED_RESULTS = {(2, 0), (0, 2), (0, 0)}
LONGEST_NUMBER = 10**12
"""Numbers of players are below this."""


# --- the corrected report -------------------------------------------------------------------------


def is_annulled(changes: Iterable[CorrectionOf]) -> bool:
    """Whether nothing of the report counts any more."""
    return any(isinstance(change, Annulment) for change in changes)


def corrected(
    report: Report, changes: Sequence[CorrectionOf], read: ReadReport | None = None
) -> Report:
    """The report with the changes made; the one given stays as it was.

    `read` reads a report that takes the place of this one. A report that is annulled has no games.
    Raises `Inconsistent` for a change that does not fit the report, or changes nothing.
    """
    if not changes:
        raise Inconsistent.of("office.refused.nothing_to_correct")
    _refuse_repeated(changes)
    for change in changes:
        if isinstance(change, Annulment):
            return replace(report, games=[], byes=[])
        if isinstance(change, ReportReplacement):
            assert read is not None, "whoever replaces a report can read it"
            report = _with_exclusions_of(report, read(change))
    entries = {entry.number: replace(entry) for entry in report.entries}
    games = list(report.games)
    days: tuple[date | None, date | None] = report.start, report.end
    for change in changes:
        if isinstance(change, ResultCorrection):
            _correct_result(games, entries, change)
        elif isinstance(change, IdCorrection):
            _correct_number(entries, change)
        elif isinstance(change, GameExclusion):
            _exclude(games, change)
        elif isinstance(change, DateCorrection):
            days = _corrected_days(report, change)
    _refuse_played_twice(entries, changes)
    return replace(
        report,
        start=days[0],
        end=days[1],
        entries=[entries[entry.number] for entry in report.entries],
        games=games,
    )


def moved_exclusion(before: Report, change: GameExclusion, after: Report) -> GameExclusion | None:
    """An exclusion that stands in a report, for the same game in another; none where it is not."""
    for game in before.games:
        if (game.round, game.white, game.black) != (change.round, change.white, change.black):
            continue
        at = same_game(before, game, after)
        if game.kind in EXCLUDED_KINDS and at is not None:
            moved = after.games[at]
            if moved.kind is GameKind.PLAYED:
                place = {"round": moved.round, "white": moved.white, "black": moved.black}
                return structs.replace(change, **place)
    return None


def _with_exclusions_of(before: Report, after: Report) -> Report:
    """A report with the source of the one it replaces, and the games excluded that were."""
    games = list(after.games)
    for game in before.games:
        if game.kind in EXCLUDED_KINDS:
            at = same_game(before, game, after)
            if at is not None and games[at].kind is GameKind.PLAYED:
                games[at] = replace(games[at], kind=game.kind)
    return replace(after, source=before.source, facts=before.facts, games=games)


def _refuse_repeated(changes: Sequence[CorrectionOf]) -> None:
    seen: set[str] = set()
    for change in changes:
        if isinstance(change, ResultCorrection | GameExclusion):
            what = place = f"{change.round}. {change.white} – {change.black}"
        elif isinstance(change, IdCorrection):
            what = place = str(change.entry)
        elif isinstance(change, DateCorrection):
            # Whatever the days, a tournament has its days once.
            what, place = f"{change.start} – {change.end}", "days"
        else:
            what = place = "-"
        if place in seen:
            raise Inconsistent.of("office.refused.corrected_twice", what=what)
        seen.add(place)
    if "-" in seen and len(changes) > 1 and not _is_replaced_with_numbers(changes):
        raise Inconsistent.of("office.refused.changed_whole")


def _is_replaced_with_numbers(changes: Sequence[CorrectionOf]) -> bool:
    """Whether a report takes another's place with the numbers that its own file lacks."""
    first, *others = changes
    return isinstance(first, ReportReplacement) and all(
        isinstance(change, IdCorrection) for change in others
    )


def _find_game(games: Sequence[Game], change: ResultCorrection | GameExclusion) -> int:
    """The place of the game a change is about."""
    wanted = change.round, change.white, change.black
    for at, game in enumerate(games):
        if (game.round, game.white, game.black) == wanted:
            return at
    where: dict[str, Any] = {"round": change.round, "white": change.white, "black": change.black}
    raise Inconsistent.of("office.refused.no_such_game", **where)


def _exclude(games: list[Game], change: GameExclusion) -> None:
    at = _find_game(games, change)
    if games[at].kind is not GameKind.PLAYED:
        raise Inconsistent.of(
            "office.refused.not_to_exclude",
            round=change.round,
            white=change.white,
            black=change.black,
        )
    _check_article(change.article)
    games[at] = replace(games[at], kind=GameKind(change.ground))


def _check_article(article: str) -> None:
    if not article.strip() or len(article) > MAX_ARTICLE:
        raise Inconsistent.of("office.refused.article_of_exclusion", most=MAX_ARTICLE)


def _correct_result(
    games: list[Game], entries: Mapping[int, Entry], change: ResultCorrection
) -> None:
    where: dict[str, Any] = {"round": change.round, "white": change.white, "black": change.black}
    index = _find_game(games, change)
    result = change.white_half, change.black_half
    played = _PLAYED_RESULTS
    if isinstance(change, DecidedResult):
        _check_article(change.article)
        played = _DECIDED_RESULTS
    if result not in (played if change.played else _UNPLAYED_RESULTS):
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
