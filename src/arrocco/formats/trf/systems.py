"""The pairing system of a tournament, from the code of record 192 or the words of record 092.

It is never guessed from the games.
"""

from __future__ import annotations

import re
from typing import Final

from arrocco.records.report import System

CODES: Final = {
    System.SWISS: "CUSTOM_SWISS",
    System.ROUND_ROBIN: "FIDE_ROUNDROBIN",
    System.DOUBLE_ROUND_ROBIN: "FIDE_DOUBLEROUNDROBIN",
    System.KNOCKOUT: "CUSTOM_KNOCKOUT",
}
"""The code we write for a system when nothing more precise is known."""

WORDS: Final = {
    System.SWISS: "Individual: Swiss-System",
    System.ROUND_ROBIN: "Individual: Round-Robin",
    System.DOUBLE_ROUND_ROBIN: "Individual: Double Round-Robin",
    System.TEAM: "Team",
    System.MATCH: "Match",
    System.KNOCKOUT: "Individual: Knock-out",
    System.UNKNOWN: "",
}
"""The words we write in record 092 when a report has none."""

_GAMES_SUFFIX = re.compile(r"_G(\d+)$")
_SWISS_CODE = re.compile(r"^(?:FIDE_(?:DUTCH|DUBOV|BURSTEIN|LIM)|(?:FIDE|CUSTOM)_(?:DOUBLE)?SWISS)")


def from_code(code: str) -> System:
    """The system a 192 code stands for; `UNKNOWN` for one without a system of ours."""
    code = code.strip().upper().replace("-", "_")
    if "TEAM" in code:
        return System.TEAM
    if "KNOCKOUT" in code:
        return System.KNOCKOUT
    if "DOUBLEROUNDROBIN" in code:
        return System.DOUBLE_ROUND_ROBIN
    if "ROUNDROBIN" in code:
        games = _GAMES_SUFFIX.search(code)
        if games is None or games[1] == "1":
            return System.ROUND_ROBIN
        return System.DOUBLE_ROUND_ROBIN if games[1] == "2" else System.UNKNOWN
    return System.SWISS if _SWISS_CODE.match(code) else System.UNKNOWN


_TEAM = re.compile(r"\bteams?\b|\bsquadr[ae]\b|\bmannschaft|\béquipes?\b|\bequipos?\b")
_NOT_TEAM = re.compile(r"\bindividu[ae]le?\b|\beinzel")
_DOUBLE = re.compile(r"\bdouble\b|\bdoppi[oa]\b|\bdoppel|andata e ritorno|\b2\s*[x×]|\btwice\b")
_ROUND_ROBIN = re.compile(
    r"round[\s-]*robin|\brundenturnier|\bberger\b|all[\s-]play[\s-]all|all.italiana|\bschiller\b"
    r"|andata e ritorno|toutes rondes"
)
_SWISS = re.compile(
    r"\bswiss|\bsvizzer|\bschweizer|\bsuisse|\bsuizo|\bdutch\b|\bdubov\b|\bburstein"
)
_MATCH = re.compile(r"\bmatch\b(?!\s*point)|\bincontro\b")
_KNOCKOUT = re.compile(r"knock[\s-]*out|\bk\.?\s?o\.?(?!\w)|eliminazione|\bcup system\b")


def from_words(text: str) -> System:
    """The system that free text names; `UNKNOWN` where it names none or two."""
    words = text.strip().lower()
    if re.fullmatch(r"[a-z0-9]+(?:[_-][a-z0-9]+)+", words):
        # some programs write the code of 192 into 092
        system = from_code(words)
        if system is not System.UNKNOWN:
            return system
    if _TEAM.search(words) and not _NOT_TEAM.search(words):
        return System.TEAM
    named = [
        system
        for system, pattern in (
            (System.ROUND_ROBIN, _ROUND_ROBIN),
            (System.SWISS, _SWISS),
            (System.KNOCKOUT, _KNOCKOUT),
            (System.MATCH, _MATCH),
        )
        if pattern.search(words)
    ]
    if len(named) != 1:
        return System.UNKNOWN
    (system,) = named
    if system is System.ROUND_ROBIN and _DOUBLE.search(words):
        return System.DOUBLE_ROUND_ROBIN
    return system
