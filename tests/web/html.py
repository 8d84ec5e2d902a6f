"""Judges a page: well formed, unique ids, labels for inputs, headings in order, nothing inline."""

from __future__ import annotations

from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

from lxml import html

_VOID = {
    "area",
    "base",
    "br",
    "col",
    "embed",
    "hr",
    "img",
    "input",
    "link",
    "meta",
    "source",
    "track",
    "wbr",
    "path",
    "rect",
    "circle",
    "line",
}
_NOT_LABELLED = {"hidden", "submit", "button"}


class _Nesting(HTMLParser):
    """Every element that is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        names = [name for name, _ in attrs]
        self.faults += [f"<{tag}> has {name} twice" for name in set(names) if names.count(name) > 1]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()} closes nothing")


def faults_of(text: str) -> list[str]:
    """Everything that is wrong with a page; empty for a good one."""
    nesting = _Nesting()
    nesting.feed(text)
    faults = nesting.faults + [f"<{tag}> is never closed" for tag in nesting.open]
    page = html.fromstring(text)
    return faults + _ids(page) + _labels(page) + _headings(page) + _whole(page) + _inline(page)


def _all(page: Any, path: str) -> list[Any]:
    return list(page.xpath(path))


def _ids(page: Any) -> list[str]:
    ids = [str(found) for found in _all(page, "//@id")]
    faults = [f"id {name} is there twice" for name in sorted(set(ids)) if ids.count(name) > 1]
    for attribute in ("for", "aria-labelledby", "aria-describedby"):
        for names in _all(page, f"//@{attribute}"):
            faults += [f"{attribute} names {n}" for n in str(names).split() if n not in ids]
    return faults


def _labels(page: Any) -> list[str]:
    faults = []
    for field in _all(page, "//input | //select | //textarea"):
        if field.get("type") in _NOT_LABELLED or field.get("aria-hidden") == "true":
            continue
        labelled = (
            field.get("aria-label")
            or field.get("aria-labelledby")
            or _all(field, "ancestor::label")
            or (field.get("id") and _all(page, f"//label[@for='{field.get('id')}']"))
        )
        if not labelled:
            faults.append(f"{field.tag} {field.get('name')} has no label")
    for link in _all(page, "//a | //button | //summary"):
        if not (link.text_content().strip() or link.get("aria-label")):
            faults.append(f"{link.tag} {link.get('href')} says nothing")
    return faults


def _headings(page: Any) -> list[str]:
    levels = [int(found.tag[1]) for found in _all(page, "//h1|//h2|//h3|//h4|//h5|//h6")]
    faults = [] if levels.count(1) == 1 else [f"{levels.count(1)} first headings"]
    if levels and levels[0] != 1:
        faults.append("the first heading is no h1")
    return faults + [
        f"h{after} follows h{before}" for before, after in pairwise(levels) if after > before + 1
    ]


def _whole(page: Any) -> list[str]:
    faults = []
    if page.get("lang") not in ("en", "it"):
        faults.append("the page names no language")
    for part in ("title", "main", "header", "footer"):
        if len(_all(page, f"//{part}[not(ancestor::svg)]")) != 1:
            faults.append(f"not exactly one {part}")
    if not _all(page, "//a[@class='skip' and @href='#main']"):
        faults.append("no skip link")
    primary = _all(page, "//main//*[contains(concat(' ', @class, ' '), ' primary ')]")
    if len(primary) > 1:
        faults.append(f"{len(primary)} primary actions")
    for table in _all(page, "//table"):
        if not _all(table, "caption") or not _all(table, "thead//th[@scope]"):
            faults.append("a table has no caption or no heads")
    faults += [f"image {i.get('src')} has no alt" for i in _all(page, "//img[not(@alt)]")]
    for form in _all(page, "//form[@method='post']"):
        if not _all(form, ".//input[@name='form_token']"):
            faults.append(f"form {form.get('action')} has no token")
    return faults


def _inline(page: Any) -> list[str]:
    """What the policy of the site would not run."""
    faults = [f"<{found.tag}> has a style" for found in _all(page, "//*[@style] | //style")]
    faults += ["a script in the page" for _ in _all(page, "//script[not(@src)]")]
    handlers = _all(page, "//@*[starts-with(name(), 'on')]")
    return faults + [f"a handler in the page: {handler}" for handler in handlers]
