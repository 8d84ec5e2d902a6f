"""The ledger's entries survive their bytes, and each hash seals the entry in its place."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import msgspec
import pytest

from arrocco.office.ledger import (
    FIRST_HASH,
    AnyEntry,
    Correction,
    DateCorrection,
    IdCorrection,
    ListImported,
    ListPublished,
    PlayerChanged,
    PlayersMerged,
    ReadingChosen,
    ReportAccepted,
    ReportWithdrawn,
    ResultCorrection,
    UsedReport,
    chained,
    decoded,
    encoded,
)
from arrocco.records.report import Facts
from tests.office.build import ADA, AT, BRUNO

DAY = date(2026, 4, 1)
ENTRIES: list[AnyEntry] = [
    ListImported(system="fide", list_date=DAY, blob="ab", file_name="list.txt"),
    ReportAccepted(
        tournament=1,
        report=2,
        blob="cd",
        file_name="t.trf",
        facts=Facts(official=True),
        received=DAY,
        lists={"uisp": DAY, "fide": DAY},
    ),
    ReportWithdrawn(report=2, reason="sent twice"),
    Correction(
        report=2,
        changes=(
            ResultCorrection(round=1, white=1, black=2, white_half=2, black_half=0),
            IdCorrection(entry=1, player=ADA),
            DateCorrection(start=DAY, end=DAY),
        ),
        reason="the arbiter says so",
    ),
    PlayersMerged(kept=ADA, left=BRUNO, reason="one person"),
    PlayerChanged(player=ADA, died=DAY, from_day=DAY, reason="told by the federation"),
    ReadingChosen(
        law="fide", reading="reentry", choice="keeps_games", from_list=DAY, reason="the board"
    ),
    ListPublished(
        system="fide",
        list_date=DAY,
        opened_on=date(2026, 3, 1),
        edition="2025-10-01",
        reports=(UsedReport(seq=2, key="tournament:1"),),
        files={"list.txt": "ef"},
    ),
]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: type(entry).__name__)
def test_an_entry_comes_back_from_its_bytes(entry: AnyEntry) -> None:
    assert decoded(encoded(entry)) == entry
    assert encoded(decoded(encoded(entry))) == encoded(entry)


def test_the_bytes_do_not_depend_on_the_order_things_were_put_in() -> None:
    one = msgspec.structs.replace(ENTRIES[1], lists={"fide": DAY, "uisp": DAY})
    other = msgspec.structs.replace(ENTRIES[1], lists={"uisp": DAY, "fide": DAY})
    assert encoded(one) == encoded(other)


def test_what_no_entry_has_is_not_taken() -> None:
    with pytest.raises(msgspec.ValidationError):
        decoded(b'{"kind":"report_withdrawn","report":1,"reason":"x","also":1}')
    with pytest.raises(msgspec.ValidationError):
        decoded(b'{"kind":"nothing"}')


def test_the_hash_changes_with_every_part_of_an_entry_in_its_place() -> None:
    entry = ENTRIES[4]
    sealed = chained(1, AT, 3, entry, FIRST_HASH)
    others = [
        chained(2, AT, 3, entry, FIRST_HASH),
        chained(1, AT + timedelta(seconds=1), 3, entry, FIRST_HASH),
        chained(1, AT, 4, entry, FIRST_HASH),
        chained(1, AT, 3, ENTRIES[5], FIRST_HASH),
        chained(1, AT, 3, entry, sealed),
    ]
    assert len({sealed, *others}) == 6
    assert sealed == chained(1, datetime.fromisoformat(AT.isoformat()), 3, entry, FIRST_HASH)
