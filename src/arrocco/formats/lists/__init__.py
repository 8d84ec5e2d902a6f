"""Rating lists in files: FIDE's text and XML, CSV and Parquet, read and written through one door.

The format of a file is told from its content; a list alone in a zip archive is read as well. FIDE's
combined files hold three kinds of rating, of which `read_list` takes one and `read_lists` all.

`registry` has the formats; the module of a format is loaded when a file of it is met.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from arrocco.errors import Inconsistent, Refusal
from arrocco.files import replacing
from arrocco.findings import Finding
from arrocco.formats.lists.notes import Notes
from arrocco.formats.lists.registry import KINDS, ListFormat, format_named, formats
from arrocco.formats.lists.source import Source
from arrocco.words import Phrase, system

if TYPE_CHECKING:
    from arrocco.records.ratinglist import RatingList

__all__ = ["KINDS", "formats", "read_list", "read_lists", "write_list", "write_lists"]


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
        lists = source.format.codec.read(stream, source.file, kinds, notes, only)
    if only is None and not len(lists[kinds[0]]) and not notes.rows_left_out:
        notes.doubt("empty")
    return lists


def _kinds(source: Source) -> tuple[str, ...]:
    """The kinds a file holds; ``("",)`` when it holds one and does not say which."""
    with source.open() as stream:
        return source.format.codec.kinds(stream, source.file)


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
    notes, codec = Notes(str(path)), _format(format).codec
    with _writing(path) as stream:
        codec.write(rating_list, stream, notes)
    return notes.findings()


def write_lists(lists: Mapping[str, RatingList], path: Path, format: str) -> list[Finding]:
    """Writes up to three lists by kind as one file, in a format that can hold several."""
    if not _format(format).is_combined:
        able = tuple(each.name for each in formats() if each.is_combined)
        raise Refusal.of("lists.refused.not_combined", format=format, formats=able)
    notes, codec = Notes(str(path)), _format(format).combined_codec
    with _writing(path) as stream:
        codec.write_combined(lists, stream, notes)
    return notes.findings()


def _format(name: str) -> ListFormat:
    format_ = format_named(name)
    if format_ is None:
        known = tuple(each.name for each in formats())
        raise Refusal.of("lists.refused.no_format", format=name, formats=known)
    return format_


@contextmanager
def _writing(path: Path) -> Iterator[BinaryIO]:
    try:
        with replacing(path) as stream:
            yield stream
    except OSError as error:
        raise Refusal.of("lists.refused.unwritable", file=path, reason=system(error)) from None
