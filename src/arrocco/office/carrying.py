"""What a correction carries into the list that opens the next period, player by player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np

from arrocco.engine.columns import IntColumn
from arrocco.laws.rating import Tranche
from arrocco.office.opening import Opening
from arrocco.records.ratinglist import UNKNOWN, RatingList

_COMPARED = tuple(
    "rating decimals completed_games highest_published last_rated first_event".split()
)


class Note(StrEnum):
    """What became of a difference; the words are under ``office.impact``."""

    RATING = "rating"
    """The rating moves by the difference."""
    RESULTS = "results"
    """Only results towards a first rating, games or the past change."""
    FIRST_RATING_APPEARS = "first_rating_appears"
    FIRST_RATING_DISAPPEARS = "first_rating_disappears"
    DELISTED_SINCE = "delisted_since"
    """The player has no rating any more that could move."""
    RATED_SINCE = "rated_since"
    """A later list gave a first rating: it stands as published."""
    LEFT_SINCE = "left_since"
    """The player is no longer on the list."""
    JOINS = "joins"
    """The player comes onto the list through the correction."""


class ImpactOnPlayer(NamedTuple):
    """A player before and after: on the corrected list, and as the next period opens."""

    id: int
    name: str
    rating_before: int | None
    rating_after: int | None
    games_before: int
    games_after: int
    base_before: int | None
    """The rating the next period would have started from."""
    base_after: int | None
    note: Note
    merged_into: int | None = None

    @property
    def key(self) -> str:
        """The sentence in the catalogues that says what became of the difference."""
        return f"office.impact.{self.note.value}"


@dataclass(frozen=True)
class Impact:
    """Everybody a correction touches, in the order of their numbers."""

    players: tuple[ImpactOnPlayer, ...] = ()

    @property
    def points(self) -> int:
        """By how much the ratings the next period starts from change altogether."""
        return sum((player.base_after or 0) - (player.base_before or 0) for player in self.players)

    def then(self, later: Impact) -> Impact:
        """This and what another correction does after it, each player once."""
        players = {player.id: player for player in self.players}
        for player in later.players:
            before = players.get(player.id)
            if before is not None:
                player = player._replace(base_before=before.base_before)
            players[player.id] = player
        return Impact(tuple(players[number] for number in sorted(players)))


class _State(NamedTuple):
    """What is compared of a player; all zero for one who is not there."""

    rating: int = 0
    decimals: int = 0
    completed_games: int = 0
    highest_published: int = 0
    last_rated: int = 0
    first_event: int = 0
    games: int = 0
    """In the period, as the list prints them."""
    pool: tuple[Tranche, ...] = ()


def _state(opening: Opening, player: int) -> _State:
    row = opening.row(player)
    pool = opening.pools.of(player)
    if row is None:
        return _State(pool=pool)
    columns: dict[str, Any] = {name: int(getattr(opening.players, name)[row]) for name in _COMPARED}
    games = max(0, int(opening.listed.games[row]))
    return _State(games=games, pool=pool)._replace(**columns)


def carry(
    before: Opening,
    after: Opening,
    opening: Opening,
    *,
    k_ratings: Sequence[int],
    first_results: Mapping[int, tuple[Tranche, ...]] | None = None,
    merged: Mapping[int, int] | None = None,
    later: Sequence[RatingList] = (),
) -> tuple[Opening, Impact]:
    """The latest list with the differences of a corrected period carried into it.

    `before` is the corrected list as it was published, `after` as it is computed again, `opening`
    the latest one. `k_ratings` are the published ratings that K depends on. `first_results` are the
    results behind first ratings that `after` publishes: a first rating that appears is left to the
    next list to compute out of them and of whatever came since. `merged` leads from numbers left
    since to those kept; `later` are the lists published after the corrected one, asked whether a
    high rating was reached without the mistake too.
    """
    carrying = _Carrying(opening.copy(), k_ratings, first_results or {}, merged or {}, later)
    touched = [carrying.carry(before, after, player) for player in _touched(before, after).tolist()]
    return carrying.opening, Impact(tuple(touched))


def _touched(before: Opening, after: Opening) -> IntColumn:
    """Whoever comes out otherwise."""
    rows = before.players.rows(after.players.id)
    known = np.flatnonzero(rows >= 0)
    differs = np.zeros(len(after.players), dtype=np.bool_)
    differs[rows < 0] = True
    for name in _COMPARED:
        first, other = getattr(before.players, name), getattr(after.players, name)
        differs[known] |= first[rows[known]] != other[known]
    games = before.listed.games[rows[known]] != after.listed.games[known]
    differs[known] |= games
    gone = before.players.id[after.players.rows(before.players.id) < 0]
    pools = [
        player
        for player in before.pools.tranches.keys() | after.pools.tranches.keys()
        if before.pools.of(player) != after.pools.of(player)
    ]
    ids = np.concatenate([after.players.id[differs], gone, np.array(pools, dtype=np.int64)])
    return np.unique(ids)


@dataclass
class _Carrying:
    opening: Opening
    k_ratings: Sequence[int]
    first_results: Mapping[int, tuple[Tranche, ...]]
    merged: Mapping[int, int]
    later: Sequence[RatingList]

    def carry(self, before: Opening, after: Opening, player: int) -> ImpactOnPlayer:
        was, now = _state(before, player), _state(after, player)
        target = self.merged.get(player, player)
        joins = before.row(player) is None and self.opening.row(target) is None
        if joins and after.row(player) is not None:
            self.opening = self.opening.joined_by(after, player)
            self._blank(player)
            target = player
        row = self.opening.row(target)
        base = None if row is None else int(self.opening.players.rating[row])
        note = Note.LEFT_SINCE if row is None else self._settle(player, target, row, was, now)
        listed = after if after.row(player) is not None else before
        at = listed.row(player)
        return ImpactOnPlayer(
            id=player,
            name="" if at is None else str(listed.listed.name[at]),
            rating_before=was.rating or None,
            rating_after=now.rating or None,
            games_before=was.games,
            games_after=now.games,
            base_before=base or None,
            base_after=None if row is None else int(self.opening.players.rating[row]) or None,
            note=Note.JOINS if joins and row is not None and not now.rating else note,
            merged_into=target if target != player else None,
        )

    def _blank(self, player: int) -> None:
        """Who joins brings nothing but the particulars: what the period gave is then carried."""
        row = self.opening.row(player)
        assert row is not None, "the player has just joined"
        for name in _COMPARED:
            getattr(self.opening.players, name)[row] = 0
        self.opening.players.k[row] = UNKNOWN

    def _settle(self, player: int, target: int, row: int, was: _State, now: _State) -> Note:
        players, is_rated = self.opening.players, self.opening.players.rating[row] > 0
        untouched = int(players.last_rated[row]) == was.last_rated
        games = now.completed_games - was.completed_games
        note = Note.RESULTS
        if was.rating and now.rating:
            if is_rated:
                players.rating[row] = max(1, int(players.rating[row]) + now.rating - was.rating)
                players.decimals[row] += now.decimals - was.decimals
                note = Note.RATING if now.rating != was.rating else Note.RESULTS
            else:
                note = Note.DELISTED_SINCE
            self._reach(player, row, was, now)
        elif now.rating:
            note, games = self._appears(player, target, row, was, now, games)
        elif was.rating:
            note = Note.FIRST_RATING_DISAPPEARS
            players.rating[row] = players.decimals[row] = 0
            self._change_pool(target, was.pool, now.pool)
            self._reach(player, row, was, now)
        elif is_rated and was.pool != now.pool:
            note = Note.RATED_SINCE
            games = sum(t.games for t in now.pool) - sum(t.games for t in was.pool)
        elif not is_rated:
            self._change_pool(target, was.pool, now.pool)
        if games:
            players.completed_games[row] = max(0, int(players.completed_games[row]) + games)
            players.k[row] = UNKNOWN
        self._remember(target, row, was, now, untouched=untouched)
        return note

    def _appears(
        self, player: int, target: int, row: int, was: _State, now: _State, games: int
    ) -> tuple[Note, int]:
        players, listed = self.opening.players, self.opening.listed
        if players.rating[row] > 0:
            return Note.RATED_SINCE, 0
        results = self.first_results.get(player)
        if results:
            # The next list computes it, and counts its games, with what has come since.
            self._change_pool(target, was.pool, results)
            return Note.FIRST_RATING_APPEARS, 0
        # Not out of a pool: a rating on entry, or one wrongly taken off. Nothing else could give
        # it back, and games of the next period are the player's only if the list shows it too.
        players.rating[row] = listed.rating[row] = now.rating
        players.decimals[row] = now.decimals
        self.opening.pools.tranches.pop(target, None)
        self._reach(player, row, was, now)
        return Note.FIRST_RATING_APPEARS, games

    def _change_pool(self, player: int, was: tuple[Tranche, ...], now: tuple[Tranche, ...]) -> None:
        """Takes the results out that were wrong and puts those in that are right."""
        wrong, missing = Counter(was) - Counter(now), Counter(now) - Counter(was)
        pool = []
        for result in self.opening.pools.of(player):
            if wrong[result] > 0:
                wrong[result] -= 1
            else:
                pool.append(result)
        pool += [result for result in now if result in missing]
        pool.sort(key=lambda result: result.month)
        if pool:
            self.opening.pools.tranches[player] = tuple(pool)
        else:
            self.opening.pools.tranches.pop(player, None)

    def _reach(self, player: int, row: int, was: _State, now: _State) -> None:
        """The highest rating published: what was reached by mistake only is reached no more.

        A rating that K depends on and that only a later list brought stays reached.
        """
        players, change = self.opening.players, now.rating - was.rating
        held, should = was.highest_published, now.highest_published
        column = players.highest_published
        if should >= held:
            column[row] = max(int(column[row]), should)
        else:
            since = [int(listed.rating[at]) + change for listed, at in self._rows_since(player)]
            later = [rating for rating in self.k_ratings if held < rating <= column[row]]
            column[row] = max(should, int(players.rating[row]), *since, *later)
        if any((held >= rating) != (should >= rating) for rating in self.k_ratings):
            players.k[row] = UNKNOWN

    def _rows_since(self, player: int) -> list[tuple[RatingList, int]]:
        """The later lists that have a player, with the row."""
        rows = ((listed, listed.row(player)) for listed in self.later)
        return [(listed, at) for listed, at in rows if at is not None]

    def _remember(
        self, player: int, row: int, was: _State, now: _State, *, untouched: bool
    ) -> None:
        """When the player last played, and whether a first event can still be ignored."""
        players = self.opening.players
        if now.last_rated > was.last_rated:
            players.last_rated[row] = max(int(players.last_rated[row]), now.last_rated)
        elif now.last_rated < was.last_rated and untouched:
            players.last_rated[row] = now.last_rated
        if now.first_event and not was.first_event:
            players.first_event[row] = True
        elif was.first_event and not now.first_event and untouched:
            has_results = players.rating[row] > 0 or self.opening.pools.of(player)
            players.first_event[row] = bool(has_results)
