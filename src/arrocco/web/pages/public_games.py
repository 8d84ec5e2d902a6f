"""The games of a tournament: replayed in the browser, as text, and in PGN."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.params import FromPath

from arrocco.errors import Inconsistent, NotFound
from arrocco.formats.pgn.index import GameMoves
from arrocco.office.roles import Permission
from arrocco.web.pages.hall_common import script_words
from arrocco.web.pages.public_asking import lookup_of
from arrocco.web.pages.public_tournaments import public_tournament
from arrocco.web.routes import page
from arrocco.web.tournament_games import Games, SentGame
from arrocco.web.view import TheView, View


@page("/tournaments/{tournament:int}/games/{number:int}", permission=Permission.LOOK_UP)
def tournament_game(
    view: TheView, tournament: FromPath[int], number: FromPath[int]
) -> Response[str]:
    """A game that came with the report of a tournament, to be stepped through."""
    game, total, moves = _game(view, tournament, number)
    return view.page(
        "public/game.html",
        found=public_tournament(view, tournament),
        game=game,
        total=total,
        head=game.head,
        moves=moves.moves,
        rows=_rows(moves),
        start=moves.start,
        ucis=" ".join(uci for uci, _ in moves.moves),
        words=script_words(view.language),
    )


@page("/tournaments/{tournament:int}/games/{number:int}/pgn", permission=Permission.LOOK_UP)
def tournament_game_pgn(
    view: TheView, tournament: FromPath[int], number: FromPath[int]
) -> Response[Any]:
    """The same game in PGN, with its usual tags and without comments."""
    _, _, moves = _game(view, tournament, number)
    headers = {
        "content-disposition": f'attachment; filename="tournament-{tournament}-{number}.pgn"'
    }
    return Response(moves.pgn.encode(), media_type="application/vnd.chess-pgn", headers=headers)


def _game(view: View, tournament: int, number: int) -> tuple[SentGame, int, GameMoves]:
    """One game of a tournament, and how many it has. Raises `NotFound`."""
    shown = public_tournament(view, tournament)
    games: Games = view.request.app.state.games
    sent = games.of(lookup_of(view).accepted(shown.id)) if shown.rated else []
    missing = NotFound.of("public.refused.no_game", number=str(number)[:20])
    if not 1 <= number <= len(sent):
        raise missing
    try:
        return sent[number - 1], len(sent), games.moves(sent[number - 1])
    except Inconsistent:
        raise missing from None


def _rows(moves: GameMoves) -> list[tuple[int, list[tuple[int, str]]]]:
    """Moves by their number, each with its place among the half-moves; Black may begin."""
    skipped = 1 if " b " in moves.start else 0
    first = int(moves.start.rsplit(" ", 1)[-1])
    rows: list[tuple[int, list[tuple[int, str]]]] = []
    for place, (_, san) in enumerate(moves.moves, start=1):
        number = first + (place - 1 + skipped) // 2
        if not rows or rows[-1][0] != number:
            rows.append((number, [(0, "…")] if skipped and not rows else []))
        rows[-1][1].append((place, san))
    return rows
