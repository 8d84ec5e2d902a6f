"""Logs of the hall in words: what happened in a game, and all acts of an event's officials."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from arrocco.hall.event import arbiters_report
from arrocco.hall.event.acts import ActRecord
from arrocco.hall.event.acts.sanctions import Sanctioned
from arrocco.hall.event.record import Record
from arrocco.hall.event.report_of_acts import Undone
from arrocco.hall.event.state import State
from arrocco.hall.event.talk import Talk
from arrocco.hall.game import events as e
from arrocco.hall.game.events import Detail
from arrocco.hall.game.state import State as GameState
from arrocco.hall.unwinnable import said
from arrocco.laws.online.connection import Absence
from arrocco.web.pages.hall_common import local_text
from arrocco.web.pages.hall_figures import score_text
from arrocco.web.speaker import Speaker
from arrocco.words import catalogue

_BETWEEN = " · "
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class LogLine:
    """One line of a log: when, by whom, what, by which article and why."""

    at: str
    who: str
    what: str
    detail: str = ""
    article: str = ""
    reason: str = ""
    is_act: bool = False
    where: str = ""
    undone: str = ""


@dataclass(frozen=True)
class TalkLine:
    """A talk in the arbiter's report; each player with whether they could hear it."""

    when: str
    who: str
    players: list[tuple[str, bool]]
    why: str


# --- a game ---------------------------------------------------------------------------------------


def game_lines(view: Speaker, events: list[e.Event], names: dict[str, str]) -> list[LogLine]:
    """The log of a game, in order."""
    return [_game_line(view, number, event, names) for number, event in enumerate(events)]


def _game_line(view: Speaker, number: int, event: e.Event, names: dict[str, str]) -> LogLine:
    is_act = isinstance(event, e.Act)
    by = str(getattr(event, "by", ""))
    side = getattr(event, "side", None)
    who = names.get(by, by) if by else "" if side is None else view.t(f"hall_pages.js.side.{side}")
    text = str(getattr(event, "text", "") or getattr(event, "reason", ""))
    return LogLine(
        at=_moment(view, event.at),
        who=who or view.t("hall_pages.log.server"),
        what=view.t(f"hall_pages.{'js.act' if is_act else 'happened'}.{type_of(event)}"),
        detail=_game_detail(view, event, is_act=is_act),
        article=str(getattr(event, "article", "")),
        reason="" if isinstance(event, e.Ended) else _reason(view, text),
        is_act=is_act,
        where=str(number),
    )


def _reason(view: Speaker, text: str) -> str:
    """A reason is a person's own words, or a key where the server acts by itself."""
    part = text.partition(".")[0]
    if part not in ("hall", "hall_live"):
        return text
    words = catalogue(view.language, part)
    return words.get(text) or words.get(f"{text}.text") or text


def _game_detail(view: Speaker, event: e.Event, *, is_act: bool) -> str:
    t = view.t
    parts: list[str] = []
    side = getattr(event, "side", None)
    if is_act and side is not None:
        parts.append(t(f"hall_pages.js.side.{side}"))
    match event:
        case e.Created():
            parts.append(f"{event.white.name} – {event.black.name}, {event.control}")
        case e.Moved():
            dots = "…" if event.ply % 2 else "."
            parts.append(f"{event.ply // 2 + 1}{dots} {event.uci} ({_clock(event.spent)})")
            parts.append(f"{_clock(event.white)} / {_clock(event.black)}")
            if event.premove:
                parts.append(t("hall_pages.log.premove"))
        case e.PremoveSet() | e.PremoveExecuted():
            parts.append(event.uci)
        case e.Connected() | e.Disconnected():
            parts.append(t(f"hall_pages.log.channel.{event.channel}"))
        case e.FocusChanged():
            parts.append(t(f"hall_pages.log.focus.{'on' if event.on else 'off'}"))
        case e.PermissionAsked():
            parts.append(t(f"hall_pages.js.request.{event.permission}"))
        case e.InspectionAnswered():
            parts.append(t(f"hall_pages.log.{'shows' if event.shows else 'refuses'}"))
        case e.Ended():
            parts.append(_scores(event.scores))
            parts.append(t(f"hall.end.{event.reason}"))
            parts.append(said(view.language, event.proof))
        case e.Act():
            parts.extend(_detail(view, detail) for detail in event.details())
    parts.append(_corrects(view, event))
    return _BETWEEN.join(part for part in parts if part)


def _detail(view: Speaker, detail: Detail, names: dict[str, str] | None = None) -> str:
    if detail.kind == "account":
        return (names or {}).get(detail.value, str(detail.value))
    shown = detail.sign + _value(view, detail.kind, detail.value)
    return shown if detail.after is None else f"{shown} → {_value(view, detail.kind, detail.after)}"


def _value(view: Speaker, kind: str, value: Any) -> str:
    match kind:
        case "moment":
            return local_text(view.language, value)
        case "clock":
            return _clock(value)
        case "clocks":
            return " / ".join(_clock(one) for one in value)
        case "scores":
            return _scores(value)
        case "euro":
            return f"{value // 100},{value % 100:02d} €"
        case "stood":
            since, until = (_moment(view, moment) for moment in value)
            return view.t("hall_pages.log.stood", since=since, until=until)
        case "position":
            return _position(view, value)
        case "rounds":
            return view.t("hall_pages.log.rounds", rounds=value)
        case "said":
            return view.t(value)
        case "word":
            return view.t(f"hall_pages.js.{value}")
    return str(value)


