"""The answers of the API: dates as 2025-06-01, decimals and scores as text, ratings as numbers."""

from __future__ import annotations

from litestar.openapi.datastructures import ResponseSpec
from msgspec import UNSET, Struct, UnsetType


class RefusedFinding(Struct, frozen=True, kw_only=True):
    """Something found in what was sent."""

    severity: str
    key: str
    article: str
    line: int | None
    column: int | None
    text: str
    do: str
    more: int = 0
    """How many others of its kind there are that are only counted."""


class Refused(Struct, frozen=True, kw_only=True):
    """Why something was not done, and what to do."""

    refused: str
    advice: str
    key: str | UnsetType = UNSET
    findings: list[RefusedFinding] | UnsetType = UNSET
    reference: str | UnsetType = UNSET


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """How an answer that refuses is described."""
    return {
        status: ResponseSpec(Refused, generate_examples=False, description="Refused, with why.")
        for status in (400, *statuses)
    }


class WaiverRecord(Struct):
    """An error to be let pass, by its key, and why."""

    key: str
    reason: str
