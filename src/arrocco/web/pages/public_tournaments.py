"""Tournaments as everybody may see them: what was announced, the cross-table, the ratings."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.desk.lookup import AcceptedFile
from arrocco.desk.tournaments import PublicTournament
from arrocco.errors import Inconsistent, NotFound
from arrocco.office.records import TournamentStatus
from arrocco.office.roles import Permission
from arrocco.store.tournament_rows import RatedTournament, rated_tournament
from arrocco.web.pages.public_asking import day_of, lookup_of, system_name
from arrocco.web.paging import page_number
from arrocco.web.routes import page, waiting_page
from arrocco.web.tournament_games import (
    MAX_LISTED,
    Games,
    Pairing,
    SentGame,
    by_cell,
    pairings_of,
)
from arrocco.web.tournament_tables import ReportTable, with_tables
from arrocco.web.view import TheView, View

SIZE = 50
MAX_NUMBER = 1 << 62
_SHOWN = (TournamentStatus.REGISTERED, TournamentStatus.AWAITING_APPROVAL)


class InList(NamedTuple):
    """What a tournament brought in one system."""

    system: str
    name: str
    list_date: date
    rated: RatedTournament


class _Shown(NamedTuple):
    """A table of a report with the games that can be replayed, and one round of it."""

    report: ReportTable
    games: dict[tuple[int, int, int], int]
    round: int
    pairings: list[Pairing]

    @classmethod
    def of(cls, report: ReportTable, sent: list[SentGame], asked: str) -> _Shown:
        table = report.table
        last = max(
            (n for line in table.lines for n, cell in enumerate(line.cells, 1) if cell.result),
            default=0,
        )
        number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 5 else last
        games = by_cell(table, sent)
        if not 1 <= number <= table.rounds:
            number = last
        return cls(report, games, number, pairings_of(table, number, games) if number else [])


@page("/tournaments", permission=Permission.LOOK_UP)
def tournaments(view: TheView) -> Response[str]:
    """The tournaments that are announced or were played, the newest first."""
    query = view.request.query_params
    text, federation = query.get("q", "").strip()[:80], query.get("federation", "").strip()[:3]
    start, end = query.get("from", ""), query.get("to", "")
    page_asked = page_number(query)
    total, public_tournaments = view.office.tournaments.search(
        view.asker,
        text=text,
        federation=federation.upper(),
        from_day=day_of(start),
        to_day=day_of(end),
        offset=(page_asked - 1) * SIZE,
        limit=SIZE,
    )
    return view.page(
        "public/tournaments.html",
        found=public_tournaments,
        total=total,
        number=page_asked,
        size=SIZE,
        text=text,
        federation=federation,
        start=start,
        end=end,
        is_filtered=bool(text or federation or start or end),
    )


@waiting_page("/tournaments/{tournament:int}", permission=Permission.LOOK_UP)
async def tournament(view: TheView, tournament: FromPath[int]) -> Response[Any]:
    """One tournament: what is known of it, its cross-table, what it brought in each system."""
    public = await to_thread.run_sync(public_tournament, view, tournament)
    accepted = await accepted_reports(view, public)
    asked = view.request.query_params.get("round", "")

    def shown(later: View, tables: list[ReportTable]) -> Response[Any]:
        names = {number: name for table in tables for number, name in table.names.items()}
        games: Games = later.request.app.state.games
        sent = games.of(accepted)
        return later.page(
            "public/tournament.html",
            found=public,
            rated=in_lists(later, public),
            names=names,
            crosses=[_Shown.of(table, sent, asked) for table in tables],
            games=sent[:MAX_LISTED],
            games_total=len(sent),
            systems={key: system_name(later.language, key) for key in public.systems},
        )

    return await with_tables(view, accepted, shown)


async def accepted_reports(view: View, found: PublicTournament) -> tuple[AcceptedFile, ...]:
    """The reports of a tournament that everybody may see: those that were rated."""
    if not found.rated:
        return ()
    return await to_thread.run_sync(lookup_of(view).accepted, found.id)


def in_lists(view: View, found: PublicTournament) -> list[InList]:
    """What a tournament brought in each system, as far as the calculations are there."""
    return [
        InList(listed.system, system_name(view.language, listed.system), listed.list_date, told)
        for listed in found.rated
        if (told := _rated(view, listed.system, listed.list_date, listed.row)) is not None
    ]


def public_tournament(view: View, number: int, *, every: bool = False) -> PublicTournament:
    """A tournament that everybody may see, or any. Raises `NotFound` for another.

    What a published list was made of stays to be seen, annulled or not.
    """
    missing = NotFound.of("public.refused.no_tournament", number=str(number)[:40])
    if not 0 < number < MAX_NUMBER:
        raise missing
    try:
        public = view.office.tournaments.public(number)
    except Inconsistent:
        raise missing from None
    if not every and public.status not in _SHOWN and not public.rated:
        raise missing
    return public


def _rated(view: View, system: str, list_date: date, row: int) -> RatedTournament | None:
    try:
        folder = view.office.lists.folder(system, list_date)
        return rated_tournament(folder, row)
    except Inconsistent:
        return None
