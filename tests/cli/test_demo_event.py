"""`arrocco demo event` in small: real sockets, and everything it leaves looked at from outside."""

from __future__ import annotations

import html
import io
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import chess.pgn
import msgspec
import pytest
from argon2 import PasswordHasher

from arrocco.demo.event import player
from arrocco.demo.event.cast import ARBITER, PASSWORD
from arrocco.desk import Office, passwords
from arrocco.desk.desk import operator
from arrocco.desk.handover import hand_over
from arrocco.errors import Illegal, Inconsistent
from arrocco.formats.lists import read_list
from arrocco.formats.trf import read_report
from arrocco.hall import event as ev
from arrocco.hall.event.state import rules_of
from arrocco.hall.game import State as GameState
from arrocco.hall.game import events as e
from arrocco.hall.game import fold
from arrocco.hall.game.acts.answer_call import CallAnswered
from arrocco.hall.game.acts.clock_time import TimeAdded
from arrocco.hall.game.acts.pause import Paused, Resumed
from arrocco.hall.game.acts.results import ResultCorrected
from arrocco.hall.game.acts.warn import Warned
from arrocco.hall.game.log import decode
from arrocco.hall.game.records import Reason
from arrocco.laws.rio.edition_2025 import Rio2025
from arrocco.live.hall import Hall
from arrocco.live.sqlite_log import SqliteLog
from arrocco.office.records import ReportStatus
from arrocco.office.roles import Forbidden, Role
from arrocco.records.report import GameKind
from arrocco.store.sql.database import sqlite_url
from tests.cli.tournaments import run, run_json

PLAYERS, ROUNDS = 8, 3
CLOCK = re.compile(r"\[%clk \d:\d\d:\d\d(?:\.\d+)?\]")


@dataclass(frozen=True)
class Left:
    """What the command said, and the logs of the hall as they are on the disk."""

    said: dict[str, Any]
    folder: Path
    state: ev.State
    logs: dict[str, list[e.Event]]

    @property
    def games(self) -> list[GameState]:
        return [fold(events) for events in self.logs.values()]

    def file(self, name: str) -> Path:
        return Path(self.said["files"][name])


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Left:
    """A small event, played once for all tests, by players who think little."""
    folder = tmp_path_factory.mktemp("event") / "office"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARROCCO_LANG", "en")
        patch.setenv("ARROCCO_DATABASE", "postgresql+psycopg://nobody@127.0.0.1:1/real")
        patch.setattr(player, "THINKING", (10, 30))
        patch.setattr(Hall, "to_the_seats", 800)
        patch.setattr(passwords, "_HASHER", PasswordHasher(1, 64, 1))
        said = run_json(
            "demo",
            "event",
            "--office",
            str(folder),
            "--players",
            str(PLAYERS),
            "--rounds",
            str(ROUNDS),
            "--tolerance",
            "3",
        )
    with closing(SqliteLog(folder / "hall.sqlite")) as log:
        state = ev.fold(ev.decode(line) for line in log.read("event:demo"))
        logs = {
            name: [decode(line) for line in log.read(name)] for name in log.streams("game:demo-")
        }
    return Left(said, folder, state, logs)


@pytest.fixture
def office(left: Left) -> Iterator[Office]:
    with closing(Office.open(left.folder, database=sqlite_url(left.folder))) as opened:
        yield opened


# --- the event ------------------------------------------------------------------------------------


