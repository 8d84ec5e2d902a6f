"""The rules of the regulations in Italian; their English is the first line of their docstring."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any


@cache
def italian_rules() -> Mapping[tuple[str, ...], str]:
    """Every sentence by its key: the package, the class and the name of a rule."""
    text = resources.files(__package__).joinpath("rules_it.toml").read_text("utf-8")
    return dict(_flat(tomllib.loads(text), ()))


def _flat(table: dict[str, Any], above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    for name, item in table.items():
        if isinstance(item, dict):
            yield from _flat(item, (*above, name))
        else:
            yield (*above, name), str(item)
