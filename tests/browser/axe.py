"""axe-core in a page: what it finds against WCAG A and AA, light and dark, desk and phone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page

AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
Sight = tuple[tuple[int, int], Literal["light", "dark"]]
DESK, PHONE = (1366, 768), (390, 844)
CROSSED: tuple[Sight, ...] = ((DESK, "light"), (PHONE, "dark"))
"""Both sizes and both schemes of colours, each under all rules."""
ALL: tuple[Sight, ...] = (*CROSSED, (DESK, "dark"), (PHONE, "light"))
_RUN = """async () => {
  const options = {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], resultTypes: ["violations"],
    // An experiment of axe: a board's name leaves out its clocks, which would be read every second.
    rules: { "label-content-name-mismatch": { enabled: false } },
  };
  const { violations } = await axe.run(document, options);
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => [
    id, node.target.join(" "), (node.any[0] || node.all[0] || node.none[0] || {}).message || "",
  ]));
}"""


def prepare(context: BrowserContext) -> None:
    """Gives axe to every page of a browser; the policy of the site lets no page load it."""
    context.add_init_script(path=AXE)


def faults(page: Page, sights: Sequence[Sight] = CROSSED) -> Iterator[str]:
    """What axe finds in the page that is open, at these sizes and in these colours."""
    for (width, height), scheme in sights:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found: list[tuple[Any, ...]] = page.evaluate(_RUN)
        for rule, target, message in found:
            yield f"{width} {scheme} {rule}: {target}: {message}"


def check(page: Page, route: str) -> None:
    """Asserts that the page that is open is clean; afterwards it looks as it did before.

    The route is the one it came from, as the table of routes has it: a test looks whether some
    test visits each of them.
    """
    pattern = re.sub(r"\\\{.*?\\\}", "[^/]+", re.escape(route))
    path = urlsplit(page.url).path
    assert re.fullmatch(f"/(en|it){pattern}", path), f"{path} is not of {route}"
    size = page.viewport_size
    if AXE.exists():
        page.evaluate(AXE.read_text("utf-8"))
        found = list(faults(page))
        assert not found, f"{page.url}: " + "\n".join(found)
    page.emulate_media(color_scheme="null", reduced_motion="null")
    if size is not None:
        page.set_viewport_size(size)


@cache
def checked_routes() -> frozenset[str]:
    """The routes that some test of this folder names when it calls `check`."""
    return frozenset(
        call.args[1].value
        for path in Path(__file__).parent.glob("*.py")
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call)
        and ast.unparse(call.func) == "axe.check"
        and isinstance(call.args[1], ast.Constant)
        and isinstance(call.args[1].value, str)
    )
