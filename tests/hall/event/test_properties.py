"""Whatever anybody asks in whatever order: what always holds of an event and its log."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from arrocco.errors import Inconsistent, Refusal
from arrocco.formats.trf import from_report, read_report
from arrocco.hall.event import Phase, State, apply, dump, fold, load, standings, to_report, view_for
from arrocco.hall.event.acts import Command
from arrocco.hall.event.acts.byes import CancelBye, RequestBye
from arrocco.hall.event.acts.closing import CloseEvent, Validate
from arrocco.hall.event.acts.entries import CheckIn, CorrectPerson, Enter, WithdrawEntry, Withdrawn
from arrocco.hall.event.acts.forbidden_pairs import AllowPair, ForbidPair
from arrocco.hall.event.acts.officials import AppointArbiter, AssignZone, DismissArbiter, SetRules
from arrocco.hall.event.acts.pairing import PairByHand, PairingWithdrawn, PairRound, WithdrawPairing
from arrocco.hall.event.acts.results import CorrectResult, TakeBack, TakeResult
from arrocco.hall.event.acts.rounds import CloseRound, DelayRound, DrawSample, OpenRound
from arrocco.hall.event.acts.sanctions import Impose, LiftSanction
from arrocco.hall.event.cards import cards
from arrocco.hall.event.field import in_order
from arrocco.hall.event.records import Arbiter, PairingSystem, Result, TieBreak
from arrocco.laws.online.sanctions import Scope
from arrocco.records.report import ByeKind, GameKind
from tests.hall.event.desk import CHIEF, HELPER, LAWS, ORGANISER, START, Desk, person, rules

SYSTEMS = st.sampled_from(list(PairingSystem))
PEOPLE = st.sampled_from([CHIEF, CHIEF, CHIEF, CHIEF, ORGANISER, HELPER, "p1", "p2", "zoe", ""])
ENTRIES, ROUNDS, BOARDS = st.integers(1, 8), st.integers(1, 4), st.integers(1, 4)
POINTS = st.tuples(st.sampled_from([0, 5, 10]), st.sampled_from([0, 5, 10]))
REASONS = st.sampled_from(["seen", "seen", "seen", ""])
MOMENTS = st.integers(-1, 40).map(lambda minutes: START + timedelta(minutes=minutes))
HALVES = {0: 0, 5: 1, 10: 2}


@st.composite
def results(draw: st.DrawFn) -> Result:
    points = draw(POINTS)
    halves = HALVES[points[0]], HALVES[points[1]]
    return Result(points, halves, draw(st.sampled_from(list(GameKind))))


def made(command: type[Command], /, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Command]:
    return st.builds(command, by=PEOPLE, **fields)


COMMANDS: st.SearchStrategy[Command] = st.one_of(
    made(PairRound, starts=st.none() | MOMENTS),
    made(PairRound),
    made(OpenRound),
    made(OpenRound),
    made(CloseRound),
    made(TakeResult, round=ROUNDS, board=BOARDS, result=results()),
    made(TakeResult, round=ROUNDS, board=BOARDS, result=results()),
    made(
        PairByHand,
        boards=st.lists(st.tuples(ENTRIES, ENTRIES), max_size=3).map(tuple),
        bye=st.none() | ENTRIES,
        reason=REASONS,
    ),
    made(TakeBack, round=ROUNDS, board=BOARDS, white=ENTRIES),
    made(WithdrawPairing, reason=REASONS),
    made(DelayRound, starts=MOMENTS, reason=REASONS),
    made(DrawSample, seed=st.sampled_from(["1", ""])),
    made(
        CorrectResult,
        round=ROUNDS,
        board=BOARDS,
        points=POINTS,
        article=st.sampled_from(["11.3", "11.4", "5.16", "13.3", "9.9"]),
        reason=REASONS,
        kind=st.none() | st.sampled_from(list(GameKind)),
    ),
    made(
        Impose,
        article=st.sampled_from([f"6.9{x}" for x in "abcdefghijk"] + ["13.5b", "13.5c", "13.5d"]),
        entry=ENTRIES,
        reason=REASONS,
        scope=st.none() | st.sampled_from(list(Scope)),
        rounds=st.lists(ROUNDS, max_size=2).map(tuple),
        round=st.none() | ROUNDS,
        points=st.none() | POINTS,
        fine=st.none() | st.just(100),
    ),
    made(LiftSanction, number=st.integers(1, 4), reason=REASONS),
    made(Enter, person=st.integers(1, 8).map(person)),
    made(CorrectPerson, entry=ENTRIES, person=st.integers(1, 8).map(person)),
    made(CheckIn, entry=ENTRIES),
    made(WithdrawEntry, entry=ENTRIES, reason=REASONS),
    made(RequestBye, entry=ENTRIES, round=ROUNDS, kind=st.sampled_from(list(ByeKind))),
    made(CancelBye, entry=ENTRIES, round=ROUNDS),
    made(ForbidPair, one=ENTRIES, other=ENTRIES, reason=REASONS),
    made(AllowPair, one=ENTRIES, other=ENTRIES),
    made(AppointArbiter, arbiter=st.just(Arbiter(account=HELPER, name="Anna", zone=(1, 2)))),
    made(AssignZone, account=st.just(HELPER), zone=st.just((2, 1)) | st.just((1, 1))),
    made(DismissArbiter, account=st.sampled_from([HELPER, CHIEF])),
    made(SetRules, rules=st.just(rules(rounds=2))),
    made(CloseEvent, reason=REASONS),
    made(Validate),
)


@st.composite
def desks(draw: st.DrawFn) -> Desk:
    """An event that went on for a while, with some rounds played as usual in between."""
    system = draw(SYSTEMS)
    more: dict[str, Any] = {}
    if not system.is_round_robin:
        more = {
            "half_point_byes": 1,
            "late_entries_until": 3,
            "tie_breaks": tuple(TieBreak),
        }
    desk = Desk(draw(st.integers(0, 6)), system=system, announced_fine=500, **more)
    for _ in range(draw(st.integers(0, 30))):
        desk.later(minutes=draw(st.sampled_from([0, 1, 30])))
        if draw(st.booleans()):
            _play_on(desk, draw)
        else:
            desk.ask(draw(COMMANDS))
    return desk


def _play_on(desk: Desk, draw: st.DrawFn) -> None:
    """The next step of a usual day."""
    last = desk.state.last_round
    if last is None or last.phase is Phase.CLOSED:
        desk.ask(PairRound(by=CHIEF))
    elif last.phase is Phase.PAIRED:
        desk.ask(OpenRound(by=CHIEF))
    else:
        for number, board in enumerate(last.boards, start=1):
            if board.result is None:
                taken = draw(results())
                desk.ask(TakeResult(by="", round=last.number, board=number, result=taken))
        desk.ask(CloseRound(by=CHIEF))


@given(desks())
@settings(max_examples=150, deadline=None)
def test_the_written_log_gives_the_same_state(desk: Desk) -> None:
    assert load(dump(desk.log)) == desk.log
    assert desk.refolded() == desk.state


@given(desks())
@settings(max_examples=100, deadline=None)
def test_nobody_plays_twice_in_a_round_and_nobody_is_forgotten(desk: Desk) -> None:
    for round_ in desk.state.rounds:
        named = [entry for board in round_.boards for entry in board.players] + list(round_.byes)
        assert len(named) == len(set(named))
    if desk.state.rounds:
        last = desk.state.rounds[-1]
        named = [entry for board in last.boards for entry in board.players] + list(last.byes)
        # Who came late and was in a pairing that was taken back keeps their number.
        taken_back = any(isinstance(record, PairingWithdrawn) for record in desk.log)
        assert set(named) == set(desk.state.order) or taken_back
        assert set(named) <= set(desk.state.order)


@given(desks())
@settings(max_examples=100, deadline=None)
def test_3_2_every_result_that_stands_is_legal(desk: Desk) -> None:
    scoring = rules().scoring
    for round_ in desk.state.rounds:
        for board in round_.boards:
            for settled in board.settled:
                assert LAWS.online.score_is_legal(settled.result.points, scoring)


@given(desks())
@settings(max_examples=100, deadline=None)
def test_the_standings_list_everybody_once_by_points(desk: Desk) -> None:
    state = desk.state
    listed = standings(state)
    entries = [one.entry for one in listed]
    expected = {entry for entry in cards(state) if not state.is_out_of_standings(entry)}
    assert set(entries) == expected
    assert len(entries) == len(expected)
    assert [one.points for one in listed] == sorted((one.points for one in listed), reverse=True)
    assert [one.rank for one in listed] == sorted(one.rank for one in listed)
    assert all(one.rank <= place for place, one in enumerate(listed, start=1))
    assert sorted(in_order(state)) == sorted(cards(state))


@given(desks())
@settings(max_examples=60, deadline=None)
def test_an_event_is_reported_as_a_trf_without_errors_at_any_moment(desk: Desk) -> None:
    report = to_report(desk.state)
    if report.entries:
        back, findings = read_report(from_report(report, "trf26"), "event")
        assert [finding for finding in findings if finding.is_error] == []
        assert len(back.games) == len(report.games)
    assert len(to_report(desk.state, LAWS.rio).games) == len(report.games)


@given(desks(), st.sampled_from(["", "zoe", "p1", "p2"]))
@settings(max_examples=60, deadline=None)
def test_nobody_but_officials_sees_what_is_not_theirs(desk: Desk, account: str) -> None:
    if desk.state.arbiter(account) is not None:
        return
    view = view_for(desk.state, account, desk.now)
    text = msgspec.json.encode(view).decode()
    for entry in desk.state.entries:
        if entry.person.account != account:
            assert str(entry.person.id) not in text
    assert ORGANISER not in text


@given(desks(), st.data())
@settings(max_examples=150, deadline=None)
def test_a_log_with_a_record_missing_or_moved_folds_or_is_refused(
    desk: Desk, data: st.DataObject
) -> None:
    log = list(desk.log)
    place = data.draw(st.integers(0, len(log) - 1))
    taken = log.pop(place)
    if data.draw(st.booleans()):
        log.insert(data.draw(st.integers(0, len(log))), taken)
    try:
        state = fold(log)
    except Inconsistent:
        return
    assert state.number == len(log)
    standings_or_none(state)


def standings_or_none(state: State) -> None:
    if state.rules is not None:
        standings(state)


@given(st.binary(max_size=60))
def test_no_bytes_bring_the_reader_down(data: bytes) -> None:
    try:
        read = load(data)
    except Refusal:
        return
    assert read == []


def test_applying_leaves_the_state_before_as_it_was() -> None:
    desk = Desk(4).pair().open()
    before, copied = desk.state, fold(desk.log)
    after = apply(before, Withdrawn(at=desk.now, by="p1", entry=1))
    assert before == copied
    assert after != before
