"""The screen of an event of the hall: what the queue has of its games, and what the logs count.

It is computed anew from the analyses each time: the same engine, nodes and baseline give the same
bytes, and the report says with which.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path

import msgspec
from msgspec import Struct

from arrocco.errors import Malformed
from arrocco.fairplay.baseline import Baseline
from arrocco.fairplay.helper import HelperRates
from arrocco.fairplay.intervals import Count, count_of
from arrocco.fairplay.records import EngineSetting, GameAnalysis
from arrocco.fairplay.screen import METHOD, Screen, Screened, screen
from arrocco.fairplay.spread import SpreadKind
from arrocco.hall.event.state import State as EventState
from arrocco.hall.game import State as GameState
from arrocco.hall.game.state import Line, Phase
from arrocco.laws.online.side import Side
from arrocco.store.sql.watched_games import QueuedGame
from arrocco.watch.games import watched_game
from arrocco.watch.settings import BASELINE
from arrocco.watch.worker import digest_of, read_positions

MAX_BASELINE = 16 * 1024 * 1024


class Watched(StrEnum):
    """How far an event is watched."""

    NOT_WATCHED = "not_watched"
    """No engine has looked at any of its games."""
    UNDER_WAY = "under_way"
    COMPLETE = "complete"
    """Every game is over and was analysed to its end."""


class NamedBaseline(Struct, frozen=True, kw_only=True):
    """A baseline with the SHA-256 of its file."""

    baseline: Baseline
    digest: str


class PlayerCounts(Struct, frozen=True, kw_only=True):
    """What the logs of a player's games count: none of it is an engine's."""

    draw_offers: Count
    board_gaps: Count
    """Disconnections from the board."""
    vcs_gaps: Count
    """7.9 — disconnections from the video conference."""
    lost_focus: Count
    """8.3 — stretches in which another window had the keyboard, where that is known."""
    moves: int
    """The player's own moves, beside which the counts stand."""


class ScreenRow(Struct, frozen=True, kw_only=True):
    """A player of the event: the figures, where there are any, and the counts."""

    entry: int
    name: str
    games: tuple[str, ...]
    """The games that figures rest on."""
    counts: PlayerCounts
    screened: Screened | None = None

    @property
    def stands_out(self) -> bool:
        """Whether one of the figures lies beyond what chance gives to any one of the players."""
        return self.screened is not None and any(
            figure.stands_out for figure in self.screened.figures
        )


