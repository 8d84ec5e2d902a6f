"""What an engine has said of games is sealed: a changed figure is named by game and half move."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from arrocco.cli.main import program
from arrocco.desk import Office
from arrocco.fairplay.kept import KeptAnalyses
from arrocco.fairplay.records import GameAnalysis, WatchedGame
from arrocco.operation.verify.analyses import check_analyses
from arrocco.operation.verify.seals import check_seals
from arrocco.store.sql import watched_games
from arrocco.store.sql.database import Database
from arrocco.store.sql.migrate import HEAD, migrate
from arrocco.watch.worker import read_positions
from tests.watch.played import EVENT, NOW, PlayedEvent
from tests.watch.test_event_screen import NODES, SETTING, analysed, enter, office

__all__ = ["office"]


@pytest.fixture
def event(office: Office) -> PlayedEvent:
    played = PlayedEvent(office)
    enter(office, played)
    return played


def found(database: Database) -> list[tuple[str, str, str]]:
    """Errors: their kind, the game, and what of it in words."""
    findings = [*check_seals(database), *check_analyses(database)]
    return [
        (
            one.key.removeprefix("verify."),
            one.details.get("game") or one.details.get("row") or one.details.get("event", ""),
            str(one.details["ply"].details) if "ply" in one.details else "",
        )
        for one in findings
    ]


def change(database: Database, game: str, old: str, new: str, place: int) -> None:
    """Changes the text of one position, past the seals."""
    with database.writing() as connection:
        query = "SELECT positions FROM watched_games WHERE game = :game"
        positions = json.loads(connection.execute(text(query), {"game": game}).scalar_one())
        said = json.dumps(positions[place], separators=(",", ":"))
        assert old in said
        positions[place] = json.loads(said.replace(old, new))
        written = json.dumps(positions, separators=(",", ":"))
        update = "UPDATE watched_games SET positions = :written WHERE game = :game"
        connection.execute(text(update), {"game": game, "written": written})


def test_analyses_that_nobody_touched_are_whole(office: Office, event: PlayedEvent) -> None:
    assert found(office.desk.database) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("520", "521"),
        ('"legal":30', '"legal":31'),
        ("b1b1", "b1c1"),
        ('"ply":', '"ply":1'),
    ],
)
@pytest.mark.parametrize("place", [0, 3])
def test_a_changed_figure_is_named_by_game_and_half_move(
    office: Office, event: PlayedEvent, old: str, new: str, place: int
) -> None:
    game = min(event.games)
    change(office.desk.database, game, old, new, place)
    assert found(office.desk.database) == [
        ("row", f"{game} {NODES}", ""),
        ("analysis", game, str({"ply": 16 + place + 1})),
    ]


def test_office_verify_says_it_in_words(office: Office, event: PlayedEvent) -> None:
    game = min(event.games)
    change(office.desk.database, game, "520", "120", 3)
    for language, words in (("en", "half move 20"), ("it", "semimossa 20")):
        arguments = ["office", "verify", "--office", str(office.folder), "--lang", language]
        said = CliRunner().invoke(program, arguments)
        assert said.exit_code == 1
        assert words in " ".join(said.output.split())
        assert game in said.output


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("DELETE FROM watched_games WHERE game = :game", "row_missing"),
        (
            "UPDATE watched_games SET setting = replace(setting, '1000', '99') WHERE game = :game",
            "analysis",
        ),
        ("UPDATE watched_games SET done = 3 WHERE game = :game", "row"),
        ("UPDATE watched_games SET positions = 'x' WHERE game = :game", "analysis"),
        ("UPDATE watched_games SET positions = '[]' WHERE game = :game", "analysis"),
        ("UPDATE watched_games SET chain = substr(chain, 1, 32) WHERE game = :game", "analysis"),
    ],
)
def test_whatever_else_is_changed_is_found(
    office: Office, event: PlayedEvent, statement: str, kind: str
) -> None:
    game = min(event.games)
    with office.desk.database.writing() as connection:
        assert connection.execute(text(statement), {"game": game}).rowcount == 1
    kinds = {one for one, named, _ in found(office.desk.database) if named.startswith(game)}
    assert kind in kinds


def test_a_worker_that_goes_on_seals_what_it_adds(office: Office, event: PlayedEvent) -> None:
    database, game = office.desk.database, min(event.games)
    with database.writing() as connection:
        (queued,) = watched_games.of_games(connection, [game], NODES).values()
        longer = watched_games.QueuedGame(
            **{
                **{name: getattr(queued, name) for name in queued.__struct_fields__},
                "plies": queued.plies + 4,
            }
        )
        watched_games.put(connection, longer)
        taken = watched_games.take(connection, "one", NOW, NOW.replace(year=NOW.year + 1))
        assert taken is not None
        assert taken.positions == queued.positions
        assert watched_games.save(connection, taken, "one", None)
        watched_games.shorten(connection, taken, queued.plies)
    assert found(database) == []


def test_analyses_of_an_older_program_open_and_are_told_as_not_sealed(
    office: Office, event: PlayedEvent
) -> None:
    database = office.desk.database
    with database.reading() as connection:
        before = watched_games.of_event(connection, EVENT, NODES)
    migrate(database, "0015")
    migrate(database, HEAD)
    with database.reading() as connection:
        assert watched_games.of_event(connection, EVENT, NODES) == before
    assert found(database) == [("analysis_unsealed", EVENT, "")]
    said = CliRunner().invoke(program, ["office", "verify", "--office", str(office.folder)])
    assert (said.exit_code, "not sealed by position" in " ".join(said.output.split())) == (0, True)
    change(database, min(event.games), "520", "521", 0)
    assert ("row", f"{min(event.games)} {NODES}", "") in found(database)


def test_a_changed_line_of_a_file_of_analyses_is_not_believed(
    event: PlayedEvent, tmp_path: Path
) -> None:
    state = event.games[min(event.games)].state
    game = WatchedGame(
        id="1",
        white="A",
        black="B",
        white_rating=None,
        black_rating=None,
        time_class="blitz",
        moves=tuple(moved.uci for moved in state.moves),
    )
    path = tmp_path / "kept.jsonl"
    said = GameAnalysis(game=game, setting=SETTING, positions=analysed(state))
    KeptAnalyses(path).add(said)
    assert KeptAnalyses(path).get(game, SETTING) == said
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"520", b"521", 1))
    assert KeptAnalyses(path).get(game, SETTING) is None
    line = json.loads(whole)
    del line["seal"]
    path.write_bytes(json.dumps(line).encode())
    assert KeptAnalyses(path).get(game, SETTING) == said, "as older programs wrote it"
    assert read_positions("[]") == ()
