"""FSI online regulation, articles 1.3, 2, 3 and 11: start, endings, scores, corrections."""

from datetime import date, timedelta

import pytest

from arrocco.errors import Illegal
from arrocco.laws.online.edition_2025 import Online2025
from arrocco.laws.online.game import (
    DrawAct,
    DrawState,
    End,
    Interruption,
    PositionFacts,
    WrongColours,
)
from arrocco.laws.online.score import HALF_POINTS, Pair, Scoring
from arrocco.laws.online.side import Side

LAW = Online2025()
WHITE, BLACK = Side.WHITE, Side.BLACK
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)

# --- 1.3 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("can_mate", "end"), [(True, End.TIME), (False, End.TIME_WITHOUT_MATE)])
def test_1_3_4_time_out_loses_unless_the_opponent_cannot_mate(can_mate: bool, end: End) -> None:
    assert LAW.end_on_time(opponent_can_mate=can_mate) is end


@pytest.mark.parametrize("stated", [timedelta(0), SECOND, 15 * MINUTE])
def test_1_3_5_a_stated_tolerance_holds_zero_included(stated: timedelta) -> None:
    assert LAW.tolerance(stated) == stated


@pytest.mark.parametrize("stated", [None, -SECOND])
def test_1_3_5_an_unstated_tolerance_is_never_taken_for_zero(stated: timedelta | None) -> None:
    with pytest.raises(Illegal) as refusal:
        LAW.tolerance(stated)
    assert "1.3.5" in refusal.value.message
    assert refusal.value.advice.startswith("state" if stated is None else "enter")


@pytest.mark.parametrize(
    ("white_present", "tolerance", "decided", "loses"),
    [
        (False, 5 * MINUTE, None, WHITE),
        (False, SECOND, None, WHITE),
        (False, 5 * MINUTE, BLACK, BLACK),
        (False, timedelta(0), None, None),
        (True, 5 * MINUTE, None, None),
        (True, timedelta(0), None, None),
    ],
)
def test_1_3_5_with_a_tolerance_white_loses_the_time_until_arriving(
    white_present: bool, tolerance: timedelta, decided: Side | None, loses: Side | None
) -> None:
    side = LAW.side_losing_time(white_present=white_present, tolerance=tolerance, decided=decided)
    assert side is loses


@pytest.mark.parametrize(
    ("late_by", "tolerance", "lost"),
    [
        (timedelta(0), timedelta(0), False),
        (SECOND, timedelta(0), True),
        (15 * MINUTE, 15 * MINUTE, False),
        (15 * MINUTE + SECOND, 15 * MINUTE, True),
    ],
)
def test_1_3_5_after_the_tolerance_the_game_is_lost(
    late_by: timedelta, tolerance: timedelta, lost: bool
) -> None:
    assert LAW.is_forfeited(late_by, tolerance) is lost


# --- 2 --------------------------------------------------------------------------------------------

ENDS = {
    # article, is a draw, ends by itself
    End.RESIGNATION: ("2.1a", False, False),
    End.CHECKMATE: ("2.1b", False, True),
    End.TIME: ("2.1c", False, True),
    End.TIME_WITHOUT_MATE: ("1.3.4", True, True),
    End.STALEMATE: ("2.2a", True, True),
    End.REPETITION: ("2.2b", True, True),
    End.FIFTY_MOVES: ("2.2c", True, True),
    End.DEAD_POSITION: ("2.2d", True, True),
    End.AGREEMENT: ("2.2e", True, False),
}


@pytest.mark.parametrize("end", End)
def test_2_1_and_2_2_every_end_has_its_article(end: End) -> None:
    assert (end.article, end.is_draw, end.is_automatic) == ENDS[end]


POSITIONS = [
    (PositionFacts(), None),
    (PositionFacts(checkmate=True), End.CHECKMATE),
    (PositionFacts(stalemate=True), End.STALEMATE),
    (PositionFacts(dead=True), End.DEAD_POSITION),
    (PositionFacts(repetitions=2), None),
    (PositionFacts(repetitions=3), End.REPETITION),
    (PositionFacts(repetitions=5), End.REPETITION),
    (PositionFacts(half_moves_without_progress=99), None),
    (PositionFacts(half_moves_without_progress=100), End.FIFTY_MOVES),
    (PositionFacts(half_moves_without_progress=150), End.FIFTY_MOVES),
    (PositionFacts(checkmate=True, half_moves_without_progress=100), End.CHECKMATE),
    (PositionFacts(repetitions=3, half_moves_without_progress=100), End.REPETITION),
    (PositionFacts(stalemate=True, dead=True), End.STALEMATE),
]


@pytest.mark.parametrize(("facts", "end"), POSITIONS)
def test_2_1_and_2_2_a_position_ends_the_game_by_itself(
    facts: PositionFacts, end: End | None
) -> None:
    assert LAW.automatic_end(facts) is end


@pytest.mark.parametrize(("facts", "end"), POSITIONS)
def test_11_3_the_arbiter_declares_a_draw_the_platform_missed_but_no_win(
    facts: PositionFacts, end: End | None
) -> None:
    assert LAW.draw_to_declare(facts) is (None if end is End.CHECKMATE else end)


