"""Findings as they are kept: nothing is lost on the way to JSON and back.

Details hold days, tuples and phrases, which each language writes in its own way; kept as tagged
values they can still be said in any language years later.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from arrocco.findings import Finding, Place, Severity
from arrocco.laws.fide.text_2010.composition import Composition, RoundRobinRefusal
from arrocco.laws.registry import editions
from arrocco.laws.systems import LAW_NAMES
from arrocco.office.records import StoredFinding
from arrocco.words import Phrase

_TAG = "$"


def stored(finding: Finding, system: str = "") -> StoredFinding:
    """A finding as it is kept with a report; `system` is the rating system that made it."""
    return StoredFinding(
        system=system,
        severity=finding.severity.value,
        key=finding.key,
        article=finding.article,
        file=finding.place.file,
        line=finding.place.line,
        column=finding.place.column,
        details=kept_details(finding.details),
        more=finding.more,
    )


def finding_of(stored: StoredFinding) -> Finding:
    """The finding that was kept."""
    return Finding(
        Severity(stored.severity),
        stored.key,
        Place(stored.file, stored.line, stored.column),
        stored.article,
        _said_before(stored.key) | details_of(stored.details),
        stored.more,
    )


def _said_before(key: str) -> dict[str, Any]:
    """Numbers that findings have among their details today, and had in their words before."""
    if not key.startswith("check.round_robin."):
        return {}
    refusal = RoundRobinRefusal(key.rpartition(".")[2])
    return next(
        dict(edition().named(edition.ROUND_ROBIN_NUMBERS[refusal]))
        for law in LAW_NAMES
        for edition in editions(law)
        if issubclass(edition, Composition)
    )


def kept_details(details: Mapping[str, Any]) -> dict[str, object]:
    """Details of a sentence in values that JSON has."""
    return {name: _kept(value) for name, value in details.items()}


def details_of(kept: Mapping[str, object]) -> dict[str, Any]:
    """The details that `kept_details` kept."""
    return {name: _value(value) for name, value in kept.items()}


def _kept(value: Any) -> object:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)  # a number of the law keeps its value, not where it stands
    if isinstance(value, date):
        return {_TAG: "day", "value": value.isoformat()}
    if isinstance(value, Phrase):
        return {_TAG: "phrase", "key": value.key, "details": kept_details(value.details)}
    if isinstance(value, tuple):
        return {_TAG: "tuple", "values": [_kept(item) for item in value]}
    if isinstance(value, list):
        return [_kept(item) for item in value]
    if isinstance(value, Mapping):
        return {_TAG: "map", "values": kept_details({str(k): v for k, v in value.items()})}
    return str(value)  # whatever else there is would be said by its text


def _value(kept: object) -> Any:
    if isinstance(kept, list):
        return [_value(item) for item in kept]
    if not isinstance(kept, Mapping):
        return kept
    match kept.get(_TAG):
        case "day":
            return date.fromisoformat(kept["value"])
        case "phrase":
            return Phrase(kept["key"], details_of(kept["details"]))
        case "tuple":
            return tuple(_value(item) for item in kept["values"])
        case _:
            return details_of(kept["values"])
