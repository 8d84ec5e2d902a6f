"""7.9 — disconnections from the video conference stand in the arbiter's report."""

from __future__ import annotations

from arrocco.hall.event.conference_gaps import conference_gaps
from arrocco.hall.game import Phase
from arrocco.hall.game import commands as c
from arrocco.hall.game.records import Channel
from arrocco.laws.online.connection import VcsConsequence
from tests.hall.game.table import BLACK, IDS, LAW, WHITE, Table

VCS = Channel.VCS


def test_7_9_a_gap_is_told_with_its_times_and_what_the_article_allows() -> None:
    table = Table(vcs_required=True)
    table.disconnect(WHITE, VCS)
    table.later(7_000).connect(WHITE, VCS)
    (told,) = conference_gaps([table.state], LAW)
    assert (told.player, told.alone) == (table.state.white.player.name, 1)
    (gap,) = told.gaps
    assert gap.end is not None
    assert (gap.end - gap.start).total_seconds() == 7
    assert told.consequence is VcsConsequence.SANCTION
    table.disconnect(WHITE, VCS)
    table.later(5_000).connect(WHITE, VCS)
    (told,) = conference_gaps([table.state], LAW)
    assert (told.alone, told.consequence) == (2, VcsConsequence.EXCLUSION)


def test_7_9_a_gap_together_with_the_board_is_told_and_not_counted() -> None:
    table = Table(vcs_required=True)
    table.disconnect(BLACK)
    table.disconnect(BLACK, VCS)
    table.later(7_000).connect(BLACK)
    table.connect(BLACK, VCS)
    (told,) = conference_gaps([table.state], LAW)
    assert (len(told.gaps), told.alone, told.consequence) == (1, 0, VcsConsequence.NONE)


def test_7_9_a_gap_that_lasts_has_no_end_and_ends_with_the_game() -> None:
    table = Table(vcs_required=True)
    table.disconnect(WHITE, VCS)
    assert conference_gaps([table.state], LAW)[0].gaps[0].end is None
    table.later(9_000).granted(c.Resign(by=IDS[BLACK]))
    assert table.state.phase is Phase.ENDED
    gap = conference_gaps([table.state], LAW)[0].gaps[0]
    assert gap.end is not None
    assert (gap.end - gap.start).total_seconds() == 9


def test_7_9_who_was_never_away_is_not_named() -> None:
    assert conference_gaps([Table(vcs_required=True).state, Table().state], LAW) == ()
