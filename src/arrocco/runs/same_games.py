"""Reports among the files of a period that tell of the same games: each counts once (9.1).

Nobody has registered what the files are of. As across the tournaments of an office, two reports are
of one play where they share days and most games: players, colours and results, or players, colours
and rounds where pairings do not follow from numbers; of one name, also where the same players met
and half of the results agree. The first by name counts, and somebody has to look at the other.
Where only days and players are the same both count, and it is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arrocco.findings import Finding
from arrocco.office.overlap import (
    PAIRED_BY_NUMBERS,
    are_alike,
    are_put_right,
    have_one_name,
    met_by_numbers,
)
from arrocco.office.repeated_reports import same_games, same_players
from arrocco.office.same_players import LEAST_PLAYERS, are_the_same_people
from arrocco.records.report import System
from arrocco.records.reportbatch import Kind, ReportBatch

_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)
"""Odd numbers by which what a game is known by becomes one number of 64 bits."""


@dataclass(frozen=True)
class Play:
    """A tournament by its key, its days, what it is called and how opponents were chosen."""

    key: str
    start: date
    end: date
    name: str = ""
    system: System = System.UNKNOWN

    def shares_days_with(self, other: Play) -> bool:
        """Whether a day is in both."""
        return self.start <= other.end and other.start <= self.end


@dataclass(frozen=True)
class Marks:
    """What tells the games of some tournaments apart, tournament by tournament."""

    plays: Sequence[Play]
    mark: NDArray[np.uint64]
    """Of each game what it is known by: players, colours and result."""
    board: NDArray[np.uint64]
    """Of each game its players, colours and round."""
    pair: NDArray[np.int64]
    """Of each game its two players, whatever the colours: the one with the lower number first."""
    play: NDArray[np.int64]

    def without(self, keys: set[str]) -> Marks:
        """The same with no games of some of the tournaments."""
        gone = [number for number, play in enumerate(self.plays) if play.key in keys]
        kept = ~np.isin(self.play, gone)
        return Marks(
            self.plays, self.mark[kept], self.board[kept], self.pair[kept], self.play[kept]
        )


def marks_of(batch: ReportBatch) -> Marks:
    """The played games of a batch between players with numbers."""
    games, entries = batch.games, batch.entries
    white, black = entries.id[games.white], entries.id[games.black]
    counts = (games.kind != Kind.FORFEIT) & (games.kind != Kind.SHORT) & (white > 0) & (black > 0)
    play = entries.tournament[games.white][counts].astype(np.int64)
    result = games.white_half[counts].astype(np.uint64) * np.uint64(8) + games.black_half[
        counts
    ].astype(np.uint64)
    white, black = white[counts], black[counts]
    mark = _mark(white, black, result)
    board = _mark(white, black, games.round[counts])
    pair = np.stack((np.minimum(white, black), np.maximum(white, black)), axis=1)
    order = np.argsort(play, kind="stable")
    plays = [
        Play(head.key, head.start, head.end, head.name, head.system) for head in batch.tournaments
    ]
    return Marks(plays, mark[order], board[order], pair[order], play[order])


def _mark(*parts: NDArray[Any]) -> NDArray[np.uint64]:
    """One number for what some columns have in each row."""
    mark = np.zeros(len(parts[0]), np.uint64)
    for part, factor in zip(parts, _FACTORS, strict=False):
        mark = (mark ^ part.astype(np.uint64)) * np.uint64(factor)
        mark ^= mark >> np.uint64(29)
    return mark


class _Shared:
    """Which tournaments have marks in common, as these come."""

    def __init__(self) -> None:
        self._mark = np.zeros(0, np.uint64)
        self._play = np.zeros(0, np.int64)
        self._new = self._mark, self._play

    def take(
        self, mark: NDArray[np.uint64], play: NDArray[np.int64], number: int, least: int = 1
    ) -> Iterator[tuple[int, int, int]]:
        """Of the new tournaments: the later, the earlier of two and how many marks they share.

        Those that share fewer than `least` are passed over.
        Who met twice in the same way is counted too often here, never too rarely.
        """
        order = np.argsort(mark)
        mark, play = mark[order], play[order]
        self._new = mark, play
        pairs = [self._with_earlier(mark, play)]
        apart, same = 1, np.flatnonzero(mark[1:] == mark[:-1])
        while len(same):
            two = np.stack((play[same], play[same + apart]))
            pairs.append(np.sort(two, axis=0))
            apart += 1
            same = same[same + apart < len(mark)]
            same = same[mark[same] == mark[same + apart]]
        before, after = np.concatenate(pairs, axis=1)
        both, often = np.unique((after * number + before)[before != after], return_counts=True)
        both, often = both[often >= least], often[often >= least]
        for pair, shared in zip(both.tolist(), often.tolist(), strict=True):
            yield pair // number, pair % number, shared

    def keep(self, left_out: set[int]) -> None:
        """Puts the new tournaments to the others, apart from those that are left out."""
        mark, play = self._new
        kept = ~np.isin(play, sorted(left_out)) if left_out else np.ones(len(play), np.bool_)
        places = np.searchsorted(self._mark, mark[kept])
        self._mark = np.insert(self._mark, places, mark[kept])
        self._play = np.insert(self._play, places, play[kept])

    def _with_earlier(self, mark: NDArray[np.uint64], play: NDArray[np.int64]) -> NDArray[np.int64]:
        """The tournaments before that have a mark of the new ones, and these."""
        low = np.searchsorted(self._mark, mark, "left")
        often = np.searchsorted(self._mark, mark, "right") - low
        rows = np.flatnonzero(often)
        often = often[rows]
        new = np.repeat(play[rows], often)
        within = np.arange(len(new)) - np.repeat(np.cumsum(often) - often, often)
        return np.stack((self._play[np.repeat(low[rows], often) + within], new))


class CountedOnce:
    """The games of a period as its reports come, in their order."""

    def __init__(self) -> None:
        self._plays: list[Play] = []
        self._games: list[NDArray[np.uint64]] = []
        self._boards: list[NDArray[np.uint64]] = []
        self._pairs: list[NDArray[np.int64]] = []
        self._players: list[NDArray[np.int64]] = []
        self._by_game, self._by_board, self._by_player = _Shared(), _Shared(), _Shared()

    def repeated(self, marks: Marks, let_pass: Callable[[Finding], bool]) -> set[str]:
        """The keys of tournaments whose games are in earlier ones, unless somebody lets it pass."""
        if not marks.plays:
            return set()
        first = len(self._plays)
        self._plays += marks.plays
        ends = np.searchsorted(marks.play, range(1, len(marks.plays)))
        self._games += np.split(marks.mark, ends)
        self._boards += np.split(marks.board, ends)
        self._pairs += np.split(marks.pair, ends)
        self._players += [np.unique(pair) for pair in self._pairs[first:]]
        left_out: set[int] = set()
        for later, earlier in self._alike(marks, first):
            if left_out.isdisjoint((earlier, later)) and self._is_same(earlier, later):
                finding = same_games(self._plays[later].key, self._plays[earlier].key)
                if not let_pass(finding):
                    left_out.add(later)
        for later, earlier, shared in self._of_the_same_people(first):
            if left_out.isdisjoint((earlier, later)):
                let_pass(same_players(self._plays[later].key, self._plays[earlier].key, shared))
        for index in (self._by_game, self._by_board, self._by_player):
            index.keep(left_out)
        return {self._plays[number].key for number in left_out}

    def _alike(self, marks: Marks, first: int) -> list[tuple[int, int]]:
        """Tournaments that may have enough games in common, the later in their order."""
        number, play = len(self._plays), marks.play + first
        alike = set()
        for later, earlier, often in self._by_game.take(marks.mark, play, number):
            games, others = len(self._games[earlier]), len(self._games[later])
            shared = min(often, games, others)
            if are_alike(shared, games, others) or are_put_right(shared, games, others):
                alike.add((later, earlier))
        for later, earlier, often in self._by_board.take(marks.board, play, number):
            if are_alike(often, len(self._games[earlier]), len(self._games[later])):
                alike.add((later, earlier))
        return sorted(alike)

    def _of_the_same_people(self, first: int) -> list[tuple[int, int, int]]:
        """Tournaments on the same days with the same players whose games are others."""
        players = self._players[first:]
        mark = np.concatenate(players).astype(np.uint64)
        play = np.repeat(np.arange(first, len(self._plays)), [len(each) for each in players])
        found = self._by_player.take(mark, play, len(self._plays), LEAST_PLAYERS)
        return sorted(
            (later, earlier, shared)
            for later, earlier, shared in found
            if are_the_same_people(shared, len(self._players[earlier]), len(self._players[later]))
            and self._plays[later].shares_days_with(self._plays[earlier])
            and not self._is_same(earlier, later)
        )

    def _is_same(self, earlier: int, later: int) -> bool:
        mine, other = self._plays[later], self._plays[earlier]
        if not mine.shares_days_with(other):
            return False
        shared, *many = _in_common(self._games[later], self._games[earlier])
        if are_alike(shared, *many) or self._are_paired_alike(earlier, later):
            return True
        put_right = are_put_right(shared, *many) and have_one_name(mine.name, other.name)
        met, met_before = (sorted(self._pairs[number].tolist()) for number in (later, earlier))
        return put_right and met == met_before

    def _are_paired_alike(self, earlier: int, later: int) -> bool:
        """Whether most games of the smaller one are in the other, whatever their results."""
        if not are_alike(*_in_common(self._boards[later], self._boards[earlier])):
            return False
        both = earlier, later
        if {self._plays[number].system for number in both} <= PAIRED_BY_NUMBERS:
            return False
        return not any(met_by_numbers(self._pairs[number].tolist()) for number in both)


def _in_common(marks: NDArray[np.uint64], others: NDArray[np.uint64]) -> tuple[int, int, int]:
    """How many marks are the same, and how many there are."""
    mine, other = Counter(marks.tolist()), Counter(others.tolist())
    return (mine & other).total(), len(marks), len(others)
