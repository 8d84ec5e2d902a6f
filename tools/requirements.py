"""Reads what pip-compile pins, and leaves out what requirements/left-out.toml names.

`python -m tools.requirements FILE…` rewrites pinned files in place. A package stays if something
that stays asks for it, or a `.in` file names it; "who asks" is what pip-compile writes after
`# via`. What is left can only be installed with `pip install --no-deps`, since pip cannot be told
that a dependency is not wanted.
"""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "requirements"
LEFT_OUT = FOLDER / "left-out.toml"
_PINNED = re.compile(r"^(?P<name>[a-z0-9._-]+)==(?P<version>[^\s;\\]+)")
_NOTE = "# Without what left-out.toml names: install it with `pip install --no-deps`.\n"


@dataclass(frozen=True)
class Pinned:
    """A package of a pinned file: who asks for it, and the lines that say all but that."""

    name: str
    version: str
    asked_by: tuple[str, ...]
    lines: tuple[str, ...]

    @property
    def hashes(self) -> tuple[str, ...]:
        return tuple(re.findall(r"--hash=sha256:([0-9a-f]{64})", "".join(self.lines)))

    @property
    def is_named(self) -> bool:
        """Whether a `.in` file names it, and not only another package."""
        return any(asked.startswith("-r ") for asked in self.asked_by)


def left_out(file: Path = LEFT_OUT) -> dict[str, dict[str, str]]:
    """By package, what it asks for and does not get, with the reason."""
    return tomllib.loads(file.read_text("utf-8"))


def header(text: str) -> str:
    """The comment that begins a pinned file."""
    return re.match(r"(?:#.*\n)*", text)[0]  # type: ignore[index]


def pinned(text: str) -> list[Pinned]:
    """The packages of a file that pip-compile wrote."""
    packages = []
    for block in re.findall(r"^[^\s#].*\n(?:[ \t].*\n)*", text, re.M):
        match = _PINNED.match(block)
        if match is None:
            raise ValueError(f"not a pinned package: {block.splitlines()[0]}")
        lines = block.splitlines(keepends=True)
        first_note = next(n for n, line in enumerate(lines) if line.lstrip().startswith("# via"))
        notes = [line.strip().removeprefix("#").strip() for line in lines[first_note:]]
        asked_by = [note for note in (notes[0].removeprefix("via").strip(), *notes[1:]) if note]
        packages.append(
            Pinned(match["name"], match["version"], tuple(asked_by), tuple(lines[:first_note]))
        )
    return packages


def without_left_out(packages: list[Pinned], unwanted: dict[str, dict[str, str]]) -> list[Pinned]:
    """The packages that are still asked for when the unwanted demands are not heard."""
    heard = {
        package.name: [
            asked
            for asked in package.asked_by
            if package.name not in unwanted.get(asked, {}) and not asked.startswith("-c ")
        ]
        for package in packages
    }
    kept = {package.name for package in packages if package.is_named}
    while more := {name for name, by in heard.items() if name not in kept and kept & set(by)}:
        kept |= more
    return [
        Pinned(
            package.name,
            package.version,
            tuple(by for by in heard[package.name] if by in kept or by.startswith("-r ")),
            package.lines,
        )
        for package in packages
        if package.name in kept
    ]


def written(head: str, packages: list[Pinned]) -> str:
    """The file again, as pip-compile lays it out, so that it reads its own pins from it."""
    parts = [head if head.endswith(_NOTE) else head + _NOTE]
    for package in packages:
        parts.extend(package.lines)
        if len(package.asked_by) == 1:
            parts.append(f"    # via {package.asked_by[0]}\n")
        else:
            parts.append("    # via\n")
            parts.extend(f"    #   {by}\n" for by in package.asked_by)
    return "".join(parts)


def main() -> None:
    for name in sys.argv[1:]:
        file = Path(name)
        text = file.read_text("utf-8")
        before = pinned(text)
        after = without_left_out(before, left_out())
        file.write_text(written(header(text), after), "utf-8")
        print(f"{name}: {len(after)} packages, {len(before) - len(after)} left out")


if __name__ == "__main__":
    main()
