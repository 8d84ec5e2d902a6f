"""How much a request may carry, by route; and that no form keeps the event loop busy."""

from __future__ import annotations

import time
from collections.abc import Iterator
from io import BytesIO

import pytest
from litestar import Litestar
from litestar._parsers import parse_url_encoded_form_data
from litestar.exceptions import ClientException

from arrocco.office.roles import GRANTS, Permission, Role
from arrocco.web.bodies import body_limit
from arrocco.web.form_data import MAX_FIELDS, parse_multipart, parse_urlencoded
from arrocco.web.guard import TOKEN_FIELD, TOKEN_HEADER
from arrocco.web.routes import FORM_BYTES, PERMISSION, route_table
from tests.web.conftest import Client, LogIn
from tests.web.html import faults_of
from tests.web.test_every_route import address
from tests.web.visits import token_of

FORM = {"content-type": "application/x-www-form-urlencoded"}
SLACK = 8
"""A loop that is busy longer than this many milliseconds at once is felt in a hall."""


READS_NOTHING = ("/log-out", "/unsubscribe/{token:str}/{kind:str}")
"""Routes that answer without looking at what was sent; the first would end the walk."""


def admitted(logged_in: LogIn) -> dict[Permission, Client]:
    """A browser for each permission, of somebody who has it."""
    made = {role: logged_in(role) for role in Role}
    return {permission: made[next(iter(roles))] for permission, roles in GRANTS.items()}


def endless(size: int) -> Iterator[bytes]:
    """A body whose length is not announced."""
    while size > 0:
        yield b"x" * min(size, 1 << 16)
        size -= 1 << 16


@pytest.mark.parametrize("is_announced", [True, False])
def test_every_route_refuses_one_byte_more_than_its_limit(
    app: Litestar, logged_in: LogIn, is_announced: bool
) -> None:
    browsers = admitted(logged_in)
    routes = [route for route in route_table(app) if route[1] == "POST"]
    assert len(routes) > 40
    for path, method, handler in routes:
        if path.endswith(READS_NOTHING) and not is_announced:
            continue
        client = browsers[handler.opt[PERMISSION]]
        limit = body_limit(handler, method)
        assert 0 < limit <= 64 << 20
        if limit > 16 << 20:
            continue  # a list to import: tested with the page
        body = b"x" * (limit + 1) if is_announced else endless(limit + 1)
        answer = client.post(address(path), content=body, headers=FORM)
        assert answer.status_code == 413, f"{path}: {answer.status_code}"


def test_routes_that_take_no_file_take_little(app: Litestar) -> None:
    large = {
        path[3:] if path[1:3] in ("en", "it") else path
        for path, method, handler in route_table(app)
        if method == "POST" and body_limit(handler, method) > FORM_BYTES
    }
    assert large == {
        "/desk/tournaments/{tournament:int}/report",
        "/calculator/side-by-side/report",
        "/desk/lists/import",
        "/committee/cases/{case:int}/evidence",
        "/hall/{event:str}/filings",
        "/hall/{event:str}/filings/message",
        "/settings/crest",
        "/first-steps/identity",
        "/accounts/many",
        "/hall/{event:str}/invite/file",
        "/api/v1/tournaments/{tournament:int}/reports",
        "/api/v1/tournaments/{tournament:int}/reports/check",
    }


def test_a_page_is_asked_for_without_a_body(client: Client) -> None:
    assert client.request("GET", "/en", content=b"x").status_code == 413


def test_the_page_says_how_much_it_takes(logged_in: LogIn) -> None:
    client = logged_in(Role.PLAYER)
    answer = client.post("/it/account/password", content=b"x" * (FORM_BYTES + 1), headers=FORM)
    assert answer.status_code == 413
    assert "64 KB" in answer.text
    assert "/it/log-out" in answer.text, "whoever is logged in stays so"
    assert faults_of(answer.text) == []


