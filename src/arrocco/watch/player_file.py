"""The file of a player: all games of an event and the last ones before it, looked at more deeply.

Made of what was asked for and of what the queue has, and of nothing else: the same request, engine,
nodes and baseline give the same bytes. Figures stand side by side and are never added up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum

import chess
import msgspec
from msgspec import Struct

from arrocco.fairplay.baseline import Baseline, band_of
from arrocco.fairplay.decisions import is_decision
from arrocco.fairplay.helper import STATED, HelperRates, rates_of
from arrocco.fairplay.intervals import count_of
from arrocco.fairplay.records import EngineSetting, GameAnalysis, PositionAnalysis, WatchedGame
from arrocco.fairplay.screen import FIGURES, METHOD, Screened, screened_player
from arrocco.fairplay.spread import SpreadKind
from arrocco.hall.game.state import State
from arrocco.laws.online.side import Side
from arrocco.store.sql.player_files import FileGame, PlayerFileRequest
from arrocco.store.sql.watched_games import QueuedGame
from arrocco.watch.event_screen import NamedBaseline, PlayerCounts
from arrocco.watch.file_games import FrozenGame
from arrocco.watch.games import watched_game
from arrocco.watch.time_line import StretchKind, TimeLine, time_line
from arrocco.watch.worker import digest_of, read_positions

Analysed = Mapping[int, Mapping[str, QueuedGame]]
"""What the queue has, by nodes and game."""
OWN, OTHER = "player", "opponent"


class Part(StrEnum):
    """What figures of a file are about."""

    SCREEN = "screen"
    """The event as its screen sees it."""
    EVENT = "event"
    """The event, more deeply."""
    PAST = "past"
    """Earlier games, as deeply."""


class FilePart(Struct, frozen=True, kw_only=True):
    """The figures of some games at a number of nodes, beside the band where they compare."""

    part: Part
    setting: EngineSetting | None
    comparable: bool
    games: int
    screened: Screened | None


class OwnMove(Struct, frozen=True, kw_only=True):
    """A move of the player and what the engine says of the position."""

    ply: int
    san: str
    spent: int
    position: PositionAnalysis | None
    is_decision: bool


class FileGameShown(Struct, frozen=True, kw_only=True):
    """A game of the event: its moves, the player's decisions, and its time line."""

    game: str
    round: int
    board: int
    side: Side
    rating: int | None
    opponent: str
    opponent_rating: int | None
    points: int | None
    """Half points of the player; nothing while it goes on."""
    moves: tuple[str, ...]
    own: tuple[OwnMove, ...]
    time_line: TimeLine


