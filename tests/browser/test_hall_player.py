"""What a player is told at the board, and a spectator: premoves, offers, promotions, the way on."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from arrocco.hall.event.acts.entries import Enter
from arrocco.hall.event.acts.officials import AppointArbiter, SetRules
from arrocco.hall.event.acts.pairing import PairByHand
from arrocco.hall.event.acts.rounds import CloseRound, OpenRound
from arrocco.hall.event.creation import Create
from arrocco.hall.event.records import Arbiter, PairingSystem, Person
from arrocco.hall.event.rules import Chat, Rules, Spectators
from arrocco.hall.game import State
from tests.browser.conftest import BUILT, NewTab, Served, keep
from tests.browser.hall_stage import Remote, Signed, hall_office, remote, signed
from tests.browser.test_hall_game import by_keys, drag, shows, typed

__all__ = ["hall_office", "remote", "signed"]

pytestmark = pytest.mark.skipif(
    not (BUILT / "hall-game.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)
PHONE = 390
NAMES = {"white": ("Abete", "Bea"), "black": ("Betulla", "Carlo")}
TO_A_PROMOTION = ("a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "c8b7", "a6b7", "h7h5")
EVENT, GAME = "piante", "piante-1-1"


@pytest.fixture
def served(remote: Remote) -> Served:
    return remote.served


def round_of_one_board(remote: Remote, **rules: object) -> None:
    """An event of two players, whose first round is open."""
    create_event(remote, **rules)
    open_round(remote)


def create_event(remote: Remote, **rules: object) -> None:
    """An event of two players; accounts as the stage opens them."""
    chief, white, black = "2", "3", "4"
    day = date(2026, 11, 16)
    create = Create(by=chief, event=EVENT, name="Trofeo delle Piante", start=day, end=day)
    remote.create_event(create)
    given: dict[str, object] = {
        "system": PairingSystem.MANUAL,
        "rounds": 2,
        "time_control": "180+2",
        "tolerance": timedelta(minutes=5),
        "disconnection_rule": "The clock runs.",
        "federation_id_required": False,
        **rules,
    }
    people = [
        Person(account=account, surname=surname, name=name)
        for account, (surname, name) in zip((white, black), NAMES.values(), strict=True)
    ]
    remote.ask(
        EVENT,
        SetRules(by=chief, rules=Rules(**given)),  # type: ignore[arg-type]
        AppointArbiter(by=chief, arbiter=Arbiter(account=chief, name="Cedro", chief=True)),
        *(Enter(by=chief, person=person) for person in people),
    )


def open_round(remote: Remote) -> None:
    pairing = PairByHand(by="2", boards=((1, 2),), reason="by hand")
    remote.ask(EVENT, pairing, OpenRound(by="2"))


def state(remote: Remote) -> State:
    return remote.state(GAME)


def says(page: Page, text: str) -> None:
    """The region that screen readers read out."""
    expect(page.locator("[data-part=live]")).to_contain_text(text)


def turn(page: Page, text: str = "Your move") -> None:
    expect(page.locator("[data-part=status]")).to_have_text(text)


@contextmanager
def together(page: Page) -> Iterator[None]:
    """What the server says is held back; after the block it comes all at once, in one frame."""
    held: list[str] = page.held  # type: ignore[attr-defined]
    held.append("")
    yield
    page.wait_for_timeout(300)
    frames = [frame for frame in held if frame]
    held.clear()
    page.line.send("\n".join(frames))  # type: ignore[attr-defined]


def hold_line(page: Page) -> None:
    """Lets a test hold back what the server says."""
    held: list[str] = []

    def opened(line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        page.line = line  # type: ignore[attr-defined]

        def said(message: str | bytes) -> None:
            text = message if isinstance(message, str) else message.decode()
            if held:
                held.append(text)
            else:
                line.send(text)

        server.on_message(said)

    page.held = held  # type: ignore[attr-defined]
    page.route_web_socket(re.compile("/hall/socket"), opened)


@pytest.fixture
def players(new_tab: NewTab, signed: Signed) -> tuple[Page, Page]:
    white, black = new_tab("en"), new_tab("en", width=PHONE)
    signed(white, "white")
    signed(black, "black")
    hold_line(black)
    return white, black


def come(*pages: Page) -> None:
    for page in pages:
        page.goto(f"/en/hall/game/{GAME}")
    turn(pages[0])


def test_a_premove_that_takes_the_place_of_another_is_kept(
    remote: Remote, players: tuple[Page, Page]
) -> None:
    white, black = players
    round_of_one_board(remote)
    come(white, black)
    drag(black, "e7e5", "black")
    says(black, "premove: e7 to e5")
    # That the first is dropped and the second held is told in the same moment.
    with together(black):
        drag(black, "g8f6", "black")
    says(black, "premove: g8 to f6")
    black.wait_for_timeout(300)
    assert state(remote).black.premove is not None
    expect(black.locator("square.current-premove:visible")).to_have_count(2)
    # Two moves at once are said both.
    drag(white, "e2e4", "white")
    says(white, "pawn from e2 to e4. knight from g8 to f6")


def test_a_player_is_told_what_became_of_premoves_and_offers(
    remote: Remote, players: tuple[Page, Page]
) -> None:
    white, black = players
    round_of_one_board(remote)
    come(white, black)
    typed(black, "e7e5")
    says(black, "premove: e7 to e5")
    black.locator(".board").focus()
    says(black, "e2, white pawn")
    black.keyboard.press("Escape")
    says(black, "premove cancelled")
    by_keys(white, "e2e4", "white")
    shows(black, "e4")
    black.locator(".board").focus()
    black.keyboard.press("l")
    says(black, "pawn from e2 to e4")
    black.keyboard.press("t")
    says(black, "White 3:0")
    typed(black, "d5")
    shows(white, "d5")
    typed(black, "d5e4")
    until = time.monotonic() + 60
    while state(remote).black.premove is None:  # it must be there before White's move
        assert time.monotonic() < until
        time.sleep(0.05)
    typed(white, "e5")
    says(black, "was no longer legal")
    expect(black.locator("[data-part=notice]")).to_contain_text("no longer legal")
    # An offer made before the move stands beside it, and until the opponent moves.
    black.get_by_role("button", name="Offer a draw").click()
    black.locator("[data-part=offer-dialog] button.accept").click()
    says(white, "offers a draw")
    expect(white.locator("[data-part=offered]")).to_be_visible()
    typed(black, "f6")
    expect(black.locator("[data-part=notice]")).to_be_hidden()
    expect(white.locator("[data-part=moves] tr").nth(1)).to_contain_text("f6 (=)")
    keep(white, "en", "hall-game-offered")
    typed(white, "exf6")
    expect(white.locator("[data-part=offered]")).to_be_hidden()
    for name in ("Abete, Bea's time left (White)", "Betulla, Carlo's time left (Black)"):
        expect(white.get_by_role("timer", name=name, exact=True)).to_be_visible()


def test_a_promotion_is_asked_for_and_the_question_outlives_other_news(
    remote: Remote, players: tuple[Page, Page]
) -> None:
    white, black = players
    round_of_one_board(remote)
    come(white, black)
    for one, move in enumerate(TO_A_PROMOTION):
        turn(players[one % 2])
        typed(players[one % 2], move)
    turn(white)
    typed(white, "bxa8")
    expect(white.locator(".promotion")).to_be_visible()
    black.goto("about:blank")
    expect(white.locator("[data-part=top] [data-part=line]")).to_have_class(re.compile("off"))
    expect(white.locator(".promotion")).to_be_visible()
    for key in ("ArrowLeft", "Enter"):
        white.keyboard.press(key)
    shows(white, "bxa8=N")


def test_what_the_arbiter_does_is_told_with_its_reason_and_who_is_there(
    remote: Remote, players: tuple[Page, Page]
) -> None:
    white, black = players
    round_of_one_board(remote, chat=Chat.CLOSED)
    come(white, black)
    warning = {"type": "warn", "side": "black", "article": "6.9a", "reason": "Noise at the table"}
    pause = {"type": "pause", "article": "11.6", "reason": "Lights are out"}
    for act in (warning, pause):
        remote.act(GAME, **act)
        told = "Warning (Black): Noise" if act is warning else "Clocks stopped: Lights are out"
        says(black, told)
        expect(black.locator("[data-part=notice]")).to_contain_text(told)
    says(white, "Clocks stopped: Lights are out")
    black.locator(".chat summary").click()
    expect(black.locator("[data-part=chat-blocked]")).to_be_visible()
    expect(black.locator("[data-part=chat-empty]")).to_be_hidden()
    keep(black, "en", "hall-game-acts-phone")
    black.goto("about:blank")
    says(white, "Betulla, Carlo: connection lost")
    black.goto(f"/en/hall/game/{GAME}")
    says(white, "Betulla, Carlo: connected")
    expect(black.locator("[data-part=notice]")).to_be_hidden()  # it is no news after loading
    expect(black.locator("[data-part=acts]")).to_contain_text("Noise at the table")


def test_a_move_made_offline_is_said_to_wait(remote: Remote, players: tuple[Page, Page]) -> None:
    white, black = players
    round_of_one_board(remote)
    come(white, black)
    white.context.set_offline(True)
    expect(white.locator(".connection")).to_contain_text("reconnecting")
    drag(white, "e2e4", "white")
    turn(white, "Your move is waiting for the connection")
    white.context.set_offline(False)
    shows(black, "e4")
    turn(white, "Your opponent's move")


def test_who_has_finished_looks_on_and_is_led_to_the_next_board(
    remote: Remote, players: tuple[Page, Page], new_tab: NewTab
) -> None:
    white, black = players
    public = new_tab("en", width=PHONE)
    round_of_one_board(remote, spectators=Spectators(delay=timedelta(seconds=1)))
    come(white, black)
    public.goto(f"/en/hall/game/{GAME}")
    expect(public.locator(".side-board")).to_contain_text("delay of 0:01 minutes")
    turn(public, "White to move")
    typed(white, "e4")
    says(public, "pawn from e2 to e4")
    expect(public.locator("[data-part=pgn]")).to_be_hidden()
    black.get_by_role("button", name="Resign").click()
    black.locator("dialog button.danger").click()
    for page, told in ((white, "You won"), (black, "You lost")):
        expect(page.locator("[data-part=result]")).to_contain_text(told)
        expect(page.locator("[data-part=next-board]")).to_be_hidden()
    expect(public.locator("[data-part=result]")).not_to_contain_text("You")
    with public.expect_download() as file:
        public.locator("[data-part=pgn]").click()
    assert "1. e4" in file.value.path().read_text()
    keep(black, "en", "hall-game-lost-phone")
    remote.ask(EVENT, CloseRound(by="2"))
    open_round(remote)
    says(black, "Round 2 has started: your board is number 1.")
    keep(black, "en", "hall-game-next-board-phone")
    black.get_by_role("link", name="Round 2: go to your board (no. 1)").click()
    black.wait_for_url(re.compile(rf"/en/hall/game/{EVENT}-2-1$"))
    expect(public.locator("[data-part=next-board]")).to_be_hidden()
