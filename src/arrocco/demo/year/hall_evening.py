"""One evening in the playing hall of an invented office: an event, from its rules to its report."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone
from random import Random

from arrocco.demo.year.desk import YearDesk
from arrocco.demo.year.games import play
from arrocco.demo.year.hall_case import HallCase
from arrocco.demo.year.hall_filings import PRIZES, after_the_last_round, name_receipt
from arrocco.demo.year.hall_games import InventedGame
from arrocco.demo.year.people import HOME, Person
from arrocco.desk.handover import hand_over
from arrocco.hall import event as hall
from arrocco.hall.event.acts import Command
from arrocco.hall.event.acts.closing import CloseEvent
from arrocco.hall.event.acts.entries import Enter
from arrocco.hall.event.acts.officials import AppointArbiter, SetRules
from arrocco.hall.event.acts.pairing import PairRound
from arrocco.hall.event.acts.prizes import SetPrizes
from arrocco.hall.event.acts.rounds import CloseRound, OpenRound
from arrocco.hall.event.creation import Create
from arrocco.hall.event.games import create_games, result_of
from arrocco.hall.event.record import Created
from arrocco.hall.event.record import Record as EventRecord
from arrocco.hall.event.records import Arbiter, TieBreak
from arrocco.hall.event.records import Person as HallPerson
from arrocco.hall.game.log import encode as encode_game
from arrocco.live.journal import Record
from arrocco.office.records import SentReport
from arrocco.wiring import keep_finished, keep_more

EVENT = "demo-evening"
_NAME = "Serata di gala online"
_PLAYERS, _ROUNDS = 16, 5
_ROME_IN_SUMMER = timezone(timedelta(hours=2))


class HallEvening:
    """Plays the event in one act of the agenda and sends its report once results are official."""

    def __init__(self, desk: YearDesk, day: date) -> None:
        self.desk, self.day = desk, day
        self.now = datetime.combine(day, time(20, 30), _ROME_IN_SUMMER)
        self.organiser = str(desk.staff.officers[HOME].account)
        self.chief = str(desk.arbiter(0).account)
        self.log: list[EventRecord] = []
        self.games: dict[str, InventedGame] = {}

    def enter(self) -> None:
        """Puts the evening into the agenda, after its last round and the time for complaints."""
        self.desk.on(self.day + timedelta(days=1), 8, self._play)

    def _play(self) -> None:
        field = self._field()
        state = self._opened(field)
        for _ in range(_ROUNDS):
            state = self._round(state, field)
        state = self._ask(state, CloseEvent(by=self.chief))
        office, officer = self.desk.office, self.desk.staff.officers[HOME].account or 0
        member = str(self.desk.staff.committee.account)
        for passed, command in after_the_last_round(
            office, state, self.chief, member, self.organiser
        ):
            self.now += passed
            state = self._ask(state, command)
        self._keep()
        name_receipt(office, EVENT, officer)
        arbiter = self.desk.arbiter(0)
        games = [game.state for game in self.games.values()]
        sent = hand_over(self.desk.office, arbiter, state, games)
        sent = self.desk.answer(arbiter, sent)
        self.desk.later(0, 17, lambda: self._accept(sent, state))

    def _accept(self, sent: SentReport, state: hall.State) -> None:
        """The office takes the report; what comes of it is for the committee, once it is out."""
        self.desk.accept(sent.id)
        out, _ = self.desk.office.reports.lists(self.desk.staff.boss, sent.id)["rio-blitz"]
        HallCase(self.desk, state, self._ask_later).enter(out)

    def _ask_later(self, state: hall.State, command: Command) -> hall.State:
        """Asks the event after it has ended, and adds what came of it to the log that is kept."""
        written = len(self.log)
        self.now = max(self.now, self.desk.agenda())
        state = self._ask(state, command)
        keep_more(
            self.desk.office,
            [
                Record(f"event:{EVENT}", number, hall.encode(event))
                for number, event in enumerate(self.log)
                if number >= written
            ],
        )
        return state

    def _field(self) -> list[Person]:
        world = self.desk.world
        free = [
            person
            for person in world.people
            if person.federation == HOME and world.is_free(person, self.day, self.day)
        ]
        chosen = Random(f"{self.desk.seed}:hall").sample(free, _PLAYERS)
        for one in chosen:
            world.busy.setdefault(one.id, []).append((self.day, self.day))
        return chosen

    def _opened(self, field: list[Person]) -> hall.State:
        create = Create(
            by=self.organiser,
            event=EVENT,
            name=_NAME,
            site="online",
            federation=HOME,
            start=self.day,
            end=self.day,
        )
        (created,) = hall.create(create, self.now).events
        assert isinstance(created, Created)
        self.log.append(created)
        rules = hall.Rules(
            rounds=_ROUNDS,
            time_control="180+2",
            tolerance=timedelta(minutes=3),
            disconnection_rule="The clock runs on.",
            tie_breaks=(TieBreak.BUCHHOLZ,),
        )
        arbiter = Arbiter(account=self.chief, name=self.desk.arbiter_name(0), chief=True)
        state = self._ask(hall.begin(created), SetRules(by=self.organiser, rules=rules))
        state = self._ask(state, AppointArbiter(by=self.organiser, arbiter=arbiter))
        state = self._ask(state, SetPrizes(by=self.organiser, prizes=PRIZES))
        ratings = self.desk.ratings("rio-blitz", self.day)
        for one in field:
            person = _person(one, ratings.get(one.id))
            state = self._ask(state, Enter(by=self.organiser, person=person))
        return state

    def _round(self, state: hall.State, field: list[Person]) -> hall.State:
        state = self._ask(state, PairRound(by=self.chief))
        state = self._ask(state, OpenRound(by=self.chief))
        number = len(state.rounds)
        games = create_games(state, number, self.now)
        self.now += timedelta(minutes=9)
        rng = Random(f"{self.desk.seed}:hall:{number}")
        strengths = [person.strength for person in field]
        for board, pair in enumerate(state.rounds[-1].boards, start=1):
            wanted = play(rng, strengths, number, *pair.players)
            created = games[board - 1].created
            game = InventedGame(created, Random(f"{self.desk.seed}:{created.game}"))
            taken = result_of(game.play(int(wanted.white_score)), number, board)
            assert taken is not None, created.game
            self.games[created.game] = game
            state = self._ask(state, taken)
        state = self._ask(state, CloseRound(by=self.chief))
        self.now += timedelta(minutes=3)
        return state

    def _ask(self, state: hall.State, command: Command) -> hall.State:
        decision = hall.decide(state, command, self.now)
        assert decision.refusal is None, (command, decision.refusal)
        for event in decision.events:
            self.log.append(event)
            state = hall.apply(state, event)
        return state

    def _keep(self) -> None:
        """Writes the logs where the hall of the office looks for them."""
        office, created = self.desk.office, self.log[0]
        assert isinstance(created, Created)
        records = [
            Record(f"event:{EVENT}", number, hall.encode(event))
            for number, event in enumerate(self.log)
        ]
        for name, game in self.games.items():
            records += [
                Record(f"game:{name}", number, encode_game(event))
                for number, event in enumerate(game.log)
            ]
        keep_finished(office, created, records)


def _person(person: Person, rating: int | None) -> HallPerson:
    surname, _, name = person.name.partition(", ")
    return HallPerson(
        account=f"player-{person.id}",
        surname=surname,
        name=name,
        id=person.id,
        federation=person.federation,
        rating=rating,
        title=person.title,
        sex=person.sex,
        birth=person.birth,
    )
