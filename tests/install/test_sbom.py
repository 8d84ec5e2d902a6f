"""The SBOM names everything that is installed and bundled, with hashes and licences."""

from __future__ import annotations

import json

from tools.requirements import FOLDER, ROOT, pinned
from tools.sbom import document, script_components

DOCUMENT = document()


def test_it_names_every_package_with_hashes_and_licence() -> None:
    packages = pinned((FOLDER / "run.txt").read_text("utf-8"))
    by_purl = {component["purl"]: component for component in DOCUMENT["components"]}
    assert len(by_purl) == len(DOCUMENT["components"])
    for package in packages:
        component = by_purl[f"pkg:pypi/{package.name}@{package.version}"]
        hashes = component["externalReferences"][0]["hashes"]
        assert {entry["content"] for entry in hashes} == set(package.hashes)
        assert component["licenses"], package.name


def test_it_names_what_is_bundled_into_the_scripts_and_not_what_bundles() -> None:
    names = {component["name"] for component in DOCUMENT["components"]}
    lock = json.loads((ROOT / "frontend" / "package-lock.json").read_text("utf-8"))
    wanted = json.loads((ROOT / "frontend" / "package.json").read_text("utf-8"))
    assert set(wanted["dependencies"]) <= names
    assert not set(wanted["devDependencies"]) & names
    for component in script_components(lock):
        assert len(component["hashes"][0]["content"]) == 128, "SHA-512 as hexadecimal digits"


def test_every_reference_leads_to_a_component() -> None:
    own = DOCUMENT["metadata"]["component"]["bom-ref"]
    known = {component["bom-ref"] for component in DOCUMENT["components"]} | {own}
    for entry in DOCUMENT["dependencies"]:
        assert entry["ref"] in known
        assert set(entry["dependsOn"]) <= known
    reached, waiting = set[str](), [own]
    graph = {entry["ref"]: entry["dependsOn"] for entry in DOCUMENT["dependencies"]}
    while waiting:
        reached.add(here := waiting.pop())
        waiting.extend(set(graph.get(here, [])) - reached)
    assert known == reached


def test_the_same_pins_give_the_same_bytes() -> None:
    assert json.dumps(document()) == json.dumps(DOCUMENT)
