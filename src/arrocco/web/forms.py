"""What a form sent: each field read once, each fault told under its field.

``form.text("email", needed=True)`` gives what was written; a fault is kept under the field's name
and shown there by the macros of ``parts/forms.html``. After reading, ask ``form.ok``.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from litestar.datastructures import UploadFile
from msgspec import Struct

from arrocco.dates import parse_day
from arrocco.desk.uploads import plain_name
from arrocco.errors import Refusal
from arrocco.words import Language, say

E = TypeVar("E", bound=StrEnum)
_LONGEST = 300
_MAX_DIGITS = 18
_AT_ONCE = 1 << 20


def whole_number(text: str) -> int | None:
    """A number written in digits; `None` for anything else, and for one nobody would write.

    Thousands of digits are no number to Python but an error.
    """
    good = len(text) <= _MAX_DIGITS and text.isascii() and text.isdigit()
    return int(text) if good else None


def _sentence(text: str) -> str:
    """Words as a sentence of their own; one that begins with a name of a file keeps it as it is."""
    first = text.split(maxsplit=1)[0]
    begun = text[:1].upper() + text[1:] if first.replace("'", "").isalpha() else text
    return f"{begun.rstrip('.')}."


class Upload(Struct, frozen=True):
    """A file that came with a form."""

    name: str
    data: bytes


class Form:
    """The fields of one form: what was sent, and what is wrong with it."""

    def __init__(self, fields: Mapping[str, Any] | None = None, language: Language = "en") -> None:
        self._fields = dict(fields or {})
        self._language = language
        self.errors: dict[str, str] = {}

    @property
    def ok(self) -> bool:
        """Whether everything read so far could be."""
        return not self.errors

    def value(self, name: str, default: str = "") -> str:
        """What was written, to be shown again."""
        value = self._fields.get(name, default)
        if isinstance(value, list):
            value = value[-1]
        # The one character that PostgreSQL keeps in no text; nobody writes it.
        return value.replace("\0", "") if isinstance(value, str) else default

    def values(self, name: str) -> tuple[str, ...]:
        """All that was chosen, where a field may be given more than once."""
        value = self._fields.get(name, [])
        chosen = value if isinstance(value, list) else [value]
        return tuple(item.replace("\0", "") for item in chosen if isinstance(item, str))

    def chosen(self, name: str) -> bool:
        """Whether a box was ticked."""
        return bool(self.value(name))

    def wrong(self, name: str, key: str, **details: Any) -> None:
        """Keeps what is wrong with a field; the first fault of a field is told."""
        self.errors.setdefault(name, say(self._language, key, **details))

    def refused(self, refusal: Refusal, fields: Mapping[str, str]) -> bool:
        """Keeps a refusal under its field, by its key; whether it is that of a field."""
        field = fields.get(refusal.key)
        if field is None:
            return False
        said = (_sentence(part) for part in refusal.said(self._language) if part)
        self.errors.setdefault(field, " ".join(said))
        return True

    def text(self, name: str, *, needed: bool = False, longest: int = _LONGEST) -> str:
        text = self.value(name).strip()
        if needed and not text:
            self.wrong(name, "web.field.needed")
        if len(text) > longest:
            self.wrong(name, "web.field.too_long", longest=longest)
        return text

    def secret(self, name: str) -> str:
        """A password: taken as it is written, blanks included."""
        secret = self.value(name)
        if not secret:
            self.wrong(name, "web.field.needed")
        return secret

    def integer(
        self, name: str, *, needed: bool = False, least: int = 0, most: int = 10**12
    ) -> int | None:
        text = self.text(name, needed=needed)
        if not text:
            return None
        sign = -1 if text.startswith("-") else 1
        digits = whole_number(text.removeprefix("-"))
        if digits is None or not least <= sign * digits <= most:
            self.wrong(name, "web.field.not_a_number", least=least, most=most)
            return None
        return sign * digits

    def day(self, name: str, *, needed: bool = False) -> date | None:
        text = self.text(name, needed=needed)
        if not text:
            return None
        try:
            return parse_day(text)
        except ValueError:
            self.wrong(name, "web.field.not_a_day")
            return None

    def choice(self, name: str, choices: type[E], *, needed: bool = True) -> E | None:
        """One of the values of an enumeration."""
        text = self.text(name, needed=needed)
        try:
            return choices(text) if text else None
        except ValueError:
            self.wrong(name, "web.field.not_a_choice")
            return None

    def has_file(self, name: str) -> bool:
        """Whether a file was chosen in a field that may be left empty."""
        value = self._fields.get(name)
        return isinstance(value, UploadFile) and bool(value.filename)

    def upload(self, name: str) -> Upload | None:
        """The file of a field. The whole request was already held to the largest size."""
        value = self._fields.get(name)
        if not isinstance(value, UploadFile) or not value.filename:
            self.wrong(name, "web.field.no_file")
            return None
        file = value.file
        file.seek(0)
        # Some browsers send a path; only its last part is a name.
        return Upload(value.filename.replace("\\", "/").rpartition("/")[2], file.read())

    def saved(self, name: str, folder: Path) -> Path | None:
        """The file of a field, written to a folder: a large one is never in memory as a whole."""
        value = self._fields.get(name)
        if not isinstance(value, UploadFile) or not value.filename:
            self.wrong(name, "web.field.no_file")
            return None
        path = folder / plain_name(value.filename)
        value.file.seek(0)
        with path.open("wb") as target:
            shutil.copyfileobj(value.file, target, _AT_ONCE)
        return path
