"""Rating lists in files: FIDE's text and XML, CSV and Parquet, read and written through one door.

The format of a file is told from its content; a list alone in a zip archive is read as well. FIDE's
combined files hold three kinds of rating, of which `read_list` takes one and `read_lists` all.

What one format needs is imported where that format is met: a command that reads a text list does
not wait for XML and Parquet to load.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from arrocco.errors import Inconsistent, Refusal
from arrocco.findings import Finding
from arrocco.formats.atomic import replacing
from arrocco.formats.lists import combined, fide_txt, list_csv
from arrocco.formats.lists.columns import KINDS
from arrocco.formats.lists.notes import Notes
from arrocco.formats.lists.source import FORMATS, Source
from arrocco.ratinglist import RatingList
from arrocco.words import Phrase, system

__all__ = ["FORMATS", "KINDS", "read_list", "read_lists", "write_list", "write_lists"]


def read_list(
    path: Path, kind: str | None = None, only: Collection[int] | None = None
) -> tuple[RatingList, list[Finding]]:
    """Reads one kind of rating from a file: of all players, or of `only` those with these ids.

    Without a `kind` the standard rating is taken, and a note says so. In a file of one kind `kind`
    says which it is, where neither the file nor its name does. Raises `Refusal` when nothing can
    be taken from the file; rows left out for their defects are findings.
    """
    source = Source(path)
    notes = Notes(source.file)
    kind = _kind(source, kind, notes)
    lists = _read(source, [kind], notes, only)
    return lists[kind], notes.findings()


def read_lists(
    path: Path, only: Collection[int] | None = None
) -> tuple[dict[str, RatingList], list[Finding]]:
    """Reads every kind of rating a file holds, by kind.

    The lists of a combined file share the columns that describe the person: copy before changing.
    """
    source = Source(path)
    notes = Notes(source.file)
    kinds = _kinds(source)
    if kinds == ("",):
        kinds = (_kind(source, None, notes),)
    lists = _read(source, list(kinds), notes, only)
    return lists, notes.findings()


def _read(
    source: Source, kinds: list[str], notes: Notes, only: Collection[int] | None
) -> dict[str, RatingList]:
    with source.open() as stream:
        match source.format:
            case "fide_txt":
                lists = fide_txt.read(stream, source.file, kinds, notes, only)
            case "fide_xml":
                from arrocco.formats.lists import fide_xml

                lists = fide_xml.read(stream, source.file, kinds, notes, only)
            case "csv":
                lists = {kinds[0]: list_csv.read(stream, source.file, kinds[0], notes, only)}
            case _:
                from arrocco.formats.lists import list_parquet

                lists = {kinds[0]: list_parquet.read(stream, source.file, kinds[0], notes, only)}
    if only is None and not len(lists[kinds[0]]) and not notes.rows_left_out:
        notes.doubt("empty")
    return lists


def _kinds(source: Source) -> tuple[str, ...]:
    """The kinds a file holds; ``("",)`` when it holds one and does not say which."""
    with source.open() as stream:
        match source.format:
            case "fide_txt":
                return fide_txt.heading_layout(stream, source.file).kinds
            case "fide_xml":
                from arrocco.formats.lists import fide_xml

                return fide_xml.kinds_in(stream, source.file)
            case "parquet":
                from arrocco.formats.lists import list_parquet

                return (list_parquet.told_in(stream, source.file)[0],)
            case _:
                return ("",)


def _kind(source: Source, asked: str | None, notes: Notes) -> str:
    """The kind to read, and a note where it had to be assumed."""
    kinds = _kinds(source)
    if kinds == ("",):
        name = source.file.lower()
        told = [kind for kind in KINDS if kind in name.rpartition("/")[2]]
        if asked is None and len(told) != 1:
            notes.note("kind_assumed", kind=KINDS[0])
        elif asked in KINDS and len(told) == 1 and told[0] != asked:
            notes.doubt("kind_differs", kind=asked, told=told[0])
        return asked or (told[0] if len(told) == 1 else KINDS[0])
    if asked is None:
        if len(kinds) > 1:
            notes.note("kind_assumed", kind=kinds[0])
        return kinds[0]
    if asked not in kinds:
        raise Inconsistent.of(
            "lists.refused.kind_not_there", file=source.file, kind=asked, kinds=_either(kinds)
        )
    return asked


def _either(kinds: Sequence[str]) -> Phrase | str:
    """``standard or rapid or blitz``."""
    words: Phrase | str = kinds[0]
    for kind in kinds[1:]:
        words = Phrase("lists.either", {"first": words, "second": kind})
    return words


def write_list(rating_list: RatingList, path: Path, format: str) -> list[Finding]:
    """Writes a list of one kind, whole or not at all; the same list gives the same bytes.

    Findings tell what the format had no room for. Raises `Refusal` when it cannot be written.
    """
    notes = Notes(str(path))
    with _writing(path, format) as stream:
        match format:
            case "fide_txt":
                from arrocco.formats.lists import fide_txt_write

                fide_txt_write.write(combined.alone(rating_list), stream, notes, rating_list.on)
            case "fide_xml":
                from arrocco.formats.lists import fide_xml_write

                fide_xml_write.write(combined.alone(rating_list), stream)
            case "csv":
                list_csv.write(rating_list, stream)
            case _:
                from arrocco.formats.lists import list_parquet

                list_parquet.write(rating_list, stream)
    return notes.findings()


@contextmanager
def _writing(path: Path, format: str) -> Iterator[BinaryIO]:
    if format not in FORMATS:
        raise Refusal.of("lists.refused.no_format", format=format, formats=FORMATS)
    try:
        with replacing(path) as stream:
            yield stream
    except OSError as error:
        raise Refusal.of("lists.refused.unwritable", file=path, reason=system(error)) from None


def write_lists(lists: Mapping[str, RatingList], path: Path, format: str) -> list[Finding]:
    """Writes up to three lists by kind as one combined FIDE file (``fide_txt``, ``fide_xml``)."""
    if format not in ("fide_txt", "fide_xml"):
        raise Refusal.of("lists.refused.not_combined", format=format)
    notes = Notes(str(path))
    rows = combined.combine(lists)
    with _writing(path, format) as stream:
        if format == "fide_txt":
            from arrocco.formats.lists import fide_txt_write

            fide_txt_write.write(rows, stream, notes)
        else:
            from arrocco.formats.lists import fide_xml_write

            fide_xml_write.write(rows, stream)
    return notes.findings()
