"""After a crash (11.6): as of the last thing that was written, and nobody pays for it."""

from __future__ import annotations

from arrocco.hall.game import Phase, fold, next_deadline, recovered
from arrocco.hall.game import commands as c
from arrocco.hall.game import events as e
from arrocco.hall.game.acts.new_game import Replay
from arrocco.hall.game.acts.pause import Paused
from arrocco.hall.game.log import dump, load
from arrocco.hall.game.records import Cause, Channel
from arrocco.hall.game.state import Gap
from tests.hall.game.table import ARBITER, BLACK, START, WHITE, Table


def crash(table: Table, down: int) -> Table:
    """The server dies after the last event and is back so much later, with nothing but the log."""
    table.state = fold(load(dump(table.log)))
    table.now = table.state.last_at + down
    table.happen(recovered(table.state, table.now))
    return table


class TestRecovery:
    def test_11_6_a_running_game_stands_with_the_clocks_of_the_last_event(self) -> None:
        table = Table("180").play("e2e4", think=10_000)
        last = table.now
        crash(table, down=3_600_000)
        assert table.state.phase is Phase.PAUSED
        assert (table.left(WHITE), table.left(BLACK)) == (170_000, 180_000)
        paused = next(event for event in table.log if isinstance(event, Paused))
        assert (paused.by, paused.reason, paused.article) == ("", "hall.recovered", "11.6")
        assert (paused.at, paused.stopped) == (last + 3_600_000, last)

    def test_11_6_time_counted_at_the_last_event_stays_counted(self) -> None:
        table = Table("180").later(20_000)
        table.granted(c.CallArbiter(by="bea"))
        crash(table, down=999_000)
        assert table.left(WHITE) == 160_000

    def test_11_6_the_arbiter_resumes_it(self) -> None:
        table = crash(Table("180").play("e2e4"), down=60_000)
        for side in (WHITE, BLACK):
            table.connect(side)
        table.later(5_000).resume()
        table.later(1_000).move("e7e5")
        assert table.left(BLACK) == 179_000

    def test_11_6_all_players_are_gone_and_not_by_their_fault(self) -> None:
        table = crash(Table("180", vcs_required=True).play("e2e4"), down=60_000)
        assert not table.state.white.platform.on
        assert not table.state.black.vcs.on
        down_at = table.now
        table.later(4_000).connect(WHITE)
        assert table.state.white.platform.gaps == (Gap(down_at, table.now, Cause.SERVER),)

    def test_7_7_the_time_to_reconnect_begins_when_the_game_is_resumed(self) -> None:
        table = crash(Table("180", reconnection_limit=20_000).play("e2e4"), down=600_000)
        table.connect(WHITE)
        table.resume()
        assert table.state.black.reconnect_by == table.now + 20_000

    def test_1_3_5_the_tolerance_is_not_used_up(self) -> None:
        table = Table("600", there=(WHITE,), tolerance=60_000).play("e2e4", think=10_000)
        crash(table, down=600_000)
        table.resume()
        deadline = next_deadline(table.state, table.now)
        assert deadline is not None
        assert deadline.at == table.now + 50_001

    def test_11_6_a_premove_and_an_offer_are_still_there(self) -> None:
        table = Table("180").play("e2e4 e7e5")
        table.granted(c.SetPremove(by="bea", uci="b8c6", ply=3))
        table.granted(c.OfferDraw(by="bea"))
        before = table.state
        crash(table, down=1)
        assert table.state.black.premove == before.black.premove
        assert table.state.offer == before.offer

    def test_11_6_a_game_that_is_not_running_only_loses_its_connections(self) -> None:
        for table in (Table(started=False), Table()):
            if table.state.phase is Phase.RUNNING:
                table.granted(c.Resign(by="ada"))
            phase = table.state.phase
            events = recovered(table.state, table.now)
            assert {type(event) for event in events} == {e.Disconnected}
            table.happen(events)
            assert table.state.phase is phase

    def test_11_6_a_second_crash_changes_nothing_more(self) -> None:
        table = crash(Table("180").play("e2e4"), down=1_000)
        assert recovered(table.state, table.now) == ()

    def test_11_6_a_servers_time_that_went_back_does_no_harm(self) -> None:
        table = Table("180").play("e2e4")
        events = recovered(table.state, START - 999_999)
        assert {event.at for event in events} == {table.state.last_at}

    def test_11_6_a_channel_of_each_kind_is_closed(self) -> None:
        table = Table("180", vcs_required=True)
        gone = [event for event in recovered(table.state, table.now) if type(event) is not Paused]
        assert len(gone) == 2 * len(Channel)

    def test_11_6_another_game_can_be_ordered_instead(self) -> None:
        table = crash(Table("180").play("e2e4"), down=1_000)
        table.granted(Replay(by=ARBITER, reason="too long a break"))
        assert table.state.phase is Phase.WAITING
