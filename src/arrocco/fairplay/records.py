"""Games as they are watched, what an engine says of a position, and decisions of players."""

from __future__ import annotations

from msgspec import Struct


class WatchedGame(Struct, frozen=True, kw_only=True):
    """A game with its moves in UCI and, where clocks are known, the time of each in ms."""

    id: str
    white: str
    black: str
    white_rating: int | None
    black_rating: int | None
    time_class: str
    moves: tuple[str, ...]
    spent: tuple[int | None, ...] = ()
    event: str = ""
    """Where it is known: how players differ is measured over an event."""

    def player(self, *, white: bool) -> str:
        return self.white if white else self.black

    def rating(self, *, white: bool) -> int | None:
        return self.white_rating if white else self.black_rating


class EngineSetting(Struct, frozen=True, kw_only=True):
    """With what positions were analysed: all that the same answer needs."""

    engine: str
    """The name the engine gives itself."""
    nodes: int
    lines: int
    hash_mb: int


class Line(Struct, frozen=True, array_like=True):
    """A move and the score expected after it for who makes it, in thousandths of a point."""

    move: str
    expected: int


class PositionAnalysis(Struct, frozen=True, kw_only=True):
    """The best moves of a position, best first, and what the move played was worth."""

    ply: int
    legal: int
    """How many moves there were to choose from."""
    lines: tuple[Line, ...]
    played: Line

    @property
    def loss(self) -> int:
        """What the move played gave away; a search may find it better than the best it knew."""
        return max(0, self.lines[0].expected - self.played.expected)

    @property
    def rank(self) -> int:
        """The place of the move played among the best, from 1; 0 where it is not among them."""
        moves = [line.move for line in self.lines]
        return moves.index(self.played.move) + 1 if self.played.move in moves else 0

    @property
    def gap(self) -> int:
        """How much worse the second choice is than the first."""
        return self.lines[0].expected - self.lines[1].expected if len(self.lines) > 1 else 1000


class GameAnalysis(Struct, frozen=True, kw_only=True):
    """All positions of a game, in order, and with what they were analysed."""

    game: WatchedGame
    setting: EngineSetting
    positions: tuple[PositionAnalysis, ...]


class Decision(Struct, frozen=True, kw_only=True):
    """A move that says something: neither opening, nor forced, nor in a game already decided."""

    game: str
    ply: int
    rank: int
    loss: int
    gap: int
    spent: int | None
