"""What is pinned: everything the program loads, nothing it does not, every package explained."""

from __future__ import annotations

import re
from importlib.metadata import distribution

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.requirements import (
    FOLDER,
    ROOT,
    Pinned,
    left_out,
    pinned,
    without_left_out,
    written,
)

RUN = pinned((FOLDER / "run.txt").read_text("utf-8"))
DEV = pinned((FOLDER / "dev.txt").read_text("utf-8"))
NEVER_LOADED = {"faker", "polyfactory", "rich-click", "httpx", "pydantic", "h11", "pygments"}


def required_by(name: str) -> set[str]:
    """What an installed package asks for on this machine, extras aside."""
    wanted = [Requirement(line) for line in distribution(name).requires or []]
    return {
        canonicalize_name(each.name)
        for each in wanted
        if each.marker is None or each.marker.evaluate({"extra": ""})
    }


def test_what_is_never_loaded_is_not_installed() -> None:
    names = {package.name for package in RUN}
    assert not names & NEVER_LOADED
    assert len(names) < 46


@pytest.mark.parametrize("package", RUN, ids=lambda package: package.name)
def test_what_a_package_asks_for_is_pinned_or_left_out_on_purpose(package: Pinned) -> None:
    missing = required_by(package.name) - {other.name for other in RUN}
    assert missing == set(left_out().get(package.name, {})) & missing


def test_what_is_left_out_is_really_asked_for() -> None:
    names = {package.name for package in RUN}
    for asking, unwanted in left_out().items():
        assert asking in names, f"{asking} is not installed any more"
        assert set(unwanted) <= required_by(asking), asking
        assert all(reason.strip() for reason in unwanted.values())


def test_tests_run_with_the_versions_that_servers_get() -> None:
    tested = {package.name: package.version for package in DEV}
    assert {package.name: tested.get(package.name) for package in RUN} == {
        package.name: package.version for package in RUN
    }


def test_every_file_is_pinned_by_hash_and_names_no_host() -> None:
    files = sorted(FOLDER.glob("*.txt"))
    assert len(files) >= 5
    for file in files:
        text = file.read_text("utf-8")
        assert all(package.hashes for package in pinned(text)), file
        assert not re.search(r"https?://|--(?:extra-)?index-url|--find-links|--trusted", text), file


@pytest.mark.parametrize("packages", [RUN, DEV], ids=["run", "dev"])
def test_the_documents_name_every_package(packages: list[Pinned]) -> None:
    text = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    named = set(re.findall(r"`([a-z0-9-]+)(?:\[[a-z0-9]+\])?`", text))
    assert {package.name for package in packages} - named == set()


class TestLeavingOut:
    TEXT = (
        "# head\n"
        "app==1 \\\n    --hash=sha256:" + "a" * 64 + "\n    # via -r requirements/run.in\n"
        "toy==2 \\\n    --hash=sha256:" + "b" * 64 + "\n    # via app\n"
        "toy-part==3 \\\n    --hash=sha256:" + "c" * 64 + "\n    # via toy\n"
        "shared==4 \\\n    --hash=sha256:" + "d" * 64 + "\n    # via\n    #   app\n    #   toy\n"
    )

    def test_goes_with_what_only_it_asks_for(self) -> None:
        kept = without_left_out(pinned(self.TEXT), {"app": {"toy": "a toy"}})
        assert [(each.name, each.asked_by) for each in kept] == [
            ("app", ("-r requirements/run.in",)),
            ("shared", ("app",)),
        ]

    def test_stays_where_a_file_names_it(self) -> None:
        text = self.TEXT.replace("# via app\n", "# via\n    #   -r dev.in\n    #   app\n")
        kept = without_left_out(pinned(text), {"app": {"toy": "a toy"}})
        assert {each.name for each in kept} == {"app", "toy", "toy-part", "shared"}
        assert next(each for each in kept if each.name == "toy").is_named

    def test_leaves_the_rest_of_the_file_as_it_is(self) -> None:
        again = written("# head\n", without_left_out(pinned(self.TEXT), {}))
        assert again.replace(again.splitlines()[1] + "\n", "", 1) == self.TEXT

    def test_is_what_the_files_have_gone_through(self) -> None:
        for packages in (RUN, DEV):
            assert without_left_out(packages, left_out()) == packages
