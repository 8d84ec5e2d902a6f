"""Who sees what (1.2, 2.3, 5.17), at once or later."""

from __future__ import annotations

import msgspec
import pytest

from arrocco.hall.game import (
    ArbiterView,
    DeadlineKind,
    GameRole,
    Judge,
    Phase,
    PlayerView,
    View,
    next_deadline,
    on_deadline,
    view_for,
    visible_to,
)
from arrocco.hall.game import commands as c
from arrocco.hall.game import events as e
from arrocco.hall.game.acts.allow_assistant import AllowAssistant
from arrocco.hall.game.acts.change_points import PointsChanged
from arrocco.hall.game.acts.clock_time import AddTime
from arrocco.hall.game.acts.results import ResultCorrected
from arrocco.hall.game.acts.warn import Warn
from arrocco.hall.game.acts.withdraw import Withdrawn
from arrocco.hall.game.log import EVENT_TYPES
from arrocco.hall.game.premove import Premove
from arrocco.hall.game.records import Channel, Rules, SeatedPlayer
from arrocco.hall.game.state import Offer
from arrocco.hall.game.view import ClockView, MoveView
from arrocco.words import LANGUAGES, say
from tests.hall.game.table import (
    ADA,
    ARBITER,
    BEA,
    BLACK,
    LAW,
    START,
    WHITE,
    Table,
    can_always_mate,
)


def player(table: Table, role: GameRole) -> PlayerView:
    view = view_for(table.state, role, table.now)
    assert isinstance(view, PlayerView)
    return view


def arbiter(table: Table) -> ArbiterView:
    view = view_for(table.state, GameRole.ARBITER, table.now)
    assert isinstance(view, ArbiterView)
    return view


def spectator(table: Table) -> View:
    return view_for(table.state, GameRole.SPECTATOR, table.now)


class TestPlayers:
    def test_1_2_both_see_position_moves_and_clocks(self) -> None:
        table = Table("180+2").play("e2e4", think=3_000).later(1_000)
        for role in (GameRole.WHITE, GameRole.BLACK):
            view = player(table, role)
            assert view.fen == table.state.board.fen()
            assert view.last == "e2e4"
            assert view.moves == (MoveView("e2e4", 3_000, 179_000, 180_000),)
            assert view.clock == ClockView(179_000, 179_000, BLACK)
            assert (view.white, view.black) == (ADA, BEA)

    def test_1_2_the_player_to_move_gets_the_legal_moves(self) -> None:
        table = Table().play("e2e4")
        assert len(player(table, GameRole.BLACK).legal) == 20
        assert player(table, GameRole.WHITE).legal == ()
        table.pause()
        assert player(table, GameRole.BLACK).legal == ()

    def test_1_2_a_premove_is_its_owners_alone(self) -> None:
        table = Table()
        table.granted(c.SetPremove(by="bea", uci="e7e5", ply=1))
        assert player(table, GameRole.BLACK).premove == Premove(1, "e7e5")
        for role in GameRole:
            text = msgspec.json.encode(view_for(table.state, role, table.now))
            assert (b"e7e5" in text) == (role is GameRole.BLACK)

    def test_2_3_an_offer_is_seen_by_players_and_arbiter_only(self) -> None:
        table = Table().play("e2e4")
        table.granted(c.OfferDraw(by="ada"))
        for view in (player(table, GameRole.WHITE), player(table, GameRole.BLACK), arbiter(table)):
            assert view.offer == Offer(WHITE, 1)
        assert b"offer" not in msgspec.json.encode(spectator(table))

    def test_1_2_the_opponents_absence_is_seen(self) -> None:
        table = Table(reconnection_limit=20_000)
        table.disconnect(BLACK)
        opponent = player(table, GameRole.WHITE).opponent
        assert (opponent.connected, opponent.lost) == (False, START)
        assert opponent.reconnect_by == START + 20_000
        assert player(table, GameRole.BLACK).reconnect_by == START + 20_000

    def test_1_2_the_tolerance_is_shown_as_long_as_somebody_is_awaited(self) -> None:
        table = Table(there=(WHITE,), tolerance=60_000)
        assert player(table, GameRole.WHITE).tolerance_ends == START + 60_000
        table.connect(BLACK)
        assert player(table, GameRole.WHITE).tolerance_ends is None

    def test_9_1f_a_player_off_the_video_conference_is_told(self) -> None:
        table = Table(vcs_required=True)
        assert player(table, GameRole.WHITE).may_move
        table.disconnect(WHITE, Channel.VCS)
        assert not player(table, GameRole.WHITE).may_move

    def test_1_2_a_sanction_is_for_the_player_it_falls_on(self) -> None:
        table = Table()
        table.granted(Warn(by=ARBITER, reason="headphones", side=BLACK))
        assert [act.act.reason for act in player(table, GameRole.BLACK).acts] == ["headphones"]
        assert player(table, GameRole.WHITE).acts == ()
        assert len(arbiter(table).acts) == 1
        assert b"headphones" not in msgspec.json.encode(spectator(table))

    def test_1_2_time_given_is_for_both_to_see(self) -> None:
        table = Table()
        table.granted(AddTime(by=ARBITER, reason="noise", side=BLACK, time=1_000))
        assert (
            len(player(table, GameRole.WHITE).acts) == len(player(table, GameRole.BLACK).acts) == 1
        )

    def test_1_2_calls_are_between_the_caller_and_the_arbiter(self) -> None:
        table = Table()
        table.granted(c.CallArbiter(by="ada", text="noise"))
        assert [call.text for call in player(table, GameRole.WHITE).calls] == ["noise"]
        assert player(table, GameRole.BLACK).calls == ()
        assert len(arbiter(table).calls) == 1

    def test_1_2_notes_are_the_arbiters(self) -> None:
        table = Table()
        table.granted(c.AddNote(by=ARBITER, text="looks away"))
        assert len(arbiter(table).notes) == 1
        for role in (GameRole.WHITE, GameRole.BLACK, GameRole.SPECTATOR):
            assert b"looks away" not in msgspec.json.encode(view_for(table.state, role, table.now))

    def test_1_2_an_assistant_is_known_to_both(self) -> None:
        table = Table()
        table.granted(AllowAssistant(by=ARBITER, reason="arm", side=WHITE, assistant="zoe"))
        assert len(player(table, GameRole.BLACK).acts) == 1


