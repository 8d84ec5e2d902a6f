"""From an event to its games and back."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from arrocco.errors import Illegal
from arrocco.hall import game as g
from arrocco.hall.event import create_games, result_of, sanctions_of, to_event_pgn
from arrocco.hall.event.acts.entries import WithdrawEntry
from arrocco.hall.event.acts.results import CorrectResult
from arrocco.hall.event.acts.rounds import DrawSample
from arrocco.hall.event.acts.sanctions import CarryOut, Impose, SanctionLifted
from arrocco.hall.event.games import BoardGame
from arrocco.hall.event.records import PairingSystem
from arrocco.hall.event.rules import Spectators, Supervision
from arrocco.hall.game import commands as gc
from arrocco.hall.game.acts.block_chat import BlockChat
from arrocco.hall.game.acts.exclude import Exclude
from arrocco.hall.game.acts.fine import Fine
from arrocco.hall.game.acts.results import CorrectResult as CorrectGame
from arrocco.hall.game.acts.warn import Warn
from arrocco.hall.game.acts.withdraw import Withdraw
from arrocco.laws.online.sanctions import Scope
from arrocco.laws.online.side import Side
from arrocco.records.report import GameKind
from tests.hall.event.desk import CHIEF, DRAW, ORGANISER, START, WIN, Desk
from tests.hall.game.table import LAW, by_material

JUDGE = g.Judge(by_material, LAW)


def games(desk: Desk) -> list[BoardGame]:
    return create_games(desk.state, len(desk.state.rounds), desk.now)


def started(board: BoardGame) -> g.State:
    """A game that has begun, with both players there."""
    assert g.create(board.created).refusal is None
    state = g.begin(board.created)
    for wish in (
        gc.Connect(by=state.white.player.id),
        gc.Connect(by=state.black.player.id),
        gc.Start(by=CHIEF),
    ):
        state = after(state, wish)
    return state


def after(state: g.State, wish: g.Command) -> g.State:
    decision = g.decide(state, wish, state.last_at + 1000, JUDGE)
    assert decision.refusal is None, decision.refusal
    for event in decision.events:
        state = g.apply(state, event)
    return state


def resigned(board: BoardGame, moves: int = 2) -> g.State:
    """A game that Black gives up after so many half moves."""
    state = started(board)
    for ply, uci in enumerate(("e2e4", "e7e5")[:moves]):
        mover = state.seat(state.turn).player.id
        state = after(state, gc.Move(by=mover, uci=uci, ply=ply))
    return after(state, gc.Resign(by=state.black.player.id))


class TestCreateGames:
    def test_each_board_has_its_players_and_the_events_rules(self) -> None:
        desk = Desk(
            4,
            tolerance=timedelta(minutes=7),
            reconnection_limit=timedelta(seconds=90),
            white_loses_time_while_absent=False,
            announced_fine=5000,
            spectators=Spectators(delay=timedelta(minutes=1), delay_half_moves=4),
            premoves=False,
            call_stops_clocks=True,
        )
        first, second = games(desk.pair().open())
        created = first.created
        assert (created.white.id, created.black.id) == ("p1", "p3")
        assert (created.white.name, created.white.rating) == ("Abete, Ada", 2050)
        assert (created.control, created.round, created.board) == ("180+2", 1, 1)
        assert (created.event, created.site) == ("Trofeo delle Piante", "Online")
        assert created.day == date(2026, 11, 14)
        assert created.at == int(START.timestamp()) * 1000
        assert created.rules.tolerance == 7 * 60_000
        assert created.rules.reconnection_limit == 90_000
        assert not created.rules.white_loses_time_while_absent
        assert created.rules.announced_fine == 5000
        assert created.rules.spectator_delay == 60_000
        assert created.rules.spectator_delay_plies == 4
        assert created.rules.scoring.win == 10
        assert (first.premoves, first.call_stops_clocks) == (False, True)
        assert first.created.game != second.created.game

    def test_9_1_who_is_watched_and_9_1f_where_moves_wait_for_the_video(self) -> None:
        full = games(Desk(2, supervision=Supervision.FULL).pair().open())[0]
        assert full.watched == ("p1", "p2")
        assert full.created.rules.vcs_required
        desk = Desk(4, supervision=Supervision.SAMPLE, sample=1).pair()
        desk.granted(DrawSample(by=CHIEF, seed="7"))
        boards = games(desk.open())
        (entry,) = desk.state.rounds[0].sample
        assert [one for board in boards for one in board.watched] == [f"p{entry}"]
        assert not any(board.created.rules.vcs_required for board in boards)
        assert [one for board in boards for one in board.created.rules.watched] == [f"p{entry}"]
        assert games(Desk(2).pair().open())[0].watched == ()

    def test_6_9k_who_may_not_chat_is_named(self) -> None:
        desk = Desk(2)
        desk.impose("6.9k", 2)
        assert games(desk.pair().open())[0].kept_from_chat == ("p2",)

    def test_a_board_forfeited_at_the_start_has_no_game(self) -> None:
        desk = Desk(4, system=PairingSystem.ROUND_ROBIN).pair().play(WIN, WIN)
        desk.granted(WithdrawEntry(by="p4", entry=4))
        assert len(games(desk.pair().open())) == 1

    def test_only_an_open_round_has_games_to_create(self) -> None:
        desk = Desk(2)
        for number in (1, 0):
            with pytest.raises(Illegal):
                create_games(desk.state, number, desk.now)
        desk.pair()
        with pytest.raises(Illegal):
            create_games(desk.state, 1, desk.now)


class TestBackFromTheGame:
    def test_a_finished_game_gives_the_event_its_result(self) -> None:
        desk = Desk(2).pair().open()
        (board,) = games(desk)
        assert result_of(started(board), 1, 1) is None
        wish = result_of(resigned(board), 1, 1)
        assert wish is not None
        desk.granted(wish)
        desk.close()
        assert desk.points() == {1: 10, 2: 0}
        assert desk.state.rounds[0].boards[0].game == board.created.game

    def test_a_game_of_less_than_a_move_each_has_a_result_but_was_not_played(self) -> None:
        (board,) = games(Desk(2).pair().open())
        wish = result_of(resigned(board, moves=1), 1, 1)
        assert wish is not None
        assert wish.result.kind is GameKind.SHORT

    def test_a_result_that_the_games_arbiter_changes_comes_again(self) -> None:
        desk = Desk(2).pair().open()
        game = resigned(games(desk)[0])
        first = result_of(game, 1, 1)
        assert first is not None
        desk.granted(first)
        game = after(
            game,
            CorrectGame(
                by=CHIEF, reason="a phone", article="6.9f", scores=(0, 5), against=Side.WHITE
            ),
        )
        second = result_of(game, 1, 1)
        assert second is not None
        desk.granted(second)
        assert desk.points() == {1: 0, 2: 5}
        played = desk.state.rounds[0].boards[0].as_played
        assert played is not None
        assert played.points == WIN

    def test_6_9_sanctions_of_the_game_are_carried_out_by_the_event(self) -> None:
        desk = Desk(4, announced_fine=5000).pair().open()
        game = started(games(desk)[0])
        for act in (
            Warn(by=CHIEF, reason="noise", side=Side.WHITE),
            Fine(by=CHIEF, reason="noise", side=Side.WHITE, cents=1000),
            BlockChat(by=CHIEF, reason="words", side=Side.WHITE),
            Exclude(
                by=CHIEF,
                reason="words",
                article="6.9h",
                side=Side.WHITE,
                scope=Scope.ROUNDS,
                rounds=2,
            ),
            Exclude(
                by=CHIEF, reason="words", article="6.9j", side=Side.BLACK, scope=Scope.TOURNAMENT
            ),
        ):
            game = after(game, act)
        wishes = sanctions_of(desk.state, game)
        for wish in (*wishes, *wishes):
            desk.granted(wish)
        assert sanctions_of(desk.state, game) == []
        assert [sanction.article for sanction in desk.state.sanctions] == [
            "6.9a",
            "6.9g",
            "6.9k",
            "6.9h",
            "6.9j",
        ]
        assert desk.state.is_excluded_from(1, 2)
        assert desk.state.is_excluded_from(1, 3)
        assert desk.state.is_kept_from_chat(1)
        assert desk.state.is_expelled(3)

    def test_an_act_that_was_withdrawn_is_not(self) -> None:
        desk = Desk(2).pair().open()
        game = after(started(games(desk)[0]), Warn(by=CHIEF, reason="x", side=Side.WHITE))
        (wish,) = sanctions_of(desk.state, game)
        game = after(game, Withdraw(by=CHIEF, reason="no", corrects=wish.act))
        assert sanctions_of(desk.state, game) == []

    def test_an_act_that_is_withdrawn_later_takes_its_sanction_with_it_once(self) -> None:
        desk = Desk(2).pair().open()
        block = BlockChat(by=CHIEF, reason="words", side=Side.WHITE)
        game = after(started(games(desk)[0]), block)
        (carried_out,) = sanctions_of(desk.state, game)
        desk.granted(carried_out)
        assert desk.state.is_kept_from_chat(1)
        game = after(game, Withdraw(by=CHIEF, reason="no", corrects=carried_out.act))
        (carried_back,) = sanctions_of(desk.state, game)
        for wish in (carried_back, carried_back, carried_out):
            desk.granted(wish)
        assert not desk.state.is_kept_from_chat(1)
        assert desk.state.lifted == {1}
        assert len(desk.state.sanctions) == 1
        assert sanctions_of(desk.state, game) == []
        lifted = desk.log[-1]
        assert isinstance(lifted, SanctionLifted)
        assert (lifted.by, lifted.reason) == (CHIEF, "no")

    def test_6_9h_more_rounds_than_are_left_are_those_that_are_left(self) -> None:
        desk = Desk(4, rounds=2).pair().open()
        exclude = Exclude(
            by=CHIEF, reason="x", article="6.9h", side=Side.WHITE, scope=Scope.ROUNDS, rounds=5
        )
        game = after(started(games(desk)[0]), exclude)
        (wish,) = sanctions_of(desk.state, game)
        desk.granted(wish)
        assert desk.state.sanctions[0].rounds == (2,)

    def test_only_the_hall_itself_carries_out(self) -> None:
        desk = Desk(2).pair().open()
        impose = Impose(by=CHIEF, article="6.9a", entry=1, reason="x")
        for by in (CHIEF, ORGANISER, "p1"):
            wish = CarryOut(by=by, game="ev1-1-1", act=3, impose=impose)
            assert desk.refusal(wish)[0] == "not_yours_to_do"

    def test_what_the_chief_corrected_stands_when_the_game_is_told_again(self) -> None:
        desk = Desk(2).pair().open()
        told = result_of(resigned(games(desk)[0]), 1, 1)
        assert told is not None
        desk.granted(told)
        desk.granted(
            CorrectResult(by=CHIEF, round=1, board=1, points=DRAW, article="5.16", reason="x")
        )
        assert desk.granted(told) == ()
        assert desk.points() == {1: 5, 2: 5}


def test_the_pgn_of_an_event_has_its_games_by_round_and_board() -> None:
    desk = Desk(4).pair().open()
    states = [resigned(board) for board in games(desk)]
    text = to_event_pgn(reversed(states))
    assert text.count("[Event ") == 2
    assert text.index("Abete") < text.index("Dafne")
    assert text.count('[Round "1"]') == 2
    assert text.count("1. e4") == 2
