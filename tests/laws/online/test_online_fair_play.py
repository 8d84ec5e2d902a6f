"""FSI online regulation, articles 12 and 13.1: filings, fees, prizes, exclusions, committee."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from arrocco.errors import Illegal
from arrocco.laws.online.edition_2025 import Online2025
from arrocco.laws.online.fair_play import Member, Seat, Viewer
from arrocco.laws.online.filings import (
    Addressee,
    FeeOutcome,
    Filer,
    Filing,
    FilingKind,
    Inadmissible,
)

LAW = Online2025()
ENDED = datetime(2025, 5, 1, 18, 0, tzinfo=UTC)
TWO_HOURS, MOMENT = timedelta(hours=2), timedelta(microseconds=1)

COMPLAINT = Filing(FilingKind.COMPLAINT, ENDED + MOMENT, ENDED)
APPEAL = Filing(FilingKind.APPEAL, ENDED + TWO_HOURS, ENDED, paid=True, proof_of_payment=True)


@pytest.mark.parametrize("filing", [COMPLAINT, APPEAL])
@pytest.mark.parametrize(
    ("after", "included", "excluded"),
    [
        (timedelta(0), True, True),
        (TWO_HOURS - MOMENT, True, True),
        (TWO_HOURS, True, False),
        (TWO_HOURS + MOMENT, False, False),
    ],
)
def test_12_9_two_hours_for_complaints_and_for_appeals(
    filing: Filing, after: timedelta, included: bool, excluded: bool
) -> None:
    received = replace(filing, received=ENDED + after)
    assert LAW.is_in_time(received) is included
    assert Online2025(deadline_end="excluded").is_in_time(received) is excluded


def test_12_9_deadlines_are_two_hours_even_when_clocks_change() -> None:
    rome = ZoneInfo("Europe/Rome")
    ended = datetime(2025, 10, 26, 2, 30, tzinfo=rome)  # summer time ends at three
    assert LAW.complaint_deadline(ended) == datetime(2025, 10, 26, 2, 30, tzinfo=UTC)
    assert LAW.appeal_deadline(ended) == LAW.complaint_deadline(ended)
    assert LAW.complaint_deadline(ended).astimezone(rome).hour == 3


def test_12_9_a_moment_without_time_zone_is_refused() -> None:
    with pytest.raises(Illegal) as refusal:
        LAW.complaint_deadline(datetime(2025, 5, 1, 18, 0))  # noqa: DTZ001
    assert "time zone" in refusal.value.advice


def test_12_9_complaints_to_the_chief_arbiter_and_appeals_to_the_committee() -> None:
    assert LAW.addressee(FilingKind.COMPLAINT) is Addressee.CHIEF_ARBITER
    assert LAW.addressee(FilingKind.APPEAL) is Addressee.FAIR_PLAY_COMMITTEE


REASONS: list[tuple[Filing, list[Inadmissible]]] = [
    (COMPLAINT, []),
    (APPEAL, []),
    (replace(COMPLAINT, role=Filer.CAPTAIN), []),
    (replace(COMPLAINT, role=Filer.ARBITER, is_member=False), []),
    (replace(COMPLAINT, role=Filer.CAPTAIN, is_member=False), []),
    (replace(COMPLAINT, is_member=False), [Inadmissible.NOT_A_MEMBER]),
    (replace(COMPLAINT, role=Filer.OTHER), [Inadmissible.NOT_A_PARTICIPANT]),
    (replace(COMPLAINT, takes_part=False), [Inadmissible.NOT_A_PARTICIPANT]),
    (replace(COMPLAINT, has_federation_id=False), [Inadmissible.NO_FEDERATION_ID]),
    (replace(COMPLAINT, addressee=Addressee.CHIEF_ARBITER), []),
    (replace(COMPLAINT, addressee=Addressee.FAIR_PLAY_COMMITTEE), [Inadmissible.WRONG_ADDRESSEE]),
    (replace(APPEAL, addressee=Addressee.FAIR_PLAY_COMMITTEE), []),
    (replace(APPEAL, addressee=Addressee.CHIEF_ARBITER), [Inadmissible.WRONG_ADDRESSEE]),
    (replace(COMPLAINT, by_email=False), [Inadmissible.NOT_BY_EMAIL]),
    (replace(COMPLAINT, only_presumed_strength=True), [Inadmissible.ONLY_PRESUMED_STRENGTH]),
    (replace(COMPLAINT, received=ENDED + TWO_HOURS + MOMENT), [Inadmissible.LATE]),
    (replace(APPEAL, received=ENDED + TWO_HOURS + MOMENT), [Inadmissible.LATE]),
    (replace(APPEAL, proof_of_payment=False), [Inadmissible.NO_PROOF_OF_PAYMENT]),
    (replace(APPEAL, payment_revoked=True), [Inadmissible.PAYMENT_REVOKED]),
    (replace(COMPLAINT, payment_revoked=True), []),
    (
        replace(APPEAL, by_email=False, proof_of_payment=False),
        [Inadmissible.NOT_BY_EMAIL, Inadmissible.NO_PROOF_OF_PAYMENT],
    ),
]


@pytest.mark.parametrize(("filing", "reasons"), REASONS)
def test_12_11_1_what_is_not_considered(filing: Filing, reasons: list[Inadmissible]) -> None:
    assert LAW.inadmissible(filing) == tuple(reasons)


def test_12_11_every_reason_is_tried_and_has_its_article() -> None:
    assert {reason for _, reasons in REASONS for reason in reasons} == set(Inadmissible)
    assert {reason.key: reason.article for reason in Inadmissible} == {
        "not_a_participant": "12.9",
        "no_federation_id": "12.9",
        "not_a_member": "12.9",
        "wrong_addressee": "12.9",
        "not_by_email": "12.11.1a",
        "only_presumed_strength": "12.11.1b",
        "late": "12.11.1c",
        "no_proof_of_payment": "12.11.1d",
        "payment_revoked": "12.11.2",
    }


@pytest.mark.parametrize(
    ("filing", "upheld", "outcome"),
    [
        (APPEAL, True, FeeOutcome.REFUNDED),
        (APPEAL, False, FeeOutcome.KEPT),
        (replace(APPEAL, received=ENDED + TWO_HOURS + MOMENT), False, FeeOutcome.KEPT),
        (replace(APPEAL, received=ENDED + TWO_HOURS + MOMENT), True, FeeOutcome.KEPT),
        (replace(APPEAL, payment_revoked=True), True, FeeOutcome.FINED),
        (replace(APPEAL, payment_revoked=True), False, FeeOutcome.FINED),
        (replace(APPEAL, paid=False, proof_of_payment=False), False, FeeOutcome.NONE),
        (COMPLAINT, True, FeeOutcome.NONE),
        (COMPLAINT, False, FeeOutcome.NONE),
    ],
)
def test_12_10_and_12_11_what_becomes_of_the_fee(
    filing: Filing, upheld: bool, outcome: FeeOutcome
) -> None:
    assert LAW.fee_outcome(filing, upheld=upheld) is outcome


def test_12_10_the_fee_is_100_euro_and_its_transfer_says_what_for() -> None:
    assert LAW.APPEAL_FEE == 100
    assert LAW.payment_reason("7", "Blitz", 4) == (
        "Ricorso Campionati Italiani Online – 7 – Blitz – 4"
    )


def test_12_11_2_a_revoked_payment_costs_twice_the_fee() -> None:
    assert LAW.revocation_fine() == 200


@pytest.mark.parametrize(
    ("games", "cases", "may"), [(0, 0, True), (1, 0, False), (0, 1, False), (3, 2, False)]
)
def test_12_6_no_prizes_before_the_checks_are_completed(games: int, cases: int, may: bool) -> None:
    assert LAW.prizes_may_be_awarded(games_to_check=games, open_cases=cases) is may


@pytest.mark.parametrize("viewer", Viewer)
def test_12_3_recordings_are_for_the_chief_arbiter_and_the_committee(viewer: Viewer) -> None:
    allowed = {Viewer.CHIEF_ARBITER, Viewer.COMMITTEE}
    assert LAW.may_see_recording(viewer) is (viewer in allowed)


def test_12_3_recordings_are_erased_once_results_are_official() -> None:
    assert LAW.recording_must_be_erased(results_announced=True)
    assert not LAW.recording_must_be_erased(results_announced=False)


def test_12_8_fair_play_is_not_the_platforms_alone() -> None:
    assert LAW.fair_play_may_be_left_to(platform_only=False)
    assert not LAW.fair_play_may_be_left_to(platform_only=True)


def test_12_13_opponents_of_excluded_players_are_given_nothing_anew() -> None:
    points = {"first": 12, "second": 11, "third": 9}
    assert LAW.standings_after_exclusion(points, {"first"}) == {"second": 11, "third": 9}
    assert LAW.standings_after_exclusion(points, set()) == points


MASTER = Member(category="M")
ARBITER = Member(is_international_arbiter=True)
EXPERT = Member(is_anti_cheating_expert=True)
NOBODY = Member(category="CM")
ALL_SEATS = (Seat.MASTER, Seat.INTERNATIONAL_ARBITER, Seat.ANTI_CHEATING_EXPERT)


@pytest.mark.parametrize(
    ("members", "empty", "valid"),
    [
        ([MASTER, ARBITER, EXPERT], (), True),
        ([EXPERT, MASTER, ARBITER], (), True),
        ([MASTER, ARBITER], (Seat.ANTI_CHEATING_EXPERT,), False),
        ([MASTER, EXPERT, NOBODY], (Seat.INTERNATIONAL_ARBITER,), False),
        ([NOBODY, ARBITER, EXPERT], (Seat.MASTER,), False),
        ([], ALL_SEATS, False),
        ([MASTER, ARBITER, EXPERT, NOBODY], (), False),
        # one person holds one seat, however qualified
        (
            [Member("GM", True, True)],
            (Seat.INTERNATIONAL_ARBITER, Seat.ANTI_CHEATING_EXPERT),
            False,
        ),
        ([Member("GM", True, True), MASTER, ARBITER], (), True),
        (
            [Member("GM", True), Member("IM", True), Member("FM", True)],
            (Seat.ANTI_CHEATING_EXPERT,),
            False,
        ),
    ],
)
def test_13_1_a_master_an_international_arbiter_and_an_expert(
    members: list[Member], empty: tuple[Seat, ...], valid: bool
) -> None:
    assert LAW.empty_seats(members) == empty
    assert LAW.committee_is_valid(members) is valid


@pytest.mark.parametrize(
    ("category", "can"),
    [
        ("M", True),
        ("MF", True),
        ("FM", True),
        ("MI", True),
        ("IM", True),
        ("GM", True),
        ("CM", False),
        ("1N", False),
        ("NC", False),
        ("", False),
    ],
)
def test_13_1_from_maestro_up(category: str, can: bool) -> None:
    assert Member(category).can_take(Seat.MASTER) is can
