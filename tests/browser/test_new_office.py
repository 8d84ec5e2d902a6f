"""A new federation, from `office init` to a published list and five invited people, in a browser.

And its players: signing up by link on a telephone, claiming their number; and passkeys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image
from playwright.sync_api import Page, expect

from arrocco.cli.main import program
from arrocco.desk import Office
from arrocco.office.roles import Role
from arrocco.office.settings import SignUp
from arrocco.words import Language, say
from tests.browser.conftest import BUILT, NewTab, Served, keep
from tests.browser.desk_served import answering
from tests.browser.languages import first_in
from tests.desk.mailbag import token_in
from tests.desk.offices import Clock, data_of, name_of, player_id, report, write_opening

pytestmark = pytest.mark.skipif(
    not (BUILT / "passkey.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)
PASSWORD = "sette torri di carta"
JUNE, JULY, AUGUST = (date(2025, month, 1) for month in (6, 7, 8))
FIRST = report(1, date(2025, 7, 20), name="Open di Rocca")
"""The first tournament of the federation."""


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[tuple[Office, str, Clock]]:
    """An office as `office init` leaves it, and the link that it prints."""
    folder, clock = tmp_path / "office", Clock()
    clock.go_to(JULY)
    command = ["office", "init", "--office", str(folder), "--email", "head@example.org", "--json"]
    answer = CliRunner().invoke(program, [*command, "--site", "https://office.example"])
    assert answer.exit_code == 0, answer.output
    link = json.loads(answer.output)["link"]
    assert link.startswith("https://office.example/en/invitation?token=")
    with closing(Office.open(folder)) as real:  # the invitation is of today, the clock is not
        token = link.partition("token=")[2]
        assert real.accounts.invitation(token).role is Role.HEAD_OF_OFFICE
    with closing(Office.open(folder, now=clock)) as office:
        yield office, token, clock


@pytest.fixture
def office(begun: tuple[Office, str, Clock]) -> Office:
    return begun[0]


@pytest.fixture
def served(office: Office) -> Iterator[Served]:
    with answering(office) as server:
        # A passkey belongs to the name of a site, which an address in numbers is not.
        yield Served(server.address.replace("127.0.0.1", "localhost"), office.folder)


def button(page: Page, language: Language, key: str) -> Any:
    return page.get_by_role("button", name=say(language, key), exact=True)


def crest_in(folder: Path) -> Path:
    """A picture for the head of every page."""
    path = folder / "crest.png"
    Image.new("RGB", (64, 64), "#1f4a7a").save(path)
    return path


def go_on(page: Page, language: Language, step: str) -> None:
    """After something was done its page leads back to the steps, and these to the next one."""
    name = say(language, f"access.steps.{step}")
    page.get_by_role("link", name=say(language, "access.steps.go_on", step=name)).click()
    expect(page.locator("#step-head")).to_have_text(name)
    keep(page, language, f"first-steps-{step}")


def draft_and_publish(page: Page, language: Language) -> None:
    """The next list of the first system, drafted, looked at and published."""
    page.goto(f"/{language}/desk/lists")
    page.locator("main tbody form button").first.click()
    expect(page.locator("#draft")).to_be_visible(timeout=90_000)
    page.locator(".confirm summary.primary").click()
    page.check("#looked")
    button(page, language, "desk_pages.draft.publish_button").click()
    expect(page.locator(".notice.done")).to_be_visible(timeout=60_000)


def log_in_again(page: Page, language: Language, email: str) -> None:
    """Weeks later the session is over."""
    page.goto(f"/{language}/log-in")
    page.fill("#email", email)
    page.fill("#password", PASSWORD)
    button(page, language, "web.log_in.button").click()
    page.wait_for_url(f"**/{language}")


@first_in("en")
def test_a_federation_begins(
    new_tab: NewTab,
    begun: tuple[Office, str, Clock],
    tmp_path: Path,
    language: Language,
) -> None:
    office, token, clock = begun
    page = new_tab(language, width=1366)
    page.goto(f"/{language}/invitation?token={token}")
    page.fill("#name", "Ada Rossi")
    page.fill("#password", PASSWORD)
    page.fill("#again", PASSWORD)
    button(page, language, "web.invitation.button").click()

    page.wait_for_url(f"**/{language}/first-steps")  # 1: name and crest
    page.fill("#name_en", "Chess Federation of Rocca")
    page.fill("#name_it", "Federazione di Rocca")
    page.fill("#accent", "#1f4a7a")
    page.set_input_files("#crest", crest_in(tmp_path))
    keep(page, language, "first-steps-identity")
    button(page, language, "access.steps.save").click()
    expect(page.locator("#step-head")).to_have_text(say(language, "access.steps.list"))
    expect(page.locator(".brand img.crest")).to_be_visible()
    keep(page, language, "first-steps-list")

    page.get_by_role("link", name=say(language, "access.steps.list_link")).click()  # 2
    page.select_option("#system", "fide")
    page.fill("#list_date", JUNE.isoformat())
    page.set_input_files("#file", write_opening(tmp_path / "list.csv"))
    button(page, language, "desk_pages.import.button").click()
    expect(page.locator(".notice.done")).to_be_visible(timeout=60_000)

    go_on(page, language, "people")  # 3
    page.get_by_role("link", name=say(language, "access.steps.people_link")).click()
    people = ("rating_administrator", "federation_officer", "arbiter", "player", "arbiter")
    links = {}
    for number, role in enumerate(people):
        form = page.locator(f'form[action="/{language}/accounts/invite"]')
        form.locator("#email").fill(f"person{number}@example.org")
        form.locator("#role").select_option(role)
        form.locator("#federation").fill("ITA" if role == "federation_officer" else "")
        form.locator("#player").fill(str(player_id(1)) if role == "player" else "")
        form.locator("button").click()
        expect(page.locator(".notice.done")).to_contain_text(f"person{number}@example.org")
        links[role] = page.locator("code.copy").inner_text()
    keep(page, language, "first-steps-invited")
    head = office.accounts.asker_of(_session(page))
    assert len(office.accounts.waiting(head)) == 5

    go_on(page, language, "tournament")  # 4
    page.get_by_role("link", name=say(language, "access.steps.tournament_link")).click()
    register_first(page, language)
    go_on_to_ready(page, language)  # 5
    draft_and_publish(page, language)
    expect(page.locator(".next-step")).to_have_count(0)
    latest = office.lists.latest("fide")
    assert latest is not None
    assert latest.list_date == JULY

    page.goto(f"/{language}/lists/fide/latest")  # on paper the list is the federation's
    letterhead, menu = page.locator(".letterhead"), page.locator("header.head")
    expect(letterhead).to_be_hidden()
    page.emulate_media(media="print")
    expect(letterhead).to_contain_text(
        {"en": "Chess Federation of Rocca", "it": "Federazione di Rocca"}[language]
    )
    expect(letterhead).to_be_visible()
    expect(menu).to_be_hidden()
    page.emulate_media(media="screen")

    phone = new_tab(language, width=390)  # the invited player, who types nothing the office knows
    phone.goto(links["player"].replace(links["player"].split("/invitation")[0], f"/{language}"))
    assert phone.locator("#email, #player").count() == 0
    expect(phone.locator("#name")).to_have_value(name_of(1))
    phone.fill("#password", PASSWORD)
    phone.fill("#again", PASSWORD)
    keep(phone, language, "phone-invited")
    button(phone, language, "web.invitation.button").click()
    phone.wait_for_url(re.compile(rf"/{language}(/.*)?$"))
    assert FIRST.end is not None
    clock.go_to(FIRST.end)
    rate_first(page, office, clock, language)
    log_in_again(phone, language, "person3@example.org")
    phone.goto(f"/{language}/my-rating")
    phone.wait_for_url(f"**/{language}/players/{player_id(1)}")
    keep(phone, language, "phone-my-rating")
    receipt = f"a[href$='/players/{player_id(1)}/fide/{AUGUST}']"
    phone.locator("main details", has=phone.locator(receipt)).first.locator("summary").click()
    phone.locator(f"main {receipt}:visible").first.click()
    expect(phone.locator("main")).to_contain_text(FIRST.name)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    keep(phone, language, "phone-receipt")


def register_first(page: Page, language: Language) -> None:
    """The first tournament, by the form that the step leads to."""
    page.fill("#name", FIRST.name)
    page.fill("#city", "Rocca")
    page.fill("#federation", "ITA")
    page.fill("#chief_arbiter", FIRST.chief_arbiter)
    page.select_option("#pairing", "round_robin")
    page.fill("#time_control", "90 min + 30 sec/move")
    page.check("input[value=fide]")
    page.fill("#start", str(FIRST.start))
    page.fill("#end", str(FIRST.end))
    page.fill("#rounds", str(FIRST.rounds))
    page.fill("#expected_players", str(len(FIRST.entries)))
    button(page, language, "desk_pages.register.rows").click()
    button(page, language, "desk_pages.register.assess").click()
    expect(page.locator(".panel")).to_contain_text(
        say(language, "desk_pages.assess.status.in_time")
    )
    button(page, language, "desk_pages.register.button").click()
    expect(page.locator("h1")).to_have_text(FIRST.name)
    keep(page, language, "first-steps-registered")


def go_on_to_ready(page: Page, language: Language) -> None:
    """All four are done: one link leads to the page that says so, and none after it was read."""
    expect(page.locator(".notice.done")).to_be_visible()
    go_on(page, language, "ready")
    expect(page.locator("#step-head")).to_have_text(say(language, "access.steps.ready"))
    button(page, language, "access.steps.ready_link").click()
    page.wait_for_url(f"**/{language}")


def rate_first(page: Page, office: Office, clock: Clock, language: Language) -> None:
    """Its report is sent and accepted, and the list of August has it."""
    log_in_again(page, language, "head@example.org")
    page.goto(f"/{language}/desk/tournaments")
    page.locator("main tbody a").first.click()
    page.get_by_role("link", name=say(language, "desk_pages.send.title")).first.click()
    file = {"name": "open.trf", "mimeType": "text/plain", "buffer": data_of(FIRST)}
    page.set_input_files("#file", file)  # type: ignore[arg-type]
    button(page, language, "desk_pages.send.send").click()
    button(page, language, "desk_pages.report.accept").click()
    expect(page.locator(".notice.done")).to_be_visible()
    clock.go_to(AUGUST)
    log_in_again(page, language, "head@example.org")
    draft_and_publish(page, language)
    latest = office.lists.latest("fide")
    assert latest is not None
    assert latest.list_date == AUGUST


def _session(page: Page) -> str:
    cookies = {cooky["name"]: cooky["value"] for cooky in page.context.cookies()}
    return str(cookies["arrocco_session"])


@pytest.fixture
def head(begun: tuple[Office, str, Clock], tmp_path: Path) -> Any:
    """Who heads an office that has a list and lets players sign up by link."""
    office, token, _ = begun
    office.accounts.accept_invitation(token, "Ada Rossi", PASSWORD)
    asker = office.accounts.asker_of(office.accounts.log_in("head@example.org", PASSWORD))
    office.lists.import_list(asker, "fide", JUNE, write_opening(tmp_path / "list.csv"))
    office.settings.change(asker, sign_up=SignUp.LINK)
    return asker


@first_in("it")
def test_a_player_signs_up_by_link_on_a_telephone_and_claims_a_number(
    new_tab: NewTab, office: Office, head: Any, language: Language
) -> None:
    link = office.settings.new_sign_up_link(head, 7)
    phone = new_tab(language, width=390)
    phone.goto(f"/{language}/sign-up?token={link}")
    phone.fill("#email", "two@example.org")
    keep(phone, language, "phone-sign-up")
    button(phone, language, "access.sign_up.button").click()
    expect(phone.locator(".notice.done")).to_contain_text("two@example.org")
    phone.goto(f"/{language}/sign-up/confirm?token={token_in(office, 'sign_up')}")
    phone.fill("#name", "Brughera Fintab")
    phone.fill("#password", PASSWORD)
    phone.fill("#again", PASSWORD)
    button(phone, language, "access.sign_up.finish").click()
    phone.wait_for_url(f"**/{language}/account/number")
    phone.fill("#player", str(player_id(2)))
    phone.fill("#note", "Circolo di Rocca")
    keep(phone, language, "phone-claim")
    button(phone, language, "access.number.ask").click()
    expect(phone.locator(".notice.waiting")).to_contain_text(str(player_id(2)))
    width = phone.evaluate("document.documentElement.scrollWidth")
    assert width <= 390, "nothing stands beyond the edge of the telephone"
    (waiting,) = office.claims.waiting(head)
    office.claims.decide(head, waiting.claim.id, accept=True)
    phone.reload()
    expect(phone.locator("main")).to_contain_text(
        say(language, "access.number.have", player=player_id(2))
    )


@first_in("en")
def test_a_passkey_is_made_and_opens_the_account(
    new_tab: NewTab, office: Office, head: Any, language: Language
) -> None:
    page = new_tab(language, width=1280)
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    key = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    added = devtools.send("WebAuthn.addVirtualAuthenticator", {"options": key})

    def log_in() -> None:
        page.goto(f"/{language}/log-in")
        page.fill("#email", "head@example.org")
        page.fill("#password", PASSWORD)
        button(page, language, "web.log_in.button").click()

    log_in()
    page.wait_for_url(f"**/{language}")
    page.goto(f"/{language}/account/second-factor")
    button(page, language, "access.factor.passkey_button").click()
    expect(page.locator(".codes li")).to_have_count(10)
    keep(page, language, "passkey-made")
    page.context.clear_cookies()
    log_in()
    page.wait_for_url(re.compile(r"/log-in/second"))
    keep(page, language, "passkey-asked")
    button(page, language, "access.factor.log_in_passkey").click()
    page.wait_for_url(re.compile(rf"/{language}/?$"))
    (factor,) = office.second_factors.own(office.accounts.asker_of(_session(page))).factors
    assert factor.kind == "passkey"
    assert factor.used_at

    # Another key is not taken, and the page says so without a session.
    page.context.clear_cookies()
    log_in()
    page.wait_for_url(re.compile(r"/log-in/second"))
    removed = {"authenticatorId": added["authenticatorId"]}
    devtools.send("WebAuthn.removeVirtualAuthenticator", removed)
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": key})
    button(page, language, "access.factor.log_in_passkey").click()
    expect(page.locator("[data-passkey-failed]")).to_be_visible(timeout=70_000)
    assert "arrocco_session" not in {cooky["name"] for cooky in page.context.cookies()}
