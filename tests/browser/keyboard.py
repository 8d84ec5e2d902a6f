"""Whoever has no pointer: Tab until something has the focus, which is seen at every step."""

from __future__ import annotations

from datetime import date, datetime

from playwright.sync_api import FileChooser, Page

_FOCUSED = """() => {
  const at = document.activeElement;
  const style = getComputedStyle(at);
  const drawn = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  return { drawn: drawn || style.boxShadow !== "none", box: at.getBoundingClientRect().width > 0 };
}"""


_PRESSES, _LOOKS, _LOOK_MS = 6, 100, 100
"""How often a key is pressed for a chooser of files, and how long it is waited for each time."""


def tab_to(page: Page, selector: str, most: int = 200) -> None:
    """Presses Tab until the element has the focus, which is seen at every step."""
    for _ in range(most):
        page.keyboard.press("Tab")
        seen = page.evaluate(_FOCUSED)
        if page.locator(selector).first.evaluate("e => e === document.activeElement"):
            assert seen["drawn"], f"nobody sees that {selector} has the focus"
            return
    raise AssertionError(f"{selector} cannot be reached by Tab on {page.url}")


def press(page: Page, selector: str) -> None:
    """Goes to a link or a button by Tab, and does what it is for."""
    tab_to(page, selector)
    page.keyboard.press("Enter")


def send(page: Page, selector: str) -> None:
    """The same, where another page follows: gives it time to come."""
    tab_to(page, selector)
    with page.expect_navigation(wait_until="load"):
        page.keyboard.press("Enter")


def type_in(page: Page, selector: str, text: str) -> None:
    """Goes to a field by Tab and fills it."""
    tab_to(page, selector)
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


def choose(page: Page, selector: str, value: str) -> None:
    """Goes to a list of choices by Tab and moves to one with the arrow keys."""
    tab_to(page, selector)
    field = page.locator(selector).first
    page.keyboard.press("Home")
    for _ in range(field.locator("option").count()):
        if field.input_value() == value:
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(f"{selector} has no choice {value}")


def tick(page: Page, selector: str) -> None:
    """Goes to a box by Tab and ticks it."""
    tab_to(page, selector)
    page.keyboard.press("Space")
    assert page.locator(selector).first.is_checked(), selector


def type_day(page: Page, selector: str, day: date, hour: str = "") -> None:
    """Goes to a date and types it, part by part as the browser orders them."""
    tab_to(page, selector)
    field, wanted = page.locator(selector).first, day.isoformat() + (f"T{hour}" if hour else "")
    for form in ("%m%d%Y", "%d%m%Y"):
        page.keyboard.type(day.strftime(form))
        if hour:
            time = datetime.fromisoformat(wanted)
            page.keyboard.press("ArrowRight")
            page.keyboard.type(time.strftime("%I%M"))
            page.keyboard.type("a" if time.hour < 12 else "p")
        if field.input_value() == wanted:
            return
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector}: {field.input_value()} and not {wanted}")


def choose_file(page: Page, selector: str) -> FileChooser:
    """Goes to a field for a file by Tab and opens its chooser; Chromium passes over Enter.

    A key that a busy browser handles after the press has lost its standing opens nothing: a person
    presses again, and so do we.
    """
    choosers: list[FileChooser] = []
    page.on("filechooser", lambda chooser: choosers.append(chooser))
    page.evaluate("0")  # the browser has heard by now that choosers are ours
    tab_to(page, selector)
    for _ in range(_PRESSES):
        page.keyboard.press("Space")
        for _ in range(_LOOKS):
            if choosers:
                return choosers[0]
            page.wait_for_timeout(_LOOK_MS)
    raise AssertionError(f"{selector} opens no chooser of files by a key on {page.url}")
