"""The board fits every window, can be gone through and dressed, and a round begins at it."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from arrocco.hall.event.acts.rounds import CloseRound
from tests.browser.conftest import BUILT, SCREENSHOTS, NewTab, Served
from tests.browser.hall_stage import Remote, Signed, hall_office, remote, signed
from tests.browser.test_hall_game import drag, shows, typed
from tests.browser.test_hall_player import (
    EVENT,
    GAME,
    TO_A_PROMOTION,
    come,
    open_round,
    round_of_one_board,
    turn,
)

__all__ = ["hall_office", "remote", "signed"]

pytestmark = pytest.mark.skipif(
    not (BUILT / "hall-game.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)
SIZES = (
    (1366, 650),
    (1440, 789),
    (1536, 730),
    (1920, 950),
    (2560, 1300),
    (768, 1024),
    (820, 1180),
    (390, 844),
    (844, 390),
)
ON_THE_BOARD = (
    ".board",
    "[data-part=top] .who",
    "[data-part=top] .clock",
    "[data-part=bottom] .who",
    "[data-part=bottom] .clock",
    "[data-part=status]",
    "[data-part=connection]",
)
DECISIVE = {
    "white": (
        *ON_THE_BOARD,
        "[data-part=offer]",
        "[data-part=resign]",
        "[data-part=call-box] > summary",  # 11.1
    ),
    # To Black a draw is offered.
    "black": (*ON_THE_BOARD, "[data-part=offered]", "[data-part=accept]", "[data-part=resign]"),
    "arbiter": (*ON_THE_BOARD, "[data-part=pause-now]", "[data-part=act-choice]"),
    "spectator": ON_THE_BOARD,
}


@pytest.fixture
def served(remote: Remote) -> Served:
    return remote.served


@pytest.fixture
def players(remote: Remote, new_tab: NewTab, signed: Signed) -> tuple[Page, Page]:
    white, black = new_tab("en"), new_tab("it")
    signed(white, "white")
    signed(black, "black")
    round_of_one_board(remote)
    return white, black


def play(white: Page, black: Page, *ucis: str) -> None:
    for at, uci in enumerate(ucis):
        typed(black if at % 2 else white, uci)
        expect(
            (white if at % 2 else black).locator("[data-part=moves] .san:not(:empty)")
        ).to_have_count(at + 1)


@pytest.mark.parametrize("who", ["white", "black", "arbiter", "spectator"])
def test_board_clocks_and_buttons_are_inside_every_window(
    players: tuple[Page, Page], new_tab: NewTab, signed: Signed, who: str
) -> None:
    white, black = players
    come(white, black)
    play(white, black, "e2e4", "d7d5", "e4d5", "d8d5")
    turn(white)
    page = {"white": white, "black": black}.get(who) or new_tab("en")
    if who == "black":
        white.locator("[data-part=offer]").click()
        white.locator("[data-part=offer-dialog] button.accept").click()
        expect(black.locator("[data-part=accept]")).to_be_visible()
    elif who != "white":
        if who == "arbiter":
            signed(page, who)
        page.goto(white.url)
        expect(page.locator("cg-board piece")).to_have_count(30)
        expect(page.locator("[data-part=bottom] .clock")).to_contain_text(":")
    outside = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        outside += [
            (width, height, part)
            for part in DECISIVE[who]
            if not is_inside(page, part, width, height)
        ]
        assert_is_large(page, width, height)
        path = SCREENSHOTS / "en" / f"hall-board-{who}-{width}x{height}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=path)
    assert not outside
    if who == "arbiter":
        shows_where_it_goes_back(page)


def shows_where_it_goes_back(page: Page) -> None:
    """6.8 — the board shows the position to go back to before that is done, and what it costs."""
    page.locator("[data-part=pause-now]").click()
    expect(page.locator("#act-choice option[value=resume_from_position]")).to_have_count(1)
    page.select_option("#act-choice", "resume_from_position")
    page.select_option("#act-ply", "2")
    expect(page.locator("[data-part=act-form]")).to_contain_text("Half-moves taken back: 2")
    expect(page.locator("cg-board piece")).to_have_count(32)
    page.select_option("#act-choice", "")
    expect(page.locator("cg-board piece")).to_have_count(30)


def is_inside(page: Page, part: str, width: int, height: int) -> bool:
    """A part is inside the window, and nothing lies over it or cuts it off."""
    expect(page.locator(part)).to_be_visible()
    box = page.locator(part).bounding_box()
    assert box is not None, part
    right, bottom = box["x"] + box["width"], box["y"] + box["height"]
    if min(box["x"], box["y"]) < 0 or right > width or bottom > height:
        return False
    is_on_top: bool = page.locator(part).evaluate(
        """part => {
            const box = part.getBoundingClientRect();
            return [[2, 2], [box.width - 2, box.height - 2]].every(([x, y]) => {
                const there = document.elementFromPoint(box.x + x, box.y + y);
                return part.contains(there) || there?.contains(part);
            });
        }"""
    )
    return is_on_top


def assert_is_large(page: Page, width: int, height: int) -> None:
    """The board takes what the window has, and nothing is to be scrolled for beside it."""
    # The column beside the board ends where the own clock begins, and scrolls by itself.
    if (width, height) == (844, 390):
        side = page.locator(".side-board").bounding_box()
        own = page.locator("[data-part=bottom].strip").bounding_box()
        assert side is not None
        assert own is not None
        assert side["y"] + side["height"] <= own["y"] + 1
    board = page.locator(".board").bounding_box()
    assert board is not None
    # As large as the window allows: what is left is for clocks, a bar and a column of buttons.
    assert board["width"] >= min(0.7 * height, 0.93 * width), (width, height, board)
    beyond = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert beyond <= 0, (width, height)


def test_the_game_is_gone_through_after_its_end_by_players_and_public(
    remote: Remote, players: tuple[Page, Page], new_tab: NewTab
) -> None:
    white, black = players
    come(white, black)
    play(white, black, "e2e4", "e7e5", "d1h5", "b8c6")
    expect(white.locator("[data-part=steps]")).to_be_hidden()
    black.locator("[data-part=resign]").click()
    black.locator("[data-part=resign-dialog] button.danger").click()
    expect(white.locator("[data-part=result]")).to_contain_text("1–0")
    pieces = white.locator("cg-board piece")
    white.locator("[data-step=first]").click()
    expect(white.locator("[data-part=status]")).to_have_text("Initial position")
    expect(white.locator("square.last-move:visible")).to_have_count(0)
    white.locator("[data-ply='3']").click()
    expect(white.locator("[data-part=status]")).to_have_text("Position after move 2 of 2")
    expect(white.locator("[data-ply='3']")).to_have_attribute("aria-current", "true")
    white.keyboard.press("End")
    expect(white.locator("[data-part=status]")).not_to_contain_text("Position after")
    expect(pieces).to_have_count(32)
    # Who looks on and does not play in the event goes through it as well (5.17).
    public = new_tab("en", width=390)
    public.goto(white.url)
    expect(public.locator("[data-part=result]")).to_contain_text("1–0")
    expect(public.locator("[data-part=moves] .san")).to_have_count(4)


def test_1_3_4_a_proof_is_folded_in_the_letters_of_the_page_and_only_where_there_is_one(
    remote: Remote, players: tuple[Page, Page], new_tab: NewTab
) -> None:
    white, black = players
    come(white, black)
    play(white, black, "e2e4", "e7e5")
    black.locator("[data-part=resign]").click()
    black.locator("[data-part=resign-dialog] button.danger").click()
    expect(white.locator("[data-part=result]")).to_contain_text("1–0")
    expect(white.locator("details.proof")).to_have_count(0)
    line = '{"key":"unwinnable.line","side":"white","moves":"1. Ra8+ Kb7 2. Nc5#"}'

    def with_proof(socket: WebSocketRoute) -> None:
        """The same page, where the server has a proof to tell."""
        server = socket.connect_to_server()

        def said(message: str | bytes) -> None:
            text = message if isinstance(message, str) else message.decode()
            frames = [json.loads(frame) for frame in text.split("\n")]
            for frame in frames:
                if frame["type"] == "view" and frame["view"]["result"]:
                    frame["view"]["result"]["proof"] = line
            socket.send("\n".join(json.dumps(frame) for frame in frames))

        server.on_message(said)

    public = new_tab("it")
    public.route_web_socket(re.compile("/hall/socket"), with_proof)
    public.goto(f"/it/hall/game/{GAME}")
    proof = public.locator("details.proof")
    expect(proof).to_have_js_property("open", False)
    proof.locator("summary").click()
    expect(proof).to_contain_text("1. Ta8+ Rb7 2. Cc5#")
    expect(proof).to_have_js_property("open", True)


def test_material_premoves_promotion_and_draws_as_everywhere(players: tuple[Page, Page]) -> None:
    white, black = players
    come(white, black)
    # A right click takes a premove back.
    drag(black, "g8f6", "black")
    expect(black.locator("square.current-premove:visible")).to_have_count(2)
    black.locator(".board").click(button="right", position={"x": 200, "y": 200})
    expect(black.locator("square.current-premove:visible")).to_have_count(0)
    play(white, black, *TO_A_PROMOTION)
    expect(white.locator("[data-part=bottom] .material")).to_contain_text("+5")
    # The choice stands on the file where the pawn arrives.
    drag(white, "b7a8", "white")
    chooser = white.locator(".promotion [data-piece=q]").bounding_box()
    board = white.locator(".board").bounding_box()
    assert chooser is not None
    assert board is not None
    assert abs(chooser["x"] - board["x"]) < 4
    assert abs(chooser["y"] - board["y"]) < 4
    white.locator(".promotion [data-piece=n]").click()
    shows(black, "bxa8=N")
    # An offer asks once before it is made.
    white.locator("[data-part=offer]").click()
    white.locator("[data-part=offer-dialog] button:not(.accept)").click()
    expect(black.locator("[data-part=accept]")).to_be_hidden()
    white.locator("[data-part=offer]").click()
    white.locator("[data-part=offer-dialog] button.accept").click()
    expect(black.locator("[data-part=accept]")).to_be_visible()


def test_the_look_is_chosen_and_kept_and_zen_leaves_board_and_clocks(
    players: tuple[Page, Page],
) -> None:
    white, black = players
    come(white, black)
    white.locator(".look summary").click()
    white.select_option("#look-pieces", "letters")
    white.select_option("#look-board", "blue")
    wide = white.locator(".board").bounding_box()
    white.select_option("#look-size", "70")
    narrow = white.locator(".board").bounding_box()
    assert wide is not None
    assert narrow is not None
    assert narrow["width"] < 0.75 * wide["width"]
    white.reload()
    turn(white)
    letter = white.locator("cg-board piece.white.queen").evaluate(
        "piece => getComputedStyle(piece, '::before').content"
    )
    assert letter == '"Q"'
    expect(white.locator("html")).to_have_attribute("data-board", "blue")
    white.keyboard.press("z")
    for part in (".board", "[data-part=bottom] .clock", "[data-part=resign]"):
        expect(white.locator(part)).to_be_visible()
    for part in (".moves", ".look", ".bar .event"):
        expect(white.locator(part)).to_be_hidden()
    white.screenshot(path=SCREENSHOTS / "en" / "hall-board-zen.png")
    white.locator("[data-part=zen]").click()
    expect(white.locator(".moves")).to_be_visible()


def test_a_round_that_begins_takes_its_players_to_their_boards(
    remote: Remote, players: tuple[Page, Page], new_tab: NewTab, signed: Signed
) -> None:
    white, black = players
    public = new_tab("en")
    # Who comes late to the event's page is led to the board as well.
    black.goto(f"/it/hall/{EVENT}")
    expect(black.locator(".round-start")).to_contain_text("Comincia il turno 1")
    assert re.match(r"\(\d\) Comincia", black.title())
    black.wait_for_url(re.compile(rf"/hall/game/{EVENT}-1-1"))
    come(white)
    white.locator("[data-part=resign]").click()
    white.locator("[data-part=resign-dialog] button.danger").click()
    expect(black.locator("[data-part=result]")).to_be_visible()
    wall = new_tab("en")
    signed(wall, "arbiter")
    wall.goto(f"/en/hall/{EVENT}/wall")
    wall.locator(".tile").click(modifiers=["Shift"])
    expect(wall.locator("[data-part=bulk-meant]")).to_contain_text("selected: 1")
    remote.ask(EVENT, CloseRound(by="2"))
    # Between rounds all boards stand still: the next ones come there by themselves, too.
    for page in (black, public):
        page.goto(f"/it/hall/{EVENT}/live")
        expect(page.locator(".tile")).to_have_count(1)
        page.wait_for_load_state("networkidle")  # its socket is open
    open_round(remote)
    white.locator(".round-start button:not(.primary)").click()
    expect(white.locator(".round-start")).to_have_count(0)
    black.locator(".round-start button.primary").click()
    black.wait_for_url(re.compile(rf"/hall/game/{EVENT}-2-1"))
    # The wall of an evening says which round it shows, and keeps no boards of another selected.
    expect(wall.locator("header")).to_contain_text("Round 2")
    expect(wall.locator("[data-part=bulk-meant]")).to_contain_text("All boards shown are meant")
    expect(public.locator("[aria-current=page]", has_text="Turno 2")).to_be_visible()
    expect(public.locator(".tile.running")).to_have_count(1)


def test_the_home_page_shows_the_board_with_every_piece_on_its_own_square(
    players: tuple[Page, Page], new_tab: NewTab
) -> None:
    white, black = players
    come(white, black)
    play(white, black, "e2e4", "e7e5")
    for width in (1366, 390):
        public = new_tab("it", width=width)
        public.goto("/it")
        board = public.locator(".now-boards .still").first
        expect(board.locator("piece")).to_have_count(32)
        box = board.bounding_box()
        assert box is not None
        side = box["width"] / 8
        places = set()
        for piece in board.locator("piece").all():
            at = piece.bounding_box()
            assert at is not None
            assert abs(at["width"] - side) < 1
            places.add((round((at["x"] - box["x"]) / side), round((at["y"] - box["y"]) / side)))
        assert len(places) == 32
        assert {column for column, _ in places} == set(range(8))
        public.screenshot(path=SCREENSHOTS / "it" / f"home-playing-{width}.png")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_white_is_white_and_black_is_black_on_light_and_dark_pages(
    players: tuple[Page, Page], new_tab: NewTab, dark: bool
) -> None:
    white, black = players
    come(white, black)
    play(white, black, *TO_A_PROMOTION)
    filled = "one => getComputedStyle(one).backgroundColor"
    public = new_tab("en", dark=dark)
    for path in ("/en", f"/en/hall/{EVENT}/live"):
        public.goto(path)
        for side, colour in (("white", "rgb(255, 255, 255)"), ("black", "rgb(0, 0, 0)")):
            disc = public.locator(f":is(.now-boards, #cross-table ~ *) .colour.{side}").first
            expect(disc).to_be_visible()
            assert disc.evaluate(filled) == colour, path
            assert disc.text_content() == side.capitalize(), path
    white.emulate_media(color_scheme="dark" if dark else "light")
    more = white.locator("[data-part=bottom] .material .white")
    assert more.evaluate("one => getComputedStyle(one).color") == "rgb(255, 255, 255)"


def test_boards_of_the_home_page_move_by_themselves(
    players: tuple[Page, Page], new_tab: NewTab
) -> None:
    white, black = players
    come(white, black)
    play(white, black, "e2e4", "e7e5")
    public = new_tab("it")
    public.goto("/it")
    squares = public.locator(".now-boards .still").first.locator("> i")
    expect(squares.nth(62).locator("piece.white.knight")).to_have_count(1)
    # Nothing is fetched any more: what moves does so by the socket.
    public.route(re.compile("/hall/now"), lambda route: route.fulfill(status=204))
    typed(white, "g1f3")
    expect(squares.nth(45).locator("piece.white.knight")).to_have_count(1)
    expect(squares.nth(62).locator("piece")).to_have_count(0)
    expect(squares.locator("piece")).to_have_count(32)


def test_the_head_of_a_page_is_one_line_on_a_laptop(players: tuple[Page, Page]) -> None:
    white, _ = players
    white.set_viewport_size({"width": 1366, "height": 650})
    white.goto("/it/hall")
    tops = {
        round(link.bounding_box()["y"])  # type: ignore[index]
        for link in white.locator(".menu a").all()
    }
    assert len(tops) == 1
