"""The container file: what it copies exists, what it runs exists, and it runs as nobody special.

It was built with buildah and run from; where neither an engine nor the images can be had, these
tests still see it fall behind the sources.
"""

from __future__ import annotations

import fnmatch
import json
import re
import shlex

import click

from arrocco.cli.main import program
from tools.requirements import ROOT

TEXT = (ROOT / "Containerfile").read_text("utf-8")
STEPS = [
    tuple(line.split(maxsplit=1))
    for line in re.sub(r"\\\n\s*", " ", re.sub(r"^#.*\n", "", TEXT, flags=re.M)).splitlines()
    if line.strip()
]
IGNORED = (ROOT / ".containerignore").read_text("utf-8").splitlines()


def arguments(name: str) -> list[str]:
    return [rest for step, rest in STEPS if step == name]


def last_stage(name: str) -> list[str]:
    last = max(number for number, (step, _) in enumerate(STEPS) if step == "FROM")
    return [rest for step, rest in STEPS[last:] if step == name]


def is_sent(path: str) -> bool:
    """Whether a file is among those that the builder is given."""
    sent = True
    for pattern in IGNORED:
        allowed = pattern.startswith("!")
        if fnmatch.fnmatch(path.partition("/")[0], pattern.removeprefix("!")):
            sent = allowed
    return sent


def test_what_is_copied_exists_and_is_sent_to_the_builder() -> None:
    stages = set(re.findall(r" AS (\w+)", TEXT))
    copied = 0
    for copy in arguments("COPY"):
        words = shlex.split(copy)
        if words[0].startswith("--from="):
            assert words[0].removeprefix("--from=") in stages
            continue
        for source in words[:-1]:
            assert (ROOT / source).exists(), source
            assert is_sent(source), source
            copied += 1
    assert copied >= 8


def test_every_image_has_its_full_name() -> None:
    for image in arguments("FROM"):
        assert re.match(r"docker\.io/library/[a-z]+:[0-9][\w.-]+", image), image


def test_packages_are_those_that_are_pinned() -> None:
    runs = " && ".join(arguments("RUN"))
    installs = re.findall(r"pip install (.*?)(?:&&|$)", runs)
    assert len(installs) == 3
    for install in installs:
        assert "--no-deps" in install
        assert "--require-hashes" in install or install.strip().endswith("--no-build-isolation .")


def test_it_runs_without_rights_and_writes_to_its_volume_only() -> None:
    (user,) = last_stage("USER")
    assert int(user.partition(":")[0]) > 0
    assert last_stage("VOLUME") == ["/var/lib/arrocco"]
    (environment,) = last_stage("ENV")
    assert "ARROCCO_OFFICE=/var/lib/arrocco/" in environment
    assert "PYTHONDONTWRITEBYTECODE=1" in environment, "the root may be read-only"


def test_its_command_is_one_of_the_program() -> None:
    assert json.loads(last_stage("ENTRYPOINT")[0]) == ["arrocco"]
    name, *options = json.loads(last_stage("CMD")[0])
    command = program.get_command(click.Context(program), name)
    assert command is not None
    context = command.make_context(name, options)
    assert context.params["host"] == "0.0.0.0"
    (port,) = last_stage("EXPOSE")
    assert context.params["port"] == int(port)
    (check,) = last_stage("HEALTHCHECK")
    assert f"http://127.0.0.1:{port}/health" in check
