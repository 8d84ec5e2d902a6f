"""A report that comes in: against the law, against its registration, and what is adjusted."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from arrocco.findings import Finding, Place, Severity
from arrocco.laws.systems import SYSTEMS
from arrocco.office.intake import AdjustmentKind, adjustments, check, prepared
from arrocco.office.records import Approval, Registration
from arrocco.records.ratinglist import RatingList
from arrocco.records.report import Report, System
from arrocco.records.timecontrol import parse
from arrocco.words import LANGUAGES, finding_advice, finding_text, say
from tests.engine.checks import build
from tests.office.build import ADA, BRUNO, registration

START = date(2026, 3, 7)
FIDE = SYSTEMS["fide"]
LAW = FIDE.edition_on(START)


def report(**given: Any) -> Report:
    """The report of the registration in these tests, changed by what is given."""
    rounds = tuple(planned.day for planned in registration().schedule)
    fields: dict[str, Any] = {
        "start": START,
        "end": START + timedelta(days=1),
        "federation": "ITA",
        "chief_arbiter": "IA Anna Abete (99000099)",
        "time_control": parse("90'+30\""),
        "rounds": 4,
        "round_dates": rounds,
    }
    return build.report(build.FIDE_2024, **fields | given)


def listed(made: Report, *changes: dict[str, Any]) -> RatingList:
    return build.list_of(made, *changes, on=date(2026, 3, 1))


def checked(
    made: Report,
    registered: Registration | None = None,
    system: str = "fide",
    ratings: RatingList | None = None,
    **given: Any,
) -> list[Finding]:
    found = check(
        made,
        given.pop("reading", ()),
        registered or registration(),
        SYSTEMS[system],
        ratings if ratings is not None else listed(made),
        given.pop("on", date(2026, 3, 9)),
        **given,
    )
    for finding in found:
        for language in LANGUAGES:
            words = finding_text(language, finding) + finding_advice(language, finding)
            assert "{" not in words
            assert "None" not in words
    return found


def objections(found: list[Finding]) -> set[str]:
    return {finding.key for finding in found if finding.severity is not Severity.NOTE}


def test_a_report_as_registered_meets_no_objection() -> None:
    assert objections(checked(report())) == set()


def test_what_reading_found_is_told_too_the_gravest_first() -> None:
    seen = Finding(Severity.WARNING, "trf.points_differ", Place("t.trf", 3), "", {})
    made = report(federation="FRA")
    found = check(made, [seen], registration(), FIDE, None, date(2026, 3, 9))
    assert seen in found
    gravity = [list(Severity).index(finding.severity) for finding in found]
    assert gravity == sorted(gravity)


@pytest.mark.parametrize(
    ("key", "changes"),
    [
        ("days_differ", {"end": START + timedelta(days=2)}),
        ("federation_differs", {"federation": "FRA"}),
        ("arbiter_differs", {"chief_arbiter": "Betulla, Bruno"}),
        ("pairing_differs", {"system": System.ROUND_ROBIN}),
        ("rounds_differ", {"rounds": 5, "round_dates": (START,) * 3}),
        ("time_control_differs", {"time_control": parse("120'")}),
    ],
)
def test_what_differs_from_the_registration_wants_an_answer(
    key: str, changes: dict[str, Any]
) -> None:
    found = [finding for finding in checked(report(**changes)) if finding.key == f"office.{key}"]
    assert [finding.severity for finding in found] == [Severity.WARNING]
    assert found[0].place.file == "t.trf"


def test_rounds_played_on_other_days_are_named() -> None:
    days = (START, START, START, START + timedelta(days=1))
    (found,) = [f for f in checked(report(round_dates=days)) if f.key == "office.round_days_differ"]
    assert found.details["rounds"] == (3,)


def test_what_the_report_does_not_say_does_not_differ() -> None:
    made = report(federation="", chief_arbiter="", system=System.UNKNOWN, round_dates=())
    assert not {key for key in objections(checked(made)) if key.startswith("office.")}


def test_the_facts_of_the_registration_are_judged() -> None:
    registered = registration(facts={"hybrid": True})
    assert "check.hybrid_approval" in objections(checked(report(), registered))
    granted = Approval(needed="hybrid", article="0.2", granted_by="x", granted_on=START)
    settled = objections(checked(report(), registered, approvals=[granted]))
    assert "check.hybrid_approval" not in settled
    assert "check.hybrid_games_file" in settled
    waiting = Approval(needed="hybrid", article="0.2")
    again = objections(checked(report(), registered, approvals=[waiting]))
    assert "check.hybrid_approval" in again


def test_FIDE_2010_4_12_an_approved_length_is_no_error() -> None:
    start, end = date(2012, 1, 7), date(2012, 4, 30)
    registered = registration(start=start, end=end)
    days = tuple(planned.day for planned in registered.schedule)
    made = report(start=start, end=end, round_dates=days)
    ratings = build.list_of(made, on=date(2012, 1, 1))
    on = date(2012, 5, 1)
    assert "check.too_long" in objections(checked(made, registered, ratings=ratings, on=on))
    granted = Approval(needed="duration", article="4.1", granted_by="x", granted_on=start)
    found = checked(made, registered, ratings=ratings, on=on, approvals=[granted])
    assert "check.too_long" not in objections(found)


def test_a_missing_time_control_is_that_of_the_registration() -> None:
    found = checked(report(time_control=None))
    assert objections(found) == set()
    assert "office.time_control_taken" in {finding.key for finding in found}


def test_a_report_from_before_the_start_is_an_error() -> None:
    assert "office.not_started" in objections(checked(report(), on=date(2026, 3, 6)))


def test_FIDE_2024_9_1_after_the_third_list_it_is_too_late() -> None:
    assert "check.too_late" in objections(checked(report(), on=date(2026, 6, 1)))


def test_FIDE_2024_4_an_interim_report_is_no_difference() -> None:
    registered = registration(start=START, end=date(2026, 4, 20), rounds=6)
    end = date(2026, 3, 31)
    days = tuple(planned.day for planned in registered.schedule if planned.day <= end)
    made = report(end=end, rounds=len(days), round_dates=days)
    found = checked(made, registered, on=date(2026, 4, 1))
    assert "office.interim_report" in {finding.key for finding in found}
    assert not {key for key in objections(found) if key.startswith("office.")}


def test_a_start_outside_every_edition_is_an_error_with_the_nearest() -> None:
    made = report(start=date(2018, 5, 5), end=date(2018, 5, 6))
    (found,) = [finding for finding in checked(made) if finding.key == "check.no_edition"]
    assert found.severity is Severity.ERROR
    assert "2012-07-01" in finding_text("en", found) + finding_advice("en", found)


def test_RIO_14_3_a_control_of_another_type_is_an_error() -> None:
    registered = registration("rio-blitz", time_control="3+2", facts={"online": True})
    same, other = (
        objections(checked(report(time_control=parse(text)), registered, "rio-blitz"))
        for text in ("3+2", "12+3")
    )
    assert "office.other_kind_reported" not in same
    assert "office.other_kind_reported" in other


def test_unknown_numbers_come_with_suggestions() -> None:
    made = report()
    ratings = listed(made)
    made.entries[0].id = 99_000_011
    (found,) = [f for f in checked(made, ratings=ratings) if f.key == "check.not_on_list_perhaps"]
    assert str(ADA) in found.details["perhaps"]


def test_a_merged_number_is_followed_before_the_law_judges() -> None:
    made = report()
    ratings = listed(made)
    made.entries[0].id = 99_000_077
    assert "check.not_on_list_perhaps" not in objections(
        checked(made, ratings=ratings, merged={99_000_077: ADA})
    )
    # Two numbers of one person in the same report are one number twice.
    assert "check.id_repeated" in objections(
        checked(made, ratings=ratings, merged={99_000_077: BRUNO})
    )
    assert made.entries[0].id == 99_000_077


# --- adjustments ----------------------------------------------------------------------------------


def test_every_rating_that_counts_otherwise_is_listed() -> None:
    made = report(ratings=(1950, 1900, None, 1700))
    ratings = listed(made, {"rating": 1960}, {}, {"rating": 1500}, {"rating": 0})
    found = adjustments(made, LAW, ratings)
    assert [(a.entry, a.kind, a.reported, a.counted) for a in found] == [
        (1, AdjustmentKind.RATING_OF_LIST, "1950", "1960"),
        (3, AdjustmentKind.RATING_OF_LIST, "-", "1500"),
        (4, AdjustmentKind.RATING_NOT_LISTED, "1700", "-"),
    ]
    assert {a.article for a in found} == {LAW.article("difference")}


def test_a_merged_number_and_the_rating_it_brings_are_listed() -> None:
    made = report()
    ratings = listed(made, {"rating": 2000})
    made.entries[0].id = 99_000_077
    found = adjustments(made, LAW, ratings, merged={99_000_077: ADA})
    assert [(a.kind, a.reported, a.counted) for a in found] == [
        (AdjustmentKind.MERGED_NUMBER, "99000077", str(ADA)),
        (AdjustmentKind.RATING_OF_LIST, "1950", "2000"),
    ]


def test_the_time_control_of_the_registration_is_listed() -> None:
    made = report(time_control=None, time_control_text="as usual")
    (found,) = adjustments(made, LAW, None, registration=registration())
    assert found.kind is AdjustmentKind.TIME_CONTROL_OF_REGISTRATION
    assert found.reported == "as usual"


def test_a_report_as_listed_is_adjusted_in_nothing() -> None:
    made = report()
    made.entries[1].id = None
    assert adjustments(made, LAW, listed(report()), registration=registration()) == []
    assert adjustments(made, LAW, None) == []


def test_every_adjustment_is_said_in_both_languages() -> None:
    made = report(ratings=(1950, 1900), time_control=None)
    made.entries[1].id = 99_000_077
    ratings = listed(report(), {"rating": 1960}, {"rating": 0})
    found = adjustments(made, LAW, ratings, merged={99_000_077: BRUNO}, registration=registration())
    assert {a.kind for a in found} == set(AdjustmentKind)
    for one in found:
        for language in LANGUAGES:
            assert say(
                language,
                one.key,
                player=one.player,
                id=one.id,
                reported=one.reported,
                counted=one.counted,
            )


def test_a_report_is_prepared_without_touching_what_was_sent() -> None:
    made = report(time_control=None)
    made.entries[0].id = 99_000_077
    registered = registration(facts={"official": True})
    ready = prepared(made, registered, {99_000_077: ADA})
    assert ready.facts.official
    assert ready.time_control == parse("90'+30\"")
    assert ready.entries[0].id == ADA
    assert (made.entries[0].id, made.time_control) == (99_000_077, None)
