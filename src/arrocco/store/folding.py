"""Names and words as searches compare them: lower case, without accents, in plain letters."""

from __future__ import annotations

import re
import unicodedata

_LETTERS = str.maketrans(
    {"ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "ı": "i", "þ": "th", "æ": "ae", "œ": "oe"}
)
"""Letters that do not come apart into a plain one and an accent."""
_NOT_WORDS = re.compile(r"[\W_]+")


def folded(text: str) -> str:
    """Words in lower case without accents, a space between them: ``D'Álì-Ø`` is ``d ali o``."""
    if not text.isascii():
        apart = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
        text = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return _NOT_WORDS.sub(" ", text.lower()).strip()
