"""Logs of the hall in words: what happened in a game, and all acts of an event's officials."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from arrocco.hall.event import arbiters_report
from arrocco.hall.event import events as ee
from arrocco.hall.event.report_of_acts import Undone
from arrocco.hall.event.state import State
from arrocco.hall.game.state import State as GameState
from arrocco.hall.log import events as e
from arrocco.hall.unwinnable import said
from arrocco.web.pages.hall_common import local_text
from arrocco.web.pages.hall_rules import score_text
from arrocco.web.view import View
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


# --- a game ---------------------------------------------------------------------------------------


def game_lines(view: View, events: list[e.Event], names: dict[str, str]) -> list[LogLine]:
    """The log of a game, in order."""
    return [_game_line(view, number, event, names) for number, event in enumerate(events)]


def _game_line(view: View, number: int, event: e.Event, names: dict[str, str]) -> LogLine:
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


def _reason(view: View, text: str) -> str:
    """A reason is a person's own words, or a key where the server acts by itself."""
    part = text.partition(".")[0]
    if part not in ("hall", "hall_live"):
        return text
    words = catalogue(view.language, part)
    return words.get(text) or words.get(f"{text}.text") or text


def _game_detail(view: View, event: e.Event, *, is_act: bool) -> str:
    t = view.t
    found: list[str] = []
    side = getattr(event, "side", None)
    if is_act and side is not None:
        found.append(t(f"hall_pages.js.side.{side}"))
    match event:
        case e.Created():
            found.append(f"{event.white.name} – {event.black.name}, {event.control}")
        case e.Moved():
            dots = "…" if event.ply % 2 else "."
            found.append(f"{event.ply // 2 + 1}{dots} {event.uci} ({_clock(event.spent)})")
            found.append(f"{_clock(event.white)} / {_clock(event.black)}")
            if event.premove:
                found.append(t("hall_pages.log.premove"))
        case e.PremoveSet() | e.PremoveExecuted():
            found.append(event.uci)
        case e.Connected() | e.Disconnected():
            found.append(t(f"hall_pages.log.channel.{event.channel}"))
        case e.Ended():
            found.append(_scores(event.scores))
            found.append(t(f"hall.end.{event.reason}"))
            found.append(said(view.language, event.proof))
        case e.ResumedFromPosition():
            found.append(_position(view, event.ply))
            found.append(f"{_clock(event.white)} / {_clock(event.black)}")
        case e.Paused():
            if event.stopped < event.at:
                since, until = (_moment(view, moment) for moment in (event.stopped, event.at))
                found.append(t("hall_pages.log.stood", since=since, until=until))
            found.append(f"{_clock(event.white)} / {_clock(event.black)}")
        case e.TimeSet():
            found.append(f"{_clock(event.before)} → {_clock(event.left)}")
        case e.TimeAdded() | e.TimeSubtracted():
            sign = "+" if isinstance(event, e.TimeAdded) else "−"
            found.append(f"{sign}{_clock(event.time)} → {_clock(event.left)}")
        case e.ResultDeclared():
            found.append(_scores(event.scores))
        case e.ResultCorrected() | e.PointsChanged():
            found.append(f"{_scores(event.before)} → {_scores(event.scores)}")
        case e.Fined():
            found.append(f"{event.cents // 100},{event.cents % 100:02d} €")
        case e.Excluded():
            found.append(
                t(f"hall_pages.js.scope.{event.scope}")
                if event.rounds is None
                else t("hall_pages.log.rounds", rounds=event.rounds)
            )
        case e.AssistantAllowed():
            found.append(event.name or event.assistant)
        case e.CallAnswered():
            found.append(t(f"hall_pages.log.{'founded' if event.founded else 'unfounded'}"))
    found.append(_corrects(view, event))
    return _BETWEEN.join(part for part in found if part)


def _corrects(view: View, event: e.Event) -> str:
    if not isinstance(event, e.Act) or event.corrects is None:
        return ""
    return view.t("hall_pages.log.corrects", number=event.corrects)


def _position(view: View, ply: int) -> str:
    """The position after so many half-moves, by the number of the move."""
    if not ply:
        return view.t("hall_pages.js.field.start_position")
    dots = "." if ply % 2 else "…"
    return view.t("hall_pages.log.after_move", move=f"{(ply + 1) // 2}{dots}")


# --- an event -------------------------------------------------------------------------------------


def report_lines(
    view: View, state: State, records: list[ee.Event], games: list[GameState], names: dict[str, str]
) -> list[LogLine]:
    """The arbiter's report in words: every act of an event and of its games, in order of time."""
    acts = {(game.created.game, one.number): one.act for game in games for one in game.acts}
    found = []
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
        found.append(replace(line, at=at, undone=undone, is_act=False))
    return found


def _undone(view: View, undone: Undone | None, names: dict[str, str]) -> str:
    if undone is None:
        return ""
    who = names.get(undone.by, undone.by) or view.t("hall_pages.log.server")
    at = local_text(view.language, undone.at, "d MMM HH:mm:ss")
    reason = _reason(view, undone.reason)
    return view.t("hall_pages.report.undone", who=who, at=at, reason=reason)


def _event_line(view: View, state: State, record: ee.Event, names: dict[str, str]) -> LogLine:
    number = getattr(record, "round", None)
    board = getattr(record, "board", None)
    where = "" if number is None else view.t("hall_pages.log.round", round=number)
    if board is not None:
        where = view.t("hall_pages.log.where", round=number, board=board)
    sanction = record.sanction if isinstance(record, ee.Sanctioned) else None
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


def _event_detail(view: View, state: State, record: ee.Event, names: dict[str, str]) -> str:
    def name(entry: int) -> str:
        found = state.entry(entry)
        return str(entry) if found is None else found.person.full_name

    match record:
        case ee.Entered() | ee.PersonCorrected():
            return record.person.full_name
        case ee.ArbiterAppointed():
            return record.arbiter.name
        case ee.ArbiterDismissed() | ee.ZoneAssigned():
            zone = record.zone if isinstance(record, ee.ZoneAssigned) else None
            who = names.get(record.account, record.account)
            return who if zone is None else f"{who}: {zone[0]}–{zone[1]}"
        case ee.PairForbidden() | ee.PairAllowed():
            return f"{name(record.one)} – {name(record.other)}"
        case ee.ResultTaken() | ee.ResultCorrected():
            found = state.board(record.round, record.board)
            players = "" if found is None else f"{name(found.white)} – {name(found.black)} "
            return players + _scores(record.result.points)
        case ee.Sanctioned():
            sanction = view.t(f"hall_pages.js.article.{record.sanction.article}")
            return f"{name(record.sanction.entry)} · {sanction}"
        case ee.SanctionLifted():
            return f"n. {record.number}"
        case ee.SampleDrawn():
            return ", ".join(name(entry) for entry in record.entries)
        case ee.RoundDelayed():
            return local_text(view.language, record.starts)
    entry = getattr(record, "entry", None)
    return "" if entry is None else name(entry)


# --- parts ----------------------------------------------------------------------------------------


def type_of(event: Any) -> str:
    """The name of an event as it stands in its log."""
    return str(event.__struct_config__.tag)


def _scores(pair: tuple[int, int]) -> str:
    return "–".join(score_text(tenths) for tenths in pair)


def _moment(view: View, at: int) -> str:
    return local_text(view.language, _EPOCH + timedelta(milliseconds=at), "HH:mm:ss")


def _clock(milliseconds: int) -> str:
    tenths = milliseconds // 100
    minutes, rest = divmod(tenths, 600)
    return f"{minutes}:{rest // 10:02d}.{rest % 10}"
