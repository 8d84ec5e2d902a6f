"""The ranks of a file against the tie-breaks that it states (C.07; records 202 and 212)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from arrocco.formats.trf import from_report
from arrocco.formats.trf import records as r
from arrocco.formats.trf.document import Line, TrfDocument, read
from arrocco.hall.event import standings, to_report
from arrocco.hall.event.records import TieBreak
from arrocco.hall.event.state import rules_of
from arrocco.hall.file_standings import FileStandings, Stated, ranked, stated_codes, stated_of
from arrocco.hall.pairing.generator import Settings, generate, to_trf
from arrocco.laws.online.sanctions import Scope
from tests.hall.event.desk import DRAW, FORFEIT, LOSS, WIN, Desk
from tests.hall.event.test_tiebreaks import event

CODES = ("PTS", "BH/C1", "DE", "WIN", "ARO")


def document_of(data: bytes) -> TrfDocument:
    return read(data, "invented.trf")[0]


@pytest.fixture
def generated() -> TrfDocument:
    settings = Settings(20, 6, forfeit_rate=9, retired_rate=30, half_point_bye_rate=12)
    return document_of(to_trf(generate(settings, 4), 4, CODES))


def with_ranks(document: TrfDocument, ranks: dict[int, int]) -> TrfDocument:
    return changed(document, lambda one: replace(one, rank=ranks.get(one.number or 0)))


def changed(
    document: TrfDocument, change: Callable[[r.PlayerRecord], r.PlayerRecord]
) -> TrfDocument:
    """The document with every player's record changed."""
    lines = [
        replace(line, record=change(line.record))
        if isinstance(line.record, r.PlayerRecord)
        else line
        for line in document.lines
    ]
    return replace(document, lines=lines)


def test_12_13_the_file_of_an_event_has_the_ranks_of_its_standings() -> None:
    tie_breaks = (TieBreak.BUCHHOLZ_CUT_1, TieBreak.DIRECT_ENCOUNTER, TieBreak.PERFORMANCE)
    desk = Desk(7, rounds=4, tie_breaks=tie_breaks)
    desk.pair().play(WIN, DRAW, LOSS).pair().open()
    desk.take(1, WIN).take(2, LOSS, FORFEIT).take(3, DRAW).close().later(minutes=20)
    desk.pair().play(LOSS, WIN, WIN)
    desk.impose("6.9j", 2, scope=Scope.TOURNAMENT)
    stated = stated_of(rules_of(desk.state), desk.state.created.start)
    assert tuple(stated) == (("PTS", "BH/C1", "DE", "TPR"), "FIDE_DUTCH")
    assert len(compared(desk, stated).places) == 6  # who is excluded has no place


def test_byes_forfeits_and_withdrawals_count_in_a_file_as_in_its_event() -> None:
    """C.07 16."""
    for tie_breaks in ((TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER), (TieBreak.PROGRESSIVE,)):
        desk = event(*tie_breaks)
        compared(desk, stated_of(rules_of(desk.state), desk.state.created.start))


def compared(desk: Desk, stated: Stated) -> FileStandings:
    """The file of an event ranked again, which finds what the event's standings say."""
    document = document_of(from_report(to_report(desk.state), "trf26", *stated))
    found = ranked(document, stated_codes(document))
    assert (found.compared, found.left_out, found.wrong) == (stated.tie_breaks, (), ())
    assert [one.first for one in found.places] == [one.rank for one in standings(desk.state)]
    return found


def test_a_wrong_rank_is_found_and_a_tie_may_stand_either_way(generated: TrfDocument) -> None:
    by_points = ranked(generated, ("PTS",))
    assert by_points.wrong == ()
    finer = ranked(generated, CODES)
    assert finer.wrong
    right = {one.number: one.first for one in finer.places}
    assert ranked(with_ranks(generated, right), CODES).wrong == ()
    first, last = finer.places[0].number, finer.places[-1].number
    swapped = right | {first: right[last], last: right[first]}
    wrong = ranked(with_ranks(generated, swapped), CODES).wrong
    assert {one.number for one in wrong} == {first, last}


def test_202_has_the_points_before_it_and_212_goes_before(generated: TrfDocument) -> None:
    assert stated_codes(generated) == CODES
    older = replace(
        generated,
        lines=[
            Line.of(r.Text("202", "BH:C1, DE"), 1)
            if isinstance(line.record, r.Text) and line.record.tag == "212"
            else line
            for line in generated.lines
        ],
    )
    assert stated_codes(older) == ("PTS", "BH:C1", "DE")
    assert ranked(older, stated_codes(older)).compared == ("PTS", "BH:C1", "DE")
    others = [line for line in older.lines if not line.text.startswith("202")]
    neither = replace(older, lines=others)
    assert stated_codes(neither) == ()


def test_what_cannot_be_computed_ends_the_comparison(generated: TrfDocument) -> None:
    found = ranked(generated, ("PTS", "KS", "SB"))
    assert (found.compared, found.left_out) == (("PTS",), ("KS", "SB"))
    unrated = changed(generated, lambda one: replace(one, rating=None if one.number == 3 else 1800))
    assert ranked(unrated, CODES).left_out == ("ARO",)
    beside = replace(
        generated, lines=[*generated.lines, Line.of(r.AbnormalPoints("", None, 10, None, (3,)), 99)]
    )
    assert ranked(beside, CODES).left_out == CODES
