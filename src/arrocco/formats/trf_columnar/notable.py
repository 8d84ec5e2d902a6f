"""Files with regular rounds about which there is something to say.

Their tournament records and their few unusual lines are read by the careful reader, line by line;
what concerns several lines is seen in the columns, and said in the same words and places.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from arrocco.errors import Malformed
from arrocco.findings import Finding
from arrocco.formats.trf import records as r
from arrocco.formats.trf.cells import BLANK, Cell
from arrocco.formats.trf.checks import check_members
from arrocco.formats.trf.columns import Fields, show_tenths
from arrocco.formats.trf.decode import decode
from arrocco.formats.trf.document import Line, TrfDocument
from arrocco.formats.trf.games import Row, take
from arrocco.formats.trf.header import Header
from arrocco.formats.trf.players import player
from arrocco.formats.trf.reader import _national, _set_round_dates
from arrocco.formats.trf.scoring import Worth
from arrocco.formats.trf.seen import Seen, in_order
from arrocco.formats.trf_columnar.cut import CELL, FIRST_CELL, Cut
from arrocco.records.report import Report, System
from arrocco.records.reportbatch import TournamentHead

_WITH_ROUNDS = r.PlayerRecord | r.AbnormalPoints | r.Byes
"""Records that change what the rounds of players mean."""

_USUAL_WORTH = Worth.of((), team_event=False)


class Remarked(NamedTuple):
    """A game about which there is something to say, by its lines and what they tell."""

    round: int
    lower: int
    higher: int
    cell: Cell
    mirror: Cell


@dataclass
class Counted:
    """What the columns tell of one file, by line."""

    numbers: list[int]
    ids: list[int]
    ranks: list[int]
    points: list[int | None]
    worth: list[int]
    rated: int
    games: int
    remarked: list[Remarked]
    """By round, then by line."""
    allocated: list[tuple[int, int]]
    """Round and line of each pairing-allocated bye, by round and then by line."""
    used: int
    """The last round in which somebody has an opponent or a point."""
    written: int
    """The last round of which anything is written."""


@dataclass
class Notable:
    """A file with its lines outside the rounds read by the careful reader."""

    cut: Cut
    document: TrfDocument
    in_lines: Seen
    odd: dict[int, r.PlayerRecord] = field(default_factory=dict)
    """The unusual lines of players."""

    def head(self, counted: Counted) -> tuple[TournamentHead, list[Finding]] | None:
        """The head and all findings, `None` where the careful reader is to see the whole file."""
        seen = Seen(self.cut.source)
        header = Header(self.document, seen)
        header.check()
        system = header.system()
        start = header.day("042")
        rounds = _rounds(header, counted, seen)
        if (
            start is None
            or rounds is None
            or (system is System.UNKNOWN and not header.text("092") and _may_look_alike(counted))
            or (system is System.MATCH and len(counted.numbers) == 2)
        ):
            return None
        self._check_games(counted, seen)
        report = Report(rounds=rounds, time_control=header.time_control())
        _national(self.document, set(counted.numbers), seen)
        _set_round_dates(report, header, seen)
        self._check_players(counted, header, seen)
        self._check_counts(counted, header, seen)
        self._check_lengths(rounds, seen)
        self._check_points(counted, seen)
        check_members(self.document, counted.numbers, seen)
        self._check_byes(counted, seen)
        name = header.text("012")
        head = TournamentHead(
            key=self.cut.source or name,
            name=name,
            start=start,
            end=header.day("052") or start,
            system=system,
            control=report.time_control,
            rounds=rounds,
            federation=header.text("032"),
            round_dates=report.round_dates,
            city=header.text("022"),
            end_known=header.day("052") is not None,
        )
        return head, in_order(self.in_lines.findings() + seen.findings())

    def _check_games(self, counted: Counted, seen: Seen) -> None:
        """Asks the careful reader about single games."""
        for game in counted.remarked:
            one, two = counted.numbers[game.lower], counted.numbers[game.higher]
            before = [BLANK] * (game.round - 1)
            lines = (
                Row(number, self.cut.line_number(row), [*before, replace(cell, opponent=other)])
                for number, row, cell, other in (
                    (one, game.lower, game.cell, two),
                    (two, game.higher, game.mirror, one),
                )
            )
            take(list(lines), game.round, seen)

    def _check_players(self, counted: Counted, header: Header, seen: Seen) -> None:
        """Ids, points and ranks that are missing or repeated."""
        ids: dict[int, int] = {}
        ranks: set[int] = set()
        rows = zip(counted.numbers, counted.ids, counted.ranks, counted.points, strict=True)
        for row, (number, id_, rank, points) in enumerate(rows):
            line = self.cut.line_number(row)
            if not id_:
                if not self._text(row, 57, 68).strip(" 0"):
                    seen.add("id_missing", line, 58, player=number, name=self.name(row))
            elif id_ in ids:
                seen.add("id_repeated", line, 58, player=number, id=id_, other=ids[id_])
            else:
                ids[id_] = number
            if points is None and not self._text(row, 80, 84).strip():
                seen.add("points_missing", line, 81, player=number)
            if not rank:
                if not self._text(row, 85, 89).strip(" 0"):
                    seen.add("rank_missing", line, 86, player=number)
            elif rank in ranks and not header.is_trf26:
                seen.add("rank_repeated", line, 86, player=number, rank=rank)
            else:
                ranks.add(rank)

    def _check_counts(self, counted: Counted, header: Header, seen: Seen) -> None:
        for tag, key, count in (
            ("062", "players_miscounted", len(counted.numbers)),
            ("072", "rated_miscounted", counted.rated),
        ):
            declared = header.number(tag)
            if declared is not None and declared != count:
                seen.add(key, header.line(tag), 5, declared=declared, counted=count)

    def _check_lengths(self, rounds: int, seen: Seen) -> None:
        for row in range(self.cut.players if self.cut.is_cut else 0):
            length = len(self.cut.line(row))
            if length < FIRST_CELL + CELL * rounds:
                seen.add("blanks_cut", self.cut.line_number(row), length + 1)

    def _check_points(self, counted: Counted, seen: Seen) -> None:
        for row, (points, worth) in enumerate(zip(counted.points, counted.worth, strict=True)):
            if points is not None and points != worth:
                seen.add(
                    "points_differ",
                    self.cut.line_number(row),
                    81,
                    player=counted.numbers[row],
                    given=show_tenths(points),
                    expected=show_tenths(worth),
                )

    def _check_byes(self, counted: Counted, seen: Seen) -> None:
        rounds: set[int] = set()
        rows: set[int] = set()
        for round_, row in counted.allocated:
            place = self.cut.line_number(row), 82 + 10 * round_
            number = counted.numbers[row]
            if round_ in rounds:
                seen.add("second_bye_in_round", *place, round=round_, player=number)
            if row in rows:
                seen.add("second_bye_of_player", *place, round=round_, player=number)
            rounds.add(round_)
            rows.add(row)

    def name(self, row: int) -> str:
        return self._text(row, 14, 47).strip()

    def _text(self, row: int, start: int, end: int) -> str:
        return self.cut.line(row)[start:end]


def notable(cut: Cut, odd: list[int]) -> Notable | None:
    """Reads the lines of a file outside its rounds and its odd lines of players.

    Returns `None` for a file with records that change what rounds mean.
    """
    seen = cut.encoding_seen or Seen(cut.source)
    lines: list[Line] = []
    document = Notable(cut, TrfDocument(cut.source, cut.encoding, lines), seen)
    try:
        for number, text in enumerate(cut.before, start=1):
            lines.append(Line(number, text, cut.ending, decode(text, number, seen)))
        for row in odd:
            document.odd[row] = player(Fields(cut.line(row), cut.line_number(row), seen))
        for number, text in enumerate(cut.after, start=len(cut.before) + cut.players + 1):
            lines.append(Line(number, text, cut.ending, decode(text, number, seen)))
    except Malformed:
        return None
    records = [line.record for line in lines]
    if any(isinstance(record, _WITH_ROUNDS) for record in records):
        return None
    if Worth.of(records, team_event=False) != _USUAL_WORTH:
        return None
    return document


def _may_look_alike(counted: Counted) -> bool:
    """Whether the games may look like a match or a round robin."""
    players = len(counted.numbers)
    return players == 2 or counted.games == players * (players - 1) // 2


def _rounds(header: Header, counted: Counted, seen: Seen) -> int | None:
    """The number of rounds, `None` where rounds at the end say nothing."""
    declared = header.rounds()
    used, written = counted.used, counted.written
    rounds = used if declared is None else max(used, min(declared, written))
    if not used or written > rounds:
        return None
    line = header.line("142") or header.line("XXR")
    if declared is not None and declared > rounds:
        seen.add("rounds_missing", line, 5, declared=declared, found=rounds)
    elif declared is not None and declared < rounds:
        seen.add("rounds_undeclared", line, 5, declared=declared, found=rounds)
    return rounds
