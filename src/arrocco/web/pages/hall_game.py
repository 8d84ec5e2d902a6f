"""The page of a game, its log in words, and the arbiter's wall."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.errors import NotFound
from arrocco.hall.event.records import EventRole as EventRole
from arrocco.hall.event.rules import Supervision
from arrocco.hall.game import GameRole, Phase, view_for, visible_to
from arrocco.hall.game.act_forms import act_forms
from arrocco.hall.game.log import decode
from arrocco.hall.game.records import InspectionPoint
from arrocco.hall.game.view import moves_of
from arrocco.laws.hall import laws_held_under
from arrocco.laws.online.law import OnlineLaw
from arrocco.laws.online.score import Scoring
from arrocco.live.reader import EventReader, GameReader
from arrocco.live.seats import Seat
from arrocco.office.roles import Permission
from arrocco.web.pages.hall_common import (
    event_of,
    game_of,
    hall_of,
    hall_page,
    script_words,
)
from arrocco.web.pages.hall_logs import LogLine, game_lines
from arrocco.web.pages.hall_people import names_of
from arrocco.web.pages.hall_video import video_context
from arrocco.web.view import TheView, View
from arrocco.words import say


@hall_page("/hall/game/{game:str}")
async def game_page(view: TheView, game: FromPath[str]) -> Response[str]:
    """A board: for its players, its arbiters and those who look on."""
    room, seat = await game_of(view, game)
    hall = hall_of(view)
    event = room.event
    rules = None if event is None else event.state.rules
    shown = view_for(room.state, seat.role, hall.time.now())
    return view.page(
        "hall/game.html",
        game=game,
        seen=shown,
        created=room.state.created,
        event=None if event is None else event.id,
        role=seat.role.value,
        is_player=seat.role in (GameRole.WHITE, GameRole.BLACK),
        is_arbiter=seat.role is GameRole.ARBITER,
        is_entered=_is_entered(view, event),
        replayed=_replayed(room, event, seat, shown.phase, plays=_is_entered(view, event)),
        delay=_minutes(None if rules is None else rules.spectators.delay),
        half_moves=0 if rules is None else rules.spectators.delay_half_moves,
        premoves="no" if rules is not None and not rules.premoves else "yes",
        words=script_words(view.language),
        announcement=_announcement(event),
        chat_closed=_chat_closed(view, event, room, seat),
        **_video(view, room, seat),
        **_acts(_law_of(room), room.state.rules.scoring),
    )


def _video(view: View, room: GameReader, seat: Seat) -> dict[str, Any]:
    """9.1 — what a player who is watched in this game needs to join."""
    side = room.state.side_of(seat.person)
    if room.event is None or side is None or not room.state.needs_vcs(side):
        return {"video": False}
    return video_context(view, room.event.state, seat.person)


def _replayed(
    room: GameReader, event: EventReader | None, seat: Seat, seen: Phase, *, plays: bool
) -> str | None:
    """5.17 — the moves of a game that is over, as JSON, for those who look on.

    Players of the event see them once it is over: until then only how a game stands.
    """
    is_over = event is None or event.state.closed is not None
    if seat.role is not GameRole.SPECTATOR or seen is not Phase.ENDED or (plays and not is_over):
        return None
    return msgspec.json.encode(moves_of(room.state)).decode()


def _announcement(event: EventReader | None) -> str:
    """What was last said to all players, if that was since the round began."""
    last = None if event is None else event.state.last_round
    if event is None or last is None or last.opened is None or not event.state.announcements:
        return ""
    told = event.state.announcements[-1]
    return told.text if told.at >= last.opened else ""


def _is_entered(view: View, event: EventReader | None) -> bool:
    """Whether the asker plays in the event, and so may have a next board."""
    return event is not None and event.state.entry_of(event.account_of(view.asker)) is not None


def _minutes(time: timedelta | None) -> str:
    """Minutes and seconds, as rules of an event are written; nothing for none."""
    if not time:
        return ""
    minutes, seconds = divmod(time // timedelta(seconds=1), 60)
    return f"{minutes}:{seconds:02}"


def _chat_closed(view: View, event: EventReader | None, room: GameReader, seat: Seat) -> str:
    """5.2, 6.9k — in words why the event lets a player not write to the arbiters, where so."""
    if event is None or seat.role not in (GameRole.WHITE, GameRole.BLACK):
        return ""
    objection = room.policy.chat(seat.person)
    if objection is None:
        return ""
    said = [say(view.language, f"{objection.key}.{part}") for part in ("text", "do")]
    return f"{said[0]} ({objection.article}) {said[1]}"


@hall_page("/hall/game/{game:str}/log", permission=Permission.SEE_OWN_ACCOUNT)
async def game_log(view: TheView, game: FromPath[str]) -> Response[str]:
    """The log of a game in words, for its arbiters; premoves once the game is over."""
    room, seat = await game_of(view, game)
    if seat.role is not GameRole.ARBITER:
        raise NotFound.of("hall_live.not_the_arbiter")
    lines = await _lines(view, room)
    if view.is_partial:
        return view.partial("hall/_log.html", lines=lines)
    return view.page("hall/log.html", game=game, created=room.state.created, lines=lines)


async def _lines(view: View, room: GameReader) -> list[LogLine]:
    events = [decode(line) for line in await hall_of(view).read(room.stream)]
    if room.state.phase is not Phase.ENDED:
        events = [event for event in events if visible_to(event, GameRole.ARBITER)]
    event = room.event

    def told() -> list[LogLine]:
        names = {} if event is None else names_of(view, event.state)
        return game_lines(view, events, names)

    return await to_thread.run_sync(told)


@hall_page("/hall/{event:str}/wall", permission=Permission.SEE_OWN_ACCOUNT)
async def wall(view: TheView, event: FromPath[str]) -> Response[str]:
    """All boards that an arbiter watches, live and by urgency (6.3)."""
    room = await event_of(view, event)
    account = room.account_of(view.asker)
    if EventRole.CHIEF not in (roles := room.state.roles(account)) and (
        EventRole.ASSISTANT not in roles
    ):
        raise NotFound.of("hall_live.not_the_arbiter")
    arbiter = room.state.arbiter(account)
    rules = room.state.rules
    return view.page(
        "hall/wall.html",
        may_announce=bool({EventRole.CHIEF, EventRole.ORGANISER} & set(roles)),
        event=event,
        name=room.state.created.name,
        round=room.state.last_round,
        zone=None if arbiter is None else arbiter.zone,
        words=script_words(view.language),
        is_arbiter=True,
        damaged=await hall_of(view).damaged_boards(room),
        chat_closed="",
        is_supervised=rules is not None and rules.supervision is not Supervision.NONE,
        points=[point.value for point in InspectionPoint],
        chat_entries=[(entry.id, entry.person.full_name) for entry in room.state.entries],
        **_acts(room.state.laws.online, Scoring(10, 5) if rules is None else rules.scoring),
    )


def _law_of(room: GameReader) -> OnlineLaw:
    """The edition that a game is played under: that of its event."""
    if room.event is None:
        return laws_held_under(room.state.created.day).online
    return room.event.state.laws.online


def _acts(law: OnlineLaw, scoring: Scoring) -> dict[str, Any]:
    """What the arbiter's script is told: every act with its form, and the scores of a game."""
    pairs = law.legal_scores(scoring)
    return {
        "acts": msgspec.json.encode(act_forms(law)).decode(),
        "scores": msgspec.json.encode(pairs).decode(),
    }
