"""The words of a time control text, cut into tokens: amounts, counts, signs and phrases.

English and Italian share one list: a text may well mix them (``90 min + 30" a mossa``). What no
rule here knows is refused by name, never skipped.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum, auto

from arrocco.errors import Malformed

_LONGEST = 200


class Kind(Enum):
    """What a piece of text stands for."""

    AMOUNT = auto()
    """Hours, minutes or both: a time that cannot be an increment."""
    SECONDS = auto()
    """A time given in seconds: the increment, unless it comes first or has moves."""
    NUMBER = auto()
    COUNT = auto()
    """A number of moves, said to be moves."""
    BIND = auto()
    """Joins a time and its moves: ``/``, ``for``, ``in``."""
    TIMES = auto()
    """Joins a time and its moves in that order only: ``100'x40``."""
    PLUS = auto()
    NEXT = auto()
    """Begins another period: ``,``, ``then``."""
    OPEN = auto()
    CLOSE = auto()
    PER_MOVE = auto()
    FROM_MOVE = auto()
    REST = auto()
    """The time is for all moves that remain: ``G/``, ``for the rest of the game``."""
    NOISE = auto()


@dataclass(frozen=True)
class Token:
    """A piece of text with its value: seconds, a count of moves, or a move's number."""

    kind: Kind
    text: str
    value: int = 0


_N = r"\d{1,6}(?!\d)"
_END = r"(?![a-zà-ù])"
_HOUR = rf"(?:hours?|hrs?|ore|ora|h){_END}\.?"
_MINUTE = rf"(?:(?:minutes?|minut[oi]|mins?|m){_END}\.?|')"
_SECOND = rf"(?:(?:seconds?|second[oi]|secs?|s){_END}\.?|\")"
_MOVE = rf"(?:moves?|mosse|mossa|mvs?){_END}"
_FROM = r"(?:(?:starting|beginning|commencing|a\s+partire)\s+)?(?:(?:from|at|sin|fin)\s+)?"

# Each rule is a verbose pattern; the first that matches wins, so phrases stand before words.
_RULES: tuple[tuple[Kind, str], ...] = (
    (Kind.NOISE, r"\s+"),
    # What an increment is per, and from which move.
    (
        Kind.PER_MOVE,
        rf"""(?:/|x|(?:for\s+)?(?:each|every)|per|ad?|ogni|by)\s*
             (?:(?:each|ogni|1)\s+)?(?:move|mossa|mv){_END}""",
    ),
    (
        Kind.PER_MOVE,
        rf"(?:incremento?|increments|inc|bonus|fischer|abbuono){_END}\.?(?:\s+(?:of|di){_END})?",
    ),
    (
        Kind.FROM_MOVE,
        rf"{_FROM}(?:(?:the|dalla)\s+)?(?:very\s+)?(?P<first>first|prima|1st)\s+{_MOVE}",
    ),
    (
        Kind.FROM_MOVE,
        rf"{_FROM}(?:(?:the|dalla)\s+)?{_MOVE}\s*(?:nr|no|n|\#)?\.?\s*(?P<n>{_N}|one|uno)",
    ),
    (
        Kind.FROM_MOVE,
        rf"(?:from|dalla)\s+(?:the\s+)?(?P<nth>{_N})\s*(?:st|nd|rd|th|a|°)?\s+{_MOVE}",
    ),
    (
        Kind.FROM_MOVE,
        rf"""(?P<start>from\s+(?:the\s+)?(?:start|beginning)|dall'inizio)
             (?:\s+(?:of\s+the\s+game|della\s+partita))?{_END}""",
    ),
    # Periods without a number of moves.
    (
        Kind.REST,
        rf"""(?:(?:for|per)\s+)?(?:(?:the|il|la)\s+)?
             (?:rest|resto|whole|entire|tutta|remainder|remaining\s+moves|restanti\s+mosse)
             (?:\s+(?:of\s+)?(?:(?:the|della|la)\s+)?(?:game|partita))?{_END}""",
    ),
    (
        Kind.REST,
        rf"""(?:to|per|fino\s+alla)\s+(?:the\s+)?(?:finish|end|finire|terminare|fine)
             (?:\s+(?:of\s+)?(?:(?:the|della|la)\s+)?(?:game|partita))?{_END}""",
    ),
    (Kind.REST, rf"quick\s*play\s+finish|qpf{_END}|sudden\s+death|ko{_END}"),
    (Kind.REST, rf"(?:game|sd|g)\s*(?:/|in{_END}|\s)|g(?=\d)"),
    # Times.
    (
        Kind.AMOUNT,
        rf"""(?P<hours>{_N})\s*{_HOUR}
             (?:\s*(?:(?:and|e)\s+)?(?P<of_hour>\d{{1,2}})(?!\d)(?!\s*(?:/|x|{_MOVE}|{_SECOND}))
             (?:\s*{_MINUTE})?)?""",
    ),
    (Kind.AMOUNT, r"(?<![\d:/])(?P<whole>\d):(?P<of_whole>[0-5]\d):00(?![\d:])"),
    # A clock's way of writing: only 1:30 and 2:00 can be nothing but hours and minutes.
    (Kind.AMOUNT, r"(?<![\d:/])(?P<clock>[12]):(?P<of_clock>[0-5]\d)(?![\d:])"),
    (Kind.AMOUNT, rf"(?P<mixed>\d{{1,6}})(?:mins?|m)(?P<of_mixed>\d{{1,2}})(?:secs?|s){_END}"),
    (Kind.AMOUNT, r"(?P<short>\d)'(?P<of_short>[0-5]\d)\""),
    (Kind.AMOUNT, rf"(?P<minutes>{_N})\s*{_MINUTE}"),
    (Kind.SECONDS, rf"(?P<seconds>{_N})\s*{_SECOND}"),
    # Moves.
    (
        Kind.COUNT,
        rf"""(?:(?:the|le)\s+)?
             (?:(?:first|next|following|prime|altre|successive|seguenti)\s+)?
             (?P<moves>{_N})\s*{_MOVE}""",
    ),
    (Kind.NUMBER, rf"(?P<number>{_N})"),
    # Signs and small words.
    (
        Kind.NEXT,
        rf"[,;]|(?:(?:and|e)\s+)?(?:then|followed\s+by|poi|quindi|seguit[io]\s+da){_END}",
    ),
    (Kind.PLUS, rf"\+|\||&|(?:plus|and|with|più|piu|con|ed?){_END}"),
    (Kind.NOISE, rf"(?:per|(?:for\s+)?each|a)\s+(?:player|testa|giocatore){_END}"),
    (Kind.NOISE, r"(?:time\s+control|tempo(?:\s+di\s+riflessione)?|cadenza)\s*:?"),
    (Kind.NOISE, rf"(?:fide\s+)?(?:standard|classical|rapid|blitz|semilampo|lampo){_END}\s*:?"),
    (Kind.NOISE, rf"(?:additional|addition|added|aggiuntiv[io]|cumulativ[eo]|an|di|the|of){_END}"),
    (Kind.TIMES, r"[x*]"),
    (Kind.BIND, rf"/|(?:for|per|in){_END}"),
    (Kind.OPEN, r"[(\[]"),
    (Kind.CLOSE, r"[)\]]"),
)
_COMPILED = tuple((kind, re.compile(rule, re.VERBOSE | re.ASCII)) for kind, rule in _RULES)

