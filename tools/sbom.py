"""What the program consists of, as a CycloneDX document: its packages, and those in its scripts.

`python -m tools.sbom FILE` writes it from what is pinned (requirements/run.txt with its hashes and
who asks for what, frontend/package-lock.json) and from the licences that the installed packages
state. The same pins give the same bytes.
"""

from __future__ import annotations

import base64
import json
import re
import sys
import tomllib
import uuid
from email import message_from_string
from email.message import Message
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any

from tools.requirements import FOLDER, ROOT, Pinned, pinned

SPEC = "1.6"
_NAMESPACE = uuid.UUID("6f3c8a52-8f0e-5f7e-9a53-0c6f6c1f2b11")
# What older packages call their licence, by the name that SPDX has for it.
_SPDX = {
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD-0-Clause": "0BSD",
    "BSD License": "BSD-3-Clause",
    "BSD 3-Clause License": "BSD-3-Clause",
    "GPL-3.0+": "GPL-3.0-or-later",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
    "MIT License": "MIT",
    "The MIT License (MIT)": "MIT",
    "MIT License OR Apache License, Version 2.0": "MIT OR Apache-2.0",
}
_EXPRESSION = re.compile(r"[A-Za-z0-9.+-]+(?: (?:AND|OR|WITH) [A-Za-z0-9.+-]+)*")

Record = dict[str, Any]


def licence(metadata: Message) -> str:
    """The licence a package states, as an SPDX expression where it can be told."""
    stated = metadata["License-Expression"] or metadata["License"] or ""
    if not stated or "\n" in stated:  # some put the whole text there
        classifiers = metadata.get_all("Classifier") or []
        named = [c.rpartition(" :: ")[2] for c in classifiers if c.startswith("License :: ")]
        stated = " AND ".join(_SPDX.get(name, name) for name in named)
    return _SPDX.get(stated, stated)


def _licences(stated: str) -> list[Record]:
    if not stated:
        return []
    if _EXPRESSION.fullmatch(stated):
        return [{"expression": stated}]
    return [{"license": {"name": stated}}]


def _title_of_licence(installed: Distribution) -> str:
    """The first line of the licence that comes with a package, for one that states none."""
    text = installed.read_text("licenses/LICENSE") or ""
    title = text.strip().partition("\n")[0].strip()
    return _SPDX.get(title, title)


def python_component(package: Pinned) -> Record:
    """A package as pip installs it; raises `PackageNotFoundError` where it is not installed."""
    installed = distribution(package.name)
    metadata = message_from_string(installed.read_text("METADATA") or "")
    purl = f"pkg:pypi/{package.name}@{package.version}"
    hashes = [{"alg": "SHA-256", "content": each} for each in package.hashes]
    return {
        "type": "library",
        "bom-ref": purl,
        "name": package.name,
        "version": package.version,
        "purl": purl,
        "description": metadata["Summary"] or "",
        "licenses": _licences(licence(metadata) or _title_of_licence(installed)),
        "externalReferences": [{"type": "distribution", "url": purl, "hashes": hashes}],
    }


def script_components(lock: Record) -> list[Record]:
    """The packages that are bundled into the scripts: all that are not for building only."""
    components = []
    for path, entry in sorted(lock["packages"].items()):
        if not path or entry.get("dev") or entry.get("devOptional"):
            continue
        name = path.rpartition("node_modules/")[2]
        purl = f"pkg:npm/{name.replace('@', '%40')}@{entry['version']}"
        stated = entry.get("license", "")
        algorithm, _, digest = entry["integrity"].partition("-")
        components.append(
            {
                "type": "library",
                "bom-ref": purl,
                "name": name,
                "version": entry["version"],
                "purl": purl,
                "licenses": _licences(_SPDX.get(stated, stated)),
                "hashes": [
                    {
                        "alg": algorithm.upper().replace("SHA", "SHA-"),
                        "content": base64.b64decode(digest).hex(),
                    }
                ],
            }
        )
    return components


def document() -> Record:
    """The whole document."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    packages = pinned((FOLDER / "run.txt").read_text("utf-8"))
    scripts = script_components(
        json.loads((ROOT / "frontend" / "package-lock.json").read_text("utf-8"))
    )
    purls = {each.name: f"pkg:pypi/{each.name}@{each.version}" for each in packages}
    own = f"pkg:pypi/{project['name']}@{project['version']}"
    named = [purls[each.name] for each in packages if each.is_named]
    graph = [{"ref": own, "dependsOn": sorted([*named, *(each["purl"] for each in scripts)])}]
    for name, purl in sorted(purls.items()):
        asked = sorted(purls[each.name] for each in packages if name in each.asked_by)
        graph.append({"ref": purl, "dependsOn": asked})
    record = {
        "bomFormat": "CycloneDX",
        "specVersion": SPEC,
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": project["name"],
                "version": project["version"],
                "description": project["description"],
                "licenses": _licences(project["license"]),
                "purl": own,
            }
        },
        "components": [*(python_component(each) for each in packages), *scripts],
        "dependencies": graph,
    }
    digest = uuid.uuid5(_NAMESPACE, json.dumps(record, sort_keys=True))
    return {
        "$schema": f"http://cyclonedx.org/schema/bom-{SPEC}.schema.json",
        "serialNumber": f"urn:uuid:{digest}",
        **record,
    }


def main() -> None:
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    whole = document()
    target.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n", "utf-8")
    print(f"{target}: {len(whole['components'])} components")


if __name__ == "__main__":
    main()
