"""Tournaments as everybody may see them: what was announced, the cross-table, the ratings."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from litestar import Response
from litestar.params import FromPath

from arrocco.errors import Inconsistent
from arrocco.office.records import TournamentStatus
from arrocco.office.roles import Permission
from arrocco.report import ByeKind, Entry, Game, GameKind, Report
from arrocco.store.tournament_rows import RatedTournament, rated_tournament
from arrocco.web import writing
from arrocco.web.pages.public_asking import NotThere, day_of, lookup_of, system_name
from arrocco.web.paging import page_number
from arrocco.web.routes import page
from arrocco.web.view import TheView, View
from arrocco.wiring.office.tournaments import PublicTournament
from arrocco.words import Language, number

SIZE = 50
MOST_NUMBER = 1 << 62
_BYES = {
    ByeKind.HALF_POINT: "½", ByeKind.FULL_POINT: "+", ByeKind.PAIRING_ALLOCATED: "+",
    ByeKind.ZERO_POINT: "–",
}  # fmt: skip
_SCORES = {0: "0", 1: "½", 2: "1"}
_SHOWN = (TournamentStatus.REGISTERED, TournamentStatus.AWAITING_APPROVAL)


class Cell(NamedTuple):
    """A round of a player: the result, and whom it was against."""

    result: str
    opponent: int | None = None
    white: bool | None = None
    unplayed: bool = False


class TableRow(NamedTuple):
    """A line of a cross-table."""

    entry: Entry
    cells: tuple[Cell, ...]
    points: str


class InList(NamedTuple):
    """What a tournament brought in one system."""

    system: str
    name: str
    list_date: date
    rated: RatedTournament


@page("/tournaments", permission=Permission.LOOK_UP)
def tournaments(view: TheView) -> Response[str]:
    """The tournaments that are announced or were played, the newest first."""
    query = view.request.query_params
    text, federation = query.get("q", "").strip()[:80], query.get("federation", "").strip()[:3]
    start, end = query.get("from", ""), query.get("to", "")
    page_asked = page_number(query)
    total, found = view.office.tournaments.search(
        view.asker, text=text, federation=federation.upper(), from_day=day_of(start),
        to_day=day_of(end), offset=(page_asked - 1) * SIZE, limit=SIZE,
    )  # fmt: skip
    return view.page(
        "public/tournaments.html", found=found, total=total, number=page_asked, size=SIZE,
        text=text, federation=federation, start=start, end=end,
        is_filtered=bool(text or federation or start or end),
    )  # fmt: skip


@page("/tournaments/{tournament:int}", permission=Permission.LOOK_UP)
def tournament(view: TheView, tournament: FromPath[int]) -> Response[str]:
    """One tournament: what is known of it, its cross-table, what it brought in each system."""
    found = public_tournament(view, tournament)
    reports = lookup_of(view).reports(tournament) if found.rated else []
    tables = [(one, cross_table(one, view.language)) for one in reports]
    names = {
        entry.id: entry.name for report in reports for entry in report.entries if entry.id
    }  # fmt: skip
    return view.page(
        "public/tournament.html", found=found, crosses=tables, rated=in_lists(view, found),
        names=names,
        systems={key: system_name(view.language, key) for key in found.systems},
    )  # fmt: skip


def in_lists(view: View, found: PublicTournament) -> list[InList]:
    """What a tournament brought in each system, as far as the calculations are there."""
    return [
        InList(one.system, system_name(view.language, one.system), one.list_date, told)
        for one in found.rated
        if (told := _rated(view, one.system, one.list_date, one.row)) is not None
    ]


def public_tournament(view: View, number: int, *, every: bool = False) -> PublicTournament:
    """A tournament that everybody may see, or any. Raises `NotThere` for another."""
    missing = NotThere.of("public.refused.no_tournament", number=str(number)[:40])
    if not 0 < number < MOST_NUMBER:
        raise missing
    try:
        found = view.office.tournaments.public(number)
    except Inconsistent:
        raise missing from None
    if not every and found.status not in _SHOWN:
        raise missing
    return found


def _rated(view: View, system: str, list_date: date, row: int) -> RatedTournament | None:
    try:
        folder = view.office.lists.folder(system, list_date)
        return rated_tournament(folder, row)
    except Inconsistent:
        return None


def cross_table(report: Report, language: Language = "en") -> list[TableRow]:
    """A report as a cross-table, by rank where it gives one."""
    rounds = max([report.rounds, *(game.round for game in report.games)], default=0)
    cells: dict[int, list[Cell]] = {
        entry.number: [Cell("")] * rounds for entry in report.entries
    }  # fmt: skip
    for game in report.games:
        for mine, cell in _cells(game):
            if mine in cells and 0 < game.round <= rounds:
                cells[mine][game.round - 1] = cell
    for bye in report.byes:
        if bye.entry in cells and 0 < bye.round <= rounds:
            cells[bye.entry][bye.round - 1] = Cell(_BYES[bye.kind], unplayed=True)
    ordered = sorted(report.entries, key=lambda one: (one.rank or len(report.entries), one.number))
    return [
        TableRow(entry, tuple(cells[entry.number]), _points(language, entry.points))
        for entry in ordered
    ]


def _points(language: Language, tenths: int | None) -> str:
    if tenths is None:
        return writing.NOTHING
    whole, rest = divmod(tenths, 10)
    return number(language, f"{whole}.{rest}") if rest else str(whole)


def _cells(game: Game) -> list[tuple[int, Cell]]:
    unplayed = game.kind is not GameKind.PLAYED
    made = []
    for mine, other, score, white in (
        (game.white, game.black, int(game.white_score), True),
        (game.black, game.white, int(game.black_score), False),
    ):
        result = ("+" if score == 2 else "–" if score == 0 else "=") if unplayed else _SCORES[score]
        colour = white if game.colours_known else None
        made.append((mine, Cell(result, other, colour, unplayed)))
    return made
