"""Takes out of a log line what must not be kept: addresses of people, passwords, tokens, cookies.

Nothing is logged that holds them in the first place; this is the second line, for what a library or
a traceback quotes.
"""

from __future__ import annotations

import re

HIDDEN = "[hidden]"
_LONG = re.compile(r"(?<![\w-])[\w-]{32,}(?![\w-])")
"""As long as our shortest token, in the alphabet of all of them."""
_FORM_TOKEN = re.compile(r"\b[0-9a-f]{32}\.[0-9a-f]{64}\b")
_RULES = (
    (re.compile(r"(?<=://)[^\s/@:]*:[^\s/@]*(?=@)"), HIDDEN),
    (re.compile(r"[\w.+'-]{1,64}(?:@|%40)[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}"), HIDDEN),
    (re.compile(r"(?i)\b(bearer\s+)[^\s,;'\"]+"), rf"\1{HIDDEN}"),
    (
        re.compile(
            r"(?i)\b(cookie|authorization|password|passwd|secret|token|form_token"
            r"|[\w-]*arrocco_(?:session|visit|notice))(['\"]?\s*[=:]\s*)"
            r"(?:bearer\s+)?('[^']*'|\"[^\"]*\"|[^\s,;)}\]]+)"
        ),
        rf"\1\2{HIDDEN}",
    ),
)
_HINTS = ("@", "%40", "ookie", "oken", "ecret", "assw", "uthorization", "earer", "arrocco_")
_HINTED = re.compile("(?i)" + "|".join(map(re.escape, _HINTS)))


def scrubbed(text: str) -> str:
    """The text without secrets and addresses of people; what holds none comes back as it is."""
    if _HINTED.search(text):
        for pattern, put in _RULES:
            text = pattern.sub(put, text)
    return _LONG.sub(_token, _FORM_TOKEN.sub(HIDDEN, text))


def _token(match: re.Match[str]) -> str:
    """Hashes of files and nearly all names in programs have letters of one case, tokens of both."""
    word = match[0]
    return word if word in (word.lower(), word.upper()) else HIDDEN