class EventScreen(Struct, frozen=True, kw_only=True):
    """What can be told of an event, and with what it was made."""

    event: str
    watched: Watched
    games: int
    """Games that have begun."""
    analysed: int
    """Games that are over and were analysed to their end."""
    setting: EngineSetting | None
    other_settings: int
    """Games left out because another engine looked at them, or the same otherwise."""
    baseline: tuple[str, ...]
    baseline_digest: str
    comparable: bool
    threshold: float
    rows: tuple[ScreenRow, ...]
    helper: HelperRates | None = None
    """What help is taken to look like where its chances to be found are told."""
    spread: SpreadKind | None = None
    """From what the baseline knows how honest players differ."""
    method: int = METHOD
    """With engine, nodes and baseline, all that the same bytes need."""

    def report(self) -> bytes:
        """The whole screen as bytes: the same whenever it is computed again."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"


def load_baseline(path: str) -> NamedBaseline | None:
    """The baseline of the settings; `None` where they name none. Raises `Malformed`."""
    if not path:
        return None
    try:
        file = Path(path)
        data = file.read_bytes() if file.stat().st_size <= MAX_BASELINE else b""
        baseline = msgspec.json.decode(data, type=Baseline)
    except (OSError, msgspec.DecodeError):
        raise Malformed.of("watch.no_baseline", name=BASELINE, given=path) from None
    return NamedBaseline(baseline=baseline, digest=hashlib.sha256(data).hexdigest())


def baseline_to_use(path: str) -> NamedBaseline | None:
    """The same; `None` also where it is not made yet, which pages tell. Raises `Malformed`."""
    return load_baseline(path) if path and Path(path).exists() else None


def nodes_to_show(counted: dict[int, int], wanted: int) -> int:
    """The nodes of a screen: those of the settings, else those of most games."""
    if wanted in counted or not counted:
        return wanted
    return max(counted, key=lambda nodes: (counted[nodes], -nodes))


def event_screen(
    event: EventState,
    games: Sequence[GameState],
    queued: Sequence[QueuedGame],
    baseline: NamedBaseline | None,
) -> EventScreen:
    """Screens every player of an event with what has been analysed so far."""
    rows = {row.game: row for row in queued if row.setting}
    setting = _usual(rows.values())
    used = {name: row for name, row in rows.items() if row.setting == setting}
    analyses = _analyses(event, games, used)
    made = _screen(analyses, baseline)
    begun = [game for game in games if game.moves or game.outcome is not None]
    whole = sum(game.created.game in used and used[game.created.game].is_complete for game in begun)
    return EventScreen(
        event=event.created.event,
        watched=_watched(len(begun), whole, bool(rows), is_over=event.closed is not None),
        games=len(begun),
        analysed=whole,
        setting=None if made is None else made.setting,
        other_settings=len(rows) - len(used),
        baseline=() if baseline is None else baseline.baseline.sources,
        baseline_digest="" if baseline is None else baseline.digest,
        comparable=made is not None and made.comparable,
        threshold=0.0 if made is None else made.threshold,
        rows=_rows(event, games, analyses, made),
        helper=None if made is None or baseline is None else made.helper,
        spread=None if made is None else made.spread,
    )


def _usual(rows: Iterable[QueuedGame]) -> str:
    """The setting with which most games were analysed; of two the first in order."""
    counted = Counter(row.setting for row in rows)
    return max(sorted(counted), key=lambda setting: counted[setting], default="")


def _watched(games: int, whole: int, has_begun: bool, *, is_over: bool) -> Watched:
    if not has_begun:
        return Watched.NOT_WATCHED
    return Watched.COMPLETE if is_over and whole == games else Watched.UNDER_WAY


def _analyses(
    event: EventState, games: Sequence[GameState], used: dict[str, QueuedGame]
) -> list[GameAnalysis]:
    """What was analysed, of games that are still those that were: moves can be taken back."""
    time_class = "" if event.time_class is None else event.time_class.value
    game_analyses = []
    for game in sorted(games, key=lambda state: (state.created.round, state.created.board)):
        row = used.get(game.created.game)
        if row is None or row.digest != digest_of([moved.uci for moved in game.moves[: row.done]]):
            continue
        game_analyses.append(
            GameAnalysis(
                game=watched_game(game, time_class),
                setting=msgspec.json.decode(row.setting, type=EngineSetting),
                positions=read_positions(row.positions),
            )
        )
    return game_analyses


def _screen(analyses: Sequence[GameAnalysis], baseline: NamedBaseline | None) -> Screen | None:
    """Without a baseline figures stand alone: nothing is expected, and nothing stands out."""
    if not analyses:
        return None
    if baseline is not None:
        return screen(analyses, baseline.baseline)
    alone = Baseline(setting=analyses[0].setting, sources=(), games=0, cells={}, spread={})
    made = screen(analyses, alone)
    return msgspec.structs.replace(made, comparable=False)


def _rows(
    event: EventState,
    games: Sequence[GameState],
    analyses: Sequence[GameAnalysis],
    made: Screen | None,
) -> tuple[ScreenRow, ...]:
    screened = {} if made is None else {player.player: player for player in made.players}
    rows = []
    for entry in event.entries:
        account = entry.person.account
        own = [game for game in games if account in (game.white.player.id, game.black.player.id)]
        if not own:
            continue
        rows.append(
            ScreenRow(
                entry=entry.id,
                name=entry.person.full_name,
                games=tuple(
                    analyse.game.id
                    for analyse in analyses
                    if account in (analyse.game.white, analyse.game.black)
                ),
                counts=_counts(own, account),
                screened=screened.get(account),
            )
        )
    return tuple(sorted(rows, key=lambda row: (row.name, row.entry)))


def _counts(games: Sequence[GameState], account: str) -> PlayerCounts:
    offers = board = vcs = focus = moves = 0
    for game in games:
        side = Side.WHITE if game.white.player.id == account else Side.BLACK
        seat = game.seat(side)
        offers += sum(offer.side is side for offer in game.offers)
        board += _stretches(seat.platform, game)
        vcs += _stretches(seat.vcs, game)
        focus += _stretches(seat.focus, game)
        moves += game.moves_by(side)
    return PlayerCounts(
        draw_offers=count_of(offers),
        board_gaps=count_of(board),
        vcs_gaps=count_of(vcs),
        lost_focus=count_of(focus),
        moves=moves,
    )


def _stretches(line: Line, game: GameState) -> int:
    """How often something was missing, with what is missing now; after the end nothing is."""
    lasts = line.lost is not None and game.started is not None and game.phase is not Phase.ENDED
    return len(line.gaps) + lasts
