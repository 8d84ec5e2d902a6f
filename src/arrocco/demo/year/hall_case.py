"""A case of the committee after the evening in the hall, from its opening to the ratings.

The list with the evening is out when the committee decides: its decision reaches the event, and
the office corrects by it what was published (12.13).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from arrocco.demo.year.desk import YearDesk
from arrocco.desk.open_matters import checks_complete, open_matters
from arrocco.hall import event as hall
from arrocco.hall.event.acts import Command
from arrocco.hall.event.acts.closing import Validate
from arrocco.hall.event.acts.official import AnnounceResults
from arrocco.laws.online.fair_play import Seat
from arrocco.laws.online.sanctions import Scope
from arrocco.office.cases.records import CaseOrigin, CaseSanction
from arrocco.office.roles import Asker
from arrocco.web.case_sanctions import commands_for

AskEvent = Callable[[hall.State, Command], hall.State]
"""Has the event do something, and writes it down; the event after it."""
EVIDENCE = b"Tempi per mossa e scelte, partita per partita (dati inventati per la dimostrazione).\n"
_HEARING = timedelta(days=2)


class HallCase:
    """The case about whoever won the first game of round 1, act by act in the agenda."""

    def __init__(self, desk: YearDesk, state: hall.State, ask: AskEvent) -> None:
        self._desk, self._state, self._ask = desk, state, ask
        self._cases = desk.office.cases
        members = desk.staff.members
        self._master, self._expert = members[Seat.MASTER], members[Seat.ANTI_CHEATING_EXPERT]
        self._number = 0

    def enter(self, day: date) -> None:
        """Puts the acts into the agenda, after the day of the list with the evening."""
        self._desk.on(day + timedelta(days=2), 10, self._open)
        self._desk.on(day + timedelta(days=5), 10, self._decide)

    def _open(self) -> None:
        case = self._cases.open_case(
            self._master,
            self._state,
            _winner(self._state),
            CaseOrigin.ALARM,
            "Prime scelte del motore e tempi uguali in quasi tutte le mosse del turno 1.",
        )
        self._number = case.number
        self._cases.add_evidence(
            self._master,
            case.number,
            self._state,
            "mosse.txt",
            EVIDENCE,
            media_type="text/plain",
            about="Partite del giocatore",
        )
        until = self._desk.agenda() + _HEARING
        question = "Come hai scelto le mosse dalla 12 alla 24 del primo turno?"
        self._cases.ask_statement(self._expert, case.number, self._state, until, question)

    def _decide(self) -> None:
        reasons = "Il giocatore non ha risposto; le prove bastano per la partita del primo turno."
        sanctions = (
            CaseSanction(article="13.3", rounds=(1,)),
            CaseSanction(article="13.5d", scope=Scope.TOURNAMENT),
        )
        self._cases.propose(
            self._master,
            self._number,
            self._state,
            is_breach=True,
            reasons=reasons,
            sanctions=sanctions,
        )
        self._cases.vote(self._expert, self._number, self._state, 1, in_favour=True)
        self._desk.later(0, 16, self._sign)

    def _sign(self) -> None:
        chief: Asker = self._desk.arbiter(0)
        case = self._cases.sign(chief, self._number, self._state, 1, agrees=True)
        law = self._state.laws.online
        decision = case.decision(law)
        assert decision is not None
        for number, _ in case.to_carry_out(law):
            for _, command in commands_for(self._state, case, decision, number):
                self._state = self._ask(self._state, command)
            self._cases.carried_out(chief, self._number, self._state, number)
        # What the committee decides after the standings were validated has them validated anew.
        self._state = self._ask(self._state, Validate(by=str(chief.account)))
        self._desk.office.case_ratings.tell_office(chief, self._number, self._state)
        self._desk.later(1, 9, self._announce)
        self._desk.later(1, 10, self._correct)

    def _announce(self) -> None:
        """12.3 — the new standings are official too, once nobody can appeal against them."""
        chief, desk = str(self._desk.arbiter(0).account), self._desk.office.desk
        announce = AnnounceResults(
            by=chief,
            open_matters=len(open_matters(desk, self._state)),
            checks_complete=checks_complete(desk, self._state),
        )
        self._state = self._ask(self._state, announce)

    def _correct(self) -> None:
        reason = f"Decisione del Comitato Fair Play, caso {self._number} (13.3, 12.13)"
        self._desk.office.case_ratings.enter(
            self._desk.staff.boss, self._number, self._state, reason
        )


def _winner(state: hall.State) -> int:
    """The entry that won the first decisive game of round 1."""
    for board in state.rounds[0].boards:
        assert board.result is not None
        for entry, half_points in zip(board.players, board.result.half_points, strict=True):
            if half_points == 2:
                return entry
    return state.rounds[0].boards[0].white
