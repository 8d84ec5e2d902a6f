"""Cross-tables: a report is read once, a large one away from the pages, and little is kept."""

from __future__ import annotations

import pytest

from arrocco.desk import lookup
from arrocco.desk.desk import Desk, operator
from arrocco.formats.trf import read_report
from arrocco.office.ledger import ResultCorrection
from arrocco.office.roles import Role
from arrocco.records.report import Bye, ByeKind, Entry, Game, GameKind, Report
from arrocco.units import HalfPoints
from arrocco.web import heavy, tournament_tables
from arrocco.web.crosstable import MAX_CELLS, cross_table
from arrocco.web.tournament_tables import KeptTables, ReportTable
from tests.formats.trf.samples import swiss
from tests.web.public_fixtures import *  # noqa: F403 - fixtures
from tests.web.public_fixtures import Public
from tests.web.test_public_pages import names_of

PAGE, API = "/en/tournaments/1", "/api/v1/tournaments/1"


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files of reports that are read in the process of the pages."""
    read: list[str] = []

    whole = lookup.AcceptedFile.read

    def noted(one: lookup.AcceptedFile, desk: Desk) -> Report | None:
        read.append(one.entry.file_name)
        return whole(one, desk)

    monkeypatch.setattr(lookup.AcceptedFile, "read", noted)
    return read


def test_a_report_is_read_once_for_all_who_look(own_public: Public, reads: list[str]) -> None:
    first = own_public.client.get(PAGE).text
    assert names_of(first)
    assert reads
    reads.clear()
    assert own_public.client.get(PAGE).text == first
    assert reads == []


def test_a_report_that_was_corrected_is_read_again(own_public: Public, reads: list[str]) -> None:
    office = own_public.office
    own_public.client.get(PAGE)
    (accepted,) = lookup.Lookup(office).accepted(1)
    report = accepted.read(office.desk)
    assert report is not None
    (game, *_) = [game for game in report.games if game.white_score == 2]
    change = ResultCorrection(
        round=game.round,
        white=game.white,
        black=game.black,
        white_half=0,
        black_half=2,
        played=True,
    )
    reads.clear()
    boss = operator(Role.RATING_ADMINISTRATOR)
    office.corrections.enter(boss, accepted.entry.report, [change], "the other one won")
    record = own_public.client.get(API).json()
    line = next(one for one in record["tables"][0] if one["number"] == game.white)
    assert line["rounds"][game.round - 1]["result"] == "0"
    assert own_public.client.get(PAGE).status_code == 200
    assert reads


def test_a_large_report_is_not_read_in_the_process_of_the_pages(
    own_public: Public, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    small, record = own_public.client.get(PAGE).text, own_public.client.get(API).json()
    own_public.app.state.tables = KeptTables()
    monkeypatch.setattr(tournament_tables, "SMALL_REPORTS", 0)
    monkeypatch.setattr(heavy, "ANSWER_SECONDS", 120.0)
    reads.clear()
    assert own_public.client.get(PAGE).text == small
    assert own_public.client.get(API).json() == record
    assert reads == []
    monkeypatch.setattr(own_public.app.state.heavy, "public", None)
    assert own_public.client.get(PAGE).text == small, "the second time it is known"


def table(players: int, rounds: int) -> ReportTable:
    report, _ = read_report(swiss(players=players, rounds=rounds), "a")
    made = cross_table(report, MAX_CELLS)
    return ReportTable(report.start, report.end, made, {})


def test_what_is_kept_is_bounded_and_the_oldest_goes_first() -> None:
    kept, one = KeptTables(max_cells=300), table(20, 4)
    keys: list[tuple[tuple[str, int, int], ...]] = [(("blob", n, 0),) for n in range(4)]
    for key in keys[:3]:
        kept.keep(key, [one])
    assert kept.get(keys[0]) == [one]
    kept.keep(keys[3], [one])
    assert [kept.get(key) is not None for key in keys] == [True, False, True, True]
    kept.keep((("large", 9, 0),), [table(60, 9)])
    assert all(kept.get(key) is None for key in keys), "larger than all there is room for"


def test_a_page_has_all_players_and_no_more_cells_than_it_can_show() -> None:
    assert len(table(500, 9).table.lines) == 500
    long = table(900, 60).table
    assert (len(long.lines), long.total) == (MAX_CELLS // 60, 900)


def test_one_numbering_points_after_a_correction_and_byes() -> None:
    """Ranks stood beside pairing numbers, and a corrected line lost its points."""
    report = Report(
        rounds=2,
        entries=[
            Entry(1, "A", rank=3, points=5),
            Entry(2, "B", rank=1, points=None),
            Entry(3, "C", rank=2, points=None),
        ],
        games=[Game(1, 2, 1, HalfPoints(2), HalfPoints(0), GameKind.PLAYED)],
        byes=[Bye(1, 3, ByeKind.PAIRING_ALLOCATED), Bye(2, 3, ByeKind.HALF_POINT)],
    )
    table = cross_table(report)
    assert table.places == {2: 1, 3: 2, 1: 3}
    assert [(line.entry.number, line.points) for line in table.lines] == [(2, 10), (3, 15), (1, 5)]
    (cell, _) = table.lines[0].cells
    assert table.places[cell.opponent or 0] == 3, "the last line is the opponent's"
