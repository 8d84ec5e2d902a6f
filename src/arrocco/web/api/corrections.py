"""Corrections of what was rated, reports entered as such, tournaments refused or annulled."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated

from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct, field
from msgspec.structs import replace as replace_fields

from arrocco.engine.admission import Waiver, waiver_key
from arrocco.findings import Finding
from arrocco.office.carrying import Impact
from arrocco.office.ledger import (
    CorrectionOf,
    DateCorrection,
    GameExclusion,
    IdCorrection,
    ResultCorrection,
)
from arrocco.office.roles import Permission
from arrocco.web.api.records import RefusedFinding, WaiverRecord, refusals
from arrocco.web.routes import api_act
from arrocco.web.view import TheView, View
from arrocco.words import finding_advice, finding_text

_REFUSED = refusals(401, 403, 404, 409, 413, 422, 429, 503)
MAX_CHANGES = 200
Reason = Annotated[str, Meta(max_length=2000)]


class ReasonRecord(Struct):
    """Why; without a reason nothing is changed and only the effects are told."""

    reason: Reason = ""


class ReplacementRecord(ReasonRecord):
    """Why; and for each error of the report, or that it brings, a waiver with its own reason."""

    waivers: Annotated[list[WaiverRecord], Meta(max_length=MAX_CHANGES)] = field(
        default_factory=list
    )


class ResultChange(Struct):
    """A game came to another result, in half points; not played is a forfeit."""

    round: int
    white: int
    black: int
    white_half: int
    black_half: int
    played: bool = True


class PlayerChange(Struct):
    """An entry was another player."""

    entry: int
    player: int


class DaysChange(Struct):
    """The tournament was played on other days."""

    start: date
    end: date


class GameChange(Struct):
    """A game that was played is not rated (5.1): ``fair_play`` or ``force_majeure``."""

    round: int
    white: int
    black: int
    ground: Annotated[str, Meta(pattern="^(fair_play|force_majeure)$")]
    article: Annotated[str, Meta(max_length=100)]


class CorrectionRecord(ReplacementRecord):
    """What was wrong in a report, and why; without a reason only the effects are told."""

    results: Annotated[list[ResultChange], Meta(max_length=MAX_CHANGES)] = field(
        default_factory=list
    )
    players: Annotated[list[PlayerChange], Meta(max_length=MAX_CHANGES)] = field(
        default_factory=list
    )
    days: DaysChange | None = None
    exclusions: Annotated[list[GameChange], Meta(max_length=MAX_CHANGES)] = field(
        default_factory=list
    )


class TouchedPlayer(Struct, frozen=True, kw_only=True):
    """A player before and after: on the corrected list, and as the next period opens."""

    id: int
    name: str
    rating_before: int | None
    rating_after: int | None
    games_before: int
    games_after: int
    base_before: int | None
    base_after: int | None
    effect: str


class EffectRecord(Struct, frozen=True, kw_only=True):
    """By system whom a correction touches and the list it enters with; `entered` where it did."""

    entered: bool
    lists: dict[str, date]
    players: dict[str, list[TouchedPlayer]]
    errors: list[RefusedFinding] = field(default_factory=list)
    """What a correction brings into the report: it stops unless it is waived."""


@api_act("/reports/{report:int}/corrections", permission=Permission.CORRECT, responses=_REFUSED)
def correct(view: TheView, report: FromPath[int], data: JSONBody[CorrectionRecord]) -> EffectRecord:
    """Tells whom a correction of a report touches, and enters it where there is a reason."""
    changes = _changes(data)
    preview = view.office.corrections.preview(view.asker, report, changes)
    if data.reason.strip():
        waivers = [Waiver(waiver.key, waiver.reason) for waiver in data.waivers]
        view.office.corrections.enter(view.asker, report, changes, data.reason, waivers)
    effects = _effects(preview.impacts, preview.next_lists, data.reason)
    return replace_fields(effects, errors=[_error(view, error) for error in preview.errors])


@api_act("/reports/{report:int}/correct", permission=Permission.CORRECT, responses=_REFUSED)
def replace(
    view: TheView, report: FromPath[int], data: JSONBody[ReplacementRecord]
) -> EffectRecord:
    """9.1 — enters a report that was sent after publication as a correction of the rated one."""
    _, preview = view.office.replacements.preview(view.asker, report)
    if data.reason.strip():
        waivers = [Waiver(waiver.key, waiver.reason) for waiver in data.waivers]
        view.office.replacements.enter(view.asker, report, data.reason, waivers)
    return _effects(preview.impacts, preview.next_lists, data.reason)


@api_act(
    "/tournaments/{tournament:int}/annul",
    permission=Permission.APPROVE_REGISTRATION,
    responses=_REFUSED,
)
def annul(view: TheView, tournament: FromPath[int], data: JSONBody[ReasonRecord]) -> EffectRecord:
    """0.4 — tells whom annulling a published tournament touches, and annuls it with a reason."""
    preview = view.office.annulments.preview(view.asker, tournament)
    if data.reason.strip():
        view.office.annulments.enter(view.asker, tournament, data.reason)
    return _effects(preview.impacts, preview.next_lists, data.reason)


class RefusedTournament(Struct, frozen=True, kw_only=True):
    """A tournament that is not rated, and until when there can be an appeal."""

    tournament: int
    status: str
    appeal_until: date | None


@api_act(
    "/tournaments/{tournament:int}/refuse",
    permission=Permission.APPROVE_REGISTRATION,
    responses=_REFUSED,
)
def refuse(
    view: TheView, tournament: FromPath[int], data: JSONBody[ReasonRecord]
) -> RefusedTournament:
    """0.4 — refuses to rate a tournament: its accepted reports leave every list to come."""
    changed = view.office.tournaments.refuse(view.asker, tournament, data.reason)
    return RefusedTournament(
        tournament=changed.id, status=changed.status.value, appeal_until=changed.appeal_until
    )


def _changes(data: CorrectionRecord) -> list[CorrectionOf]:
    changes: list[CorrectionOf] = [
        ResultCorrection(
            round=result.round,
            white=result.white,
            black=result.black,
            white_half=result.white_half,
            black_half=result.black_half,
            played=result.played,
        )
        for result in data.results
    ]
    changes += [IdCorrection(entry=player.entry, player=player.player) for player in data.players]
    if data.days is not None:
        changes.append(DateCorrection(start=data.days.start, end=data.days.end))
    changes += [
        GameExclusion(
            round=exclusion.round,
            white=exclusion.white,
            black=exclusion.black,
            article=exclusion.article,
            ground="fair_play" if exclusion.ground == "fair_play" else "force_majeure",
        )
        for exclusion in data.exclusions
    ]
    return changes


def _error(view: View, finding: Finding) -> RefusedFinding:
    return RefusedFinding(
        severity=finding.severity.value,
        key=waiver_key(finding),
        article=finding.article,
        line=finding.place.line,
        column=finding.place.column,
        text=finding_text(view.language, finding),
        do=finding_advice(view.language, finding),
        more=finding.more,
    )


def _effects(
    impacts: Mapping[str, Impact], next_lists: Mapping[str, date], reason: str
) -> EffectRecord:
    players = {
        system: [
            TouchedPlayer(
                id=player.id,
                name=player.name,
                rating_before=player.rating_before,
                rating_after=player.rating_after,
                games_before=player.games_before,
                games_after=player.games_after,
                base_before=player.base_before,
                base_after=player.base_after,
                effect=player.note.value,
            )
            for player in impact.players
        ]
        for system, impact in impacts.items()
    }
    return EffectRecord(entered=bool(reason.strip()), lists=dict(next_lists), players=players)
