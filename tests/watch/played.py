"""Events that were played in the hall of an office: real logs of invented games."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from random import Random

from arrocco.demo.year.hall_games import InventedGame
from arrocco.desk import Office
from arrocco.hall import event as hall
from arrocco.hall.event.acts import Command
from arrocco.hall.event.acts.closing import CloseEvent, Validate
from arrocco.hall.event.acts.entries import Enter
from arrocco.hall.event.acts.officials import AppointArbiter, SetRules
from arrocco.hall.event.acts.pairing import PairRound
from arrocco.hall.event.acts.rounds import CloseRound, OpenRound
from arrocco.hall.event.creation import Create
from arrocco.hall.event.games import create_games, result_of
from arrocco.hall.event.record import Created
from arrocco.hall.event.record import Record as EventRecord
from arrocco.hall.event.records import Arbiter, Person
from arrocco.hall.game.log import encode as encode_game
from arrocco.live.index import CLOSED, OfficeIndex
from arrocco.live.journal import Record
from arrocco.live.opening import log_store

EVENT = "torneo"
DAY = date(2026, 5, 9)
NOW = datetime(2026, 5, 9, 18, 0, tzinfo=UTC)


class PlayedEvent:
    """Plays rounds and writes their logs; with `is_closed` false the last round goes on."""

    def __init__(
        self,
        office: Office,
        *,
        players: int = 4,
        rounds: int = 2,
        chief: str = "1",
        organiser: str = "1",
        is_closed: bool = True,
        accounts: tuple[str, ...] = (),
        event: str = EVENT,
        day: date = DAY,
    ) -> None:
        self.office, self.chief, self.organiser = office, chief, organiser
        self.event, self.day = event, day
        self.now = NOW - (DAY - day)
        self.log: list[EventRecord] = []
        self.games: dict[str, InventedGame] = {}
        self._written: dict[str, int] = {}
        self.state = self._opened(players, rounds, accounts)
        for number in range(1, rounds + 1):
            self._round(number, is_closed or number < rounds)
        if is_closed:
            self.ask(CloseEvent(by=self.chief))
        self.write()
        if is_closed:
            OfficeIndex(office.desk.database).set_status(event, CLOSED)

    def write(self) -> None:
        """Writes what the logs have more by now."""
        records = self._new(f"event:{self.event}", [hall.encode(record) for record in self.log])
        for name, game in self.games.items():
            records += self._new(f"game:{name}", [encode_game(event) for event in game.log])
        database = self.office.desk.database
        with closing(log_store(self.office.folder, database)) as store:
            store.append(records)

    def end(self, game: str) -> None:
        """Ends a game that goes on."""
        state = self.games[game].state
        self.games[game]._end({True: state.white.player.id, False: state.black.player.id}, 2)

    def validate(self) -> None:
        self.now += timedelta(hours=3)
        self.ask(Validate(by=self.chief))
        self.write()

    def _new(self, stream: str, lines: list[bytes]) -> list[Record]:
        first = self._written.get(stream, 0)
        self._written[stream] = len(lines)
        return [Record(stream, n, line) for n, line in enumerate(lines) if n >= first]

    def _opened(self, players: int, rounds: int, accounts: tuple[str, ...]) -> hall.State:
        create = Create(
            by=self.organiser,
            event=self.event,
            name="Torneo delle Rocche",
            site="online",
            federation="ITA",
            start=self.day,
            end=self.day,
        )
        (created,) = hall.create(create, self.now).events
        assert isinstance(created, Created)
        self.log.append(created)
        OfficeIndex(self.office.desk.database).add(created)
        rules = hall.Rules(
            rounds=rounds,
            time_control="300+3",
            tolerance=timedelta(minutes=3),
            disconnection_rule="L'orologio va avanti.",
        )
        self.state = hall.begin(created)
        self.ask(SetRules(by=self.organiser, rules=rules))
        arbiter = Arbiter(account=self.chief, name="Rocca, Rita", chief=True)
        self.ask(AppointArbiter(by=self.organiser, arbiter=arbiter))
        for number in range(players):
            account = accounts[number] if number < len(accounts) else f"p{number + 1}"
            person = Person(
                account=account,
                surname=f"Torre{number + 1:02d}",
                name="Tea",
                id=99000101 + number,
                federation="ITA",
                rating=1500 + 50 * number,
            )
            self.ask(Enter(by=self.organiser, person=person))
        return self.state

    def _round(self, number: int, is_closed: bool) -> None:
        self.ask(PairRound(by=self.chief))
        self.ask(OpenRound(by=self.chief))
        created = {
            game.created.board: game.created for game in create_games(self.state, number, self.now)
        }
        self.now += timedelta(minutes=20)
        for board, made in created.items():
            game = InventedGame(made, Random(made.game))
            self.games[made.game] = game
            if not is_closed:
                game._end = lambda *_: None  # type: ignore[method-assign]
            game.play(board % 3)
            if not is_closed:
                del game._end
                continue
            taken = result_of(game.state, number, board)
            assert taken is not None
            self.ask(taken)
        if is_closed:
            self.ask(CloseRound(by=self.chief))

    def ask(self, command: Command) -> None:
        decision = hall.decide(self.state, command, self.now)
        assert decision.refusal is None, (command, decision.refusal)
        for record in decision.events:
            self.log.append(record)
            self.state = hall.apply(self.state, record)


def moves_of(game: InventedGame) -> list[str]:
    return [moved.uci for moved in game.state.moves]


__all__ = ["DAY", "EVENT", "NOW", "PlayedEvent", "moves_of"]
