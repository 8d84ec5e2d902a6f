"""Finds in the source how refusals are made: by key, or in plain words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import arrocco

SOURCE = Path(arrocco.__file__).parent
KINDS = {"Refusal", "Malformed", "Inconsistent", "Illegal", "NoLawInForce", "NotFound"}


@dataclass(frozen=True)
class ByKey:
    """One ``Malformed.of("part.key", name=value)``; `details` is `None` where some are hidden."""

    line: int
    key: str
    is_beginning: bool
    details: frozenset[str] | None


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def in_plain_words(path: Path) -> Iterator[int]:
    """The lines where a refusal is made of words that only one language has."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Call) and _is_kind(node.func):
            yield node.lineno


def by_key(path: Path) -> Iterator[ByKey]:
    """Every key given to a refusal where it stands written out, whole or its beginning."""
    for node in ast.walk(parsed(path)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if node.func.attr != "of" or not _is_kind(node.func.value):
            continue
        names = [keyword.arg for keyword in node.keywords if keyword.arg != "findings"]
        details = None if None in names else frozenset(name for name in names if name)
        for key, is_beginning in _keys(node.args[0]):
            yield ByKey(node.lineno, key, is_beginning, details)


def _is_kind(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in KINDS


def _keys(node: ast.expr) -> Iterator[tuple[str, bool]]:
    if isinstance(node, ast.Constant):
        yield str(node.value), False
    elif isinstance(node, ast.IfExp):
        yield from _keys(node.body)
        yield from _keys(node.orelse)
    elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
        yield str(node.values[0].value), True
