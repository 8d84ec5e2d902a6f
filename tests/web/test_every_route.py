"""Every route with every role: allowed exactly where the table of permissions says so.

Parameters such as ``{account:int}`` are filled from `EXAMPLES`; others name what is not there,
which whoever is admitted is told, and nobody else. Whether a grant that holds only for one's own
reaches what belongs to others is for the tests of each page, which know what they show.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from litestar import Litestar

from arrocco.office.roles import GRANTS, Permission, Role
from arrocco.web.guard import TOKEN_HEADER
from arrocco.web.routes import ANONYMOUS, PERMISSION, page, refuse_without_permission, route_table
from tests.web.conftest import LogIn
from tests.web.visits import token_of

EXAMPLES = {
    "account": "2",
    "invitation": "999",
    "name": "site.css",
    "path": "openapi.json",
}
"""Values of parameters, as the office of the fixtures has them."""
ABSENT = {"int": "999", "date": "1999-01-01", "str": "none", "path": "none", "uuid": "0" * 32}


def address(path: str) -> str:
    """A path with its parameters filled."""
    return re.sub(r"\{(\w+):(\w+)\}", lambda found: EXAMPLES.get(found[1], ABSENT[found[2]]), path)


@pytest.mark.parametrize("role", Role)
def test_every_route_admits_whom_the_table_names_and_nobody_else(
    app: Litestar, logged_in: LogIn, role: Role
) -> None:
    # Italian pages are the English ones with the same permissions: a test of its own below.
    routes = [r for r in route_table(app) if r[1] in ("GET", "POST") and r[0][:4] != "/it/"]
    assert len(routes) > 20
    client = logged_in(role)
    token = token_of(client, "/en/account" if role is not Role.PUBLIC else "/en/log-in")
    for path, method, handler in routes:
        if path.endswith("/log-out"):
            continue  # it would end the walk; it has a test of its own
        permission: Permission = handler.opt[PERMISSION]
        headers = {TOKEN_HEADER: token} if method == "POST" else {}
        answer = client.request(method, address(path), headers=headers, follow_redirects=False)
        where = f"{role} {method} {path}: {answer.status_code}"
        if role in GRANTS[permission]:
            assert answer.status_code not in (401, 403, 405, 500), where
            assert "/log-in?next=" not in answer.headers.get("location", ""), where
        elif role is not Role.PUBLIC:
            assert answer.status_code == 403, where
        elif method == "GET" and not path.startswith("/api/"):
            assert answer.status_code == 303, where
            assert "/log-in?next=" in answer.headers["location"], where
        else:
            assert answer.status_code == 401, where


def test_only_what_everybody_may_see_is_given_without_looking_who_asks(app: Litestar) -> None:
    for path, _, handler in route_table(app):
        if handler.opt.get(ANONYMOUS):
            assert handler.opt[PERMISSION] is Permission.LOOK_UP, path


def test_pages_are_the_same_in_both_languages(app: Litestar) -> None:
    paths: dict[str, set[Any]] = {"en": set(), "it": set()}
    for path, method, handler in route_table(app):
        if path[1:3] in paths and path[3:4] in ("", "/"):
            paths[path[1:3]].add((path[3:], method, handler.opt[PERMISSION]))
    assert paths["en"] == paths["it"]
    assert paths["en"]


def test_an_application_with_a_handler_without_permission_does_not_start() -> None:
    @page("/open", permission=None)  # type: ignore[arg-type]
    def forgotten() -> str:
        return ""

    with pytest.raises(TypeError, match="GET /open"):
        refuse_without_permission(Litestar([forgotten], openapi_config=None))
