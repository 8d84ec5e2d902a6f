"""Sentences for the steps of a computation, in Italian and English."""

from __future__ import annotations

from typing import Any

from arrocco.engine.explain import Step
from arrocco.units import decimal, signed
from arrocco.words import Language, number, say

_HUNDREDTHS = {"score", "expected", "average", "percent", "unrounded"}
_SIGNED_HUNDREDTHS = {"delta", "variation"}


def numbers(language: Language, details: dict[str, Any]) -> dict[str, Any]:
    """Details with their hundredths written as decimals of the language."""
    shown: dict[str, Any] = {}
    for name, value in details.items():
        if name in _SIGNED_HUNDREDTHS and isinstance(value, int):
            shown[name] = number(language, signed(value))
        elif name in _HUNDREDTHS and isinstance(value, int):
            shown[name] = number(language, decimal(value))
        else:
            shown[name] = value
    return shown


def sentence(language: Language, step: Step) -> str:
    """A step of a computation as a sentence, without its article."""
    return say(language, step.key, **numbers(language, step.details))
