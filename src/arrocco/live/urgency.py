"""Which boards need the arbiter first: alarms of a game, and the order of a wall of them.

Nothing here decides anything about a game; it only says where to look, and why.
"""

from __future__ import annotations

from collections.abc import Iterable

from arrocco.hall.game import State
from arrocco.hall.game.held import HELD
from arrocco.hall.game.records import Permission, Reason
from arrocco.hall.game.recovery import HANDED_OVER, RECOVERED
from arrocco.hall.game.state import Phase, Seat
from arrocco.laws.online.side import Side
from arrocco.live.alarm import Alarm, Level
from arrocco.live.inspection_alarms import inspection_alarms
from arrocco.live.takeover import goes_on_by_itself
from arrocco.live.video_alarms import VideoFacts, video_alarms

SOON = 30_000
"""Milliseconds before a deadline from which it is an alarm."""
NOT_STARTED = 10_000
"""Milliseconds after which a game that was to begin at once has not."""
LITTLE_TIME = 20_000
"""Milliseconds on a running clock that are worth a look."""
MANY_REFUSED = 20
"""Refused messages of a player that say something is wrong with the client, or the player."""


MAX_CALL = 300
"""Characters of a call that its alarm shows."""
MANY_OFFERS = 3
"""Offers of a draw by one player in a game that may be unreasonable (5.12)."""


def alarms(
    state: State,
    now: int,
    refused: dict[str, int],
    held: int | None = None,
    video: VideoFacts | None = None,
) -> tuple[Alarm, ...]:
    """What there is to see about a game, the most urgent first.

    `held` is since when the server holds its clocks (11.6).
    """
    raised = [
        *_calls(state),
        *_requests(state),
        *inspection_alarms(state),
        *_chat(state),
        *_offers(state),
        *_standing(state, now),
    ]
    if held is not None:
        raised.append(Alarm(key="hall_live.alarm.held", level=Level.NOW, since=held))
    for side in Side:
        raised.extend(_of_player(state, side, now, refused))
    raised.extend(_after_the_end(state))
    if video is not None:
        raised.extend(video_alarms(state, video))
    return tuple(sorted(raised, key=_rank))


def wall_order(boards: Iterable[tuple[str, int, tuple[Alarm, ...]]]) -> tuple[str, ...]:
    """Games by urgency; each comes with its board number and its alarms.

    The most urgent alarm counts, of equal ones the one that waits longest or ends first; boards
    without alarms follow by number.
    """
    return tuple(game for game, _, _ in sorted(boards, key=_place))


def _place(board: tuple[str, int, tuple[Alarm, ...]]) -> tuple[int, int, int, str]:
    game, number, alarms_there = board
    if not alarms_there:
        return (0, 0, number, game)
    level, moment = _rank(alarms_there[0])
    return (level, moment, number, game)


def _rank(alarm: Alarm) -> tuple[int, int]:
    moment = alarm.since if alarm.since is not None else alarm.until
    return (-alarm.level, moment or 0)


_PAUSED_BY_SERVER = {
    RECOVERED: "hall_live.alarm.recovered",
    HANDED_OVER: "hall_live.alarm.recovered",
    HELD: "hall_live.alarm.held_long",
}
"""What it says of a pause for which the server is the reason."""


# --- alarms ---------------------------------------------------------------------------------------


def _calls(state: State) -> Iterable[Alarm]:
    """11.1 — a player has called and nobody has answered."""
    for call in state.calls:
        if not call.answered:
            side = state.side_of(call.caller)
            yield Alarm(
                key="hall_live.alarm.call",
                level=Level.NOW,
                side=side,
                since=call.at,
                text=call.text[:MAX_CALL],
                article="11.1",
                acts=("answer_call",),
            )


def _chat(state: State) -> Iterable[Alarm]:
    """5.2 — a player has written to the arbiters and nobody has written back."""
    waiting: dict[str, int] = {}
    for line in state.chat:
        if line.by_player:
            waiting.setdefault(line.player, line.at)
        else:
            waiting.pop(line.player, None)
    for player, since in waiting.items():
        side = state.side_of(player)
        yield Alarm(key="hall_live.alarm.chat", level=Level.SOON, side=side, since=since)


