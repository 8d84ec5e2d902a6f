"""The page of a game, its log in words, and the arbiter's wall."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.hall import acts
from arrocco.hall.acts import ArbiterAct
from arrocco.hall.event.objections import Laws
from arrocco.hall.event.records import Role as EventRole
from arrocco.hall.game import Phase, Role, view_for, visible_to
from arrocco.hall.log import decode
from arrocco.laws.online.score import Scoring
from arrocco.office.roles import Permission
from arrocco.web.pages.hall_common import (
    NotThere,
    event_of,
    game_of,
    hall_of,
    hall_page,
    script_words,
)
from arrocco.web.pages.hall_logs import LogLine, game_lines
from arrocco.web.pages.hall_people import names_of
from arrocco.web.view import TheView, View
from arrocco.wiring.hall.hall import Seat
from arrocco.wiring.hall.reader import EventReader, GameReader
from arrocco.words import say

_LAWS = Laws()


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
        is_player=seat.role in (Role.WHITE, Role.BLACK),
        is_arbiter=seat.role is Role.ARBITER,
        is_entered=_is_entered(view, event),
        delay=_minutes(None if rules is None else rules.spectators.delay),
        half_moves=0 if rules is None else rules.spectators.delay_half_moves,
        premoves="no" if rules is not None and not rules.premoves else "yes",
        words=script_words(view.language),
        chat_closed=_chat_closed(view, event, room, seat),
        **_acts(room.state.rules.scoring),
    )


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
    if event is None or seat.role not in (Role.WHITE, Role.BLACK):
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
    if seat.role is not Role.ARBITER:
        raise NotThere.of("hall_live.not_the_arbiter")
    lines = await _lines(view, room)
    if view.is_partial:
        return view.partial("hall/_log.html", lines=lines)
    return view.page("hall/log.html", game=game, created=room.state.created, lines=lines)


async def _lines(view: View, room: GameReader) -> list[LogLine]:
    events = [decode(line) for line in await hall_of(view).read(room.stream)]
    if room.state.phase is not Phase.ENDED:
        events = [event for event in events if visible_to(event, Role.ARBITER)]
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
        raise NotThere.of("hall_live.not_the_arbiter")
    arbiter = room.state.arbiter(account)
    rules = room.state.rules
    return view.page(
        "hall/wall.html",
        event=event,
        name=room.state.created.name,
        round=room.state.last_round,
        zone=None if arbiter is None else arbiter.zone,
        words=script_words(view.language),
        is_arbiter=True,
        damaged=await hall_of(view).damaged_boards(room),
        chat_closed="",
        chat_entries=[(one.id, one.person.full_name) for one in room.state.entries],
        **_acts(Scoring(10, 5) if rules is None else rules.scoring),
    )


# --- the acts as forms ----------------------------------------------------------------------------

_KINDS = {
    "side": "side", "against": "side", "time": "time", "ply": "ply", "clocks": "clocks",
    "scores": "scores", "card": "card", "cents": "euro", "scope": "scope", "rounds": "count",
    "assistant": "text", "name": "text", "call": "call", "founded": "yes", "corrects": "act",
}  # fmt: skip
"""How the form of an act asks for each of its fields."""
_ON = ("running", "paused")
_PHASES: dict[str, tuple[str, ...]] = {
    "pause": ("running",), "resume": ("paused",), "declare_result": ("waiting", *_ON),
    "correct_result": ("ended",), "change_points": ("ended",), "set_time": ("waiting", *_ON),
    "add_time": ("waiting", *_ON), "subtract_time": ("waiting", *_ON),
}  # fmt: skip
"""When an act makes sense at all; whether it is granted the game decides."""
_CHOSEN = ("correct_result",)
"""Acts whose article decides what becomes of a game: the arbiter says it, none is proposed."""


def act_forms() -> list[dict[str, Any]]:
    """Every act of `arrocco.hall.acts` with its articles and fields, for the forms of the page."""
    kinds = [getattr(acts, name) for name in acts.__all__ if name not in ("LOST", "ArbiterAct")]
    return sorted((_act_form(kind) for kind in kinds), key=lambda act: _order(act["type"]))


def _act_form(kind: type[ArbiterAct]) -> dict[str, Any]:
    tag = str(kind.__struct_config__.tag)
    own = set(kind.__annotations__) - {"ARTICLES"}
    if tag == "withdraw":
        own = {"corrects"}
    fields = [
        {
            "name": field.name,
            "kind": _KINDS[field.name],
            "optional": not field.required and tag != "withdraw",
        }
        for field in msgspec.structs.fields(kind)
        if field.name in own
    ]  # fmt: skip
    return {
        "type": tag, "articles": list(kind.ARTICLES), "chosen": tag in _CHOSEN, "fields": fields,
        "phases": list(_PHASES.get(tag, ())),
    }  # fmt: skip


_FIRST = (
    "answer_call", "pause", "resume", "add_time", "subtract_time", "set_time", "warn",
    "declare_result", "correct_result", "change_points", "resume_from_position", "replay",
    "correct_colours", "fine", "exclude", "block_chat", "allow_assistant", "withdraw",
)  # fmt: skip


def _order(tag: str) -> int:
    """The acts that are needed most often come first."""
    return _FIRST.index(tag)


def _acts(scoring: Scoring) -> dict[str, Any]:
    pairs = _LAWS.online.legal_scores(scoring)
    return {
        "acts": msgspec.json.encode(act_forms()).decode(),
        "scores": msgspec.json.encode(pairs).decode(),
    }
