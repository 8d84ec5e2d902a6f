"""6.9h, 6.9i, 6.9j — an exclusion as far as its article reaches; the event carries it out."""

from __future__ import annotations

from arrocco.hall.game.acts.base import ActRecord, ArbiterCommand, RoundCount, Sanction
from arrocco.hall.game.decision import Decision, Judge, happened, refused
from arrocco.hall.game.endings import expelled
from arrocco.hall.game.events import Detail, SeenBy
from arrocco.hall.game.records import Count
from arrocco.hall.game.state import Phase, State
from arrocco.laws.online.law import OnlineLaw
from arrocco.laws.online.sanctions import ArbiterSanction, Scope, Terms
from arrocco.laws.online.side import Side

_EXPULSION = "6.9j"


class Exclude(ArbiterCommand, frozen=True, kw_only=True):
    """Excludes a player from rounds, from the standings, or altogether."""

    ARTICLES = ("6.9h", "6.9i", "6.9j")
    PLACE = 15
    CHANGES_STANDINGS = True

    side: Side
    scope: Scope
    rounds: RoundCount | None = None

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        terms = Terms(scope=self.scope, rounds=self.rounds)
        objections = judge.law.objections_to_arbiter(ArbiterSanction(article[-1]), terms)
        if objections:
            extent = "rounds" if self.scope is Scope.ROUNDS else "scope"
            return refused(f"hall.objection.{objections[0].value}", article, field=extent)
        excluded = Excluded(
            **self.signed(article, now), side=self.side, scope=self.scope, rounds=self.rounds
        )
        if article != _EXPULSION or state.phase is Phase.ENDED:
            return happened(excluded)
        return happened(excluded, expelled(state, self.side, article, now, judge))

    @classmethod
    def choices(cls, field: str, article: str, law: OnlineLaw) -> tuple[str, ...] | None:
        """How far an exclusion can reach by its article."""
        if field != "scope":
            return None
        return tuple(scope.value for scope in law.scopes(ArbiterSanction(article[-1])))


class Excluded(ActRecord, frozen=True, kw_only=True):
    """A player is excluded (6.9h, 6.9i, 6.9j); the event carries it out."""

    SEEN_BY = SeenBy.ITS_PLAYER

    side: Side
    scope: Scope
    rounds: Count | None = None

    def can_be_withdrawn(self, state: State, number: int) -> bool:
        return True

    def sanction(self) -> Sanction:
        return Sanction(self.article, scope=self.scope, rounds=self.rounds)

    def details(self) -> tuple[Detail, ...]:
        if self.rounds is None:
            return (Detail("word", f"scope.{self.scope}"),)
        return (Detail("rounds", self.rounds),)
