"""Where a registered tournament stands, and what can become of it from there."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from msgspec.structs import replace

from arrocco.errors import Illegal, Inconsistent
from arrocco.laws.systems import system_named
from arrocco.office.questions import Appeals
from arrocco.office.records import Approval, Registration, Tournament, TournamentStatus
from arrocco.office.registration import Assessment, require_ratable
from arrocco.words import Phrase

_S = TournamentStatus


def new_tournament(
    id: int,
    registration: Registration,
    assessments: tuple[Assessment, ...],
    *,
    by: int,
    at: datetime,
) -> Tournament:
    """A tournament as registered: waiting where approvals are needed, else ready to be played.

    Raises `Illegal` where a system asked can never rate it.
    """
    require_ratable(assessments)
    approvals = needed_approvals(assessments)
    return Tournament(
        id=id,
        registration=registration,
        status=_S.AWAITING_APPROVAL if approvals else _S.REGISTERED,
        registered_by=by,
        registered_at=at,
        approvals=approvals,
    )


def needed_approvals(assessments: Iterable[Assessment]) -> tuple[Approval, ...]:
    """Each kind of approval once, with the article of every law that asks for it."""
    articles: dict[str, dict[str, str]] = {}
    for assessment in assessments:
        for approval in assessment.approvals:
            articles.setdefault(approval.needed, {})[assessment.system] = approval.article
    return tuple(
        Approval(needed=needed, article=_together(by_system))
        for needed, by_system in articles.items()
    )


def _together(articles: dict[str, str]) -> str:
    if len(articles) == 1:
        return next(iter(articles.values()))
    return "; ".join(f"{system} {article}" for system, article in articles.items())


def needing(tournament: Tournament, approval: Approval) -> Tournament:
    """With one more approval to wait for."""
    approvals = (*tournament.approvals, approval)
    return replace(tournament, approvals=approvals, status=standing(approvals))


def with_approval(
    tournament: Tournament, needed: str, *, granted_by: str, on: date, note: str = ""
) -> Tournament:
    """With one approval granted; once none is waited for the tournament is registered."""
    require_status(tournament, "approve", _S.AWAITING_APPROVAL)
    waiting = {a.needed for a in tournament.approvals if a.granted_on is None}
    if needed not in waiting:
        raise Inconsistent.of(
            "office.refused.no_such_approval",
            needed=needed,
            waiting=tuple(Phrase(f"office.approval.{name}") for name in sorted(waiting)),
        )
    require_text("granted_by", granted_by)
    approvals = tuple(
        replace(a, granted_by=granted_by.strip(), granted_on=on, note=note)
        if a.needed == needed
        else a
        for a in tournament.approvals
    )
    return replace(tournament, approvals=approvals, status=standing(approvals))


def refused(tournament: Tournament, reason: str, *, on: date) -> Tournament:
    """Refused on a day; the law says until when there can be an appeal."""
    require_status(tournament, "refuse", _S.AWAITING_APPROVAL, _S.REGISTERED)
    require_text("reason", reason)
    registration = tournament.registration
    laws = [system_named(key).edition_on(registration.start) for key in registration.systems]
    deadlines = [law.appeal_deadline(on) for law in laws if isinstance(law, Appeals)]
    return replace(
        tournament,
        status=_S.REFUSED,
        refused_on=on,
        refusal_reason=reason.strip(),
        # Where several laws are asked, none of them is deprived of its appeal.
        appeal_until=max(deadlines, default=None),
        appealed_on=None,
        appeal="",
        appeal_decided_on=None,
        appeal_upheld=None,
        appeal_note="",
    )


def appealed(tournament: Tournament, text: str, *, on: date) -> Tournament:
    """Appealed against: in time, and once."""
    require_status(tournament, "appeal", _S.REFUSED)
    if tournament.appeal_decided_on is not None:
        raise Illegal.of("office.refused.appeal_decided", on=tournament.appeal_decided_on)
    until = tournament.appeal_until
    if until is None:
        raise Illegal.of("office.refused.no_appeal")
    if on > until:
        raise Illegal.of("office.refused.appeal_too_late", on=on, until=until)
    require_text("appeal", text)
    return replace(tournament, status=_S.APPEALED, appealed_on=on, appeal=text.strip())


def appeal_decided(tournament: Tournament, *, upheld: bool, on: date, note: str = "") -> Tournament:
    """An appeal that is upheld takes the refusal away; one that is dismissed is the end of it."""
    require_status(tournament, "decide_appeal", _S.APPEALED)
    status = standing(tournament.approvals) if upheld else _S.REFUSED
    return replace(
        tournament, status=status, appeal_decided_on=on, appeal_upheld=upheld, appeal_note=note
    )


def cancelled(tournament: Tournament, reason: str, *, on: date) -> Tournament:
    """Cancelled by those who announced it."""
    require_status(tournament, "cancel", _S.AWAITING_APPROVAL, _S.REGISTERED, _S.APPEALED)
    require_text("reason", reason)
    return replace(
        tournament, status=_S.CANCELLED, cancelled_on=on, cancellation_reason=reason.strip()
    )


def standing(approvals: Iterable[Approval]) -> TournamentStatus:
    waiting = any(approval.granted_on is None for approval in approvals)
    return _S.AWAITING_APPROVAL if waiting else _S.REGISTERED


def require_status(tournament: Tournament, act: str, *possible: TournamentStatus) -> None:
    if tournament.status not in possible:
        raise Illegal.of(
            "office.refused.tournament_state",
            act=Phrase(f"office.act.{act}"),
            status=Phrase(f"office.tournament.{tournament.status.value}"),
            possible=tuple(Phrase(f"office.tournament.{status.value}") for status in possible),
        )


def require_text(name: str, text: str) -> None:
    if not text.strip():
        raise Inconsistent.of(
            "office.refused.field",
            field=Phrase(f"office.field.{name}"),
            why=Phrase("office.fault.empty"),
            name=name,
        )
