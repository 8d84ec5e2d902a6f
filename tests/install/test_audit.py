"""An audit that was not answered is never taken for a clean one."""

from __future__ import annotations

import json
import re
from typing import Any

from tools.audit import CLEAN, UNKNOWN, VULNERABLE, of_npm_audit, of_pip_audit
from tools.requirements import ROOT

ANSWERED = {"name": "click", "version": "8.5.1", "vulns": []}
SKIPPED = {"name": "rich", "skip_reason": "Dependency not found and could not be audited: rich"}
KNOWN = {
    "name": "jinja2",
    "version": "3.0.0",
    "vulns": [{"id": "PYSEC-0000-1", "fix_versions": ["3.1.6"], "aliases": [], "description": ""}],
}


def pip_audit(*dependencies: object) -> str:
    return json.dumps({"dependencies": dependencies, "fixes": []})


def test_all_answered_and_nothing_known_is_clean() -> None:
    assert of_pip_audit("run.txt", pip_audit(ANSWERED)).status == CLEAN


def test_one_package_that_was_skipped_is_not_clean() -> None:
    audit = of_pip_audit("run.txt", pip_audit(ANSWERED, SKIPPED))
    assert audit.status == UNKNOWN
    assert "NOT AUDITED: 1 packages looked up, 1 not answered" in audit.lines()[0]


def test_no_package_at_all_is_not_clean() -> None:
    assert of_pip_audit("run.txt", pip_audit()).status == UNKNOWN


def test_no_answer_is_told_with_its_reason() -> None:
    audit = of_pip_audit("run.txt", "", "Traceback\nConnectionError: no route to the service\n")
    assert audit.status == UNKNOWN
    assert "no route to the service" in "\n".join(audit.lines())


def test_a_known_vulnerability_is_named_with_what_mends_it() -> None:
    audit = of_pip_audit("run.txt", pip_audit(ANSWERED, SKIPPED, KNOWN))
    assert audit.status == VULNERABLE
    assert "jinja2 3.0.0: PYSEC-0000-1, fixed in 3.1.6" in "\n".join(audit.lines())


def test_npm_is_read_in_the_same_way() -> None:
    answered: dict[str, Any] = {"vulnerabilities": {}, "metadata": {"dependencies": {"total": 6}}}
    assert of_npm_audit("npm", json.dumps(answered)).status == CLEAN
    refused = of_npm_audit("npm", json.dumps({"message": "405 Method Not Allowed", "error": {}}))
    assert refused.status == UNKNOWN
    assert "405" in "\n".join(refused.lines())
    answered["vulnerabilities"] = {"htmx.org": {"range": "<4", "severity": "high"}}
    assert of_npm_audit("npm", json.dumps(answered)).known == ["htmx.org <4: high"]
    assert of_npm_audit("npm", "").status == UNKNOWN


def test_it_is_a_target_of_its_own_and_the_security_policy_names_it() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    needs = dict(re.findall(r"^([a-z]+):(.*)$", makefile, re.MULTILINE))
    assert {"audit", "sbom"} <= needs.keys()
    assert not {"audit", "sbom"} & {*needs["test"].split(), *needs["check"].split()}
    policy = (ROOT / "SECURITY.md").read_text("utf-8")
    assert "`make audit`" in policy
    assert "`make sbom`" in policy
