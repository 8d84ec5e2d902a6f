"""Words in one language, for pages and for what is made ready for them elsewhere."""

from __future__ import annotations

from typing import Any

from arrocco.web import writing
from arrocco.words import Language, say


class Speaker:
    """Says keys in a language."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language

    def t(self, key: str, /, **details: Any) -> str:
        """The words of a key in the language."""
        return say(self.language, key, **writing.details(self.language, details))
