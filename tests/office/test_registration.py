"""Registering a tournament: fields, deadlines, approvals and lists, by article of each law."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.errors import Illegal, Inconsistent, NoLawInForce, Refusal
from arrocco.findings import Severity
from arrocco.laws.fide.text_2024.registration import RegistrationStatus
from arrocco.laws.publications import Publications
from arrocco.office.records import Registration, RoundTime
from arrocco.office.registration import Stretch, assess, require_ratable, validated
from arrocco.words import LANGUAGES, finding_advice, finding_text
from tests.office.build import assessment, registration, said

START = date(2026, 3, 7)


def keys(found: Any, severity: Severity | None = None) -> set[str]:
    for finding in found.findings:
        for language in LANGUAGES:
            assert "{" not in finding_text(language, finding) + finding_advice(language, finding)
    return {f.key for f in found.findings if severity in (None, f.severity)}


# --- fields ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("name", {"name": " "}),
        ("name", {"name": "x" * 301}),
        ("name", {"name": "Torneo\x00"}),
        ("city", {"city": ""}),
        ("federation", {"federation": "ita"}),
        ("federation", {"federation": "ITAL"}),
        ("systems", {"systems": ()}),
        ("systems", {"systems": ("fide", "fide")}),
        ("start", {"start": date(1026, 3, 7)}),
        ("end", {"end": date(2026, 3, 6)}),
        ("schedule", {"schedule": ()}),
        ("schedule", {"schedule": (RoundTime(date(2026, 3, 9)),)}),
        ("schedule", {"schedule": (RoundTime(START, "25:00"),)}),
        ("schedule", {"schedule": (RoundTime(date(2026, 3, 8)), RoundTime(START))}),
        ("schedule", {"schedule": (RoundTime(START, "15:00"), RoundTime(START, "10:00"))}),
        ("schedule", {"schedule": (RoundTime(START),) * 1000}),
        ("time_control", {"time_control": "as fast as you like"}),
        ("time_control", {"time_control": ""}),
        ("chief_arbiter", {"chief_arbiter": ""}),
        ("remarks", {"remarks": "x" * 4001}),
        ("expected_players", {"expected_players": 1}),
        ("top_rating", {"top_rating": 27000}),
        ("top_woman", {"top_woman": 0}),
        ("match_games", {"facts": {"match_games": 0}}),
        ("online", {"facts": {"online": True, "hybrid": True}}),
    ],
)
def test_a_field_that_is_not_in_order_is_named(name: str, changes: dict[str, Any]) -> None:
    with pytest.raises(Inconsistent) as refusal:
        validated(registration(**changes) if "systems" not in changes else _with(changes))
    assert said(refusal.value)[0] == "field"
    assert refusal.value.details["name"] == name


def _with(changes: dict[str, Any]) -> Any:
    from msgspec.structs import replace

    return replace(registration("fide"), **changes)


def test_remarks_may_have_lines() -> None:
    made = registration(remarks="first line\nsecond line")
    assert validated(made) is made


def test_an_unknown_system_is_refused_with_those_there_are() -> None:
    with pytest.raises(Illegal) as refusal:
        validated(registration("elo"))
    assert said(refusal.value)[0] == "no_system"
    assert "fide-rapid" in refusal.value.details["known"]


def test_a_start_outside_every_edition_is_refused_by_name() -> None:
    with pytest.raises(NoLawInForce) as refusal:
        assess(registration("fide", start=date(2018, 5, 1)), date(2018, 1, 1))
    assert refusal.value.details["law"] == "fide"
    with pytest.raises(NoLawInForce):
        assess(registration("rio-blitz", start=date(2025, 4, 11)), date(2025, 1, 1))


@given(st.text(max_size=40), st.text(max_size=6), st.text(max_size=30))
def test_no_text_gives_anything_but_a_refusal(name: str, federation: str, control: str) -> None:
    made = registration(name=name, federation=federation, time_control=control)
    refusal: Refusal | None = None
    try:
        assert validated(made) is made
    except Refusal as found:
        refusal = found
    if refusal is not None:
        assert refusal.said("it")[0]
        assert refusal.said("en")[0]


# --- deadlines and approvals ----------------------------------------------------------------------


def test_FIDE_2024_0_2_2_three_days_notice_otherwise() -> None:
    found = assessment(registration("fide", top_rating=2700, top_woman=2500))
    assert (found.deadline, found.deadline_article) == (START - timedelta(days=3), "0.2.2")
    assert found.status is RegistrationStatus.IN_TIME
    assert found.approvals == ()


@pytest.mark.parametrize("tops", [{"top_rating": 2701}, {"top_woman": 2501}])
def test_FIDE_2024_0_2_1_thirty_days_with_top_players(tops: dict[str, Any]) -> None:
    found = assessment(registration("fide", **tops))
    assert (found.deadline, found.deadline_article) == (START - timedelta(days=30), "0.2.1")


def test_FIDE_2024_0_2_3_late_with_top_players_needs_the_president() -> None:
    made = registration("fide", top_rating=2750)
    assert assessment(made, START - timedelta(days=30)).approvals == ()
    found = assessment(made, START - timedelta(days=29))
    assert [(a.needed, a.article) for a in found.approvals] == [("president", "0.2.3")]


def test_FIDE_2024_0_2_4_late_otherwise_needs_the_chairman() -> None:
    found = assessment(registration("fide"), START - timedelta(days=2))
    assert found.status is RegistrationStatus.LATE_NEEDS_QC
    assert [(a.needed, a.article) for a in found.approvals] == [("qc", "0.2.4")]


def test_FIDE_2024_0_2_hybrid_needs_its_own_approval() -> None:
    found = assessment(registration("fide", facts={"hybrid": True}))
    assert [(a.needed, a.article) for a in found.approvals] == [("hybrid", "0.2")]
    assert {"check.hybrid_approval", "check.hybrid_games_file"} <= keys(found)


def test_rapid_0_2_three_days_whoever_plays() -> None:
    made = registration("fide-rapid", time_control="15+10", top_rating=2800)
    found = assessment(made, START - timedelta(days=2))
    assert (found.deadline, found.deadline_article) == (START - timedelta(days=3), "0.2")
    assert [(a.needed, a.article) for a in found.approvals] == [("qc", "0.2")]


def test_FIDE_2010_0_4_one_month_notice() -> None:
    made = registration("fide", start=date(2012, 3, 31), top_rating=2800)
    found = assessment(made, date(2012, 2, 29))
    assert (found.deadline, found.deadline_article) == (date(2012, 2, 29), "0.4")
    assert found.status is RegistrationStatus.IN_TIME
    late = assessment(made, date(2012, 3, 1))
    assert [(a.needed, a.article) for a in late.approvals] == [("qc", "0.4")]


@pytest.mark.parametrize(
    ("system", "control", "facts"),
    [("uisp", "30+10", {}), ("rio-blitz", "3+2", {"online": True})],
)
def test_UISP_and_RIO_ask_no_registration(
    system: str, control: str, facts: dict[str, bool]
) -> None:
    found = assessment(registration(system, time_control=control, facts=facts), START)
    assert (found.deadline, found.deadline_article, found.status) == (None, "", None)
    assert found.approvals == ()


def test_FIDE_2010_4_1_more_than_ninety_days_wait_for_approval_leagues_apart() -> None:
    long: dict[str, Any] = {"start": date(2012, 1, 1), "days": 91}
    found = assessment(registration("fide", **long))
    assert [(a.needed, a.article) for a in found.approvals] == [("duration", "4.1")]
    assert "check.too_long" in keys(found)
    assert found.can_be_rated
    league = assessment(registration("fide", **long, facts={"league": True}))
    assert league.approvals == ()
    assert "check.too_long" not in keys(league)
    assert assessment(registration("fide", start=date(2012, 1, 1), days=90)).approvals == ()


# --- time -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "control", "expected"),
    [
        ("fide", "90'+30\"", "standard"),
        ("fide-rapid", "15+10", "rapid"),
        ("fide-blitz", "3+2", "blitz"),
        ("uisp", "30+10", "rapid"),
    ],
)
def test_the_class_of_a_time_control_is_FIDEs(system: str, control: str, expected: str) -> None:
    found = assessment(registration(system, time_control=control))
    assert found.time_class == expected
    assert found.can_be_rated


@pytest.mark.parametrize(
    ("control", "kind"), [("12+3", "rapid"), ("3+2", "blitz"), ("1+1", "bullet")]
)
def test_RIO_14_3_each_type_is_a_rating_of_its_own(control: str, kind: str) -> None:
    for system in ("rapid", "blitz", "bullet"):
        made = registration(f"rio-{system}", time_control=control, facts={"online": True})
        found = assessment(made)
        assert found.time_class == kind
        assert found.can_be_rated is (system == kind)
        assert ("office.other_kind" in keys(found)) is (system != kind)


def test_FIDE_1_1_too_fast_for_anybody_cannot_be_rated() -> None:
    found = assessment(registration("fide", time_control="45"))
    (finding,) = [f for f in found.findings if f.key == "office.too_fast"]
    assert (finding.article, finding.details["needed"]) == ("1.1", 60)
    assert not found.can_be_rated
    with pytest.raises(Illegal) as refusal:
        require_ratable((found,))
    assert said(refusal.value)[0] == "cannot_be_rated"
    assert "45" in refusal.value.message


def test_FIDE_2024_1_1_games_of_the_strong_need_more_time() -> None:
    found = assessment(registration("fide", time_control="60+30", top_rating=2400))
    assert keys(found, Severity.WARNING) == {"office.too_fast_for_some"}
    assert found.can_be_rated
    weaker = assessment(registration("fide", time_control="60+30", top_rating=2399))
    assert keys(weaker) == set()


def test_FIDE_2010_1_1_the_strongest_decides_for_all() -> None:
    old: dict[str, Any] = {"start": date(2012, 3, 10), "time_control": "60+30"}
    found = assessment(registration("fide", **old, top_rating=2200))
    assert keys(found, Severity.ERROR) == {"office.field_too_fast"}
    assert not found.can_be_rated
    assert assessment(registration("fide", **old, top_rating=2199)).can_be_rated


@pytest.mark.parametrize(
    ("start", "control", "article"),
    [
        (START, '25 moves/90 + 30 + 30"', "1.2"),
        (date(2012, 3, 10), "90 min/30 moves + 30 min", "1.3"),
    ],
)
def test_FIDE_first_control_counts_enough_moves(start: date, control: str, article: str) -> None:
    found = assessment(registration("fide", start=start, time_control=control))
    (finding,) = [f for f in found.findings if f.key == "check.first_control"]
    assert finding.article == article
    assert not found.can_be_rated


def test_FIDE_2_1_online_play_is_not_rated() -> None:
    made = registration("fide-rapid", time_control="15+10", facts={"online": True})
    found = assessment(made)
    assert "check.online_not_rated" in keys(found, Severity.ERROR)
    assert not found.can_be_rated


def test_UISP_II_2_a_control_without_a_K_cannot_be_rated() -> None:
    found = assessment(registration("uisp", time_control="3'"))
    assert "check.no_coefficient" in keys(found, Severity.ERROR)
    assert not found.can_be_rated


# --- the schedule ---------------------------------------------------------------------------------


def test_FIDE_3_twelve_hours_of_play_a_day() -> None:
    assert not keys(assessment(registration("fide", days=1, rounds=3)))
    found = assessment(registration("fide", days=1, rounds=4))
    assert "check.hours_in_a_day" in keys(found, Severity.ERROR)


def test_FIDE_2010_3_1_three_games_a_day() -> None:
    made = registration("fide", start=date(2012, 3, 10), days=1, rounds=4, time_control="60'")
    assert "check.rounds_in_a_day" in keys(assessment(made), Severity.ERROR)


@pytest.mark.parametrize(
    ("system", "control", "most", "article"),
    [("fide-rapid", "15+10", 15, "3.1.1"), ("fide-blitz", "3+2", 30, "3.1.2")],
)
def test_rapid_and_blitz_3_1_rounds_a_day(
    system: str, control: str, most: int, article: str
) -> None:
    made = registration(system, days=1, rounds=most, time_control=control)
    assert not keys(assessment(made))
    found = assessment(registration(system, days=1, rounds=most + 1, time_control=control))
    (finding,) = found.findings
    assert (finding.key, finding.article) == ("check.rounds_in_a_day", article)


def test_FIDE_2024_4_the_parts_of_a_long_tournament_end_with_rounds() -> None:
    rounds = (date(2026, 3, 20), date(2026, 3, 27), date(2026, 4, 24), date(2026, 5, 3))
    schedule = tuple(RoundTime(day) for day in rounds)
    asked = registration("fide", start=rounds[0], end=rounds[-1], schedule=schedule)
    assert assessment(asked).stretches == (
        Stretch(date(2026, 3, 20), date(2026, 3, 27), date(2026, 4, 1), date(2026, 3, 31)),
        Stretch(date(2026, 4, 24), date(2026, 4, 24), date(2026, 5, 1), date(2026, 4, 30)),
        Stretch(date(2026, 5, 3), date(2026, 5, 3), date(2026, 6, 1), date(2026, 5, 31)),
    )


def test_FIDE_2024_4_no_part_of_a_long_tournament_is_longer_than_a_month() -> None:
    """Rounds a week apart from 25 May: the second part had begun on 26 May, 35 days long."""
    days = [date(2025, 5, 25) + timedelta(days=7 * number) for number in range(7)]
    schedule = tuple(RoundTime(day) for day in days)
    asked = registration("fide", start=days[0], end=days[-1], schedule=schedule)
    assert [(stretch.first, stretch.last) for stretch in assessment(asked).stretches] == [
        (date(2025, 5, 25), date(2025, 5, 25)),
        (date(2025, 6, 1), date(2025, 6, 29)),
        (date(2025, 7, 6), date(2025, 7, 6)),
    ]


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (registration("fide"), {"1.2": 30, "3": 12, "4": 30}),
        (registration("fide", start=date(2012, 3, 10)), {"1.3": 40, "3.1": 12, "4.1": 90}),
        (registration("fide-rapid", time_control="15+10"), {"3.1.1": 15}),
        (registration("fide-blitz", time_control="3+2"), {"3.1.2": 30}),
        (registration("uisp", time_control="30+10"), {}),
    ],
)
def test_the_limits_of_each_law_stand_with_their_articles(
    made: Registration, expected: dict[str, int]
) -> None:
    found = assessment(made).limits
    # Of two limits in one article, games and hours a day in 2010, the hours are the last.
    assert {limit.article: limit.value for limit in found if limit.unit != "games"} == expected
    assert all(limit.en and limit.it for limit in found)


# --- lists ----------------------------------------------------------------------------------------


def test_FIDE_2024_7_1_3_and_9_1_the_first_and_the_last_list() -> None:
    found = assessment(registration("fide", start=date(2026, 3, 27), days=2))
    assert (found.list_date, found.list_article) == (date(2026, 4, 1), "7.1.3")
    assert found.list_send_by == date(2026, 3, 31)
    assert (found.last_list, found.last_article) == (date(2026, 6, 1), "9.1")
    assert found.report_by == date(2026, 5, 31)
    later = assessment(registration("fide", start=date(2026, 3, 29), days=2))
    assert later.list_date == date(2026, 5, 1)
    official = registration("fide", start=date(2026, 3, 30), days=2, facts={"official": True})
    assert assessment(official).list_date == date(2026, 4, 1)


def test_FIDE_2010_knows_no_last_list() -> None:
    found = assessment(registration("fide", start=date(2012, 3, 10)))
    assert (found.list_date, found.list_article) == (date(2012, 5, 1), "7.13")
    assert (found.last_list, found.last_article, found.report_by) == (None, "", None)


def test_UISP_I_2_the_ranking_is_that_of_the_receipt() -> None:
    found = assessment(registration("uisp", time_control="30+10"))
    assert (found.list_date, found.list_article) == (date(2026, 4, 1), "I.2")
    assert found.list_send_by == date(2026, 3, 22)


def test_RIO_15_3_announced_lists_come_before_the_calendar() -> None:
    made = registration("rio-blitz", time_control="3+2", facts={"online": True})
    assert assessment(made).list_date == date(2026, 4, 1)
    announced = {"rio-blitz": Publications([date(2026, 3, 20)])}
    (found,) = assess(made, date(2026, 1, 1), announced)
    assert found.list_date == date(2026, 3, 20)


def test_every_system_asked_answers_for_itself() -> None:
    found = assess(registration("fide-rapid", "uisp", time_control="30+10"), date(2026, 1, 1))
    assert [one.system for one in found] == ["fide-rapid", "uisp"]
    assert [one.law for one in found] == ["fide-rapid", "uisp"]