class TestSpectators:
    def test_5_17_they_see_the_position_the_time_and_the_result(self) -> None:
        table = Table("180").play("f2f3 e7e5 g2g4 d8h4", think=1_000)
        view = spectator(table)
        assert set(msgspec.to_builtins(view)) == {
            "role",
            "game",
            "white",
            "black",
            "phase",
            "fen",
            "last",
            "clock",
            "result",
        }
        assert view.fen == table.state.board.fen()
        assert view.clock == ClockView(178_000, 178_000, None)
        assert view.result is not None
        assert view.result.scores == (0, 2)

    @pytest.mark.parametrize("delay", [0, 1_000])
    def test_5_17_no_analysis_not_even_the_proof_of_a_result(self, delay: int) -> None:
        judge = Judge(can_always_mate, LAW, lambda board, color: "a mating line")
        table = Table("180", judge=judge, spectator_delay=delay)
        table.later(180_000).wake()
        seen = [
            view_for(table.state, role, table.now, with_analysis=is_over).result
            for role in (GameRole.WHITE, GameRole.BLACK, GameRole.ARBITER)
            for is_over in (False, True)
        ]
        proofs = [shown and shown.proof for shown in seen]
        assert proofs == ["", "a mating line"] * 2 + ["a mating line"] * 2
        result = spectator(table.later(delay)).result
        assert result is not None
        assert (result.scores, result.article, result.proof) == ((0, 2), "2.1c", "")

    @pytest.mark.parametrize("reason", ["checkmate", "time"])
    def test_5_17_the_end_has_its_sentence_in_both_languages(self, reason: str) -> None:
        table = Table("180")
        if reason == "checkmate":
            table.play("f2f3 e7e5 g2g4 d8h4")
        else:
            table.wake()
        result = spectator(table).result
        assert result is not None
        assert {say(language, result.key) for language in LANGUAGES}.isdisjoint({""})


class TestDelayInTime:
    DELAY = 60_000

    def table(self) -> Table:
        return Table("600", spectator_delay=self.DELAY)

    def test_5_17_they_see_what_was_there_so_long_ago(self) -> None:
        table = self.table().play("e2e4", think=10_000)
        assert spectator(table).last == ""
        assert spectator(table).phase is Phase.WAITING
        table.now = START + self.DELAY
        assert spectator(table).phase is Phase.RUNNING
        table.now = START + 10_000 + self.DELAY - 1
        assert spectator(table).last == ""
        table.now += 1
        assert spectator(table).last == "e2e4"

    def test_5_17_their_clocks_run_as_they_ran_then(self) -> None:
        table = self.table().play("e2e4", think=10_000)
        table.now = START + 70_000 + 5_000
        assert spectator(table).clock == ClockView(590_000, 595_000, BLACK)

    def test_5_17_the_server_wakes_when_they_see_something_new(self) -> None:
        table = self.table().play("e2e4", think=10_000)
        now = START + 30_000
        deadline = next_deadline(table.state, now)
        assert deadline == (START + self.DELAY, DeadlineKind.SPECTATORS)
        later = next_deadline(table.state, START + self.DELAY)
        assert later == (START + 10_000 + self.DELAY, DeadlineKind.SPECTATORS)
        assert on_deadline(table.state, START + self.DELAY, table.judge) == ()
        after = next_deadline(table.state, START + 10_000 + self.DELAY)
        assert after is not None
        assert after.kind is DeadlineKind.FLAG

    def test_5_17_the_result_comes_late_too(self) -> None:
        table = self.table().play("e2e4")
        table.granted(c.Resign(by="bea"))
        assert spectator(table).result is None
        deadline = next_deadline(table.state, table.now + 59_999)
        assert deadline == (table.now + self.DELAY, DeadlineKind.SPECTATORS)
        table.later(self.DELAY)
        assert spectator(table).result is not None
        assert next_deadline(table.state, table.now) is None

    def test_5_17_what_everybody_has_seen_is_not_kept(self) -> None:
        table = self.table().play("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", think=30_000)
        assert len(table.state.frames) <= 4

    def test_5_17_players_and_arbiter_see_everything_at_once(self) -> None:
        table = self.table().play("e2e4")
        assert player(table, GameRole.WHITE).last == arbiter(table).last == "e2e4"


