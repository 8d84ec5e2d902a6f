"""Records 001 and national ratings: a person in columns 5 to 79, then points, rank and rounds."""

from __future__ import annotations

from arrocco.formats.trf import records as r
from arrocco.formats.trf.cells import FIRST_COLUMN, MAX_ROUNDS, WIDTH, Cell, read_cell
from arrocco.formats.trf.columns import Fields, whole
from arrocco.formats.trf.days import Form, read_birth
from arrocco.formats.trf.seen import refusal
from arrocco.records.report import Birth

MAX_NUMBER = 9999

TITLES = frozenset(("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM"))
LEGACY_TITLES = {
    "g": "GM",
    "m": "IM",
    "f": "FM",
    "c": "CM",
    "wg": "WGM",
    "wm": "WIM",
    "wf": "WFM",
    "wc": "WCM",
}

_SEXES = {"m": "m", "w": "w", "": ""}
_OTHER_SEXES = {"M": "m", "W": "w", "f": "w", "F": "w"}

_STATIC_BLANKS = tuple(column - 1 for column in (4, 9, 14, 48, 53, 57, 69, 80, 85, 90, 91))
"""The columns of 001 that separate fields, counted from 0."""

_BLANKS_AFTER_NAME = tuple(column for column in _STATIC_BLANKS if column >= 47)


def player(f: Fields) -> r.PlayerRecord:
    """Reads record 001."""
    text = f.text
    if not text.isascii():
        f = _in_bytes_where_so_counted(f)
        text = f.text
    _check_blanks(f)
    number = _start_number(f)
    rating = f.number(49, 52, "rating_not_a_number")
    identity = f.number(58, 68, "id_not_a_number")
    record = r.PlayerRecord(
        number,
        _sex(f),
        _title(f),
        _name(f),
        rating or None,
        text[53:56].strip(),
        identity or None,
        _birth(f),
        f.tenths(81, 84, "points_not_a_number"),
        f.number(86, 89, "rank_not_a_number") or None,
        _rounds(f),
    )
    if len(text.rstrip()) < 84 and number is not None:
        f.seen.add("line_short", f.line, len(text.rstrip()) + 1, record=f.tag)
    return record


def _start_number(f: Fields) -> int | None:
    number = whole(f.word(4, 9))
    if number is None or not 1 <= number <= MAX_NUMBER:
        f.wrong(5, 8, "start_number_missing")
        return None
    return number


def national_rating(f: Fields) -> r.NationalRating:
    """Reads a national rating record; its number may hold letters, so it stays a text."""
    if not f.text.isascii():
        f = _in_bytes_where_so_counted(f)
    identity = f.word(58, 68)
    if identity and whole(identity) is None:
        f.seen.add("national_id_form", f.line, 58, text=identity)
    return r.NationalRating(
        f.tag,
        f.number(5, 8),
        _sex(f),
        f.word(11, 13),
        _name(f),
        f.number(49, 52, "rating_not_a_number") or None,
        f.word(54, 56),
        identity,
        _birth(f),
    )


class _ByteFields(Fields):
    """Columns that the file counts in bytes of UTF-8; words are put together again."""

    __slots__ = ()

    def word(self, first: int, last: int) -> str:
        octets = self.text[first - 1 : last].encode("latin-1")
        return octets.decode("utf-8", "replace").strip()


def _in_bytes_where_so_counted(f: Fields) -> Fields:
    """The same line by bytes, if its separating columns are blank only when bytes are counted.

    Some programs pad names by bytes: each letter with an accent then moves the rest of the line.
    """
    if not _is_misaligned(f.text):
        return f
    in_bytes = f.text.encode("utf-8").decode("latin-1")
    if _is_misaligned(in_bytes):
        return f
    f.seen.add("columns_in_bytes", f.line, 15, record=f.tag)
    return _ByteFields(in_bytes, f.line, f.seen)


def _is_misaligned(text: str) -> bool:
    return any(text[column : column + 1] not in ("", " ") for column in _BLANKS_AFTER_NAME)


def _check_blanks(f: Fields) -> None:
    text = f.text
    for column in _STATIC_BLANKS:
        if text[column : column + 1] not in (" ", ""):
            f.seen.add("column_not_blank", f.line, column + 1, record=f.tag)


def _name(f: Fields) -> str:
    return f.word(15, 47)


def _sex(f: Fields) -> str:
    letter = f.text[9:10].strip()
    sex = _SEXES.get(letter)
    if sex is not None:
        return sex
    sex = _OTHER_SEXES.get(letter)
    if sex is None:
        f.seen.add("sex_unknown", f.line, 10, text=letter)
        return ""
    f.seen.add("sex_form", f.line, 10, text=letter)
    return sex


def _title(f: Fields) -> str:
    word = f.text[10:13].strip()
    if not word or word in TITLES:
        return word
    title = LEGACY_TITLES.get(word.lower(), word.upper())
    if title not in TITLES:
        f.seen.add("title_unknown", f.line, 11, text=word)
        return word
    f.seen.add("title_legacy", f.line, 11, text=word, title=title)
    return title


def _birth(f: Fields) -> Birth | None:
    text = f.text[69:79]
    birth, form = read_birth(text)
    if form is Form.OTHER or form is Form.ASSUMED:
        f.seen.add("birth_form", f.line, 70, text=text.strip())
    elif form is Form.WRONG:
        f.wrong(70, 79, "birth_not_understood")
    return birth


def _rounds(f: Fields) -> tuple[Cell, ...]:
    text = f.text.rstrip()
    cells = tuple(
        [read_cell(text[i : i + WIDTH]) for i in range(FIRST_COLUMN - 1, len(text), WIDTH)]
    )
    if len(cells) > MAX_ROUNDS:
        raise refusal("too_many_rounds", f.seen.source, f.line, rounds=len(cells), most=MAX_ROUNDS)
    for index, cell in enumerate(cells):
        for key, offset, details in cell.remarks:
            column = FIRST_COLUMN + WIDTH * index + offset
            f.seen.add(key, f.line, column, round=index + 1, **details)
    return cells