NONE, BY_WHITE, BY_BLACK = DrawState(), DrawState(WHITE), DrawState(BLACK)
AGREED = DrawState(agreed=True)


@pytest.mark.parametrize(
    ("before", "act", "by", "after"),
    [
        (NONE, DrawAct.OFFER, WHITE, BY_WHITE),
        (NONE, DrawAct.OFFER, BLACK, BY_BLACK),
        (BY_WHITE, DrawAct.OFFER, WHITE, BY_WHITE),
        (BY_WHITE, DrawAct.ACCEPT, BLACK, AGREED),
        (BY_BLACK, DrawAct.ACCEPT, WHITE, AGREED),
        (BY_WHITE, DrawAct.MOVE, WHITE, BY_WHITE),  # the offer goes with the offerer's own move
        (BY_WHITE, DrawAct.MOVE, BLACK, NONE),
        (BY_BLACK, DrawAct.MOVE, WHITE, NONE),
        (NONE, DrawAct.MOVE, WHITE, NONE),
        (BY_WHITE, DrawAct.END, BLACK, NONE),  # a flag under a standing offer is no draw
        (NONE, DrawAct.END, WHITE, NONE),
    ],
)
def test_2_3_an_offer_stands_until_accepted_moved_on_or_ended(
    before: DrawState, act: DrawAct, by: Side, after: DrawState
) -> None:
    assert LAW.draw_state_after(before, act, by, white_moves=9, black_moves=9) == after


@pytest.mark.parametrize(
    ("before", "act", "by", "article"),
    [
        (BY_WHITE, DrawAct.WITHDRAW, WHITE, "2.3"),
        (NONE, DrawAct.WITHDRAW, WHITE, "2.3"),
        (NONE, DrawAct.ACCEPT, BLACK, "2.3"),
        (BY_BLACK, DrawAct.ACCEPT, BLACK, "2.3"),
        (BY_WHITE, DrawAct.OFFER, BLACK, "2.3"),
    ],
)
def test_2_3_what_cannot_be_done_to_an_offer(
    before: DrawState, act: DrawAct, by: Side, article: str
) -> None:
    with pytest.raises(Illegal, match=rf"\({article}\)"):
        LAW.draw_state_after(before, act, by, white_moves=9, black_moves=9)


@pytest.mark.parametrize(("white", "black"), [(0, 0), (1, 0), (0, 1), (7, 0)])
def test_2_2e_no_agreement_before_each_has_moved(white: int, black: int) -> None:
    with pytest.raises(Illegal, match=r"\(2.2e\)"):
        LAW.draw_state_after(BY_WHITE, DrawAct.ACCEPT, BLACK, white_moves=white, black_moves=black)


def test_2_2e_agreement_once_each_has_moved() -> None:
    state = LAW.draw_state_after(BY_WHITE, DrawAct.ACCEPT, BLACK, white_moves=1, black_moves=1)
    assert state.agreed


# --- 3 --------------------------------------------------------------------------------------------

FOOTBALL = Scoring(win=3, draw=1)
NORWAY = Scoring(win=30, draw=15, loss=10)


@pytest.mark.parametrize(
    ("scoring", "legal"),
    [
        (HALF_POINTS, [(2, 0), (1, 1), (1, 0), (0, 2), (0, 1), (0, 0)]),
        (FOOTBALL, [(3, 0), (1, 1), (1, 0), (0, 3), (0, 1), (0, 0)]),
        (
            NORWAY,
            [
                (30, 10),
                (30, 0),
                (15, 15),
                (15, 10),
                (15, 0),
                (10, 30),
                (10, 15),
                (10, 10),
                (10, 0),
                (0, 30),
                (0, 15),
                (0, 10),
                (0, 0),
            ],
        ),
    ],
)
def test_3_2_every_legal_pair_of_scores(scoring: Scoring, legal: list[Pair]) -> None:
    assert LAW.legal_scores(scoring) == legal


@pytest.mark.parametrize(
    ("pair", "scoring"),
    [
        ((2, 1), HALF_POINTS),
        ((2, 2), HALF_POINTS),
        ((-1, 2), HALF_POINTS),
        ((3, 1), FOOTBALL),
        ((2, 0), FOOTBALL),
        ((30, 15), NORWAY),
    ],
)
def test_3_2_no_pair_above_the_most_nor_with_an_unusual_score(pair: Pair, scoring: Scoring) -> None:
    assert not LAW.score_is_legal(pair, scoring)


def test_3_2_three_quarters_to_one_quarter_is_not_allowed() -> None:
    quarters = Scoring(win=4, draw=2)
    assert LAW.score_is_legal((4, 0), quarters)
    assert not LAW.score_is_legal((3, 1), quarters)


