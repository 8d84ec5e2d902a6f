"""The formats of rating lists: what each is called, how it is recognised, which module has it.

This is the one table of them. Reading, writing, commands, folders of lists and downloads all ask
here. It loads nothing of a format: a command that offers their names does not wait for Arrow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, BinaryIO, Protocol, cast

if TYPE_CHECKING:
    from arrocco.formats.lists.notes import Notes
    from arrocco.records.ratinglist import RatingList

KINDS = ("standard", "rapid", "blitz")
"""The ratings a combined FIDE file carries, in its order."""


class Codec(Protocol):
    """What the module of a format has to have."""

    def kinds(self, stream: BinaryIO, file: str) -> tuple[str, ...]:
        """The kinds of rating in a file; ``("",)`` when it has one and does not say which."""

    def read(
        self,
        stream: BinaryIO,
        file: str,
        kinds: Sequence[str],
        notes: Notes,
        only: Collection[int] | None = None,
    ) -> dict[str, RatingList]:
        """The asked kinds, of all players or of `only` some; a file of one kind has `kinds[0]`."""

    def write(self, rating_list: RatingList, stream: BinaryIO, notes: Notes) -> None:
        """Writes a list of one kind; what there is no room for goes to `notes`."""


class CombinedCodec(Codec, Protocol):
    """A format that holds several kinds of rating in one file."""

    def write_combined(
        self, lists: Mapping[str, RatingList], stream: BinaryIO, notes: Notes
    ) -> None:
        """Writes lists by kind."""


@dataclass(frozen=True)
class ListFormat:
    """A format of rating lists. `module` is the full name of the module that has its `Codec`."""

    name: str
    module: str
    suffix: str
    media_type: str
    recognised: Callable[[str], bool]
    """Whether a file is of this format, by its beginning, read as Latin-1 without a BOM."""
    is_combined: bool = False
    """Whether its module is a `CombinedCodec`."""
    is_published: bool = False
    """Whether every list of an office has a file of it. What is published stays as it is: a new
    format can be written by commands, and is not added to lists that verify today."""
    read_from_end: bool = False
    """Whether it is read from its end, so that all of it is needed at once."""

    @property
    def codec(self) -> Codec:
        """Its module, loaded now."""
        return cast(Codec, import_module(self.module))

    @property
    def combined_codec(self) -> CombinedCodec:
        """The same for a format that can hold several kinds."""
        return cast(CombinedCodec, import_module(self.module))

    @property
    def list_file(self) -> str:
        """The name of such a file in the folder of a list."""
        return f"list{self.suffix}"


def _is_parquet(head: str) -> bool:
    return head.startswith("PAR1")


def _is_xml(head: str) -> bool:
    return head.lstrip().startswith("<")


def is_fide_heading(head: str) -> bool:
    """Whether a text begins with the heading of a FIDE text list."""
    return re.match(r"\s*ID[ _]number\s+Name\b", _first_line(head), re.IGNORECASE) is not None


def _is_csv_heading(head: str) -> bool:
    names = [name.strip().strip('"').lower() for name in _first_line(head).split(",")]
    return "id" in names and "rating" in names


def _first_line(head: str) -> str:
    return re.split(r"[\r\n]", head, maxsplit=1)[0]


PARQUET = ListFormat(
    name="parquet",
    module="arrocco.formats.lists.list_parquet",
    suffix=".parquet",
    media_type="application/vnd.apache.parquet",
    recognised=_is_parquet,
    read_from_end=True,
)
"""What lists are kept in."""

_FORMATS = [
    PARQUET,
    ListFormat(
        name="fide_txt",
        module="arrocco.formats.lists.fide_txt",
        suffix=".txt",
        media_type="text/plain",
        recognised=is_fide_heading,
        is_combined=True,
        is_published=True,
    ),
    ListFormat(
        name="fide_xml",
        module="arrocco.formats.lists.fide_xml",
        suffix=".xml",
        media_type="application/xml",
        recognised=_is_xml,
        is_combined=True,
        is_published=True,
    ),
    ListFormat(
        name="csv",
        module="arrocco.formats.lists.list_csv",
        suffix=".csv",
        media_type="text/csv",
        recognised=_is_csv_heading,
        is_published=True,
    ),
]


def formats() -> tuple[ListFormat, ...]:
    """Every format, in the order in which a file is tried."""
    return tuple(_FORMATS)


def published() -> tuple[ListFormat, ...]:
    """The formats that every list of an office has a file of."""
    return tuple(each for each in _FORMATS if each.is_published)


def format_named(name: str) -> ListFormat | None:
    """The format of a name."""
    return next((each for each in _FORMATS if each.name == name), None)


def format_of_suffix(suffix: str) -> ListFormat | None:
    """The format that the end of a file's name stands for."""
    return next((each for each in _FORMATS if each.suffix == suffix.lower()), None)


def format_of(head: str) -> ListFormat | None:
    """The format of a file that begins like this."""
    return next((each for each in _FORMATS if each.recognised(head)), None)
