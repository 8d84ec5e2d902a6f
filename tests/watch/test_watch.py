"""12.1 — every game of an event is watched: late while it runs, whole afterwards."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from arrocco.desk import Office
from arrocco.errors import Malformed
from arrocco.fairplay.decisions import FIRST_PLY
from arrocco.fairplay.engine import NoEngine, find_engine
from arrocco.hall.event.acts.closing import CloseEvent
from arrocco.hall.event.acts.prizes import SetPrizes
from arrocco.hall.event.acts.rounds import CloseRound
from arrocco.hall.event.games import result_of
from arrocco.hall.event.prize_table import PrizeCategory, PrizeTable
from arrocco.live.index import CLOSED, OPEN, OfficeIndex
from arrocco.live.opening import log_reader
from arrocco.office.roles import Role
from arrocco.store.sql import accounts, watched_games
from arrocco.store.sql.watched_games import QueuedGame
from arrocco.watch.games import game_state
from arrocco.watch.queue_filler import QueueFiller
from arrocco.watch.settings import WatchSettings, watch_settings_from
from arrocco.watch.watch import Watch
from arrocco.watch.worker import HELD_FOR, Worker, digest_of, read_positions, write_positions
from tests.watch.played import DAY, EVENT, NOW, PlayedEvent

NODES = 1000
NODES_TO_KILL = 20_000
"""So many that a worker can be killed while it works, and few enough for a busy machine."""


@pytest.fixture(scope="module")
def engine() -> str:
    try:
        return find_engine()
    except NoEngine:
        pytest.skip("NO STOCKFISH: install Debian's package `stockfish`")


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with closing(Office.open(tmp_path / "office", now=lambda: NOW)) as opened:
        with opened.desk.database.writing() as connection:
            accounts.add(
                connection,
                email="rita@example.org",
                name="Rita Rocca",
                password_hash="x",
                role=Role.ARBITER,
                created_at=NOW,
            )
        yield opened


def settings(engine: str, *, late: int = 10) -> WatchSettings:
    return WatchSettings(engine=engine, nodes=NODES, late=late)


def queued(office: Office, nodes: int = NODES) -> dict[str, QueuedGame]:
    with office.desk.database.reading() as connection:
        return {game.game: game for game in watched_games.of_event(connection, EVENT, nodes)}


def watch_of(office: Office, engine: str, *, late: int = 10) -> Watch:
    logs = log_reader(office.folder, office.desk.database)
    return Watch(office.desk.database, logs, settings(engine, late=late), office.desk.now)


def test_every_game_of_an_event_is_analysed_and_again_to_the_byte(
    office: Office, engine: str
) -> None:
    event = PlayedEvent(office)
    assert watch_of(office, engine).run_until_empty() == 4
    first = queued(office)
    assert sorted(first) == sorted(event.games)
    for name, game in first.items():
        assert game.is_complete
        plies = len(event.games[name].state.moves)
        analysed = [position.ply for position in read_positions(game.positions)]
        assert analysed == list(range(FIRST_PLY, plies))
        assert json.loads(game.setting)["nodes"] == NODES
        assert "Stockfish" in json.loads(game.setting)["engine"]
    with office.desk.database.writing() as connection:
        connection.exec_driver_sql("DELETE FROM watched_games")
    watch_of(office, engine).run_until_empty()
    assert queued(office) == first


def test_5_17_a_running_game_is_analysed_late_and_whole_once_it_has_ended(
    office: Office, engine: str
) -> None:
    event = PlayedEvent(office, rounds=1, is_closed=False)
    late = watch_of(office, engine, late=5)
    late.run_until_empty()
    for name, game in queued(office).items():
        state = event.games[name].state
        assert (game.plies, game.done, game.is_over) == (state.ply - 10, state.ply - 10, False)
        analysed = [position.ply for position in read_positions(game.positions)]
        assert analysed == list(range(FIRST_PLY, state.ply - 10))
    ended = min(event.games)
    event.end(ended)
    event.write()
    assert late.run_until_empty() == 1, "only what is new"
    game = queued(office)[ended]
    assert game.is_complete
    assert game.done == event.games[ended].state.ply


def test_what_a_killed_worker_wrote_stays_and_the_game_is_free_after_a_while(
    office: Office, engine: str
) -> None:
    PlayedEvent(office, rounds=1, players=2)
    database, logs = office.desk.database, log_reader(office.folder, office.desk.database)
    QueueFiller(database, logs, settings(engine), office.desk.now).fill()
    with closing(Worker(database, logs, engine, office.desk.now)) as worker:
        worker.work()
    (whole,) = queued(office).values()
    half = FIRST_PLY + 3
    with database.writing() as connection:  # as a worker left it that was killed half-way
        connection.exec_driver_sql("DELETE FROM watched_games")
        fresh = QueuedGame(
            game=whole.game, nodes=NODES, event=EVENT, plies=whole.plies, is_over=True
        )
        watched_games.put(connection, fresh)
        assert watched_games.take(connection, "killed", NOW, NOW + HELD_FOR) is not None
        positions = read_positions(whole.positions)
        state = game_state(logs, whole.game)
        assert state is not None
        marked = positions[0].__class__(
            ply=positions[0].ply, legal=999, lines=positions[0].lines, played=positions[0].played
        )
        written = QueuedGame(
            game=whole.game,
            nodes=NODES,
            event=EVENT,
            plies=whole.plies,
            is_over=True,
            done=half,
            digest=digest_of([moved.uci for moved in state.moves[:half]]),
            setting=whole.setting,
            positions=write_positions((marked, *positions[1:3])),
        )
        assert watched_games.save(connection, written, "killed", NOW + HELD_FOR)
    with closing(Worker(database, logs, engine, office.desk.now)) as worker:
        assert not worker.work(), "another worker has it"
    later = NOW + HELD_FOR + timedelta(seconds=1)
    with closing(Worker(database, logs, engine, lambda: later)) as worker:
        assert worker.work()
    (done,) = queued(office).values()
    assert read_positions(done.positions)[0].legal == 999, "what was written was not done again"
    assert read_positions(done.positions)[1:] == positions[1:]
    with database.writing() as connection:
        assert not watched_games.save(connection, written, "killed", None), "it is another's now"


def test_moves_taken_back_and_another_engine_are_analysed_from_the_first(
    office: Office, engine: str
) -> None:
    PlayedEvent(office, rounds=1, players=2)
    watch_of(office, engine).run_until_empty()
    (whole,) = queued(office).values()
    for column, value in (("digest", "other moves"), ("setting", '{"engine":"other"}')):
        with office.desk.database.writing() as connection:
            connection.exec_driver_sql(
                f"UPDATE watched_games SET {column} = '{value}', done = 18, positions = '[]'"
            )
        watch_of(office, engine).run_until_empty()
        assert queued(office) == {whole.game: whole}


def ended_late(office: Office, name: str, start: date, *, closed: datetime, prizes: bool) -> None:
    """An event of one round, whose prizes were stated or not before it was closed."""
    event = PlayedEvent(office, players=2, rounds=1, is_closed=False, event=name, day=start)
    if prizes:
        table = PrizeTable(categories=(PrizeCategory(name="Generale", cents=(5_000,)),))
        event.ask(SetPrizes(by=event.organiser, prizes=table))
    (game,) = event.games
    event.end(game)
    result = result_of(event.games[game].state, 1, 1)
    assert result is not None
    event.ask(result)
    event.now = closed
    event.ask(CloseRound(by=event.chief))
    event.ask(CloseEvent(by=event.chief))
    event.write()
    OfficeIndex(office.desk.database).set_status(name, CLOSED)


def test_12_6_what_ended_of_late_or_has_prizes_that_wait_is_watched_however_long_ago_it_began(
    office: Office,
) -> None:
    logs = log_reader(office.folder, office.desk.database)
    long_ago, a_year_ago = DAY - timedelta(days=60), DAY - timedelta(days=390)
    before = datetime.combine(long_ago, NOW.timetz())
    ended_late(office, "league", long_ago, closed=NOW - timedelta(days=1), prizes=False)
    ended_late(office, "over", long_ago, closed=before, prizes=False)
    ended_late(office, "held", a_year_ago, closed=before - timedelta(days=330), prizes=True)
    database = office.desk.database

    def entered(now: datetime) -> tuple[int, dict[str, int]]:
        filler = QueueFiller(database, logs, settings("-"), lambda: now)
        grown = filler.fill()
        assert filler.fill() == 0
        with database.reading() as connection:
            names = ("league", "over", "held")
            found = {name: watched_games.of_event(connection, name, NODES) for name in names}
        return grown, {name: len(games) for name, games in found.items()}

    assert entered(NOW + timedelta(days=20)) == (1, {"league": 1, "over": 0, "held": 0})
    assert entered(NOW)[1] == {"league": 1, "over": 0, "held": 1}


def test_what_persons_asked_for_comes_first(office: Office) -> None:
    PlayedEvent(office, rounds=1)
    database = office.desk.database
    with database.writing() as connection:
        for game, nodes in (("torneo-1-1", 1000), ("torneo-1-2", 1000), ("torneo-1-2", 5000)):
            watched_games.put(
                connection,
                QueuedGame(game=game, nodes=nodes, event=EVENT, plies=30, is_over=True),
            )
        taken = []
        while (next_one := watched_games.take(connection, "w", NOW, NOW + HELD_FOR)) is not None:
            taken.append((next_one.game, next_one.nodes))
    assert taken == [("torneo-1-2", 5000), ("torneo-1-1", 1000), ("torneo-1-2", 1000)]


@pytest.mark.parametrize(
    "given",
    [
        {"ARROCCO_ENGINE_NODES": "many"},
        {"ARROCCO_ENGINE_LATE": "0"},
        {"ARROCCO_ENGINE_PROCESSES": "1000"},
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(Malformed):
        watch_settings_from({"ARROCCO_ENGINE": "off", **given})


def test_without_an_engine_nothing_is_watched_and_one_that_is_missing_is_told() -> None:
    assert not watch_settings_from({"ARROCCO_ENGINE": "off"}).is_on
    with pytest.raises(NoEngine):
        watch_settings_from({"ARROCCO_ENGINE": "/nowhere/engine"})


def test_a_worker_on_its_own_is_killed_and_the_next_one_finishes(
    office: Office, engine: str
) -> None:
    """The real command, ended by SIGKILL while it works; the next run has the same figures."""
    PlayedEvent(office, players=4, rounds=2)
    command = [
        sys.executable,
        "-c",
        "from arrocco.cli.main import main; main()",
        "fairplay",
        "watch",
        "--office",
        str(office.folder),
        "--json",
    ]
    OfficeIndex(office.desk.database).set_status(EVENT, OPEN)  # it was played some while ago
    environment = os.environ | {
        "ARROCCO_ENGINE": engine,
        "ARROCCO_ENGINE_NODES": str(NODES_TO_KILL),
    }
    process = subprocess.Popen(command, env=environment)
    until = time.monotonic() + 180
    while time.monotonic() < until and not any(
        g.done for g in queued(office, NODES_TO_KILL).values()
    ):
        time.sleep(0.1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = queued(office, NODES_TO_KILL)
    assert any(game.done for game in before.values())
    with office.desk.database.writing() as connection:  # instead of waiting for a minute and a half
        connection.exec_driver_sql("UPDATE watched_games SET taken_until = ''")
    ended = subprocess.run([*command, "--once"], env=environment, capture_output=True, check=True)
    after = queued(office, NODES_TO_KILL)
    assert all(game.is_complete for game in after.values())
    assert json.loads(ended.stdout)["waiting"] == 0
    for name, game in before.items():
        positions = read_positions(game.positions)
        assert read_positions(after[name].positions)[: len(positions)] == positions
