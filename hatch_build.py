"""What is made when the project is installed: the compiled search, where there is a compiler.

`make wheel` sets ARROCCO_WHOLE: a wheel for others has everything that can be built or is refused.
"""

from __future__ import annotations

import os
import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import platform_tags

CORE = Path("src/arrocco/hall/unwinnable/core")
SCRIPTS = Path("src/arrocco/web/static/built")
SBOM = Path("build/arrocco.cdx.json")


class BuiltParts(BuildHookInterface):
    """Compiles before the files are gathered; a wheel that has the library is for its platform."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        whole = bool(os.environ.get("ARROCCO_WHOLE"))
        if not any((Path(self.root) / SCRIPTS).glob("*.js")):
            self._lacking("no scripts of the pages: run npm in frontend", whole)
        if self.target_name != "wheel":
            return  # sources are compiled where they are installed
        problem = runpy.run_path(str(Path(self.root) / CORE / "build.py"))["build"]()
        if problem:
            self._lacking(f"no compiled search: {problem}", whole)
        else:
            build_data["artifacts"].append(str(CORE / "search.so"))
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{_platform()}"
        if (Path(self.root) / SBOM).exists():
            build_data["sbom_files"].append(str(SBOM))

    def _lacking(self, what: str, whole: bool) -> None:
        if whole:
            raise RuntimeError(what)
        self.app.display_warning(what)


def _platform() -> str:
    """Where the library runs, under any Python: with this C library or a later one."""
    platforms = list(platform_tags())
    named = (each for each in platforms if each.startswith(("manylinux_", "musllinux_")))
    return next(named, platforms[0])
