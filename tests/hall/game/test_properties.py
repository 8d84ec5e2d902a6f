"""Whatever anybody wishes in whatever order: what always holds of a game and its log."""

from __future__ import annotations

from typing import Any

import chess
from hypothesis import given, settings
from hypothesis import strategies as st

from arrocco.errors import Refusal
from arrocco.hall.game import (
    GameRole,
    Judge,
    Phase,
    State,
    apply,
    begin,
    decide,
    fold,
    next_deadline,
    on_deadline,
    recovered,
    to_pgn,
    view_for,
    visible_to,
)
from arrocco.hall.game import acts as a
from arrocco.hall.game import commands as c
from arrocco.hall.game import events as e
from arrocco.hall.game.acts.allow_assistant import AllowAssistant
from arrocco.hall.game.acts.answer_call import AnswerCall
from arrocco.hall.game.acts.block_chat import BlockChat
from arrocco.hall.game.acts.change_points import ChangePoints
from arrocco.hall.game.acts.clock_time import AddTime, SetTime, SubtractTime, TimeAdded, TimeSet
from arrocco.hall.game.acts.exclude import Exclude
from arrocco.hall.game.acts.fine import Fine
from arrocco.hall.game.acts.new_game import CorrectColours, NewGame, Replay
from arrocco.hall.game.acts.pause import Pause, Resume
from arrocco.hall.game.acts.results import CorrectResult, DeclareResult
from arrocco.hall.game.acts.resume_from_position import ResumedFromPosition, ResumeFromPosition
from arrocco.hall.game.acts.warn import Warn
from arrocco.hall.game.acts.withdraw import Withdraw
from arrocco.hall.game.decide import Command
from arrocco.hall.game.log import dump, load
from arrocco.hall.game.position import replay
from arrocco.hall.game.records import Cause, Channel
from arrocco.laws.online.sanctions import Scope
from arrocco.laws.online.side import Side
from arrocco.words import finding_advice, finding_text
from tests.hall.game.table import ARBITER, LAW, by_material, created

JUDGE = Judge(by_material, LAW)
PEOPLE = st.sampled_from(["ada", "bea", "zoe", "eve", ARBITER, ""])
PLAYERS = st.sampled_from(["ada", "bea"])
SIDES = st.sampled_from(list(Side))
TIMES = st.sampled_from([-1, 0, 1, 500, 5_000, 60_000, 10**9])
SCORES = st.tuples(st.integers(0, 2), st.integers(0, 2))
ARTICLES = st.sampled_from(["", "", "", "6.9f", "5.9", "11.3", "11.4", "5.16", "6.9e", "9.2"])
SIGNED = {"by": st.just(ARBITER), "reason": st.sampled_from(["seen", "seen", "seen", ""])}
NUMBERS = st.none() | st.integers(0, 40)

RULES = st.fixed_dictionaries(
    {
        "tolerance": st.sampled_from([0, 3_000, 60_000]),
        "white_loses_time_while_absent": st.booleans(),
        "reconnection_limit": st.sampled_from([None, 0, 2_000, 20_000]),
        "vcs_required": st.booleans(),
        "spectator_delay": st.sampled_from([0, 0, 4_000]),
        "spectator_delay_plies": st.sampled_from([0, 0, 3]),
        "announced_fine": st.sampled_from([None, 5_000]),
    }
)
CONTROLS = st.sampled_from(["60+1", "20", "300+2", "2/20+1:10", "3/30+1:2/15", "W60-B40+1"])

