"""Invented names of people and places, put together from syllables that name nobody.

Names are fixed-width UTF-8 bytes, as the columns of reports hold them.
"""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arrocco.demo.generate.draws import Rng

Bytes = NDArray[np.bytes_]

_SURNAME_STARTS: Final = (
    "Brov Zarn Quel Dromb Vesk Tulm Orv Lanth Grisk Pelv Ustr Mard Fjel Hyrn Kobr Snav Walm Yent "
    "Ceth Jorb Aldr Blan Corst Dvel Erm Filg Gund Hask Ild Krav Lumb Molk Nerv Osp Prel Rund Stav "
    "Thorm Umb Varg Wisk Zelt"
)
_SURNAME_MIDDLES: Final = (
    "a e i o u al el il ol an en in on ar er or ast est and end ort urn ev iv ag og"
)
_SURNAME_ENDS: Final = (
    "ini ov sen ard ez aki ulu ian owa elli ic eno atti eris oya imba ander isko ural evic ó ø"
)
_GIVEN_STARTS: Final = (
    "Ald Brem Corv Delm Erv Fant Gorm Halv Istr Jorm Kelv Lomb Mirt Narv Orsk Perl Qued Rond Selv "
    "Torm Ulv Vand Welt Yorl Zand"
)
_MENS_ENDS: Final = "o en ir us ek ar is on"
_WOMENS_ENDS: Final = "a ia ina elle iss une ey ara"
_PLACES: Final = ("Rocca", "Borgo", "Porto", "Monte", "Castel", "Villa", "Ponte", "Torre", "Lago")


def _table(*syllables: str) -> Bytes:
    """Every word that takes one of each kind of syllable."""
    words = product(*(kind.split() for kind in syllables))
    return np.array(["".join(word).encode() for word in words], dtype=np.bytes_)


SURNAMES: Final = _table(_SURNAME_STARTS, _SURNAME_MIDDLES, _SURNAME_ENDS)
GIVEN: Final = np.concatenate(
    [_table(_GIVEN_STARTS, _MENS_ENDS), _table(_GIVEN_STARTS, _WOMENS_ENDS)]
)
"""First the names of men, then as many of women."""

_WIDTH: Final = SURNAMES.itemsize + 2 + GIVEN.itemsize


def person_names(rng: Rng, is_woman: NDArray[np.bool_]) -> Bytes:
    """Names written ``Surname, Given``; like real ones they are not always different."""
    size = len(is_woman)
    half = len(GIVEN) // 2
    surname = rng.integers(0, len(SURNAMES), size, dtype=np.int32)
    given = rng.integers(0, half, size, dtype=np.int32) + half * is_woman
    return _joined(surname, given)


def _joined(surname: Any, given: Any) -> Bytes:
    """Writes surnames into rows of bytes, then the rest behind each, one length at a time."""
    rows = np.zeros((len(surname), _WIDTH), dtype=np.uint8)
    rows[:, : SURNAMES.itemsize] = _as_rows(SURNAMES)[surname]
    ends = np.char.str_len(SURNAMES)[surname]
    givens = _as_rows(GIVEN)
    for end in np.unique(ends).tolist():
        here = np.flatnonzero(ends == end)
        rows[here, end] = ord(",")
        rows[here, end + 1] = ord(" ")
        rows[here, end + 2 : end + 2 + GIVEN.itemsize] = givens[given[here]]
    return rows.view(f"S{_WIDTH}").ravel()


def _as_rows(texts: Bytes) -> NDArray[np.uint8]:
    return np.ascontiguousarray(texts).view(np.uint8).reshape(len(texts), texts.itemsize)


def place_names(rng: Rng, size: int) -> list[str]:
    """Invented towns."""
    starts = rng.integers(0, len(_PLACES), size).tolist()
    surnames = rng.integers(0, len(SURNAMES), size)
    ends = [name.decode() for name in SURNAMES[surnames].tolist()]
    return [f"{_PLACES[start]} {end}" for start, end in zip(starts, ends, strict=True)]


def text_of(names: Bytes) -> NDArray[np.object_]:
    """Names as the texts of a list."""
    import pyarrow as pa

    texts: NDArray[np.object_] = (
        pa.array(names, pa.binary()).cast(pa.string()).to_numpy(zero_copy_only=False)
    )
    return texts
