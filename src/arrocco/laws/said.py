"""What an edition says, in the language of the reader: title, days in force, values, rules."""

from __future__ import annotations

from datetime import date, timedelta

from arrocco.laws.edition import Choice, Edition, Legal, Reading, Rule
from arrocco.words import Language, say
from arrocco.words.rules import italian_rules

_PACKAGE = "arrocco.laws"


def title(language: Language, edition: type[Edition]) -> str:
    """The title of an edition."""
    return edition.title_it if language == "it" else edition.title_en


def meaning(language: Language, item: Legal | Reading | Choice) -> str:
    """The words of a value, a reading or one of its choices."""
    return item.it if language == "it" else item.en


def rule_words(language: Language, edition: type[Edition], rule: Rule) -> str:
    """The words of a rule: English ones stand in its docstring, Italian ones in a catalogue.

    Raises `KeyError` for a rule without Italian words: that is a defect, which a test finds.
    """
    return rule.words if language == "en" else italian_rules()[rule_key(edition, rule.name)]


def rule_key(edition: type[Edition], name: str) -> tuple[str, ...]:
    """Where the words of a rule stand: package, class and name of the method that has them."""
    owner = next(owner for owner in edition.__mro__ if _documents(owner, name))
    package = owner.__module__.removeprefix(f"{_PACKAGE}.").rpartition(".")[0]
    return (*package.split("."), owner.__name__, name)


def _documents(owner: type, name: str) -> bool:
    member = vars(owner).get(name)
    return bool(getattr(getattr(member, "__func__", member), "__doc__", None))


def last_day(edition: type[Edition]) -> date | None:
    """The last day an edition is in force; `None` while it has no end."""
    end = edition.in_force.end
    return None if end is None else end - timedelta(days=1)


def in_force(language: Language, edition: type[Edition]) -> str:
    """The days an edition is in force, in words."""
    first, last = edition.in_force.start, last_day(edition)
    if first is None:
        return say(language, "law.in_force_undated")
    if last is None:
        return say(language, "law.in_force_open", first=first)
    return say(language, "law.in_force", first=first, last=last)
