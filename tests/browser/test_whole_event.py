"""A blitz event from a file of players to a published list, by clicks, with games over sockets.

The arbiter, two players, a spectator and the rating administrator are pages of a browser; all other
players play over sockets. `make soak` holds a small one and one of sixty and five rounds.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from datetime import time as day_time
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from arrocco.demo.event import cast
from arrocco.fairplay.engine import NoEngine, find_engine
from arrocco.hall.event import appeals_until, complaints_until, standings
from arrocco.hall.game import Phase
from arrocco.laws.systems import system_named
from arrocco.office.records import ReportStatus
from tests.browser.conftest import BUILT, NewTab, Served, keep
from tests.browser.test_hall_game import announce, drag
from tests.browser.test_hall_kinds import asks
from tests.browser.whole_event import JUDGE, SYSTEM, Scale, Stage, at_sockets, next_move, staged

pytestmark = pytest.mark.skipif(
    not (BUILT / "hall-live.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)
SAMPLE = Scale(players=8, rounds=2, thinking=(20, 60), moves=3, patience=120)
WHOLE = Scale(players=60, rounds=5, thinking=(300, 900), moves=8, patience=900)
WAIT = 60_000
BEYOND = """() => [...document.querySelectorAll("body *")]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
  .map((one) => one.outerHTML.slice(0, 120)).slice(0, 5)"""
"""What stands beyond the right edge of the window."""
RECEIPT = b"%PDF-1.4 copy"
PRIZES = "General; 200 100\nBelow 2100; <2100; 50.50"
LAPTOP, PHONE = (1366, 768), (390, 844)


@pytest.fixture(
    params=[
        pytest.param(SAMPLE, id="sample", marks=pytest.mark.soak),
        pytest.param(WHOLE, id="whole", marks=pytest.mark.soak),
    ]
)
def scale(request: pytest.FixtureRequest) -> Scale:
    size: Scale = request.param
    return size


@pytest.fixture
def stage(tmp_path: Path, scale: Scale) -> Iterator[Stage]:
    folder = tmp_path / "office"
    folder.mkdir()
    with staged(folder, scale.players) as made:
        yield made


@pytest.fixture
def engine() -> str:
    """Looks at the games before prizes are paid (12.6)."""
    try:
        return find_engine()
    except NoEngine:
        pytest.skip("NO STOCKFISH: install Debian's package `stockfish`")


@pytest.fixture
def served(stage: Stage) -> Served:
    return stage.running.served


class Story:
    """The event as it is held: who looks at it, and what is known of it so far."""

    def __init__(self, stage: Stage, scale: Scale, new_tab: NewTab) -> None:
        self.stage, self.scale, self.rng = stage, scale, random.Random(15)
        self.arbiter, self.public = new_tab("en"), new_tab("en")
        self.pages = {
            person.email: new_tab("en", width=width)
            for person, width in zip(stage.people, (1366, 390), strict=False)
        }
        self.address = self.name = ""
        self.began = time.monotonic()

    def told(self, what: str) -> None:
        """For who runs the long one with ``-s``."""
        print(f"{time.monotonic() - self.began:7.1f} s  {what}", flush=True)

    def looked_at(self, page: Page, what: str) -> None:
        """Keeps pictures of a laptop and of a phone; nothing is wider than the window."""
        before = page.viewport_size
        for width, height in (LAPTOP, PHONE):
            page.set_viewport_size({"width": width, "height": height})
            until = time.monotonic() + 20
            while not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
                # Boards are drawn anew by a script.
                assert time.monotonic() < until, (what, width, page.evaluate(BEYOND))
                page.wait_for_timeout(50)
            keep(page, "en", f"event-{self.scale.players}-{what}-{width}")
        assert before is not None
        page.set_viewport_size(before)

    # --- before the first round -----------------------------------------------------------------

    def announce(self) -> None:
        """The arbiter announces the event and enters everybody by a file."""
        page = self.arbiter
        self.stage.signed(page, cast.ARBITER)
        self.address = announce(page, "en", rounds=str(self.scale.rounds), tolerance="10:00")
        self.name = self.address.rpartition("/")[2].partition("?")[0]
        self.public.goto(self.address)
        expect(self.public.locator("[data-live=entries] tbody tr")).to_have_count(0)
        page.get_by_role("link", name="Enter and invite players").first.click()
        lines = "\n".join(f"{one.number},{one.email}" for one in self.stage.people)
        file = {"name": "players.csv", "mimeType": "text/csv", "buffer": lines.encode()}
        page.set_input_files("#file", file)  # type: ignore[arg-type]
        page.get_by_role("button", name="Enter the players").click()
        expect(page.locator("#told ~ * tbody tr")).to_have_count(self.scale.players)
        self.looked_at(page, "entered")
        # Who looks on is told of new entries and need not load the page again.
        rows = self.public.locator("[data-live=entries] tbody tr")
        expect(rows).to_have_count(self.scale.players, timeout=WAIT)

    def state_prizes(self) -> None:
        """Who organises the event states what there is to win, and everybody reads it."""
        page = self.arbiter
        page.goto(f"{self.address}/prizes")
        page.fill("#table", PRIZES)
        page.get_by_role("button", name="State the prizes").click()
        for reader in (page, self.public):
            reader.goto(f"{self.address}/prizes")
            rows = reader.locator("main table tbody tr")
            expect(rows).to_have_count(2)
            expect(rows.first).to_contain_text("200")

    # --- rounds -----------------------------------------------------------------------------------

    def open_round(self, number: int) -> dict[str, str]:
        """Paired and opened by clicks; pages are taken to their boards. Gives who plays where."""
        page = self.arbiter
        for email, own in self.pages.items():
            if number == 1:
                self.stage.signed(own, email)
                own.goto(self.address)
        page.goto(self.address)
        asks(page, "pair_round")
        asks(page, "open_round")
        games = {}
        for email, own in self.pages.items():
            # Who comes from a board is led to the next one there; all are after a count.
            own.wait_for_url(re.compile(rf"/hall/game/{self.name}-{number}-"), timeout=WAIT)
            games[email] = own.url.rpartition("/")[2]
        return games

    def play(self, games: dict[str, str], *, is_cut_off: str = "") -> None:
        """Moves by clicks at both boards in turn; one may lose the connection and come back."""
        made = dict.fromkeys(games, 0)
        until = time.monotonic() + self.scale.patience
        while min(made.values()) < self.scale.moves:
            assert time.monotonic() < until, made
            for email, game in games.items():
                state = self.stage.game(game)
                if state.phase is Phase.ENDED:
                    made[email] = self.scale.moves
                elif self._is_to_move(email, game) and made[email] < self.scale.moves:
                    if email == is_cut_off and made[email] == 1:
                        self._is_cut_off(self.pages[email])
                    self._move(email, game)
                    made[email] += 1
            self.arbiter.wait_for_timeout(50)

    def _side(self, email: str, game: str) -> str:
        [number] = [one.number for one in self.stage.people if one.email == email]
        event, state = self.stage.event(self.name), self.stage.game(game)
        [entry] = [one for one in event.entries if one.person.id == number]
        return "white" if state.white.player.id == entry.person.account else "black"

    def _is_to_move(self, email: str, game: str) -> bool:
        state = self.stage.game(game)
        side = "white" if state.board.turn else "black"
        return state.phase is Phase.RUNNING and self._side(email, game) == side

    def _move(self, email: str, game: str) -> None:
        page, state = self.pages[email], self.stage.game(game)
        expect(page.locator("[data-part=status]")).to_have_text("Your move", timeout=WAIT)
        drag(page, next_move(state, self.rng), self._side(email, game))
        until = time.monotonic() + 60
        while self.stage.game(game).ply == state.ply:
            assert time.monotonic() < until, (game, state.ply)
            page.wait_for_timeout(20)

    def _is_cut_off(self, page: Page) -> None:
        """7.5 — the line is lost and comes back by itself."""
        page.context.set_offline(True)
        expect(page.locator(".connection")).to_contain_text("reconnecting", timeout=WAIT)
        self.looked_at(page, "cut-off")
        page.context.set_offline(False)
        expect(page.locator(".connection")).to_contain_text("● connected", timeout=WAIT)

    def resign(self, games: dict[str, str]) -> None:
        for email, game in games.items():
            page = self.pages[email]
            if self.stage.game(game).phase is not Phase.ENDED:
                page.locator("[data-part=resign]").click()
                page.locator("[data-part=resign-dialog] button.danger").click()
            expect(page.locator("[data-part=result]")).to_be_visible(timeout=WAIT)

    def close_round(self) -> None:
        page = self.arbiter
        page.goto(self.address)
        done = page.locator("form[action$='ask/close_round'] button.primary")
        expect(done).to_be_visible(timeout=1000 * self.scale.patience)
        asks(page, "close_round")

    # --- a result that is another -----------------------------------------------------------------

    def correct(self, game: str, article: str, reason: str) -> None:
        """The arbiter makes a draw of a game on the event's page."""
        _, number, board = game.rsplit("-", 2)
        self.arbiter.goto(self.address)
        asks(
            self.arbiter,
            "correct_result",
            round=number,
            board=board,
            points="5,5",
            article=article,
            reason=reason,
        )

    def is_a_draw_everywhere(self, game: str, email: str, reason: str) -> None:
        """Board, table, standings, PGN, TRF, report of the arbiter: all say the same."""
        _, number, board = game.rsplit("-", 2)
        self.arbiter.goto(self.address)
        rounds = self.arbiter.locator("[data-live=rounds] details.round")
        played = rounds.nth(rounds.count() - int(number))
        row = played.locator("tbody tr").nth(int(board) - 1)
        expect(row).to_contain_text("½–½")
        own = self.pages[email]
        own.goto(f"/en/hall/game/{game}")
        expect(own.locator("[data-part=result]")).to_contain_text("½")
        self.public.goto(f"{self.address}/live?round={number}")
        tile = self.public.locator(f"a.tile[href$='/{game}'] .state")
        expect(tile).to_contain_text("½–½")
        pgn = self.arbiter.request.get(f"{self.address}/files/pgn").text()
        [own_game] = [one for one in pgn.split("[Event ") if game_of(one, number, board)]
        assert '[Result "1/2-1/2"]' in own_game
        assert "[UTCTime " in own_game
        grown = self.public.request.get(
            f"/api/v1/hall/events/{self.name}/games.pgn?round={number}"
        ).text()
        [own_game] = [one for one in grown.split("[Event ") if game_of(one, number, board)]
        assert '[Result "1/2-1/2"]' in own_game
        event = self.stage.event(self.name)
        white = event.rounds[int(number) - 1].boards[int(board) - 1].white
        for version in ("trf16", "trf26"):
            trf = self.arbiter.request.get(f"{self.address}/files/{version}").text()
            [line] = [one for one in trf.splitlines() if line_of(one, event.name_of(white))]
            assert line[91 + 10 * (int(number) - 1) :][7] == "=", line
        self.arbiter.goto(f"{self.address}/report")
        expect(self.arbiter.locator("main")).to_contain_text(reason)

    def wall_says_draw(self, game: str) -> None:
        self.arbiter.goto(f"{self.address}/wall")
        board = game.rpartition("-")[2]
        tile = self.arbiter.locator(".tile", has_text=re.compile(rf"Board {board}(?!\d)"))
        expect(tile.locator(".state")).to_contain_text("½–½")
        self.looked_at(self.arbiter, "wall")

    def rated(self, email: str) -> list[str]:
        """The player's line of what the rating would make of the games: score, change, rating."""
        [person] = [one for one in self.stage.people if one.email == email]
        self.arbiter.goto(f"{self.address}/rating")
        row = self.arbiter.locator("main tbody tr", has_text=person.surname).filter(
            has_text=person.name
        )
        return row.first.locator("td").all_inner_texts()

    # --- after the last round ---------------------------------------------------------------------

    def file(self, email: str, kind: str, text: str) -> None:
        """12.9, 12.10 — a player files a complaint, or an appeal with the receipt of its fee."""
        own = self.pages[email]
        self.stage.signed(own, email)
        own.goto(self.address)
        own.click("a.button[href$='/filings']")
        own.select_option("#kind", kind)
        own.select_option("#round", str(self.scale.rounds))
        own.check("input[name=grounds][value=conduct]")
        own.fill("#text", text)
        own.check("#member")
        if kind == "appeal":
            receipt = {"name": "receipt.pdf", "mimeType": "application/pdf", "buffer": RECEIPT}
            own.set_input_files("#receipt", receipt)  # type: ignore[arg-type]
        own.click("form[action$='/filings'] button.primary")
        expect(own.locator("main")).to_contain_text("Nothing was found that keeps", timeout=WAIT)
        self.looked_at(own, kind)

    def decide(self, page: Page, email: str, outcome: str) -> None:
        """Whom it is addressed to decides what was filed last; the player reads it."""
        own = self.pages[email]
        page.goto(own.url)
        page.select_option("#outcome", outcome)
        page.fill("#reasons", "The log of the server was looked at.")
        page.click("form[action$='/decide'] button.primary")
        expect(page.locator(".notice.done")).to_be_visible(timeout=WAIT)
        own.reload()
        decision = own.locator("section[aria-labelledby=decision]")
        expect(decision).to_contain_text("The log of the server was looked at.")

    def close(self) -> None:
        self.arbiter.goto(self.address)
        asks(self.arbiter, "close_event")
        expect(self.arbiter.locator("form[action$='ask/validate']")).to_have_count(0)

    def validate(self) -> None:
        """12.9 — once complaints can come no more the arbiter validates the standings."""
        state = self.stage.event(self.name)
        until = complaints_until(state, state.laws)
        assert until is not None
        self.stage.go_to(until + timedelta(seconds=1))
        self.stage.signed(self.arbiter, cast.ARBITER)
        self.arbiter.goto(self.address)
        asks(self.arbiter, "validate")
        for address in (self.address, "/en/hall"):  # the list of events says the same
            self.arbiter.goto(address)
            expect(self.arbiter.locator("main")).to_contain_text("finished, standings validated")

    def announce_results(self) -> None:
        """12.3, 12.6 — checks and hours end first; the public then reads that it is official."""
        page, life = self.arbiter, f"{self.address}/life"
        page.goto(life)
        page.fill("#reason", "All games and all calls were looked at.")
        page.get_by_role("button", name="Declare the checks complete").click()
        page.get_by_role("button", name="Announce the results officially").click()
        expect(page.locator("main")).to_contain_text("Appeals are possible until", timeout=WAIT)
        state = self.stage.event(self.name)
        until = appeals_until(state, state.laws)
        assert until is not None
        self.stage.go_to(until + timedelta(seconds=1))
        self.stage.signed(page, cast.ARBITER)
        page.goto(life)
        page.get_by_role("button", name="Announce the results officially").click()
        step = page.locator("main tbody tr", has_text="Official announcement")
        expect(step).to_contain_text("done", timeout=WAIT)
        self.public.goto(life)
        step = self.public.locator("main tbody tr", has_text="Official announcement")
        expect(step).to_contain_text("done")
        self.looked_at(page, "life")

    def pay_prizes(self, engine: str) -> None:
        """12.6 — no prize before an engine has looked at every game; then all of the table."""
        page, prizes = self.arbiter, f"{self.address}/prizes"
        page.goto(prizes)
        expect(page.locator("main")).to_contain_text("games that no engine has analysed yet")
        assert page.request.get(f"{prizes}/payments").status == 404
        self.stage.watch(engine)
        page.goto(prizes)
        expect(page.locator("main")).not_to_contain_text("no engine")
        lines = page.request.get(f"{prizes}/payments").text().splitlines()
        paid = [int(line.rpartition(",")[2].replace(".", "")) for line in lines[1:]]
        assert sum(paid) == 350_50, lines
        state = self.stage.event(self.name)
        winners = [state.name_of(one.entry) for one in standings(state) if one.rank == 1]
        assert all(any(name in line for line in lines) for name in winners), (winners, lines)
        self.looked_at(page, "prizes")

    def hand_over(self) -> None:
        self.arbiter.goto(self.address)
        self.arbiter.locator("form[action$='/hand-over'] button").click()
        expect(self.arbiter.locator(".notice.done")).to_be_visible(timeout=WAIT)
        self.looked_at(self.arbiter, "handed-over")
        # Who is on no list has no federation yet: that is asked about, and answered.
        self.arbiter.get_by_role("link", name="Tournament file").click()
        self.arbiter.locator("main a[href*='/desk/reports/']").first.click()
        answers = self.arbiter.locator(".answer input:visible")
        expect(answers.first).to_be_visible()
        for at in range(answers.count()):
            answers.nth(at).fill("A first event: the office enters it.")
        self.arbiter.get_by_role("button", name="Save the reasons").click()
        expect(self.arbiter.locator(".notice.done")).to_be_visible(timeout=WAIT)

    def publish(self, boss: Page) -> None:
        """The administrator accepts the report and publishes lists up to the one it is on."""
        office = self.stage.office
        self.stage.signed(boss, cast.ADMINISTRATOR)
        boss.goto("/en/desk/reports")
        boss.locator("main tbody a").first.click()
        boss.get_by_role("button", name="Accept", exact=True).click()
        expect(boss.locator(".notice.done")).to_be_visible(timeout=WAIT)
        asker = office.accounts.asker_of(self.stage.session(cast.ADMINISTRATOR))
        [tournament] = office.tournaments.mine(
            office.accounts.asker_of(self.stage.session(cast.ARBITER))
        )[1]
        [report] = office.reports.of_tournament(asker, tournament.id)
        assert report.status is ReportStatus.ACCEPTED
        wanted, _ = office.reports.lists(asker, report.id)[SYSTEM]
        self.stage.go_to(datetime.combine(wanted, day_time(8, tzinfo=UTC)))
        self.stage.signed(boss, cast.ADMINISTRATOR)
        while True:
            latest = office.lists.latest(SYSTEM)
            assert latest is not None
            if latest.list_date >= wanted:
                break
            boss.goto("/en/desk/lists")
            following = system_named(SYSTEM).edition_on(latest.list_date)
            due = following.next_list(latest.list_date)
            self._draft(boss, SYSTEM).click()
            expect(boss.locator("#draft")).to_be_visible(timeout=90_000)
            boss.locator(".confirm summary.primary").click()
            boss.check("#looked")
            boss.get_by_role("button", name="Publish now", exact=True).click()
            expect(boss.locator(".notice.done")).to_be_visible(timeout=WAIT)
            published = office.lists.latest(SYSTEM)
            assert published is not None
            assert published.list_date == due
        assert office.lists.verify(SYSTEM, wanted).is_good

    def _draft(self, boss: Page, system: str) -> Locator:
        return boss.locator(f"main form:has(input[value='{system}']) button").first


