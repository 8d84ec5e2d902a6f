"""A report made of games: the same record a tournament file becomes."""

from __future__ import annotations

from collections.abc import Sequence

from arrocco.errors import Inconsistent
from arrocco.formats.pgn.game import PgnGame
from arrocco.records.report import Entry, Game, PlayerId, Report
from arrocco.units import Rating
from arrocco.words import Phrase


def to_report(games: Sequence[PgnGame]) -> Report:
    """The report of one event's games; players are numbered as they first appear.

    Games without a result are not in it. A game that does not tell its round is in the first round
    in which neither player has another game before it. Raises `Inconsistent` when a player has no
    id or is on both sides of a game, or the games are of several events.
    """
    if not games:
        raise Inconsistent.of("pgn.refused.no_games")
    events = sorted({game.event for game in games})
    if len(events) > 1:
        names = tuple(map(repr, events[:3]))
        raise Inconsistent.of("pgn.refused.several_events", count=len(events), names=names)
    first = games[0]
    days = [game.day for game in games if game.day is not None]
    controls = {game.time_control for game in games}
    report = Report(
        source=first.place.file,
        name=first.event,
        city=first.site,
        start=min(days, default=None),
        end=max(days, default=None),
        time_control_text=first.time_control_text if len(controls) == 1 else "",
        time_control=first.time_control if len(controls) == 1 else None,
    )
    entries: dict[PlayerId, Entry] = {}
    played: dict[int, set[int]] = {}
    for game in games:
        white = _entry(entries, game.white_id, game.white, game.white_rating, game)
        black = _entry(entries, game.black_id, game.black, game.black_rating, game)
        if white is black:
            raise Inconsistent.of("pgn.refused.both_sides", place=str(game.place), id=game.white_id)
        if game.scores is None:
            continue
        busy = played.setdefault(white.number, set()) | played.setdefault(black.number, set())
        number = game.round or next(n for n in range(1, len(games) + 2) if n not in busy)
        played[white.number].add(number)
        played[black.number].add(number)
        report.games.append(
            Game(number, white.number, black.number, *game.scores, game.kind, place=game.place)
        )
    report.entries = list(entries.values())
    report.rounds = max((game.round for game in report.games), default=0)
    return report


def _entry(
    entries: dict[PlayerId, Entry],
    player: PlayerId | None,
    name: str,
    rating: Rating | None,
    game: PgnGame,
) -> Entry:
    if player is None:
        who = name or Phrase("pgn.a_player")
        raise Inconsistent.of("pgn.refused.no_id", place=str(game.place), player=who)
    if player not in entries:
        number = len(entries) + 1
        entries[player] = Entry(number, name, player, rating, place=game.place)
    return entries[player]
