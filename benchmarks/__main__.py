"""Runs every benchmark here: a module with `run()` gives rows, one with `main()` prints its own.

``python -m benchmarks startup`` runs only the ones named.
"""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module

import benchmarks


def main(names: list[str]) -> None:
    """Runs the benchmarks of these names, or all, one after the other."""
    found = sorted(module.name for module in pkgutil.iter_modules(benchmarks.__path__))
    for name in names or [name for name in found if name != "__main__"]:
        module = import_module(f"benchmarks.{name}")
        if hasattr(module, "run"):
            _print(name, module.run())
        elif hasattr(module, "main"):
            print(f"\n{name}")
            module.main()


def _print(title: str, rows: list[tuple[str, str]]) -> None:
    width = max(len(what) for what, _ in rows)
    print(f"\n{title}")
    for what, figure in rows:
        print(f"  {what:<{width}}  {figure}")


if __name__ == "__main__":
    main(sys.argv[1:])