class TestDelayInMoves:
    def test_5_17_they_are_so_many_half_moves_behind(self) -> None:
        table = Table("600", spectator_delay_plies=2).play("e2e4 e7e5 g1f3", think=10_000)
        view = spectator(table)
        assert view.last == "e2e4"
        assert view.clock == ClockView(590_000, 600_000, None)

    def test_5_17_at_the_end_they_see_the_rest(self) -> None:
        table = Table("600", spectator_delay_plies=4).play("f2f3 e7e5 g2g4 d8h4")
        view = spectator(table)
        assert view.last == "d8h4"
        assert view.result is not None

    def test_5_17_both_delays_must_have_passed(self) -> None:
        table = Table("600", spectator_delay_plies=1, spectator_delay=60_000)
        table.play("e2e4 e7e5", think=0).later(60_000)
        assert spectator(table).last == "e2e4"
        table = Table("600", spectator_delay_plies=1, spectator_delay=60_000)
        table.play("e2e4 e7e5", think=0).later(59_999)
        assert spectator(table).last == ""


# --- events ---------------------------------------------------------------------------------------

VALUES = {
    "text": "x",
    "at": 1,
    "v": 1,
    "side": WHITE,
    "ply": 0,
    "uci": "e2e4",
    "spent": 0,
    "white": 1,
    "black": 1,
    "why": "player",
    "on": True,
    "by": "x",
    "reason": "r",
    "article": "a",
    "stopped": 0,
    "left": 1,
    "before": 1,
    "time": 1,
    "swapped": False,
    "cents": 1,
    "scope": "rounds",
    "assistant": "z",
    "call": 1,
    "founded": True,
    "granted": True,
    "inspection": 1,
    "shows": True,
    "point": "room",
    "in_order": True,
    "permission": "leave",
    "game": "g",
    "control": "180",
}


def example(kind: type[e.Event]) -> e.Event:
    """Some event of a kind, of White where it is of a side."""
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    given = {name: VALUES[name] for name, field in fields.items() if name in VALUES}
    for name in ("scores", "half_points"):
        if name in fields and fields[name].required:
            given[name] = (2, 0)
    if kind in (ResultCorrected, PointsChanged):
        given["before"] = (1, 1)
    if kind is e.Ended:
        given["reason"] = "time"
    if kind is e.Created:
        given |= {
            "white": SeatedPlayer("a", "A"),
            "black": SeatedPlayer("b", "B"),
            "rules": Rules(tolerance=0),
        }
    return msgspec.convert(given | {"type": kind.__struct_config__.tag}, kind)


def roles_that_see(kind: type[e.Event]) -> str:
    event = example(kind)
    return "".join(role.value[0] for role in GameRole if visible_to(event, role))


KINDS = {kind.__name__: kind for kind in EVENT_TYPES}


@pytest.mark.parametrize("kind", EVENT_TYPES, ids=lambda kind: kind.__name__)
def test_every_event_is_for_somebody(kind: type[e.Event]) -> None:
    assert roles_that_see(kind)


@pytest.mark.parametrize(
    ("who", "kinds"),
    [
        ("wbas", "Created Started Moved Ended"),
        ("w", "PremoveSet PremoveCleared PremoveExecuted"),
        ("wa", "Warned Fined Excluded ChatBlocked ArbiterCalled CallAnswered AutoQueenSet Said"),
        ("wba", "DrawOffered DrawRefused Paused TimeAdded PointsChanged NewGame Disconnected"),
        ("a", "Note FocusChanged"),
    ],
)
def test_6_9_each_is_seen_by_those_it_concerns(who: str, kinds: str) -> None:
    for kind in kinds.split():
        assert roles_that_see(KINDS[kind]) == who, kind


def test_a_withdrawn_correction_concerns_both() -> None:
    event = Withdrawn(at=1, by="x", reason="r", article="5.16", corrects=3)
    assert [role for role in GameRole if visible_to(event, role)] == [
        GameRole.WHITE,
        GameRole.BLACK,
        GameRole.ARBITER,
    ]
