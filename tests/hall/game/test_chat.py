"""The chat of a game (5.2, 6.9k) and who is to be in the video conference (9.1)."""

from __future__ import annotations

import pytest

from arrocco.hall.game import GameRole, Phase, fold, view_for, visible_to
from arrocco.hall.game import commands as c
from arrocco.hall.game import events as e
from arrocco.hall.game.acts.allow_assistant import AllowAssistant
from arrocco.hall.game.acts.block_chat import BlockChat
from arrocco.hall.game.acts.new_game import CorrectColours
from arrocco.hall.game.acts.withdraw import Withdraw
from arrocco.hall.game.log import dump, load
from arrocco.hall.game.players import MAX_SAID
from arrocco.hall.game.records import Channel
from arrocco.hall.game.view import ArbiterView, PlayerView
from tests.hall.game.table import ARBITER, BLACK, START, WHITE, Table


def ask(by: str = "ada", text: str = "a question") -> c.Say:
    return c.Say(by=by, text=text)


class TestChat:
    def test_5_2_a_player_writes_and_the_arbiter_answers(self) -> None:
        table = Table()
        assert table.granted(ask(text="  may I?  ")) == (
            e.Said(at=START, side=WHITE, by="ada", text="may I?"),
        )
        table.granted(c.Say(by=ARBITER, text="yes", to=WHITE))
        assert [(line.player, line.by_player, line.text) for line in table.state.chat] == [
            ("ada", True, "may I?"),
            ("ada", False, "yes"),
        ]
        assert fold(load(dump(table.log))).chat == table.state.chat

    def test_5_2_it_is_for_that_player_and_the_arbiters(self) -> None:
        table = Table()
        (said,) = table.granted(ask())
        assert [role for role in GameRole if visible_to(said, role)] == [
            GameRole.WHITE,
            GameRole.ARBITER,
        ]

    def test_5_2_no_player_writes_to_the_other(self) -> None:
        wish = c.Say(by="ada", text="draw?", to=BLACK)
        assert Table().refusal(wish) == ("chat_with_arbiters", "5.2")

    def test_5_2_an_arbiter_says_to_whom(self) -> None:
        assert Table().refusal(ask(ARBITER)) == ("chat_to_whom", "5.2")

    def test_1_2_an_assistant_only_moves(self) -> None:
        table = Table()
        table.granted(AllowAssistant(by=ARBITER, reason="blind", side=WHITE, assistant="ann"))
        assert table.refusal(ask("ann")) == ("assistant_only_moves", "1.2")

    @pytest.mark.parametrize(
        ("text", "key"), [(" \n", "text_needed"), ("x" * (MAX_SAID + 1), "text_too_long")]
    )
    def test_a_line_has_some_text_and_not_too_much(self, text: str, key: str) -> None:
        assert Table().refusal(ask(text=text))[0] == key
        Table().granted(ask(text="x" * MAX_SAID))

    def test_6_9k_a_blocked_player_calls_but_does_not_write(self) -> None:
        table = Table()
        table.granted(BlockChat(by=ARBITER, reason="words", side=WHITE))
        assert table.refusal(ask()) == ("chat_blocked", "6.9k")
        table.granted(c.Say(by=ARBITER, text="enough", to=WHITE))
        table.granted(ask("bea"))
        table.granted(c.CallArbiter(by="ada"))
        block = next(act.number for act in table.state.acts)
        table.granted(Withdraw(by=ARBITER, reason="sorry", corrects=block))
        table.granted(ask())

    def test_a_complaint_is_written_after_the_end_too(self) -> None:
        table = Table()
        table.granted(c.Resign(by="bea"))
        assert table.state.phase is Phase.ENDED
        table.granted(ask("bea", "it was not I"))

    def test_11_2_lines_stay_with_the_player_when_colours_change(self) -> None:
        table = Table()
        table.granted(ask())
        table.granted(CorrectColours(by=ARBITER, reason="wrong colours"))
        assert table.state.chat[0].player == "ada"
        assert table.state.side_of("ada") is BLACK


class TestVideoConference:
    def test_9_1f_only_the_player_in_the_sample_waits_for_it(self) -> None:
        table = Table(watched=("bea",))
        assert table.state.needs_vcs(BLACK)
        assert not table.state.needs_vcs(WHITE)
        table.move("e2e4")
        move = c.Move(by="bea", uci="e7e5", ply=1)
        assert table.refusal(move) == ("off_vcs", "9.1f")
        view = view_for(table.state, GameRole.BLACK, table.now)
        assert isinstance(view, PlayerView)
        assert not view.may_move
        table.granted(c.SetVcs(by=ARBITER, side=BLACK, on=True))
        table.granted(move)

    def test_9_1_the_arbiter_tells_who_is_there_and_once(self) -> None:
        table = Table(watched=("ada",))
        there = c.SetVcs(by=ARBITER, side=WHITE, on=True)
        assert table.granted(there) == (e.Connected(at=START, side=WHITE, channel=Channel.VCS),)
        assert table.granted(there) == ()
        table.granted(c.SetVcs(by=ARBITER, side=WHITE, on=False))
        assert table.refusal(c.Move(by="ada", uci="e2e4", ply=0)) == ("off_vcs", "9.1f")

    def test_9_1_the_arbiter_sees_of_whom_it_is_asked(self) -> None:
        view = view_for(Table(watched=("ada",)).state, GameRole.ARBITER, START)
        assert isinstance(view, ArbiterView)
        assert (view.white_seat.watched, view.black_seat.watched) == (True, False)

    def test_no_player_says_so_of_anybody(self) -> None:
        wish = c.SetVcs(by="ada", side=WHITE, on=True)
        assert Table(watched=("ada",)).refusal(wish) == ("arbiter_is_player", "")

    def test_9_1_it_follows_the_player_and_not_the_colour(self) -> None:
        table = Table(watched=("ada",))
        table.granted(CorrectColours(by=ARBITER, reason="wrong colours"))
        assert table.state.needs_vcs(BLACK)
        assert not table.state.needs_vcs(WHITE)
