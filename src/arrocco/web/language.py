"""Which language a request speaks: that of its address, else of the cookie, else of the browser."""

from __future__ import annotations

from arrocco.words import LANGUAGES, Language

LANGUAGE_COOKIE = "arrocco_language"
_DEFAULT: Language = "en"


def language_of_path(path: str) -> Language | None:
    """The language an address starts with: ``/it/players`` is Italian; `None` without one."""
    first = path.lstrip("/").partition("/")[0]
    return first if first in LANGUAGES else None


def preferred_language(cookie: str | None, accept: str) -> Language:
    """What the visitor chose before, else the best of what the browser accepts, else English."""
    if cookie in LANGUAGES:
        return cookie
    return _accepted(accept)


def other_language(language: Language) -> Language:
    return next(other for other in LANGUAGES if other != language)


def in_language(path: str, language: Language) -> str:
    """The same address in a language; an address without a language is left alone."""
    if language_of_path(path) is None:
        return path
    return f"/{language}{path[3:]}"


def _accepted(header: str) -> Language:
    best: tuple[int, Language] = (0, _DEFAULT)
    for part in header.split(","):
        name, _, parameters = part.strip().partition(";")
        weight = _weight(parameters)
        for language in LANGUAGES:
            if name.lower().split("-")[0] == language and weight > best[0]:
                best = (weight, language)
    return best[1]


def _weight(parameters: str) -> int:
    """The ``q=0.8`` of a header in thousandths; nothing readable counts as not wanted."""
    name, _, value = parameters.strip().partition("=")
    if name.strip() != "q":
        return 1000
    whole, _, part = value.strip().partition(".")
    digits = f"{whole}{part:0<3}"[:4]
    return int(digits) if digits.isascii() and digits.isdigit() else 0
