"""12.9 to 12.12, 12.3, 12.6 — complaints, appeals, their fee, and when results are official."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from arrocco.hall.event.acts.closing import Validate, appeals_until, complaints_until
from arrocco.hall.event.acts.filing_decisions import DecideFiling, RecordPayment
from arrocco.hall.event.acts.filings import MAX_OF_STRANGER, FilingSubmitted, SubmitFiling
from arrocco.hall.event.acts.official import AnnounceResults, DeclareChecks
from arrocco.hall.event.acts.results import CorrectResult
from arrocco.hall.event.filings import (
    FiledPaper,
    FilingOutcome,
    FilingWay,
    Ground,
    Money,
    Paper,
    Payment,
    money_of,
    payments_to_come,
)
from arrocco.hall.event.fold import fold
from arrocco.hall.event.log import dump, load
from arrocco.laws.online.edition_2025 import Online2025
from arrocco.laws.online.filings import FeeOutcome, FilingKind, Inadmissible
from tests.hall.event.desk import CHIEF, HELPER, LAWS, ORGANISER, WIN, Desk

RECEIPT = Paper(name="bonifico.pdf", media_type="application/pdf", blob="a" * 64, size=3)
MOMENT = timedelta(microseconds=1)


def complaint(by: str = "p1", **changes: Any) -> SubmitFiling:
    given: dict[str, Any] = {
        "by": by,
        "kind": FilingKind.COMPLAINT,
        "way": FilingWay.PAGE,
        "filer": by,
        "text": "The clock stood.",
        "grounds": (Ground.TECHNICAL,),
        "is_member": True,
    }
    return SubmitFiling(**{**given, **changes})


def appeal(by: str = "p1", **changes: Any) -> SubmitFiling:
    return complaint(
        by, **{"kind": FilingKind.APPEAL, "receipt": RECEIPT, "about": (2,), **changes}
    )


def played() -> Desk:
    return Desk(4, rounds=1).pair().play(WIN, WIN).end()


def validated() -> Desk:
    desk = played().later(hours=2)
    desk.granted(Validate(by=CHIEF))
    return desk


def last(desk: Desk) -> FiledPaper:
    return desk.state.filings[-1]


def decision(**changes: Any) -> DecideFiling:
    given: dict[str, Any] = {
        "by": "member",
        "number": 1,
        "capacity": "committee",
        "outcome": FilingOutcome.UPHELD,
        "reasons": "The film shows it.",
    }
    return DecideFiling(**{**given, **changes})


class TestAdmissibility:
    @pytest.mark.parametrize(
        ("after", "reasons"), [(-MOMENT, ()), (0 * MOMENT, ()), (MOMENT, ("late",))]
    )
    def test_12_9_a_complaint_until_two_hours_after_the_last_game(
        self, after: timedelta, reasons: tuple[str, ...]
    ) -> None:
        desk = played()
        until = complaints_until(desk.state, LAWS)
        assert until is not None
        desk.now = until + after
        desk.granted(complaint())
        assert last(desk).reasons == reasons
        assert last(desk).is_open is not bool(reasons)

    @pytest.mark.parametrize(
        ("after", "reasons"), [(-MOMENT, ()), (0 * MOMENT, ()), (MOMENT, ("late",))]
    )
    def test_12_9_an_appeal_until_two_hours_after_the_validation(
        self, after: timedelta, reasons: tuple[str, ...]
    ) -> None:
        desk = validated()
        until = appeals_until(desk.state, LAWS)
        assert until is not None
        desk.now = until + after
        desk.granted(appeal())
        assert last(desk).reasons == reasons

    def test_12_9_what_comes_before_the_hours_begin_is_not_late(self) -> None:
        desk = Desk(4, rounds=2).pair().play(WIN, WIN)
        desk.granted(complaint())
        desk.granted(appeal("p2"))
        assert [filed.reasons for filed in desk.state.filings] == [(), ()]

    def test_12_9_the_moment_a_message_reached_its_addressee_counts_and_never_the_future(
        self,
    ) -> None:
        desk = played()
        until = complaints_until(desk.state, LAWS)
        assert until is not None
        desk.now = until + timedelta(hours=1)
        message = complaint("p1", way=FilingWay.MESSAGE, received=until)
        desk.granted(message)
        assert last(desk).reasons == ()
        desk.granted(replace(message, received=desk.now + timedelta(days=1)))
        assert last(desk).reasons == ("late",)
        facts = last(desk).facts
        assert facts is not None
        assert facts.received == desk.now

    @pytest.mark.parametrize(
        ("filing", "reasons"),
        [
            (complaint("stranger", has_federation_id=True), ["not_a_participant"]),
            (complaint("stranger"), ["not_a_participant", "no_federation_id"]),
            (complaint(HELPER, is_member=False, has_federation_id=True), []),
            (complaint(HELPER, is_member=False), ["no_federation_id"]),
            (complaint(is_member=False), ["not_a_member"]),
            (complaint(right_addressee=False), ["wrong_addressee"]),
            (complaint(way=FilingWay.OTHER), ["not_by_email"]),
            (complaint(grounds=(Ground.STRENGTH,)), ["only_presumed_strength"]),
            (complaint(grounds=(Ground.STRENGTH, Ground.CONDUCT)), []),
            (complaint(grounds=()), []),
            (appeal(receipt=None), ["no_proof_of_payment"]),
            (
                appeal(way=FilingWay.OTHER, receipt=None, grounds=(Ground.STRENGTH,)),
                ["not_by_email", "only_presumed_strength", "no_proof_of_payment"],
            ),
        ],
    )
    def test_12_11_1_each_reason_is_told_at_once(
        self, filing: SubmitFiling, reasons: list[str]
    ) -> None:
        desk = validated() if filing.kind is FilingKind.APPEAL else played()
        desk.appoint(HELPER, "Anna Assiste")
        desk.granted(filing)
        assert list(last(desk).reasons) == reasons
        articles = {reason.key: reason.article for reason in Inadmissible}
        assert [reason.article for reason in last(desk).findings] == [articles[k] for k in reasons]

    def test_12_9_a_captain_speaks_for_the_team(self) -> None:
        from arrocco.hall.event.acts.teams import SetTeams
        from arrocco.hall.event.records import PairingSystem
        from arrocco.hall.event.state import Team

        desk = Desk(2, system=PairingSystem.TEAM)
        teams = tuple(Team(name=f"T{n}", captain=f"c{n}", entries=(n,)) for n in (1, 2))
        desk.granted(SetTeams(by=ORGANISER, boards=1, teams=teams))
        desk.granted(complaint("c1", has_federation_id=True, is_member=False))
        assert last(desk).reasons == ()
        assert last(desk).name == " (T1)"

    def test_nobody_fills_the_log(self) -> None:
        desk = played()
        for _ in range(MAX_OF_STRANGER):
            desk.granted(complaint("stranger"))
        assert desk.refusal(complaint("stranger")) == ("too_many_filings", "12.9")
        assert desk.refusal(complaint(text=" "))[0] == "reason_needed"
        assert desk.refusal(complaint(about=(9,)))[0] == "no_such_entry"
        assert desk.refusal(complaint(round=7))[0] == "no_such_round"


class TestDecision:
    def test_12_9_the_chief_arbiter_decides_on_complaints_and_nobody_else(self) -> None:
        desk = played()
        desk.granted(complaint())
        for by in (ORGANISER, "p2", "member"):
            assert desk.refusal(decision(by=by)) == ("for_the_chief", "12.9")
        assert desk.refusal(decision(by=CHIEF, reasons=" "))[0] == "reason_needed"
        assert desk.refusal(decision(by=CHIEF, number=2))[0] == "no_such_filing"
        desk.granted(decision(by=CHIEF, capacity="chief", outcome=FilingOutcome.REJECTED))
        assert not last(desk).is_open
        assert desk.refusal(decision(by=CHIEF)) == ("filing_decided", "12.7")

    @pytest.mark.parametrize("reading", ["included", "excluded"])
    def test_12_9_the_standings_wait_while_a_complaint_can_be_in_time(self, reading: str) -> None:
        """The last moment of the two hours is asked of the same reading by both."""
        desk = played()
        laws = LAWS._replace(online=Online2025(deadline_end=reading))
        until = complaints_until(desk.state, laws)
        assert until is not None
        for moment in (until - MOMENT, until, until + MOMENT):
            (filed,) = complaint().decide(desk.state, moment, laws).events
            assert isinstance(filed, FilingSubmitted)
            refusal = Validate(by=CHIEF).decide(desk.state, moment, laws).refusal
            assert (refusal is None) is bool(filed.reasons), moment

    def test_12_9_the_standings_wait_for_complaints_that_are_open(self) -> None:
        desk = played()
        desk.granted(complaint())
        desk.granted(complaint("stranger"))  # not considered: nothing waits for it
        desk.later(hours=2)
        assert desk.refusal(Validate(by=CHIEF)) == ("complaints_undecided", "12.9")
        desk.granted(decision(by=CHIEF, capacity="chief", outcome=FilingOutcome.REJECTED))
        desk.granted(Validate(by=CHIEF))

    def test_12_9_appeals_are_the_committees_and_of_nobody_who_takes_part(self) -> None:
        desk = validated()
        desk.granted(appeal())
        assert desk.refusal(decision(by=CHIEF, capacity="chief")) == ("for_the_committee", "12.9")
        for party in (CHIEF, "p1", "p3"):
            assert desk.refusal(decision(by=party)) == ("party_to_filing", "12.9")
        desk.granted(decision())
        assert last(desk).is_upheld

    def test_12_11_1b_the_reader_finds_that_it_rests_on_strength_alone(self) -> None:
        desk = validated()
        desk.granted(appeal(grounds=(Ground.CONDUCT, Ground.STRENGTH)))
        alone = Inadmissible.ONLY_PRESUMED_STRENGTH.key
        assert desk.refusal(decision(found=alone))[0] == "filing_reason_needed"
        nothing = decision(outcome=FilingOutcome.NOT_CONSIDERED)
        assert desk.refusal(nothing)[0] == "filing_reason_needed"
        desk.granted(replace(nothing, found=alone))
        assert [reason.article for reason in last(desk).findings] == ["12.11.1b"]
        assert not last(desk).is_open

    def test_what_is_not_considered_is_not_decided(self) -> None:
        desk = validated()
        desk.granted(appeal(receipt=None))
        assert desk.refusal(decision()) == ("filing_not_considered", "12.11.1")

    def test_12_12_a_false_accusation_names_somebody_and_is_not_upheld(self) -> None:
        desk = validated()
        desk.granted(appeal())
        assert desk.refusal(decision(false_accusation=True)) == ("no_false_accusation", "12.12")
        desk.granted(appeal("p3", about=()))
        rejected = decision(outcome=FilingOutcome.REJECTED, false_accusation=True)
        assert desk.refusal(replace(rejected, number=2)) == ("no_false_accusation", "12.12")
        desk.granted(rejected)
        found = desk.state.filings[0].decision
        assert found is not None
        assert found.false_accusation
        assert not desk.state.sanctions, "nothing is imposed by itself"


KEPT, NONE = FeeOutcome.KEPT, FeeOutcome.NONE


class TestMoney:
    def money(self, desk: Desk) -> Money:
        return money_of(last(desk), LAWS.online)

    def test_12_10_upheld_the_fee_returns_and_not_otherwise(self) -> None:
        for outcome, fee in (
            (FilingOutcome.UPHELD, FeeOutcome.REFUNDED),
            (FilingOutcome.REJECTED, KEPT),
        ):
            desk = validated()
            desk.granted(appeal())
            assert self.money(desk) == Money(100, KEPT, 0, is_settled=False)
            assert self.money(desk).key == "open", "nothing is kept before it is decided"
            returned = RecordPayment(by="o", number=1, payment=Payment.RETURNED, reason="paid back")
            assert desk.refusal(returned) == ("fee_not_returned", "12.10")
            desk.granted(decision(outcome=outcome))
            assert self.money(desk) == Money(100, fee, 0, is_settled=True)
        assert desk.refusal(returned) == ("fee_not_returned", "12.10")

    def test_12_10_a_fee_is_returned_once(self) -> None:
        desk = validated()
        desk.granted(appeal())
        desk.granted(decision())
        returned = RecordPayment(by="o", number=1, payment=Payment.RETURNED, reason="paid back")
        desk.granted(returned)
        assert desk.refusal(returned) == ("payment_known", "12.11.2")

    def test_12_11_1c_late_the_fee_is_kept_and_without_copy_there_is_none(self) -> None:
        desk = validated().later(hours=3)
        desk.granted(appeal())
        assert self.money(desk) == Money(100, KEPT, 0, is_settled=True)
        desk.granted(appeal(receipt=None))
        assert self.money(desk) == Money(0, NONE, 0, is_settled=True)
        arrived = RecordPayment(by="o", number=2, payment=Payment.ARRIVED, reason="seen")
        assert desk.refusal(arrived) == ("no_fee_paid", "12.10")

    @pytest.mark.parametrize("outcome", [None, FilingOutcome.UPHELD, FilingOutcome.REJECTED])
    def test_12_11_2_revoked_it_is_annulled_and_fined_twice_the_fee(
        self, outcome: FilingOutcome | None
    ) -> None:
        desk = validated()
        desk.granted(appeal())
        if outcome is not None:
            desk.granted(decision(outcome=outcome))
        revoked = RecordPayment(by="o", number=1, payment=Payment.REVOKED, reason="bank letter")
        assert desk.refusal(replace(revoked, reason=" "))[0] == "reason_needed"
        desk.granted(revoked)
        assert self.money(desk) == Money(100, FeeOutcome.FINED, 200, is_settled=True)
        assert not last(desk).is_upheld
        assert not last(desk).is_open
        assert [reason.article for reason in last(desk).findings] == ["12.11.2"]
        for payment in (Payment.ARRIVED, Payment.REVOKED, Payment.RETURNED):
            known = replace(revoked, payment=payment)
            assert desk.refusal(known) == ("payment_known", "12.11.2")

    def test_12_11_2_the_fine_is_paid_once_and_only_where_one_is_due(self) -> None:
        desk = validated()
        desk.granted(appeal())
        paid = RecordPayment(by="o", number=1, payment=Payment.FINE_PAID, reason="CRO 7")
        law = LAWS.online
        assert payments_to_come(last(desk), law) == (Payment.ARRIVED, Payment.REVOKED)
        assert desk.refusal(paid) == ("no_fine_due", "12.11.2")
        desk.granted(decision())
        both = (Payment.ARRIVED, Payment.REVOKED, Payment.RETURNED)
        assert payments_to_come(last(desk), law) == both
        desk.granted(replace(paid, payment=Payment.REVOKED))
        assert payments_to_come(last(desk), law) == (Payment.FINE_PAID,)
        assert self.money(desk).key == "fined"
        desk.granted(paid)
        assert self.money(desk).key == "fine_paid"
        assert self.money(desk).fine == 200
        assert payments_to_come(last(desk), law) == ()
        assert desk.refusal(paid) == ("payment_known", "12.11.2")

    def test_12_10_a_complaint_costs_nothing(self) -> None:
        desk = played()
        desk.granted(complaint(receipt=RECEIPT))
        assert self.money(desk) == Money(0, NONE, 0, is_settled=False)


class TestOfficial:
    announce = AnnounceResults(by=CHIEF, open_matters=0, checks_complete=True)

    def checked(self) -> Desk:
        desk = validated()
        desk.granted(DeclareChecks(by=CHIEF, capacity="chief", reason="every game looked at"))
        return desk

    @pytest.mark.parametrize(
        ("after", "is_open"), [(-MOMENT, True), (0 * MOMENT, True), (MOMENT, False)]
    )
    def test_12_3_not_while_an_appeal_can_still_be_in_time(
        self, after: timedelta, is_open: bool
    ) -> None:
        desk = self.checked()
        until = appeals_until(desk.state, LAWS)
        assert until is not None
        desk.now = until + after
        if is_open:
            assert desk.refusal(self.announce) == ("not_yet_appeals_open", "12.9")
        else:
            desk.granted(self.announce)
            assert desk.state.announced == desk.now
            assert desk.refusal(self.announce) == ("results_announced", "12.3")

    def test_12_3_not_while_a_filing_or_a_case_is_open_or_checks_are_missing(self) -> None:
        desk = played()
        assert desk.refusal(self.announce) == ("not_yet_not_validated", "12.9")
        desk = validated()
        desk.granted(appeal())
        desk.later(hours=3)
        assert desk.refusal(self.announce) == ("not_yet_matters_open", "12.3")
        desk.granted(decision())
        assert desk.refusal(self.announce) == ("not_yet_checks_missing", "12.6")
        desk.granted(DeclareChecks(by="m", capacity="committee", reason="looked at"))
        assert desk.refusal(replace(self.announce, open_matters=1))[0] == "not_yet_matters_open"
        unwatched = replace(self.announce, checks_complete=False)
        assert desk.refusal(unwatched)[0] == "not_yet_checks_missing"
        for by in (ORGANISER, "p1", "m"):
            assert desk.refusal(replace(self.announce, by=by))[0] == "not_yours_to_do"
        desk.granted(self.announce)

    def test_12_6_who_declares_the_checks_complete_and_when(self) -> None:
        desk = Desk(4, rounds=1).pair().play(WIN, WIN)
        declare = DeclareChecks(by=CHIEF, capacity="chief", reason="all")
        assert desk.refusal(declare) == ("event_not_closed", "12.6")
        desk.end()
        assert desk.refusal(replace(declare, by=ORGANISER)) == ("for_the_chief", "12.6")
        assert desk.refusal(replace(declare, reason=""))[0] == "reason_needed"
        desk.granted(declare)
        assert desk.refusal(declare)[0] == "checks_declared"

    def test_a_result_that_changes_is_no_longer_official(self) -> None:
        desk = self.checked().later(hours=3)
        desk.granted(self.announce)
        changed = CorrectResult(
            by=CHIEF, round=1, board=1, points=(5, 5), article="5.16", reason="upheld"
        )
        desk.granted(changed)
        assert desk.state.announced is None
        assert desk.refusal(self.announce)[0] == "not_yet_not_validated"


def test_a_log_with_filings_folds_to_the_same_state() -> None:
    desk = validated()
    desk.granted(appeal(message=replace(RECEIPT, name="ricorso.eml")))
    desk.granted(decision())
    desk.granted(RecordPayment(by="o", number=1, payment=Payment.ARRIVED, reason="seen"))
    assert fold(load(dump(desk.log))) == desk.state
