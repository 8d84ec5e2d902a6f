"""5.17, 12.1, 12.2 — the file of a player, asked for by few, seen by few, the same bytes again."""

from __future__ import annotations

from contextlib import closing
from datetime import date

import msgspec
import pytest
from msgspec.structs import replace

from arrocco.desk import Office
from arrocco.fairplay.engine import NoEngine, find_engine
from arrocco.hall.game import events as e
from arrocco.live.opening import log_reader
from arrocco.office.roles import Role
from arrocco.store.sql import watched_games
from arrocco.video.recordings import FOLDER
from arrocco.video.slices import SLICES, Slice
from arrocco.watch.file_games import frozen_game
from arrocco.watch.settings import BASELINE, ENGINE, FILE_NODES, LATE, NODES, watch_settings_from
from arrocco.watch.time_line import time_line
from arrocco.watch.watch import Watch
from arrocco.watch.worker import Worker
from arrocco.words import LANGUAGES
from tests.watch.played import EVENT, PlayedEvent
from tests.web.conftest import LogIn
from tests.web.html import faults_of
from tests.web.test_committee_cases import sent
from tests.web.test_hall_pages import app, logged_in
from tests.web.test_hall_screen import number_of
from tests.web.visits import posted

__all__ = ["app", "logged_in"]

PLAYER = f"/hall/{EVENT}/screen/players/1"
ADMITTED = {Role.ARBITER, Role.COMMITTEE}


