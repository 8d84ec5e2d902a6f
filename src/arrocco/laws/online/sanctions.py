"""The FSI online regulation, articles 5.9, 5.10, 6.9, 12.7 and 13.5: sanctions and their limits."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, StrEnum

from arrocco.laws.online.score import HALF_POINTS, Pair, Scores, Scoring


class ArbiterSanction(Enum):
    """6.9 — what an arbiter can impose."""

    WARNING = "a"
    MORE_TIME_FOR_OPPONENT = "b"
    LESS_TIME = "c"
    MORE_POINTS_FOR_OPPONENT = "d"
    FEWER_POINTS = "e"
    GAME_LOST = "f"
    FINE = "g"
    EXCLUSION_FROM_ROUNDS = "h"
    EXCLUSION_FROM_STANDINGS = "i"
    EXPULSION = "j"
    CHAT_BLOCK = "k"

    @property
    def article(self) -> str:
        return f"6.9{self.value}"


class CommitteeSanction(Enum):
    """13.5 — what the Fair Play Committee can impose."""

    WARNING = "a"
    SCORE_CHANGE = "b"
    EXCLUSION = "c"
    EXCLUSION_FROM_STANDINGS = "d"
    QUALIFICATION_REVOKED = "e"
    CHAT_BLOCK = "f"

    @property
    def article(self) -> str:
        return f"13.5{self.value}"


class Scope(StrEnum):
    """How far an exclusion reaches."""

    ROUNDS = "rounds"
    TOURNAMENT = "tournament"
    CHAMPIONSHIP = "championship"
    COMPETITION = "competition"
    PERIOD = "period"


class Objection(StrEnum):
    """Why a sanction cannot be imposed as it stands."""

    NO_TIME_GIVEN = "no_time_given"
    NO_SCORE_GIVEN = "no_score_given"
    SCORE_NOT_LEGAL = "score_not_legal"
    OPPONENT_NOT_RAISED = "opponent_not_raised"
    OWN_SCORE_CHANGED = "own_score_changed"
    OWN_NOT_REDUCED = "own_not_reduced"
    OPPONENT_CHANGED = "opponent_changed"
    NOT_LOST = "not_lost"
    NO_FINE_GIVEN = "no_fine_given"
    FINE_NOT_ANNOUNCED = "fine_not_announced"
    FINE_ABOVE_ANNOUNCED = "fine_above_announced"
    NO_EXTENT_GIVEN = "no_extent_given"
    SCOPE_NOT_OPEN = "scope_not_open"


@dataclass(frozen=True)
class Terms:
    """What a sanction comes with; each sanction looks only at what concerns it.

    Scores are pairs of the player at fault and the opponent. `fine` and `announced_fine` are in
    euro cents, the latter `None` where the event announced no fine.
    """

    time: timedelta | None = None
    score_before: Pair | None = None
    score_after: Pair | None = None
    fine: int | None = None
    announced_fine: int | None = None
    scope: Scope | None = None
    rounds: int | None = None
    period: timedelta | None = None


NO_TERMS = Terms()
"""The terms of a sanction that needs none."""


_ARBITER_SCOPES = {
    ArbiterSanction.EXCLUSION_FROM_ROUNDS: {Scope.ROUNDS},
    ArbiterSanction.EXCLUSION_FROM_STANDINGS: {Scope.TOURNAMENT, Scope.CHAMPIONSHIP},
    ArbiterSanction.EXPULSION: {Scope.TOURNAMENT, Scope.CHAMPIONSHIP, Scope.COMPETITION},
}
_COMMITTEE_SCOPES = {
    CommitteeSanction.EXCLUSION: set(Scope),
    CommitteeSanction.EXCLUSION_FROM_STANDINGS: {Scope.TOURNAMENT, Scope.CHAMPIONSHIP},
}
_TIME_SANCTIONS = {ArbiterSanction.MORE_TIME_FOR_OPPONENT, ArbiterSanction.LESS_TIME}
_SCORE_SANCTIONS = {
    ArbiterSanction.MORE_POINTS_FOR_OPPONENT,
    ArbiterSanction.FEWER_POINTS,
    ArbiterSanction.GAME_LOST,
}
_NOT_MILDER_THAN_LOSS = {
    ArbiterSanction.GAME_LOST,
    ArbiterSanction.EXCLUSION_FROM_ROUNDS,
    ArbiterSanction.EXCLUSION_FROM_STANDINGS,
    ArbiterSanction.EXPULSION,
}


class Sanctions(Scores):
    """What can be imposed by whom, within which limits, and whether it can be appealed."""

    # --- 5.9 and 5.10: games lost by themselves ------------------------------------------------

    def score_for_forbidden_device(self, scoring: Scoring = HALF_POINTS) -> Pair:
        """5.9 — a forbidden device in the playing area: the player loses, the opponent wins."""
        return scoring.loss, scoring.win

    def may_replace_loss_for_device(self, sanction: ArbiterSanction) -> bool:
        """5.9 — an event's rules may put only a milder sanction in the place of the loss."""
        return sanction not in _NOT_MILDER_THAN_LOSS

    # --- 6.9: the arbiter ----------------------------------------------------------------------

    def objections_to_arbiter(
        self, sanction: ArbiterSanction, terms: Terms = NO_TERMS, scoring: Scoring = HALF_POINTS
    ) -> tuple[Objection, ...]:
        """6.9 — what forbids an arbiter's sanction on these terms; nothing when it is allowed.

        5.10 — who refuses an inspection loses as by 6.9f: the opponent's score is the arbiter's.
        """
        if sanction in _TIME_SANCTIONS:
            given = (terms.time or timedelta(0)) > timedelta(0)
            return () if given else (Objection.NO_TIME_GIVEN,)
        if sanction in _SCORE_SANCTIONS:
            return self._objections_to_score(sanction, terms, scoring)
        if sanction is ArbiterSanction.FINE:
            return _objections_to_fine(terms)
        if sanction in _ARBITER_SCOPES:
            return _objections_to_scope(terms, _ARBITER_SCOPES[sanction])
        return ()

    def _objections_to_score(
        self, sanction: ArbiterSanction, terms: Terms, scoring: Scoring
    ) -> tuple[Objection, ...]:
        before, after = terms.score_before, terms.score_after
        if before is None or after is None:
            return (Objection.NO_SCORE_GIVEN,)
        objections = []
        if not self.score_is_legal(after, scoring):
            objections.append(Objection.SCORE_NOT_LEGAL)
        if sanction is ArbiterSanction.MORE_POINTS_FOR_OPPONENT:
            if after[1] <= before[1]:
                objections.append(Objection.OPPONENT_NOT_RAISED)
            if after[0] != before[0]:
                objections.append(Objection.OWN_SCORE_CHANGED)
        elif sanction is ArbiterSanction.FEWER_POINTS:
            if after[0] >= before[0]:
                objections.append(Objection.OWN_NOT_REDUCED)
            if after[1] != before[1]:
                objections.append(Objection.OPPONENT_CHANGED)
        elif after[0] != scoring.loss:  # f: the opponent's score is the arbiter's to decide
            objections.append(Objection.NOT_LOST)
        return tuple(objections)

    # --- 13.5: the committee -------------------------------------------------------------------

    def objections_to_committee(
        self, sanction: CommitteeSanction, terms: Terms = NO_TERMS, scoring: Scoring = HALF_POINTS
    ) -> tuple[Objection, ...]:
        """13.5 — what forbids the committee's sanction on these terms."""
        if sanction is CommitteeSanction.SCORE_CHANGE:
            if terms.score_after is None:
                return (Objection.NO_SCORE_GIVEN,)
            legal = self.score_is_legal(terms.score_after, scoring)
            return () if legal else (Objection.SCORE_NOT_LEGAL,)
        if sanction in _COMMITTEE_SCOPES:
            return _objections_to_scope(terms, _COMMITTEE_SCOPES[sanction])
        return ()

    def needs_chief_arbiter(
        self, sanction: CommitteeSanction | None, scope: Scope | None = None
    ) -> bool:
        """13.3 — losses of earlier rounds and a disqualification: chief arbiter and committee both.

        Italiano: sconfitte in turni precedenti e squalifica: arbitro principale e comitato insieme.

        `None` stands for the losses. Who is only kept from rounds is not disqualified.
        """
        if sanction is None:
            return True
        return sanction is CommitteeSanction.EXCLUSION and scope is not Scope.ROUNDS

    def loss_needs_committee(self, *, is_earlier_round: bool) -> bool:
        """13.3 — the loss of an earlier round: chief arbiter and committee; of this one, the chief.

        Italiano: sconfitta in un turno precedente: arbitro principale e comitato; in quello in
        corso, l'arbitro principale.
        """
        return is_earlier_round

    def arbiter_imposes(self, sanction: ArbiterSanction | CommitteeSanction) -> bool:
        """6.9, 13.5 — an arbiter imposes what 6.9 has; what 13.5 has only the committee does.

        Italiano: un arbitro irroga ciò che è al 6.9; ciò che è al 13.5 soltanto il comitato.
        """
        return isinstance(sanction, ArbiterSanction)

    def objection_article(
        self, sanction: ArbiterSanction | CommitteeSanction, objection: Objection
    ) -> str:
        """The article an objection rests on: that of the sanction, or 3.2 on scores."""
        return "3.2" if objection is Objection.SCORE_NOT_LEGAL else sanction.article

    def scopes(self, sanction: ArbiterSanction | CommitteeSanction) -> tuple[Scope, ...]:
        """6.9, 13.5 — how far an exclusion can reach; nothing for other sanctions.

        Italiano: fin dove può arrivare un'esclusione; niente per le altre sanzioni.
        """
        if isinstance(sanction, ArbiterSanction):
            open_scopes = _ARBITER_SCOPES.get(sanction, set())
        else:
            open_scopes = _COMMITTEE_SCOPES.get(sanction, set())
        return tuple(scope for scope in Scope if scope in open_scopes)

    # --- 5.16 and 12.7: whether it is final ----------------------------------------------------

    def is_appealable(
        self,
        sanction: ArbiterSanction | CommitteeSanction,
        final_by_event: Collection[ArbiterSanction] = (),
    ) -> bool:
        """5.16, 12.7 — the committee is final; an arbiter only where the event's rules say so."""
        if isinstance(sanction, CommitteeSanction):
            return False
        return sanction not in final_by_event


def _objections_to_fine(terms: Terms) -> tuple[Objection, ...]:
    objections = []
    fine = terms.fine or 0
    if fine <= 0:
        objections.append(Objection.NO_FINE_GIVEN)
    if terms.announced_fine is None:
        objections.append(Objection.FINE_NOT_ANNOUNCED)
    elif fine > terms.announced_fine:
        objections.append(Objection.FINE_ABOVE_ANNOUNCED)
    return tuple(objections)


def _objections_to_scope(terms: Terms, open_scopes: set[Scope]) -> tuple[Objection, ...]:
    if terms.scope is None:
        return (Objection.NO_EXTENT_GIVEN,)
    if terms.scope not in open_scopes:
        return (Objection.SCOPE_NOT_OPEN,)
    if terms.scope is Scope.ROUNDS and (terms.rounds or 0) < 1:
        return (Objection.NO_EXTENT_GIVEN,)
    if terms.scope is Scope.PERIOD and (terms.period or timedelta(0)) <= timedelta(0):
        return (Objection.NO_EXTENT_GIVEN,)
    return ()
