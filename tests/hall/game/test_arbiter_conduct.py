"""Warnings, fines, exclusions and the chat (6.9a, g-k, 9.2), and taking them back."""

from __future__ import annotations

import pytest

from arrocco.hall.game import GameRole, view_for
from arrocco.hall.game import commands as c
from arrocco.hall.game.acts.block_chat import BlockChat
from arrocco.hall.game.acts.exclude import Exclude, Excluded
from arrocco.hall.game.acts.fine import Fine, Fined
from arrocco.hall.game.acts.pause import Pause
from arrocco.hall.game.acts.warn import Warn, Warned
from arrocco.hall.game.acts.withdraw import Withdraw, Withdrawn
from arrocco.hall.game.commands import Expel
from arrocco.hall.game.events import Ended
from arrocco.hall.game.records import Card
from arrocco.hall.game.view import ArbiterView
from arrocco.laws.online.sanctions import Scope
from tests.hall.game.table import ARBITER, BLACK, START, WHITE, Table


def warnings(table: Table) -> tuple[int, int]:
    view = view_for(table.state, GameRole.ARBITER, table.now)
    assert isinstance(view, ArbiterView)
    return view.white_seat.warnings, view.black_seat.warnings


class TestWarning:
    def test_6_9a_an_official_warning(self) -> None:
        table = Table()
        assert table.granted(Warn(by=ARBITER, reason="headphones", side=BLACK)) == (
            Warned(at=START, by=ARBITER, reason="headphones", article="6.9a", side=BLACK),
        )
        assert warnings(table) == (0, 1)

    def test_9_2_a_yellow_card_is_a_warning(self) -> None:
        table = Table()
        (warned,) = table.granted(Warn(by=ARBITER, reason="off", side=WHITE, article="9.2"))
        assert isinstance(warned, Warned)
        assert warned.card is Card.YELLOW
        assert warnings(table) == (1, 0)

    def test_9_2_cards_are_for_the_video_conference_only(self) -> None:
        warn = Warn(by=ARBITER, reason="spoke", side=WHITE, card=Card.YELLOW)
        assert Table().refusal(warn) == ("article_not_open", "6.9a")

    def test_it_can_be_given_after_the_end(self) -> None:
        table = Table()
        table.granted(c.Resign(by="ada"))
        table.granted(Warn(by=ARBITER, reason="insult", side=WHITE))
        assert warnings(table) == (1, 0)

    def test_it_can_be_withdrawn_once(self) -> None:
        table = Table()
        table.granted(Warn(by=ARBITER, reason="headphones", side=BLACK))
        number = table.state.number - 1
        withdraw = Withdraw(by=ARBITER, reason="a hearing aid", corrects=number)
        assert table.granted(withdraw) == (
            Withdrawn(
                at=START,
                by=ARBITER,
                reason="a hearing aid",
                article="6.9a",
                corrects=number,
                side=BLACK,
            ),
        )
        assert warnings(table) == (0, 0)
        assert table.refusal(withdraw)[0] == "no_such_act"


class TestFine:
    def fine(self, cents: int) -> Fine:
        return Fine(by=ARBITER, reason="no dress code", side=WHITE, cents=cents)

    def test_6_9g_only_if_it_was_announced(self) -> None:
        refusal = Table().refusal(self.fine(5_000))
        assert refusal == ("objection.fine_not_announced", "6.9g")

    def test_6_9g_up_to_what_was_announced(self) -> None:
        table = Table(announced_fine=5_000)
        assert table.refusal(self.fine(5_001)) == ("objection.fine_above_announced", "6.9g")
        (fined,) = table.granted(self.fine(5_000))
        assert isinstance(fined, Fined)
        assert fined.cents == 5_000

    def test_6_9g_some_amount(self) -> None:
        table = Table(announced_fine=5_000)
        assert table.refusal(self.fine(0)) == ("objection.no_fine_given", "6.9g")


