"""Reports as the columns the engine works on: the one road of published lists and `report rate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from arrocco.engine.columns import (
    COUNTED,
    EXCLUSION_CODE,
    ByteColumn,
    Games,
    IntColumn,
    Tournament,
    apply_rule,
    excluded_by_kind,
)
from arrocco.laws.rating import Exclusion, RatingLaw
from arrocco.records.report import Report, System
from arrocco.records.reportbatch import GAME_KIND, GameColumns, Kind, ReportBatch, game_columns


def tournaments_of(batch: ReportBatch, laws: Sequence[RatingLaw]) -> list[Tournament]:
    """What the law asks about each tournament of a batch, each under its edition."""
    tournaments = []
    for head, law, is_match in zip(batch.tournaments, laws, matches_in(batch), strict=True):
        tournament = Tournament(
            head.key,
            law,
            head.start,
            head.end,
            System.MATCH if is_match else head.system,
            head.control,
            head.facts,
            head.name,
            part_of=head.part_of,
        )
        if law.K_FROM_TOURNAMENT:
            tournament.k, tournament.k_reason = law.tournament_coefficient(
                head.control, online=head.facts.online
            )
        tournaments.append(tournament)
    return tournaments


def matches_in(batch: ReportBatch) -> list[bool]:
    """By tournament whether it is a match (FIDE 2024 6.1; 2010 6.6): two who only meet each other.

    One game alone tells nothing.
    """
    plays = np.zeros(len(batch.entries), dtype=np.bool_)
    plays[batch.games.white] = plays[batch.games.black] = True
    players = np.bincount(batch.entries.tournament[plays], minlength=len(batch.tournaments))
    games = np.bincount(
        batch.entries.tournament[batch.games.white], minlength=len(batch.tournaments)
    )
    is_match: list[bool] = ((players == 2) & (games > 1)).tolist()
    return is_match


def system_as_played(report: Report) -> System:
    """The same of one report: how it was played, whatever it says of itself."""
    players = {number for game in report.games for number in (game.white, game.black)}
    return System.MATCH if len(players) == 2 and len(report.games) > 1 else report.system


def games_of(batch: ReportBatch, tournaments: Sequence[Tournament], shown: IntColumn) -> Games:
    """The games of a batch with what excludes them; `shown` are the ratings of its entries."""
    games = batch.games
    offsets, first_games = batch.entry_offsets().tolist(), batch.game_offsets().tolist()
    codes = _codes_by_kind(batch, tournaments, first_games)
    for index, tournament in enumerate(tournaments):
        mine = slice(first_games[index], first_games[index + 1])
        entries = slice(offsets[index], offsets[index + 1])
        _exclude(tournament, games, mine, shown, entries, codes)
    return Games(
        round=games.round,
        white=games.white,
        black=games.black,
        white_half=games.white_half,
        black_half=games.black_half,
        exclusion=codes,
    )


def exclusions_in(
    tournament: Tournament, report: Report, ratings: Mapping[int, int | None]
) -> list[int]:
    """The exclusion codes of a report's games, with the ratings by starting number."""
    row_of = {entry.number: row for row, entry in enumerate(report.entries)}
    games = game_columns(report.games, row_of)
    shown = np.array([ratings.get(number) or 0 for number in row_of], dtype=np.int64)
    codes = _table_of_kinds(tournament.law)[games.kind]
    _exclude(tournament, games, slice(0, len(games)), shown, slice(0, len(shown)), codes)
    return codes.tolist()  # type: ignore[no-any-return]


def _exclude(
    tournament: Tournament,
    games: GameColumns,
    mine: slice,
    shown: IntColumn,
    entries: slice,
    codes: ByteColumn,
) -> None:
    """What excludes whole games besides their kind: too fast, a match already decided."""
    control, law = tournament.control, tournament.law
    if control is not None:
        top = int(shown[entries].max(initial=0)) or None
        # What is slow enough for the strongest pair is slow enough for everybody.
        if law.excluded_by_time(control, top, top) is not None:
            _exclude_fast(tournament, top, games, mine, shown, codes)
    if tournament.system is System.MATCH:
        _exclude_in_match(tournament, games, mine, shown, entries, codes)


def _codes_by_kind(
    batch: ReportBatch, tournaments: Sequence[Tournament], first_games: list[int]
) -> ByteColumn:
    """What the kind alone excludes, each game under the edition of its tournament."""
    tables = {law: _table_of_kinds(law) for law in dict.fromkeys(t.law for t in tournaments)}
    if len(tables) == 1:  # nearly always: a whole column at once
        (table,) = tables.values()
        return table[batch.games.kind]
    codes = np.zeros(len(batch.games), dtype=np.int8)
    for index, tournament in enumerate(tournaments):
        mine = slice(first_games[index], first_games[index + 1])
        codes[mine] = tables[tournament.law][batch.games.kind[mine]]
    return codes


def _table_of_kinds(law: RatingLaw) -> ByteColumn:
    return np.array([excluded_by_kind(law, GAME_KIND[kind]) for kind in Kind], dtype=np.int8)


def _exclude_fast(
    tournament: Tournament,
    top: int | None,
    games: GameColumns,
    mine: slice,
    shown: IntColumn,
    codes: ByteColumn,
) -> None:
    law, control = tournament.law, tournament.control
    assert control is not None
    higher = np.maximum(shown[games.white[mine]], shown[games.black[mine]])
    if law.MINIMUM_TIME_BY_FIELD:
        higher[:] = top or 0

    def code(rating: int) -> int:
        # Only the higher rating of the two matters: see `RatingLaw.excluded_by_time`.
        reason = law.excluded_by_time(control, rating or None, rating or None)
        return COUNTED if reason is None else EXCLUSION_CODE[reason]

    fast = apply_rule(code, higher).astype(np.int8)
    codes[mine] = np.where(codes[mine] == COUNTED, fast, codes[mine])


def _exclude_in_match(
    tournament: Tournament,
    games: GameColumns,
    mine: slice,
    shown: IntColumn,
    entries: slice,
    codes: ByteColumn,
) -> None:
    """A match with an unrated player is not rated; nor are games after the match was decided."""
    law, facts = tournament.law, tournament.facts
    white, black = games.white[mine], games.black[mine]
    playing = np.unique(np.concatenate([white, black]))
    ratings = (shown[playing] if len(playing) else shown[entries]).tolist()
    counts = codes[mine] == COUNTED
    if not law.match_is_rated(*(rating or None for rating in ratings)):
        codes[mine] = np.where(counts, EXCLUSION_CODE[Exclusion.MATCH_UNRATED], codes[mine])
        return
    if facts.match_games is None or not len(white):
        return
    order = np.argsort(games.round[mine], kind="stable")
    is_first = white == white[order[0]]
    halves = games.white_half[mine], games.black_half[mine]
    own, other = np.where(is_first, *halves), np.where(is_first, *halves[::-1])
    scores = list(zip(own[order].tolist(), other[order].tolist(), strict=True))
    rated = law.games_rated_in_match(scores, facts.match_games, waiver=facts.match_waiver)
    decided = np.zeros(len(white), dtype=np.bool_)
    decided[order[rated:]] = True
    code = EXCLUSION_CODE[Exclusion.MATCH_DECIDED]
    codes[mine] = np.where(counts & decided, code, codes[mine])
