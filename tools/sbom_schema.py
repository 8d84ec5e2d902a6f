"""Checks an SBOM against the schema of CycloneDX; run where requirements/tools.txt is installed."""

from __future__ import annotations

import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from tools.sbom import SPEC


def main() -> None:
    problem = JsonStrictValidator(SchemaVersion.from_version(SPEC)).validate_str(
        Path(sys.argv[1]).read_text("utf-8")
    )
    if problem is not None:
        sys.exit(f"{sys.argv[1]} is not CycloneDX {SPEC}: {problem}")


if __name__ == "__main__":
    main()