class TestExclusion:
    def exclude(self, scope: Scope, article: str, rounds: int | None = None) -> Exclude:
        return Exclude(
            by=ARBITER, reason="an engine", side=BLACK, scope=scope, article=article, rounds=rounds
        )

    @pytest.mark.parametrize(
        ("article", "scope", "rounds"),
        [
            ("6.9h", Scope.ROUNDS, 2),
            ("6.9i", Scope.TOURNAMENT, None),
            ("6.9i", Scope.CHAMPIONSHIP, None),
        ],
    )
    def test_6_9_as_far_as_the_article_reaches(
        self, article: str, scope: Scope, rounds: int | None
    ) -> None:
        table = Table()
        (excluded,) = table.granted(self.exclude(scope, article, rounds))
        assert isinstance(excluded, Excluded)
        assert (excluded.article, excluded.scope, excluded.rounds) == (article, scope, rounds)

    def test_6_9j_who_is_expelled_while_playing_has_lost(self) -> None:
        table = Table().play("e2e4 e7e5")
        excluded, ended = table.granted(self.exclude(Scope.COMPETITION, "6.9j"))
        assert isinstance(excluded, Excluded)
        assert isinstance(ended, Ended)
        assert table.end == ((2, 0), "arbiter", "6.9j")

    def test_6_9j_a_game_that_is_over_keeps_its_result(self) -> None:
        table = Table().play("f2f3 e7e5 g2g4 d8h4")
        (excluded,) = table.granted(self.exclude(Scope.TOURNAMENT, "6.9j"))
        assert isinstance(excluded, Excluded)
        assert table.end == ((0, 2), "checkmate", "2.1b")

    def test_13_5c_the_event_ends_the_game_of_who_it_expels(self) -> None:
        table = Table().play("e2e4 e7e5")
        table.granted(Expel(player=table.state.white.player.id, article="13.5c"))
        assert table.end == ((0, 2), "arbiter", "13.5c")
        assert table.granted(Expel(player="ada", article="13.5c")) == ()

    def test_6_9_no_further(self) -> None:
        refusal = Table().refusal(self.exclude(Scope.COMPETITION, "6.9h"))
        assert refusal == ("objection.scope_not_open", "6.9h")

    def test_6_9_with_its_extent(self) -> None:
        refusal = Table().refusal(self.exclude(Scope.ROUNDS, "6.9h"))
        assert refusal == ("objection.no_extent_given", "6.9h")

    def test_6_9_the_game_itself_goes_on_until_a_result_is_declared(self) -> None:
        table = Table()
        table.granted(self.exclude(Scope.ROUNDS, "6.9h", 1))
        table.play("e2e4 e7e5")


class TestChat:
    BLOCK = BlockChat(by=ARBITER, reason="insults", side=BLACK)

    def test_6_9k_it_is_blocked_and_the_arbiter_can_still_be_called(self) -> None:
        table = Table()
        table.granted(self.BLOCK)
        assert table.state.black.chat_blocked
        assert not table.state.white.chat_blocked
        table.granted(c.CallArbiter(by="bea"))

    def test_6_9k_once(self) -> None:
        table = Table()
        table.granted(self.BLOCK)
        assert table.refusal(self.BLOCK) == ("chat_already_blocked", "6.9k")

    def test_6_9k_it_can_be_opened_again(self) -> None:
        table = Table()
        table.granted(self.BLOCK)
        number = table.state.number - 1
        table.granted(Withdraw(by=ARBITER, reason="he is sorry", corrects=number))
        assert not table.state.black.chat_blocked
        table.granted(self.BLOCK)


class TestWithdrawing:
    def test_only_an_act_of_the_arbiter(self) -> None:
        for number in (None, 0, 3, 77):
            withdraw = Withdraw(by=ARBITER, reason="x", corrects=number)
            assert Table().refusal(withdraw)[0] == "no_such_act"

    def test_what_is_done_to_the_clocks_is_undone_on_the_clocks(self) -> None:
        table = Table()
        table.granted(Pause(by=ARBITER, reason="x"))
        withdraw = Withdraw(by=ARBITER, reason="x", corrects=table.state.number - 1)
        assert table.refusal(withdraw) == ("not_withdrawable", "11.6")

    def test_it_needs_a_reason_and_an_arbiter(self) -> None:
        table = Table()
        table.granted(Warn(by=ARBITER, reason="x", side=BLACK))
        number = table.state.number - 1
        assert table.refusal(Withdraw(by=ARBITER, reason="", corrects=number))[0] == "reason_needed"
        assert table.refusal(Withdraw(by="bea", reason="x", corrects=number))[0] == (
            "arbiter_is_player"
        )
