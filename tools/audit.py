"""Asks the registries whether what is pinned has known vulnerabilities: `python -m tools.audit`.

pip-audit says "No known vulnerabilities found" also where its service knew none of the packages;
here what was not answered is counted and is a failure of its own. Exit status: 0 if every package
was looked up and is clean, 1 if something is known, 2 if not everything could be looked up.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.requirements import FOLDER, ROOT

CLEAN, VULNERABLE, UNKNOWN = 0, 1, 2
PINNED = ("run.txt", "dev.txt", "build.txt", "tools.txt")
SERVICES = ("pypi", "osv")
_TIMEOUT = 600


@dataclass
class Audit:
    """What was asked about one file of pins and what came back."""

    subject: str
    looked_up: int = 0
    known: list[str] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)

    @property
    def status(self) -> int:
        if self.known:
            return VULNERABLE
        return UNKNOWN if self.unanswered or not self.looked_up else CLEAN

    def lines(self) -> list[str]:
        words = {
            CLEAN: f"{self.looked_up} packages looked up, no known vulnerability",
            VULNERABLE: f"{len(self.known)} KNOWN VULNERABILITIES",
            UNKNOWN: f"NOT AUDITED: {self.looked_up} packages looked up, "
            f"{len(self.unanswered) or 'all'} not answered",
        }
        details = [*self.known, *self.unanswered[:3]]
        return [f"{self.subject}: {words[self.status]}", *(f"    {each}" for each in details)]


def of_pip_audit(subject: str, output: str, problem: str = "") -> Audit:
    """Reads the JSON of pip-audit; nothing readable means that nothing was looked up."""
    audit = Audit(subject)
    try:
        dependencies = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        audit.unanswered.append(problem.strip().splitlines()[-1][:300] if problem.strip() else "")
        return audit
    for each in dependencies:
        if "skip_reason" in each:
            audit.unanswered.append(each["skip_reason"])
            continue
        audit.looked_up += 1
        audit.known.extend(
            f"{each['name']} {each['version']}: {vuln['id']}, "
            f"fixed in {', '.join(vuln['fix_versions']) or 'no version'}"
            for vuln in each["vulns"]
        )
    return audit


def of_npm_audit(subject: str, output: str) -> Audit:
    """Reads the JSON of `npm audit`."""
    audit = Audit(subject)
    try:
        record: dict[str, Any] = json.loads(output)
    except ValueError:
        record = {"message": "npm answered nothing"}
    if "vulnerabilities" not in record:
        audit.unanswered.append(str(record.get("message", "no answer"))[:300])
        return audit
    audit.looked_up = record["metadata"]["dependencies"]["total"]
    audit.known.extend(
        f"{name} {entry['range']}: {entry['severity']}"
        for name, entry in record["vulnerabilities"].items()
    )
    return audit


def _pip_audit(file: str) -> Audit:
    program = Path(sys.executable).with_name("pip-audit")
    audits = []
    for service in SERVICES:
        answer = subprocess.run(
            [
                str(program),
                "--progress-spinner=off",
                "--disable-pip",
                "--no-deps",
                "--format=json",
                "--vulnerability-service",
                service,
                "--requirement",
                str(FOLDER / file),
            ],
            capture_output=True,
            text=True,
            check=False,
            timeout=_TIMEOUT,
        )
        audits.append(of_pip_audit(f"requirements/{file}", answer.stdout, answer.stderr))
        if audits[-1].status != UNKNOWN:
            break
    return min(audits, key=lambda each: (each.status == UNKNOWN, -each.looked_up))


def _npm_audit() -> Audit:
    npm = shutil.which("npm")
    if npm is None:
        return Audit("frontend/package-lock.json", unanswered=["npm is not installed"])
    answer = subprocess.run(
        [npm, "audit", "--json"],
        cwd=ROOT / "frontend",
        capture_output=True,
        text=True,
        check=False,
        timeout=_TIMEOUT,
    )
    return of_npm_audit("frontend/package-lock.json", answer.stdout)


def main() -> int:
    audits = [*(_pip_audit(file) for file in PINNED), _npm_audit()]
    for audit in audits:
        print("\n".join(audit.lines()))
    statuses = {audit.status for audit in audits}
    if VULNERABLE in statuses:
        return VULNERABLE
    if UNKNOWN in statuses:
        print("NOTICE: the audit is not complete: ask again where the registries answer.")
        return UNKNOWN
    return CLEAN


if __name__ == "__main__":
    sys.exit(main())
