"""Players change: two numbers turn out to be one person, somebody dies, particulars change.

What is entered in the ledger is applied to the list that opens the next period, in the order of
the ledger. A player whom a list does not have is nothing to it: other systems may have them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date

import numpy as np

from arrocco.engine.columns import apply_rule
from arrocco.errors import Illegal, Inconsistent
from arrocco.laws.rating import RatingLaw, Tranche
from arrocco.laws.rio.categories import Categories, Category
from arrocco.office.announcement import federation_is_valid
from arrocco.office.ledger import PlayerChanged, PlayersMerged
from arrocco.office.opening import Opening
from arrocco.ratinglist import UNKNOWN, Text, birth_from_number, birth_to_number
from arrocco.report import Birth
from arrocco.words import Phrase

CATEGORY_COLUMN = "o_title"
"""Where a RIO list keeps the online category (14.4): beside the international title (14.5)."""
SEXES = ("M", "F")
LONGEST_NAME, LONGEST_TITLE = 200, 10

_BY_RANK = tuple(Category)
_RANK = {category.value: category.rank for category in Category}

PlayerEntry = PlayersMerged | PlayerChanged


# --- numbers --------------------------------------------------------------------------------------


def renamed_ids(entries: Iterable[PlayersMerged]) -> dict[int, int]:
    """From every number that was left to the one that is kept in the end.

    Raises `Illegal` where merges lead in a circle, or leave a number for two others.
    """
    next_number: dict[int, int] = {}
    for entry in entries:
        if entry.kept == entry.left:
            raise Illegal.of("office.refused.merge_with_itself", player=entry.left)
        known = next_number.get(entry.left)
        if known is not None and known != entry.kept:
            raise Illegal.of("office.refused.merged_already", left=entry.left, kept=known)
        if _end_of(next_number, entry.kept) == entry.left:
            raise Illegal.of("office.refused.merge_circle", player=entry.left)
        next_number[entry.left] = entry.kept
    return {left: _end_of(next_number, left) for left in next_number}


def _end_of(next_number: dict[int, int], player: int) -> int:
    while player in next_number:
        player = next_number[player]
    return player


# --- whether a change is in order -----------------------------------------------------------------


def validated_change(change: PlayerChanged) -> PlayerChanged:
    """The same change once its values are such as lists have. Raises `Refusal` otherwise."""
    for name, most in (("name", LONGEST_NAME), ("title", LONGEST_TITLE)):
        text: str = getattr(change, name)
        if len(text) > most:
            why = Phrase("office.fault.too_long", {"length": len(text), "most": most})
            raise _wrong(name, why)
        if not text.isprintable():
            raise _wrong(name, Phrase("office.fault.unprintable"))
    if change.federation and not federation_is_valid(change.federation):
        raise _wrong("federation", Phrase("office.fault.federation"))
    if change.sex and change.sex not in SEXES:
        raise Inconsistent.of("office.refused.no_sex", sex=change.sex)
    if change.birth:
        birth_of(change.birth)
    if change.category and change.category not in tuple(Category):
        known = tuple(category.value for category in Category)
        raise Inconsistent.of("office.refused.no_category", category=change.category, known=known)
    if not change.reason.strip():
        raise _wrong("reason", Phrase("office.fault.empty"))
    return change


def _wrong(name: str, why: Phrase) -> Inconsistent:
    return Inconsistent.of(
        "office.refused.field", field=Phrase(f"office.field.{name}"), why=why, name=name
    )


def birth_of(text: str) -> Birth:
    """Reads ``yyyy`` or ``yyyy-mm-dd``. Raises `Inconsistent` for anything else."""
    if text.isascii() and text.isdigit() and len(text) == 4 and int(text) > 1800:
        return Birth(int(text))
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Inconsistent.of("office.refused.no_birth", birth=text) from None
    if len(text) != 10 or day.year <= 1800:
        raise Inconsistent.of("office.refused.no_birth", birth=text)
    return Birth(day.year, day.month, day.day)


# --- applying what was entered --------------------------------------------------------------------


def applied(
    opening: Opening, entries: Iterable[PlayerEntry], *, playing: Collection[int] = ()
) -> Opening:
    """The opening list with merges and changes of particulars applied, in their order.

    `playing` are the numbers in the reports of the period: a player who died and is among them
    leaves the list after it, so that the games count for the opponents. What is given stays.
    """
    changing = _Changing(opening.copy())
    for entry in entries:
        if isinstance(entry, PlayersMerged):
            changing.merge(entry)
        elif entry.died is None:
            changing.change(entry)
        elif entry.player not in playing:
            changing.gone.add(entry.player)
    return changing.done()


class _Changing:
    """Tables that are changed in place; who leaves goes once, at the end: lists are long."""

    def __init__(self, opening: Opening) -> None:
        self.opening = opening
        self.gone: set[int] = set()

    def done(self) -> Opening:
        """The tables without those who left."""
        if self.gone:
            self.opening, self.gone = self.opening.without(self.gone), set()
        return self.opening

    def _row(self, player: int) -> int | None:
        return None if player in self.gone else self.opening.row(player)

    def merge(self, merge: PlayersMerged) -> None:
        """Two numbers as one: games, results and ratings reached are joined, one number goes.

        The kept number's rating stays; where it has none it takes the left one's.
        """
        kept, left = self._row(merge.kept), self._row(merge.left)
        if left is None:
            return
        if kept is None:
            self.opening = self.done().renumbered(merge.left, merge.kept)
            return
        self._join_past(kept, left)
        self._join_particulars(kept, left)
        pools = self.opening.pools
        results = _joined_results(self.opening, merge)
        pools.tranches.pop(merge.kept, None)
        if results and self.opening.players.rating[kept] == 0:
            pools.tranches[merge.kept] = results
        self.gone.add(merge.left)

    def _join_past(self, kept: int, left: int) -> None:
        players, listed = self.opening.players, self.opening.listed
        players.completed_games[kept] += players.completed_games[left]
        for name in ("reached_2400", "reached_2300", "first_event", "affiliated"):
            getattr(players, name)[kept] |= getattr(players, name)[left]
        last = players.last_rated
        last[kept] = max(int(last[kept]), int(last[left]))
        if players.rating[kept] == 0:
            for column in (players.rating, players.decimals, listed.rating, listed.games):
                column[kept] = column[left]
        players.k[kept] = listed.k[kept] = UNKNOWN

    def _join_particulars(self, kept: int, left: int) -> None:
        players, listed = self.opening.players, self.opening.listed
        for text in (listed.federation, listed.sex, listed.title):
            text[kept] = text[kept] or text[left]
        births = (birth_from_number(int(listed.birth[row])) for row in (kept, left))
        players.birth[kept] = listed.birth[kept] = birth_to_number(_fuller(*births))
        for name, texts in listed.extra.items():
            both = texts[kept], texts[left]
            texts[kept] = _higher(*both) if name == CATEGORY_COLUMN else both[0] or both[1]

    def change(self, change: PlayerChanged) -> None:
        """A player's particulars; an empty value leaves one as it is."""
        row = self._row(change.player)
        if row is None:
            return
        listed, players = self.opening.listed, self.opening.players
        for name in ("name", "federation", "sex", "title"):
            value = getattr(change, name)
            if value:
                getattr(listed, name)[row] = value
        if change.birth:
            listed.birth[row] = players.birth[row] = birth_to_number(birth_of(change.birth))
            players.k[row] = UNKNOWN  # whether a player is a junior may be another matter now
        if change.category:
            column = _categories(self.opening)
            column[row] = _higher(column[row], change.category)


