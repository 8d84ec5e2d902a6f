"""What a log line may not keep is taken out; everything else stays as it was."""

from __future__ import annotations

import hashlib

import pytest

from arrocco.operation.scrubbing import HIDDEN, scrubbed
from arrocco.store.sql.tokens import new_token
from arrocco.web.cookies import form_token, new_visit


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("refused for anna.verdi+x@mail.example.org today", "anna.verdi"),
        ("GET /en/a%40example.org", "a%40example.org"),
        ("postgresql://office:hunter2@db.example.org/office", "hunter2"),
        ("Cookie: arrocco_session=abc; other=1", "abc"),
        ("Authorization: Bearer s3cr3t", "s3cr3t"),
        ("password='correct horse battery'", "correct horse"),
        ("{'password': 'correct horse battery'}", "correct horse"),
        ("token=abc.def", "abc.def"),
    ],
)
def test_secrets_are_taken_out(text: str, secret: str) -> None:
    assert secret not in scrubbed(text)
    assert HIDDEN in scrubbed(text)


def test_every_kind_of_token_is_taken_out_wherever_it_stands() -> None:
    for make in (new_token, new_visit, lambda: form_token(new_visit())):
        for _ in range(500):
            token = make()
            for text in (f"GET /en/{token}", f"('{token}',)", f"x {token}"):
                assert token not in scrubbed(text), token


@pytest.mark.parametrize(
    "text",
    [
        "GET /{language}/players/{player} failed",
        f"list {hashlib.sha256(b'a list').hexdigest()} is whole",
        '  File "/opt/arrocco/lib/python3.11/site-packages/sqlalchemy/engine/base.py", line 1967',
        "    raise LongNameOfAClassThatIsNoSecret(ANOTHER_NAME_OF_A_CONSTANT_VALUE)",
        "the clock of this machine jumped by +3.000 s",
        "test_a_request_is_one_line_of_the_access_log",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert scrubbed(text) == text
