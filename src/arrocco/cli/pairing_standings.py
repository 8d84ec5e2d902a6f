"""The ranks of a file for `arrocco pairing`: compared, told, and made for generated ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from arrocco.cli.output import Output

if TYPE_CHECKING:
    from arrocco.formats.trf.document import TrfDocument
    from arrocco.hall.file_standings import FileStandings
    from arrocco.hall.pairing.generator import Generated
    from arrocco.hall.pairing.tournament import Tournament


def standings_of(file: Path) -> FileStandings | None:
    """The standings by what the file states; `None` where it states no tie-breaks."""
    from arrocco.hall.file_standings import ranked, stated_codes

    document = _document(file)
    codes = stated_codes(document)
    return ranked(document, codes) if codes else None


def ratings_of(file: Path) -> list[int]:
    """The ratings of everybody in a file who has one."""
    from arrocco.formats.trf.records import PlayerRecord

    return [line.rating for _, line in _document(file).all(PlayerRecord) if line.rating]


def ranked_file(made: Generated, seed: int, tie_breaks: str) -> bytes:
    """A generated tournament with the ranks of these tie-breaks; by points where there are none.

    Raises `Malformed` for a code that is not known.
    """
    from arrocco.errors import Malformed
    from arrocco.formats.trf.document import read
    from arrocco.hall.file_standings import POINTS, ranked
    from arrocco.hall.pairing.generator import to_trf

    codes = tuple(tie_breaks.upper().replace(",", " ").split())
    if not codes:
        return to_trf(made, seed)
    if codes[0] != POINTS:
        codes = (POINTS, *codes)
    document, _ = read(to_trf(made, seed, codes), "")
    standings = ranked(document, codes)
    if standings.left_out:
        raise Malformed.of("pairing.refused.tie_break", code=standings.left_out[0])
    return to_trf(made, seed, codes, {place.number: place.first for place in standings.places})


def standings_record(standings: FileStandings) -> dict[str, Any]:
    """What a program is told of them."""
    return {
        "compared": list(standings.compared),
        "left_out": list(standings.left_out),
        "wrong": [
            {"player": place.number, "rank": place.rank, "first": place.first, "last": place.last}
            for place in standings.wrong
        ],
    }


def print_standings(out: Output, tournament: Tournament, standings: FileStandings) -> None:
    """What a person is told of them."""
    codes = ", ".join(standings.compared)
    if standings.compared:
        key = "ranks_differ" if standings.wrong else "ranks_fit"
        out.line(
            out.say(f"pairing.check.{key}", codes=codes, count=len(standings.wrong)), bold=True
        )
    for place in standings.wrong:
        name = tournament.names.get(place.number, "")
        only_one = place.first == place.last
        fitting = str(place.first) if only_one else f"{place.first}-{place.last}"
        out.line(
            out.say(
                "pairing.check.rank",
                player=f"{place.number} {name}".strip(),
                rank=place.rank,
                place=fitting,
            ),
            indent=4,
        )
    if standings.left_out:
        out.line(out.say("pairing.check.ranks_left_out", codes=", ".join(standings.left_out)))


def _document(file: Path) -> TrfDocument:
    from arrocco.formats.trf.document import MAX_BYTES, read

    with file.open("rb") as stream:
        return read(stream.read(MAX_BYTES + 1), str(file))[0]
