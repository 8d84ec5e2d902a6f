"""Players change: two numbers turn out to be one person, somebody dies, particulars change.

What is entered in the ledger is applied to the list that opens the next period, in the order of
the ledger. A player whom a list does not have is nothing to it: other systems may have them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date

from msgspec.structs import replace

from arrocco.engine.categories import CATEGORY_COLUMN, category_column, earn_categories
from arrocco.errors import Illegal, Inconsistent
from arrocco.laws.fide.text_2010.lists import AFFILIATIONS
from arrocco.laws.rating import RatingLaw, Tranche
from arrocco.laws.rio.categories import Categories, Category
from arrocco.office.announcement import federation_is_valid
from arrocco.office.ledger import PlayerChanged, PlayerCreated, PlayersMerged
from arrocco.office.opening import Opening
from arrocco.records.ratinglist import UNKNOWN, birth_from_number, birth_to_number
from arrocco.records.report import Birth
from arrocco.words import Phrase

SEXES = ("M", "F")
NOT_AFFILIATED = "-"
"""What is entered for a player who belongs to none of `AFFILIATIONS` any more."""
LONGEST_NAME, LONGEST_TITLE = 200, 10

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
    """The change as it is entered, of a birth the year, once its values are such as lists have.

    Raises `Refusal` otherwise.
    """
    require_fit_for_lists(change)
    if change.federation and not federation_is_valid(change.federation):
        raise wrong_field("federation", "federation")
    if change.category and change.category not in tuple(Category):
        known = tuple(category.value for category in Category)
        raise Inconsistent.of("office.refused.no_category", category=change.category, known=known)
    if change.affiliated and change.affiliated not in (*AFFILIATIONS, NOT_AFFILIATED):
        raise Inconsistent.of(
            "office.refused.no_affiliation", affiliated=change.affiliated, known=AFFILIATIONS
        )
    if not change.reason.strip():
        raise wrong_field("reason", "empty")
    return replace(change, birth=birth_year(change.birth))


def require_fit_for_lists(entered: PlayerChanged | PlayerCreated) -> None:
    """Raises `Inconsistent` where name, title, sex or birth are not such as lists have."""
    fields = (("name", entered.name, LONGEST_NAME), ("title", entered.title, LONGEST_TITLE))
    for name, text, most in fields:
        if len(text) > most:
            raise wrong_field(name, "too_long", length=len(text), most=most)
        if not text.isprintable():
            raise wrong_field(name, "unprintable")
    if entered.sex and entered.sex not in SEXES:
        raise Inconsistent.of("office.refused.no_sex", sex=entered.sex)
    if entered.birth:
        birth_of(entered.birth)


def wrong_field(name: str, fault: str, **details: int) -> Inconsistent:
    """The refusal of what stands in a field."""
    why, field = Phrase(f"office.fault.{fault}", details), Phrase(f"office.field.{name}")
    return Inconsistent.of("office.refused.field", field=field, why=why, name=name)


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


def birth_year(text: str) -> str:
    """The year of a birth: all that is entered of it, as everybody can download the ledger."""
    return text[:4]


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
        for name in ("first_event", "affiliated"):
            getattr(players, name)[kept] |= getattr(players, name)[left]
        for name in ("highest_published", "last_rated"):
            past = getattr(players, name)
            past[kept] = max(int(past[kept]), int(past[left]))
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
        if change.affiliated:
            players.affiliated[row] = change.affiliated != NOT_AFFILIATED
        if change.category:
            column = category_column(self.opening.listed)
            column[row] = _higher(column[row], change.category)


def _joined_results(opening: Opening, merge: PlayersMerged) -> tuple[Tranche, ...]:
    both = [*opening.pools.of(merge.kept), *opening.pools.of(merge.left)]
    return tuple(sorted(both, key=lambda result: result.month))


def _fuller(first: Birth | None, other: Birth | None) -> Birth | None:
    """The kept number's birth date; the other's where it says more of the same year."""
    if first is None:
        return other
    if other is not None and first.month is None and other.year == first.year:
        return other
    return first


# --- RIO: categories ------------------------------------------------------------------------------


def with_categories(opening: Opening, law: RatingLaw) -> Opening:
    """RIO 14.6: everybody with the category that their published rating has earned them.

    Under other regulations the list stays as it is.
    """
    if not isinstance(law, Categories):
        return opening
    earned = opening.copy()
    earn_categories(earned.listed, law)
    return earned


def _higher(first: str, other: str) -> str:
    """The higher of two categories; what is none gives way."""
    known = [Category(text) for text in (first, other) if text in tuple(Category)]
    return min(known, key=lambda category: category.rank).value if known else first or other