WISHES = st.one_of(
    st.builds(c.Connect, by=PLAYERS, channel=st.sampled_from(list(Channel))),
    st.builds(
        c.Disconnect,
        by=PLAYERS,
        channel=st.sampled_from(list(Channel)),
        cause=st.sampled_from(list(Cause)),
    ),
    st.builds(c.Start, by=st.just(ARBITER)),
    st.builds(c.Move, by=PEOPLE, uci=st.text(max_size=5), ply=st.integers(-1, 9)),
    st.builds(c.Move, by=PEOPLE, uci=st.just("e2e4"), ply=st.integers(-1, 9)),
    st.builds(c.SetPremove, by=PEOPLE, uci=st.just("e7e5"), ply=st.integers(-1, 9)),
    st.builds(c.ClearPremove, by=PEOPLE),
    st.builds(c.SetAutoQueen, by=PEOPLE, on=st.booleans()),
    st.builds(c.OfferDraw, by=PEOPLE),
    st.builds(c.AcceptDraw, by=PEOPLE),
    st.builds(c.WithdrawOffer, by=PEOPLE),
    st.builds(c.SetFocus, by=PEOPLE, on=st.booleans()),
    st.builds(c.Resign, by=PEOPLE),
    st.builds(c.CallArbiter, by=PEOPLE, text=st.text(max_size=3)),
    st.builds(c.AddNote, by=PEOPLE, text=st.text(max_size=3)),
)
ACTS = st.one_of(
    st.builds(Pause, **SIGNED),
    st.builds(Resume, **SIGNED),
    st.builds(SetTime, **SIGNED, side=SIDES, time=TIMES, corrects=NUMBERS),
    st.builds(AddTime, **SIGNED, side=SIDES, time=TIMES),
    st.builds(SubtractTime, **SIGNED, side=SIDES, time=TIMES),
    st.builds(DeclareResult, **SIGNED, scores=SCORES, against=st.none() | SIDES, article=ARTICLES),
    st.builds(CorrectResult, **SIGNED, scores=SCORES, against=st.none() | SIDES, article=ARTICLES),
    st.builds(ChangePoints, **SIGNED, side=SIDES, scores=SCORES, article=ARTICLES),
    st.builds(Warn, **SIGNED, side=SIDES, article=ARTICLES),
    st.builds(Fine, **SIGNED, side=SIDES, cents=st.integers(-1, 9_000)),
    st.builds(Exclude, **SIGNED, side=SIDES, scope=st.sampled_from(list(Scope)), rounds=NUMBERS),
    st.builds(BlockChat, **SIGNED, side=SIDES),
    st.builds(AllowAssistant, **SIGNED, side=SIDES, assistant=PEOPLE),
    st.builds(AnswerCall, **SIGNED, call=st.integers(0, 40), founded=st.booleans()),
    st.builds(Withdraw, **SIGNED, corrects=NUMBERS),
)
AGAIN = st.one_of(st.builds(Replay, **SIGNED), st.builds(CorrectColours, **SIGNED))
DRAWS = st.one_of(st.builds(c.OfferDraw, by=PLAYERS), st.builds(c.AcceptDraw, by=PLAYERS))
CALLS = st.builds(c.CallArbiter, by=PLAYERS)
GO_ON = st.one_of(
    st.builds(Resume, by=st.just(ARBITER), reason=st.just("go on")),
    st.builds(c.Start, by=st.just(ARBITER)),
    st.builds(c.Connect, by=PLAYERS, channel=st.sampled_from(list(Channel))),
)
KINDS = (
    ["move"] * 14
    + ["premove"] * 3
    + ["wish", "act", "draws", "go on"] * 3
    + [
        "act on the last",
        "back",
        "again",
        "call",
    ]
)
"""What a step is: most are moves, or a game would not get anywhere."""

Step = tuple[str, Any, int, bool]


@st.composite
def steps(draw: st.DrawFn) -> list[Step]:
    """Steps of a game: a kind, what it needs, how long it takes, whether the timer is on time."""
    sources: dict[str, st.SearchStrategy[Any]] = {
        "wish": WISHES,
        "act": ACTS,
        "draws": DRAWS,
        "go on": GO_ON,
        "again": AGAIN,
        "call": CALLS,
    }
    found = []
    for _ in range(draw(st.integers(0, 60))):
        kind = draw(st.sampled_from(KINDS))
        wish = draw(sources.get(kind, st.integers(0, 99)))
        wait = draw(st.sampled_from([0, 0, 1, 300, 900, 900, 3_000, 20_000]))
        found.append((kind, wish, wait, draw(st.booleans())))
    return found


STEPS = steps()


