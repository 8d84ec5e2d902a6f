"""The program as it is installed: its wheel among exactly the packages that are pinned for it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

import pytest

from arrocco.desk import Office
from tests.install.servers import environment
from tests.made_once import made_once
from tests.web.offices import fill
from tools.requirements import FOLDER, ROOT, pinned

BUILT = ROOT / "src" / "arrocco" / "web" / "static" / "built"
_SOURCES = tuple(
    "src requirements frontend tools pyproject.toml hatch_build.py README.md LICENSE".split()
)


@dataclass(frozen=True)
class Packed:
    """What was built."""

    sdist: Path
    wheel: Path


@dataclass(frozen=True)
class Installed:
    """A virtual environment with the program."""

    folder: Path

    @property
    def python(self) -> str:
        return str(self.folder / "bin" / "python")

    @property
    def program(self) -> str:
        return str(self.folder / "bin" / "arrocco")

    def run(self, *args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            args,
            capture_output=True,
            text=True,
            check=False,
            cwd=cwd,
            env=environment(),
            timeout=60,
        )


@pytest.fixture(scope="package")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Packed:
    """The sources packed, and the wheel built from what was packed and from nothing else."""
    if not any(BUILT.glob("*.js")) or not shutil.which("cc"):
        pytest.skip("NO SCRIPTS OR NO C COMPILER: a whole wheel cannot be built here")
    folder = made_once(tmp_path_factory, "packed", _pack)
    dist = folder / "dist"
    return Packed(next(dist.glob("*.tar.gz")), next(dist.glob("*.whl")))


def _pack(folder: Path) -> None:
    sources = folder / "sources"
    for name in _SOURCES:
        here, there = ROOT / name, sources / name
        if here.is_dir():
            left_out = shutil.ignore_patterns("*.so", "__pycache__", "node_modules")
            shutil.copytree(here, there, ignore=left_out)
        else:
            shutil.copy(here, there)
    _build(sources, folder / "dist", "sdist")
    sdist = next((folder / "dist").glob("*.tar.gz"))
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    unpacked = next((folder / "unpacked").iterdir())
    _build(unpacked, folder / "dist", "wheel")


def _build(sources: Path, target: Path, kind: str) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(target)]
    built = subprocess.run(
        command,
        cwd=sources,
        capture_output=True,
        text=True,
        check=False,
        env=environment(ARROCCO_WHOLE="1"),
    )
    assert built.returncode == 0, built.stderr


@pytest.fixture(scope="package")
def installed(packed: Packed, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """An environment with the wheel and what requirements/run.txt names.

    The packages are those of the environment of the tests, which pins the same versions: linked,
    since installing four hundred megabytes takes a minute.
    """

    def install(folder: Path) -> None:
        _install(packed, folder / "venv")

    return Installed(made_once(tmp_path_factory, "installed", install) / "venv")


def _install(packed: Packed, folder: Path) -> None:
    venv.create(folder, with_pip=False, symlinks=True)
    libraries = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
    for package in pinned((FOLDER / "run.txt").read_text("utf-8")):
        files = distribution(package.name).files or []
        for name in {file.parts[0] for file in files} - {"..", "__pycache__"}:
            (libraries / name).symlink_to(str(distribution(package.name).locate_file(name)))
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "--python",
            str(folder / "bin" / "python"),
            "install",
            "--quiet",
            "--no-deps",
            "--no-index",
            str(packed.wheel),
        ],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="package")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an office with an account for every role."""
    folder = tmp_path_factory.mktemp("served") / "office"
    with closing(Office.open(folder)) as opened:
        fill(opened)
    return folder
