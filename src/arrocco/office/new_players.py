"""Numbers for people: who an entry without one may be, what was decided before, a new number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from msgspec import Struct, structs

from arrocco.engine.checks.likeness import fold
from arrocco.errors import Illegal, Inconsistent
from arrocco.office.announcement import federation_is_valid
from arrocco.office.ledger import PlayerCreated, PlayerMatched
from arrocco.office.player_changes import birth_year, require_fit_for_lists, wrong_field
from arrocco.records.report import Birth, Entry, Report

FIRST_OWN = 9_000_000_001
"""Numbers that are given here begin where no federation's and no FIDE number is."""
LAST_NUMBER = 99_999_999_999
"""The longest that a report has room for: eleven digits."""

Name = tuple[str, ...]
"""The words of a name, folded and in order, so that either order of them is the same name."""


class Candidate(Struct, frozen=True, kw_only=True):
    """Somebody whom a person may be already."""

    player: int
    name: str
    federation: str
    birth: str
    rating: int | None = None
    same_birth: bool = False
    """Whether the births agree; one that is unknown agrees with none."""


class EntrySuggestion(Struct, frozen=True, kw_only=True):
    """An entry without a number: whom it may be, and what was decided."""

    entry: int
    name: str
    federation: str
    sex: str
    title: str
    birth: str
    rating: int | None
    given: int | None
    """The number that was decided for it."""
    remembered: int | None
    """Who the same name and birth were decided to be before."""
    candidates: tuple[Candidate, ...]
    decided: tuple[int, ...] = ()
    """Who they were decided to be where these are several: then nobody is proposed."""

    @property
    def suggested(self) -> int | None:
        """The number a form proposes: remembered, or the only one of the same name and birth."""
        if self.given or self.remembered:
            return self.given or self.remembered
        if self.decided:
            return None
        same = [candidate.player for candidate in self.candidates if candidate.same_birth]
        return same[0] if len(same) == 1 else None


def name_of(text: str) -> Name:
    """A name as it is compared."""
    return tuple(sorted(fold(text).split()))


def births_agree(first: str, other: str) -> bool:
    """Whether two births may be the same: the years, and the days where both have one."""
    if not first or not other:
        return False
    return first == other if len(first) == len(other) else first[:4] == other[:4]


def births_differ(first: str, other: str) -> bool:
    """Whether two births cannot be the same person's."""
    return bool(first and other) and not births_agree(first, other)


def birth_text(birth: Birth | None) -> str:
    """A birth as it is written to be compared; the ledger has its `birth_year`."""
    return "" if birth is None else str(birth)


class Memory:
    """What was decided of names without numbers: of an entry the last decision holds."""

    def __init__(
        self, entries: Iterable[PlayerCreated | PlayerMatched], merged: Mapping[int, int]
    ) -> None:
        self._known: dict[Name, dict[tuple[int, int], tuple[str, int]]] = {}
        self.created: dict[int, PlayerCreated] = {}
        for entry in entries:
            player = merged.get(entry.player, entry.player)
            known = self._known.setdefault(name_of(entry.name), {})
            decision = (entry.report, entry.entry) if entry.report else (0, entry.player)
            known.pop(decision, None)
            known[decision] = entry.birth, player
            if isinstance(entry, PlayerCreated):
                self.created[entry.player] = entry

    def player(self, name: str, birth: str) -> int | None:
        """Who a name with a birth was said to be; a birth is needed, names alone are not enough."""
        players = self.players(name, birth)
        return players[0] if len(players) == 1 else None

    def players(self, name: str, birth: str) -> tuple[int, ...]:
        """The same; several where different ones were decided whom a year cannot tell apart.

        Where all have the whole date, the last decision holds.
        """
        known = self._known.get(name_of(name), {}).values()
        agreeing = [(born, player) for born, player in known if births_agree(born, birth)]
        if all(born == birth != birth_year(birth) for born, _ in agreeing):
            agreeing = agreeing[-1:]
        return tuple(dict.fromkeys(player for _, player in agreeing))

    def created_alike(self, name: str) -> list[PlayerCreated]:
        """Those who got a number here under the same name."""
        wanted = name_of(name)
        return [
            player_created
            for player_created in self.created.values()
            if name_of(player_created.name) == wanted
        ]


def next_number(taken: Iterable[int]) -> int:
    """The next number of our own."""
    return max([FIRST_OWN - 1, *(number for number in taken if number >= FIRST_OWN)]) + 1


def validated_new(new: PlayerCreated) -> PlayerCreated:
    """The person as entered, of a birth the year, once the values are such as lists have.

    Raises `Inconsistent` otherwise.
    """
    require_fit_for_lists(new)
    if not new.name.strip():
        raise wrong_field("name", "empty")
    if not federation_is_valid(new.federation):
        raise wrong_field("federation", "federation")
    if not 0 < new.player <= LAST_NUMBER:
        raise Inconsistent.of("office.refused.no_player_number", player=new.player)
    if not new.reason.strip():
        raise wrong_field("reason", "empty")
    return structs.replace(new, birth=birth_year(new.birth))


def require_nobody_alike(candidates: Iterable[Candidate], *, confirmed: bool) -> None:
    """Raises `Illegal` where somebody of that name is known and nobody said it is another."""
    known = tuple(
        f"{candidate.player} {candidate.name} {candidate.birth}".strip() for candidate in candidates
    )
    if known and not confirmed:
        raise Illegal.of("office.refused.may_be_known", known=known)


def numbered(report: Report, numbers: Mapping[int, int]) -> Report:
    """The report with the numbers that were decided; those in the file stay."""
    if not numbers:
        return report
    entries = [
        replace(entry, id=numbers[entry.number])
        if entry.id is None and entry.number in numbers
        else entry
        for entry in report.entries
    ]
    return replace(report, entries=entries)


def checked_numbers(report: Report, numbers: Mapping[int, int]) -> dict[int, int]:
    """The numbers as they can be given: to entries without one, each player once.

    Raises `Inconsistent` naming the first that cannot.
    """
    entries = {entry.number: entry for entry in report.entries}
    taken = {entry.id: entry.number for entry in report.entries if entry.id is not None}
    for number, player in numbers.items():
        entry = entries.get(number)
        if entry is None or entry.id is not None:
            raise Inconsistent.of("office.refused.no_such_entry", entry=number)
        if not 0 < player <= LAST_NUMBER:
            raise Inconsistent.of("office.refused.no_player_number", player=player)
        if player in taken:
            raise Inconsistent.of(
                "office.refused.player_there_already", player=player, other=taken[player]
            )
        taken[player] = number
    return dict(numbers)


def carried_over(report: Report, before: Report, numbers: Mapping[int, int]) -> dict[int, int]:
    """The numbers decided for an earlier version, for who is in this one under the same name."""
    decided = {
        (name_of(entry.name), birth_text(entry.birth)): numbers[entry.number]
        for entry in before.entries
        if entry.number in numbers
    }
    there = {entry.id for entry in report.entries}
    return {
        entry.number: player
        for entry in report.entries
        if entry.id is None
        and (player := decided.get((name_of(entry.name), birth_text(entry.birth))))
        and player not in there
    }


def without_number(report: Report) -> list[Entry]:
    """The entries whose results change no rating for want of a number."""
    return [entry for entry in report.entries if entry.id is None]
