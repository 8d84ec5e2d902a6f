"""Invented reports for tests: real in shape, about nobody.

Lines are put together here by columns, not by the writer under test, so that a mistake in the
library cannot hide behind itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

HEADER: Mapping[str, str] = {
    "012": "Torneo di Prova",
    "022": "Borgo Inventato",
    "032": "ITA",
    "042": "2024/05/01",
    "052": "2024/05/05",
    "092": "Individual: Swiss-System",
    "102": "Arbitri, Ada (99000901)",
    "112": "Vice, Vera (99000902)",
    "122": "90'+30\"",
}
"""Tournament records that give no finding."""

_NAMES = ("Alfieri", "Torretti", "Cavallini", "Pedonti", "Arrocchi", "Gambetti", "Siciliani")
_FIRST = ("Ada", "Bruno", "Carla", "Dino", "Elsa", "Furio", "Gaia", "Ivo", "Lia", "Nino")


def at(pieces: Mapping[int, str]) -> str:
    """A line with each piece starting at its 1-based column."""
    line = ""
    for column in sorted(pieces):
        assert len(line) < column, f"column {column} is already taken in {line!r}"
        line = line.ljust(column - 1) + pieces[column]
    return line


def cell(opponent: int, colour: str, result: str) -> str:
    """The eight columns of one round; opponent 0 is written 0000."""
    return f"{opponent:>4} {colour} {result}" if opponent else f"0000 {colour} {result}"


_WORTH = {"1": 10, "=": 5, "+": 10, "W": 10, "D": 5, "H": 5, "F": 10, "U": 10}


def player(
    number: int,
    cells: Sequence[str] = (),
    *,
    name: str | None = None,
    rating: str | None = None,
    id: str | None = None,
    points: str | None = None,
    rank: str | None = None,
    sex: str = "m",
    title: str = "",
    federation: str = "ITA",
    birth: str = "1990/01/31",
) -> str:
    """Record 001; points are added up from the results where they are not given."""
    if points is None:
        tenths = sum(_WORTH.get(text[7:8].upper(), 0) for text in cells)
        points = f"{tenths // 10}.{tenths % 10}"
    pieces = {
        1: "001",
        5: f"{number:>4}",
        10: sex,
        11: f"{title:>3}",
        15: invented_name(number) if name is None else name,
        49: f"{2400 - number if rating is None else rating:>4}",
        54: federation,
        58: f"{99000000 + number if id is None else id:>11}",
        70: birth,
        81: f"{points:>4}",
        86: f"{number if rank is None else rank:>4}",
    }
    pieces |= {92 + 10 * index: text for index, text in enumerate(cells)}
    return at(pieces).rstrip()


def invented_name(number: int) -> str:
    """A name for a starting number."""
    return f"{_NAMES[number % len(_NAMES)]}{number}, {_FIRST[number % len(_FIRST)]}"


def report(
    players: Iterable[str],
    header: Mapping[str, str | None] | None = None,
    extra: Iterable[str] = (),
    ending: str = "\r\n",
) -> bytes:
    """A file of tournament records, players and further lines; `None` leaves a record out."""
    lines = list(players)
    rated = sum(bool(line[48:52].strip(" 0")) for line in lines)
    tags: dict[str, str | None] = {**HEADER, "062": str(len(lines)), "072": str(rated)}
    tags |= header or {}
    top = [f"{tag} {text}".rstrip() for tag, text in sorted(tags.items()) if text is not None]
    return "".join(line + ending for line in [*top, *lines, *extra]).encode()


def round_dates(days: Sequence[str]) -> str:
    """The text of record 132 after its tag."""
    return at({92 + 10 * index: day for index, day in enumerate(days)})[4:]


def swiss(
    players: int = 12,
    rounds: int = 5,
    seed: int = 1,
    *,
    version: str = "trf16",
    ending: str = "\r\n",
) -> bytes:
    """A regular report with random pairings, byes, forfeits and short games.

    Every line mirrors its opponents' lines and all points add up: reading it gives no finding.
    """
    rng = random.Random(seed)
    cells: dict[int, list[str]] = {number: [] for number in range(1, players + 1)}
    had_bye: set[int] = set()
    for _ in range(rounds):
        order = list(cells)
        rng.shuffle(order)
        for number in [n for n in order if rng.random() < 0.02]:
            order.remove(number)
            cells[number].append(cell(0, "-", rng.choice("HFZ")))
        if len(order) % 2:
            free = next((n for n in order if n not in had_bye), order[0])
            cells[free].append(cell(0, "-", "U" if free not in had_bye else "Z"))
            order.remove(free)
            had_bye.add(free)
        for white, black in zip(order[::2], order[1::2], strict=True):
            first, second = rng.choices(
                ("10", "01", "==", "+-", "-+", "--", "WL", "DD"), (40, 30, 25, 2, 1, 1, 1, 1)
            )[0]
            cells[white].append(cell(black, "w", first))
            cells[black].append(cell(white, "b", second))
    lines = [
        player(
            number,
            texts,
            rating="" if rng.random() < 0.1 else None,
            title=rng.choice(("", "", "", "FM", "WIM", "CM")),
            sex=rng.choice("mw"),
            birth=rng.choice(("1990/01/31", "2009/12/01", "1987/00/00")),
        )
        for number, texts in cells.items()
    ]
    header: dict[str, str | None] = {
        "132": round_dates([f"24/05/{1 + index * 5 // rounds:02d}" for index in range(rounds)])
    }
    extra: list[str] = []
    if version == "trf26":
        header |= {"142": str(rounds), "152": "W", "192": "FIDE_DUTCH", "222": "5400+30"}
        extra.append(at({1: "ITA", 5: "   1", 49: "2201", 58: f"{501:>11}"}))
    return report(lines, header, extra, ending)


def round_robin(players: int = 6, seed: int = 1, header: Mapping[str, str | None] = {}) -> bytes:
    """A single round robin of an even number of players by the usual rotation."""
    rng = random.Random(seed)
    cells: dict[int, list[str]] = {number: [] for number in range(1, players + 1)}
    order = list(cells)
    for index in range(players - 1):
        for board in range(players // 2):
            white, black = order[board], order[-1 - board]
            if (board + index) % 2:
                white, black = black, white
            first, second = rng.choice(("10", "01", "=="))
            cells[white].append(cell(black, "w", first))
            cells[black].append(cell(white, "b", second))
        order[1:] = [order[-1], *order[1:-1]]
    lines = [player(number, texts) for number, texts in cells.items()]
    return report(lines, {"092": "Individual: Round-Robin", **header})


def match(results: str = "1=0=", header: Mapping[str, str | None] = {}) -> bytes:
    """A match of two players; `results` are those of the first one, who starts with White."""
    other = {"1": "0", "=": "=", "0": "1"}
    colours = ["wb"[index % 2] for index in range(len(results))]
    first = [cell(2, colour, result) for colour, result in zip(colours, results, strict=True)]
    second = [
        cell(1, "b" if colour == "w" else "w", other[result])
        for colour, result in zip(colours, results, strict=True)
    ]
    return report([player(1, first), player(2, second)], {"092": "Match", **header})
