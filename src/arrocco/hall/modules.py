"""The modules of a package as a register: classes of a kind that stand in them."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from importlib import import_module
from typing import TypeVar

Kind = TypeVar("Kind")


def leaves_of(package: str, path: Iterable[str], base: type[Kind]) -> tuple[type[Kind], ...]:
    """The classes of a kind in the modules of a package that are no base of others."""
    modules = [
        import_module(f"{package}.{iter_module.name}") for iter_module in pkgutil.iter_modules(path)
    ]
    return tuple(
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, base)
        and kind.__module__ == module.__name__
        and not kind.__subclasses__()
    )
