"""12.2 — the file of a player, for the chief arbiter and the committee, and for nobody else."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any

import chess
from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.desk.player_files import wanted
from arrocco.errors import NotFound, Refusal
from arrocco.fairplay.screen import FIGURES
from arrocco.hall import event as ev
from arrocco.hall.event.state import Entry
from arrocco.live.log_reader import LogReader
from arrocco.live.opening import log_reader
from arrocco.live.reader import EventReader
from arrocco.office.roles import Permission
from arrocco.store.sql.player_files import PlayerFileRequest
from arrocco.video.recordings import FOLDER
from arrocco.watch.event_screen import baseline_to_use
from arrocco.watch.file_games import frozen_game, games_of_file
from arrocco.watch.player_file import FileGameShown, PlayerFile, player_file, progress_of
from arrocco.watch.settings import watch_settings_from
from arrocco.web.charts import Chart
from arrocco.web.interval_chart import IntervalRow, interval_chart
from arrocco.web.pages.hall_common import hall_act, hall_page, local_text, script_words
from arrocco.web.pages.hall_screen import (
    difficulty_heads,
    figure_cells,
    figure_row,
    for_screen,
    power_ranges,
)
from arrocco.web.recorded_meanwhile import PlayerRecordings, Recorded
from arrocco.web.time_line_chart import time_line_chart
from arrocco.web.view import TheForm, TheView, View
from arrocco.words import number

_FILES = "/hall/{event:str}/screen/players/{entry:int}"
_FILE = _FILES + "/files/{file:int}"


@hall_page(_FILES, permission=Permission.SEE_OWN_ACCOUNT)
async def player_files(view: TheView, event: FromPath[str], entry: FromPath[int]) -> Response[str]:
    """The files about a player that were asked for, and the form to ask for one."""
    room = await for_screen(view, event)
    gathered = _entry(room, entry)
    return await to_thread.run_sync(
        lambda: view.page("hall/player_files.html", **_asked(view, room, gathered))
    )


@hall_act(_FILES + "/ask")
async def ask_file(
    view: TheView, form: TheForm, event: FromPath[str], entry: FromPath[int]
) -> Response[Any]:
    """Enters the player's games into the watch's queue, to be looked at more deeply."""
    room = await for_screen(view, event)
    gathered = _entry(room, entry)

    def asked() -> Response[Any]:
        settings, desk = watch_settings_from(), view.office.desk
        with closing(log_reader(desk.folder, desk.database)) as logs:
            games = games_of_file(desk.database, logs, room.state, entry, settings.late)
        try:
            request = view.office.player_files.ask(
                view.asker,
                room.state,
                entry,
                games,
                nodes=settings.file_nodes,
                screen_nodes=settings.nodes,
            )
        except Refusal as refusal:
            context = _asked(view, room, gathered)
            return view.refused("hall/player_files.html", refusal, form=form, **context)
        return view.go(f"{_path(event, entry)}/files/{request.number}", "watch.file.asked")

    return await to_thread.run_sync(asked)


@hall_page(_FILE, permission=Permission.SEE_OWN_ACCOUNT)
async def one_file(
    view: TheView, event: FromPath[str], entry: FromPath[int], file: FromPath[int]
) -> Response[str]:
    """A file: pictures first, numbers behind; how far it is where it is not ready."""
    room, request = await _request(view, event, entry, file)

    def shown() -> Response[str]:
        context = _context(view, room, request)
        progress = _progress(view, request)
        if not progress.is_complete:
            return view.page("hall/player_file_waits.html", progress=progress, **context)
        made = _file_of(view, room, request)
        recorded = _recorded(view, room, request, made)
        games = [
            (game, time_line_chart(view, game, _title(view, game)), recorded[game.game])
            for game in made.games
        ]
        charts = [_chart(view, made, figure) for figure in FIGURES]
        return view.page(
            "hall/player_file.html",
            made=made,
            games=games,
            charts=charts,
            counts=_counts(made),
            bins=difficulty_heads(),
            **context,
        )

    return await to_thread.run_sync(shown)


@hall_page(_FILE + "/progress", permission=Permission.SEE_OWN_ACCOUNT)
async def file_progress(
    view: TheView, event: FromPath[str], entry: FromPath[int], file: FromPath[int]
) -> Response[str]:
    """How far a file is, for the page that waits for it."""
    _, request = await _request(view, event, entry, file)

    def told() -> Response[str]:
        progress = _progress(view, request)
        answer = view.partial(
            "hall/_player_file_progress.html", progress=progress, here=_path(event, entry, file)
        )
        if progress.is_complete:
            answer.headers["hx-refresh"] = "true"
        return answer

    return await to_thread.run_sync(told)


@hall_page(_FILE + "/report", permission=Permission.SEE_OWN_ACCOUNT)
async def file_report(
    view: TheView, event: FromPath[str], entry: FromPath[int], file: FromPath[int]
) -> Response[bytes]:
    """The same as JSON, the same bytes whenever it is computed. Raises `NotFound` until then."""
    room, request = await _request(view, event, entry, file)

    def told() -> bytes:
        if not _progress(view, request).is_complete:
            raise NotFound.of("watch.file.not_ready")
        return _file_of(view, room, request).report()

    data = await to_thread.run_sync(told)
    name = f"{event}-player-{entry}-file-{file}.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="application/json", headers=headers)


@hall_page(_FILE + "/games/{game:str}", permission=Permission.SEE_OWN_ACCOUNT)
async def file_game(
    view: TheView,
    event: FromPath[str],
    entry: FromPath[int],
    file: FromPath[int],
    game: FromPath[str],
) -> Response[str]:
    """A game of a file on a board, to be stepped through, beside its time line."""
    room, request = await _request(view, event, entry, file)

    def shown() -> Response[str]:
        if not _progress(view, request).is_complete:
            raise NotFound.of("watch.file.not_ready")
        made = _file_of(view, room, request)
        names = [told.game for told in made.games]
        if game not in names:
            raise NotFound.of("watch.for_few")
        place = names.index(game)
        told = made.games[place]
        return view.page(
            "hall/player_file_game.html",
            made=made,
            told=told,
            title=_title(view, told),
            chart=time_line_chart(view, told, t_line(view)),
            rows=_moves(told),
            recorded=_recorded(view, room, request, made)[game],
            before=names[place - 1] if place else "",
            after=names[place + 1] if place + 1 < len(names) else "",
            words=script_words(view.language),
            **_context(view, room, request),
        )

    return await to_thread.run_sync(shown)


def t_line(view: View) -> str:
    return view.t("watch.file.time_line")


def _path(event: str, entry: int, file: int = 0) -> str:
    path = f"/hall/{event}/screen/players/{entry}"
    return f"{path}/files/{file}" if file else path


def _entry(room: EventReader, entry: int) -> Entry:
    gathered = room.state.entry(entry)
    if gathered is None:
        raise NotFound.of("watch.for_few")
    return gathered


async def _request(
    view: View, event: str, entry: int, file: int
) -> tuple[EventReader, PlayerFileRequest]:
    """The event and a file of it, for those who may see it. Raises `NotFound`."""
    room = await for_screen(view, event)
    asked = await to_thread.run_sync(view.office.player_files.of_player, room.id, entry)
    request = next((known for known in asked if known.number == file), None)
    if request is None:
        raise NotFound.of("watch.for_few")
    return room, request


def _progress(view: View, request: PlayerFileRequest) -> Any:
    games = wanted(request.games, request.nodes, request.screen_nodes)
    return progress_of(games, view.office.player_files.analysed(request))


def _file_of(view: View, room: EventReader, request: PlayerFileRequest) -> PlayerFile:
    desk = view.office.desk
    with closing(log_reader(desk.folder, desk.database)) as logs:
        gathered = {game.game: frozen_game(logs, game) for game in request.games}
        classes = _time_classes(logs, request)
    seated = sum(bool(entry.person.account) for entry in room.state.entries)
    return player_file(
        request,
        room.state.name_of(request.entry),
        {name: frozen for name, frozen in gathered.items() if frozen is not None},
        view.office.player_files.analysed(request),
        baseline_to_use(watch_settings_from().baseline),
        players=seated,
        time_classes=classes,
    )


def _recorded(
    view: View, room: EventReader, request: PlayerFileRequest, made: PlayerFile
) -> dict[str, list[Recorded]]:
    """12.3 — what was recorded of the player during each game, as long as it is kept."""
    desk = view.office.desk
    recordings = PlayerRecordings(desk.folder / FOLDER, room.id, request.entry)
    lengths = {game.game: game.time_line.length for game in made.games}
    by_game: dict[str, list[Recorded]] = {}
    with closing(log_reader(desk.folder, desk.database)) as logs:
        for game in request.games:
            if game.game in lengths:
                frozen = frozen_game(logs, game)
                known = (
                    [] if frozen is None else recordings.during(frozen.state, lengths[game.game])
                )
                by_game[game.game] = known
    return by_game


def _time_classes(logs: LogReader, request: PlayerFileRequest) -> Mapping[str, str]:
    """The pace of each event of a file."""
    classes = {}
    for event in {game.event for game in request.games}:
        state = ev.fold([ev.decode(line) for line in logs.read(f"event:{event}")])
        classes[event] = "" if state.time_class is None else state.time_class.value
    return classes


def _asked(view: View, room: EventReader, entry: Entry) -> dict[str, Any]:
    settings = watch_settings_from()
    asked = view.office.player_files.of_player(room.id, entry.id)
    return {
        "event": room.id,
        "name": room.state.created.name,
        "entry": entry.id,
        "player": entry.person.full_name,
        "nodes": settings.file_nodes,
        "screen_nodes": settings.nodes,
        "has_engine": settings.is_on,
        "late": settings.late,
        "files": [(request, _progress(view, request)) for request in reversed(asked)],
        "here": _path(room.id, entry.id),
        "local": lambda moment: local_text(view.language, moment),
    }


def _context(view: View, room: EventReader, request: PlayerFileRequest) -> dict[str, Any]:
    return {
        "event": room.id,
        "name": room.state.created.name,
        "entry": request.entry,
        "player": room.state.name_of(request.entry),
        "request": request,
        "has_engine": watch_settings_from().is_on,
        "here": _path(room.id, request.entry, request.number),
        "files": _path(room.id, request.entry),
        "local": lambda moment: local_text(view.language, moment),
        "decimal": lambda value: number(view.language, f"{value:g}"),
    }


def _title(view: View, game: FileGameShown) -> str:
    rating = f" ({game.opponent_rating})" if game.opponent_rating else ""
    return view.t(
        "watch.file.game",
        round=game.round,
        side=view.t(f"hall_pages.js.side.{game.side}"),
        opponent=f"{game.opponent}{rating}",
    )


def _counts(made: PlayerFile) -> list[tuple[FileGameShown, int, int, int, int]]:
    """Of each game: decisions, first choices, one of three, the loss of all in thousandths."""
    counted = []
    for game in made.games:
        seen = [own.position for own in game.own if own.is_decision and own.position is not None]
        first = sum(position.rank == 1 for position in seen)
        third = sum(1 <= position.rank <= 3 for position in seen)
        counted.append((game, len(seen), first, third, sum(position.loss for position in seen)))
    return counted


def _chart(view: View, made: PlayerFile, name: str) -> Chart:
    """The event and the player's own past side by side, with the band where it compares."""
    t = view.t
    rows: list[IntervalRow] = []
    table: list[tuple[str, ...]] = []
    for part in made.parts:
        nodes = made.screen_nodes if part.part == "screen" else made.nodes
        label = t(f"watch.file.part.{part.part}", nodes=nodes, games=part.games)
        gathered = part.screened
        figures = () if gathered is None else gathered.figures
        figure = next((figure for figure in figures if figure.name == name), None)
        if gathered is None or figure is None:
            table.append((label, "0", "–", "–", "–", "–", t("watch.screen.too_few")))
            continue
        beside = t("watch.screen.too_few") if gathered.too_few else power_ranges(figure)
        rows.append(figure_row(label, figure, beside, is_faint=gathered.too_few))
        table.append(figure_cells(view, label, figure, is_few=gathered.too_few))
    heads = ("player", "decisions", "seen", "interval", "expected", "z", "power")
    return interval_chart(
        view.language,
        t(f"watch.screen.figure.{name}"),
        (t("watch.file.what"), *(t(f"watch.screen.head.{head}") for head in heads[1:])),
        rows,
        table,
        beside=t("watch.screen.found_at"),
        source=t(f"watch.screen.about.{name}"),
        legend=(("a", t("watch.screen.seen")), ("c", t("watch.screen.expected"))),
    )


def _moves(game: FileGameShown) -> list[tuple[int, list[tuple[int, str, str]]]]:
    """Moves by their number, each with its place among the half moves and its time."""
    board = chess.Board()
    times = {moved.ply: moved for moved in game.time_line.moves}
    rows: list[tuple[int, list[tuple[int, str, str]]]] = []
    for ply, uci in enumerate(game.moves):
        move = chess.Move.from_uci(uci)
        if ply % 2 == 0:
            rows.append((ply // 2 + 1, []))
        rows[-1][1].append((ply + 1, board.san(move), f"{times[ply].spent / 1000:.1f}"))
        board.push(move)
    return rows