def command(state: State, kind: str, wish: Any) -> Command:
    """What a step means in a state: moves are chosen among those there are."""
    if kind == "move":
        legal = list(state.board.legal_moves) or [chess.Move.null()]
        mover = state.seat(state.turn).player.id
        return c.Move(by=mover, uci=legal[wish % len(legal)].uci(), ply=state.ply)
    if kind == "premove":
        board = state.board.copy(stack=False)
        board.turn = not board.turn
        chosen = list(board.pseudo_legal_moves) or [chess.Move.null()]
        waiter = state.seat(state.turn.other).player.id
        return c.SetPremove(by=waiter, uci=chosen[wish % len(chosen)].uci(), ply=state.ply + 1)
    if kind == "back":
        clocks = (5_000, 5_000) if wish % 2 else None
        ply = wish % (state.ply + 2)
        return ResumeFromPosition(by=ARBITER, reason="seen", ply=ply, clocks=clocks)
    if kind == "act on the last":
        return on_the_last(state, wish)
    assert isinstance(wish, c.PlayerCommand | a.ArbiterCommand)
    return wish


def on_the_last(state: State, wish: int) -> Command:
    """An act about what there is: the last act, the last call, the result."""
    last = state.acts[-1].number if state.acts else 0
    scores = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2)][wish % 6]
    side = list(Side)[wish % 2]
    open_calls = [call.number for call in state.calls if not call.answered]
    return [
        Withdraw(by=ARBITER, reason="seen", corrects=last),
        AnswerCall(by=ARBITER, reason="seen", call=(open_calls or [0])[-1], founded=True),
        ChangePoints(by=ARBITER, reason="seen", side=side, scores=scores, article="6.9e"),
        CorrectResult(by=ARBITER, reason="seen", scores=scores, article="5.16"),
    ][wish // 6 % 4]


class Run:
    """A game driven step by step, with what must hold checked at each event."""

    def __init__(self, control: str, rules: dict[str, Any]) -> None:
        first = created(control, **rules)
        self.log: list[e.Event] = [first]
        self.state = begin(first)
        self.now = 0
        for by in ("ada", "bea"):
            for channel in Channel:
                self.do(c.Connect(by=by, channel=channel))
        self.do(c.Start(by=ARBITER))

    def do(self, wish: Command) -> None:
        before = self.state
        decision = decide(before, wish, self.now, JUDGE)
        assert decision == decide(before, wish, self.now, JUDGE), "asking twice changed something"
        if decision.refusal is not None:
            assert finding_text("it", decision.refusal)
            assert finding_advice("en", decision.refusal)
        self.happen(decision.events)

    def wake(self) -> None:
        self.happen(on_deadline(self.state, self.now, JUDGE))
        deadline = next_deadline(self.state, self.now)
        assert deadline is None or deadline.at > self.now, "something is due and was not done"

    def happen(self, events: tuple[e.Event, ...]) -> None:
        for event in events:
            before = self.state
            self.state = apply(before, event)
            self.log.append(event)
            self.check(before, event)

    def check(self, before: State, event: e.Event) -> None:
        state = self.state
        assert state.number == len(self.log)
        assert before.last_at <= event.at <= max(self.now, before.last_at)
        assert (state.phase is Phase.ENDED) == (state.outcome is not None)
        assert state.board.is_valid()
        assert state.turn is (Side.WHITE if state.board.turn else Side.BLACK)
        if isinstance(event, e.Ended):
            assert before.outcome is None, "a second end"
        if isinstance(event, e.Moved):
            assert before.phase is Phase.RUNNING
            assert chess.Move.from_uci(event.uci) in before.board.legal_moves
            switched = before.clock.switch(event.at)
            assert state.clock == switched, "the log and the clock differ"
        self.check_times(before, event)

    def check_times(self, before: State, event: e.Event) -> None:
        """Time goes up only with a move of one's own, an act, or another game."""
        given = (TimeSet, TimeAdded, ResumedFromPosition, NewGame)
        for side in Side:
            now = self.state.clock.remaining(side, event.at)
            assert now >= 0
            moved = isinstance(event, e.Moved) and event.side is side
            if not moved and not isinstance(event, given):
                assert now <= before.clock.remaining(side, before.last_at)


@settings(max_examples=100, deadline=None)
@given(CONTROLS, RULES, STEPS)
def test_a_game_keeps_its_word(control: str, rules: dict[str, Any], steps: list[Step]) -> None:
    run = Run(control, rules)
    for kind, wish, wait, on_time in steps:
        run.now += wait
        if on_time:
            run.wake()
        run.do(command(run.state, kind, wish))
    told = load(dump(run.log))
    assert told == run.log
    assert fold(told) == run.state
    assert replay(move.uci for move in run.state.moves)[0] == run.state.board
    check_outcome(run.state)
    check_secrets(run)
    assert to_pgn(run.state)


def check_outcome(state: State) -> None:
    if state.outcome is None:
        return
    scoring = state.rules.scoring
    assert LAW.score_is_legal(state.outcome.scores, scoring)
    assert state.outcome.scores == state.outcome.half_points
    assert state.clock.running is None


def check_secrets(run: Run) -> None:
    """No role is shown an act or a premove that is not for it."""
    state = run.state
    for role in GameRole:
        view = view_for(state, role, run.now)
        if role.side is None:
            assert not hasattr(view, "premove")
    for event in run.log:
        if isinstance(event, e.PremoveSet):
            assert [role for role in GameRole if visible_to(event, role)] == [
                GameRole(event.side.value)
            ]


@settings(max_examples=50, deadline=None)
@given(CONTROLS, RULES, STEPS, st.integers(0, 10**6))
def test_11_6_a_crash_at_any_moment_costs_nobody_time(
    control: str, rules: dict[str, Any], steps: list[Step], down: int
) -> None:
    run = Run(control, rules)
    for kind, wish, wait, _ in steps:
        run.now += wait
        run.do(command(run.state, kind, wish))
    last = run.state
    shown = [last.clock.remaining(side, last.last_at) for side in Side]
    run.state = fold(load(dump(run.log)))
    run.now = last.last_at + down
    run.happen(recovered(run.state, run.now))
    assert run.state.phase is not Phase.RUNNING
    assert [run.state.clock.remaining(side, run.now) for side in Side] == shown
    assert next_deadline(run.state, run.now) is None or run.state.frames
    run.do(Resume(by=ARBITER, reason="back"))
    assert fold(run.log) == run.state


@settings(max_examples=50, deadline=None)
@given(CONTROLS, RULES, STEPS)
def test_time_alone_ends_every_game_that_runs(
    control: str, rules: dict[str, Any], steps: list[Step]
) -> None:
    """With one timer for each game, set where `next_deadline` says, nothing is left hanging."""
    run = Run(control, rules)
    for kind, wish, wait, _ in steps:
        run.now += wait
        run.do(command(run.state, kind, wish))
    for _ in range(200):
        deadline = next_deadline(run.state, run.now)
        if deadline is None:
            break
        run.now = max(run.now, deadline.at)
        run.wake()
    else:
        raise AssertionError("the timer never comes to rest")
    assert run.state.phase is not Phase.RUNNING


@settings(max_examples=50, deadline=None)
@given(CONTROLS, RULES, STEPS)
def test_a_late_timer_changes_no_result(
    control: str, rules: dict[str, Any], steps: list[Step]
) -> None:
    """Woken at each deadline or only by the next wish, a game comes to the same log."""
    punctual, lazy = Run(control, rules), Run(control, rules)
    for kind, wish, wait, _ in steps:
        until = punctual.now + wait
        deadline = next_deadline(punctual.state, punctual.now)
        while deadline is not None and deadline.at <= until:
            punctual.now = max(punctual.now, deadline.at)
            punctual.wake()
            deadline = next_deadline(punctual.state, punctual.now)
        punctual.now = lazy.now = until
        wished = command(punctual.state, kind, wish)
        punctual.do(wished)
        lazy.do(wished)
    assert lazy.log == punctual.log


@settings(max_examples=50, deadline=None)
@given(CONTROLS, RULES, STEPS, st.integers(0, 99), st.sampled_from(["lost", "twice", "swapped"]))
def test_a_damaged_log_is_refused_or_is_another_game_but_never_breaks(
    control: str, rules: dict[str, Any], steps: list[Step], place: int, damage: str
) -> None:
    run = Run(control, rules)
    for kind, wish, wait, _ in steps:
        run.now += wait
        run.do(command(run.state, kind, wish))
    log = list(run.log)
    place = 1 + place % (len(log) - 1)
    if damage == "lost":
        del log[place]
    elif damage == "twice":
        log.insert(place, log[place])
    else:
        log[place - 1], log[place] = log[place], log[place - 1]
    try:
        state = fold(log)
    except Refusal:
        return
    assert state.board.is_valid()
    for role in GameRole:
        view_for(state, role, run.now)
