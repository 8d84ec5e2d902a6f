"""Pairings made by hand: what cannot be, and what only a chief arbiter may want.

An error makes no round: somebody plays twice, or is not there. A warning breaks a rule of the
system that the chief arbiter can set aside where no pairing keeps it (C.04.3, 1.9.3).
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from arrocco.findings import Finding, Severity
from arrocco.hall.pairing.contenders import Contender, Strength, contenders
from arrocco.hall.pairing.records import Field, RoundPairing
from arrocco.laws.online.side import Side


def objections(field: Field, pairing: RoundPairing) -> list[Finding]:
    """What is wrong with a pairing of the coming round, the errors first."""
    present = {contender.number: contender for contender in contenders(field)}
    errors = _errors(pairing, present)
    if errors:
        return errors
    findings = [
        finding
        for white, black in pairing.boards
        for finding in _against_pair(present[white], present[black], field)
    ]
    if pairing.bye is not None and present[pairing.bye].barred:
        findings.append(_warning("second_bye", "C.04.3 C2", number=pairing.bye))
    return findings


def _errors(pairing: RoundPairing, present: dict[int, Contender]) -> list[Finding]:
    named = [number for board in pairing.boards for number in board]
    if pairing.bye is not None:
        named.append(pairing.bye)
    times = Counter(named)
    findings = [_error("not_present", number=n) for n in times if n not in present]
    findings += [_error("paired_twice", number=n) for n, count in times.items() if count > 1]
    if not findings:
        findings += [_error("left_out", number=n) for n in sorted(present) if n not in times]
    return findings


def _against_pair(white: Contender, black: Contender, field: Field) -> list[Finding]:
    first, other = white.number, black.number
    findings = []
    if other in white.met:
        findings.append(_warning("met_before", "C.04.3 C1", white=first, black=other))
    if (first, other) in field.forbidden or (other, first) in field.forbidden:
        findings.append(_warning("forbidden_pair", "", white=first, black=other))
    for player, colour in ((white, Side.WHITE), (black, Side.BLACK)):
        # A topscorer's colours may be strained, as in C3 itself.
        wanted = player.strength is Strength.ABSOLUTE and player.wanted is not colour
        if wanted and not (white.topscorer or black.topscorer):
            findings.append(_warning("colour_strained", "C.04.3 C3", number=player.number))
    return findings


def _error(key: str, **details: Any) -> Finding:
    return Finding(Severity.ERROR, f"event.manual_{key}", details=details)


def _warning(key: str, article: str, **details: Any) -> Finding:
    return Finding(Severity.WARNING, f"event.manual_{key}", article=article, details=details)