_DELAY = re.compile(r"delay|bronstein|ritardo|(?<![a-z])d\s*/?\s*\d|us\s*delay")
_ALIKE = str.maketrans(
    {
        "′": "'",
        "’": "'",
        "‘": "'",
        "´": "'",
        "`": "'",
        "ʹ": "'",
        "″": '"',
        "”": '"',
        "“": '"',
        "„": '"',
        "ʺ": '"',
        "×": "x",
        "–": "-",
        "—": "-",
        "\u00a0": " ",
        "ª": "a",
        "º": "°",
    }
)


def tokens(text: str) -> list[Token]:
    """Cuts a text into tokens, noise left out. Raises `Malformed` at the first unknown piece."""
    if len(text) > _LONGEST:
        raise Malformed.of("timecontrol.refused.too_long", most=_LONGEST)
    plain = unicodedata.normalize("NFC", text).translate(_ALIKE).replace("''", '"')
    plain = plain.casefold().strip().rstrip(".")
    if _DELAY.search(plain):
        raise Malformed.of("timecontrol.refused.delay", whole=text)
    tokens_read, at = [], 0
    while at < len(plain):
        kind, match = _rule_at(plain, at, text)
        if kind is not Kind.NOISE:
            tokens_read.append(Token(kind, match.group(), _value(match)))
        at = match.end()
    return tokens_read


def _rule_at(plain: str, at: int, whole: str) -> tuple[Kind, re.Match[str]]:
    for kind, rule in _COMPILED:
        match = rule.match(plain, at)
        if match and match.end() > at:
            return kind, match
    raise Malformed.of("timecontrol.refused.not_understood", whole=whole, part=plain[at : at + 20])


def _value(match: re.Match[str]) -> int:
    """The number a token carries, times in seconds."""
    parts = {name: text for name, text in match.groupdict().items() if text is not None}
    for hours, minutes in (("hours", "of_hour"), ("whole", "of_whole"), ("clock", "of_clock")):
        if hours in parts:
            return int(parts[hours]) * 3600 + int(parts.get(minutes, 0)) * 60
    for minutes in ("mixed", "short"):
        if minutes in parts:
            return int(parts[minutes]) * 60 + int(parts[f"of_{minutes}"])
    if "minutes" in parts:
        return int(parts["minutes"]) * 60
    number = next(iter(parts.values()), "0")
    return int(number) if number.isdecimal() else 1
