"""Names and numbers that look alike: to tell a slip of the pen from another person."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from difflib import SequenceMatcher

from arrocco.records.ratinglist import ListedPlayer, RatingList
from arrocco.records.report import Entry

_ALIKE = 0.75
"""Two words this similar are the same word spelled differently (Mueller, Muller)."""
_SAME_NAME = 0.85
"""Two whole names this similar are worth suggesting."""
MAX_ROWS = 200
"""Of one surname, how many rows of a list are compared in full."""

_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th"}
)
_NO_LETTERS = re.compile(r"[\W\d_]+")


def fold(text: str) -> str:
    """A name in small letters without accents, points and hyphens: ``Müller-Øst`` is muller ost."""
    text = text.casefold()
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text.translate(_LETTERS))
        text = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return _NO_LETTERS.sub(" ", text).strip()


def surname(name: str) -> str:
    """The part before the comma, folded; the whole name where there is no comma."""
    part = name.partition(",")[0]
    # Most surnames are one plain word: a list of a million is folded in half the time.
    return part.lower() if part.isascii() and part.isalpha() else fold(part)


def differ_strongly(first: str, other: str) -> bool:
    """Whether no word of either surname is found again in the other name, however spelled."""
    names, surnames = (fold(first), fold(other)), (surname(first), surname(other))
    if not all(surnames):
        return False
    return not (_shares_a_word(surnames[0], names[1]) or _shares_a_word(surnames[1], names[0]))


def _shares_a_word(words: str, others: str) -> bool:
    return any(_similar(a, b) >= _ALIKE for a in words.split() for b in others.split())


def _similar(first: str, other: str) -> float:
    return 1 if first == other else SequenceMatcher(None, first, other, autojunk=False).ratio()


def near_ids(player: int) -> set[int]:
    """Numbers one slip away: a digit changed, left out or added, two neighbours swapped."""
    text = str(player)
    near: set[str] = set()
    for at in range(len(text) + 1):
        head, tail = text[:at], text[at:]
        near.update(head + digit + tail for digit in "0123456789")
        if tail:
            near.add(head + tail[1:])
            near.update(head + digit + tail[1:] for digit in "0123456789")
        if len(tail) > 1:
            near.add(head + tail[1] + tail[0] + tail[2:])
    return {int(digits) for digits in near if digits} - {0, player}


def rows_by_surname(listed: RatingList, surnames: Collection[str]) -> dict[str, list[int]]:
    """The rows of each surname, in one pass over the list; of each the first `MAX_ROWS`."""
    rows_of: dict[str, list[int]] = {name: [] for name in surnames if name}
    if not rows_of:
        return {}
    for row, name in enumerate(listed.name):
        rows = rows_of.get(surname(name))
        if rows is not None and len(rows) < MAX_ROWS:
            rows.append(row)
    return rows_of


def suggestions(
    entry: Entry, listed: RatingList, same_surname: Collection[int], most: int = 3
) -> list[ListedPlayer]:
    """Those on the list whom a reported player may be: the best few, the most similar first."""
    candidates = dict(_by_id(entry, listed))
    for row in same_surname:
        player = listed.at(row)
        similarity = _similar(fold(entry.name), fold(player.name))
        if similarity >= _SAME_NAME:
            candidates[player.id] = (similarity, player)
    best = sorted(candidates.values(), key=lambda candidate: (-candidate[0], candidate[1].id))
    return [player for _, player in best[:most]]


def _by_id(entry: Entry, listed: RatingList) -> Iterator[tuple[int, tuple[float, ListedPlayer]]]:
    """The players one slip of the number away whose surname is like the reported one."""
    for number in near_ids(entry.id) if entry.id is not None else ():
        player = listed.player(number)
        if player is not None and entry.name and not differ_strongly(entry.name, player.name):
            yield number, (_similar(fold(entry.name), fold(player.name)), player)
