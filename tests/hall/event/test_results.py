"""Results taken and corrected (3.2, 5.16, 6.3, 11.3, 11.4, 13.3), sanctions (6.9, 12.13, 13.5)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from arrocco.hall.event import appeals_until, complaints_until
from arrocco.hall.event.acts.closing import CloseEvent, Validate
from arrocco.hall.event.acts.committee import CarryOutDecision
from arrocco.hall.event.acts.entries import CheckIn, WithdrawEntry
from arrocco.hall.event.acts.pairing import WithdrawPairing
from arrocco.hall.event.acts.results import (
    WRONGLY_TAKEN,
    CorrectResult,
    ResultCorrected,
    ResultEntered,
    ResultTaken,
    ResultTakenBack,
    TakeBack,
    TakeResult,
)
from arrocco.hall.event.acts.rounds import CloseRound, OpenRound
from arrocco.hall.event.acts.sanctions import Impose, LiftSanction, Sanctioned
from arrocco.hall.event.records import PairingSystem, Result, TieBreak
from arrocco.laws.hall import Laws
from arrocco.laws.online.edition_2025 import Online2025
from arrocco.laws.online.sanctions import ArbiterSanction, CommitteeSanction, Scope
from arrocco.laws.online.score import Scoring
from arrocco.records.report import GameKind
from tests.hall.event.desk import (
    CHIEF,
    DRAW,
    FORFEIT,
    HELPER,
    LAWS,
    LOSS,
    ORGANISER,
    WIN,
    Desk,
    as_decided,
    result,
)

NOTHING = (0, 0)


def take(by: str, board: int, taken: Result, round_: int = 1) -> TakeResult:
    reason = "seen at the board" if by else ""
    return TakeResult(by=by, round=round_, board=board, result=taken, reason=reason)


def correct(points: tuple[int, int], article: str, **more: Any) -> CorrectResult:
    given = {"round": 1, "board": 1, "reason": "as seen", **more}
    return CorrectResult(by=CHIEF, points=points, article=article, **given)


class TestTaking:
    @pytest.mark.parametrize("points", [WIN, DRAW, LOSS, (5, 0), (0, 5), NOTHING])
    def test_3_2_every_score_a_game_can_have_is_taken(self, points: tuple[int, int]) -> None:
        desk = Desk(2).pair().open().take(1, points)
        assert desk.points() == dict(zip((1, 2), points, strict=True))

    @pytest.mark.parametrize("points", [(10, 10), (10, 5), (7, 3), (15, 0)])
    def test_3_2_no_other_is(self, points: tuple[int, int]) -> None:
        wish = take("", 1, Result(points, (2, 0)))
        assert Desk(2).pair().open().refusal(wish) == ("hall.objection.score_not_legal", "3.2")

    def test_3_1_the_rating_and_the_points_tell_the_same(self) -> None:
        desk = Desk(2).pair().open()
        assert desk.refusal(take("", 1, Result(WIN, (0, 2)))) == ("half_points_differ", "3.1")
        assert desk.refusal(take("", 1, Result(DRAW, (1, 1), FORFEIT))) == ("not_a_forfeit", "3.1")

    @pytest.mark.parametrize("points", [(30, 10), (10, 30), (10, 0), (0, 10), (30, 0), (0, 0)])
    def test_3_1_who_came_and_lost_to_an_absent_player_has_the_score_of_a_loss(
        self, points: tuple[int, int]
    ) -> None:
        desk = Desk(2, scoring=Scoring(30, 20, 10, 0)).pair().open().take(1, points, FORFEIT)
        assert desk.points() == dict(zip((1, 2), points, strict=True))

    def test_3_1_both_can_lose_where_a_draw_is_worth_no_more_than_a_loss(self) -> None:
        desk = Desk(4, scoring=Scoring(10, 0, 0, 0)).pair().open()
        desk.granted(take("", 1, Result(NOTHING, (0, 0), FORFEIT)))
        desk.granted(take("", 2, Result(NOTHING, (0, 0))))
        wish = take("", 2, Result(NOTHING, (1, 1), FORFEIT))
        assert desk.refusal(wish) == ("half_points_differ", "3.1")
        assert desk.refusal(take("", 2, Result(WIN, (0, 0)))) == ("half_points_differ", "3.1")
        desk.granted(take("", 2, Result(NOTHING, (1, 1))))
        assert set(desk.points().values()) == {0}

    def test_3_1_nobody_draws_by_staying_away(self) -> None:
        desk = Desk(2, scoring=Scoring(10, 0, 0, 0)).pair()
        for number in (1, 2):
            desk.granted(WithdrawEntry(by=f"p{number}", entry=number))
        _opened, taken = desk.granted(OpenRound(by=CHIEF))
        assert isinstance(taken, ResultTaken)
        assert taken.result == Result(NOTHING, (0, 0), FORFEIT)

    def test_3_1_an_event_may_score_in_its_own_way(self) -> None:
        desk = Desk(4, scoring=Scoring(30, 10, 0, 0)).pair().play((30, 0), (10, 10))
        assert sorted(desk.points().values()) == [0, 10, 10, 30]

    def test_6_3_an_assistant_takes_results_in_the_zone_and_the_hall_everywhere(self) -> None:
        desk = Desk(6).pair().open()
        desk.appoint(HELPER, "Anna", zone=(2, 3))
        assert desk.refusal(take(HELPER, 1, result(WIN))) == ("not_in_zone", "6.3")
        desk.granted(take(HELPER, 2, result(WIN)))
        desk.granted(take("", 1, result(WIN)))
        assert desk.refusal(take("p1", 3, result(WIN))) == ("not_yours_to_do", "6.3")
        assert desk.refusal(take(ORGANISER, 3, result(WIN))) == ("not_yours_to_do", "6.3")

    def test_6_3_who_enters_a_result_by_hand_says_why(self) -> None:
        desk = Desk(2).pair().open()
        desk.appoint(HELPER, "Anna")
        by_hand = TakeResult(by=HELPER, round=1, board=1, result=result(WIN))
        assert desk.refusal(by_hand) == ("reason_needed", "6.3")
        (entered,) = desk.granted(take(HELPER, 1, result(WIN)))
        assert isinstance(entered, ResultEntered)
        assert entered.reason == "seen at the board"

    def test_6_8_what_was_played_on_after_the_round_closed_turns_no_result(self) -> None:
        desk = Desk(2).pair().open()
        desk.granted(take(CHIEF, 1, result(WIN)))
        desk.close()
        resigned = take("", 1, result(LOSS))
        assert desk.refusal(resigned) == ("round_has_closed", "6.8")
        desk.granted(replace(resigned, decided=True))
        assert desk.points() == {1: 0, 2: 10}

    def test_an_arbiter_does_not_take_a_result_twice_and_the_hall_only_if_it_changed(self) -> None:
        desk = Desk(2).pair().open().take(1, WIN)
        assert desk.refusal(take(CHIEF, 1, result(DRAW)))[0] == "result_is_there"
        assert desk.granted(take("", 1, result(WIN))) == ()
        desk.granted(take("", 1, result(DRAW)))
        assert desk.points() == {1: 5, 2: 5}

    def test_a_game_begins_before_it_ends(self) -> None:
        desk = Desk(2).pair()
        assert desk.refusal(take("", 1, result(WIN)))[0] == "no_such_board"
        desk.open()
        assert desk.refusal(take("", 2, result(WIN)))[0] == "no_such_board"
        assert desk.refusal(take("", 1, result(WIN), round_=2))[0] == "no_such_board"


class TestCorrecting:
    def desk(self, points: tuple[int, int] = DRAW) -> Desk:
        return Desk(2).pair().play(points)

    def test_11_3_declares_a_draw_that_the_platform_did_not(self) -> None:
        desk = self.desk(WIN)
        assert desk.refusal(correct(LOSS, "11.3")) == ("not_a_draw", "11.3")
        desk.granted(correct(DRAW, "11.3"))
        assert desk.points() == {1: 5, 2: 5}

    def test_11_4_undoes_a_draw_and_nothing_else(self) -> None:
        assert self.desk(WIN).refusal(correct(LOSS, "11.4")) == ("no_draw_to_undo", "11.4")
        assert self.desk().refusal(correct(DRAW, "11.4")) == ("no_draw_to_undo", "11.4")
        desk = self.desk()
        desk.granted(correct(WIN, "11.4"))
        assert desk.points() == {1: 10, 2: 0}

    def test_13_3_declares_a_loss_in_the_round_that_is_played(self) -> None:
        desk = Desk(2).pair().open().take(1, WIN)
        for culprit in (None, 3):
            refused = desk.refusal(correct(NOTHING, "13.3", against=culprit))
            assert refused == ("culprit_needed", "13.3")
        refused = desk.refusal(correct(DRAW, "13.3", against=1))
        assert refused == ("culprit_does_not_lose", "13.3")
        (corrected,) = desk.granted(correct(NOTHING, "13.3", against=1))
        assert isinstance(corrected, ResultCorrected)
        assert corrected.against == 1
        assert desk.points() == {1: 0, 2: 0}

    def test_13_3_a_loss_in_an_earlier_round_is_not_for_the_chief_alone(self) -> None:
        lost = correct(NOTHING, "13.3", against=1)
        for desk in (self.desk(WIN), Desk(4).pair().play(WIN, WIN).pair()):
            assert desk.refusal(lost) == ("committee_signs", "13.3")
        ended = Desk(2, system=PairingSystem.MANUAL, rounds=1).by_hand((1, 2)).play(WIN).end()
        assert ended.refusal(lost) == ("committee_signs", "13.3")
        ended.later(hours=3).granted(Validate(by=CHIEF))
        assert ended.refusal(lost) == ("committee_signs", "13.3")
        ended.granted(CarryOutDecision(by="", case=1, correct=lost))
        assert ended.points() == {1: 0, 2: 0}

    def test_a_result_wrongly_taken_is_put_right_also_as_a_forfeit(self) -> None:
        desk = self.desk(WIN)
        desk.granted(correct(LOSS, WRONGLY_TAKEN, kind=GameKind.FORFEIT))
        board = desk.state.board(1, 1)
        assert board is not None
        assert board.result == result(LOSS, FORFEIT)

    @pytest.mark.parametrize(
        ("wish", "key"),
        [
            (correct(WIN, "6.9f"), "article_not_open"),
            (correct(WIN, "5.16", reason=" "), "reason_needed"),
            (correct(DRAW, "5.16"), "same_result"),
            (correct((10, 10), "5.16"), "hall.objection.score_not_legal"),
            (correct(WIN, "5.16", board=2), "no_result_yet"),
            (correct(WIN, "5.16", round=2), "no_result_yet"),
            (correct(WIN, "5.16", reason="x" * 2001), "text_too_long"),
        ],
    )
    def test_it_needs_an_article_a_reason_and_another_score(
        self, wish: CorrectResult, key: str
    ) -> None:
        assert self.desk().refusal(wish)[0] == key

    def test_c_04_2_a_correction_changes_only_later_pairings(self) -> None:
        desk = Desk(4).pair().play(WIN, WIN).pair()
        boards = desk.boards
        desk.granted(correct(LOSS, "5.16"))
        assert desk.boards == boards


class TestSanctions:
    def desk(self, players: int = 4, **rules: Any) -> Desk:
        return Desk(players, **rules).pair().play(*[WIN] * (players // 2))

    def refusal(self, desk: Desk, article: str, entry: int = 1, **more: Any) -> tuple[str, str]:
        wish = Impose(by=CHIEF, article=article, entry=entry, reason="as seen", **more)
        return desk.refusal(wish)

    def test_6_9d_raises_the_opponents_points(self) -> None:
        desk = Desk(2).pair().play((5, 0))
        assert self.refusal(desk, "6.9d", entry=1, round=1, points=(5, 0))[0] == (
            "hall.objection.opponent_not_raised"
        )
        desk.impose("6.9d", 1, round=1, points=DRAW)
        assert desk.points() == {1: 5, 2: 5}

    def test_6_9e_lowers_the_culprits_points_within_3_2(self) -> None:
        desk = Desk(2).pair().play(WIN)
        assert self.refusal(desk, "6.9e", round=1, points=(7, 0)) == (
            "hall.objection.score_not_legal",
            "3.2",
        )
        desk.impose("6.9e", 1, round=1, points=(5, 0))
        assert desk.points() == {1: 5, 2: 0}

    def test_6_9f_the_arbiter_decides_the_opponents_points_too(self) -> None:
        desk = Desk(2).pair().play(WIN)
        assert self.refusal(desk, "6.9f", round=1, points=(5, 5))[0] == "hall.objection.not_lost"
        desk.impose("6.9f", 1, round=1, points=(0, 5))
        assert desk.points() == {1: 0, 2: 5}

    def test_points_are_those_of_a_game_that_was_played(self) -> None:
        desk = self.desk()
        assert self.refusal(desk, "6.9f", points=LOSS)[0] == "no_game_of_player"
        assert self.refusal(desk, "6.9f", round=2, points=LOSS)[0] == "no_game_of_player"
        assert self.refusal(desk, "6.9f", round=1)[0] == "hall.objection.no_score_given"

    def test_6_9g_a_fine_only_as_announced(self) -> None:
        assert self.refusal(self.desk(), "6.9g", fine=100) == (
            "hall.objection.fine_not_announced",
            "6.9g",
        )
        desk = self.desk(announced_fine=5000)
        assert self.refusal(desk, "6.9g", fine=5001)[0] == "hall.objection.fine_above_announced"
        assert self.refusal(desk, "6.9g")[0] == "hall.objection.no_fine_given"
        desk.impose("6.9g", 1, fine=5000)
        assert desk.state.sanctions[0].fine == 5000

    def test_6_9h_excludes_from_rounds_to_come(self) -> None:
        desk = self.desk(6)
        assert self.refusal(desk, "6.9h", scope=Scope.ROUNDS)[0] == "hall.objection.no_extent_given"
        assert self.refusal(desk, "6.9h", scope=Scope.ROUNDS, rounds=(1,))[0] == "round_is_paired"
        assert self.refusal(desk, "6.9h", scope=Scope.ROUNDS, rounds=(4,))[0] == "no_such_round"
        assert self.refusal(desk, "6.9h", scope=Scope.TOURNAMENT)[0] == (
            "hall.objection.scope_not_open"
        )
        desk.impose("6.9h", 1, scope=Scope.ROUNDS, rounds=(2,))
        desk.pair()
        assert 1 in desk.state.rounds[1].byes
        desk.play(WIN, WIN).pair()
        assert 1 not in desk.state.rounds[2].byes

    def test_6_9i_excludes_from_the_standings_but_not_from_play(self) -> None:
        desk = self.desk()
        desk.impose("6.9i", 1, scope=Scope.TOURNAMENT)
        assert 1 not in desk.ranks()
        assert min(desk.ranks().values()) == 1
        assert any(1 in board for board in desk.pair().boards)

    def test_6_9i_of_a_championship_leaves_these_standings_as_they_are(self) -> None:
        desk = self.desk()
        desk.impose("6.9i", 1, scope=Scope.CHAMPIONSHIP)
        assert desk.ranks()[1] == 1

    def test_6_9j_expels(self) -> None:
        desk = self.desk()
        desk.impose("6.9j", 1, scope=Scope.TOURNAMENT)
        assert 1 not in desk.ranks()
        desk.pair()
        assert all(1 not in board for board in desk.boards)
        assert desk.refusal(CheckIn(by=CHIEF, entry=1)) == ("expelled", "6.9j")

    def test_6_9k_keeps_from_the_chat(self) -> None:
        desk = self.desk()
        desk.impose("6.9k", 1)
        assert desk.state.is_kept_from_chat(1)
        assert not desk.state.is_kept_from_chat(2)

    def test_12_13_opponents_of_the_excluded_keep_points_and_tie_breaks(self) -> None:
        desk = self.desk(tie_breaks=(TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER))
        before = {entry: desk.standing(entry) for entry in (2, 3, 4)}
        desk.impose("6.9j", 1, scope=Scope.CHAMPIONSHIP)
        for entry, was in before.items():
            now = desk.standing(entry)
            assert (now.points, now.values) == (was.points, was.values)

    @pytest.mark.parametrize("article", ["6.9b", "6.9c"])
    def test_6_9bc_belong_to_the_game(self, article: str) -> None:
        assert self.refusal(self.desk(), article) == ("sanction_of_the_game", article)

    def test_there_are_no_other_sanctions(self) -> None:
        desk = self.desk()
        assert self.refusal(desk, "6.9z")[0] == "no_such_sanction"
        assert self.refusal(desk, "6.9a", entry=9)[0] == "no_such_entry"
        assert desk.refusal(Impose(by=CHIEF, article="6.9a", entry=1, reason=""))[0] == (
            "reason_needed"
        )
        assert self.refusal(desk, "6.9a", rounds=(2,))[0] == "rounds_without_scope"

    def test_6_3_an_assistant_warns_in_the_zone_and_leaves_the_rest_to_the_chief(self) -> None:
        desk = Desk(4).pair().open()
        desk.appoint(HELPER, "Anna", zone=(2, 2))
        first, second = (board[0] for board in desk.boards)

        def wish(article: str, entry: int, **more: Any) -> Impose:
            return Impose(by=HELPER, article=article, entry=entry, reason="seen", **more)

        desk.granted(wish("6.9a", second))
        assert desk.refusal(wish("6.9a", first)) == ("not_in_zone", "6.3")
        assert desk.refusal(wish("6.9j", second, scope=Scope.TOURNAMENT)) == (
            "for_the_chief",
            "6.3",
        )
        assert desk.refusal(Impose(by="p1", article="6.9a", entry=2, reason="x"))[0] == (
            "not_yours_to_do"
        )

    def test_a_lifted_sanction_gives_back_what_it_took(self) -> None:
        desk = Desk(2).pair().play(WIN)
        desk.impose("6.9f", 1, round=1, points=LOSS)
        desk.impose("6.9j", 1, scope=Scope.TOURNAMENT)
        desk.granted(LiftSanction(by=CHIEF, number=1, reason="it was the other"))
        desk.granted(LiftSanction(by=CHIEF, number=2, reason="it was the other"))
        assert desk.points() == {1: 10, 2: 0}
        assert desk.refusal(LiftSanction(by=CHIEF, number=1, reason="x"))[0] == (
            "sanction_not_there"
        )

    def test_a_correction_since_then_stands_when_a_sanction_is_lifted(self) -> None:
        desk = Desk(2).pair().play(WIN)
        desk.impose("6.9e", 1, round=1, points=(5, 0))
        desk.granted(correct(DRAW, "5.16"))
        desk.granted(LiftSanction(by=CHIEF, number=1, reason="appeal"))
        assert desk.points() == {1: 5, 2: 5}

    def test_12_7_what_is_final_is_for_the_rules_to_say_and_the_committee_always_is(self) -> None:
        desk = self.desk(final_decisions=(ArbiterSanction.EXPULSION,))
        for article, more, final in (
            ("6.9a", {}, False),
            ("6.9j", {"scope": Scope.TOURNAMENT}, True),
            ("13.5a", {}, True),
        ):
            (imposed,) = desk.impose(article, 2, **more)
            assert isinstance(imposed, Sanctioned)
            assert imposed.sanction.final is final

    @pytest.mark.parametrize("article", ["6.9f", "5.9", "5.10", "9.2", "13.3"])
    def test_12_7_a_final_loss_stands_against_an_appeal(self, article: str) -> None:
        for final, expected in (
            ((ArbiterSanction.GAME_LOST,), ("hall.decision_is_final", "12.7")),
            ((ArbiterSanction.EXPULSION,), None),
        ):
            desk = Desk(2, final_decisions=final).pair().open()
            desk.granted(TakeResult(by="", round=1, board=1, result=result(LOSS), article=article))
            if expected is None:
                desk.granted(correct(DRAW, "5.16"))
            else:
                assert desk.refusal(correct(DRAW, "5.16")) == expected
                assert desk.points() == {1: 0, 2: 10}

    def test_12_7_the_committees_score_stands_against_an_appeal(self) -> None:
        desk = Desk(2).pair().play(WIN)
        desk.impose("13.5b", 1, round=1, points=(0, 5))
        assert desk.refusal(correct(DRAW, "5.16")) == ("hall.decision_is_final", "12.7")

    def test_5_16_a_result_of_the_board_can_be_appealed_whatever_is_final(self) -> None:
        desk = Desk(2, final_decisions=tuple(ArbiterSanction)).pair().play(WIN)
        desk.granted(correct(DRAW, "5.16"))
        assert desk.points() == {1: 5, 2: 5}


class TestPlayedOn:
    def test_6_8_a_game_that_goes_on_has_no_result_and_its_round_waits(self) -> None:
        desk = Desk(2).pair().open().take(1, WIN)
        anew = TakeBack(by="", round=1, board=1, white=1)
        (taken_back,) = desk.granted(anew)
        assert isinstance(taken_back, ResultTakenBack)
        assert desk.points() == {1: 0, 2: 0}
        assert desk.refusal(CloseRound(by=CHIEF))[0] == "results_missing"
        assert desk.granted(anew) == ()
        desk.take(1, WIN).close()
        assert desk.points() == {1: 10, 2: 0}
        assert desk.refolded() == desk.state

    def test_11_2_the_points_follow_the_players_to_their_right_colours(self) -> None:
        desk = Desk(2).pair().open()
        assert desk.boards == [(1, 2)]
        desk.granted(TakeBack(by="", round=1, board=1, white=2))
        assert desk.boards == [(2, 1)]
        desk.take(1, WIN).close()
        assert desk.points() == {1: 0, 2: 10}

    def test_a_round_that_is_closed_stays_as_it_is(self) -> None:
        desk = Desk(2).pair().play(WIN)
        assert desk.granted(TakeBack(by="", round=1, board=1, white=2)) == ()
        assert desk.points() == {1: 10, 2: 0}

    @pytest.mark.parametrize(("board", "white"), [(2, 1), (1, 3)])
    def test_only_of_a_board_and_its_players_and_only_by_the_hall(
        self, board: int, white: int
    ) -> None:
        desk = Desk(2).pair().open()
        wish = TakeBack(by="", round=1, board=board, white=white)
        assert desk.refusal(wish)[0] == "no_such_board"
        for by in (CHIEF, ORGANISER, "p1"):
            wish = TakeBack(by=by, round=1, board=1, white=2)
            assert desk.refusal(wish) == ("not_yours_to_do", "6.3")


class TestCommittee:
    @pytest.mark.parametrize("sanction", CommitteeSanction)
    @pytest.mark.parametrize("scope", [None, *Scope])
    def test_13_3_13_5_an_arbiter_alone_imposes_nothing_of_it(
        self, sanction: CommitteeSanction, scope: Scope | None
    ) -> None:
        desk = Desk(4).pair().play(WIN, WIN)
        wish = Impose(
            by=CHIEF,
            article=sanction.article,
            entry=1,
            reason="x",
            scope=scope,
            round=1,
            points=LOSS,
            days=9,
            rounds=(2,) if scope is Scope.ROUNDS else (),
        )
        assert desk.refusal(wish) == ("committee_imposes", "13.5")
        assert desk.state.sanctions == ()

    def test_13_5b_changes_the_score_of_both(self) -> None:
        desk = Desk(2).pair().play(WIN)
        desk.impose("13.5b", 1, round=1, points=(0, 5))
        assert desk.points() == {1: 0, 2: 5}

    def test_13_5c_excludes_from_rounds_or_altogether_or_for_a_time(self) -> None:
        desk = Desk(6).pair().play(WIN, WIN, WIN)
        desk.impose("13.5c", 1, scope=Scope.ROUNDS, rounds=(2,))
        desk.impose("13.5c", 2, scope=Scope.TOURNAMENT)
        wish = Impose(by=CHIEF, article="13.5c", entry=3, reason="x", scope=Scope.PERIOD)
        assert desk.refusal(as_decided(wish))[0] == "hall.objection.no_extent_given"
        desk.impose("13.5c", 3, scope=Scope.PERIOD, days=90)
        assert [desk.state.is_expelled(entry) for entry in (1, 2, 3)] == [False, True, True]
        assert desk.state.is_excluded_from(1, 2)
        assert set(desk.ranks()) == {1, 4, 5, 6}

    def test_13_5d_leaves_the_standings(self) -> None:
        desk = Desk(2).pair().play(WIN)
        desk.impose("13.5d", 1, scope=Scope.TOURNAMENT)
        assert set(desk.ranks()) == {2}


class TestTheEnd:
    def ended(self) -> Desk:
        return Desk(2, system=PairingSystem.MANUAL, rounds=1).by_hand((1, 2)).play(WIN).end()

    def test_fewer_rounds_than_announced_need_a_reason(self) -> None:
        desk = Desk(4).pair().play(WIN, WIN)
        assert desk.refusal(CloseEvent(by=CHIEF)) == ("rounds_to_come", "C.04.1 1")
        desk.pair()
        assert desk.refusal(CloseEvent(by=CHIEF, reason="power cut"))[0] == "round_not_closed"
        desk.granted(WithdrawPairing(by=CHIEF, reason="power cut"))
        desk.end("power cut")

    def test_the_standings_are_validated_when_complaints_can_no_longer_come(self) -> None:
        desk = self.ended()
        last = desk.state.rounds[0].closed
        assert last is not None
        until = complaints_until(desk.state, LAWS)
        assert until is not None
        assert (until - last).total_seconds() == 2 * 3600
        assert desk.refusal(Validate(by=CHIEF)) == ("complaints_open", "12.9")
        assert appeals_until(desk.state, LAWS) is None
        desk.later(hours=2).granted(Validate(by=CHIEF))
        appeals = appeals_until(desk.state, LAWS)
        assert appeals is not None
        assert (appeals - desk.now).total_seconds() == 2 * 3600
        assert desk.refusal(Validate(by=CHIEF)) == ("already_validated", "12.9")

    def test_12_9_complaints_count_from_the_end_of_the_last_game(self) -> None:
        desk = Desk(4, rounds=1).pair().open().take(1, WIN).later(minutes=5)
        assert complaints_until(desk.state, LAWS) is None
        desk.take(2, WIN)
        ended = desk.now
        until = complaints_until(desk.state, LAWS)
        assert until == ended + timedelta(hours=2)
        desk.later(minutes=40).close()
        desk.granted(correct(DRAW, "11.3"))
        assert complaints_until(desk.end().state, LAWS) == until
        from_closing = Laws(Online2025(complaints_from="round_closed"), LAWS.rio)
        later = complaints_until(desk.state, from_closing)
        assert later == ended + timedelta(hours=2, minutes=40)

    def test_12_9_after_validation_only_an_appeal_lifts_a_sanction(self) -> None:
        desk = self.ended()
        desk.impose("6.9f", 1, round=1, points=LOSS)
        desk.later(hours=2).granted(Validate(by=CHIEF))
        lift = LiftSanction(by=CHIEF, number=1, reason="upheld")
        assert desk.refusal(lift) == ("is_validated", "12.9")
        assert desk.refusal(replace(lift, article="11.4"))[0] == "article_not_open"
        desk.granted(replace(lift, article="5.16"))
        assert desk.points() == {1: 10, 2: 0}

    def test_12_7_an_appeal_lifts_nothing_that_is_final(self) -> None:
        desk = Desk(2, final_decisions=(ArbiterSanction.GAME_LOST,)).pair().play(WIN)
        desk.impose("6.9f", 1, round=1, points=LOSS)
        lift = LiftSanction(by=CHIEF, number=1, reason="upheld", article="5.16")
        assert desk.refusal(lift) == ("hall.decision_is_final", "12.7")

    def test_12_7_the_chief_alone_lifts_nothing_of_the_committee(self) -> None:
        desk = Desk(2).pair().play(WIN)
        desk.impose("13.5b", 1, round=1, points=LOSS)
        for article in ("", "5.16"):
            lift = LiftSanction(by=CHIEF, number=1, reason="a mistake", article=article)
            assert desk.refusal(lift) == ("of_the_committee", "12.7")

    def test_only_the_chief_validates_and_only_what_is_over(self) -> None:
        assert self.ended().refusal(Validate(by=ORGANISER)) == ("not_yours_to_do", "6.3")
        assert Desk(2).refusal(Validate(by=CHIEF)) == ("event_not_closed", "12.9")

    def test_after_that_only_an_appeal_or_the_committee_changes_something(self) -> None:
        desk = self.ended().later(hours=3)
        desk.granted(Validate(by=CHIEF))
        assert desk.refusal(correct(DRAW, "11.3")) == ("is_validated", "12.9")
        wish = Impose(by=CHIEF, article="6.9a", entry=1, reason="x")
        assert desk.refusal(wish) == ("is_validated", "12.9")
        desk.granted(correct(DRAW, "5.16"))
        assert desk.state.validated is None
        desk.granted(Validate(by=CHIEF))
        desk.impose("13.5d", 1, scope=Scope.TOURNAMENT)
        assert desk.state.validated is None
