"""Makes the pictures of the handbooks and of the README from the invented office.

`python -m tools.handbook_pictures ADDRESS [NAME…]` looks at an office that `arrocco demo serve`
answers for, with the accounts it prints, and writes a WebP file for each picture and language.
"""

from __future__ import annotations

import io
import re
import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from arrocco.office.roles import Role
from arrocco.web.handbooks.pictures import PICTURES, Picture, file_name
from arrocco.words import LANGUAGES, Language

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "src" / "arrocco" / "web" / "static" / "help"
README = ROOT / "docs" / "pictures"
OF_README = ("receipt", "wall", "player")
MAX_BYTES = 60_000
PASSWORD = "arrocco-demo-only"
_ACCOUNTS = {
    Role.PLAYER: "player",
    Role.ARBITER: "arbiter",
    Role.FEDERATION_OFFICER: "ita",
    Role.RATING_ADMINISTRATOR: "ratings",
    Role.SYSTEM_ADMINISTRATOR: "system",
}
_SETTLED_MS = 900
"""Boards and charts draw themselves after the page is there."""
_BETWEEN_ROUNDS_MS = 240_000
"""The wall has no boards while the living event stands between two rounds."""


def log_in(browser: Browser, address: str, role: Role, language: Language) -> Page:
    """A page of somebody with a role."""
    context = browser.new_context(base_url=address, locale=f"{language}-IT")
    page = context.new_page()
    if role is not Role.PUBLIC:
        page.goto(f"/{language}/log-in")
        page.fill("#email", f"{_ACCOUNTS[role]}@demo.example")
        page.fill("#password", PASSWORD)
        page.locator("main form button.primary").click()
        page.wait_for_selector(".side form")
    return page


def first_link(page: Page, path: str, pattern: str) -> re.Match[str]:
    """The first link of a page that matches."""
    page.goto(path)
    hrefs = page.eval_on_selector_all("main a[href]", "all => all.map(a => a.pathname + a.search)")
    for href in hrefs:
        match = re.search(pattern, href)
        if match:
            return match
    raise LookupError(f"{path} has no link like {pattern}")


def examples(pages: dict[Role, Page]) -> dict[str, str]:
    """What the office has, found as a visitor finds it."""
    public, arbiter = pages[Role.PUBLIC], pages[Role.ARBITER]
    officer = pages[Role.RATING_ADMINISTRATOR]
    mover = first_link(public, "/en", r"/players/(\d+)/(fide)/(\d{4}-\d\d-\d\d)")
    receipt = public.url.rstrip("/") + mover[0].removeprefix("/en")
    rated = first_link(public, receipt, r"tournament=(\d+)")[1]
    event = first_link(public, "/en/hall", r"/hall/(live-[\d-]+)")[1]
    own = first_link(pages[Role.PLAYER], f"/en/hall/{event}", rf"/hall/game/({event}[\d-]+)")
    return {
        "player": mover[1],
        "system": mover[2],
        "on": mover[3],
        "rated": rated,
        "event": event,
        "game": own[1],
        "tournament": first_link(arbiter, "/en/desk/tournaments", r"/desk/tournaments/(\d+)$")[1],
        "report": first_link(officer, "/en/desk/reports", r"/desk/reports/(\d+)$")[1],
        "draft": first_link(officer, "/en/desk/lists", r"/desk/drafts/(\d+)$")[1],
    }


def taken(page: Page, picture: Picture, path: str) -> bytes:
    """A picture as WebP, after everything that must be on it is there."""
    page.set_viewport_size({"width": picture.width, "height": picture.height})
    page.goto(path)
    for selector in picture.shows:
        page.locator(selector).first.wait_for(state="attached", timeout=_BETWEEN_ROUNDS_MS)
    if picture.at:
        page.locator(picture.at).first.evaluate("e => e.scrollIntoView()")
    page.wait_for_timeout(_SETTLED_MS)
    image = Image.open(io.BytesIO(page.screenshot()))
    for quality in (80, 65, 50, 35):
        packed = io.BytesIO()
        image.save(packed, "WEBP", quality=quality, method=6)
        if packed.tell() <= MAX_BYTES:
            break
    return packed.getvalue()


def main() -> None:
    """Writes all pictures, or those that are named."""
    address, *names = sys.argv[1:]
    FOLDER.mkdir(exist_ok=True)
    README.mkdir(exist_ok=True)
    with sync_playwright() as started:
        chromium = shutil.which("chromium") or "/usr/bin/chromium"
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for language in LANGUAGES:
            pages = {
                role: log_in(browser, address, role, language) for role in (Role.PUBLIC, *_ACCOUNTS)
            }
            found = examples(pages)
            for name in names or PICTURES:
                picture = PICTURES[name]
                path = f"/{language}{picture.path.format_map(found)}"
                data = taken(pages[picture.role], picture, path)
                (FOLDER / file_name(language, name)).write_bytes(data)
                if language == "en" and name in OF_README:
                    (README / f"{name}.webp").write_bytes(data)
                print(language, name, len(data), path)
        browser.close()


if __name__ == "__main__":
    main()
