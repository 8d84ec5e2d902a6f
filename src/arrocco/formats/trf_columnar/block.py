"""Some hundred files read together: the usual ones by columns, the others with care."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arrocco.findings import Finding
from arrocco.formats.trf_columnar import texts
from arrocco.formats.trf_columnar.codes import colour_and_result
from arrocco.formats.trf_columnar.cut import Cut
from arrocco.formats.trf_columnar.heads import UsualHead
from arrocco.formats.trf_columnar.notable import Counted, Notable, Remarked, notable
from arrocco.formats.trf_columnar.numbers import NO_POINTS, Mask
from arrocco.formats.trf_columnar.order import Order, game_columns
from arrocco.formats.trf_columnar.people import People, read_people
from arrocco.formats.trf_columnar.rounds import Games, extent, read_games
from arrocco.formats.trf_columnar.table import Table
from arrocco.records.ratinglist import birth_to_number
from arrocco.records.reportbatch import EntryColumns, ReportBatch, TournamentHead, empty_batch

_ID_BITS = 37
"""An id has eleven digits."""
_RANK_BITS = 14


class Block:
    """Files cut into lines, on their way to columns.

    `usual` are their usual heads, by place. `heads` and `findings` hold what was read of each file,
    by its number in the table.
    """

    def __init__(self, cuts: list[Cut], usual: dict[int, UsualHead | None]) -> None:
        self.table = Table(cuts)
        self.usual = usual
        self.heads: dict[int, TournamentHead] = {}
        self.findings: dict[int, list[Finding]] = {}
        self._notable: dict[int, Notable | None] = {}
        self._texts: dict[str, dict[int, str]] = {
            name: {} for name in ("name", "federation", "sex", "title")
        }
        if not cuts:
            return
        self.people: People = read_people(self.table)
        self.games: Games = read_games(self.table, self.people)
        self._read_letters()
        self._read_odd_lines()
        self._read_heads()

    def _files_with(self, lines: Mask) -> Mask:
        """The files that have any of some lines."""
        files = np.zeros(len(self.table.files), np.bool_)
        if lines.any():
            files[self.table.file[lines]] = True
        return files

    def _read_letters(self) -> None:
        """Names with letters beyond ASCII."""
        table = self.table
        for row in np.flatnonzero(table.lettered & ~table.bad).tolist():
            file = int(table.file[row])
            line = table.files[file].line(row - int(table.first[file]))
            self._texts["name"][row] = line[14:47].strip()

    def _read_odd_lines(self) -> None:
        """Lines with an unusual field, by the careful reader of lines."""
        table, people = self.table, self.people
        if not people.odd.any():
            return
        bad = self._files_with(table.bad)
        for file in np.flatnonzero(self._files_with(people.odd) & ~bad).tolist():
            first, last = table.first[file : file + 2].tolist()
            odd = np.flatnonzero(people.odd[first:last]).tolist()
            self._notable[file] = odd_lines = notable(table.files[file], odd)
            for row, player in odd_lines.odd.items() if odd_lines else ():
                row += first
                people.id[row] = player.id or 0
                people.rating[row] = player.rating or 0
                people.birth[row] = birth_to_number(player.birth)
                people.points[row] = NO_POINTS if player.points is None else player.points
                people.rank[row] = player.rank or 0
                for name, others in self._texts.items():
                    others[row] = getattr(player, name)

    def _read_heads(self) -> None:
        """The usual heads, unless there is something to say about the players."""
        table, people, games = self.table, self.people, self.games
        bad = self._files_with(table.bad)
        # points that are not given differ from all others
        remarkable = games.trailing | self._files_with(
            (people.id == 0) | (people.rank == 0) | (people.points != games.worth)
        )
        remarkable |= self._files_with(self._repeated(people.id, _ID_BITS))
        remarkable |= self._second_byes()
        for round_ in games.rounds:
            remarkable[table.file[round_.lower[round_.remarked]]] = True
        ties = self._files_with_ties().tolist()
        rated = np.add.reduceat(people.rating > 0, table.first[:-1], dtype=np.int64).tolist()
        remarkable_, bad_ = remarkable.tolist(), bad.tolist()
        for file, cut in enumerate(table.files):
            if bad_[file]:
                continue
            usual = self.usual[cut.place]
            if (
                usual is None
                or remarkable_[file]
                or file in self._notable
                or usual.rated not in (None, rated[file])
                or (ties[file] and not usual.allows_ties)
            ):
                self._read_notable(file, rated[file])
            else:
                self.heads[file] = usual.head

    def _read_notable(self, file: int, rated: int) -> None:
        notable_lines = (
            self._notable[file] if file in self._notable else notable(self.table.files[file], [])
        )
        read = notable_lines and notable_lines.head(self._counted(file, rated))
        if read:
            self.heads[file], self.findings[file] = read

    def _repeated(self, values: NDArray[Any], bits: int) -> Mask:
        """The lines of a file that have the same value as another, zeros aside."""
        keys = (self.table.file.astype(np.int64) << bits) | values
        keys[values == 0] = -1 - np.flatnonzero(values == 0)
        repeated = np.zeros(len(keys), np.bool_)
        ordered = np.sort(keys)
        twice = ordered[1:][ordered[1:] == ordered[:-1]]
        if len(twice):
            repeated = np.isin(keys, twice)
        return repeated

    def _files_with_ties(self) -> Mask:
        """Files in which two players have the same rank; most have every rank once."""
        table, ranks = self.table, self.people.rank
        lengths = np.diff(table.first)
        taken = np.zeros(table.lines, np.bool_)
        within = (ranks > 0) & (ranks <= np.repeat(lengths, lengths))
        taken[(np.repeat(table.first[:-1], lengths) + ranks - 1)[within]] = True
        unclear = ~np.logical_and.reduceat(taken, table.first[:-1])
        if not unclear.any():
            return unclear
        return self._files_with(self._repeated(np.where(unclear[table.file], ranks, 0), _RANK_BITS))

    def _second_byes(self) -> Mask:
        """Files with two pairing-allocated byes in a round or for a player."""
        files = np.zeros(len(self.table.files), np.bool_)
        rows = np.sort(np.concatenate([np.zeros(0, np.int32), *self.games.allocated]))
        files[self.table.file[rows[1:][rows[1:] == rows[:-1]]]] = True
        for lines in self.games.allocated:
            in_round = self.table.file[lines]
            files[in_round[1:][in_round[1:] == in_round[:-1]]] = True
        return files

    def _counted(self, file: int, rated: int) -> Counted:
        table, people = self.table, self.people
        first, last = table.first[file : file + 2].tolist()
        rows, cells = slice(first, last), int(table.cells[file])
        used, written = (
            extent(table, self.games, file) if self.games.trailing[file] else (cells, cells)
        )
        played = [self._remarked(index, first, last) for index in range(cells)]
        return Counted(
            numbers=people.number[rows].tolist(),
            ids=people.id[rows].tolist(),
            ranks=people.rank[rows].tolist(),
            points=[None if p == NO_POINTS else p for p in people.points[rows].tolist()],
            worth=self.games.worth[rows].tolist(),
            rated=rated,
            games=sum(count for count, _ in played),
            remarked=[game for _, games in played for game in games],
            allocated=[
                (index + 1, row - first)
                for index, lines in enumerate(self.games.allocated)
                for row in lines[(lines >= first) & (lines < last)].tolist()
            ],
            used=used,
            written=written,
        )

    def _remarked(self, index: int, first: int, last: int) -> tuple[int, list[Remarked]]:
        """The number of games of a file in a round, and those about which something is to say."""
        round_, codes = self.games.rounds[index], self.games.codes[index]
        start, end = np.searchsorted(round_.lower, (first, last)).tolist()
        chosen = round_.remarked[(round_.remarked >= start) & (round_.remarked < end)]
        games = zip(round_.lower[chosen].tolist(), round_.higher[chosen].tolist(), strict=True)
        return end - start, [
            Remarked(
                index + 1,
                lower - first,
                higher - first,
                colour_and_result(int(codes[lower])),
                colour_and_result(int(codes[higher])),
            )
            for lower, higher in games
        ]

    def read(self) -> tuple[list[int], ReportBatch, dict[int, list[Finding]]]:
        """The places of the files read here, in their order, their columns, and findings by place.

        Files that are not among them are for the careful reader.
        """
        files = sorted(self.heads, key=lambda file: self.table.files[file].place)
        if not files:
            return [], empty_batch(), {}
        order = Order(self.table.first, np.array(files, np.int64))
        heads = [self.heads[file] for file in files]
        batch = ReportBatch(heads, self._entries(order), game_columns(self.games, order))
        places = {file: self.table.files[file].place for file in files}
        findings = {places[file]: found for file, found in self.findings.items()}
        return list(places.values()), batch, findings

    def _entries(self, order: Order) -> EntryColumns:
        field, people, rows = self.table.field, self.people, order.rows
        columns = {
            "name": texts.of_names(field["name"]),
            "federation": texts.of_words(field["federation"] >> np.uint32(8)),
            "sex": texts.of_sexes(field["sex"]),
            "title": texts.of_words(field["title"]),
        }
        text_columns: dict[str, Any] = {
            name: texts.narrowed(texts.with_others(column, self._texts[name]).take(rows))
            for name, column in columns.items()
        }
        return EntryColumns(
            tournament=order.file_of_row(),
            number=people.number.take(rows),
            id=people.id.take(rows),
            rating=people.rating.take(rows),
            birth=people.birth.take(rows),
            **text_columns,
        )
