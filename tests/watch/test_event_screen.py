"""12.1, 12.2 — the screen of an event: the same bytes again, its limits, what is not watched."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from arrocco.desk import Office
from arrocco.desk.watched_checks import games_are_watched, unwatched_games
from arrocco.errors import Malformed
from arrocco.fairplay.baseline import Baseline, make_baseline
from arrocco.fairplay.engine import NoEngine, find_engine
from arrocco.fairplay.records import EngineSetting, GameAnalysis, Line, PositionAnalysis
from arrocco.hall.event.records import Result
from arrocco.hall.event.state import Settled
from arrocco.hall.game.state import State as GameState
from arrocco.live.opening import log_reader
from arrocco.office.roles import Role
from arrocco.records.report import GameKind
from arrocco.store.sql import accounts, watched_games
from arrocco.store.sql.watched_games import QueuedGame
from arrocco.watch.event_screen import (
    EventScreen,
    NamedBaseline,
    Watched,
    event_screen,
    load_baseline,
    nodes_to_show,
)
from arrocco.watch.games import game_state, watched_game
from arrocco.watch.settings import WatchSettings
from arrocco.watch.watch import Watch
from arrocco.watch.worker import digest_of, write_positions, write_setting
from tests.watch.played import EVENT, NOW, PlayedEvent

NODES = 1000
SETTING = EngineSetting(engine="Invented 1", nodes=NODES, lines=3, hash_mb=16)


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


def analysed(state: GameState, first_choice: bool = True) -> tuple[PositionAnalysis, ...]:
    """What an invented engine says: every move was its first choice, or none was."""
    positions = []
    for ply in range(16, len(state.moves)):
        uci = state.moves[ply].uci
        best = uci if first_choice else "a1a1"
        lines = (Line(best, 520), Line("b1b1", 500), Line("c1c1", 490))
        played = lines[0] if first_choice else Line(uci, 440)
        positions.append(PositionAnalysis(ply=ply, legal=30, lines=lines, played=played))
    return tuple(positions)


def enter(office: Office, event: PlayedEvent, setting: EngineSetting = SETTING) -> None:
    """Has an invented engine analyse all games of an event."""
    with office.desk.database.writing() as connection:
        for name, game in event.games.items():
            moves = [moved.uci for moved in game.state.moves]
            watched_games.put(
                connection,
                QueuedGame(
                    game=name,
                    nodes=NODES,
                    event=EVENT,
                    plies=len(moves),
                    done=len(moves),
                    is_over=True,
                    digest=digest_of(moves),
                    setting=write_setting(setting),
                    positions=write_positions(analysed(game.state)),
                ),
            )


def screened(
    office: Office, event: PlayedEvent, baseline: NamedBaseline | None = None
) -> EventScreen:
    with office.desk.database.reading() as connection:
        queued = watched_games.of_event(connection, EVENT, NODES)
    return event_screen(
        event.state, [game.state for game in event.games.values()], queued, baseline
    )


def baseline_of(event: PlayedEvent, setting: EngineSetting = SETTING) -> NamedBaseline:
    """Players who never find the first choice, at the pace and of the ratings of the event."""
    pace = event.state.time_class
    assert pace is not None
    analyses = [
        GameAnalysis(
            game=watched_game(game.state, pace.value),
            setting=setting,
            positions=analysed(game.state, first_choice=number % 3 == 0),
        )
        for number, game in enumerate(event.games.values())
    ]
    return NamedBaseline(baseline=make_baseline(analyses, setting, ["invented"]), digest="d")


def test_12_6_without_an_engine_the_event_is_not_watched_and_checks_are_not_complete(
    office: Office,
) -> None:
    event = PlayedEvent(office)
    screen = screened(office, event)
    assert (screen.watched, screen.analysed, screen.games) == (Watched.NOT_WATCHED, 0, 4)
    assert screen.setting is None
    assert [row.screened for row in screen.rows] == [None] * 4
    with office.desk.database.reading() as connection:
        assert unwatched_games(connection, event.state) == tuple(sorted(event.games))
        assert not games_are_watched(connection, event.state)


def test_12_6_one_game_that_nobody_looked_at_holds_the_prizes(office: Office) -> None:
    event = PlayedEvent(office)
    enter(office, event)
    with office.desk.database.reading() as connection:
        assert games_are_watched(connection, event.state)
    assert screened(office, event).watched is Watched.COMPLETE
    last = max(event.games)
    with office.desk.database.writing() as connection:
        connection.exec_driver_sql(f"UPDATE watched_games SET done = 3 WHERE game = '{last}'")
    with office.desk.database.reading() as connection:
        assert unwatched_games(connection, event.state) == (last,)
        assert not games_are_watched(connection, event.state)
    assert screened(office, event).watched is Watched.UNDER_WAY


def test_12_1_a_result_entered_by_hand_was_not_watched_and_a_forfeit_is_no_game(
    office: Office,
) -> None:
    event = PlayedEvent(office)
    first = event.state.rounds[0]
    board = first.boards[0]
    assert board.result is not None
    absent = Result((10, 0), (2, 0), GameKind.FORFEIT)
    for result, missing in ((board.result, (board.game,)), (absent, ())):
        settled = (Settled(result, event.now, ""),)
        by_hand = replace(board, game="", settled=settled)
        rounds = (replace(first, boards=(by_hand, *first.boards[1:])), *event.state.rounds[1:])
        state = replace(event.state, rounds=rounds)
        with office.desk.database.writing() as connection:
            connection.exec_driver_sql("DELETE FROM watched_games")
        enter(office, event)
        with office.desk.database.writing() as connection:
            connection.exec_driver_sql(f"DELETE FROM watched_games WHERE game = '{board.game}'")
            assert unwatched_games(connection, state) == missing


def test_12_6_a_waived_check_holds_no_prizes_unless_the_game_is_played_in_the_hall_since(
    office: Office,
) -> None:
    event = PlayedEvent(office)
    enter(office, event)
    game = event.state.rounds[0].boards[0].game
    assert game
    waived = replace(event.state, waived_checks=((1, 1),))
    with office.desk.database.writing() as connection:
        connection.exec_driver_sql(f"UPDATE watched_games SET done = 3 WHERE game = '{game}'")
    with office.desk.database.reading() as connection:
        assert unwatched_games(connection, waived) == (game,), "the hall has seen it"
    with office.desk.database.writing() as connection:
        connection.exec_driver_sql(f"DELETE FROM watched_games WHERE game = '{game}'")
    with office.desk.database.reading() as connection:
        assert unwatched_games(connection, event.state) == (game,)
        assert unwatched_games(connection, waived) == ()
        assert games_are_watched(connection, waived)


def test_12_6_checks_are_not_complete_while_the_event_goes_on(office: Office) -> None:
    event = PlayedEvent(office, is_closed=False)
    enter(office, event)
    with office.desk.database.reading() as connection:
        assert not games_are_watched(connection, event.state)
    assert screened(office, event).watched is Watched.UNDER_WAY


def test_12_2_figures_have_intervals_and_few_decisions_say_so(office: Office) -> None:
    event = PlayedEvent(office)
    enter(office, event)
    screen = screened(office, event, baseline_of(event))
    assert screen.comparable
    assert screen.baseline == ("invented",)
    assert [row.name for row in screen.rows] == sorted(row.name for row in screen.rows)
    for row in screen.rows:
        assert row.screened is not None
        assert row.screened.decisions == row.screened.figures[0].decisions
        for figure in row.screened.figures:
            assert figure.low <= figure.seen <= figure.high
            if row.screened.too_few:
                assert not figure.stands_out
                assert figure.power == ()
            else:
                assert len(figure.power) == 3
        assert len(row.games) == 2


def test_without_a_baseline_nothing_is_expected_and_nobody_stands_out(office: Office) -> None:
    event = PlayedEvent(office)
    enter(office, event)
    screen = screened(office, event)
    assert not screen.comparable
    figures = [figure for row in screen.rows if row.screened for figure in row.screened.figures]
    assert figures
    assert all(figure.expected is None and not figure.stands_out for figure in figures)
    assert not any(row.stands_out for row in screen.rows)


def test_a_game_that_another_engine_looked_at_is_left_out_and_told(office: Office) -> None:
    event = PlayedEvent(office)
    enter(office, event)
    other = write_setting(msgspec.structs.replace(SETTING, engine="Invented 2"))
    first = min(event.games)
    with office.desk.database.writing() as connection:
        connection.exec_driver_sql(
            "UPDATE watched_games SET setting = ? WHERE game = ?", (other, first)
        )
    screen = screened(office, event)
    assert screen.other_settings == 1
    assert screen.setting == SETTING
    assert all(first not in row.games for row in screen.rows)
    assert screen.watched is Watched.UNDER_WAY, "that game is not watched as the others are"


def test_moves_that_were_taken_back_are_not_screened(office: Office) -> None:
    event = PlayedEvent(office)
    enter(office, event)
    first = min(event.games)
    with office.desk.database.writing() as connection:
        connection.exec_driver_sql(f"UPDATE watched_games SET digest = 'x' WHERE game = '{first}'")
    assert all(first not in row.games for row in screened(office, event).rows)


def test_nodes_are_those_of_the_settings_else_those_of_most_games() -> None:
    assert nodes_to_show({}, 500) == 500
    assert nodes_to_show({500: 1, 1000: 9}, 500) == 500
    assert nodes_to_show({1000: 9, 4000: 2}, 500) == 1000


def test_a_baseline_that_cannot_be_read_is_refused_and_one_is_named_by_its_bytes(
    office: Office, tmp_path: Path
) -> None:
    assert load_baseline("") is None
    (tmp_path / "no.json").write_text("{}")
    for path in (tmp_path / "no.json", tmp_path / "nowhere.json"):
        with pytest.raises(Malformed):
            load_baseline(str(path))
    made = baseline_of(PlayedEvent(office)).baseline
    (tmp_path / "base.json").write_bytes(msgspec.json.encode(made))
    loaded = load_baseline(str(tmp_path / "base.json"))
    assert loaded is not None
    assert loaded.baseline == msgspec.json.decode(msgspec.json.encode(made), type=Baseline)
    assert len(loaded.digest) == 64


def test_12_1_the_report_of_a_real_engine_is_the_same_bytes_again(office: Office) -> None:
    try:
        engine = find_engine()
    except NoEngine:
        pytest.skip("NO STOCKFISH: install Debian's package `stockfish`")
    event = PlayedEvent(office)
    reports = []
    for _ in range(2):
        with office.desk.database.writing() as connection:
            connection.exec_driver_sql("DELETE FROM watched_games")
        with closing(log_reader(office.folder, office.desk.database)) as logs:
            settings = WatchSettings(engine=engine, nodes=NODES)
            Watch(office.desk.database, logs, settings, office.desk.now).run_until_empty()
            for name in event.games:
                assert game_state(logs, name) is not None
        reports.append(screened(office, event).report())
    assert reports[0] == reports[1]
    assert b"Stockfish" in reports[0]
    assert b'"nodes": 1000' in reports[0]
