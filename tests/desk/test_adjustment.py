"""The adjustment of 1 March 2024: entered once, on the next list, explained, built again."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from arrocco.cli.main import program
from arrocco.desk import Office
from arrocco.engine.diff import ListDiff
from arrocco.errors import Illegal, Inconsistent
from arrocco.formats.lists import read_list
from arrocco.laws.registry import edition_in_force
from arrocco.office.ledger import ListAdjusted, ListPublished, ResultCorrection
from arrocco.office.roles import Forbidden
from arrocco.runs.replay import REPLAYED
from arrocco.store.explanation_steps import closing_steps, opening_steps
from arrocco.store.list_folder import ADJUSTED, LIST
from arrocco.store.steps import read_steps
from arrocco.words import say
from tests.desk.office_replay.replayed import differing_files, replayed
from tests.desk.offices import (
    RATINGS,
    Clock,
    People,
    accepted,
    folder_bytes,
    people_of,
    player_id,
    published,
    report,
    write_opening,
)
from tests.desk.test_story import check_all_verified, rating

MARCH, APRIL, MAY = (date(2024, month, 1) for month in (3, 4, 5))
LAW = edition_in_force("fide", MARCH)()
WHY = "the Council's decision of December 2023"


@pytest.fixture
def people(office: Office, clock: Clock, tmp_path: Path) -> People:
    """The office has the list of 1 March 2024 as it was before the adjustment."""
    clock.go_to(date(2024, 1, 5))
    found = people_of(office)
    office.lists.import_list(
        found.administrator, "fide", MARCH, write_opening(tmp_path / "march.csv")
    )
    clock.go_to(MARCH)
    return found


def adjusted(number: int) -> int:
    before = RATINGS[number - 1]
    return before if before >= 2000 else round(before + 0.4 * (2000 - before))


def test_everybody_below_2000_opens_the_next_period_adjusted(
    office: Office, clock: Clock, people: People
) -> None:
    boss, march = people.administrator, folder_bytes(office.lists.folder("fide", MARCH))
    preview = office.adjustments.preview(boss, "fide", MARCH)
    below = [n for n, before in enumerate(RATINGS, start=1) if before < 2000]
    assert preview.player.tolist() == [player_id(n) for n in below]
    assert preview.after.tolist() == [adjusted(n) for n in below]
    accepted(office, clock, people, report(1, date(2024, 3, 8)), ("fide",))
    seq = office.adjustments.enter(boss, "fide", MARCH, WHY)
    clock.go_to(APRIL)
    published(office, people, "fide", APRIL)

    assert folder_bytes(office.lists.folder("fide", MARCH)) == march, "it stays as published"
    assert [rating(office, "fide", APRIL, n) for n in (9, 10, 11, 12)] == [
        adjusted(n) for n in (9, 10, 11, 12)
    ], "who did not play has the adjustment only"
    with office.desk.database.reading() as connection:
        book = office.desk.book(connection)
    assert book.entries[seq] == ListAdjusted(system="fide", list_date=MARCH, reason=WHY)
    entry = book.entries[book.lists("fide")[APRIL]]
    assert isinstance(entry, ListPublished)
    assert entry.adjustments == (seq,)
    assert ADJUSTED in entry.files
    check_all_verified(office, 2)

    # Who played starts from the adjusted rating, against opponents at theirs.
    seen = office.people.period("fide", player_id(8), APRIL)
    assert seen.adjusted == (RATINGS[7], adjusted(8))
    assert seen.rows.rating == adjusted(8)
    games = [game for event in seen.rows.events for game in event.games]
    assert {game.opponent_rating for game in games} == {adjusted(n) for n in range(1, 8)}
    assert rating(office, "fide", APRIL, 8) == adjusted(8) + seen.rows.change
    (step,) = opening_steps(seen)
    assert (step.key, step.article) == ("explain.adjusted", LAW.article("adjustment"))
    for language in ("en", "it"):
        words = say(language, step.key, **step.details)
        assert str(RATINGS[7]) in words
        assert str(adjusted(8)) in words
    assert closing_steps(seen)

    still = office.people.period("fide", player_id(12), APRIL)
    assert still.adjusted == (RATINGS[11], adjusted(12)) == (1540, 1724)
    strong = office.people.period("fide", player_id(1), APRIL)
    assert (strong.adjusted, opening_steps(strong)) == (None, [])
    (row,) = [one for one in office.people.history(player_id(12))["fide"] if one.list_date == APRIL]
    assert (row.rating, row.change) == (1724, 184)


def test_a_list_is_adjusted_once_and_only_by_the_administrator(
    office: Office, clock: Clock, people: People
) -> None:
    boss, enter = people.administrator, office.adjustments.enter

    def refused(system: str, day: date, kind: type[Exception] = Illegal) -> str:
        with pytest.raises(kind) as told:
            enter(boss, system, day, WHY)
        return str(getattr(told.value, "key", ""))

    for asker in (people.officer, people.arbiter, people.player, people.public):
        with pytest.raises(Forbidden):
            enter(asker, "fide", MARCH, WHY)
        with pytest.raises(Forbidden):
            office.adjustments.preview(asker, "fide", MARCH)
    with pytest.raises(Inconsistent):
        enter(boss, "fide", MARCH, "  ")
    assert refused("fide", APRIL) == "desk.refused.adjust_newest"
    assert refused("fide-rapid", MARCH) == "desk.refused.adjust_newest"
    assert [(one.system, one.list_date) for one in office.adjustments.open()] == [("fide", MARCH)]

    draft = office.lists.enter_draft(boss, "fide", APRIL)
    office.lists.run_draft(draft)
    assert not office.lists.is_behind(boss, draft)
    enter(boss, "fide", MARCH, WHY)
    assert office.lists.is_behind(boss, draft)
    clock.go_to(APRIL)
    with pytest.raises(Illegal) as told:
        office.lists.publish(boss, draft, before_closing=True)
    assert told.value.key == "desk.refused.draft_behind"

    assert office.adjustments.open() == []
    assert refused("fide", MARCH) == "desk.refused.adjusted_already"
    published(office, people, "fide", APRIL)
    assert refused("fide", MARCH) == "desk.refused.adjusted_already"
    assert refused("fide", APRIL) == "desk.refused.no_adjustment"
    check_all_verified(office, 2)


def test_late_reports_and_corrections_see_the_adjusted_list(
    office: Office, clock: Clock, people: People
) -> None:
    boss = people.administrator
    first = accepted(office, clock, people, report(1, date(2024, 3, 8)), ("fide",))
    office.adjustments.enter(boss, "fide", MARCH, WHY)
    clock.go_to(APRIL)
    published(office, people, "fide", APRIL)
    # A tournament of March that comes late is rated with the list it started under, adjusted.
    accepted(office, clock, people, report(2, date(2024, 3, 26), players=range(5, 13)), ("fide",))
    read = office.reports.read(boss, first.id)
    game = next(game for game in read.games if game.white_score != 1)
    change = ResultCorrection(
        round=game.round,
        white=game.white,
        black=game.black,
        white_half=int(game.black_score),
        black_half=int(game.white_score),
    )
    office.corrections.enter(boss, first.id, [change], "the score sheet says otherwise")
    clock.go_to(MAY)
    published(office, people, "fide", MAY)
    seen = office.people.period("fide", player_id(12), MAY)
    games = [game for event in seen.rows.events for game in event.games]
    assert {game.opponent_rating for game in games} == {adjusted(n) for n in range(5, 12)}
    assert seen.adjusted is None, "the adjustment is on the list before"
    check_all_verified(office, 3)


def test_a_replay_takes_it_along(
    office: Office, clock: Clock, people: People, tmp_path: Path
) -> None:
    """Under the same law every file is the one published; other editions have no such rule."""
    accepted(office, clock, people, report(1, date(2024, 3, 8)), ("fide",))
    office.adjustments.enter(people.administrator, "fide", MARCH, WHY)
    for day in (APRIL, MAY):
        clock.go_to(day)
        published(office, people, "fide", day)
    _, same = replayed(office, "fide", APRIL, MAY, "fide", tmp_path / "same")
    assert differing_files(office, "fide", same) == []
    _, other = replayed(office, "fide", APRIL, APRIL, "fide@2012-07-01", tmp_path / "other")
    again = read_list(other.folder / REPLAYED / APRIL.isoformat() / LIST, "standard")[0]
    unmoved = again.player(player_id(12))
    assert unmoved is not None
    assert unmoved.rating == RATINGS[11]


def test_a_comparison_of_the_lists_explains_it(
    office: Office, clock: Clock, people: People
) -> None:
    accepted(office, clock, people, report(1, date(2024, 3, 8)), ("fide",))
    office.adjustments.enter(people.administrator, "fide", MARCH, WHY)
    clock.go_to(APRIL)
    published(office, people, "fide", APRIL)
    folders = [office.lists.folder("fide", day) for day in (MARCH, APRIL)]
    one, other = (read_list(folder / LIST, "standard")[0] for folder in folders)
    diff = ListDiff(one, other, read_steps(folders[1]))
    assert not diff.unexplained.any()
    result = CliRunner().invoke(program, ["list", "diff", *map(str, folders)])
    assert "The list was adjusted: +184, to 1724." in result.output, result.output


def test_at_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARROCCO_DATABASE", raising=False)
    folder, march = tmp_path / "office", write_opening(tmp_path / "march.csv")

    def run(*args: str) -> tuple[int, str]:
        result = CliRunner().invoke(program, [*args])
        return result.exit_code, result.output

    office = ["--office", str(folder)]
    assert run("office", "init", "--email", "a@example.org", *office)[0] == 0
    assert run("office", "import-list", "fide", "2024-03-01", str(march), *office)[0] == 0
    adjust = ["office", "adjust", "fide", "2024-03-01", "--reason", WHY, *office]
    assert run(*adjust) == (
        0,
        "The list of 2024-03-01 of fide is adjusted (entry 4 of the ledger): 9 players move.\n",
    )
    status, words = run(*adjust)
    assert status == 1
    assert "adjusted once" in words
    assert run("office", "verify", *office)[0] == 0


def test_a_file_is_written_adjusted(tmp_path: Path) -> None:
    march, out = write_opening(tmp_path / "march.csv"), tmp_path / "out.csv"

    def run(*args: str) -> tuple[int, str]:
        result = CliRunner().invoke(program, ["list", "adjust", *args])
        return result.exit_code, result.output

    status, words = run(str(march), str(out), "--on", "2024-03-01")
    assert (status, words) == (0, f"9 players adjusted, 852 points altogether: {out}\n")
    assert read_list(out)[0].rating.tolist() == [adjusted(n) for n in range(1, 13)]
    for wrong in (
        [str(march), str(out), "--on", "2024-04-01"],
        [str(march), str(march), "--on", "2024-03-01"],
        [str(march), str(tmp_path / "out.doc"), "--on", "2024-03-01"],
        [str(march), str(out), "--on", "2024-03-01", "--law", "rio"],
    ):
        assert run(*wrong)[0] == 1, wrong