def _joined_results(opening: Opening, merge: PlayersMerged) -> tuple[Tranche, ...]:
    both = [*opening.pools.of(merge.kept), *opening.pools.of(merge.left)]
    return tuple(sorted(both, key=lambda result: result.month))


def _fuller(one: Birth | None, other: Birth | None) -> Birth | None:
    """The kept number's birth date; the other's where it says more of the same year."""
    if one is None:
        return other
    if other is not None and one.month is None and other.year == one.year:
        return other
    return one


# --- RIO: categories ------------------------------------------------------------------------------


def with_categories(opening: Opening, law: RatingLaw) -> Opening:
    """RIO 14.6: everybody with the category that their published rating has earned them.

    Under other regulations the list stays as it is.
    """
    if not isinstance(law, Categories):
        return opening
    earned = opening.copy()
    column, listed = _categories(earned), earned.listed
    rated = np.flatnonzero(listed.rating > 0)
    held = np.fromiter((_RANK.get(text, 0) for text in column[rated]), np.int64, len(rated))

    def rank_held(rank: int, rating: int) -> int:
        return law.category_held(_BY_RANK[rank - 1] if rank else None, rating).rank

    ranks = apply_rule(rank_held, held, listed.rating[rated].astype(np.int64))
    names = np.array([category.value for category in _BY_RANK], dtype=np.object_)
    column[rated] = names[ranks - 1]
    return earned


def _categories(opening: Opening) -> Text:
    """The column of categories, made where a list has none yet."""
    blank = np.full(len(opening.listed), "", dtype=np.object_)
    return opening.listed.extra.setdefault(CATEGORY_COLUMN, blank)


def _higher(one: str, other: str) -> str:
    """The higher of two categories; what is none gives way."""
    known = [Category(text) for text in (one, other) if text in tuple(Category)]
    return min(known, key=lambda category: category.rank).value if known else one or other
