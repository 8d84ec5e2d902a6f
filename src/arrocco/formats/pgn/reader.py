"""Reads PGN: the moves through the chess library's parser, what it forgives as findings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any, TextIO, cast

import chess
import chess.pgn

from arrocco.errors import Malformed
from arrocco.findings import Finding, Findings, Place, Severity
from arrocco.formats.pgn.game import RESULTS, PgnGame
from arrocco.formats.pgn.lines import Lines
from arrocco.records.report import PlayerId
from arrocco.records.timecontrol import TimeControl, parse_code, parse_text
from arrocco.units import Rating

MAX_BYTES = 32 << 20
MAX_GAMES = 100_000
MAX_MOVES = 6000
"""Of both sides together; under the 75-move rule no game that was played comes near it."""
_CLOCK = re.compile(r"\[%clk\s+(\d{1,3}):([0-5]?\d):([0-5]?\d)(?:\.(\d{1,3})\d*)?\s*\]", re.ASCII)
_DAY = re.compile(r"(\d{4})[.\-/](\d{2})[.\-/](\d{2})", re.ASCII)


def read_games(data: bytes, source: str) -> tuple[list[PgnGame], list[Finding]]:
    """Reads the games of a PGN file and what is wrong with them.

    Raises `Malformed` when there is no game to take from it.
    """
    if len(data) > MAX_BYTES:
        raise Malformed.of("pgn.refused.too_large", file=source, bytes=len(data), most=MAX_BYTES)
    reader = _Reader(data, source)
    games = reader.games()
    if not games:
        raise Malformed.of("pgn.refused.no_game", file=source)
    return games, reader.findings.all()


class _Reader:
    def __init__(self, data: bytes, source: str) -> None:
        self.source = source
        self.findings = Findings()
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            # Latin-1 is the encoding the format was born with.
            text = data.decode("latin-1")
            self.found(Severity.NOTE, "latin_1", None)
        self.lines = Lines(text)

    def found(self, severity: Severity, key: str, line: int | None, **details: Any) -> None:
        place = Place(self.source, line)
        self.findings.add(Finding(severity, f"pgn.{key}", place, details=details))

    def games(self) -> list[PgnGame]:
        games: list[PgnGame] = []
        while True:
            visitor = _Visitor(self)
            try:
                # The parser only ever asks for the next line.
                handle = cast(TextIO, self.lines)
                game = chess.pgn.read_game(handle, Visitor=partial(_same, visitor))
            except (ValueError, RecursionError):
                self.found(Severity.ERROR, "unreadable", self.lines.number)
                continue
            self._tell_bad_tags()
            if game is None:
                break
            if len(games) >= MAX_GAMES:
                raise Malformed.of("pgn.refused.too_many", file=self.source, most=MAX_GAMES)
            if visitor.tags or visitor.moves:
                games.append(_Game(self, visitor).read())
            else:
                self.found(Severity.WARNING, "no_game", visitor.line)
        return games

    def _tell_bad_tags(self) -> None:
        for line in self.lines.bad_tags:
            self.found(Severity.WARNING, "bad_tag", line)
        self.lines.bad_tags.clear()


def _same(visitor: _Visitor) -> _Visitor:
    return visitor


class _Visitor(chess.pgn.BaseVisitor[bool]):
    """Collects one game's tags, moves and clocks; variations are passed over."""

    def __init__(self, reader: _Reader) -> None:
        self.reader = reader
        self.line = 1
        self.tags: dict[str, str] = {}
        self.moves = 0
        self.by_white = 0
        self.clocks: list[int | None] = []
        self.written_result = ""
        self.is_whole = True

    def begin_headers(self) -> None:
        self.line = self.reader.lines.number
        self.reader.lines.in_tags = True

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        value = tagvalue.replace('\\"', '"').replace("\\\\", "\\").strip()
        if self.tags.setdefault(tagname, value) != value:
            line = self.reader.lines.number
            self.reader.found(Severity.WARNING, "tag_twice", line, tag=tagname, kept=value)

    def end_headers(self) -> None:
        self.reader.lines.in_tags = False

    def begin_variation(self) -> chess.pgn.SkipType:
        return chess.pgn.SKIP

    def begin_parse_san(self, board: chess.Board, san: str) -> chess.pgn.SkipType | None:
        # Once a move was not understood the ones after it stand on no known position.
        return None if self.is_whole else chess.pgn.SKIP

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        if self.moves >= MAX_MOVES:
            self._stop("too_many_moves", most=MAX_MOVES)
            return
        if not move:
            self._stop("null_move")
            return
        self.moves += 1
        self.by_white += board.turn
        self.clocks.append(None)

    def visit_comment(self, comment: str) -> None:
        clock = _CLOCK.search(comment)
        if clock and self.clocks and self.is_whole:
            hours, minutes, seconds = (int(part) for part in clock.groups()[:3])
            self.clocks[-1] = (hours * 3600 + minutes * 60 + seconds) * 1000 + int(
                (clock[4] or "0").ljust(3, "0")
            )

    def visit_result(self, result: str) -> None:
        self.written_result = result

    def handle_error(self, error: Exception) -> None:
        self._stop("bad_move", text=str(error)[:80])

    def _stop(self, key: str, **details: Any) -> None:
        if self.is_whole:
            line = self.reader.lines.number
            self.reader.found(Severity.ERROR, key, line, moves=self.moves, **details)
        self.is_whole = False

    def result(self) -> bool:
        return True


