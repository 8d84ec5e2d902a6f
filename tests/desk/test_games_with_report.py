"""FIDE 2024 9.4 — a hybrid tournament sends its games with its report; they are kept beside it."""

from __future__ import annotations

import io
import zipfile
from datetime import date, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from arrocco.desk import Office
from arrocco.desk.uploads import File
from arrocco.errors import Malformed
from arrocco.office.records import ReportStatus, SentReport
from arrocco.records.report import Facts
from arrocco.store.sql import reports
from tests.desk.offices import (
    Clock,
    People,
    data_of,
    people_of,
    registration_of,
    report,
    write_opening,
)
from tests.pgn_games import pgn_of

MADE = report(1, date(2025, 5, 8))
NOT_SENT = "check.hybrid_games_file"


@pytest.fixture
def people(small_office: Office, tmp_path: Path) -> People:
    found = people_of(small_office)
    opening = write_opening(tmp_path / "fide.csv")
    small_office.lists.import_list(found.administrator, "fide", date(2025, 5, 1), opening)
    return found


@pytest.fixture
def number(small_office: Office, clock: Clock, people: People) -> int:
    """A hybrid tournament that was approved and is over."""
    assert MADE.start is not None
    assert MADE.end is not None
    clock.go_to(MADE.start - timedelta(days=40))
    asked = replace(registration_of(MADE, ("fide",)), facts=Facts(hybrid=True))
    found = small_office.tournaments.register(people.arbiter, asked)
    for approval in found.approvals:
        small_office.tournaments.approve(
            people.administrator, found.id, approval.needed, "Commissione Finta", clock().date()
        )
    clock.go_to(MADE.end + timedelta(days=1))
    return found.id


def keys(sent: SentReport) -> set[str]:
    return {finding.key for finding in sent.findings}


def test_9_4_the_games_are_asked_for_matched_and_kept(
    small_office: Office, people: People, number: int
) -> None:
    without = small_office.reports.send(people.arbiter, number, "r.trf", data_of(MADE))
    assert NOT_SENT in keys(without)
    assert small_office.reports.games(people.arbiter, without.id) is None
    pgn = pgn_of(MADE, MADE.games[1:])
    some = small_office.reports.send(
        people.arbiter, number, "r.trf", data_of(MADE), File("g.pgn", pgn)
    )
    assert NOT_SENT not in keys(some)
    missing = [finding for finding in some.findings if finding.key == "games_sent.missing"]
    assert [(one.article, one.severity) for one in missing] == [("9.4", "warning")]
    assert some.status is ReportStatus.NEEDS_ANSWERS
    assert small_office.reports.games(people.arbiter, some.id) == File("g.pgn", pgn)
    with small_office.desk.database.reading() as connection:
        assert some.games_blob in reports.blobs(connection), "a backup takes it along"
    whole = small_office.reports.send(
        people.arbiter, number, "r.trf", data_of(MADE), File("g.pgn", pgn_of(MADE))
    )
    assert not {key for key in keys(whole) if key.startswith(("games_sent.", "pgn."))}


def test_9_4_report_and_games_in_one_archive(
    small_office: Office, people: People, number: int
) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Games.PGN", pgn_of(MADE))
        archive.writestr("r.trf", data_of(MADE))
    sent = small_office.reports.send(people.arbiter, number, "both.zip", out.getvalue())
    assert (sent.file_name, sent.games_name) == ("r.trf", "Games.PGN")
    assert NOT_SENT not in keys(sent)
    with pytest.raises(Malformed) as refused:
        small_office.reports.send(
            people.arbiter, number, "both.zip", out.getvalue(), File("g.pgn", pgn_of(MADE))
        )
    assert refused.value.key == "desk.refused.games_twice"


def test_9_4_an_amended_registration_keeps_what_was_found_of_the_games(
    small_office: Office, people: People, number: int
) -> None:
    pgn = File("g.pgn", pgn_of(MADE, MADE.games[1:]))
    sent = small_office.reports.send(people.arbiter, number, "r.trf", data_of(MADE), pgn)
    registration = small_office.tournaments.get(people.arbiter, number).registration
    amended = replace(registration, chief_arbiter="Arbitra, Finta B")
    small_office.tournaments.amend(people.arbiter, number, amended, "another arbiter")
    again = small_office.reports.get(people.arbiter, sent.id)
    assert keys(again) >= {"games_sent.missing"}
    assert NOT_SENT not in keys(again)
