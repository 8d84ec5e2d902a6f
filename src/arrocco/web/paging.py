"""Long tables by pages: which page an address asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LAST_PAGE = 100_000


def page_number(query: Mapping[str, Any]) -> int:
    """The page asked for, from 1; anything that is no number asks for the first."""
    text = str(query.get("page", "1"))
    return min(max(int(text), 1), LAST_PAGE) if text.isascii() and text.isdigit() else 1
