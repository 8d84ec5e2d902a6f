"""The law browser: every article of every edition has a place that links lead to."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import pytest
from anyio.from_thread import BlockingPortal

from arrocco.lawbook import last_day, meaning, rule_words
from arrocco.laws import registry
from arrocco.laws.edition import Edition, edition_name
from arrocco.web import writing
from arrocco.web.templating import environment
from arrocco.words import LANGUAGES, Language, say
from tests.web.conftest import Client
from tests.web.html import faults_of
from tests.web.readers import reader
from tests.web.visits import all_of

EDITIONS = [edition for law in registry.REGULATIONS for edition in registry.texts(law)]


@pytest.fixture(scope="module")
def client(
    filled: Path, portal: BlockingPortal, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Client]:
    with reader(filled, portal, tmp_path_factory.mktemp("reading")) as made:
        yield made


def page_of(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, path
    assert faults_of(answer.text) == [], path
    return answer.text


def plain(text: str) -> str:
    return " ".join(all_of(text, "//body")[0].text_content().split())


def address(edition: type[Edition], language: Language = "en") -> str:
    return f"/{language}/law/{edition.law}/{edition_name(edition)}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.__name__)
def test_an_edition_shows_all_it_says(
    client: Client, edition: type[Edition], language: Language
) -> None:
    text = page_of(client, address(edition, language))
    shown = plain(text)
    for rule in edition.rules():
        assert rule_words(language, edition, rule)[1:].replace("`", "") in shown
    for name, value in edition.values():
        unit = say(language, f"law.unit{'_one' if int(value) == 1 else ''}.{value.unit}")
        assert f"{meaning(language, value)[1:]} {name}{int(value)} {unit}" in shown
    for reading in edition.READINGS:
        assert meaning(language, reading) in shown
        assert say(language, f"law.basis.{reading.basis}") in shown
        for choice in reading.choices:
            assert f"{choice.name} {meaning(language, choice)}" in shown


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.__name__)
def test_every_article_that_is_cited_has_its_place(client: Client, edition: type[Edition]) -> None:
    ids = set(all_of(page_of(client, address(edition)), "//@id"))
    cited = {rule.article for rule in edition.rules()}
    cited |= {value.article for _, value in edition.values()}
    cited |= {reading.article for reading in edition.READINGS}
    cited |= set(getattr(edition, "ARTICLES", {}).values())
    cited |= set(getattr(edition, "EXCLUSION_ARTICLES", {}).values())
    assert {f"art-{article.replace(' ', '_')}" for article in cited} <= ids


def test_articles_stand_in_the_order_of_the_text(client: Client) -> None:
    def numbers(edition: str) -> list[str]:
        text = page_of(client, f"/en/law/fide/{edition}")
        return [str(n.text_content()) for n in all_of(text, "//section[@class='art']/h2")]

    new, old = numbers("2024-03-01"), numbers(edition_name(registry.texts("fide")[0]))
    assert new.index("7.2.2") < new.index("8.1.1") < new.index("8.3.1")
    assert old.index("8.2") < old.index("8.21") < old.index("8.3") < old.index("8.51")


def test_the_tables_stand_as_they_are_printed(client: Client) -> None:
    text = page_of(client, "/it/law/fide/2024-03-01")
    rows = [tuple(row.itertext()) for row in all_of(text, "//table[@class='printed']//tbody/tr")]
    assert ("392–411", "0,92", "0,08") in rows
    assert ("> 735", "1,00", "0,00") in rows
    assert ("0,66", "+117") in rows
    assert ("0,00", "−800") in rows


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_regulations_and_their_editions_are_listed(client: Client, language: Language) -> None:
    text = page_of(client, f"/{language}/law")
    links = set(all_of(text, "//main//a/@href"))
    assert {address(edition, language) for edition in EDITIONS} <= links
    for law in registry.REGULATIONS:
        assert f"/{language}/law/{law}" in links
        own = set(all_of(page_of(client, f"/{language}/law/{law}"), "//main//a/@href"))
        assert {address(edition, language) for edition in registry.texts(law)} <= own


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_days_of_an_edition_stand_once_and_as_pages_write_days(
    client: Client, language: Language
) -> None:
    for edition in registry.texts("fide"):
        first, last = edition.in_force.start, last_day(edition)
        assert first is not None
        days = writing.day(language, first)
        days = writing.days(language, first, last) if last else days
        for path in (f"/{language}/law", f"/{language}/law/fide"):
            rows = all_of(page_of(client, path), "//table//tr")
            (row,) = [row for row in rows if address(edition, language) in row.xpath(".//a/@href")]
            assert days in " ".join(row.xpath("td")[0].itertext()), path
            assert "".join(row.itertext()).count(days) == 1, path
        (lead,) = all_of(page_of(client, address(edition, language)), "//p[@class='lead']")
        assert "".join(lead.itertext()).count(days) == 1
        assert edition_name(edition) not in plain(page_of(client, f"/{language}/law/fide"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_two_editions_can_be_compared(client: Client, language: Language) -> None:
    for law in registry.REGULATIONS:
        for one, other in combinations(registry.texts(law), 2):
            names = f"{edition_name(one)}/{edition_name(other)}"
            path = f"/{language}/law/{law}/diff/{names}"
            assert path in all_of(client.get(f"/{language}/law/{law}").text, "//main//a/@href")
            text = page_of(client, path)
            ids = {
                address(edition, language): set(
                    all_of(client.get(address(edition, language)).text, "//@id")
                )
                for edition in (one, other)
            }
            for link in all_of(text, "//main//a[@class='article']/@href"):
                target, _, anchor = link.partition("#")
                assert anchor in ids[target], link


def test_a_comparison_shows_what_changed_and_what_did_not(client: Client) -> None:
    text = page_of(client, "/en/law/fide/diff/2024-03-01/2025-10-01")
    row = next(r for r in all_of(text, "//tr") if "FULL_DIFFERENCE_RATING" in r.text_content())
    cells = [" ".join(cell.text_content().split()) for cell in row.xpath("td")]
    assert cells == ["not in this edition", "2650 rating 8.3.1"]
    rules = plain(text)
    assert "unless the player's own rating is 2650 or more" in rules
    assert "registration_deadline" not in rules


@pytest.mark.parametrize(
    "path",
    ["law/nowhere", "law/fide/1999-01-01", "law/fide/diff/2024-03-01/1999-01-01", "law/x/diff/a/b"],
)
def test_what_is_not_there_is_said_to_be_not_there(client: Client, path: str) -> None:
    for language in LANGUAGES:
        assert 'class="notice error"' in page_of(client, f"/{language}/{path}", 404)


def test_several_articles_of_one_finding_are_links_of_their_own(client: Client) -> None:
    source = (
        '{% import "parts/page.html" as part with context %}'
        "{{ part.article('6.1.3, 8.1', 'fide-rapid', '2024-12-01') }}"
    )
    view = SimpleNamespace(article_link=lambda *of: "/en/law/{}/{}#art-{}".format(*of))
    shown = (
        environment()
        .from_string(source)
        .render(view=view, url=lambda path: f"/en{path}", t=say, language="en")
    )
    links = [str(one) for one in all_of(f"<p>{shown}</p>", "//a/@href")]
    page = "/en/law/fide-rapid/2024-12-01"
    assert links == [f"{page}#art-6.1.3", f"{page}#art-8.1"]
    places = {str(one) for one in all_of(client.get(page).text, "//@id")}
    assert {"art-6.1.3", "art-8.1"} <= places
