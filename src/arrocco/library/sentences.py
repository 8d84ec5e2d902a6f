"""Steps of a computation in words, and hundredths as decimals."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from arrocco.engine.explain import Step
from arrocco.engine.wording import sentence
from arrocco.words import Language


def sentences(language: Language, steps: Iterable[Step]) -> list[str]:
    """Each step as a sentence, its article in brackets."""
    return [f"{sentence(language, step)} [{step.article}]" for step in steps]


def hundredths(value: int) -> Decimal:
    """A number of hundredths as a decimal, exactly."""
    return Decimal(int(value)) / 100
