"""In which language a job is tried: one of them in `make test`, all of them in `make soak`.

A job that follows another takes another language, so that each run sees pages in both.
"""

from __future__ import annotations

import pytest

from arrocco.words import LANGUAGES, Language


def first_in(first: Language) -> pytest.MarkDecorator:
    """Tries a job in this language, and in the soak in the others."""
    others = [language for language in LANGUAGES if language != first]
    marked = [pytest.param(language, marks=pytest.mark.soak) for language in others]
    return pytest.mark.parametrize("language", [first, *marked])
