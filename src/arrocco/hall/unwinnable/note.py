"""A verdict as a log keeps it: in no language, so that every page says it in its own.

A note is one line of JSON: the key of the sentence and what it mentions. A side is a colour's name.
"""

from __future__ import annotations

import json
from typing import Any

import chess

from arrocco.hall.unwinnable.verdict import Verdict, lettered
from arrocco.words import Language, Phrase, say

_PART = "unwinnable."
_COLOURS = ("white", "black")


def noted(verdict: Verdict) -> str:
    """The line that a log keeps of a verdict."""
    note: dict[str, Any] = {"key": verdict.reason_key, "side": chess.COLOR_NAMES[verdict.side]}
    note |= {name: value for name, value in verdict.details.items() if name in _MENTIONED}
    return json.dumps(note, ensure_ascii=False, separators=(",", ":"))


_MENTIONED = ("moves", "positions")
"""What sentences mention besides the sides."""


def said(language: Language, notes: str) -> str:
    """Notes in words, one sentence a line; a line that is no note is given as it is."""
    return "\n".join(_said(language, line) for line in notes.splitlines())


def _said(language: Language, line: str) -> str:
    try:
        note = json.loads(line)
        key, side = note.pop("key"), note.pop("side")
        other = _COLOURS[1 - _COLOURS.index(side)]
        if not key.startswith(_PART):
            return line
        sides = {"side": Phrase(f"{_PART}side.{side}"), "other": Phrase(f"{_PART}side.{other}")}
        if "moves" in note:
            note["moves"] = lettered(language, note["moves"])
        return say(language, key, **sides, **note)
    except (AttributeError, KeyError, TypeError, ValueError):
        return line
