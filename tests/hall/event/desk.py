"""An organiser's desk in tests: an event with invented people, and a time that only tests move."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from typing import Any

from arrocco.hall.event import Decision, Rules, State, apply, begin, create, decide, fold
from arrocco.hall.event.acts import Command
from arrocco.hall.event.acts.closing import CloseEvent
from arrocco.hall.event.acts.committee import CarryOutDecision
from arrocco.hall.event.acts.entries import Enter
from arrocco.hall.event.acts.officials import AppointArbiter, SetRules
from arrocco.hall.event.acts.pairing import PairByHand, PairRound
from arrocco.hall.event.acts.results import TakeResult
from arrocco.hall.event.acts.rounds import CloseRound, OpenRound
from arrocco.hall.event.acts.sanctions import Impose
from arrocco.hall.event.creation import Create
from arrocco.hall.event.log import dump, load
from arrocco.hall.event.record import Created, Record
from arrocco.hall.event.records import Arbiter, PairingSystem, Person, Result, TieBreak
from arrocco.hall.event.result_rules import made
from arrocco.hall.event.standings import Standing, standings
from arrocco.laws.hall import laws_on
from arrocco.records.report import GameKind
from arrocco.words import LANGUAGES, finding_advice, finding_text

ROME = timezone(timedelta(hours=1))
START = datetime(2026, 11, 14, 15, 0, tzinfo=ROME)
ORGANISER, CHIEF, HELPER = "olga", "carla", "anna"
SURNAMES = ("Abete", "Betulla", "Cedro", "Dafne", "Edera", "Faggio", "Ginepro", "Ibisco")
WIN, DRAW, LOSS = (10, 0), (5, 5), (0, 10)
PLAYED, FORFEIT = GameKind.PLAYED, GameKind.FORFEIT
LAWS = laws_on(START.date())


def rules(**changes: Any) -> Rules:
    """Rules that nothing can be said against."""
    given: dict[str, Any] = {
        "rounds": 3,
        "time_control": "180+2",
        "tolerance": timedelta(minutes=5),
        "disconnection_rule": "The clock runs on.",
        "tie_breaks": (TieBreak.BUCHHOLZ_CUT_1, TieBreak.BUCHHOLZ),
    }
    if changes.get("system", PairingSystem.SWISS).is_round_robin:
        given |= {"rounds": 0, "tie_breaks": (TieBreak.SONNEBORN_BERGER,)}
    return Rules(**{**given, **changes})


def person(number: int, **changes: Any) -> Person:
    """An invented player: the first is the strongest."""
    given: dict[str, Any] = {
        "account": f"p{number}",
        "surname": SURNAMES[(number - 1) % len(SURNAMES)] + "i" * ((number - 1) // len(SURNAMES)),
        "name": "Ada",
        "id": 99_000_000 + number,
        "federation": "ITA",
        "rating": 2100 - 50 * number,
    }
    return Person(**{**given, **changes})


def result(points: tuple[int, int], kind: GameKind = PLAYED) -> Result:
    halves = {10: 2, 5: 1, 0: 0}
    return Result(points, (halves[points[0]], halves[points[1]]), kind)


def as_decided(impose: Impose) -> Command:
    """A sanction of 6.9 as an arbiter asks for it, one of 13.5 as a case of the committee does."""
    is_arbiters = impose.article.startswith("6.9")
    return impose if is_arbiters else CarryOutDecision(by="", case=1, impose=impose)


class Desk:
    """An event under way; `now` moves only when told to."""

    def __init__(self, players: int = 0, **changes: Any) -> None:
        self.now = START
        first = create(
            Create(
                by=ORGANISER,
                event="ev1",
                name="Trofeo delle Piante",
                site="Online",
                federation="ITA",
                start=date(2026, 11, 14),
                end=date(2026, 11, 15),
            ),
            self.now,
        ).events[0]
        assert isinstance(first, Created)
        self.log: list[Record] = [first]
        self.state: State = begin(first)
        self.granted(SetRules(by=ORGANISER, rules=rules(**changes)))
        self.appoint(CHIEF, "Carla Capo", chief=True)
        for number in range(1, players + 1):
            self.granted(Enter(by=ORGANISER, person=person(number)))

    # --- asking --------------------------------------------------------------------------------

    def ask(self, command: Command) -> Decision:
        """Decides, and does what was decided; every refusal can be said in both languages."""
        decision = decide(self.state, command, self.now, LAWS)
        for event in decision.events:
            self.state = apply(self.state, event)
            self.log.append(event)
        for finding in decision.objections:
            for language in LANGUAGES:
                assert "{" not in finding_text(language, finding)
                assert finding_advice(language, finding)
        return decision

    def granted(self, command: Command) -> tuple[Record, ...]:
        decision = self.ask(command)
        assert decision.refusal is None, f"{command} was refused: {decision.refusal}"
        return decision.events

    def refusal(self, command: Command) -> tuple[str, str]:
        """The key and the article with which a command is refused."""
        decision = self.ask(command)
        assert decision.refusal is not None, f"{command} was granted: {decision.events}"
        assert not decision.events
        return decision.refusal.key.removeprefix("event."), decision.refusal.article

    def later(self, **time: float) -> Desk:
        self.now += timedelta(**time)
        return self

    # --- usual days ----------------------------------------------------------------------------

    def appoint(self, account: str, name: str, **more: Any) -> None:
        arbiter = Arbiter(account=account, name=name, **more)
        self.granted(AppointArbiter(by=ORGANISER, arbiter=arbiter))

    def pair(self) -> Desk:
        self.granted(PairRound(by=CHIEF))
        return self

    def by_hand(self, *boards: tuple[int, int], bye: int | None = None) -> Desk:
        self.granted(PairByHand(by=CHIEF, boards=boards, bye=bye, reason="as drawn"))
        return self

    def open(self) -> Desk:
        self.granted(OpenRound(by=CHIEF))
        return self

    def take(
        self, board: int, points: tuple[int, int], kind: GameKind = PLAYED, round_: int = 0
    ) -> Desk:
        number = round_ or len(self.state.rounds)
        self.granted(
            TakeResult(by="", round=number, board=board, result=made(self.state, points, kind))
        )
        return self

    def close(self) -> Desk:
        self.granted(CloseRound(by=CHIEF))
        return self

    def play(self, *scores: tuple[int, int]) -> Desk:
        """Opens the round that is paired, takes its results and closes it."""
        self.open()
        for number, points in enumerate(scores, start=1):
            self.take(number, points)
        return self.close().later(minutes=20)

    def end(self, reason: str = "") -> Desk:
        self.granted(CloseEvent(by=CHIEF, reason=reason))
        return self

    def impose(self, article: str, entry: int, **more: Any) -> tuple[Record, ...]:
        impose = Impose(by=CHIEF, article=article, entry=entry, reason="as seen", **more)
        return self.granted(as_decided(impose))

    # --- looking -------------------------------------------------------------------------------

    @property
    def boards(self) -> list[tuple[int, int]]:
        """The boards of the round that was paired last."""
        return [board.players for board in self.state.rounds[-1].boards]

    def standing(self, entry: int) -> Standing:
        return next(one for one in standings(self.state) if one.entry == entry)

    def ranks(self) -> dict[int, int]:
        return {standing.entry: standing.rank for standing in standings(self.state)}

    def points(self) -> dict[int, int]:
        return {standing.entry: standing.points for standing in standings(self.state)}

    def refolded(self) -> State:
        """The state that the written log gives."""
        return fold(load(dump(self.log)))
