"""What nobody would write by hand is refused in words: it is no defect of the site."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from arrocco.office.roles import Role
from arrocco.web.forms import Form, whole_number
from tests.web.conftest import Client, LogIn
from tests.web.visits import posted

DIGITS = "9" * 5000
"""More digits than Python makes a number of."""


@pytest.mark.parametrize(
    "address",
    [
        "/en/tournaments?page={}",
        "/en/players?q={}",
        "/en/players/{}",
        "/en/tournaments/{}",
        "/en/calculator?law=fide&rating={}&o=2000&r=1",
        "/en/calculator?law=fide&rating=2000&o={}&r=1",
        "/en/calculator?law=fide&rating=2000&o=2000&r={}",
        "/en/calculator?law=fide&rating=2000&o=2000&r=1&what={}:1",
        "/en/calculator?law=fide&rating=2000&o=2000&r=1&control={}",
        "/en/calculator?law=fide&rating=2000&o=2000&r=1&born={}",
        "/en/calculator?law=fide&rating=2000&o=2000&r=1&on={}",
        "/en/calculator?law=fide&remove={}&o=2000&r=1",
        "/en/lists/fide/{}",
        "/en/lists?page={}",
        "/api/v1/players/{}",
        "/api/v1/calculators/change?law=fide&rating={}&games=2000:1",
        "/api/v1/calculators/change?law=fide&rating=2000&games={}:1",
        "/api/v1/calculators/change?law=fide&rating=2000&games=2000:{}",
    ],
)
def test_endless_digits_in_an_address_are_no_defect(client: Client, address: str) -> None:
    assert client.get(address.format(DIGITS)).status_code < 500


@pytest.mark.parametrize(
    "address", ["/en/players?q=a%00", "/en/tournaments?q=%00", "/en/law/%00", "/en/lists/fide/%00"]
)
def test_a_character_that_no_database_keeps_names_nothing(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("control", [f"{DIGITS}+2", f"40/{DIGITS}", "1+" * 400, "40/90:" * 400])
def test_an_endless_time_control_is_no_defect(client: Client, control: str) -> None:
    answer = client.get(
        f"/en/calculator?law=fide&rating=2000&o=2000&r=1&control={quote(control, safe='')}"
    )
    assert answer.status_code < 500


def test_endless_digits_in_a_form_are_refused(logged_in: LogIn) -> None:
    arbiter = logged_in(Role.ARBITER)
    fields = {"rounds": DIGITS, "expected_players": DIGITS, "time_control": DIGITS, "start": DIGITS}
    answer = posted(arbiter, "/en/desk/tournaments/new", fields)
    assert answer.status_code == 422


@pytest.mark.parametrize("text", ["", "-", "--5", "5-", "٣", "1e3", " 5", "9" * 19, DIGITS])
def test_what_is_no_whole_number_is_none(text: str) -> None:
    assert whole_number(text) is None


def test_a_field_holds_no_character_that_no_database_keeps() -> None:
    form = Form({"name": "Ada\0 Rossi\0", "systems": ["fide\0", "rio"]})
    assert form.text("name") == "Ada Rossi"
    assert form.values("systems") == ("fide", "rio")


def test_a_number_has_its_sign_and_its_bounds() -> None:
    form = Form({"a": "-5", "b": "12", "c": DIGITS, "d": "-"})
    assert form.integer("a", least=-10) == -5
    assert form.integer("b", most=12) == 12
    assert form.ok
    assert form.integer("a") is None
    assert form.integer("c") is None
    assert form.integer("d") is None
    assert set(form.errors) == {"a", "c", "d"}


# --- a long address makes no long page ------------------------------------------------------------


def _games(count: int, opponent: str = "2000") -> str:
    return "&".join(f"o={opponent}&r=1" for _ in range(count))


@pytest.mark.parametrize("calculator", ["", "/first-rating", "/performance", "/side-by-side"])
def test_a_query_of_64_kb_makes_no_page_of_megabytes(client: Client, calculator: str) -> None:
    start = f"/en/calculator{calculator}?law=fide&a=fide&b=uisp&rating=2000&{_games(60)}&x="
    answer = client.get(start + "9" * (65_000 - len(start)))
    assert answer.status_code == 414
    assert len(answer.content) < 50_000


@pytest.mark.parametrize("calculator", ["", "/first-rating", "/performance"])
def test_links_repeat_only_what_a_calculator_reads(client: Client, calculator: str) -> None:
    start = f"/en/calculator{calculator}?law=fide&rating=2000&{_games(60)}"
    plain = client.get(start)
    padded = client.get(f"{start}&x={'9' * 6000}")
    assert plain.status_code == padded.status_code == 200
    assert "what-if" in plain.text
    assert len(padded.content) < len(plain.content) + 50_000
    assert len(plain.content) < 250_000


def test_more_games_than_one_calculation_takes_are_refused_in_words(client: Client) -> None:
    assert client.get(f"/en/calculator?law=fide&rating=2000&{_games(60)}").status_code == 200
    answer = client.get(f"/en/calculator?law=fide&rating=2000&{_games(61)}")
    assert answer.status_code == 422
    assert "61 games;" in answer.text
    assert "at most 60" in answer.text
