"""Mates worked out beforehand, as goals for the search: who has to stand where.

With few pieces a mate needs a pattern: a knight mates a king in the corner whose own rook stands
beside it. The squares the pieces may reach tell which patterns fit the position; those whose pieces
have the shortest walks are proved on a bare board and handed to the search, which then only has to
bring everybody home, the checking piece last.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arrocco.hall.unwinnable.mates import attack
from arrocco.hall.unwinnable.position import (
    BISHOPS,
    BITS,
    BLACKS,
    DISTANCE,
    KING_STEPS,
    KINGS,
    KNIGHTS,
    PAWNS,
    ROOKS,
    WHITES,
    Position,
    is_attacked,
    successors,
)
from arrocco.hall.unwinnable.reach import Piece, Reach
from arrocco.hall.unwinnable.search import Budget
from arrocco.hall.unwinnable.walks import FAR, Goal, Post, walks

MAX_PATTERNS = 1000
MAX_PROOFS = 25
_CORNER = [min(n & 7, 7 - (n & 7)) + min(n >> 3, 7 - (n >> 3)) for n in range(64)]


@dataclass(frozen=True)
class _Runner:
    """A piece that may take a post, with the length of its walk to every square."""

    identity: int
    kind: int
    walks: list[int]
    from_pawn: bool = False


def find_goals(reach: Reach, budget: Budget, limit: int) -> list[Goal]:
    """The nearest mates that fit the squares pieces may reach, proved on a bare board."""
    finder = _Finder(reach)
    patterns = finder.patterns()
    budget.spend(200 + len(patterns))
    goals: list[Goal] = []
    for pattern in sorted(patterns)[:MAX_PROOFS]:
        budget.spend(10)
        goal = next(finder.proved(pattern), None)
        if goal is not None:
            goals.append(goal)
        if len(goals) == limit or budget.is_spent:
            break
    return sorted(goals, key=lambda goal: goal.cost)


_Pattern = tuple[int, int, int, int, int, int]
"""Cost, square of the black king, of the white, index and square of the checker, squares left."""


class _Finder:
    def __init__(self, reach: Reach) -> None:
        self.fixed = reach.fixed
        self.standing = [piece for piece in reach.pieces if piece.start & reach.fixed]
        black, white = reach.king(False), reach.king(True)
        self.black_king = self._walks(KINGS, black.start, black.squares)
        self.white_king = self._walks(KINGS, white.start, white.squares)
        self.king_squares = black.squares
        self.whites = [
            _Runner(piece.start, piece.kind, self._walks(piece.kind, piece.start))
            for piece in reach.pieces
            if piece.white and piece.kind not in (PAWNS, KINGS)
        ]
        self.blacks = [
            runner
            for piece in reach.pieces
            if not piece.white and piece.kind != KINGS and not piece.start & reach.fixed
            for runner in self._blockers(piece)
        ]
        self.blocked = self.attacked = 0
        for piece in self.standing:
            square = piece.start.bit_length() - 1
            if piece.white:
                self.attacked |= attack(piece.kind, square, self.fixed)
            elif piece.kind != KINGS:
                self.blocked |= piece.start

    def _walks(self, kind: int, start: int, region: int = -1) -> list[int]:
        return walks(kind, start.bit_length() - 1, self.fixed & ~start, region)

    def _blockers(self, piece: Piece) -> Iterator[_Runner]:
        """A black piece as what it is, and a pawn also as what it may become."""
        if piece.kind != PAWNS:
            yield _Runner(piece.start, piece.kind, self._walks(piece.kind, piece.start))
            return
        lengths = [FAR] * 64
        square, steps = piece.start.bit_length() - 1, 0
        while square >= 8 and piece.squares >> square & 1:
            lengths[square] = steps
            square, steps = square - 8, steps + 1
        yield _Runner(piece.start, PAWNS, lengths)
        if square < 8 and piece.squares >> square & 1:
            for kind in (KNIGHTS, BISHOPS, ROOKS):
                further = self._walks(kind, BITS[square])
                yield _Runner(piece.start, kind, [min(FAR, steps + n) for n in further], True)

    def patterns(self) -> list[_Pattern]:
        """Squares for the kings and a checker that leave little to cover, unproved."""
        every: list[_Pattern] = []
        free = self.king_squares
        squares = [n for n in range(64) if free >> n & 1 and self.black_king[n] < FAR]
        blockers = len({runner.identity for runner in self.blacks})
        most = min(blockers, 2) + (len(self.whites) > 1)
        for square in sorted(squares, key=lambda n: self.black_king[n] + 2 * _CORNER[n]):
            beside = KING_STEPS[square] & ~self.blocked & ~self.attacked
            if beside.bit_count() > most + 6 or len(every) > MAX_PATTERNS:
                continue
            walls = self.fixed & ~BITS[square]
            kings = [
                (length, n, KING_STEPS[n] & beside)
                for n, length in enumerate(self.white_king)
                if length < FAR
                and DISTANCE[n][square] > 1
                and (length == 0 or KING_STEPS[n] & beside)
            ]
            for index, runner in enumerate(self.whites):
                for n, length in enumerate(runner.walks):
                    if length == FAR or n == square or self.blocked >> n & 1:
                        continue
                    attacked = attack(runner.kind, n, walls)
                    if not attacked >> square & 1:
                        continue
                    near = self.black_king[square] + length
                    for way, king, covered in kings:
                        left = beside & ~attacked & ~covered
                        if king != n and left.bit_count() <= most:
                            cost = near + way + 3 * left.bit_count()
                            every.append((cost, square, king, index, n, left))
        return every

    def proved(self, pattern: _Pattern) -> Iterator[Goal]:
        """The pattern with all its posts, where it is a mate with nobody else about."""
        _, square, king, index, n, left = pattern
        checker = self.whites[index]
        posts = (
            Post(False, KINGS, square),
            Post(True, KINGS, king),
            Post(True, checker.kind, n),
        )
        cost = self.black_king[square] + self.white_king[king] + checker.walks[n]
        for filled, more in self._fill(left, posts, frozenset({checker.identity})):
            if self._is_mate(filled):
                yield Goal(cost + more, filled)

    def _fill(
        self, left: int, posts: tuple[Post, ...], used: frozenset[int]
    ) -> Iterator[tuple[tuple[Post, ...], int]]:
        """Ways to block or cover the squares that are left, the shortest walks first."""
        if not left:
            yield posts, 0
            return
        bit = left & -left
        square = bit.bit_length() - 1
        taken = {post.square for post in posts}
        options: list[tuple[int, int, Post, int]] = []
        if square not in taken:
            for runner in self.blacks:
                if runner.identity not in used and runner.walks[square] < FAR:
                    post = Post(False, runner.kind, square, runner.from_pawn)
                    options.append((runner.walks[square], runner.identity, post, bit))
        for runner in self.whites:
            if runner.identity not in used:
                covering = [
                    (length, n)
                    for n, length in enumerate(runner.walks)
                    if length < FAR and n not in taken and attack(runner.kind, n, self.fixed) & bit
                ]
                if covering:
                    length, n = min(covering)
                    attacked = attack(runner.kind, n, self.fixed)
                    post = Post(True, runner.kind, n)
                    options.append((length, runner.identity, post, attacked))
        options.sort(key=lambda option: option[0])
        for length, identity, post, covers in options[:4]:
            for filled, more in self._fill(left & ~covers, (*posts, post), used | {identity}):
                yield filled, length + more

    def _is_mate(self, posts: tuple[Post, ...]) -> bool:
        board = [0] * 11
        taken = 0
        for post in posts:
            bit = BITS[post.square]
            if bit & taken:
                return False
            taken |= bit
            board[post.kind] |= bit
            board[WHITES if post.white else BLACKS] |= bit
        for piece in self.standing:
            if piece.kind != KINGS and not piece.start & taken:
                board[piece.kind] |= piece.start
                board[WHITES if piece.white else BLACKS] |= piece.start
        position: Position = (False, *board[1:])  # type: ignore[assignment]
        return is_attacked(position, posts[0].square, True) and not successors(position)
