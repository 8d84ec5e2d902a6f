"""The hall over plain HTTP, in JSON: events and games as one may see them, commands, downloads.

What is live goes over the socket; these are for whoever looks once, and for programs.
"""

from __future__ import annotations

from email.utils import format_datetime
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from arrocco.errors import Malformed, NotFound, Refusal
from arrocco.hall import event as ev
from arrocco.hall.event import read_command, read_create
from arrocco.hall.game import GameRole, Phase, PlayerView, to_pgn, view_for, visible_to
from arrocco.hall.game.act_forms import act_forms
from arrocco.hall.game.log import decode, encode
from arrocco.laws.hall import laws_held_under
from arrocco.live.entering import federation_of_event
from arrocco.live.event_room import CommandOutcome
from arrocco.live.growing_pgn import GrowingPgn
from arrocco.live.reader import EventReader, GameReader, HallReader
from arrocco.live.receipts import Receipt, digest_of
from arrocco.live.seats import Seat
from arrocco.live.server_time import as_datetime
from arrocco.office.roles import Asker, Permission
from arrocco.records.timecontrol import parse
from arrocco.web.guard import ASKER
from arrocco.web.language import preferred_language
from arrocco.web.pages.hall_figures import control_in_words
from arrocco.web.routes import COMMANDS, PERMISSION
from arrocco.words import finding_advice, finding_text

_ANYBODY = {PERMISSION: Permission.LOOK_UP}
_SIGNED_IN = {PERMISSION: Permission.SEE_OWN_ACCOUNT}
_COMMANDING = {PERMISSION: Permission.SEE_OWN_ACCOUNT, COMMANDS: True}
_ORGANISING = {PERMISSION: Permission.REGISTER_TOURNAMENT, COMMANDS: True}
_JSON = "application/json"
_PGN = "application/vnd.chess-pgn"
_LONGEST_CONTROL = 200

Asked = Request[Any, Any, Any]


class NotForPlayers(Refusal):
    """5.17 — whoever plays in an event sees of other games only how they stand."""

    http_status = 403


class NoHall(Refusal):
    """The server runs without its hall."""

    http_status = 503


@get("/api/v1/hall/events/{event:str}", opt=_ANYBODY, include_in_schema=False)
async def hall_event(request: Asked, event: FromPath[str]) -> Response[bytes]:
    """An event as the asker may see it."""
    room = await _event(request, event)
    hall = _hall(request)
    account = room.account_of(_asker(request))
    view = ev.view_for(room.state, account, as_datetime(hall.time.now()))
    return _json(view)


@post("/api/v1/hall/events", opt=_ORGANISING, include_in_schema=False, status_code=200)
async def create_hall_event(request: Asked) -> Response[bytes]:
    """A new event, organised by the asker."""
    asker = _asker(request)
    command = read_create(await request.body(), str(asker.account))
    federation = federation_of_event(asker, command.federation)
    command = msgspec.structs.replace(command, federation=federation)
    return _outcome(request, await _hall(request).create_event(command))


@post(
    "/api/v1/hall/events/{event:str}/commands",
    opt=_COMMANDING,
    include_in_schema=False,
    status_code=200,
)
async def command_hall_event(request: Asked, event: FromPath[str]) -> Response[bytes]:
    """A command to an event; the header ``Idempotency-Key`` keeps it from being done twice."""
    room = await _event(request, event)
    asker = _asker(request)
    account = room.account_of(asker)
    command = read_command(await request.body(), account)
    key = request.headers.get("idempotency-key", "")[:64]
    receipt = Receipt(account, key, digest_of(command)) if key else None
    return _outcome(request, await room.ask_as(asker, command, receipt))


@get("/api/v1/hall/games/{game:str}", opt=_ANYBODY, include_in_schema=False)
async def hall_game(request: Asked, game: FromPath[str]) -> Response[bytes]:
    """A game as the asker may see it now."""
    room, seat = await _game(request, game)
    now, analysis = _hall(request).time.now(), room.policy.with_analysis()
    view = view_for(room.state, seat.role, now, with_analysis=analysis)
    if isinstance(view, PlayerView):
        # How many events the log has is not for players: it would tell of a premove (1.2a).
        view = msgspec.structs.replace(view, number=0)
    return _json(view)


@get("/api/v1/hall/games/{game:str}/pgn", opt=_ANYBODY, include_in_schema=False)
async def hall_game_pgn(request: Asked, game: FromPath[str]) -> Response[str]:
    """A game in PGN, for whoever may see all of it; spectators once they have seen its end."""
    room, seat = await _game(request, game)
    if seat.role is GameRole.SPECTATOR:
        seen = view_for(room.state, GameRole.SPECTATOR, _hall(request).time.now())
        if seen.phase is not Phase.ENDED:
            raise NotFound.of("hall_live.no_such_game")
    headers = {"content-disposition": f'attachment; filename="{room.id}.pgn"'}
    return Response(to_pgn(room.state), media_type="application/vnd.chess-pgn", headers=headers)


