"""One evening in the playing hall of an invented office: an event, from its rules to its report."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone
from random import Random

from arrocco.generate.year.desk import YearDesk
from arrocco.generate.year.games import play
from arrocco.generate.year.hall_games import InventedGame
from arrocco.generate.year.people import HOME, Person
from arrocco.hall import event as hall
from arrocco.hall.event import commands as asked
from arrocco.hall.event.events import Created, Event
from arrocco.hall.event.games import create_games, result_of
from arrocco.hall.event.records import Arbiter, TieBreak
from arrocco.hall.event.records import Person as HallPerson
from arrocco.hall.log import encode as encode_game
from arrocco.laws.rio.edition_2025 import Rio2025
from arrocco.wiring.hall.database_log import DatabaseLog
from arrocco.wiring.hall.index import CLOSED, OfficeIndex
from arrocco.wiring.hall.journal import LogStore, Record
from arrocco.wiring.hall.sqlite_log import SqliteLog
from arrocco.wiring.handover import hand_over

EVENT = "demo-evening"
_NAME = "Serata di gala online"
_PLAYERS, _ROUNDS = 16, 5
_ROME_IN_SUMMER = timezone(timedelta(hours=2))


class HallEvening:
    """Plays the event in one act of the agenda and sends its report when complaints are over."""

    def __init__(self, desk: YearDesk, day: date) -> None:
        self.desk, self.day = desk, day
        self.now = datetime.combine(day, time(20, 30), _ROME_IN_SUMMER)
        self.organiser = str(desk.staff.officers[HOME].account)
        self.chief = str(desk.arbiter(0).account)
        self.laws = hall.Laws()
        self.log: list[Event] = []
        self.games: dict[str, InventedGame] = {}

    def enter(self) -> None:
        """Puts the evening into the agenda, after its last round and the time for complaints."""
        self.desk.on(self.day + timedelta(days=1), 8, self._play)

    def _play(self) -> None:
        field = self._field()
        state = self._opened(field)
        for _ in range(_ROUNDS):
            state = self._round(state, field)
        state = self._ask(state, asked.CloseEvent(by=self.chief))
        self.now += timedelta(hours=3)
        state = self._ask(state, asked.Validate(by=self.chief))
        self._keep()
        arbiter = self.desk.arbiter(0)
        games = [game.state for game in self.games.values()]
        sent = hand_over(self.desk.office, arbiter, state, games, rio=Rio2025())
        sent = self.desk.answer(arbiter, sent)
        self.desk.later(0, 17, lambda: self.desk.accept(sent.id))

    def _field(self) -> list[Person]:
        world = self.desk.world
        free = [
            one
            for one in world.people
            if one.federation == HOME and world.is_free(one, self.day, self.day)
        ]
        chosen = Random(f"{self.desk.seed}:hall").sample(free, _PLAYERS)
        for one in chosen:
            world.busy.setdefault(one.id, []).append((self.day, self.day))
        return chosen

    def _opened(self, field: list[Person]) -> hall.State:
        create = asked.Create(
            by=self.organiser, event=EVENT, name=_NAME, site="online", federation=HOME,
            start=self.day, end=self.day,
        )  # fmt: skip
        (created,) = hall.create(create, self.now).events
        assert isinstance(created, Created)
        self.log.append(created)
        rules = hall.Rules(
            rounds=_ROUNDS, time_control="180+2", tolerance=timedelta(minutes=3),
            disconnection_rule="The clock runs on.", tie_breaks=(TieBreak.BUCHHOLZ,),
        )  # fmt: skip
        arbiter = Arbiter(account=self.chief, name=self.desk.arbiter_name(0), chief=True)
        state = self._ask(hall.begin(created), asked.SetRules(by=self.organiser, rules=rules))
        state = self._ask(state, asked.AppointArbiter(by=self.organiser, arbiter=arbiter))
        ratings = self.desk.ratings("rio-blitz", self.day)
        for one in field:
            person = _person(one, ratings.get(one.id))
            state = self._ask(state, asked.Enter(by=self.organiser, person=person))
        return state

    def _round(self, state: hall.State, field: list[Person]) -> hall.State:
        state = self._ask(state, asked.PairRound(by=self.chief))
        state = self._ask(state, asked.OpenRound(by=self.chief))
        number = len(state.rounds)
        games = create_games(state, number, self.now)
        self.now += timedelta(minutes=9)
        rng = Random(f"{self.desk.seed}:hall:{number}")
        strengths = [one.strength for one in field]
        for board, pair in enumerate(state.rounds[-1].boards, start=1):
            wanted = play(rng, strengths, number, *pair.players)
            created = games[board - 1].created
            game = InventedGame(created, Random(f"{self.desk.seed}:{created.game}"))
            taken = result_of(game.play(int(wanted.white_score)), number, board)
            assert taken is not None, created.game
            self.games[created.game] = game
            state = self._ask(state, taken)
        state = self._ask(state, asked.CloseRound(by=self.chief))
        self.now += timedelta(minutes=3)
        return state

    def _ask(self, state: hall.State, command: asked.Command) -> hall.State:
        decision = hall.decide(state, command, self.now, self.laws)
        assert decision.refusal is None, (command, decision.refusal)
        for event in decision.events:
            self.log.append(event)
            state = hall.apply(state, event)
        return state

    def _keep(self) -> None:
        """Writes the logs where the hall of the office looks for them."""
        office, created = self.desk.office, self.log[0]
        assert isinstance(created, Created)
        index = OfficeIndex(office.desk.database)
        index.add(created)
        store: LogStore = DatabaseLog(office.desk.database)
        if office.desk.database.is_sqlite:
            store = SqliteLog((office.folder / "hall").with_suffix(".sqlite"))
        records = [
            Record(f"event:{EVENT}", number, hall.encode(event))
            for number, event in enumerate(self.log)
        ]
        for name, game in self.games.items():
            records += [
                Record(f"game:{name}", number, encode_game(event))
                for number, event in enumerate(game.log)
            ]
        store.append(records)
        store.close()
        index.set_status(EVENT, CLOSED)


def _person(one: Person, rating: int | None) -> HallPerson:
    surname, _, name = one.name.partition(", ")
    return HallPerson(
        account=f"player-{one.id}", surname=surname, name=name, id=one.id,
        federation=one.federation, rating=rating, title=one.title, sex=one.sex, birth=one.birth,
    )  # fmt: skip
