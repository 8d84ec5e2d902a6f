"""The API keeps what its schema promises, whatever it is asked."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from arrocco.office.roles import Role
from arrocco.web.guard import TOKEN_HEADER
from tests.web.offices import logged_in_cookie
from tests.web.public_fixtures import *  # noqa: F403 - fixtures
from tests.web.public_fixtures import Public
from tests.web.public_office import KEPT

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)
KNOWN = {
    "system": "fide",
    "on": "latest",
    "player": KEPT,
    "tournament": 2,
    "report": 1,
    "law": "fide",
    "edition": "2024-03-01",
    "blob": "0" * 64,
}
"""Names that are there: without them nearly every request would ask for what is not."""
_EXAMPLES = 8


@pytest.fixture(scope="module")
def described(public: Public) -> Any:
    """The API by its schema, in this process."""
    return schemathesis.openapi.from_asgi("/api/v1/schema/openapi.json", public.app)


def operations(schema: Any) -> list[Any]:
    every = [get_all_operation.ok() for get_all_operation in schema.get_all_operations()]
    return [one for one in every if not one.path.startswith("/api/v1/schema")]


def test_the_schema_describes_every_route(described: Any) -> None:
    names = {(operation.method.upper(), operation.path) for operation in operations(described)}
    assert len(names) >= 18
    assert ("GET", "/api/v1/players/{player}/{system}/{on}") in names
    assert ("POST", "/api/v1/tournaments/{tournament}/reports") in names


@pytest.mark.parametrize("known", [True, False], ids=["what is there", "anything"])
@pytest.mark.parametrize("role", [Role.PUBLIC, Role.ARBITER])
def test_answers_are_as_described(public: Public, described: Any, role: Role, known: bool) -> None:
    headers = {}
    if role is not Role.PUBLIC:
        token = logged_in_cookie(public.office, role)
        headers["cookie"] = f"{public.app.state.cookies.session}={token}"
        told = public.client.get("/api/v1/session", headers=headers).json()
        headers[TOKEN_HEADER] = told["form_token"]
    asked = 0
    for operation in operations(described):
        if role is not Role.PUBLIC and operation.method == "get" and known:
            continue  # the same answers as for everybody

        @settings(
            max_examples=_EXAMPLES,
            database=None,
            deadline=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            nonlocal asked
            if known:
                case.path_parameters = {name: KNOWN[name] for name in (case.path_parameters or {})}
            case.call_and_validate(checks=CHECKS, headers=headers)
            asked += 1

        ask()
    assert asked > 10
