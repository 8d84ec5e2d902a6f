"""`arrocco pairing`: a round made, rounds checked, tournaments generated, also as others ask."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arrocco.cli.main import program


def pairing(*args: str | Path | int) -> Result:
    return CliRunner().invoke(program, ["pairing", *map(str, args)], prog_name="arrocco")


@pytest.fixture
def generated(tmp_path: Path) -> Path:
    file = tmp_path / "generated.trf"
    made = pairing("generate", "--players", 9, "--rounds", 4, "--seed", 2, "--output", file)
    assert made.exit_code == 0
    return file


def test_a_round_has_pairs_and_a_bye(generated: Path) -> None:
    record = json.loads(pairing("make", generated, "--round", 3, "--json").stdout)
    assert record["pairs"][0] == {"white": 3, "black": 2, "bye": False}
    assert record["pairs"][-1] == {"white": 5, "black": None, "bye": True}


def test_reasons_in_both_languages(generated: Path) -> None:
    for language, word in (("en", "upper half"), ("it", "met\u00e0 superiore")):
        told = pairing("make", generated, "--round", 3, "--explain", "--lang", language).stdout
        assert word in told
    record = json.loads(pairing("make", generated, "--round", 3, "--explain", "--json").stdout)
    assert record["pairs"][0]["reasons"][-1]["article"] == "5.2.1"


def test_as_other_programs_are_asked(generated: Path, tmp_path: Path) -> None:
    told = pairing("--dutch", generated, "--rounds", 5, "-p")
    assert told.stdout.splitlines()[0] == "5"
    assert told.stdout.splitlines()[-1] == "6 0"
    out = tmp_path / "pairs.txt"
    assert pairing(generated, "-p", out, "--rounds", 5).exit_code == 0
    assert out.read_text() == told.stdout
    assert pairing(generated, "-c").exit_code == 0
    config = tmp_path / "settings.txt"
    config.write_text("PlayersNumber=10\nRoundsNumber=3\nForfeitRate=20\n")
    other = tmp_path / "other.trf"
    assert pairing("-g", config, "-o", other, "-s", 7).exit_code == 0
    assert pairing("check", other).exit_code == 0


def test_a_round_that_differs_is_shown_with_the_criterion(generated: Path) -> None:
    """Boards 1 and 2 of the last round change opponents."""
    made = json.loads(pairing("make", generated, "--round", 4, "--json").stdout)["pairs"]
    (a, b), (c, d) = ((pair["white"], pair["black"]) for pair in made[:2])
    lines = generated.read_text().splitlines()
    opponent = {a: d, d: a, c: b, b: c}
    for at, line in enumerate(lines):
        number = int(line[4:8]) if line.startswith("001") else 0
        if number in opponent:
            colour = "w" if number in (a, c) else "b"
            lines[at] = f"{line[:121]}{opponent[number]:4} {colour} =".replace("\r", "")
    points = {}
    for at, line in enumerate(lines):
        if line.startswith("001"):
            cells = [line[column + 7] for column in range(91, len(line), 10)]
            points[at] = sum({"1": 10, "=": 5, "+": 10, "U": 10, "H": 5}.get(c, 0) for c in cells)
            lines[at] = f"{line[:80]}{points[at] / 10:4.1f}{line[84:]}"
    generated.write_text("\n".join(lines))
    checked = pairing("check", generated, "--json")
    assert checked.exit_code == 1
    last = json.loads(checked.stdout)["rounds"][3]
    assert not last["same"]
    assert last["criterion"]
    assert last["text"]


def test_what_cannot_be_paired_is_refused(generated: Path, tmp_path: Path) -> None:
    assert "not a round" in pairing("make", generated).stderr
    assert "before round 5" in pairing("make", generated, "--round", 6).stderr
    config = tmp_path / "settings.txt"
    config.write_text("Players=10\n")
    assert "line 1" in pairing("generate", "--config", config).stderr


def test_a_pair_without_colours_is_compared_as_a_pair(tmp_path: Path) -> None:
    """TRF: where somebody did not come there is often no colour (``5 - +``)."""
    file = tmp_path / "forfeits.trf"
    pairing("generate", "--players", 24, "--rounds", 1, "--seed", 1, "--output", file)
    text = file.read_text()
    for played, forfeited in (("  13 w 1", "  13 - +"), ("   1 b 0", "   1 - -")):
        assert played in text
        text = text.replace(played, forfeited)
    file.write_text(text)
    checked = pairing("check", file, "--json")
    assert json.loads(checked.stdout)["rounds"] == [{"round": 1, "same": True}]


def test_numbers_that_were_given_after_the_last_round_are_told(generated: Path) -> None:
    """C.04.2 2 — no ratings, and numbers in the order of the points: rounds had other numbers."""
    lines = generated.read_text().splitlines()
    players = [line for line in lines if line.startswith("001")]
    players.sort(key=lambda line: (-float(line[80:84]), int(line[4:8])))
    new = {line[4:8]: f"{place:4}" for place, line in enumerate(players, start=1)}
    rows = []
    for line in players:
        cells = [line[column : column + 10] for column in range(89, len(line), 10)]
        cells = [f"{cell[:2]}{new.get(cell[2:6], cell[2:6])}{cell[6:]}" for cell in cells]
        rows.append(f"001 {new[line[4:8]]}{line[8:48]}    {line[52:89]}{''.join(cells)}")
    heads = [line for line in lines if not line.startswith("001")]
    generated.write_text("\n".join([*heads, *rows, ""]))
    assert json.loads(pairing("check", generated, "--json").stdout)["numbering"] == "by_result"
    for language, word in (("en", "after the last round"), ("it", "dopo l'ultimo turno")):
        told = pairing("check", generated, "--lang", language).stdout
        assert word in " ".join(told.split())


@pytest.mark.parametrize("code", ["192 FIDE_TEAM_BAKU", "192 CUSTOM_TEAM"])
def test_a_tournament_of_teams_is_refused(generated: Path, code: str) -> None:
    generated.write_text(generated.read_text().replace("192 FIDE_DUTCH", code))
    for do in ("check", "make"):
        refused = pairing(do, generated)
        assert refused.exit_code != 0
        assert "tournament of teams" in " ".join(refused.stderr.split())
    assert "torneo a squadre" in " ".join(
        pairing("check", generated, "--lang", "it").stderr.split()
    )


@pytest.mark.parametrize(
    ("edition", "articles"), [("2026", {"4.2", "4.3"}), ("2017", {"D.1", "D.2"})]
)
def test_4_where_no_criterion_decides_the_order_is_said(
    tmp_path: Path, edition: str, articles: set[str]
) -> None:
    said: dict[str, set[str]] = {}
    for seed in range(1, 5):
        file = tmp_path / "order.trf"
        pairing("generate", "--players", 24, "--rounds", 7, "--seed", seed, "--output", file)
        for number in range(2, 8):
            made = pairing(
                "make", file, "--round", number, "--edition", edition, "--explain", "--json"
            )
            for pair in json.loads(made.stdout)["pairs"]:
                for reason in pair["reasons"]:
                    said.setdefault(reason["article"], set()).add(reason["text"])
    assert articles <= said.keys()
    transpositions, exchanges = sorted(articles)
    assert all("order of transpositions" in text for text in said[transpositions])
    assert all("change halves" in text for text in said[exchanges])
    assert all(f"(C.04.3 {exchanges})" in text for text in said[exchanges])
    assert not any("first in order" in text for texts in said.values() for text in texts)


def test_a_generated_tournament_has_the_ranks_of_its_tie_breaks(tmp_path: Path) -> None:
    """What FIDE asks of a checker and a generator: tie-breaks (212) and odd results as well."""
    config, file = tmp_path / "settings.txt", tmp_path / "ranked.trf"
    config.write_text("OddResultRate=4\nZeroPointByeRate=9\nFullPointByeRate=20\n")
    asked = ("--players", 14, "--rounds", 5, "--config", config, "--seed", 6, "--output", file)
    assert pairing("generate", *asked, "--tie-breaks", "BH/C1 SB,DE").exit_code == 0
    text = file.read_text()
    assert "212 PTS,BH/C1,SB,DE" in text
    assert {"F", "Z"} <= {
        line[column + 7] for line in text.splitlines() for column in rounds_of(line)
    }
    checked = pairing("check", file)
    assert checked.exit_code == 0
    assert "every rank follows PTS, BH/C1, SB, DE" in checked.stdout
    ranks = {line[4:8]: line[85:89] for line in text.splitlines() if line.startswith("001")}
    one, other = sorted(ranks, key=ranks.__getitem__)[0], sorted(ranks, key=ranks.__getitem__)[-1]
    swap = {one: ranks[other], other: ranks[one]}
    lines = [
        f"{line[:85]}{swap[line[4:8]]}{line[89:]}"
        if line[:3] == "001" and line[4:8] in swap
        else line
        for line in text.splitlines()
    ]
    file.write_text("\n".join(lines))
    checked = pairing("check", file, "--json")
    assert checked.exit_code == 1
    record = json.loads(checked.stdout)
    assert record["differ"] == 0
    assert {wrong["player"] for wrong in record["standings"]["wrong"]} == {int(one), int(other)}
    for language, word in (("en", "2 ranks do not follow"), ("it", "2 posti non seguono")):
        assert word in pairing("check", file, "--lang", language).stdout
    refused = pairing("generate", "--tie-breaks", "KS")
    assert refused.exit_code == 1
    assert "KS" in refused.stderr


def rounds_of(line: str) -> range:
    return range(91, len(line), 10) if line.startswith("001") else range(0)


def test_a_checklist_has_what_everybody_brings_to_a_round(generated: Path, tmp_path: Path) -> None:
    listed = tmp_path / "list.txt"
    assert pairing("--dutch", generated, "-c", "-l", listed).exit_code == 0
    rounds = listed.read_text().split("Round ")[1:]
    assert len(rounds) == 4
    white, black = pairing("make", generated, "--round", 3, "--plain").stdout.split("\n")[1].split()
    rows = {row.split()[0]: row for row in rounds[2].splitlines()[3:] if row}
    assert len(rows) == 9
    assert f" {black}w " in rows[white]
    assert f" {white}b " in rows[black]
    assert pairing("--dutch", generated, "-c", "-l").exit_code == 0
    assert generated.with_suffix(".list").read_text() == listed.read_text()
    made = tmp_path / "made.trf"
    assert pairing("-g", "-o", made, "-s", 3, "-l").exit_code == 0
    assert made.with_suffix(".list").read_text().startswith("Round 1")
    again = tmp_path / "again.txt"
    assert pairing("make", generated, "--round", 3, "--checklist", again).exit_code == 0
    assert again.read_text() == f"Round {rounds[2]}"


def test_a_tournament_is_generated_like_another_and_the_release_is_told(tmp_path: Path) -> None:
    config, file, other = (tmp_path / name for name in ("settings.txt", "one.trf", "other.trf"))
    config.write_text("PlayersNumber=30\nRoundsNumber=6\nHalfPointByeRate=6\nHighestRating=1900\n")
    assert pairing("-g", config, "-o", file, "-s", 4).exit_code == 0
    assert pairing("-r", "--dutch", file, "-g", "-o", other, "-s", 5).exit_code == 0
    lines = other.read_text().splitlines()
    ratings = [int(line[48:52]) for line in lines if line.startswith("001")]
    assert len(ratings) == 30
    assert max(ratings) <= 1900
    assert "142 6" in lines
    assert any("- H" in line for line in lines)
    told = pairing("-r")
    assert told.exit_code == 0
    assert told.stdout.startswith("arrocco ")
