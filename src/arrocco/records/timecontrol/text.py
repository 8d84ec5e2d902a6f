"""Time controls as people write them: ``90 min/40 moves + 30 min + 30 sec/move``.

How a text is read, where it leaves room:

* The first time is the time of the first period; a later time in seconds without moves is the
  increment per move. Bare numbers are minutes first and seconds of increment after ``+``: ``5+3``.
* A bare time of 600 or more is in seconds (``5400+30``): no one gives ten hours.
* ``40/120`` is 40 moves in 120 minutes; ``90/40``, whose first number is above 60 and whose second
  is from 20 to 60, is 90 minutes for 40 moves. A last bare number after ``90/40`` is the minutes of
  the period that has to follow; after ``40/90``, which codes are written like, it is unclear.
* ``1:30`` and ``2:00`` are hours and minutes; ``3:00`` might be minutes and seconds and is refused.
* One increment at the end holds in every period, or from the move it says (a period must start
  there). An increment after each period holds in that period.

Whatever remains unclear is refused with what to write instead; nothing is guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from arrocco.errors import Malformed
from arrocco.records.timecontrol.control import Period, TimeControl, checked, parse_code
from arrocco.records.timecontrol.words import Kind, Token, tokens

_SECONDS_FROM = 600
"""A bare time from here on is in seconds."""
_UNEQUAL_SECONDS_FROM = 180
"""In a bare ``W300-B240`` both times from here on are in seconds; below they are unclear."""
_MAX_MOVES = 60
"""A bare number above this is not taken for a number of moves."""

_CODE = re.compile(
    r"(?:\d{1,3}/)?(\d{1,6})(?:\+\d{1,4})?(?::(?:\d{1,3}/)?\d{1,6}(?:\+\d{1,4})?)*", re.ASCII
)
_UNEQUAL_CODE = re.compile(
    r"W(?:\d{1,3}/)?(\d{1,6})[\d/+:]*-B(?:\d{1,3}/)?(\d{1,6})[\d/+:]*", re.ASCII
)
_UNEQUAL = re.compile(r"\s*W(?:hite)?\b:?(?P<white>.+?)[/;,-]\s*B(?:lack)?\b:?(?P<black>.+)", re.I)


def parse(text: str) -> TimeControl:
    """Reads a time control a person typed: a text, or a code that can be nothing else.

    ``5+3`` is minutes and seconds here, as people mean it; the code of TRF record 222, where it is
    5 seconds, goes through `parse_code`. Raises `Malformed` with advice.
    """
    return parse_text(text)


def parse_text(text: str) -> TimeControl:
    """Reads the text of a time control, English or Italian. Raises `Malformed` with advice."""
    stripped = text.strip()
    if _is_only_code(stripped, text):
        return parse_code(stripped)
    unequal = _UNEQUAL.fullmatch(stripped)
    if unequal:
        return TimeControl(_side(unequal["white"], text), _side(unequal["black"], text))
    side = _side(stripped, text)
    return TimeControl(side, side)


def _is_only_code(text: str, whole: str) -> bool:
    """Whether a text has the shape of a code and times that only make sense in seconds."""
    unequal = _UNEQUAL_CODE.fullmatch(text)
    if unequal:
        if min(int(unequal[1]), int(unequal[2])) >= _UNEQUAL_SECONDS_FROM:
            return True
        raise Malformed.of("timecontrol.refused.which_unit", whole=whole)
    code = _CODE.fullmatch(text)
    return code is not None and int(code[1]) >= _SECONDS_FROM


@dataclass
class _Increment:
    seconds: int
    from_move: int | None = None
    bracketed: bool = False


@dataclass
class _Draft:
    """The periods so far and, by index, the increments that stand after each."""

    periods: list[Period] = field(default_factory=list)
    increments: dict[int, _Increment] = field(default_factory=dict)
    moves_came_first: bool = False
    """Whether the last period was written as bare numbers, the moves before the time: ``40/90``."""


@dataclass
class _Term:
    """What stands between two separators."""

    tokens: list[Token]
    after_plus: bool
    bracketed: bool

    def has(self, *kinds: Kind) -> bool:
        return any(token.kind in kinds for token in self.tokens)

    def without(self, *kinds: Kind) -> list[Token]:
        return [token for token in self.tokens if token.kind not in kinds]


def _side(text: str, whole: str) -> tuple[Period, ...]:
    terms = _terms(tokens(text), whole)
    if not terms:
        raise Malformed.of("timecontrol.refused.empty")
    draft = _Draft()
    for number, term in enumerate(terms):
        _add(draft, term, whole, is_last=number == len(terms) - 1)
    return checked(_with_increments(draft, whole), whole)


def _terms(pieces: list[Token], whole: str) -> list[_Term]:
    terms = [_Term([], after_plus=False, bracketed=False)]
    depth = 0
    for token in pieces:
        if token.kind is Kind.OPEN:
            depth += 1
            terms.append(_Term([], after_plus=False, bracketed=True))
        elif token.kind is Kind.CLOSE:
            depth -= 1
            terms.append(_Term([], after_plus=False, bracketed=False))
        elif token.kind in (Kind.PLUS, Kind.NEXT):
            if terms[-1].tokens:
                terms.append(_Term([], after_plus=False, bracketed=depth > 0))
            terms[-1].after_plus |= token.kind is Kind.PLUS
        else:
            terms[-1].tokens.append(token)
        if depth not in (0, 1):
            break
    if depth:
        raise Malformed.of("timecontrol.refused.brackets", whole=whole)
    return [term for term in terms if term.tokens]


def _add(draft: _Draft, term: _Term, whole: str, *, is_last: bool) -> None:
    """Reads one term as a period, an increment, or a remark on the one before it."""
    if _remark(draft, term):
        return
    if _is_increment(draft, term, whole, is_last=is_last):
        index = len(draft.periods) - 1
        if index in draft.increments:
            raise Malformed.of(
                "timecontrol.refused.second_increment", whole=whole, part=_text(term)
            )
        draft.increments[index] = _increment(term, whole)
    else:
        period = _period(term, whole)
        draft.periods.append(period)
        draft.moves_came_first = period.moves is not None and not _is_time_first(term)


def _remark(draft: _Draft, term: _Term) -> bool:
    """``(40 moves)`` belongs to the period before, ``from move 1`` to the increment before."""
    kinds = [token.kind for token in term.tokens]
    index = len(draft.periods) - 1
    if kinds == [Kind.REST] and draft.periods:
        return True
    if kinds == [Kind.COUNT] and draft.periods and draft.periods[-1].moves is None:
        draft.periods[-1] = replace(draft.periods[-1], moves=term.tokens[0].value)
        return True
    if kinds == [Kind.FROM_MOVE] and index in draft.increments:
        draft.increments[index].from_move = term.tokens[0].value
        return True
    return False


def _is_increment(draft: _Draft, term: _Term, whole: str, *, is_last: bool) -> bool:
    if not draft.periods or term.has(Kind.COUNT, Kind.BIND, Kind.TIMES, Kind.REST):
        return False
    if term.has(Kind.PER_MOVE):
        return True
    if term.has(Kind.AMOUNT):
        return False
    if term.has(Kind.SECONDS, Kind.FROM_MOVE):
        return True
    # A bare number. After a period that ends with a move count another period must come, so only
    # a further term tells minutes from seconds; after the last period it can only be seconds.
    if term.bracketed or (draft.periods[-1].moves is None and term.after_plus):
        return True
    if draft.moves_came_first and term.after_plus and is_last:
        raise Malformed.of(
            "timecontrol.refused.minutes_or_increment", whole=whole, number=term.tokens[0].text
        )
    return False


def _increment(term: _Term, whole: str) -> _Increment:
    amounts = term.without(Kind.PER_MOVE, Kind.FROM_MOVE)
    if len(amounts) != 1 or amounts[0].kind not in (Kind.SECONDS, Kind.NUMBER, Kind.AMOUNT):
        raise Malformed.of("timecontrol.refused.no_increment", whole=whole, part=_text(term))
    starts = [token.value for token in term.tokens if token.kind is Kind.FROM_MOVE]
    if len(starts) > 1:
        raise Malformed.of("timecontrol.refused.two_starts", whole=whole)
    return _Increment(amounts[0].value, starts[0] if starts else None, term.bracketed)


def _period(term: _Term, whole: str) -> Period:
    parts = term.without(Kind.REST)
    match [token.kind for token in parts]:
        case [Kind.AMOUNT | Kind.SECONDS | Kind.NUMBER]:
            return Period(_seconds(parts[0]))
        case [Kind.AMOUNT | Kind.SECONDS | Kind.NUMBER, Kind.COUNT]:
            return _counted(term, parts[0], parts[1], whole)
        case [Kind.AMOUNT | Kind.SECONDS, Kind.BIND | Kind.TIMES, Kind.NUMBER | Kind.COUNT]:
            return _counted(term, parts[0], parts[2], whole)
        case [Kind.NUMBER, Kind.BIND | Kind.TIMES, Kind.COUNT]:
            return _counted(term, parts[0], parts[2], whole)
        case [Kind.COUNT, Kind.BIND, Kind.AMOUNT | Kind.SECONDS | Kind.NUMBER]:
            return _counted(term, parts[2], parts[0], whole)
        case [Kind.COUNT, Kind.AMOUNT | Kind.SECONDS]:
            return _counted(term, parts[1], parts[0], whole)
        case [Kind.NUMBER, Kind.BIND, Kind.AMOUNT]:
            return _counted(term, parts[2], parts[0], whole)
        case [Kind.NUMBER, Kind.TIMES, Kind.NUMBER]:
            return _counted(term, parts[0], parts[2], whole)
        case [Kind.NUMBER, Kind.BIND, Kind.NUMBER]:
            first, second = parts[0].value, parts[2].value
            if first <= _MAX_MOVES:
                return _counted(term, parts[2], parts[0], whole)
            if 20 <= second <= _MAX_MOVES:
                return _counted(term, parts[0], parts[2], whole)
            raise Malformed.of(
                "timecontrol.refused.which_are_moves", whole=whole, first=first, second=second
            )
    raise Malformed.of("timecontrol.refused.not_understood", whole=whole, part=_text(term))


def _is_time_first(term: _Term) -> bool:
    """Whether a period is written as two bare numbers, the time before the moves: ``90/40``."""
    kinds = [token.kind for token in term.tokens]
    return kinds == [Kind.NUMBER, Kind.BIND, Kind.NUMBER] and term.tokens[0].value > _MAX_MOVES


def _counted(term: _Term, time: Token, moves: Token, whole: str) -> Period:
    if term.has(Kind.REST):
        raise Malformed.of("timecontrol.refused.moves_and_rest", whole=whole)
    if moves.kind is Kind.NUMBER and moves.value > _MAX_MOVES:
        raise Malformed.of("timecontrol.refused.too_many_moves", whole=whole, number=moves.value)
    return Period(_seconds(time), moves=moves.value)


def _seconds(token: Token) -> int:
    if token.kind is Kind.NUMBER and token.value < _SECONDS_FROM:
        return token.value * 60
    return token.value


def _with_increments(draft: _Draft, whole: str) -> tuple[Period, ...]:
    """Gives every period its increment."""
    periods, increments = draft.periods, draft.increments
    if not increments:
        return tuple(periods)
    if len(increments) == 1:
        ((index, increment),) = increments.items()
        if increment.from_move is not None:
            return _from_move(periods, increment.seconds, increment.from_move, whole)
        if len(periods) == 1 or (index == len(periods) - 1 and not increment.bracketed):
            return tuple(replace(period, increment=increment.seconds) for period in periods)
    elif len(increments) == len(periods) and all(
        increment.from_move is None for increment in increments.values()
    ):
        return tuple(
            replace(period, increment=increments[index].seconds)
            for index, period in enumerate(periods)
        )
    raise Malformed.of("timecontrol.refused.which_periods", whole=whole)


def _from_move(
    periods: list[Period], seconds: int, from_move: int, whole: str
) -> tuple[Period, ...]:
    """The increment holds from the period that starts at that move."""
    first, result, starts = 1, [], False
    for period in periods:
        starts = starts or first == from_move
        result.append(replace(period, increment=seconds) if starts else period)
        first += period.moves or 0
    if not starts:
        raise Malformed.of("timecontrol.refused.no_such_start", whole=whole, move=from_move)
    return tuple(result)


def _text(term: _Term) -> str:
    return " ".join(token.text for token in term.tokens)