def test_3_1_scores_of_played_games_and_of_forfeits() -> None:
    assert LAW.scores_of_game(WHITE) == (2, 0)
    assert LAW.scores_of_game(BLACK) == (0, 2)
    assert LAW.scores_of_game(None) == (1, 1)
    assert LAW.scores_of_forfeit(WHITE) == (0, 2)
    assert LAW.scores_of_forfeit(BLACK) == (2, 0)
    assert LAW.scores_of_forfeit(None) == (0, 0)
    assert LAW.scores_of_game(BLACK, NORWAY) == (10, 30)
    assert LAW.scores_of_forfeit(WHITE, NORWAY) == (0, 30)


@pytest.mark.parametrize(
    ("win", "draw", "loss", "forfeit"),
    [(1, 1, 0, 0), (2, 3, 0, 0), (2, 1, 2, 0), (2, 1, 0, 1), (2, 1, 0, -1), (0, 0, 0, 0)],
)
def test_3_1_a_scoring_gives_most_for_a_win(win: int, draw: int, loss: int, forfeit: int) -> None:
    with pytest.raises(Illegal, match=r"\(3.1\)"):
        Scoring(win, draw, loss, forfeit)


def test_3_1_a_draw_may_be_worth_no_more_than_a_loss() -> None:
    assert LAW.legal_scores(Scoring(win=1, draw=0)) == [(1, 0), (0, 1), (0, 0)]


# --- 11 -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("white", "black", "outcome"),
    [
        (0, 0, WrongColours.NEW_GAME),
        (9, 9, WrongColours.NEW_GAME),
        (10, 9, WrongColours.NEW_GAME),
        (10, 10, WrongColours.GOES_ON),
        (11, 10, WrongColours.GOES_ON),
    ],
)
def test_11_2_reversed_colours_before_and_from_ten_moves_of_both(
    white: int, black: int, outcome: WrongColours
) -> None:
    assert LAW.wrong_colours(white, black) is outcome


@pytest.mark.parametrize(
    ("reading", "moves", "outcome"),
    [
        ("result_stands", 9, WrongColours.RESULT_STANDS),
        ("result_stands", 10, WrongColours.RESULT_STANDS),
        ("new_game", 9, WrongColours.NEW_GAME),
        ("new_game", 10, WrongColours.RESULT_STANDS),
    ],
)
def test_11_2_a_game_that_has_ended_is_not_interrupted(
    reading: str, moves: int, outcome: WrongColours
) -> None:
    law = Online2025(wrong_colours_ended=reading)
    assert law.wrong_colours(moves, moves, ended=True) is outcome


@pytest.mark.parametrize(
    ("end", "white_can_mate", "black_can_mate", "flagged", "stands"),
    [
        (End.DEAD_POSITION, False, False, None, True),
        (End.DEAD_POSITION, True, False, None, False),
        (End.DEAD_POSITION, False, True, None, False),
        (End.TIME_WITHOUT_MATE, True, False, WHITE, True),
        (End.TIME_WITHOUT_MATE, False, True, WHITE, False),
        (End.TIME_WITHOUT_MATE, False, True, BLACK, True),
        (End.TIME_WITHOUT_MATE, True, False, BLACK, False),
        (End.STALEMATE, True, True, None, True),
        (End.REPETITION, True, True, None, True),
        (End.FIFTY_MOVES, True, True, None, True),
    ],
)
def test_11_4_a_draw_for_want_of_material_is_undone_where_mate_is_possible(
    end: End, white_can_mate: bool, black_can_mate: bool, flagged: Side | None, stands: bool
) -> None:
    answer = LAW.automatic_draw_stands(
        end, white_can_mate=white_can_mate, black_can_mate=black_can_mate, flagged=flagged
    )
    assert answer is stands


@pytest.mark.parametrize("end", [End.CHECKMATE, End.AGREEMENT, End.TIME, End.TIME_WITHOUT_MATE])
def test_11_4_speaks_of_automatic_draws_only(end: End) -> None:
    with pytest.raises(Illegal, match=r"\(11.4\)"):
        LAW.automatic_draw_stands(end, white_can_mate=True, black_can_mate=True)


def test_11_6_clocks_are_paused_where_they_can_be() -> None:
    assert LAW.interruption(clocks_can_be_paused=True) is Interruption.PAUSE
    assert LAW.interruption(clocks_can_be_paused=False) is Interruption.MAY_ADD_TIME


def test_the_edition_is_that_of_12_april_2025() -> None:
    assert Online2025.law == "online"
    assert date(2025, 4, 12) in Online2025.in_force
    assert date(2025, 4, 11) not in Online2025.in_force
    assert {reading.name for reading in Online2025.READINGS if reading.basis == "guess"} == {
        "yellow_cards",
        "wrong_colours_ended",
        "deadline_end",
        "complaints_from",
        "recordings_erased",
    }
    assert {name: int(value) for name, value in Online2025.values()} == {
        "REPETITIONS": 3,
        "MOVES_WITHOUT_PROGRESS": 50,
        "MOVES_BEFORE_AGREEMENT": 1,
        "WRONG_COLOURS_MOVES": 10,
        "COMPLAINT_HOURS": 2,
        "APPEAL_HOURS": 2,
        "APPEAL_FEE": 100,
        "REVOCATION_FACTOR": 2,
        "COMMITTEE_MEMBERS": 3,
    }
