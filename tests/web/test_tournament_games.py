"""The tournament's page: one numbering, its rounds, and the games that came with the report."""

from __future__ import annotations

import re

from tests.web.html import faults_of
from tests.web.public_fixtures import *  # noqa: F403 - fixtures
from tests.web.public_fixtures import Public

PAGE = "/en/tournaments/2"


def test_results_lead_to_their_games_and_back(public: Public) -> None:
    page = public.client.get(PAGE).text
    assert faults_of(page) == []
    assert ">Rank<" in page
    links = re.findall(rf'href="({PAGE}/games/\d+)"', page)
    assert len(set(links)) == 28
    game = public.client.get(links[0]).text
    assert faults_of(game) == []
    assert 'data-moves="e2e4 e7e5"' in game
    assert re.search(r"<span class=\"san\" data-ply=\"2\">e5</span>", game)
    assert f'href="{PAGE}"' in game
    pgn = public.client.get(f"{links[0]}/pgn")
    assert pgn.headers["content-type"] == "application/vnd.chess-pgn"
    assert "1. e4 e5" in pgn.text


def test_a_round_is_shown_by_itself_and_the_last_one_first(public: Public) -> None:
    last, second = public.client.get(PAGE).text, public.client.get(f"{PAGE}?round=2").text
    assert re.search(r'aria-current="true">Round 7<', last)
    assert re.search(r'aria-current="true">Round 2<', second)
    for text in ("0", "99", "x", "9" * 50):
        assert 'aria-current="true">Round 7<' in public.client.get(f"{PAGE}?round={text}").text


def test_games_that_are_not_there_are_not_found(public: Public) -> None:
    for path in (f"{PAGE}/games/0", f"{PAGE}/games/29", f"{PAGE}/games/99999999999999999999"):
        assert public.client.get(path).status_code == 404
        assert public.client.get(f"{path}/pgn").status_code == 404
    assert public.client.get("/en/tournaments/1/games/1").status_code == 404, "it sent none"
