"""A registration can be amended until its report is accepted, and keeps its history."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import msgspec
import pytest

from arrocco.errors import Refusal
from arrocco.office.amendments import (
    MAX_AMENDMENTS,
    amended,
    announced_on,
    changed_fields,
    rechecked,
    spread_rounds,
)
from arrocco.office.records import (
    Registration,
    ReportStatus,
    RoundTime,
    SentReport,
    StoredFinding,
    Tournament,
    TournamentStatus,
)
from arrocco.office.registration import assess
from arrocco.office.tournaments import cancelled, new_tournament, with_approval
from arrocco.records.report import Facts
from tests.office.build import AT, registration, said

LATER = datetime.fromisoformat("2026-03-01T12:00:00+00:00")
S, R = TournamentStatus, ReportStatus


def tournament(**given: Any) -> Tournament:
    made = registration(**given)
    return new_tournament(7, made, assess(made, AT.date()), by=3, at=AT)


def amend(
    made: Tournament, at: datetime = LATER, reports: Any = (), reason: str = "moved", **given: Any
) -> Tournament:
    new: Registration = msgspec.structs.replace(made.registration, **given)
    assessments = assess(new, announced_on(made, new, at.date()))
    return amended(made, new, assessments, reports, reason=reason, by=5, at=at)


def sent(status: ReportStatus, *findings: StoredFinding) -> SentReport:
    return SentReport(
        id=1,
        tournament=7,
        version=1,
        blob="0" * 64,
        file_name="a.trf",
        sent_by=3,
        sent_at=AT,
        status=status,
        findings=findings,
    )


@pytest.mark.parametrize(
    ("days", "rounds", "by_day"),
    [
        (2, 5, [3, 2]),
        (2, 4, [2, 2]),
        (3, 5, [2, 2, 1]),
        (3, 7, [3, 2, 2]),
        (1, 5, [5]),
        (5, 5, [1] * 5),
        (9, 5, [1, 0, 1, 0, 1, 0, 1, 0, 1]),
        (4, 2, [1, 0, 0, 1]),
        (3, 1, [1, 0, 0]),
    ],
)
def test_rounds_are_spread_evenly(days: int, rounds: int, by_day: list[int]) -> None:
    start = date(2026, 3, 7)
    spread = spread_rounds(start, date(2026, 3, 6 + days), rounds)
    assert [sum(one.day == 7 + day for one in spread) for day in range(days)] == by_day
    assert spread == sorted(spread)


def test_5_5_five_rounds_spread_on_a_weekend_keep_to_12_hours_a_day() -> None:
    start, end = date(2026, 3, 7), date(2026, 3, 8)
    spread = tuple(RoundTime(day) for day in spread_rounds(start, end, 5))
    (found,) = assess(registration(start=start, end=end, schedule=spread), AT.date())
    assert found.can_be_rated
    crowded = (*(RoundTime(start),) * 4, RoundTime(end))
    (found,) = assess(registration(start=start, end=end, schedule=crowded), AT.date())
    assert not found.can_be_rated, "as they were spread before"


def test_what_is_amended_stands_and_what_was_said_before_is_kept() -> None:
    made = tournament()
    new = amend(made, top_rating=2450, facts=Facts(official=True), reason=" a guest came ")
    assert (new.registration.top_rating, new.registration.facts.official) == (2450, True)
    (kept,) = new.amendments
    assert kept.before == made.registration
    assert (kept.by, kept.at, kept.reason) == (5, LATER, "a guest came")
    again = amend(new, end=date(2026, 3, 9))
    assert [one.before for one in again.amendments] == [made.registration, new.registration]
    fields = changed_fields(made.registration, new.registration)
    assert fields == [("top_rating", None, 2450), ("official", False, True)]


def test_a_record_from_before_there_were_amendments_is_read() -> None:
    text = msgspec.json.decode(msgspec.json.encode(tournament()))
    del text["amendments"]
    assert msgspec.json.decode(msgspec.json.encode(text), type=Tournament) == tournament()


@pytest.mark.parametrize("status", R)
def test_only_an_accepted_report_ends_it(status: ReportStatus) -> None:
    if status not in (R.ACCEPTED, R.RATED):
        assert amend(tournament(), reports=[sent(status)], top_rating=2000).amendments
        return
    with pytest.raises(Refusal) as refusal:
        amend(tournament(), reports=[sent(status)], top_rating=2000)
    assert said(refusal.value)[0] == "amended_too_late"


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({}, "nothing_amended"),
        ({"reason": " ", "city": "Altrove"}, "field"),
        ({"federation": "FRA"}, "field"),
        ({"systems": ("fide-rapid",), "time_control": "15+10"}, "field"),
        ({"time_control": "5+3"}, "cannot_be_rated"),
        ({"end": date(2026, 3, 1)}, "field"),
    ],
)
def test_what_cannot_be_amended_is_refused(given: dict[str, Any], key: str) -> None:
    with pytest.raises(Refusal) as refusal:
        amend(tournament(), **given)
    assert said(refusal.value)[0] == key


def test_a_cancelled_tournament_is_not_amended() -> None:
    with pytest.raises(Refusal) as refusal:
        amend(cancelled(tournament(), "no hall", on=LATER.date()), city="Altrove")
    assert said(refusal.value)[0] == "tournament_state"


def test_the_history_is_bounded() -> None:
    made = tournament()
    for number in range(MAX_AMENDMENTS):
        made = amend(made, expected_players=10 + number)
    with pytest.raises(Refusal) as refusal:
        amend(made, expected_players=99)
    assert said(refusal.value)[0] == "too_many_amendments"


# --- the notice (0.2) -----------------------------------------------------------------------------


def test_0_2_a_tournament_that_is_put_off_keeps_its_notice() -> None:
    eve = datetime.fromisoformat("2026-03-06T12:00:00+00:00")
    put_off = amend(
        tournament(),
        eve,
        start=date(2026, 3, 14),
        end=date(2026, 3, 15),
        schedule=(RoundTime(date(2026, 3, 14)),),
    )
    assert put_off.status is S.REGISTERED
    assert announced_on(put_off) == AT.date()


def test_0_2_one_that_is_brought_forward_gives_notice_anew() -> None:
    days: dict[str, Any] = {"start": date(2026, 3, 3), "schedule": (RoundTime(date(2026, 3, 3)),)}
    made = amend(tournament(), **days)
    assert made.status is S.AWAITING_APPROVAL
    assert announced_on(made) == LATER.date()
    back: dict[str, Any] = {"start": date(2026, 3, 7), "schedule": (RoundTime(date(2026, 3, 7)),)}
    assert announced_on(amend(made, **back)) == AT.date(), "a slip that is taken back costs nothing"


def test_0_2_an_approval_is_asked_for_again_once_what_it_was_given_for_changes() -> None:
    made = registration()
    late = new_tournament(7, made, assess(made, date(2026, 3, 6)), by=3, at=LATER)
    late = msgspec.structs.replace(late, registered_at=datetime.fromisoformat("2026-03-06T12:00Z"))
    (waiting,) = late.approvals
    late = with_approval(late, waiting.needed, granted_by="The Chairman", on=date(2026, 3, 6))
    assert amend(late, city="Altrove").status is S.REGISTERED
    assert amend(late, top_rating=2500).status is S.AWAITING_APPROVAL


def test_6_2_all_games_of_a_match_are_asked_for_before_it_starts() -> None:
    during = datetime.fromisoformat("2026-03-08T12:00:00+00:00")
    with pytest.raises(Refusal) as refusal:
        amend(tournament(), during, facts=Facts(match_waiver=True))
    assert refusal.value.details["name"] == "match_waiver"
    assert amend(tournament(), facts=Facts(match_waiver=True)).registration.facts.match_waiver


# --- reports that wait ----------------------------------------------------------------------------


def test_answers_stay_with_what_is_still_found() -> None:
    days = StoredFinding(system="fide", severity="warning", key="office.days_differ")
    arbiter = StoredFinding(system="fide", severity="warning", key="office.arbiter_differs")
    answered = msgspec.structs.replace(arbiter, answer="she was ill")
    report = sent(R.NEEDS_ANSWERS, days, answered)
    again = rechecked(report, (arbiter,))
    assert again.findings == (answered,)
    assert again.status is R.SENT