@get("/api/v1/hall/events/{event:str}/games.pgn", opt=_ANYBODY, include_in_schema=False)
async def hall_event_pgn(
    request: Asked,
    event: FromPath[str],
    number: Annotated[int, QueryParameter(name="round", ge=0, le=1000)] = 0,
) -> Response[bytes]:
    """The games of an event, or of a round, as they grow: as late as spectators see them (5.17)."""
    room = await _event(request, event)
    account = room.account_of(_asker(request))
    if not room.may_look_on(account):
        raise NotFound.of("hall_live.no_such_event")
    if room.state.closed is None and room.state.entry_of(account) is not None:
        raise NotForPlayers.of("hall_live.not_for_players")
    state = request.app.state
    if "growing_pgn" not in state:
        state.growing_pgn = GrowingPgn(_hall(request))
    growing: GrowingPgn = state.growing_pgn
    file = await growing.file(room, number)
    changed = format_datetime(as_datetime(file.changed).replace(microsecond=0), usegmt=True)
    headers = {
        "etag": f'"{file.tag}"',
        "last-modified": changed,
        "cache-control": "no-cache",
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
    }
    known = request.headers.get("if-none-match", "")
    if file.tag in known or (not known and request.headers.get("if-modified-since") == changed):
        return Response(b"", status_code=304, headers=headers, media_type=_PGN)
    return Response(file.data, media_type=_PGN, headers=headers)


@get("/api/v1/hall/games/{game:str}/log", opt=_SIGNED_IN, include_in_schema=False)
async def hall_game_log(request: Asked, game: FromPath[str]) -> Response[bytes]:
    """The log of a game, one event a line, for its arbiters; premoves once the game is over."""
    room, seat = await _game(request, game)
    if seat.role is not GameRole.ARBITER:
        raise NotFound.of("hall_live.not_the_arbiter")
    lines = await _hall(request).read(room.stream)
    events = [decode(line) for line in lines]
    if room.state.phase is not Phase.ENDED:
        events = [event for event in events if visible_to(event, GameRole.ARBITER)]
    body = b"".join(encode(event) + b"\n" for event in events)
    return Response(body, media_type="application/x-ndjson")


@get("/api/v1/hall/acts", opt=_ANYBODY, include_in_schema=False)
async def hall_acts(request: Asked) -> Response[bytes]:
    """What arbiters can do in a game: each act with its articles, fields and choices."""
    return _json(act_forms(laws_held_under(None).online))


@get("/api/v1/hall/time-control", opt=_ANYBODY, include_in_schema=False)
async def hall_time_control(
    request: Asked, text: Annotated[str, QueryParameter(max_length=_LONGEST_CONTROL)] = ""
) -> Response[bytes]:
    """1.3.6 — what a time control that somebody writes means, in words, and its code."""
    language = preferred_language(None, request.headers.get("accept-language", ""))
    try:
        control = parse(text)
    except Malformed as refusal:
        said, advice = refusal.said(language)
        return _json({"code": "", "text": "", "wrong": f"{said}: {advice}"})
    words = control_in_words(language, control, laws_held_under(None).rio)
    return _json({"code": control.code, "text": words, "wrong": ""})


HANDLERS: list[HTTPRouteHandler] = [
    hall_acts,
    hall_time_control,
    hall_event,
    create_hall_event,
    command_hall_event,
    hall_game,
    hall_game_pgn,
    hall_game_log,
    hall_event_pgn,
]


# --- parts ----------------------------------------------------------------------------------------


def _hall(request: Asked) -> HallReader:
    hall: HallReader | None = request.app.state.hall
    if hall is None:
        raise request.app.state.hall_damaged or NoHall.of("hall_live.closed")
    return hall


def _asker(request: Asked) -> Asker:
    asker: Asker = request.state[ASKER]
    return asker


async def _event(request: Asked, name: str) -> EventReader:
    room = await _hall(request).find_event(name)
    if room is None:
        raise NotFound.of("hall_live.no_such_event")
    return room


async def _game(request: Asked, name: str) -> tuple[GameReader, Seat]:
    hall = _hall(request)
    room = await hall.find_game(name)
    seat = None if room is None else hall.seat(room, _asker(request))
    if room is None or seat is None:
        raise NotFound.of("hall_live.no_such_game")
    return room, seat


def _outcome(request: Asked, outcome: CommandOutcome) -> Response[bytes]:
    """What became of a command: done, or everything that stands against it."""
    language = preferred_language(None, request.headers.get("accept-language", ""))
    objections = [
        {
            "key": objection.key,
            "article": objection.article,
            "text": finding_text(language, objection),
            "do": finding_advice(language, objection),
        }
        for objection in outcome.objections
    ]
    answer = {"done": not objections, "again": outcome.again, "objections": objections}
    return _json(answer, 409 if objections else 200)


def _json(value: object, status: int = 200) -> Response[bytes]:
    return Response(msgspec.json.encode(value), media_type=_JSON, status_code=status)