class PlayerFile(Struct, frozen=True, kw_only=True):
    """All of it, with what it was made with."""

    event: str
    entry: int
    name: str
    number: int
    nodes: int
    screen_nodes: int
    baseline: tuple[str, ...]
    baseline_digest: str
    band: int | None
    """The lowest rating of the band that the player is compared with."""
    helper: HelperRates | None
    spread: SpreadKind | None
    """From what the baseline knows how honest players differ."""
    parts: tuple[FilePart, ...]
    games: tuple[FileGameShown, ...]
    counts: PlayerCounts
    """What the time lines of the event's games count."""
    left_out: tuple[str, ...]
    """Games that cannot be told any more: a log that is damaged, or moves taken back since."""
    method: int = METHOD
    """With engine, nodes and baseline, all that the same bytes need."""

    def report(self) -> bytes:
        """The whole file as bytes: the same whenever it is computed again."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"


class FileProgress(Struct, frozen=True, kw_only=True):
    """How many half moves of a file were looked at."""

    done: int
    total: int

    @property
    def is_complete(self) -> bool:
        return self.done == self.total


def progress_of(wanted: Sequence[tuple[FileGame, int]], analysed: Analysed) -> FileProgress:
    """How far the queue has come with what a file wants."""
    done = 0
    for game, nodes in wanted:
        row = analysed.get(nodes, {}).get(game.game)
        done += 0 if row is None else min(row.done, game.plies)
    return FileProgress(done=done, total=sum(game.plies for game, _ in wanted))


def player_file(
    request: PlayerFileRequest,
    name: str,
    frozen: Mapping[str, FrozenGame],
    analysed: Analysed,
    baseline: NamedBaseline | None,
    *,
    players: int,
    time_classes: Mapping[str, str],
) -> PlayerFile:
    """The file as it was asked for; `players` of the event share its limit."""
    told = [game for game in request.games if game.game in frozen]
    tests = players * len(FIGURES)
    own = [game for game in told if not game.is_past]
    past = [game for game in told if game.is_past]

    def analyses(games: Sequence[FileGame], nodes: int) -> dict[str, GameAnalysis]:
        gathered = {
            game.game: _analysis(
                game, frozen[game.game].state, analysed.get(nodes, {}), time_classes
            )
            for game in games
        }
        return {game: analysis for game, analysis in gathered.items() if analysis is not None}

    seen, deep = analyses(own, request.screen_nodes), analyses(told, request.nodes)
    parts = (
        _part(Part.SCREEN, list(seen.values()), baseline, tests),
        _part(Part.EVENT, [deep[game.game] for game in own if game.game in deep], baseline, tests),
        _part(Part.PAST, [deep[game.game] for game in past if game.game in deep], baseline, tests),
    )
    ratings = [part.screened.rating for part in parts if part.screened and part.screened.rating]
    base = None if baseline is None else baseline.baseline
    spread = None if base is None else base.spread.get(time_classes.get(request.event, ""))
    games = tuple(_shown(game, frozen[game.game], deep.get(game.game)) for game in own)
    return PlayerFile(
        event=request.event,
        entry=request.entry,
        name=name,
        number=request.number,
        nodes=request.nodes,
        screen_nodes=request.screen_nodes,
        baseline=() if base is None else base.sources,
        baseline_digest="" if baseline is None else baseline.digest,
        band=band_of(ratings[0]) if ratings and base is not None else None,
        helper=None if base is None else rates_of(base.helper or STATED),
        spread=None if spread is None else spread.kind,
        parts=parts,
        games=games,
        counts=_counts(games),
        left_out=tuple(game.game for game in request.games if game.game not in deep),
    )


def _counts(games: Sequence[FileGameShown]) -> PlayerCounts:
    lines = [game.time_line for game in games]
    kinds = Counter(stretch.kind for line in lines for stretch in line.stretches)
    return PlayerCounts(
        draw_offers=count_of(sum(len(line.offers) for line in lines)),
        board_gaps=count_of(kinds[StretchKind.BOARD]),
        vcs_gaps=count_of(kinds[StretchKind.VCS]),
        lost_focus=count_of(kinds[StretchKind.FOCUS]),
        moves=sum(len(game.own) for game in games),
    )


def _analysis(
    game: FileGame, state: State, rows: Mapping[str, QueuedGame], time_classes: Mapping[str, str]
) -> GameAnalysis | None:
    """What the queue has of a game as far as the file goes, where the moves are still those."""
    row = rows.get(game.game)
    moves = [moved.uci for moved in state.moves]
    if row is None or not row.setting or row.done < game.plies:
        return None
    positions = read_positions(row.positions)
    if row.digest != digest_of(moves[: row.done]) and not _same_moves(positions, moves, game.plies):
        return None
    return GameAnalysis(
        game=_of_player(watched_game(state, time_classes.get(game.event, "")), game.account),
        setting=msgspec.json.decode(row.setting, type=EngineSetting),
        positions=tuple(position for position in positions if position.ply < game.plies),
    )


def _same_moves(positions: Sequence[PositionAnalysis], moves: Sequence[str], plies: int) -> bool:
    """Whether the queue went on behind the end of the file with the same moves before."""
    if len(moves) < plies:
        return False
    return all(each.played.move == moves[each.ply] for each in positions if each.ply < plies)


def _of_player(game: WatchedGame, account: str) -> WatchedGame:
    """The player has one name in all events, whatever account it was."""
    is_white = game.white == account
    white, black = (OWN, OTHER) if is_white else (OTHER, OWN)
    return msgspec.structs.replace(game, white=white, black=black)


def _part(
    part: Part, analyses: Sequence[GameAnalysis], baseline: NamedBaseline | None, tests: int
) -> FilePart:
    counted = Counter(analysis.setting for analysis in analyses)
    setting = max(counted, key=lambda each: (counted[each], each.engine), default=None)
    used = [analysis for analysis in analyses if analysis.setting == setting]
    known = None if baseline is None else baseline.baseline
    comparable = known is not None and setting == known.setting
    if setting is None:
        return FilePart(part=part, setting=None, comparable=False, games=0, screened=None)
    if not comparable or known is None:
        known = Baseline(setting=setting, sources=(), games=0, cells={}, spread={})
    return FilePart(
        part=part,
        setting=setting,
        comparable=comparable,
        games=len(used),
        screened=screened_player(OWN, used, known, tests),
    )


def _shown(game: FileGame, frozen: FrozenGame, analysis: GameAnalysis | None) -> FileGameShown:
    state = frozen.state
    side = state.side_of_player(game.account)
    seat, other = state.seat(side), state.seat(side.other)
    outcome = state.outcome
    return FileGameShown(
        game=game.game,
        round=state.created.round,
        board=state.created.board,
        side=side,
        rating=seat.player.rating,
        opponent=other.player.name,
        opponent_rating=other.player.rating,
        points=None
        if outcome is None or frozen.ended is None
        else outcome.half_points[0 if side is Side.WHITE else 1],
        moves=tuple(moved.uci for moved in state.moves[: game.plies]),
        own=_own_moves(state, side, game.plies, analysis),
        time_line=time_line(state, game.account, game.plies, frozen.ended),
    )


def _own_moves(
    state: State, side: Side, plies: int, analysis: GameAnalysis | None
) -> tuple[OwnMove, ...]:
    positions = {} if analysis is None else {each.ply: each for each in analysis.positions}
    board, own = chess.Board(), []
    for moved in state.moves[:plies]:
        move = chess.Move.from_uci(moved.uci)
        if moved.side is side:
            position = positions.get(moved.ply)
            own.append(
                OwnMove(
                    ply=moved.ply,
                    san=board.san(move),
                    spent=moved.spent,
                    position=position,
                    is_decision=position is not None and is_decision(position),
                )
            )
        board.push(move)
    return tuple(own)