@pytest.fixture(autouse=True)
def engine(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        monkeypatch.setenv(ENGINE, find_engine())
    except NoEngine:
        pytest.skip("NO STOCKFISH: install Debian's package `stockfish`")
    monkeypatch.setenv(NODES, "1000")
    monkeypatch.setenv(FILE_NODES, "2000")
    monkeypatch.delenv(BASELINE, raising=False)


def played(office: Office, *, is_closed: bool = True) -> PlayedEvent:
    """An event, and one a week before it with the same players."""
    people = {
        "chief": number_of(office, Role.ARBITER),
        "organiser": number_of(office, Role.FEDERATION_OFFICER),
        "accounts": (number_of(office, Role.PLAYER),),
    }
    PlayedEvent(office, event="prima", day=date(2026, 5, 2), rounds=1, **people)  # type: ignore[arg-type]
    return PlayedEvent(office, is_closed=is_closed, **people)  # type: ignore[arg-type]


def analyse(office: Office) -> None:
    """Has the real engine do what waits."""
    database = office.desk.database
    with closing(log_reader(office.folder, database)) as logs:
        Watch(database, logs, watch_settings_from(), office.desk.now).run_until_empty()


def asked(logged_in: LogIn, role: Role = Role.ARBITER) -> str:
    page = sent(logged_in(role), f"/en{PLAYER}/ask")
    assert "The file was asked for." in page
    return f"{PLAYER}/files/1"


def test_12_2_the_file_has_all_games_the_past_and_one_time_line_each(
    office: Office, logged_in: LogIn
) -> None:
    event = played(office)
    here = asked(logged_in)
    chief = logged_in(Role.ARBITER)
    assert "half moves" in chief.get(f"/en{PLAYER}").text
    waits = chief.get(f"/en{here}").text
    assert "<progress" in waits
    assert "<svg viewBox" not in waits.partition("<main")[2]
    assert chief.get(f"/en{here}/report").status_code == 404
    analyse(office)
    assert chief.get(f"/en{here}/progress").headers["hx-refresh"] == "true"
    for language in LANGUAGES:
        assert not faults_of(chief.get(f"/{language}{here}").text)
    page = chief.get(f"/en{here}").text.partition("<main")[2]
    assert page.count('<svg viewBox="0 0 820') == 3 + 2, "three figures, two games"
    assert page.index("<svg") < page.index("<table")
    for text in ("Lost focus", "Off the VCS", "Stockfish", "2000 nodes", "1000 nodes"):
        assert text in page, text
    told = chief.get(f"/en{here}/report").json()
    own = [name for name, game in event.games.items() if game.state.side_of(own_account(office))]
    assert [game["game"] for game in told["games"]] == own
    assert [part["games"] for part in told["parts"]] == [2, 2, 1]
    assert [part["setting"]["nodes"] for part in told["parts"]] == [1000, 2000, 2000]
    board = chief.get(f"/en{here}/games/{own[0]}").text
    assert f'data-moves="{" ".join(told["games"][0]["moves"])}"' in board
    assert not faults_of(board)
    assert 'data-at="' in board


def test_12_2_12_3_beside_a_game_stands_what_was_recorded_meanwhile(
    office: Office, logged_in: LogIn
) -> None:
    """From where to where of each recording; who opens one says why on the page of recordings."""
    event = played(office)
    here = asked(logged_in)
    analyse(office)
    chief = logged_in(Role.ARBITER)
    own = [name for name, game in event.games.items() if game.state.side_of(own_account(office))]
    page = chief.get(f"/en{here}").text
    assert page.count("Nothing that is still kept was recorded meanwhile.") == len(own)
    first = event.games[own[0]].state
    assert first.started is not None
    recorded(office, "1-camera-1", first.started - 90_000, first.started + 1_000)
    recorded(office, "1-screen-1", first.started - 90_000, first.started - 1)  # before it
    recorded(office, "2-camera-1", first.started, first.started + 1_000)  # of somebody else
    for path in (here, f"{here}/games/{own[0]}"):
        page = chief.get(f"/en{path}").text
        assert f'href="/en/hall/{EVENT}/recordings#recording-1-camera-1"' in page
        assert "0:01:30–0:01:31" in page
        assert "recording-1-screen-1" not in page
        assert "recording-2-camera-1" not in page
        assert not faults_of(page)
    assert 'id="recording-1-camera-1"' in chief.get(f"/en/hall/{EVENT}/recordings").text


def recorded(office: Office, name: str, begins: int, ends: int) -> None:
    """A recording of two slices, as its list of slices tells."""
    folder = office.folder / FOLDER / EVENT
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.webm").write_bytes(b"xx")
    slices = [
        Slice(number=n, at=at, bytes=1, end=n + 1, hash="0" * 64, video=1, audio=1)
        for n, at in enumerate((begins, ends))
    ]
    lines = b"".join(msgspec.json.encode(one) + b"\n" for one in slices)
    (folder / f"{name}{SLICES}").write_bytes(lines)


def own_account(office: Office) -> str:
    return number_of(office, Role.PLAYER)


def test_12_2_the_same_request_is_the_same_file_to_the_byte(
    office: Office, logged_in: LogIn
) -> None:
    event = played(office)
    here = asked(logged_in)
    analyse(office)
    chief, member = logged_in(Role.ARBITER), logged_in(Role.COMMITTEE)
    first = chief.get(f"/en{here}/report").content
    asked(logged_in, Role.COMMITTEE)
    assert chief.get(f"/en{PLAYER}/files/2").status_code == 404, "the same was asked for before"
    with office.desk.database.writing() as connection:
        connection.exec_driver_sql("DELETE FROM watched_games")
        connection.exec_driver_sql("DELETE FROM seals WHERE name = 'watched_games'")
    assert "<progress" in chief.get(f"/en{here}").text
    asked_again = office.player_files.of_player(EVENT, 1)[0]
    with office.desk.database.writing() as connection:
        for listed in asked_again.games:
            for nodes in (1000, 2000):
                queued = watched_games.QueuedGame(
                    game=listed.game,
                    nodes=nodes,
                    event=listed.event,
                    plies=listed.plies,
                    is_over=True,
                )
                watched_games.put(connection, queued)
    analyse(office)
    assert member.get(f"/it{here}/report").content == first
    # What arbiters write into a log later is not in a file that was asked for before.
    first_game = next(iter(event.games.values()))
    first_game.log.append(e.Note(at=first_game.state.last_at + 1, text="dopo"))
    event.write()
    assert chief.get(f"/en{here}/report").content == first


def test_5_17_nobody_else_sees_a_file_or_can_ask_for_one(office: Office, logged_in: LogIn) -> None:
    played(office, is_closed=False)
    here = asked(logged_in)
    analyse(office)
    game = office.player_files.of_player(EVENT, 1)[0].games[-1].game
    paths = (PLAYER, here, f"{here}/progress", f"{here}/report", f"{here}/games/{game}")
    for role in Role:
        client = logged_in(role)
        for path in paths:
            answer = client.get(f"/en{path}", follow_redirects=False)
            if role is Role.PUBLIC:
                assert answer.status_code == 303, path
            else:
                assert answer.status_code == (200 if role in ADMITTED else 404), (role, path)
            if role not in ADMITTED:
                assert "Torre01" not in answer.text
    for role in (Role.PLAYER, Role.FEDERATION_OFFICER):
        client = logged_in(role)
        assert posted(client, f"/en{PLAYER}/ask", {}).status_code == 404
    assert len(office.player_files.of_player(EVENT, 1)) == 1


def test_5_17_who_plays_in_the_event_sees_nothing_whoever_else_they_are(
    office: Office, logged_in: LogIn
) -> None:
    PlayedEvent(
        office,
        chief=number_of(office, Role.ARBITER),
        organiser=number_of(office, Role.FEDERATION_OFFICER),
        accounts=(number_of(office, Role.COMMITTEE),),
    )
    member = logged_in(Role.COMMITTEE)
    for path in (f"/hall/{EVENT}/screen", PLAYER, f"/hall/{EVENT}/screen/players/2"):
        assert member.get(f"/en{path}").status_code == 404, path


def test_5_17_a_running_game_is_in_the_file_as_far_as_it_is_old(
    office: Office, logged_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LATE, "3")
    event = played(office, is_closed=False)
    asked(logged_in)
    request = office.player_files.of_player(EVENT, 1)[0]
    running = [game for game in request.games if not game.is_over]
    for game in running:
        assert game.plies == len(event.games[game.game].state.moves) - 6
    analyse(office)
    told = logged_in(Role.ARBITER).get(f"/en{PLAYER}/files/1/report").json()
    for game in told["games"]:
        (meant,) = (each for each in request.games if each.game == game["game"])
        assert len(game["moves"]) == meant.plies
        if not meant.is_over:
            assert game["points"] is None
            assert game["time_line"]["length"] == game["time_line"]["moves"][-1]["at"]


def test_8_3_lost_focus_and_gaps_stand_on_the_time_line_of_their_game(
    office: Office, logged_in: LogIn
) -> None:
    event = played(office, is_closed=False)
    name, game = next(
        (name, game)
        for name, game in event.games.items()
        if game.state.side_of(own_account(office)) and game.state.is_on
    )
    side = game.state.side_of_player(own_account(office))
    last = game.state.last_at
    for at, on in ((last + 1000, False), (last + 6000, True)):
        game.log.append(e.FocusChanged(at=at, side=side, on=on))
        game.state = replace(game.state, last_at=at)
    event.write()
    asked(logged_in)
    with closing(log_reader(office.folder, office.desk.database)) as logs:
        (meant,) = (
            each for each in office.player_files.of_player(EVENT, 1)[0].games if each.game == name
        )
        frozen = frozen_game(logs, meant)
        assert frozen is not None
        line = time_line(frozen.state, meant.account, frozen.state.ply, last + 60_000)
    (stretch,) = (each for each in line.stretches if each.kind == "focus")
    assert stretch.end - stretch.start == 5000


def test_12_1_a_file_goes_on_where_a_worker_was_stopped(office: Office, logged_in: LogIn) -> None:
    played(office)
    here = asked(logged_in)
    database = office.desk.database
    engine = watch_settings_from().engine
    with (
        closing(log_reader(office.folder, database)) as logs,
        closing(Worker(database, logs, engine, office.desk.now)) as worker,
    ):
        worker.work()
    waits = logged_in(Role.ARBITER).get(f"/en{here}").text
    assert 'value="0"' not in waits.partition("<progress")[2].partition(">")[0]
    analyse(office)
    assert logged_in(Role.ARBITER).get(f"/en{here}/report").status_code == 200
