"""An event of the hall on a published list, and cases of the committee about its players."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

from arrocco.desk import Office
from arrocco.desk.handover import hand_over
from arrocco.hall.event.state import State
from arrocco.laws.online.fair_play import Seat
from arrocco.laws.systems import system_named
from arrocco.office.cases import CommitteeCase
from arrocco.office.cases.records import CaseOrigin, CaseSanction
from arrocco.office.records import SentReport
from arrocco.office.roles import Asker
from arrocco.web.case_sanctions import commands_for
from tests.desk.offices import HEADING, Clock, People, published
from tests.desk.test_committee import invited, name
from tests.watch.played import DAY, PlayedEvent

SYSTEM = "rio-blitz"
OPENING = date(2026, 5, 1)


class DecidedCases:
    """Three members, and an event of four players whose chief is the arbiter of the office."""

    def __init__(
        self, office: Office, people: People, clock: Clock, folder: Path, rounds: int = 2
    ) -> None:
        self.office, self.people, self.clock = office, people, clock
        clock.go_to(OPENING)
        self.master, self.ia, self.expert = (
            invited(office, people, who) for who in ("alfa", "beta", "gamma")
        )
        for who, seat in zip((self.master, self.ia, self.expert), Seat, strict=True):
            name(office, people, who, seat, category="M")
        rows = [
            f'{99000100 + n},"Torre{n:02d}, Tea",ITA,F,1990,,{1450 + 50 * n},,40,\n'
            for n in range(1, 5)
        ]
        opening = folder / "opening.csv"
        opening.write_text(HEADING + "".join(rows), "utf-8")
        office.lists.import_list(people.administrator, SYSTEM, OPENING, opening)
        self.played = PlayedEvent(
            office,
            chief=str(people.arbiter.account),
            organiser=str(people.officer.account),
            accounts=(str(people.player.account),),
            rounds=rounds,
        )
        clock.at = self.played.now

    @property
    def event(self) -> State:
        return self.played.state

    # --- the report -------------------------------------------------------------------------------

    def sent(self) -> SentReport:
        """The event as its chief arbiter hands it over."""
        self.played.validate()
        self.clock.at = max(self.clock.at, self.played.now)
        games = [game.state for game in self.played.games.values()]
        return hand_over(self.office, self.people.arbiter, self.event, games)

    def accepted(self) -> SentReport:
        sent = self.sent()
        warned = {
            index: "it was so"
            for index, finding in enumerate(sent.findings)
            if finding.severity == "warning"
        }
        if warned:
            self.office.reports.answer(self.people.arbiter, sent.id, warned)
        return self.office.reports.accept(self.people.administrator, sent.id)

    def next_list(self) -> date:
        latest = self.office.lists.latest(SYSTEM)
        assert latest is not None
        return system_named(SYSTEM).edition_on(DAY).next_list(latest.list_date)

    def publish(self) -> date:
        """The next list, on its day."""
        following = self.next_list()
        self.clock.go_to(following)
        published(self.office, self.people, SYSTEM, following)
        return following

    def ratings(self, on: date) -> dict[int, int]:
        view = self.office.lists.view(SYSTEM, on)
        return {number: int(view.player(number).rating) for number in range(99000101, 99000105)}  # type: ignore[union-attr, arg-type]

    # --- the case ---------------------------------------------------------------------------------

    def decided(self, *sanctions: CaseSanction, entry: int = 1) -> CommitteeCase:
        """A case from its opening to the signature of the chief arbiter where it needs one."""
        cases, event = self.office.cases, self.event
        number = cases.open_case(self.master, event, entry, CaseOrigin.OWN, "mosse").number
        cases.add_evidence(self.master, number, event, "file.txt", b"prova segreta")
        until = self.clock.at + timedelta(days=1)
        cases.ask_statement(self.expert, number, event, until, "Che cosa dici?")
        self.clock.at = until + timedelta(seconds=1)
        cases.propose(
            self.master, number, event, is_breach=True, reasons="provato", sanctions=sanctions
        )
        case = cases.vote(self.expert, number, event, 1, in_favour=True)
        if case.proposals[0].needs_chief(event.laws.online):
            case = cases.sign(self.people.arbiter, number, event, 1, agrees=True)
        return case

    def carried_out(self, case: CommitteeCase, asker: Asker | None = None) -> None:
        """Has the event take the decision, as the pages do."""
        law = self.event.laws.online
        decision = case.decision(law)
        assert decision is not None
        self.played.now = max(self.played.now, self.clock.at)
        by = asker or self.people.arbiter
        for number, _ in case.to_carry_out(law):
            for _, command in commands_for(self.event, case, decision, number):
                self.played.ask(command)
            self.office.cases.carried_out(by, case.number, self.event, number)
        self.played.write()
        self.office.case_ratings.tell_office(by, case.number, self.event)
