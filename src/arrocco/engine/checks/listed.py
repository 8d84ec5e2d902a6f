"""The players against the list: unknown numbers, other ratings, other persons."""

from __future__ import annotations

from collections.abc import Iterator

from arrocco.engine.checks.case import Case, sex_of, some
from arrocco.engine.checks.likeness import differ_strongly, rows_by_surname, suggestions, surname
from arrocco.engine.checks.players import who
from arrocco.findings import Finding, Severity
from arrocco.records.ratinglist import ListedPlayer
from arrocco.records.report import Birth, Entry

MAX_SEARCHED = 50
"""For how many unknown players of a report the list is searched for others like them."""


def on_the_list(case: Case) -> Iterator[Finding]:
    """A player with a rating is on the list; who is not is told whom the list has instead."""
    listed, law = case.listed, case.law
    if listed is None:
        return
    unknown = [
        entry
        for entry in case.report.entries
        if entry.number not in case.listed_players
        and (entry.id is not None or (law.HAS_UNRATED and entry.rating is not None))
        and not case.has_standard_rating(entry)
    ]
    searched = unknown[:MAX_SEARCHED] if case.suggests else []
    rows = rows_by_surname(listed, {surname(entry.name) for entry in searched})
    new = []
    for index, entry in enumerate(unknown):
        listed_players = []
        if index < len(searched):
            listed_players = suggestions(entry, listed, rows.get(surname(entry.name), ()))
        should_be = law.HAS_UNRATED and entry.rating is not None
        if not should_be and not listed_players:
            new.append(entry)
            continue
        key = "not_on_list" if should_be else "new_to_list"
        yield case.finding(
            Severity.ERROR if should_be else Severity.NOTE,
            f"{key}_perhaps" if listed_players else key,
            entry.place,
            **who(entry),
            perhaps="; ".join(map(_person, listed_players)),
        )
    if new:
        yield case.finding(
            Severity.NOTE,
            "new_to_list",
            new[0].place,
            count=len(new),
            players=some(f"{entry.name} {entry.id}".strip() for entry in new),
        )


def _person(player: ListedPlayer) -> str:
    """Someone on the list: ``Rossi, Ada 99000001 (ITA, 1987)``."""
    facts = ", ".join(filter(None, (player.federation, str(player.birth or ""))))
    return f"{player.name} {player.id}" + (f" ({facts})" if facts else "")


def same_rating(case: Case) -> Iterator[Finding]:
    """The rating is that of the list; a report to RIO or UISP may show another body's."""
    if not case.law.HAS_UNRATED:
        return
    for entry, player in _pairs(case):
        if entry.rating == player.rating:
            continue
        if player.rating is None and case.law.STANDARD_STANDS_IN:
            yield case.finding(
                Severity.NOTE,
                "rating_stands_in",
                entry.place,
                article=case.law.article("standard_rating"),
                **who(entry),
            )
            continue
        yield case.finding(
            Severity.WARNING,
            "rating_differs",
            entry.place,
            article=case.law.article("difference"),
            **who(entry),
            listed=player.rating or "-",
        )


def same_person(case: Case) -> Iterator[Finding]:
    """A name quite unlike the one on the list hints at a wrong number."""
    for entry, player in _pairs(case):
        if differ_strongly(entry.name, player.name):
            yield case.finding(
                Severity.WARNING, "name_differs", entry.place, **who(entry), listed=player.name
            )


def same_birth(case: Case) -> Iterator[Finding]:
    """The birth date is that of the list, as far as both tell it."""
    for entry, player in _pairs(case):
        if entry.birth and player.birth and _births_differ(entry.birth, player.birth):
            yield case.finding(
                Severity.WARNING,
                "birth_differs",
                entry.place,
                **who(entry),
                birth=str(entry.birth),
                listed=str(player.birth),
            )


def _births_differ(first: Birth, other: Birth) -> bool:
    if first.year != other.year:
        return True
    parts = ((first.month, other.month), (first.day, other.day))
    return any(a is not None and b is not None and a != b for a, b in parts)


def same_particulars(case: Case) -> Iterator[Finding]:
    """Federation, sex and title as on the list, where both give them."""
    for entry, player in _pairs(case):
        for key, reported, listed in (
            ("federation_differs", entry.federation.upper(), player.federation.upper()),
            ("sex_differs", entry.sex, sex_of(player)),
            ("title_differs", entry.title.upper(), player.title.upper()),
        ):
            if reported and listed and reported != listed:
                yield case.finding(
                    Severity.NOTE,
                    key,
                    entry.place,
                    **who(entry),
                    reported=reported,
                    listed=listed,
                )


def _pairs(case: Case) -> Iterator[tuple[Entry, ListedPlayer]]:
    """The entries that the list knows, with what it says of them."""
    for entry in case.report.entries:
        player = case.listed_players.get(entry.number)
        if player is not None:
            yield entry, player
