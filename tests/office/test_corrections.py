"""A report corrected: what fits is changed, what does not is refused, the original stays."""

from __future__ import annotations

from copy import deepcopy
from datetime import date

import pytest
from msgspec import structs

from arrocco.errors import Inconsistent
from arrocco.office.corrections import corrected
from arrocco.office.ledger import (
    CorrectionOf,
    DateCorrection,
    DecidedResult,
    IdCorrection,
    ResultCorrection,
)
from arrocco.records.report import GameKind, Report
from tests.engine.checks import build
from tests.office.build import ADA, BRUNO, CARLA, said


def report() -> Report:
    """Three players: 1 and 2 draw in the first round, 2 loses to 3 by forfeit in the second."""
    made = build.report(
        build.FIDE_2024,
        (1950, 1900, 1850),
        rounds=2,
        games=[build.game(1, 1, 2), build.game(2, 2, 3, 0, GameKind.FORFEIT)],
    )
    for entry in made.entries:
        entry.points = 5
    return made


def result(
    white_half: int, black_half: int, played: bool = True, at: tuple[int, int, int] = (1, 1, 2)
) -> ResultCorrection:
    round_, white, black = at
    return ResultCorrection(
        round=round_,
        white=white,
        black=black,
        white_half=white_half,
        black_half=black_half,
        played=played,
    )


def refusal(*changes: CorrectionOf) -> str:
    made = report()
    before = deepcopy(made)
    with pytest.raises(Inconsistent) as found:
        corrected(made, changes)
    assert made == before
    return said(found.value)[0]


def test_a_result_is_corrected_and_the_report_given_stays() -> None:
    made = report()
    before = deepcopy(made)
    after = corrected(made, [result(2, 0)])
    assert made == before
    assert (after.games[0].white_score, after.games[0].black_score) == (2, 0)
    assert after.games[0].kind is GameKind.PLAYED
    assert after.games[1] == made.games[1]
    # What the two have in all is no longer what was reported; the third has what they had.
    assert [entry.points for entry in after.entries] == [None, None, 5]


def test_a_game_turns_out_not_to_have_been_played_or_to_have_been() -> None:
    assert corrected(report(), [result(0, 0, played=False)]).games[0].kind is GameKind.FORFEIT
    played = corrected(report(), [result(0, 2, at=(2, 2, 3))]).games[1]
    assert (played.kind, played.white_score, played.black_score) == (GameKind.PLAYED, 0, 2)


@pytest.mark.parametrize("half", [(2, 1), (0, 0), (3, -1), (1, 0)])
def test_what_is_no_result_of_a_game_is_refused(half: tuple[int, int]) -> None:
    assert refusal(result(*half)) == "impossible_result"


@pytest.mark.parametrize("half", [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1)])
def test_3_2_a_decision_can_leave_less_than_a_point_and_names_its_article(
    half: tuple[int, int],
) -> None:
    change = DecidedResult(
        round=1, white=1, black=2, white_half=half[0], black_half=half[1], article="13.3"
    )
    made = report()
    if (made.games[0].white_score, made.games[0].black_score) == half:
        assert refusal(change) == "same_result"
    else:
        game = corrected(made, [change]).games[0]
        assert (game.white_score, game.black_score, game.kind) == (*half, GameKind.PLAYED)
    assert refusal(structs.replace(change, article=" ")) == "article_of_exclusion"
    assert refusal(structs.replace(change, white_half=2, black_half=1)) == "impossible_result"


def test_a_draw_without_play_is_refused() -> None:
    assert refusal(result(1, 1, played=False)) == "impossible_result"


@pytest.mark.parametrize("at", [(1, 2, 1), (2, 1, 2), (1, 1, 3), (9, 9, 9)])
def test_a_game_that_was_not_paired_is_refused(at: tuple[int, int, int]) -> None:
    assert refusal(result(2, 0, at=at)) == "no_such_game"


def test_the_same_result_is_refused() -> None:
    assert refusal(result(1, 1)) == "same_result"
    assert refusal(result(0, 2, played=False, at=(2, 2, 3))) == "same_result"


def test_a_number_is_corrected() -> None:
    after = corrected(report(), [IdCorrection(entry=2, player=99_000_055)])
    assert [entry.id for entry in after.entries] == [ADA, 99_000_055, CARLA]


def test_two_players_who_were_taken_for_each_other_change_numbers() -> None:
    swap = [IdCorrection(entry=1, player=BRUNO), IdCorrection(entry=2, player=ADA)]
    assert [entry.id for entry in corrected(report(), swap).entries] == [BRUNO, ADA, CARLA]


def test_numbers_that_do_not_fit_are_refused() -> None:
    assert refusal(IdCorrection(entry=9, player=99_000_055)) == "no_such_entry"
    assert refusal(IdCorrection(entry=1, player=ADA)) == "same_player"
    assert refusal(IdCorrection(entry=1, player=BRUNO)) == "player_there_already"
    for player in (0, -1, 10**12):
        assert refusal(IdCorrection(entry=1, player=player)) == "no_player_number"


def test_days_are_corrected_in_order() -> None:
    start = build.START[build.FIDE_2024]
    later = date(2024, 5, 6)
    after = corrected(report(), [DateCorrection(start=start, end=later)])
    assert (after.start, after.end) == (start, later)
    assert refusal(DateCorrection(start=later, end=start)) == "days_out_of_order"
    assert refusal(DateCorrection(start=start, end=start)) == "same_days"


def test_nothing_is_corrected_twice_at_once() -> None:
    assert refusal() == "nothing_to_correct"
    assert refusal(result(2, 0), result(0, 2)) == "corrected_twice"
    twice = IdCorrection(entry=1, player=7), IdCorrection(entry=1, player=8)
    assert refusal(*twice) == "corrected_twice"
    days = [DateCorrection(start=date(2024, 5, n), end=date(2024, 5, 9)) for n in (1, 2)]
    assert refusal(*days) == "corrected_twice"


def test_all_kinds_at_once() -> None:
    changes: list[CorrectionOf] = [
        result(2, 0),
        IdCorrection(entry=1, player=99_000_055),
        DateCorrection(start=date(2024, 5, 4), end=date(2024, 5, 5)),
    ]
    after = corrected(report(), changes)
    assert (after.games[0].white_score, after.entries[0].id) == (2, 99_000_055)
    assert after.end == date(2024, 5, 5)
