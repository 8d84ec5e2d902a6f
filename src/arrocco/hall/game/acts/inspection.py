"""5.10, 8.1, 8.2, 10.3, 12.4 — the arbiter asks a player to show something, and says what was seen.

The player answers or refuses. Nothing follows of itself: a refusal is shown with the act that fits.
"""

from __future__ import annotations

from arrocco.hall.game.acts.base import NOT_ENDED, ActRecord, ArbiterCommand, InspectionNumber
from arrocco.hall.game.acts.pause import Paused
from arrocco.hall.game.changes import Changes, replace
from arrocco.hall.game.decision import Decision, Judge, happened, refused
from arrocco.hall.game.events import Detail, Event, SeenBy
from arrocco.hall.game.records import Count, InspectionPoint
from arrocco.hall.game.state import Inspection, Phase, State
from arrocco.laws.online.law import OnlineLaw
from arrocco.laws.online.side import Side

ARTICLES = ("12.4", "5.10", "8.1", "8.2", "10.3")
CLOCKS_STOPPED = "hall_live.inspection_stops_clocks"
"""Why the clocks stand, where the arbiter gave no other reason for what is asked."""


class AskToShow(ArbiterCommand, frozen=True, kw_only=True):
    """Asks a player to show something; with the clocks stopped, it costs nobody any time."""

    ARTICLES = ARTICLES
    PLACE = 24
    KEY = "i"
    PHASES = NOT_ENDED
    REASON_MAY_FOLLOW = True

    side: Side
    point: InspectionPoint
    stop_clocks: bool

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        article = self.article_in(state)
        if article != self.point.article:
            return refused("hall.other_article", article, field="article", point=self.point.article)
        if state.phase is Phase.ENDED:
            return refused("hall.game_over", article)
        player = state.seat(self.side).player.id
        if any(
            (open_inspection.player, open_inspection.point) == (player, self.point)
            for open_inspection in open_inspections(state)
        ):
            return refused("hall.inspection_open", article, field="point")
        given = self.signed(article, now)
        events: list[Event] = [InspectionAsked(**given, side=self.side, point=self.point)]
        if self.stop_clocks and state.phase is Phase.RUNNING:
            clock = state.clock.pause(now)
            why = {**given, "reason": given["reason"] or CLOCKS_STOPPED, "article": "11.6"}
            events.append(Paused(**why, stopped=now, white=clock.white, black=clock.black))
        return happened(*events)

    def article_in(self, game: State) -> str:
        return self.article or self.point.article

    def is_for_chief(self, game: State, article: str) -> bool:
        """6.3 — to look is every arbiter's; only what follows of a refusal is the chief's."""
        return False

    @classmethod
    def choices(cls, field: str, article: str, law: OnlineLaw) -> tuple[str, ...] | None:
        if field != "point":
            return None
        return tuple(point.value for point in InspectionPoint if point.article == article)


class InspectionAsked(ActRecord, frozen=True, kw_only=True):
    """A player is asked to show something."""

    SEEN_BY = SeenBy.ITS_PLAYER

    side: Side
    point: InspectionPoint

    def changes(self, state: State) -> Changes:
        player = state.seat(self.side).player.id
        asked = Inspection(state.number, player, self.point, self.at)
        return {"inspections": (*state.inspections, asked)}

    def can_be_withdrawn(self, state: State, number: int) -> bool:
        return any(open_inspection.number == number for open_inspection in open_inspections(state))

    def changes_withdrawn(self, state: State, side: Side | None) -> Changes:
        player = None if side is None else state.seat(side).player.id
        left = (
            inspection for inspection in state.inspections if not self._is_this(inspection, player)
        )
        return {"inspections": tuple(left)}

    def _is_this(self, inspection: Inspection, player: str | None) -> bool:
        return (inspection.player, inspection.point, inspection.at, inspection.closed) == (
            player,
            self.point,
            self.at,
            None,
        )

    def details(self) -> tuple[Detail, ...]:
        return (Detail("word", f"point.{self.point}"),)


class CloseInspection(ArbiterCommand, frozen=True, kw_only=True):
    """Says whether what a player was asked to show is in order, seen or not."""

    ARTICLES = ARTICLES
    PLACE = 25
    REASON_MAY_FOLLOW = True

    inspection: InspectionNumber
    in_order: bool

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        asked = _open(state, self.inspection)
        if asked is None:
            return refused("hall.no_such_inspection", article, field="inspection")
        return happened(
            InspectionClosed(
                **self.signed(asked.point.article, now),
                side=state.side_of_player(asked.player),
                point=asked.point,
                inspection=asked.number,
                in_order=self.in_order,
            )
        )

    def article_in(self, game: State) -> str:
        asked = _open(game, self.inspection)
        return self.article or ("" if asked is None else asked.point.article)

    def is_for_chief(self, game: State, article: str) -> bool:
        return False


class InspectionClosed(ActRecord, frozen=True, kw_only=True):
    """What the arbiter found, of the inspection that the event of that number asked for."""

    SEEN_BY = SeenBy.ITS_PLAYER

    side: Side
    point: InspectionPoint
    inspection: Count
    in_order: bool

    def changes(self, state: State) -> Changes:
        return {
            "inspections": tuple(
                replace(inspection, in_order=self.in_order, closed=self.at)
                if inspection.number == self.inspection
                else inspection
                for inspection in state.inspections
            )
        }

    def details(self) -> tuple[Detail, ...]:
        outcome = "inspection.in_order" if self.in_order else "inspection.not_in_order"
        return Detail("word", f"point.{self.point}"), Detail("word", outcome)


def open_inspections(state: State) -> list[Inspection]:
    """What players were asked to show and no arbiter has closed."""
    return [inspection for inspection in state.inspections if inspection.closed is None]


def _open(state: State, number: int) -> Inspection | None:
    return next(
        (
            open_inspection
            for open_inspection in open_inspections(state)
            if open_inspection.number == number
        ),
        None,
    )