def game_of(pgn: str, number: str, board: str) -> bool:
    return f'[Round "{number}"]' in pgn and f'[Board "{board}"]' in pgn


def line_of(line: str, name: str) -> bool:
    return line.startswith("001") and name in line


def test_12_9_an_event_from_a_file_of_players_to_a_published_list(
    new_tab: NewTab, stage: Stage, scale: Scale, engine: str
) -> None:
    story = Story(stage, scale, new_tab)
    story.announce()
    story.state_prizes()
    first, second = story.pages
    others = [person for person in stage.people if person.email not in story.pages]
    story.told(f"{scale.players} players entered")
    with at_sockets(stage, story.name, others, scale):
        story.public.goto(f"{story.address}/live")
        for number in range(1, scale.rounds + 1):
            games = story.open_round(number)
            story.play(games, is_cut_off=first if number == 2 else "")
            if number == 1:
                story.public.goto(f"{story.address}/live")
                story.looked_at(story.public, "live")
            story.resign(games)
            story.close_round()
            story.told(f"round {number}: {stage.tally.moves} moves, {dict(stage.tally.happened)}")
            if number == 1:
                before = story.rated(first)
                story.correct(games[first], "5.16", "The players had agreed on a draw.")
                story.wall_says_draw(games[first])
                story.is_a_draw_everywhere(games[first], first, "The players had agreed")
                after = story.rated(first)
                assert before != after, "its rating follows"
                story.arbiter.goto(story.address)
                story.looked_at(story.arbiter, "corrected")
            for email, own in story.pages.items():
                own.goto(story.address)
                if email == second:
                    story.looked_at(own, f"own-{number}")
        own = story.pages[second]
        own.goto(story.address)
        expect(own.locator(".own")).to_contain_text("All rounds have been played.")
        expect(own.locator(".own form")).to_have_count(0)
        story.file(second, "complaint", "My flag fell while the board of round two stood still.")
        story.decide(story.arbiter, second, "rejected")
        story.close()
    story.validate()
    story.told("validated")
    judge = new_tab("en")
    stage.signed(judge, JUDGE)
    story.file(second, "appeal", "The log of the server shows that the board stood still.")
    story.decide(judge, second, "upheld")
    before = story.rated(second)
    story.correct(games[second], "5.16", "The appeal was upheld.")
    story.is_a_draw_everywhere(games[second], second, "The appeal was upheld")
    preview = {email: story.rated(email) for email in story.pages}
    listed = [person.rating for person in stage.people[:2]]
    assert [int(preview[email][0]) for email in story.pages] == listed, "by RIO, not 999 (14.2)"
    assert preview[second] != before
    story.validate()  # standings that have changed are validated anew
    story.announce_results()
    story.pay_prizes(engine)
    story.told("announced, prizes paid")
    story.hand_over()
    story.publish(boss := new_tab("en"))
    story.told("published")
    for email, person in zip(story.pages, stage.people, strict=False):
        story.public.goto(f"/en/players/{person.number}")
        new_rating = preview[email][-1]
        expect(story.public.locator("main")).to_contain_text(new_rating)
    story.looked_at(story.public, "player")
    story.looked_at(boss, "published")
    assert stage.tally.happened["lines_lost"] >= 1
