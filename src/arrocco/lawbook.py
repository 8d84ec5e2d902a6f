"""What an edition says, in the language of the reader: title, days in force, values, rules.

The law itself reads no files; here the Italian words of older editions come out of a catalogue.
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from arrocco.laws.edition import Choice, Edition, Legal, Reading, Rule
from arrocco.words import Language, say, show

_PACKAGE = "arrocco.laws"
_ITALIAN = "Italiano:"
_TEXTS = {
    "Fide2011": "fide-2010",
    "Fide2024": "fide-2024",
    "Rio2025": "rio-2025",
    "Uisp": "uisp",
    "Online2025": "online-2025",
}
"""Where the own words of a text stand, by its edition; amendments have those they amend."""


def title(language: Language, edition: type[Edition]) -> str:
    """The title of an edition."""
    return edition.title_it if language == "it" else edition.title_en


def source(language: Language, edition: type[Edition]) -> str:
    """Where the text of an edition comes from and who approved it."""
    return edition.source_it if language == "it" else edition.source


def meaning(language: Language, item: Legal | Reading | Choice) -> str:
    """The words of a value, a reading or one of its choices."""
    return item.it if language == "it" else item.en


def rule_words(language: Language, edition: type[Edition], rule: Rule) -> str:
    """The words of a rule: English ones begin its docstring, Italian ones follow ``Italiano:``.

    Those of older editions stand in a catalogue. Raises `KeyError` for a rule without Italian
    words: that is a defect, which a test finds.
    """
    if language == "en":
        return rule.words
    paragraphs = (inspect.getdoc(getattr(edition, rule.name)) or "").split("\n\n")
    beside = [text for text in paragraphs if text.startswith(_ITALIAN)]
    if beside:
        words = " ".join(beside[0].removeprefix(_ITALIAN).split())
    else:
        words = italian_rules()[rule_key(edition, rule.name)]
    return edition.with_numbers(language, words)


def rule_key(edition: type[Edition], name: str) -> tuple[str, ...]:
    """Where the words of a rule stand: package, class and name of the method that has them."""
    owner = next(owner for owner in edition.__mro__ if _documents(owner, name))
    package = owner.__module__.removeprefix(f"{_PACKAGE}.").rpartition(".")[0]
    return (*package.split("."), owner.__name__, name)


def _documents(owner: type, name: str) -> bool:
    member = vars(owner).get(name)
    return bool(getattr(getattr(member, "__func__", member), "__doc__", None))


class OwnWords(NamedTuple):
    """The words of an article as the authority published them, and which text they are from."""

    text: str
    of: type[Edition]


def own_words(edition: type[Edition], article: str) -> OwnWords | None:
    """The own words of an article, in the language of the text; None where it is not here."""
    for owner in edition.__mro__:
        name = _TEXTS.get(owner.__name__)
        if name is not None and issubclass(owner, Edition):
            said = _own_words(name).get(article)
            return None if said is None else OwnWords(said, owner)
    return None


@cache
def _own_words(name: str) -> Mapping[str, str]:
    text = resources.files("arrocco") / "law_texts" / f"{name}.toml"
    return tomllib.loads(text.read_text("utf-8"))


def last_day(edition: type[Edition]) -> date | None:
    """The last day an edition is in force; `None` while it has no end."""
    end = edition.in_force.end
    return None if end is None else end - timedelta(days=1)


def in_force(
    language: Language, edition: type[Edition], day: Callable[[Language, date], str] = show
) -> str:
    """The days an edition is in force, in words; `day` writes one of them."""
    first, last = edition.in_force.start, last_day(edition)
    if first is None:
        return say(language, "law.in_force_undated")
    if last is None:
        return say(language, "law.in_force_open", first=day(language, first))
    return say(language, "law.in_force", first=day(language, first), last=day(language, last))


@cache
def italian_rules() -> Mapping[tuple[str, ...], str]:
    """Every sentence by its key: the package, the class and the name of a rule."""
    text = resources.files("arrocco.words").joinpath("rules_it.toml").read_text("utf-8")
    return dict(_flat(tomllib.loads(text), ()))


def _flat(table: dict[str, Any], above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    for name, item in table.items():
        if isinstance(item, dict):
            yield from _flat(item, (*above, name))
        else:
            yield (*above, name), str(item)
