"""The handbooks: every role has one in both languages, and all they name is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arrocco import words
from arrocco.office.roles import Role
from arrocco.web.assets import STATIC
from arrocco.web.handbooks import HANDBOOKS, handbook, source
from arrocco.web.handbooks.pictures import PICTURES, file_name
from arrocco.web.navigation import is_page
from arrocco.words import LANGUAGES, Language, catalogue
from tests.web.conftest import Client, LogIn
from tests.web.html import faults_of

MAX_BYTES = 60_000
_LINK = re.compile(r"(?<!!)\[[^]]+\]\((/[^)]*)\)")
_NAMED = re.compile(r"(?<![*\w])\*(?!\*)([^*\n]+?)\*(?!\*)")
_PICTURE = re.compile(r"!\[([^]]+)\]\(picture:([\w-]+)\)")


def test_handbooks_are_good_pages_and_all_they_name_is_there(client: Client) -> None:
    for language in LANGUAGES:
        for name in HANDBOOKS:
            check(client, language, name)


def check(client: Client, language: Language, name: str) -> None:
    answer = client.get(f"/{language}/help/{name}")
    assert answer.status_code == 200
    assert not faults_of(answer.text)
    text = source(language, name)
    shown = re.findall(r'<img src="(/static/help/[^"]+)"', answer.text)
    assert len(shown) == len(_PICTURE.findall(text)) >= 2
    for address in shown:
        assert client.get(address).headers["content-type"] == "image/webp"
    for link in _LINK.findall(text):
        assert is_page(link, client.app.state.pages), link
        assert f'href="/{language}{link.rstrip("/")}"' in answer.text, link


@pytest.mark.parametrize("name", HANDBOOKS)
def test_both_languages_have_the_same_sections_and_pictures(name: str) -> None:
    here, there = (source(language, name) for language in LANGUAGES)
    assert here.count("\n## ") == there.count("\n## ") >= 5
    names = [[picture for _, picture in _PICTURE.findall(text)] for text in (here, there)]
    assert names[0] == names[1]


def test_every_picture_is_small_and_stands_in_a_handbook() -> None:
    used = {p for name in HANDBOOKS for _, p in _PICTURE.findall(source("en", name))}
    assert used == set(PICTURES)
    kept = {file.name: file.stat().st_size for file in (STATIC / "help").iterdir()}
    assert set(kept) == {file_name(language, name) for language in LANGUAGES for name in PICTURES}
    assert max(kept.values()) <= MAX_BYTES


def test_ones_own_handbook_comes_first(logged_in: LogIn, client: Client) -> None:
    page = logged_in(Role.SYSTEM_ADMINISTRATOR).get("/en/help").text
    assert not faults_of(page)
    assert re.findall(r'<li><a href="/en/help/([\w-]+)"', page)[0] == "operator"
    assert (
        re.findall(r'<li><a href="/en/help/([\w-]+)"', client.get("/en/help").text)[0] == "player"
    )


def test_a_handbook_that_is_not_there_is_not_found(client: Client) -> None:
    assert client.get("/en/help/../site").status_code == 404
    assert client.get("/it/help/nobody").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_handbook_names_stands_so_on_the_pages(language: Language) -> None:
    """What is set in italics and begins with a capital letter is a button, a head or a link."""
    parts = [file.stem for file in (Path(words.__file__).parent / language).glob("*.toml")]
    text = "\n".join(said for part in parts for said in catalogue(language, part).values())
    for name in HANDBOOKS:
        for said in _NAMED.findall(source(language, name)):
            if said[0].isupper():
                assert said.rstrip(" …").casefold() in text.casefold(), f"{name}: {said}"


def test_a_handbook_is_read_in_ten_minutes() -> None:
    for language in LANGUAGES:
        for name in HANDBOOKS:
            book = handbook(language, name, str, lambda _: ("", 1, 1))
            assert book.minutes <= 10, name
