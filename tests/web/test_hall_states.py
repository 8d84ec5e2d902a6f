"""The list of events and the page of each say the same of where it stands."""

from __future__ import annotations

from litestar import Litestar

from arrocco.desk import Office
from arrocco.office.roles import Role
from arrocco.words import LANGUAGES
from tests.web.conftest import Client, LogIn
from tests.web.test_hall_pages import announce, app, asked, end_the_game, enter_both, logged_in
from tests.web.visits import all_of

__all__ = ["app", "logged_in"]


def stated(client: Client, event: str) -> tuple[str, str]:
    """What list and page say, in the language of neither: the same in both."""
    said = []
    for language in LANGUAGES:
        own = f"/{language}{event[3:]}"
        (row,) = all_of(client.get(f"/{language}/hall").text, f"//tr[.//a[@href='{own}']]")
        listed = " ".join(row.xpath("string(td[last()])").split())
        page = all_of(client.get(own).text, "//*[@data-live='state']//dd[1]")[0]
        shown = " ".join(page.xpath("string()").split())
        assert listed == shown, language
        said.append(shown)
    return said[0], said[1]


def test_list_and_page_agree_from_the_entries_to_the_validation(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    arbiter, public = logged_in(Role.ARBITER), logged_in(Role.PUBLIC)
    event = announce(arbiter)
    seen = [stated(public, event)]
    enter_both(office, arbiter, event)
    for act in ("pair_round", "open_round"):
        asked(arbiter, event, act)
        seen.append(stated(public, event))
    end_the_game(app.state.live, event.removeprefix("/en/hall/"), arbiter)
    for act in ("close_round", "close_event"):
        asked(arbiter, event, act)
        seen.append(stated(public, event))
    assert len(set(seen)) == len(seen), "each step is told"
    assert stated(arbiter, event) == seen[-1], "whoever asks"
