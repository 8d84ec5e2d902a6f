"""12.2 — files about players that chief arbiter or committee ask for, and the queue for them.

A file is asked for by a person and read by a person: nothing follows from it by itself.
"""

from __future__ import annotations

from arrocco.desk.committee import is_member
from arrocco.desk.desk import Desk, account_of
from arrocco.errors import Illegal, NotFound
from arrocco.hall.event.records import EventRole
from arrocco.hall.event.state import State
from arrocco.office.roles import Asker
from arrocco.store.sql import player_files, watched_games
from arrocco.store.sql.player_files import FileGame, PlayerFileRequest
from arrocco.store.sql.watched_games import QueuedGame

MAX_OF_PLAYER = 20
"""Files about one player in an event: each is hours of an engine."""


class PlayerFiles:
    """What was asked for, and what an engine has said of its games so far."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def ask(
        self,
        asker: Asker,
        event: State,
        entry: int,
        games: tuple[FileGame, ...],
        *,
        nodes: int,
        screen_nodes: int,
    ) -> PlayerFileRequest:
        """Asks for the file of a player; what was asked for before is the same file."""
        with self._desk.acting(asker, "ask_player_file", f"event:{event.created.event}") as act:
            account = account_of(asker)
            is_chief = EventRole.CHIEF in event.roles(str(account))
            if not is_chief and not is_member(act.connection, account, act.at):
                raise NotFound.of("watch.for_few")
            if not any(not game.is_past for game in games):
                raise Illegal.of("watch.file.no_games")
            act.details |= {"entry": entry, "games": len(games), "nodes": nodes}
            asked = player_files.of_player(act.connection, event.created.event, entry)
            for known in asked:
                if (known.games, known.nodes, known.screen_nodes) == (games, nodes, screen_nodes):
                    return known
            if len(asked) >= MAX_OF_PLAYER:
                raise Illegal.of("watch.file.too_many", most=MAX_OF_PLAYER)
            for game, at_nodes in wanted(games, nodes, screen_nodes):
                watched_games.want(act.connection, _queued(game, at_nodes))
            request = PlayerFileRequest(
                event=event.created.event,
                entry=entry,
                nodes=nodes,
                screen_nodes=screen_nodes,
                games=games,
                account=account,
                at=act.at,
            )
            return player_files.add(act.connection, request)

    def of_player(self, event: str, entry: int) -> list[PlayerFileRequest]:
        """The files about a player of an event, in the order they were asked for."""
        with self._desk.database.reading() as connection:
            return player_files.of_player(connection, event, entry)

    def analysed(self, request: PlayerFileRequest) -> dict[int, dict[str, QueuedGame]]:
        """What the queue has of the games of a file, by nodes and name."""
        names = [game.game for game in request.games]
        with self._desk.database.reading() as connection:
            return {
                nodes: watched_games.of_games(connection, names, nodes)
                for nodes in sorted({request.nodes, request.screen_nodes})
            }


def wanted(
    games: tuple[FileGame, ...], nodes: int, screen_nodes: int
) -> list[tuple[FileGame, int]]:
    """What an engine has to look at: all games deeply, those of the event as the screen does."""
    deeply = [(game, nodes) for game in games]
    if nodes == screen_nodes:
        return deeply
    return deeply + [(game, screen_nodes) for game in games if not game.is_past]


def _queued(game: FileGame, nodes: int) -> QueuedGame:
    return QueuedGame(
        game=game.game, nodes=nodes, event=game.event, plies=game.plies, is_over=game.is_over
    )
