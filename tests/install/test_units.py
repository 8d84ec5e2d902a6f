"""The units of systemd: well-formed, hardened, and written to commands and settings that exist."""

from __future__ import annotations

import getpass
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from arrocco.cli.main import program
from arrocco.cli.serving.supervisor import MODULES, VIDEO
from tools.requirements import ROOT

ANALYZE = shutil.which("systemd-analyze")
FOLDER = ROOT / "packaging" / "systemd"
UNITS = sorted(FOLDER.iterdir())
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
PYTHON = "/opt/arrocco/current/bin/python"
MAX_EXPOSURE = 2.5
"""Of 10, as `systemd-analyze security` counts; an ordinary service has 9.6."""
SETTINGS = (ROOT / "packaging" / "arrocco.env").read_text("utf-8")

needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="NO SYSTEMD: units are not verified")


def values(unit: Path, name: str) -> list[str]:
    return re.findall(rf"^{name}=(.*)$", unit.read_text("utf-8"), re.M)


@pytest.fixture
def units(tmp_path: Path) -> list[Path]:
    """The units as they would be on a machine that has the user and the program."""
    for unit in UNITS:
        text = unit.read_text("utf-8").replace(PYTHON, sys.executable)
        text = re.sub(r"^(User|Group)=arrocco$", rf"\1={getpass.getuser()}", text, flags=re.M)
        (tmp_path / unit.name).write_text(text, "utf-8")
    return sorted(tmp_path.iterdir())


@needs_systemd
def test_systemd_finds_nothing_wrong(units: list[Path]) -> None:
    found = subprocess.run(
        [str(ANALYZE), "verify", "--man=no", *map(str, units)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (found.returncode, found.stdout + found.stderr) == (0, "")


@needs_systemd
def test_systemd_finds_what_is_wrong(units: list[Path]) -> None:
    (broken,) = [unit for unit in units if unit.name == "arrocco-hall.service"]
    broken.write_text(broken.read_text("utf-8").replace("NoNewPriv", "NoOldPriv"), "utf-8")
    found = subprocess.run(
        [str(ANALYZE), "verify", "--man=no", str(broken)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert "NoOldPrivileges" in found.stderr


@needs_systemd
@pytest.mark.parametrize("service", SERVICES, ids=lambda unit: unit.stem)
def test_a_service_has_only_what_it_needs(service: Path, units: list[Path]) -> None:
    (unit,) = [unit for unit in units if unit.name == service.name]
    said = subprocess.run(
        [str(ANALYZE), "security", "--offline=true", "--no-pager", str(unit)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout
    exposure = re.search(r"Overall exposure level for \S+: ([0-9.]+)", said)
    assert exposure
    assert float(exposure[1]) <= MAX_EXPOSURE, said


@pytest.mark.parametrize("service", SERVICES, ids=lambda unit: unit.stem)
def test_a_service_runs_commands_of_the_program(service: Path) -> None:
    (start,) = values(service, "ExecStart")
    for line in (start, *values(service, "ExecReload")):
        require_command(line)


def require_command(line: str) -> None:
    """Fails where a line runs anything but the program, with options that it has."""
    expanded = line.replace("${ARROCCO_BACKUPS}", setting("ARROCCO_BACKUPS"))
    expanded = expanded.replace("$ARROCCO_BACKUP_OPTIONS", setting("ARROCCO_BACKUP_OPTIONS"))
    python, *words = shlex.split(expanded)
    assert python == PYTHON
    assert words[:2] == ["-m", "arrocco"]
    command: click.Command | None = program
    context = click.Context(program)
    words = words[2:]
    while isinstance(command, click.Group):
        command = command.get_command(context, words.pop(0))
    assert command is not None
    command.make_context("arrocco", words)  # refuses options that do not exist


def setting(name: str) -> str:
    found = re.search(rf"^{name}=(.*)$", SETTINGS, re.M)
    assert found, name
    return found[1].strip('"')  # systemd takes them off too


@pytest.mark.parametrize("service", SERVICES, ids=lambda unit: unit.stem)
def test_a_service_keeps_its_files_to_itself(service: Path) -> None:
    assert values(service, "User") == ["arrocco"]
    assert values(service, "StateDirectoryMode") == ["0700"]
    assert values(service, "UMask") == ["0077"]
    assert values(service, "ProtectSystem") == ["strict"]
    assert values(service, "EnvironmentFile") == ["/etc/arrocco/arrocco.env"]


def test_units_name_only_units_that_there_are() -> None:
    known = {unit.name for unit in UNITS}
    named = {
        name
        for unit in UNITS
        for name in re.findall(r"arrocco[a-z-]*\.(?:service|socket|timer|target)", unit.read_text())
    }
    assert named <= known
    for timer in known:
        if timer.endswith(".timer"):
            assert timer.replace(".timer", ".service") in known


def test_every_process_of_a_server_has_its_unit_and_belongs_to_the_target() -> None:
    (wanted,) = values(FOLDER / "arrocco.target", "Wants")
    for part in MODULES.keys() - {VIDEO}:  # the video is a child of the hall
        assert f"arrocco-{part}.service" in wanted.split()
        assert values(FOLDER / f"arrocco-{part}.service", "PartOf") == ["arrocco.target"]


def test_settings_are_those_the_program_reads() -> None:
    sources = "\n".join(file.read_text("utf-8") for file in (*(ROOT / "src").rglob("*.py"), *UNITS))
    for name in re.findall(r"^#?(ARROCCO_[A-Z0-9_]+)=", SETTINGS, re.M):
        assert name in sources, name
