"""FIDE 2024 0.2.1, 0.2.3 — a field stronger than announced needs the President's approval."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from arrocco.desk import Office
from arrocco.errors import Illegal
from arrocco.office.records import TournamentStatus
from arrocco.units import Rating
from tests.desk.offices import (
    HEADING,
    RATINGS,
    Clock,
    data_of,
    name_of,
    people_of,
    player_id,
    registration_of,
    report,
)


@pytest.mark.parametrize(
    ("days", "top", "left", "asked"),
    [(10, 2701, 0, True), (10, 2700, 0, False), (40, 2701, 0, False), (10, 2701, 12, True)],
)
def test_0_2_1_a_stronger_field_asks_for_the_approval_again(
    small_office: Office, clock: Clock, tmp_path: Path, days: int, top: int, left: int, asked: bool
) -> None:
    """Also where the report has a number that was left for another (`left`)."""
    people = people_of(small_office)
    file = tmp_path / "fide.csv"
    ratings = [top, *RATINGS[1:]]
    rows = [f'{player_id(n)},"{name_of(n)}",ITA,,,,{r},,0,\n' for n, r in enumerate(ratings, 1)]
    file.write_text(HEADING + "".join(rows), "utf-8")
    small_office.lists.import_list(people.administrator, "fide", date(2025, 5, 1), file)
    made = report(1, date(2025, 5, 8), control="120'+30\"")
    made.entries[0] = replace(made.entries[0], rating=Rating(top))
    if left:
        boss, kept = people.administrator, made.entries[0].id or 0
        small_office.people.merge(boss, kept, player_id(left), "one person")
        made.entries[0] = replace(made.entries[0], id=player_id(left))
    start, end = made.start or date.min, made.end or date.min
    clock.go_to(start - timedelta(days=days))
    number = small_office.tournaments.register(people.arbiter, registration_of(made, ("fide",))).id
    clock.go_to(end + timedelta(days=1))
    sent = small_office.reports.send(people.arbiter, number, "r.trf", data_of(made))
    warned = {i: "so" for i, f in enumerate(sent.findings) if f.severity == "warning"}
    if warned:
        small_office.reports.answer(people.arbiter, sent.id, warned)
    found = small_office.tournaments.get(people.administrator, number)
    assert (found.status is TournamentStatus.AWAITING_APPROVAL) is asked
    if asked:
        assert [(one.needed, one.article) for one in found.approvals] == [("president", "0.2.3")]
        with pytest.raises(Illegal):
            small_office.reports.accept(people.administrator, sent.id)
        small_office.tournaments.approve(
            people.administrator, number, "president", "Presidente Finto", clock().date()
        )
    small_office.reports.accept(people.administrator, sent.id)
