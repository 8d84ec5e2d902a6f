"""The handbooks of the roles: Markdown in this folder, made into pages of the site.

``[text](/lists)`` leads to a page in the reader's language, ``![what is seen](picture:inbox)`` is a
picture of `pictures.PICTURES`. Raw HTML is not let through.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from arrocco.words import Language

if TYPE_CHECKING:  # loaded only where a handbook is read
    from markdown_it.token import Token

HANDBOOKS = (
    "player",
    "arbiter",
    "organiser",
    "federation-officer",
    "rating-officer",
    "statistician",
    "operator",
)
"""Their names, in the order in which most people look for them."""
PICTURE = "picture:"
_FOLDER = Path(__file__).parent
_WORDS_A_MINUTE = 180


@dataclass(frozen=True)
class Handbook:
    """A handbook as its page shows it."""

    title: str
    sections: tuple[tuple[str, str], ...]
    """The anchor and the words of each section."""
    minutes: int
    html: str


@cache
def source(language: Language, name: str) -> str:
    """The Markdown of a handbook."""
    return (_FOLDER / language / f"{name}.md").read_text("utf-8")


def title(language: Language, name: str) -> str:
    """The first heading of a handbook."""
    return source(language, name).partition("\n")[0].removeprefix("# ")


def handbook(
    language: Language,
    name: str,
    page_url: Callable[[str], str],
    picture: Callable[[str], tuple[str, int, int]],
) -> Handbook:
    """A handbook as HTML; `picture` gives the address and the size of a picture by its name."""
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False})
    tokens = markdown.parse(source(language, name).partition("\n")[2])
    sections: list[tuple[str, str]] = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            anchor = f"s{len(sections) + 1}"
            token.attrSet("id", anchor)
            sections.append((anchor, tokens[at + 1].content))
        _address(token.children or (), page_url, picture)
    return Handbook(
        title=title(language, name),
        sections=tuple(sections),
        minutes=max(1, round(len(source(language, name).split()) / _WORDS_A_MINUTE)),
        html=markdown.renderer.render(tokens, markdown.options, {}),
    )


def _address(
    tokens: Sequence[Token],
    page_url: Callable[[str], str],
    picture: Callable[[str], tuple[str, int, int]],
) -> None:
    """Gives links and pictures their addresses."""
    for token in tokens:
        target = str(token.attrs.get("href") or token.attrs.get("src") or "")
        if token.type == "link_open" and target.startswith("/"):
            token.attrSet("href", page_url(target))
        elif token.type == "image" and target.startswith(PICTURE):
            address, width, height = picture(target.removeprefix(PICTURE))
            token.attrSet("src", address)
            token.attrSet("width", width)
            token.attrSet("height", height)
            token.attrSet("loading", "lazy")
