"""Words for people, in Italian and English: stable keys in, sentences out.

The law, the formats and the engine speak in keys with parameters (``trf.points_differ``); this is
the one place where they become sentences. Catalogues are TOML files, one for each part of the
program: ``en/trf.toml`` holds the keys that start with ``trf.``. Both languages hold the same keys
with the same parameters, and a test proves it. What an act of the hall is called stands in a file
of its own, in both languages: ``acts/game/warn.toml`` has the words of ``hall/game/acts/warn.py``.
"""

from __future__ import annotations

import errno
import tomllib
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from importlib import resources
from typing import Any, Literal

from arrocco.findings import Finding

Language = Literal["en", "it"]
LANGUAGES: tuple[Language, ...] = ("en", "it")
PARTS_WITH_ACTS = ("event", "hall", "hall_pages")
"""The parts to which acts add their words."""
_LONGEST = 200
"""Characters of what a library says that go into a sentence."""


@dataclass(frozen=True)
class Phrase:
    """Words within a sentence that each language has of its own, given as a detail of it."""

    key: str
    details: dict[str, Any] = field(default_factory=dict)


@cache
def catalogue(language: Language, part: str) -> dict[str, str]:
    """The sentences of one part of the program, by full key."""
    sentences = sentences_of_file(language, part)
    if part in PARTS_WITH_ACTS:
        for words in _words_of_acts():
            own = {key: said[language] for key, said in words.items()}
            sentences |= {key: text for key, text in own.items() if key.startswith(f"{part}.")}
    return sentences


def sentences_of_file(language: Language, part: str) -> dict[str, str]:
    """Those of the part's own file, by full key: without the words of acts."""
    text = resources.files(__package__).joinpath(language, f"{part}.toml").read_text("utf-8")
    return dict(_flatten(tomllib.loads(text), part))


@cache
def _words_of_acts() -> list[dict[str, dict[Language, str]]]:
    """The words of each act, by full key and language."""
    folders = resources.files(__package__).joinpath("acts").iterdir()
    files = sorted((file for folder in folders for file in folder.iterdir()), key=str)
    return [tomllib.loads(file.read_text("utf-8")) for file in files]


def _flatten(table: dict[str, Any], prefix: str) -> list[tuple[str, str]]:
    items: list[tuple[str, str]] = []
    for key, value in table.items():
        name = f"{prefix}.{key}"
        items.extend(_flatten(value, name) if isinstance(value, dict) else [(name, str(value))])
    return items


def say(language: Language, key: str, **details: Any) -> str:
    """The sentence for a key. Raises `KeyError` for a key no catalogue has: that is a defect."""
    return fill(language, catalogue(language, key.partition(".")[0])[key], **details)


def fill(language: Language, sentence: str, /, **details: Any) -> str:
    """A sentence with its details, written as its language does."""
    return sentence.format(**{name: _Said(language, value) for name, value in details.items()})


class _Said(str):
    """A detail as its language writes it, which may ask for a form of it.

    ``{games:game|games}`` is the word for that many of them, ``{points:number}`` a decimal as the
    language writes it; ``{name}`` is the value itself.
    """

    _language: Language

    def __new__(cls, language: Language, value: Any) -> _Said:
        made = super().__new__(cls, show(language, value))
        made._language = language
        return made

    def __format__(self, form: str) -> str:
        one, parted, many = form.partition("|")
        if parted:
            return one if self.lstrip("+-−") == "1" else many
        if form == "number":
            return number(self._language, self)
        return super().__format__(form)


def show(language: Language, value: Any) -> str:
    """A value as the language writes it: Italian has decimal commas and day/month/year.

    Values in a tuple stand one after the other; where they are phrases, which have commas of their
    own, semicolons part them.
    """
    if isinstance(value, date):
        return value.strftime("%d/%m/%Y") if language == "it" else value.isoformat()
    if isinstance(value, Phrase):
        return say(language, value.key, **value.details)
    if isinstance(value, tuple):
        comma = "; " if any(isinstance(item, Phrase) for item in value) else ", "
        return comma.join(show(language, item) for item in value)
    return str(value)


def system(error: Exception) -> Phrase | str:
    """What the system or a library says of a file, to be given as a detail of a sentence.

    The commonest faults of the system have their words in the catalogues, English ones as it has
    them. Of anything else the first line stays as it comes.
    """
    said = str(error)
    if isinstance(error, OSError):
        missing = errno.ENOENT if isinstance(error, FileNotFoundError) else 0
        key = f"system.{errno.errorcode.get(error.errno or missing)}"
        if key in catalogue("en", "system"):
            return Phrase(key)
        said = error.strerror or said
    return said.partition("\n")[0][:_LONGEST]


def number(language: Language, text: str) -> str:
    """A decimal as the language writes it: ``-2.50`` is ``-2,50`` in Italian."""
    return text.replace(".", ",") if language == "it" else text


def finding_text(language: Language, finding: Finding) -> str:
    """What was seen, and how many more of its kind."""
    text = say(language, f"{finding.key}.text", **finding.details)
    if not finding.more:
        return text
    return say(language, "findings.more", text=text, count=finding.more)


def finding_advice(language: Language, finding: Finding) -> str:
    """What to do about it."""
    return say(language, f"{finding.key}.do", **finding.details)
