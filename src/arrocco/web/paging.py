"""Long tables by pages: which page an address asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arrocco.web.forms import whole_number

LAST_PAGE = 100_000


def page_number(query: Mapping[str, Any]) -> int:
    """The page asked for, from 1; anything that is no number asks for the first."""
    number = whole_number(str(query.get("page", "1")))
    return 1 if number is None else min(max(number, 1), LAST_PAGE)
