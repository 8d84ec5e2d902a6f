"""FIDE's XML lists, streamed: plain blocks of players at once, odd ones element by element.

A block is plain when its players have the same elements in the same order as the first one of the
file, with no markup inside them: so FIDE writes them. Any other block goes through a hardened
parser, and so does the rest of the file where a block alone is not well-formed. A test proves that
both roads give the same rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import BinaryIO

from arrocco.formats.lists.columns import REPEATED_TEXTS, Gathering, sorted_ids
from arrocco.formats.lists.fide_xml_document import ELEMENTS, Document, XmlPlayer
from arrocco.formats.lists.fide_xml_plain import PlainReader
from arrocco.formats.lists.notes import Notes
from arrocco.formats.lists.registry import KINDS
from arrocco.formats.lists.row import LeftOut, RowReader
from arrocco.records.ratinglist import RatingList


def kinds(stream: BinaryIO, file: str) -> tuple[str, ...]:
    """The kinds of rating the first player has elements for; ``("",)`` for a list of one kind."""
    return _kinds(Document(stream, file))


def _kinds(document: Document) -> tuple[str, ...]:
    several = b"<rapid_" in document.first_player or b"<blitz_" in document.first_player
    return KINDS if several else ("",)


def read(
    stream: BinaryIO,
    file: str,
    kinds: Sequence[str],
    notes: Notes,
    only: Collection[int] | None = None,
) -> dict[str, RatingList]:
    """Reads the asked kinds of rating, of all players or of `only` some.

    For a list of one kind `kinds` names it. Raises `Malformed` when the document is not whole and
    well-formed or a player appears twice, `Refusal` when it declares a document type; defects of
    single players go to `notes`.
    """
    document = Document(stream, file)
    gathering = Gathering(file, kinds, REPEATED_TEXTS)
    columns = dict(ELEMENTS)
    if _kinds(document) == ("",):
        # In a list of one kind the rating without a name is of that kind.
        columns |= {what: f"{kinds[0]}_{what}" for what in ("rating", "games", "k")}
    rows = RowReader(kinds, notes, sorted_ids(only))
    plain = PlainReader(document, columns, gathering, rows)
    for block, line in document.blocks():
        if not plain.read(block, line):
            if not document.is_decoded(block):
                notes.count("latin_1", line)
            few = document.fragment(block, line)
            players = document.rest(block, line) if few is None else few
            _read_elements(players, columns, gathering, rows)
    return gathering.lists()


def _read_elements(
    players: Iterable[XmlPlayer], columns: dict[str, str], gathering: Gathering, rows: RowReader
) -> None:
    for player in players:
        if player.tag != "player":
            rows.notes.count("unknown_element", player.line)
            continue
        try:
            row = rows.read(_cells(player, columns, rows), player.line)
        except LeftOut:
            continue
        if row is not None:
            gathering.add_row(row)


def _cells(player: XmlPlayer, columns: dict[str, str], rows: RowReader) -> dict[str, str]:
    cells: dict[str, str] = {}
    for tag, text in player.cells:
        column = columns.get(tag)
        if column is None:
            rows.notes.count("unknown_element", player.line)
        elif text is None:
            rows.leave_out("markup", player.line, column, element=tag)
        elif column in cells:
            rows.leave_out("element_twice", player.line, column, element=tag)
        else:
            cells[column] = text
    return cells


def write(rating_list: RatingList, stream: BinaryIO, notes: Notes) -> None:
    """Writes a list of one kind; XML has room for everything."""
    from arrocco.formats.lists import combined, fide_xml_write

    fide_xml_write.write(combined.alone(rating_list), stream)


def write_combined(lists: Mapping[str, RatingList], stream: BinaryIO, notes: Notes) -> None:
    """Writes lists by kind as one combined document."""
    from arrocco.formats.lists import combined, fide_xml_write

    fide_xml_write.write(combined.combine(lists), stream)
