"""What becomes of a registered tournament, and what cannot become of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from itertools import product

import msgspec
import pytest

from arrocco.errors import Illegal, Inconsistent, Refusal
from arrocco.office.records import Tournament, TournamentStatus
from arrocco.office.registration import assess
from arrocco.office.tournaments import (
    appeal_decided,
    appealed,
    cancelled,
    new_tournament,
    refused,
    with_approval,
)
from tests.office.build import AT, registration, said

ON = date(2026, 3, 6)
S = TournamentStatus


def tournament(*systems: str, on: date = date(2026, 2, 1), **given: object) -> Tournament:
    made = registration(*systems, **given)  # type: ignore[arg-type]
    return new_tournament(7, made, assess(made, on), by=3, at=AT)


def granted(made: Tournament) -> Tournament:
    for approval in made.approvals:
        made = with_approval(made, approval.needed, granted_by="The Chairman", on=ON)
    return made


def test_in_time_a_tournament_is_registered_at_once() -> None:
    made = tournament()
    assert (made.id, made.status, made.registered_by, made.registered_at) == (
        7,
        S.REGISTERED,
        3,
        AT,
    )


def test_a_tournament_that_can_never_be_rated_is_not_registered() -> None:
    with pytest.raises(Illegal) as refusal:
        tournament("fide", time_control="5+3")
    assert said(refusal.value)[0] == "cannot_be_rated"
    assert refusal.value.findings


def test_every_approval_is_waited_for() -> None:
    made = tournament("fide", on=ON, facts={"hybrid": True})
    assert made.status is S.AWAITING_APPROVAL
    assert {a.needed for a in made.approvals} == {"qc", "hybrid"}
    made = with_approval(made, "qc", granted_by=" The Chairman ", on=ON, note="by letter")
    assert made.status is S.AWAITING_APPROVAL
    made = with_approval(made, "hybrid", granted_by="The Chairman", on=ON)
    assert made.status is S.REGISTERED
    assert made.approvals[0].granted_by == "The Chairman"
    assert made.approvals[0].granted_on == ON
    assert made.approvals[0].note == "by letter"


def test_an_approval_two_laws_ask_for_is_asked_once_with_both_articles() -> None:
    made = registration("fide-rapid", time_control="15+10")
    (rapid,) = assess(made, ON)
    blitz = replace(rapid, system="fide-blitz")
    joined = new_tournament(1, made, (rapid, blitz), by=1, at=AT)
    (approval,) = joined.approvals
    assert approval.article == "fide-rapid 0.2; fide-blitz 0.2"


def test_an_approval_nobody_waits_for_is_refused() -> None:
    with pytest.raises(Inconsistent) as refusal:
        with_approval(tournament("fide", on=ON), "president", granted_by="x", on=ON)
    assert said(refusal.value)[0] == "no_such_approval"
    with pytest.raises(Inconsistent) as refusal:
        with_approval(tournament("fide", on=ON), "qc", granted_by=" ", on=ON)
    assert refusal.value.details["name"] == "granted_by"


def test_FIDE_2024_0_4_seven_days_to_appeal() -> None:
    made = refused(tournament(), "no arbiter", on=date(2026, 3, 1))
    assert (made.status, made.refusal_reason) == (S.REFUSED, "no arbiter")
    assert made.appeal_until == date(2026, 3, 8)
    assert appealed(made, "there is one", on=date(2026, 3, 8)).status is S.APPEALED
    with pytest.raises(Illegal) as refusal:
        appealed(made, "there is one", on=date(2026, 3, 9))
    assert said(refusal.value)[0] == "appeal_too_late"


def test_FIDE_2010_0_5_seven_days_to_appeal() -> None:
    made = tournament("fide", start=date(2012, 3, 10), on=date(2012, 1, 1))
    assert refused(made, "why", on=date(2012, 2, 1)).appeal_until == date(2012, 2, 8)


def test_UISP_knows_no_appeal() -> None:
    made = refused(tournament("uisp", time_control="30+10"), "why", on=ON)
    assert made.appeal_until is None
    with pytest.raises(Illegal) as refusal:
        appealed(made, "please", on=ON)
    assert said(refusal.value)[0] == "no_appeal"


def test_an_appeal_upheld_takes_the_refusal_away() -> None:
    made = appealed(refused(tournament(), "why", on=ON), "please", on=ON)
    back = appeal_decided(made, upheld=True, on=ON, note="well then")
    assert (back.status, back.appeal_upheld, back.appeal_note) == (S.REGISTERED, True, "well then")
    waiting = appealed(refused(tournament("fide", on=ON), "why", on=ON), "please", on=ON)
    assert appeal_decided(waiting, upheld=True, on=ON).status is S.AWAITING_APPROVAL


def test_an_appeal_dismissed_is_the_end_of_it() -> None:
    made = appealed(refused(tournament(), "why", on=ON), "please", on=ON)
    made = appeal_decided(made, upheld=False, on=ON)
    assert made.status is S.REFUSED
    with pytest.raises(Illegal) as refusal:
        appealed(made, "again", on=ON)
    assert said(refusal.value)[0] == "appeal_decided"


def test_a_new_refusal_after_an_appeal_upheld_can_be_appealed_against() -> None:
    made = appealed(refused(tournament(), "why", on=ON), "please", on=ON)
    made = refused(appeal_decided(made, upheld=True, on=ON), "another reason", on=ON)
    assert appealed(made, "again", on=ON).appeal == "again"


def states() -> dict[TournamentStatus, Tournament]:
    waiting = tournament("fide", on=ON)
    return {
        S.AWAITING_APPROVAL: waiting,
        S.REGISTERED: granted(waiting),
        S.REFUSED: refused(waiting, "why", on=ON),
        S.APPEALED: appealed(refused(waiting, "why", on=ON), "please", on=ON),
        S.CANCELLED: cancelled(waiting, "no hall", on=ON),
    }


ACTS: dict[str, tuple[Callable[[Tournament], Tournament], set[TournamentStatus]]] = {
    "approve": (granted, {S.AWAITING_APPROVAL}),
    "refuse": (lambda t: refused(t, "why", on=ON), {S.AWAITING_APPROVAL, S.REGISTERED}),
    "appeal": (lambda t: appealed(t, "please", on=ON), {S.REFUSED}),
    "decide_appeal": (lambda t: appeal_decided(t, upheld=True, on=ON), {S.APPEALED}),
    "cancel": (
        lambda t: cancelled(t, "no hall", on=ON),
        {S.AWAITING_APPROVAL, S.REGISTERED, S.APPEALED},
    ),
}


@pytest.mark.parametrize(("act", "status"), list(product(ACTS, S)))
def test_each_act_is_possible_only_from_its_states(act: str, status: TournamentStatus) -> None:
    do, possible = ACTS[act]
    made = states()[status]
    assert made.status is status
    if status in possible:
        assert do(made) != made
        return
    with pytest.raises(Illegal) as refusal:
        do(msgspec.structs.replace(made, approvals=made.approvals or tournament(on=ON).approvals))
    assert said(refusal.value)[0] == "tournament_state"


@pytest.mark.parametrize(
    "act",
    [
        lambda: refused(tournament(), " ", on=ON),
        lambda: cancelled(tournament(), "", on=ON),
        lambda: appealed(refused(tournament(), "why", on=ON), "\n", on=ON),
    ],
)
def test_a_reason_is_asked_for(act: Callable[[], Tournament]) -> None:
    with pytest.raises(Refusal) as refusal:
        act()
    assert said(refusal.value)[0] == "field"


def test_a_tournament_is_kept_as_JSON_whole() -> None:
    for made in states().values():
        assert msgspec.json.decode(msgspec.json.encode(made), type=Tournament) == made
