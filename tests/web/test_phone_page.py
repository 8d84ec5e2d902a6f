"""10.3 — the page of a phone that is a second camera: for everybody, of a supervised event only."""

from __future__ import annotations

import pytest

from arrocco.office.roles import Role
from arrocco.words import LANGUAGES, Language, say
from tests.web.conftest import LogIn
from tests.web.html import faults_of
from tests.web.test_hall_pages import announce, app, logged_in

__all__ = ["app", "logged_in"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_10_3_a_phone_needs_no_account_and_reads_what_it_consents_to(
    logged_in: LogIn, language: Language
) -> None:
    event = announce(logged_in(Role.ARBITER), supervision="full").partition("/hall/")[2]
    answer = logged_in(Role.PUBLIC).get(f"/{language}/hall/{event}/phone")
    assert answer.status_code == 200
    assert faults_of(answer.text) == []
    for key in ("phone.what", "consent.who", "consent.kept", "consent.off", "consent.give"):
        assert say(language, f"video_pages.{key}").replace("'", "&#39;") in answer.text
    assert "camera=(self)" in answer.headers["permissions-policy"]


def test_10_3_without_supervision_there_is_no_such_page(logged_in: LogIn) -> None:
    event = announce(logged_in(Role.ARBITER)).partition("/hall/")[2]
    assert logged_in(Role.PUBLIC).get(f"/en/hall/{event}/phone").status_code == 404
    assert logged_in(Role.PUBLIC).get("/en/hall/none/phone").status_code == 404