class _Game:
    """Makes a record of what was collected, with findings for what does not fit."""

    def __init__(self, reader: _Reader, visitor: _Visitor) -> None:
        self.reader = reader
        self.visitor = visitor
        self.tags: Mapping[str, str] = visitor.tags

    def read(self) -> PgnGame:
        visitor = self.visitor
        text, control = self._time_control()
        game = PgnGame(
            event=self._text("Event"),
            site=self._text("Site"),
            day=self._day(),
            round=self._round(),
            white=self._text("White"),
            black=self._text("Black"),
            result=self._result(),
            white_id=self._id("WhiteFideId"),
            black_id=self._id("BlackFideId"),
            white_rating=self._rating("WhiteElo"),
            black_rating=self._rating("BlackElo"),
            time_control_text=text,
            time_control=control,
            termination=self._text("Termination"),
            white_moves=visitor.by_white,
            black_moves=visitor.moves - visitor.by_white,
            clocks=tuple(visitor.clocks),
            is_whole=visitor.is_whole,
            place=Place(self.reader.source, visitor.line),
        )
        if game.scores is not None and not visitor.moves and visitor.is_whole:
            self._warn("no_moves", result=game.result)
        return game

    def _warn(self, key: str, **details: Any) -> None:
        self.reader.found(Severity.WARNING, key, self.visitor.line, **details)

    def _text(self, tag: str) -> str:
        text = self.tags.get(tag, "")
        return "" if text in ("?", "-") else text

    def _result(self) -> str:
        told, written = self.tags.get("Result", "*"), self.visitor.written_result
        if told in ("*", "?", "") and written:
            told = written
        elif written not in ("", "*", told) and RESULTS.get(told) != RESULTS.get(written):
            self._warn("results_differ", tag=told, written=written)
        if told not in RESULTS:
            self._warn("unfinished" if told == "*" else "bad_result", result=told)
            return "*"
        return told

    def _day(self) -> date | None:
        match = _DAY.fullmatch(self.tags.get("Date", ""))
        if match:
            try:
                return date(*(int(part) for part in match.groups()))
            except ValueError:
                pass
        text = self._text("Date")
        if text and "?" not in text:
            self._warn("bad_date", text=text[:40])
        return None

    def _round(self) -> int | None:
        # Round 3, board 1 is written 3.1.
        match = re.fullmatch(r"(\d{1,4})(?:\.\d{1,4})*", self._text("Round"), re.ASCII)
        if match and int(match[1]):
            return int(match[1])
        self._warn("no_round", text=self._text("Round")[:40])
        return None

    def _id(self, tag: str) -> PlayerId | None:
        text = self._text(tag)
        if not text or text == "0":
            return None
        if not (text.isascii() and text.isdigit() and len(text) <= 15 and int(text)):
            self._warn("bad_id", tag=tag, text=text[:40])
            return None
        return int(text)

    def _rating(self, tag: str) -> Rating | None:
        text = self._text(tag)
        if not text or text == "0":
            return None
        if not (text.isascii() and text.isdigit() and len(text) <= 4):
            self._warn("bad_rating", tag=tag, text=text[:40])
            return None
        return Rating(int(text)) if int(text) else None

    def _time_control(self) -> tuple[str, TimeControl | None]:
        """The tag is a code in seconds; a text as people write it is taken too."""
        text = self._text("TimeControl")
        if not text:
            return "", None
        for parse in (parse_code, parse_text):
            try:
                control = parse(text)
            except Malformed:
                continue
            if parse is parse_code and _looks_like_minutes(control):
                self._warn("time_control_units", text=text)
            return text, control
        self._warn("bad_time_control", text=text[:80])
        return text, None


def _looks_like_minutes(control: TimeControl) -> bool:
    """Seconds that would make more sense as minutes: 3+2, 15+10, 90+30."""
    base, increment = control.base_seconds, control.increment
    return base < 15 or (base <= 120 and increment >= 5)