_ANSWERS = {
    Permission.LEAVE: ("5.6", "answer_leaving"),
    Permission.MOBILE: ("7.2", "answer_mobile_connection"),
    Permission.DEVICE: ("5.3", "answer_device"),
    Permission.VISITOR: ("4.1", "answer_visitor"),
    Permission.APPLICATION: ("8.3", "answer_application"),
}
"""The article of what a player may ask for, and the act that answers it."""


def _requests(state: State) -> Iterable[Alarm]:
    """4.1, 5.3, 5.6, 7.2, 7.8, 8.3 — a player has asked to be allowed something and waits."""
    if state.phase is Phase.ENDED:
        return
    for request in state.requests:
        if request.granted is None:
            key = f"hall_live.alarm.asks_{request.permission}"
            side = state.side_of(request.player)
            article, act = _ANSWERS[request.permission]
            yield Alarm(
                key=key, level=Level.NOW, side=side, since=request.at, article=article, acts=(act,)
            )


def _offers(state: State) -> Iterable[Alarm]:
    """5.12 — offers of a draw that are made again and again disturb the opponent."""
    if not state.is_on:
        return
    for side in Side:
        count = sum(offer.side is side for offer in state.offers)
        if count >= MANY_OFFERS:
            yield Alarm(
                key="hall_live.alarm.draw_offers",
                level=Level.LOOK,
                side=side,
                count=count,
                article="5.12",
                acts=("warn",),
            )


def _standing(state: State, now: int) -> Iterable[Alarm]:
    """11.6 — clocks stand until the arbiter has them run again, or for the first time."""
    created = state.created.at
    if state.phase is Phase.WAITING and now - created > NOT_STARTED:
        yield Alarm(key="hall_live.alarm.to_be_started", level=Level.NOW, since=created)
    if state.phase is Phase.PAUSED:
        key = "hall_live.alarm.paused"
        last = state.acts[-1].act if state.acts else None
        if goes_on_by_itself(state, now):
            return  # in a moment
        if last is not None:
            key = _PAUSED_BY_SERVER.get(last.reason, key)
        yield Alarm(key=key, level=Level.NOW, since=state.stopped, acts=("resume",))


def _of_player(state: State, side: Side, now: int, refused: dict[str, int]) -> Iterable[Alarm]:
    seat = state.seat(side)
    if refused.get(seat.player.id, 0) >= MANY_REFUSED:
        yield Alarm(key="hall_live.alarm.many_refused", level=Level.LOOK, side=side)
    if state.phase is not Phase.RUNNING:
        return
    if seat.joined is None:
        yield _until("hall_live.alarm.not_come", side, state.tolerance_ends, now)
        return
    if not seat.platform.on:
        if seat.reconnect_by is not None:
            yield _until("hall_live.alarm.disconnected", side, seat.reconnect_by, now)
        else:
            yield _lost(seat, side, "hall_live.alarm.disconnected")
    elif state.needs_vcs(side) and not seat.vcs.on:
        yield Alarm(
            key="hall_live.alarm.off_vcs",
            level=Level.NOW,
            side=side,
            since=seat.vcs.lost or now,
            article="9.1f",
            acts=("pause", "warn"),
        )
    flag = state.clock.flag_at()
    if state.turn is side and flag is not None and flag - now < LITTLE_TIME:
        yield Alarm(key="hall_live.alarm.little_time", level=Level.LOOK, side=side, until=flag)


def _until(key: str, side: Side, until: int | None, now: int) -> Alarm:
    is_soon = until is not None and until - now < SOON
    return Alarm(key=key, level=Level.SOON if is_soon else Level.LOOK, side=side, until=until)


def _lost(seat: Seat, side: Side, key: str) -> Alarm:
    return Alarm(key=key, level=Level.SOON, side=side, since=seat.platform.lost)


def _after_the_end(state: State) -> Iterable[Alarm]:
    """1.3.4 — a game lost on time where nobody could tell whether mate was possible."""
    outcome = state.outcome
    if outcome is None or outcome.reason not in (Reason.TIME, Reason.DISCONNECTION):
        return
    if outcome.by_server and any(note.key == "hall.mate_unknown" for note in state.notes):
        yield Alarm(key="hall_live.alarm.mate_unknown", level=Level.NOW, since=state.last_at)
