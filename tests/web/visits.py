"""What a browser does: fetching the token of a page's form and sending the form."""

from __future__ import annotations

from typing import Any

from httpx import Response
from litestar import Litestar
from litestar.testing import TestClient
from lxml import html

from arrocco.web.guard import TOKEN_FIELD


def all_of(page: str, path: str) -> list[Any]:
    """What an XPath finds in the text of a page."""
    found = html.fromstring(page).xpath(path)
    assert isinstance(found, list)
    return found


def token_of(client: TestClient[Litestar], page: str = "/en/account") -> str:
    """The token of the first form of a page."""
    answer = client.get(page)
    found = all_of(answer.text, f"//input[@name='{TOKEN_FIELD}']/@value")
    assert found, f"{page} has no form"
    return str(found[0])


def posted(
    client: TestClient[Litestar],
    path: str,
    data: dict[str, Any],
    *,
    form: str = "/en/account",
    files: Any = None,
) -> Response:
    """Sends a form as a browser would, with a token of the page `form`; follows no redirect."""
    sent = {TOKEN_FIELD: token_of(client, form), **data}
    return client.post(path, data=sent, files=files, follow_redirects=False)
