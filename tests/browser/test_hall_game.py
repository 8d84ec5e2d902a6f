"""A whole game in three browsers: two players, one on a phone, and the arbiter at the wall."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from arrocco.words import Language, say
from tests.browser.conftest import BUILT, NewTab, Served, keep
from tests.browser.hall_stage import Program, Signed, hall_office, program, signed
from tests.browser.languages import first_in

__all__ = ["hall_office", "program", "signed"]

DESK, PHONE = 1280, 390
Words = Callable[..., str]

pytestmark = pytest.mark.skipif(
    not (BUILT / "hall-game.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)


@pytest.fixture
def served(program: Program) -> Served:
    return program.served


def words_of(language: Language) -> Words:
    def word(key: str, **details: object) -> str:
        return say(language, f"hall_pages.{key}", **details)

    return word


def announce(page: Page, language: Language, **rules: str) -> str:
    """The arbiter announces an event by its form; its address."""
    page.goto(f"/{language}/hall/new")
    page.fill("#name", "Trofeo delle Piante")
    page.fill("#tolerance", "5:00")
    page.fill("#disconnection_rule", "L'orologio corre; chi non torna in tempo perde.")
    page.fill("#rounds", "1")
    page.select_option("#federation_id_required", "yes")
    for field, value in rules.items():
        page.fill(f"#{field}", value)
    keep(page, language, "hall-new")
    page.click("main .actions button.primary")
    page.wait_for_url(re.compile(r"/hall/trofeo"))
    return page.url


def square(page: Page, name: str, bottom: str) -> tuple[float, float]:
    """The middle of a square on the screen."""
    box = page.locator(".board").bounding_box()
    assert box is not None
    file, rank = "abcdefgh".index(name[0]), int(name[1]) - 1
    if bottom == "black":
        file, rank = 7 - file, 7 - rank
    size = box["width"] / 8
    return box["x"] + (file + 0.5) * size, box["y"] + (7 - rank + 0.5) * size


def drag(page: Page, uci: str, bottom: str) -> None:
    """Moves a piece with the pointer: a click on it and one on where it goes."""
    page.locator(".board").scroll_into_view_if_needed()
    for name in (uci[:2], uci[2:4]):
        page.mouse.click(*square(page, name, bottom))


def by_keys(page: Page, uci: str, bottom: str) -> None:
    """Moves a piece with the arrow keys alone; the cursor begins at e2."""
    board = page.locator(".board")
    board.focus()
    file, rank = 4, 1
    for name in (uci[:2], uci[2:4]):
        to_file, to_rank = "abcdefgh".index(name[0]), int(name[1]) - 1
        right, up = ("ArrowRight", "ArrowUp") if bottom == "white" else ("ArrowLeft", "ArrowDown")
        left, down = ("ArrowLeft", "ArrowDown") if bottom == "white" else ("ArrowRight", "ArrowUp")
        for _ in range(abs(to_file - file)):
            page.keyboard.press(right if to_file > file else left)
        for _ in range(abs(to_rank - rank)):
            page.keyboard.press(up if to_rank > rank else down)
        page.keyboard.press("Enter")
        file, rank = to_file, to_rank


def typed(page: Page, text: str) -> None:
    page.fill("#typed-move", text)
    page.press("#typed-move", "Enter")


def moves(page: Page) -> str:
    return " ".join(page.locator("[data-part=moves] .san").all_inner_texts())


def shows(page: Page, text: str) -> None:
    expect(page.locator("[data-part=moves]")).to_contain_text(text)


def does(arbiter: Page, act: str, reason: str, **fields: str) -> None:
    """An act of the arbiter by its form."""
    arbiter.select_option("#act-choice", act)
    for name, value in fields.items():
        field = arbiter.locator(f"[data-part=act-form] [name={name}], #act-{name}").first
        if field.evaluate("one => one.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    arbiter.fill("#act-reason", reason)
    arbiter.click("[data-part=act-form] button.primary")
    expect(arbiter.locator("#act-reason")).to_be_hidden()


@first_in("it")
def test_a_whole_game_with_premove_promotion_absence_pause_and_correction(
    new_tab: NewTab, signed: Signed, language: Language
) -> None:
    t = words_of(language)
    arbiter = new_tab(language, width=DESK)
    white, black = (
        new_tab(language, width=DESK, dark=language == "it"),
        new_tab(language, width=PHONE),
    )
    for page, who in ((arbiter, "arbiter"), (white, "white"), (black, "black")):
        signed(page, who)
    event = announce(arbiter, language)
    for page in (white, black):
        page.goto(event)
        page.get_by_role("button", name=t("own.enter"), exact=True).click()
        expect(page.locator(".own")).to_contain_text(t("own.check_in"))
    keep(black, language, "hall-event-entered-phone")

    # The round is paired by hand, so that everybody has the colour of their name, and opened.
    arbiter.goto(event)
    keep(arbiter, language, "hall-event-officials")
    arbiter.get_by_text(t("desk.by_hand"), exact=True).first.click()
    numbers = arbiter.locator("#entries ~ .scroll tbody tr")
    order = ["Abete" in row for row in numbers.all_inner_texts()]
    arbiter.locator("textarea[name=boards]").fill("1 2" if order[0] else "2 1")
    arbiter.locator("form[action$=pair_by_hand] button").click()
    arbiter.get_by_role("button", name=t("desk.open_round", round=1)).click()
    for page in (white, black):  # both are led there; on a busy machine a click comes too late
        page.wait_for_url(re.compile("/hall/game/"))
        expect(page.locator(".connection")).to_contain_text(t("js.line.connected"))
    arbiter.goto(f"{event}/wall")
    expect(arbiter.locator(".tile")).to_have_count(1)
    expect(white.locator("[data-part=status]")).to_have_text(t("js.turn.yours"))

    # A premove is shown to its owner alone and played at once.
    drag(black, "b7b5", "black")
    expect(black.locator("square.current-premove:visible")).to_have_count(2)
    expect(white.locator("square.current-premove:visible")).to_have_count(0)
    keep(black, language, "hall-game-premove-phone")
    drag(white, "a2a4", "white")
    for page in (white, black):
        shows(page, "b5")
    expect(black.locator("square.current-premove:visible")).to_have_count(0)
    expect(white.locator("[data-part=live]")).to_contain_text("b7")
    keep(white, language, "hall-game-desk")

    # Typed, and by the arrow keys alone.
    typed(white, "xx9")
    expect(white.locator("[data-part=notice]")).to_contain_text("xx9")
    typed(white, "axb5")
    shows(black, "axb5")
    by_keys(black, "a7a6", "black")
    shows(white, "a6")
    typed(white, "bxa6")

    # A draw is offered, stands beside its move, and is refused by a move.
    shows(white, "bxa6")
    white.get_by_role("button", name=t("js.draw.offer")).click()
    white.locator("[data-part=offer-dialog] button.accept").click()
    expect(black.get_by_role("button", name=t("game.accept"))).to_be_visible()
    keep(black, language, "hall-game-draw-offer-phone")
    drag(black, "c8b7", "black")
    shows(white, "(=)")
    shows(white, "b7")  # Black has moved: a click before that would be lost with the old position
    drag(white, "a6b7", "white")
    expect(black.locator("[data-part=status]")).to_have_text(t("js.turn.yours"))

    # Black is gone and comes back; so does White, whose move waits meanwhile.
    address = black.url
    black.goto("about:blank")
    expect(white.locator("[data-part=top] [data-part=line]")).to_have_class(re.compile("off"))
    keep(white, language, "hall-game-opponent-gone")
    expect(arbiter.locator(".alarms")).to_contain_text("Betulla")
    black.goto(address)
    expect(white.locator("[data-part=top] [data-part=line]")).to_have_class(re.compile("on"))
    typed(black, t("js.letter.n") + "c6")
    shows(white, "c6")
    white.context.set_offline(True)
    expect(white.locator(".connection")).to_contain_text(t("js.line.reconnecting"))
    keep(white, language, "hall-game-offline")
    drag(white, "b7a8", "white")
    chooser = white.locator(".promotion")
    expect(chooser).to_be_visible()
    keep(white, language, "hall-game-promotion")
    chooser.locator("[data-piece=q]").click()
    white.context.set_offline(False)
    for page in (white, black):
        shows(page, f"bxa8={t('js.letter.q')}")
    expect(black.locator("[data-part=live]")).to_contain_text("a8")

    # Black calls the arbiter, who pauses, gives time, answers and lets the clocks run.
    black.locator("[data-part=call-box] summary").click()
    black.fill("#call-text", "Rumore")
    black.locator("[data-part=call] button").click()
    expect(arbiter.locator(".alarm.level-3")).to_contain_text(say(language, "hall_live.alarm.call"))
    keep(arbiter, language, "hall-wall")
    arbiter.locator(".tile").focus()
    arbiter.keyboard.press("Enter")
    expect(arbiter.locator("dialog.detail")).to_be_visible()
    expect(arbiter.locator("[data-part=calls]")).to_contain_text("Rumore")
    does(arbiter, "pause", "Controllo del rumore")
    expect(white.locator("[data-part=status]")).to_have_text(t("js.phase.paused"))
    does(arbiter, "add_time", "Disturbo", side="black", time="1:00")
    does(arbiter, "answer_call", "Fondata", founded="yes")
    expect(black.locator("[data-part=acts]")).to_contain_text("Disturbo")
    arbiter.locator(".log summary").click()
    expect(arbiter.locator("[data-part=log]")).to_contain_text("Controllo del rumore")
    keep(arbiter, language, "hall-wall-board")
    does(arbiter, "resume", "Tutto a posto")
    expect(black.locator("[data-part=status]")).to_have_text(t("js.turn.yours"))

    # 5.2: Black writes to the arbiters and is answered; White sees nothing of it.
    black.locator(".chat summary").click()
    black.fill("#chat-text", "Posso bere?")
    black.locator(".chat-form button").click()
    expect(black.locator(".chat-lines")).to_contain_text("Posso bere?")
    expect(black.locator("#chat-text")).to_have_value("")
    expect(arbiter.locator(".tile .state")).to_contain_text(t("js.wall.wrote"))
    expect(arbiter.locator("[data-part=chat-unread]")).to_have_text(t("js.chat.unread", count=1))
    expect(arbiter.locator("[data-part=chat-live]")).to_contain_text("Posso bere?")
    arbiter.locator(".chat summary").click()
    expect(arbiter.locator("[data-part=chat-unread]")).to_be_hidden()
    expect(arbiter.locator("#chat-to")).to_have_value("black")
    black.locator(".chat summary").click()
    arbiter.fill("#chat-text", "Certo")
    arbiter.press("#chat-text", "Enter")
    expect(black.locator("[data-part=chat-unread]")).to_have_text(t("js.chat.unread", count=1))
    expect(black.locator("[data-part=chat-live]")).to_contain_text("Certo")
    keep(black, language, "hall-chat-unread-phone")
    black.locator(".chat summary").click()
    expect(black.locator(".chat-lines")).to_contain_text("Certo")
    expect(arbiter.locator(".tile .state")).not_to_contain_text(t("js.wall.wrote"))
    keep(black, language, "hall-chat-phone")
    keep(arbiter, language, "hall-chat-arbiter")
    does(arbiter, "block_chat", "Insulti", side="black", article="6.9k")
    expect(black.locator("[data-part=chat-blocked]")).to_have_text(t("js.chat.blocked"))
    expect(black.locator("#chat-text")).to_be_hidden()
    white.locator(".chat summary").click()
    expect(white.locator("#chat-text")).to_be_visible()
    expect(white.locator(".chat-lines li")).to_have_count(0)
    for said in ("Posso bere?", "Certo"):
        assert said not in white.content()

    # Black resigns, after being asked; the arbiter corrects the result.
    black.get_by_role("button", name=t("game.resign")).click()
    black.locator("dialog button.danger").click()
    expect(white.locator("[data-part=result]")).to_contain_text("1–0")
    expect(white.locator("[data-part=result]")).to_contain_text("2.1a")
    keep(black, language, "hall-game-over-phone")
    # No article is proposed for that: without one nothing is asked.
    arbiter.select_option("#act-choice", "correct_result")
    expect(arbiter.locator("#act-article")).to_have_value("")
    arbiter.fill("#act-reason", "Dispositivo trovato")
    arbiter.click("[data-part=act-form] button.primary")
    assert arbiter.locator("#act-article").evaluate("one => one.matches(':invalid')")
    keep(arbiter, language, "hall-wall-no-article")
    expect(white.locator("[data-part=result]")).to_contain_text("1–0")
    does(
        arbiter,
        "correct_result",
        "Dispositivo trovato",
        article="5.9",
        scores="0,10",
        against="white",
    )
    for page in (white, black):
        expect(page.locator("[data-part=result]")).to_contain_text("0–1")
    keep(white, language, "hall-game-corrected")
    keep(arbiter, language, "hall-wall-corrected")

    # Everybody sees the result; the log and the report hold what was done.
    arbiter.keyboard.press("Escape")
    arbiter.goto(event)
    expect(arbiter.locator("#rounds ~ details")).to_contain_text("0–1")
    arbiter.get_by_role("button", name=t("desk.close_round", round=1)).click()
    expect(arbiter.locator("#standings ~ .scroll tbody tr").first).to_contain_text("Betulla")
    keep(arbiter, language, "hall-event-standings")
    arbiter.goto(f"{event}/report")
    for reason in ("Disturbo", "Dispositivo trovato"):
        expect(arbiter.locator("main")).to_contain_text(reason)
    keep(arbiter, language, "hall-report")
    black.goto(event)
    keep(black, language, "hall-event-phone")


def test_spectators_see_position_time_and_result_and_nothing_else(
    new_tab: NewTab, signed: Signed
) -> None:
    arbiter, white, public = new_tab("en", width=DESK), new_tab("en"), new_tab("en", width=PHONE)
    signed(arbiter, "arbiter")
    signed(white, "white")
    event = announce(arbiter, "en")
    for who in ("white", "black"):
        arbiter.goto(event)
        arbiter.locator("summary", has_text="Enter a player").click()
        arbiter.locator("form[action$='ask/enter'] input[name=email]").fill(f"{who}@example.org")
        arbiter.locator("form[action$='ask/enter']:has(input[name=email]) button").click()
    arbiter.get_by_text("Pair manually", exact=True).first.click()
    arbiter.locator("textarea[name=boards]").fill("1 2")
    arbiter.locator("form[action$=pair_by_hand] button").click()
    arbiter.get_by_role("button", name="Start round 1").click()
    public.goto(event)
    public.get_by_role("link", name="watch").click()
    white.goto(public.url)
    expect(white.locator("[data-part=status]")).to_have_text("Your move")
    typed(white, "e2e4")
    expect(public.locator("[data-part=status]")).to_have_text("Black to move")
    expect(public.locator("square.last-move")).to_have_count(2)
    expect(public.locator(".player-desk")).to_be_hidden()
    expect(public.locator(".moves")).to_have_count(0)
    white.get_by_role("button", name="Resign").click()
    white.locator("dialog button.danger").click()
    expect(public.locator("[data-part=result]")).to_contain_text("0–1")
    keep(public, "en", "hall-spectator-phone")
