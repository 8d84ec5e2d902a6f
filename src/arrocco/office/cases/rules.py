"""When something may be entered in a case, and by whom; what stands against it is refused."""

from __future__ import annotations

from datetime import datetime, timedelta

from arrocco.errors import Illegal, Inconsistent
from arrocco.laws.online.law import OnlineLaw
from arrocco.laws.online.sanctions import CommitteeSanction, Scope, Terms
from arrocco.office.cases.case import CommitteeCase, Proposal
from arrocco.office.cases.records import (
    ARTICLES,
    LOSSES,
    MAX_TEXT,
    CaseSanction,
    OpponentPoints,
)

MAX_RECORDS = 1000
MAX_HEARING = timedelta(days=60)
_NO_MORE = "cases.refused.decided"


def checked_text(text: str, *, needed: bool = True) -> str:
    """Somebody's words. Raises `Inconsistent` for none, or for too many."""
    words = text.strip()
    if (needed and not words) or len(words) > MAX_TEXT:
        raise Inconsistent.of("cases.refused.text", most=MAX_TEXT)
    return words


def check_room(case: CommitteeCase) -> None:
    """Raises `Illegal` where a case has as many records as one may have."""
    if len(case.records) >= MAX_RECORDS:
        raise Illegal.of("cases.refused.full", most=MAX_RECORDS)


def check_undecided(case: CommitteeCase, law: OnlineLaw) -> None:
    """12.7 — raises `Illegal` once a decision is adopted: it is final."""
    if case.adopted(law) is not None:
        raise Illegal.of(_NO_MORE)


def check_hearing(case: CommitteeCase, law: OnlineLaw, until: datetime, now: datetime) -> None:
    """A deadline that lies ahead, and takes no time away that the player was given."""
    check_undecided(case, law)
    if not now < until <= now + MAX_HEARING:
        raise Inconsistent.of("cases.refused.deadline", days=MAX_HEARING.days)
    if case.hearing is not None and until < case.hearing.until:
        raise Illegal.of("cases.refused.deadline_shorter")
    if case.statement is not None:
        raise Illegal.of("cases.refused.stated")


def check_statement(case: CommitteeCase, law: OnlineLaw, now: datetime) -> None:
    """The player speaks once, until the deadline."""
    if case.hearing is None:
        raise Illegal.of("cases.refused.not_asked")
    if case.statement is not None:
        raise Illegal.of("cases.refused.stated")
    if now > case.hearing.until:
        raise Illegal.of("cases.refused.statement_late")
    check_undecided(case, law)


def check_proposal(
    case: CommitteeCase,
    law: OnlineLaw,
    *,
    is_breach: bool,
    sanctions: tuple[CaseSanction, ...],
    now: datetime,
) -> None:
    """13.5 — sanctions within their limits, for a breach, and not before the player was heard."""
    check_undecided(case, law)
    if sanctions and not is_breach:
        raise Illegal.of("cases.refused.no_breach_no_sanction")
    if is_breach and not case.was_heard(now):
        raise Illegal.of("cases.refused.not_heard")
    if is_breach and not sanctions:
        raise Illegal.of("cases.refused.no_sanction")
    is_excluded = any(
        sanction.sanction
        in (CommitteeSanction.EXCLUSION, CommitteeSanction.EXCLUSION_FROM_STANDINGS)
        and sanction.scope is not Scope.ROUNDS
        for sanction in sanctions
    )
    for sanction in sanctions:
        _check_sanction(sanction, law, is_excluded=is_excluded)


def _check_sanction(case_sanction: CaseSanction, law: OnlineLaw, *, is_excluded: bool) -> None:
    if case_sanction.article not in ARTICLES:
        raise Inconsistent.of("cases.refused.article", given=case_sanction.article[:20])
    if case_sanction.article == LOSSES:
        if not case_sanction.rounds:
            raise Inconsistent.of("cases.refused.no_rounds")
        if is_excluded and case_sanction.opponents is OpponentPoints.WIN:
            raise Illegal.of("cases.refused.opponents_of_excluded")
        return
    sanction = case_sanction.sanction
    assert sanction is not None
    if sanction is CommitteeSanction.SCORE_CHANGE and (
        case_sanction.round is None or case_sanction.points is None
    ):
        raise Inconsistent.of("cases.refused.no_score")
    terms = Terms(
        scope=case_sanction.scope,
        rounds=len(set(case_sanction.rounds)) or None,
        period=None if case_sanction.days is None else timedelta(days=case_sanction.days),
        score_after=case_sanction.points,
    )
    if sanction is not CommitteeSanction.SCORE_CHANGE and law.objections_to_committee(
        sanction, terms
    ):
        raise Illegal.of("cases.refused.no_extent", article=sanction.article)


def check_vote(case: CommitteeCase, law: OnlineLaw, number: int, member: int) -> Proposal:
    """A member votes once on each proposal. Raises `Illegal`."""
    proposal = named(case, number)
    check_undecided(case, law)
    if member in proposal.votes:
        raise Illegal.of("cases.refused.voted")
    return proposal


def check_signature(case: CommitteeCase, law: OnlineLaw, number: int) -> Proposal:
    """13.3 — the chief arbiter signs what the committee has adopted, once, where it is needed."""
    proposal = named(case, number)
    if not proposal.is_adopted(law) or not proposal.needs_chief(law):
        raise Illegal.of("cases.refused.nothing_to_sign")
    if proposal.chief is not None:
        raise Illegal.of("cases.refused.signed")
    return proposal


def named(case: CommitteeCase, number: int) -> Proposal:
    """A proposal by its number. Raises `Inconsistent` where there is none."""
    if not 1 <= number <= len(case.proposals):
        raise Inconsistent.of("cases.refused.no_proposal", number=number)
    return case.proposals[number - 1]
