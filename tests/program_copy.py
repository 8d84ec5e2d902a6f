"""A copy of the program, to try what a newcomer would add without touching the program itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "arrocco"


class ProgramCopy:
    """All files of the program in a folder, each a link to the one there is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = folder / "arrocco"
        for path in SOURCE.rglob("*"):
            place = self.program / path.relative_to(SOURCE)
            if path.is_dir():
                place.mkdir(parents=True, exist_ok=True)
            elif "__pycache__" not in path.parts:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(path)

    def write(self, path: str, text: str) -> None:
        """Adds a file, or puts another in the place of one there is."""
        place = self.program / path
        place.unlink(missing_ok=True)
        place.write_text(text)

    def changed(self) -> list[str]:
        """The files that are not those of the program."""
        return sorted(
            path.relative_to(self.program).as_posix()
            for path in self.program.rglob("*")
            if path.is_file() and not path.is_symlink()
        )

    def run(self, *arguments: str, cwd: Path = ROOT) -> str:
        """What Python prints of this copy with these arguments."""
        places = {
            "PYTHONPATH": f"{self.folder}{os.pathsep}{ROOT}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "ARROCCO_LANG": "en",
        }
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=cwd,
            env=os.environ | places,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout
