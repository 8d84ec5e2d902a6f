"""FSI online regulation, articles 7.5 to 7.9 and 9: lost connections, video conference, cards."""

from datetime import UTC, datetime, timedelta

import pytest

from arrocco.errors import Illegal
from arrocco.laws.online.connection import Absence, AwayOutcome, Card, VcsConsequence
from arrocco.laws.online.edition_2025 import Online2025

LAW = Online2025()
ZERO, SECOND, MINUTE = timedelta(0), timedelta(seconds=1), timedelta(minutes=1)
NOON = datetime(2025, 5, 1, 12, 0, tzinfo=UTC)

AWAY = [
    # away, ran, remaining, limit, opponent can mate, outcome, article, left
    (MINUTE, MINUTE, 3 * MINUTE, None, True, AwayOutcome.GOES_ON, "7.6", 2 * MINUTE),
    (MINUTE, ZERO, SECOND, None, True, AwayOutcome.GOES_ON, "7.6", SECOND),
    (MINUTE, MINUTE - SECOND, MINUTE, None, True, AwayOutcome.GOES_ON, "7.6", SECOND),
    (MINUTE, MINUTE, MINUTE, None, True, AwayOutcome.LOST, "7.7", ZERO),
    (2 * MINUTE, 2 * MINUTE, MINUTE, None, True, AwayOutcome.LOST, "7.7", ZERO),
    (MINUTE, MINUTE, MINUTE, None, False, AwayOutcome.DRAWN, "1.3.4", ZERO),
    (2 * MINUTE, MINUTE, 9 * MINUTE, 2 * MINUTE, True, AwayOutcome.GOES_ON, "7.6", 8 * MINUTE),
    (2 * MINUTE + SECOND, ZERO, MINUTE, 2 * MINUTE, True, AwayOutcome.LOST, "7.7", MINUTE),
    (2 * MINUTE + SECOND, ZERO, MINUTE, 2 * MINUTE, False, AwayOutcome.DRAWN, "1.3.4", MINUTE),
    # a longer limit does not stop the clock
    (MINUTE, MINUTE, MINUTE, 5 * MINUTE, True, AwayOutcome.LOST, "7.7", ZERO),
]


@pytest.mark.parametrize(
    ("away", "ran", "remaining", "limit", "can_mate", "outcome", "article", "left"), AWAY
)
def test_7_5_to_7_7_back_in_time_or_lost(
    away: timedelta,
    ran: timedelta,
    remaining: timedelta,
    limit: timedelta | None,
    can_mate: bool,
    outcome: AwayOutcome,
    article: str,
    left: timedelta,
) -> None:
    answer = LAW.away_outcome(away, ran, remaining, opponent_can_mate=can_mate, limit=limit)
    assert answer == (outcome, article, left)


def absence(start: int, end: int | None) -> Absence:
    return Absence(NOON + start * MINUTE, None if end is None else NOON + end * MINUTE)


@pytest.mark.parametrize(
    ("vcs", "platform", "count"),
    [
        ([], [], 0),
        ([], [absence(1, 2)], 0),
        ([absence(1, 2)], [], 1),
        ([absence(1, 2)], [absence(1, 2)], 0),
        ([absence(1, 3)], [absence(3, 4)], 0),
        ([absence(3, 4)], [absence(1, 3)], 0),
        ([absence(1, 3)], [absence(4, 5)], 1),
        ([absence(4, 5)], [absence(1, 3)], 1),
        ([absence(4, None)], [absence(6, 7)], 0),
        ([absence(6, 7)], [absence(4, None)], 0),
        ([absence(6, 7)], [absence(8, None)], 1),
        # one disconnection from the platform answers for one from the VCS only
        ([absence(1, 2), absence(3, 4)], [absence(0, 9)], 1),
        ([absence(3, 4), absence(1, 2)], [absence(3, 4), absence(1, 1)], 0),
        ([absence(1, 2), absence(3, 4), absence(5, 6)], [absence(3, 3)], 2),
    ],
)
def test_7_9_disconnections_from_the_vcs_alone(
    vcs: list[Absence], platform: list[Absence], count: int
) -> None:
    assert LAW.vcs_only_disconnections(vcs, platform) == count


@pytest.mark.parametrize(
    ("count", "consequence"),
    [
        (0, VcsConsequence.NONE),
        (1, VcsConsequence.SANCTION),
        (2, VcsConsequence.EXCLUSION),
        (5, VcsConsequence.EXCLUSION),
    ],
)
def test_7_9_one_may_be_sanctioned_and_repeated_ones_exclude(
    count: int, consequence: VcsConsequence
) -> None:
    assert LAW.vcs_consequence(count) is consequence


@pytest.mark.parametrize(
    ("connected", "late"),
    [(NOON - SECOND, False), (NOON, False), (NOON + SECOND, True), (None, True)],
)
def test_9_1e_connected_at_the_time_the_arbiter_set(connected: datetime | None, late: bool) -> None:
    assert LAW.is_late_at_vcs(connected, NOON) is late


@pytest.mark.parametrize(
    ("on_platform", "on_vcs", "required", "may"),
    [
        (True, True, True, True),
        (True, False, True, False),
        (True, False, False, True),
        (False, True, True, False),
        (False, False, False, False),
    ],
)
def test_9_1f_no_move_while_off_the_vcs(
    on_platform: bool, on_vcs: bool, required: bool, may: bool
) -> None:
    assert LAW.may_move(on_platform=on_platform, on_vcs=on_vcs, vcs_required=required) is may


@pytest.mark.parametrize(
    ("reading", "disconnections", "red_from", "card"),
    [
        ("second_is_red", 1, None, Card.YELLOW),
        ("second_is_red", 2, None, Card.RED),
        ("second_is_red", 3, None, Card.RED),
        ("second_is_red", 2, 3, Card.YELLOW),
        ("second_is_red", 3, 3, Card.RED),
        ("second_is_red", 1, 1, Card.RED),
        ("always_yellow", 2, None, Card.YELLOW),
        ("always_yellow", 9, None, Card.YELLOW),
        ("always_yellow", 2, 2, Card.RED),
    ],
)
def test_9_2_yellow_then_red(
    reading: str, disconnections: int, red_from: int | None, card: Card
) -> None:
    law = Online2025(yellow_cards=reading)
    assert law.card(disconnections, cards_in_use=True, red_from=red_from) is card


def test_9_2_no_cards_where_the_event_has_none() -> None:
    assert LAW.card(5, cards_in_use=False) is None


@pytest.mark.parametrize(("disconnections", "red_from"), [(0, None), (1, 0)])
def test_9_2_disconnections_are_counted_from_one(disconnections: int, red_from: int | None) -> None:
    with pytest.raises(Illegal):
        LAW.card(disconnections, cards_in_use=True, red_from=red_from)
