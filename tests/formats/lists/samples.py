"""Invented lists, as columns and as lines, for the tests of list files."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
from hypothesis import strategies as st

from arrocco.findings import Finding
from arrocco.formats.lists.registry import formats
from arrocco.records.ratinglist import UNKNOWN, RatingList

FORMATS = [each.name for each in formats()]
COMBINED = (
    "ID Number      Name                                                         "
    "Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)
COMBINED_WITHOUT_FOA = COMBINED.replace("FOA ", "")
SINGLE = (
    "ID Number      Name                                                         "
    "Fed Sex Tit  WTit OTit           FOA OCT26 Gms K  B-day Flag"
)
SINGLE_WITHOUT_FOA = SINGLE.replace("FOA OCT26", "FEB14")
OF_2011 = "ID number Name                              TitlFed  Mar11 GamesBorn  Flag"

NUMBERS = ("rating", "games", "k", "birth")
TEXTS = ("name", "federation", "sex", "title", "flag")
EXTRA = ("w_title", "o_title", "foa_title")


def person(
    id: object = 99000001,
    name: str = "Invented, Player",
    fed: str = "XAA",
    sex: str = "M",
    title: str = "",
    w_title: str = "",
    o_title: str = "",
) -> str:
    """The part of a line all later layouts begin with."""
    return f"{id!s:<15}{name:<61}{fed:<4}{sex:<4}{title:<5}{w_title:<5}{o_title:<15}"


def ratings(rating: object = "", games: object = "", k: object = "") -> str:
    return f"{rating!s:<6}{games!s:<4}{k!s:<3}"


def combined_line(
    standard: tuple[object, object, object] = (0, 0, 0),
    rapid: tuple[object, object, object] = (0, 0, 0),
    blitz: tuple[object, object, object] = (0, 0, 0),
    foa: str = "",
    birth: object = 1987,
    flag: str = "",
    **about: Any,
) -> str:
    kinds = ratings(*standard) + ratings(*rapid) + ratings(*blitz)
    return f"{person(**about)}{foa:<4}{kinds}{birth!s:<6}{flag:<4}"


def text_file(heading: str, lines: Sequence[str], end: str = "\r\n") -> bytes:
    return "".join(f"{line}{end}" for line in [heading, *lines]).encode()


def keys(findings: Sequence[Finding]) -> list[str]:
    return [finding.key for finding in findings]


def place(finding: Finding) -> tuple[int | None, int | None]:
    return finding.place.line, finding.place.column


def text_column(texts: Sequence[str]) -> Any:
    column = np.empty(len(texts), dtype=object)
    column[:] = list(texts)
    return column


def make_list(rows: Sequence[dict[str, Any]], **facts: Any) -> RatingList:
    """A list from rows by column name; what a row leaves out is empty or unknown."""
    rows = sorted(rows, key=lambda row: int(row["id"]))
    empty = {"rating": 0, "games": UNKNOWN, "k": UNKNOWN, "birth": 0}
    columns: dict[str, Any] = {"id": np.array([row["id"] for row in rows], np.int64)}
    for name in NUMBERS:
        columns[name] = np.array([row.get(name, empty[name]) for row in rows], np.int32)
    for name in TEXTS:
        columns[name] = text_column([row.get(name, "") for row in rows])
    extra = {name: text_column([row.get(name, "") for row in rows]) for name in EXTRA}
    return RatingList(**columns, extra=extra, **facts)


def assert_same(one: RatingList, two: RatingList, extra: bool = True) -> None:
    """Both lists have the same columns, of the same types."""
    for name in ("id", *NUMBERS, *TEXTS):
        left, right = getattr(one, name), getattr(two, name)
        assert left.dtype == right.dtype, name
        assert left.tolist() == right.tolist(), name
    if extra:
        for name in EXTRA:
            assert _extra(one, name) == _extra(two, name), name
    assert all(type(text) is str for text in two.name.tolist())


def _extra(rating_list: RatingList, name: str) -> list[str]:
    column = rating_list.extra.get(name)
    return [""] * len(rating_list) if column is None else list(column.tolist())


def invented(size: int, seed: int = 1) -> dict[str, RatingList]:
    """Three lists of the same invented players."""
    random = np.random.default_rng(seed)
    syllables = np.array([a + b for a in "BCDFGLMNPRSTV" for b in ("a", "en", "i", "ol", "u")])
    parts = syllables[random.integers(0, len(syllables), (size, 4))]
    names = [f"{a}{b.lower()}, {c}{d.lower()}" for a, b, c, d in parts.tolist()]

    def pick(*texts: str) -> Any:
        return text_column(np.array(texts, object)[random.integers(0, len(texts), size)].tolist())

    shared: dict[str, Any] = {
        "id": np.sort(random.choice(9 * size, size, replace=False)).astype(np.int64) + 99_000_000,
        "name": text_column(names),
        "federation": pick("XAA", "XBB", "YCC", "ZDD"),
        "sex": pick("M", "M", "F"),
        "title": pick("", "", "", "GM", "IM", "FM", "WCM"),
        "birth": (random.integers(1930, 2018, size) * 10_000).astype(np.int32),
        "flag": pick("", "i", "w", "wi"),
        "on": date(2026, 10, 1),
        "extra": {
            "w_title": pick("", "", "WGM"),
            "o_title": pick("", "", "NA", "IA,FT,IO"),
            "foa_title": pick("", "", "AGM"),
        },
    }

    def kind(system: str) -> RatingList:
        rated = random.random(size) < 0.4
        return RatingList(
            **shared,
            rating=np.where(rated, random.integers(1400, 2850, size), 0).astype(np.int32),
            games=np.where(rated, random.integers(0, 40, size), 0).astype(np.int32),
            k=np.where(rated, random.choice([10, 20, 40], size), UNKNOWN).astype(np.int32),
            system=system,
        )

    return {system: kind(system) for system in ("standard", "rapid", "blitz")}


_LETTERS = "abcXYZ ,.'-&<>\"éßőΩ"
names = st.text(_LETTERS, max_size=28).map(str.strip)
codes = st.text("ABCW", max_size=3)
years = st.one_of(st.just(0), st.integers(1000, 9999).map(lambda year: year * 10_000))
days = st.dates().filter(lambda day: day.year >= 1000)
births = st.one_of(years, days.map(lambda day: day.year * 10_000 + day.month * 100 + day.day))


def rows(birth: st.SearchStrategy[int]) -> st.SearchStrategy[list[dict[str, Any]]]:
    row = st.fixed_dictionaries(
        {
            "id": st.integers(1, 10**12),
            "name": names,
            "federation": codes,
            "sex": st.sampled_from(["", "M", "F"]),
            "title": codes,
            "w_title": codes,
            "o_title": st.text("ABC,", max_size=18).map(lambda text: text.strip(",")),
            "foa_title": st.sampled_from(["", "AGM", "ACM"]),
            "rating": st.integers(0, 4000),
            "games": st.integers(UNKNOWN, 999),
            "k": st.sampled_from([UNKNOWN, 0, 10, 20, 40]),
            "birth": birth,
            "flag": st.sampled_from(["", "i", "w", "wi"]),
        }
    )
    return st.lists(row.map(_room_for_titles), max_size=12, unique_by=lambda row: int(row["id"]))


def _room_for_titles(row: dict[str, Any]) -> dict[str, Any]:
    """Other titles may run on only where there is no online title."""
    return {**row, "foa_title": "" if len(row["o_title"]) > 15 else row["foa_title"]}
