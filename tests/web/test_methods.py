"""HEAD and OPTIONS on every route."""

from __future__ import annotations

from litestar import Litestar

from arrocco.office.roles import Role
from arrocco.web.routes import route_table
from tests.web.conftest import Client, LogIn
from tests.web.test_every_route import address


def test_every_page_answers_head_as_get_without_a_body(app: Litestar, logged_in: LogIn) -> None:
    client = logged_in(Role.RATING_ADMINISTRATOR)
    pages = [path for path, method, _ in route_table(app) if method == "GET"]
    assert len(pages) > 50
    for path in pages:
        got = client.get(address(path), follow_redirects=False)
        head = client.head(address(path), follow_redirects=False)
        assert head.status_code == got.status_code, path
        assert head.content == b"", path
        assert head.headers.get("content-type") == got.headers.get("content-type"), path


def test_every_route_tells_its_methods(app: Litestar, client: Client) -> None:
    methods: dict[str, set[str]] = {}
    for path, method, _ in route_table(app):
        if method != "WS":
            methods.setdefault(path, {"OPTIONS"}).add(method)
    for path, allowed in methods.items():
        answer = client.options(address(path))
        expected = allowed | ({"HEAD"} if "GET" in allowed else set())
        assert answer.status_code == 204, path
        assert set(answer.headers["allow"].split(", ")) == expected, path
        assert answer.content == b""
        refused = client.request("DELETE", address(path))
        assert refused.status_code == 405, path
        assert set(refused.headers["allow"].split(", ")) == expected, path


def test_head_of_what_is_not_there_or_not_allowed(client: Client) -> None:
    assert client.head("/en/nothing/here").status_code == 404
    assert client.head("/en/account", follow_redirects=False).status_code == 303
    assert client.head("/en/log-out").status_code == 405
    assert client.options("/en/nothing/here").status_code == 404
