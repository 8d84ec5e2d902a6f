"""What is made when the project is installed: the compiled search, where there is a compiler."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CORE = Path("src/arrocco/hall/unwinnable/core")


class CompiledSearch(BuildHookInterface):
    """Compiles before the files are gathered; a wheel that has the library is for its platform."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        problem = runpy.run_path(str(Path(self.root) / CORE / "build.py"))["build"]()
        if problem:
            self.app.display_warning(f"no compiled search: {problem}")
        else:
            build_data["artifacts"].append(str(CORE / "search.so"))
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