def test_more_fields_than_any_form_has_are_refused_unparsed(client: Client) -> None:
    token = token_of(client, "/en/log-in")
    fields = [b"email=a", b"password=b", b"%s=%s" % (TOKEN_FIELD.encode(), token.encode())]
    most = b"&".join(fields + [b"a=1"] * (MAX_FIELDS - 3))
    assert client.post("/en/log-in", content=most, headers=FORM).status_code == 401
    assert client.post("/en/log-in", content=most + b"&a=1", headers=FORM).status_code == 400


def test_a_form_of_many_parts_is_refused(logged_in: LogIn) -> None:
    client = logged_in(Role.PLAYER)
    part = b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'
    headers = {"content-type": "multipart/form-data; boundary=b"}
    body = part * (MAX_FIELDS + 1) + b"--b--\r\n"
    assert len(body) < FORM_BYTES
    assert client.post("/en/account/password", content=body, headers=headers).status_code == 400


@pytest.mark.parametrize(
    "body", [b"", b"--b", b"--b\r\n\r\n", b"nonsense", b"--b\r\nX: y\r\n\r\n1\r\n--b--\r\n"]
)
def test_what_is_no_form_is_refused_in_words(logged_in: LogIn, body: bytes) -> None:
    client = logged_in(Role.PLAYER)
    headers = {"content-type": "multipart/form-data; boundary=b", TOKEN_HEADER: token_of(client)}
    answer = client.post("/en/account/password", content=body, headers=headers)
    assert answer.status_code in (400, 422)
    no_boundary = {**headers, "content-type": "multipart/form-data"}
    assert client.post("/en/account/password", content=body, headers=no_boundary).status_code == 400


def test_a_length_that_is_none_is_refused(client: Client) -> None:
    headers = FORM | {"content-length": "-5"}
    assert client.post("/en/log-in", content=endless(5), headers=headers).status_code == 400


class TestCost:
    """Forms of a whole route's limit, made to cost as much as they can."""

    def spent(self, what: object) -> float:
        assert callable(what)
        took = []
        for _ in range(5):
            begun = time.thread_time()
            what()
            took.append(time.thread_time() - begun)
        return min(took) * 1000

    def test_what_is_parsed_in_the_loop_costs_nothing_felt(self) -> None:
        least = b"&".join([b"%41=%42"] * 512)[:4096]
        assert self.spent(lambda: parse_urlencoded(least)) < SLACK

    def test_the_worst_form_costs_a_thread_little(self) -> None:
        field = b"%41" * 10 + b"=" + b"%42" * 11
        worst = b"&".join([field] * (MAX_FIELDS - 1))[:FORM_BYTES]
        assert self.spent(lambda: parse_urlencoded(worst)) < 5 * SLACK

    def test_the_worst_parts_cost_a_thread_little(self) -> None:
        part = b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'
        worst = part * (MAX_FIELDS - 1) + b"--b--\r\n"

        def parse() -> None:
            assert len(parse_multipart(BytesIO(worst), "b")["a"]) == MAX_FIELDS - 1

        assert self.spent(parse) < 20 * SLACK

    def test_a_part_does_not_choose_its_letters(self) -> None:
        """One that says it is punycode cost a thread 1,000 s for 8 MB, from anybody."""
        head = b'--b\r\nContent-Disposition: form-data; name="a"\r\n'
        body = head + b"Content-Type: text/plain; charset=punycode\r\n\r\ncaf\xc3\xa9\r\n--b--\r\n"
        assert parse_multipart(BytesIO(body), "b")["a"] == ["café"]

    def test_no_number_of_parts_is_parsed_beyond_the_bound(self) -> None:
        part = b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'
        with pytest.raises(ClientException):
            parse_multipart(BytesIO(part * (MAX_FIELDS + 1) + b"--b--\r\n"), "b")


def test_no_form_is_kept_after_its_answer(client: Client) -> None:
    """The framework's own parser keeps the last thousand bodies, and with them passwords."""
    parse_url_encoded_form_data.cache_clear()
    token = token_of(client, "/en/log-in")
    data = {"email": "a@example.org", "password": "never to be kept", TOKEN_FIELD: token}
    assert client.post("/en/log-in", data=data).status_code == 401
    assert parse_url_encoded_form_data.cache_info().currsize == 0