def _corrects(view: Speaker, event: e.Event) -> str:
    if not isinstance(event, e.Act) or event.corrects is None:
        return ""
    return view.t("hall_pages.log.corrects", number=event.corrects)


def _position(view: Speaker, ply: int) -> str:
    """The position after so many half-moves, by the number of the move."""
    if not ply:
        return view.t("hall_pages.js.field.start_position")
    dots = "." if ply % 2 else "…"
    return view.t("hall_pages.log.after_move", move=f"{(ply + 1) // 2}{dots}")


# --- an event -------------------------------------------------------------------------------------


def report_lines(
    view: Speaker,
    state: State,
    records: list[Record],
    games: list[GameState],
    names: dict[str, str],
) -> list[LogLine]:
    """The arbiter's report in words: every act of an event and of its games, in order of time."""
    acts = {(game.created.game, act.number): act.act for game in games for act in game.acts}
    log_lines = []
    for told in arbiters_report(state, records, games):
        if told.game:
            line = _game_line(view, told.number, acts[told.game, told.number], names)
            where = view.t("hall_pages.log.where", round=told.round, board=told.board)
            parts = (told.player, *line.detail.split(_BETWEEN))
            # Lines of the report have no numbers that one could be said to correct.
            corrects = _corrects(view, acts[told.game, told.number])
            people = _BETWEEN.join(part for part in parts if part and part != corrects)
            line = replace(line, where=where, detail=people)
        else:
            line = _event_line(view, state, records[told.number], names)
        undone = _undone(view, told.withdrawn, names)
        at = local_text(view.language, told.at, "d MMM HH:mm:ss")
        log_lines.append(replace(line, at=at, undone=undone, is_act=False))
    return log_lines


def gap_text(view: Speaker, gap: Absence) -> str:
    """7.9 — a stretch off the video conference: from when to when, by the event's clocks."""
    since = local_text(view.language, gap.start, "d MMM HH:mm:ss")
    if gap.end is None:
        return view.t("hall_pages.report.gap_lasts", since=since)
    until = local_text(view.language, gap.end, "HH:mm:ss")
    seconds = round((gap.end - gap.start).total_seconds())
    return view.t("hall_pages.report.gap", since=since, until=until, seconds=seconds)


def talk_lines(view: Speaker, state: State, names: dict[str, str]) -> list[TalkLine]:
    """Every talk of an arbiter with players over the video conference, in order of time."""
    return [
        TalkLine(
            when=_stretch(view, talk),
            who=names.get(talk.by, talk.by),
            players=[
                (state.name_of(entry), not talk.is_over or entry in talk.reached)
                for entry in talk.entries
            ],
            why=_BETWEEN.join(
                part
                for part in (view.t(f"hall_pages.js.talk_reason.{talk.why}"), talk.note)
                if part
            ),
        )
        for talk in state.talks
    ]


def _stretch(view: Speaker, talk: Talk) -> str:
    if talk.is_over and talk.ended is None:
        since = local_text(view.language, talk.began, "d MMM HH:mm:ss")
        return view.t("hall_pages.report.talk_cut", since=since)
    return gap_text(view, Absence(talk.began, talk.ended))


def _undone(view: Speaker, undone: Undone | None, names: dict[str, str]) -> str:
    if undone is None:
        return ""
    who = names.get(undone.by, undone.by) or view.t("hall_pages.log.server")
    at = local_text(view.language, undone.at, "d MMM HH:mm:ss")
    reason = _reason(view, undone.reason)
    return view.t("hall_pages.report.undone", who=who, at=at, reason=reason)


def _event_line(view: Speaker, state: State, record: Record, names: dict[str, str]) -> LogLine:
    number = getattr(record, "round", None)
    board = getattr(record, "board", None)
    where = "" if number is None else view.t("hall_pages.log.round", round=number)
    if board is not None:
        where = view.t("hall_pages.log.where", round=number, board=board)
    sanction = record.sanction if isinstance(record, Sanctioned) else None
    article = sanction.article if sanction is not None else str(getattr(record, "article", ""))
    reason = sanction.reason if sanction is not None else str(getattr(record, "reason", ""))
    return LogLine(
        at=local_text(view.language, record.at, "d MMM HH:mm:ss"),
        who=names.get(record.by, record.by) or view.t("hall_pages.log.server"),
        what=view.t(f"hall_pages.record.{type_of(record)}"),
        detail=_event_detail(view, state, record, names),
        article=article,
        reason=reason,
        where=where,
    )


def _event_detail(view: Speaker, state: State, record: Record, names: dict[str, str]) -> str:
    if not isinstance(record, ActRecord):
        return ""
    details = record.details(state)
    return _BETWEEN.join(_detail(view, detail, names) for detail in details)


# --- parts ----------------------------------------------------------------------------------------


def type_of(event: Any) -> str:
    """The name of an event as it stands in its log."""
    return str(event.__struct_config__.tag)


def _scores(pair: tuple[int, int]) -> str:
    return "–".join(score_text(tenths) for tenths in pair)


def _moment(view: Speaker, at: int) -> str:
    return local_text(view.language, _EPOCH + timedelta(milliseconds=at), "HH:mm:ss")


def _clock(milliseconds: int) -> str:
    tenths = milliseconds // 100
    minutes, rest = divmod(tenths, 600)
    return f"{minutes}:{rest // 10:02d}.{rest % 10}"