def test_every_round_is_played_and_the_standings_are_validated(left: Left) -> None:
    assert [len(round_.boards) for round_ in left.state.rounds] == [PLAYERS // 2] * ROUNDS
    assert left.state.validated is not None
    assert len(left.logs) == left.said["games"] == ROUNDS * PLAYERS // 2
    pairs = [frozenset(board.players) for round_ in left.state.rounds for board in round_.boards]
    assert len(set(pairs)) == len(pairs), "nobody meets anybody twice"


def test_the_standings_have_all_points_that_were_made(left: Left) -> None:
    places = left.said["standings"]
    assert len(places) == PLAYERS
    assert sum(place["points"] for place in places) == 10 * ROUNDS * PLAYERS // 2
    points = [place["points"] for place in places]
    assert points == sorted(points, reverse=True)


def test_the_clocks_were_put_ahead_only_after_the_last_round(left: Left) -> None:
    closed = left.state.rounds[-1].closed
    assert closed is not None
    assert left.state.validated is not None
    assert (left.state.validated - closed).total_seconds() >= 2 * 3600
    opened = left.state.rounds[0].opened
    assert opened is not None
    assert (closed - opened).total_seconds() < 300, "the games had the real clock"


def test_who_does_not_come_forfeits_after_the_tolerance(left: Left) -> None:
    [game] = [one for one in left.games if one.outcome and one.outcome.reason is Reason.FORFEIT]
    assert game.created.round == 2
    assert game.tolerance_ends is not None
    assert game.started is not None
    assert game.tolerance_ends - game.started == 3000
    assert len(game.moves) <= 1, "White may have made the first move while waiting"


def test_a_lost_connection_comes_back_to_the_same_game(left: Left) -> None:
    gone = [
        (name, event.side)
        for name, events in left.logs.items()
        for place, event in enumerate(events)
        if isinstance(event, e.Disconnected)
        and any(isinstance(one, e.Connected) and one.side is event.side for one in events[place:])
    ]
    assert len(gone) >= left.said["happened"]["lines_lost"] >= 1


# --- the acts of the arbiter ----------------------------------------------------------------------


def acts_of(left: Left) -> list[e.Act]:
    return [act.act for game in left.games for act in game.acts]


def test_the_arbiter_stops_a_game_gives_time_warns_and_corrects(left: Left) -> None:
    kinds = [type(act) for act in acts_of(left)]
    for kind in (Paused, TimeAdded, Resumed, Warned, ResultCorrected, CallAnswered):
        assert kind in kinds
    assert [one.article for one in left.state.sanctions] == ["6.9a"], "the event has the warning"


def test_all_acts_stand_in_the_arbiters_report(left: Left) -> None:
    page = html.unescape(left.file("arbiters_report").read_text())
    acts = acts_of(left)
    for act in acts:
        if act.by:
            assert act.reason in page
            assert act.article in page
    assert len([act for act in acts if act.by]) >= 6


# --- what leaves the hall -------------------------------------------------------------------------


def test_the_games_read_back_with_their_clocks(left: Left) -> None:
    text = io.StringIO(left.file("pgn").read_text())
    read = []
    while (game := chess.pgn.read_game(text)) is not None:
        read.append(game)
    assert [game.errors for game in read] == [[]] * len(left.logs)
    assert sum(len(list(game.mainline_moves())) for game in read) == left.said["moves"]
    for game in read:
        for node in game.mainline():
            assert CLOCK.search(node.comment)
            clock = node.clock()
            assert clock is not None
            # What the increments have added and the arbiter has given is all that can be more.
            assert 0 < clock <= 180 + 2 * (node.ply() + 1) // 2 + 2 + 30


def test_the_report_reads_back_clean_and_is_what_the_office_has(left: Left, office: Office) -> None:
    data = left.file("trf").read_bytes()
    report, findings = read_report(data, "demo.trf")
    # What the rating takes may differ from the standings (12.13): points and places are left out.
    assert findings == [], "the hall has nothing to say about its own file"
    assert {entry.sex for entry in report.entries} == {"m", "w"}
    assert (len(report.entries), report.rounds) == (PLAYERS, ROUNDS)
    assert len(report.games) == ROUNDS * PLAYERS // 2
    assert [game.kind for game in report.games].count(GameKind.FORFEIT) == 1
    boss = operator(Role.RATING_ADMINISTRATOR)
    assert office.reports.content(boss, left.said["report"]) == data
    sent = office.reports.get(boss, left.said["report"])
    assert sent.status is ReportStatus.RATED
    assert {finding.severity for finding in sent.findings} <= {"note"}
    assert office.tournaments.get(boss, sent.tournament).registration.facts.online


# --- the list -------------------------------------------------------------------------------------


def test_15_1_the_published_list_has_the_changes_of_the_games_as_decided(
    left: Left, office: Office
) -> None:
    """15.1 — from the logs of the games alone: rated is the result as it was finally decided."""
    law = Rio2025()
    number = {entry.person.account: entry.person.id for entry in left.state.entries}
    held = {entry.person.id: entry.person.rating or 999 for entry in left.state.entries}
    expected: defaultdict[int | None, int] = defaultdict(int)
    scored: defaultdict[int | None, int] = defaultdict(int)
    for events in left.logs.values():
        game = fold(events)
        end = next(event for event in events if isinstance(event, e.Ended))
        if end.reason is Reason.FORFEIT or len(game.moves) < 2:
            continue
        assert game.outcome is not None
        decided = game.outcome.half_points
        white, black = (number[seat.player.id] for seat in (game.white, game.black))
        for own, other, half in ((white, black, decided[0]), (black, white, decided[1])):
            counted = law.counted_difference(held[own], held[other])
            expected[own] += law.expected_score(counted)
            scored[own] += 50 * half
    day = date.fromisoformat(left.said["list"])
    path = office.lists.folder("rio-blitz", day) / "list.parquet"
    listed = read_list(path, "blitz")[0]
    assert len(expected) == PLAYERS
    for player_id, sum_expected in expected.items():
        assert player_id is not None
        change = int(law.K) * (scored[player_id] - law.expected_points(sum_expected))
        found = listed.player(player_id)
        assert found is not None
        assert found.rating == law.new_rating(held[player_id], change)
    assert left.said["changed"], "somebody's rating is another"


def test_a_corrected_result_counts_in_the_standings_and_not_for_the_rating(left: Left) -> None:
    """6.9f, 12.13."""
    [(played, decided)] = [
        (board.as_played, board.result)
        for round_ in left.state.rounds
        for board in round_.boards
        if board.as_played != board.result
    ]
    assert played is not None
    assert decided is not None
    assert played.points == decided.points[::-1]


def test_the_list_can_be_verified(left: Left, office: Office) -> None:
    assert left.said["verified"]
    assert [one.is_good for one in office.lists.verify_all()] == [True, True]


# --- handing over ---------------------------------------------------------------------------------


def test_an_event_is_handed_over_once_it_is_validated_and_by_its_officials(
    left: Left, office: Office
) -> None:
    asker = office.accounts.asker_of(office.accounts.log_in(ARBITER, PASSWORD))
    with pytest.raises(Forbidden):
        hand_over(office, operator(Role.RATING_ADMINISTRATOR), left.state, left.games)
    open_ = msgspec.structs.replace(left.state, validated=None)
    with pytest.raises(Illegal) as refused:
        hand_over(office, asker, open_, left.games)
    assert refused.value.key == "handover.not_validated"
    with pytest.raises(Inconsistent) as missing:
        hand_over(office, asker, left.state, left.games[1:])
    assert missing.value.key == "handover.game_missing"
    going_on = [msgspec.structs.replace(left.games[0], outcome=None), *left.games[1:]]
    with pytest.raises(Inconsistent) as not_taken:
        hand_over(office, asker, left.state, going_on)
    assert not_taken.value.key == "handover.result_not_taken"
    unrated = msgspec.structs.replace(
        left.state,
        rules=msgspec.structs.replace(rules_of(left.state), rated=False),
        created=msgspec.structs.replace(left.state.created, name="Another event"),
    )
    with pytest.raises(Illegal) as not_rated:
        hand_over(office, asker, unrated, left.games)
    assert not_rated.value.key == "handover.not_rated"


def test_a_report_handed_over_again_is_another_version_of_the_same_tournament(
    left: Left, office: Office
) -> None:
    asker = office.accounts.asker_of(office.accounts.log_in(ARBITER, PASSWORD))
    again = hand_over(office, asker, left.state, left.games)
    assert (again.tournament, again.version) == (left.said["tournament"], 2)
    assert again.id != left.said["report"]


# --- the command ----------------------------------------------------------------------------------


def test_nothing_is_mixed_with_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("mine")
    found = run("demo", "event", "--office", str(tmp_path), "--lang", "en")
    assert found.exit_code == 1
    assert "is not empty" in found.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


@pytest.mark.parametrize("players", ["9", "8"])
def test_too_few_or_odd_players_are_refused(players: str, tmp_path: Path) -> None:
    folder = tmp_path / "office"
    found = run("demo", "event", "--office", str(folder), "--players", players, "--rounds", "8")
    assert found.exit_code == 2
    assert not folder.exists()
