"""`arrocco pairing`: rounds of a Swiss tournament made, checked and generated from TRF files."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.output import Column, Output, output_options
from arrocco.cli.pairing_forms import PairingGroup, settings_of
from arrocco.cli.pairing_standings import (
    print_standings,
    ranked_file,
    ratings_of,
    standings_of,
    standings_record,
)

if TYPE_CHECKING:
    from arrocco.hall.pairing.check import RoundCheck
    from arrocco.hall.pairing.explanation import ExplainedBoard
    from arrocco.hall.pairing.records import RoundPairing
    from arrocco.hall.pairing.tournament import Tournament

MAX_PLAYERS, MAX_ROUNDS = 2000, 99
_EDITIONS = click.Choice(["2017", "2026"])


def _rounds_and_edition(command: Any) -> Any:
    rounds = click.option(
        "--rounds",
        type=click.IntRange(1, MAX_ROUNDS),
        metavar="N",
        help="How many rounds there are, where the file does not say.",
    )
    edition = click.option(
        "--edition", type=_EDITIONS, help="The text of C.04.3.  [in force at the start]"
    )
    return rounds(edition(command))


_checklist = click.option(
    "--checklist",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write what each player brings to each round: score, colours, floats, opponents.",
)


@click.group(cls=PairingGroup)
def command() -> None:
    """Pair the rounds of a Swiss tournament, check them, generate tournaments.

    Also understood, as by bbpPairings and JaVaFo: FILE -p [OUT], FILE -c, -g [CONFIG] -o OUT [-s
    SEED], MODEL -g -o OUT, each with -l [LIST], and -r.
    """


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--round",
    "number",
    type=click.IntRange(1),
    metavar="N",
    help="The round to pair.  [the one after the last that is paired]",
)
@_rounds_and_edition
@click.option("--baku", is_flag=True, help="Accelerate (C.04.7) where the file does not.")
@click.option("--explain", is_flag=True, help="Say why every board is as it is.")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the pairs as pairing programs do: a count, then numbers.",
)
@click.option("--plain", is_flag=True, help="Print what --output writes.")
@_checklist
@output_options
def make(
    out: Output,
    file: Path,
    number: int | None,
    rounds: int | None,
    edition: str | None,
    baku: bool,
    explain: bool,
    output: Path | None,
    plain: bool,
    checklist: Path | None,
) -> None:
    """Pair a round of the tournament in FILE, by the Dutch system (C.04.3)."""
    from arrocco.errors import Refusal
    from arrocco.hall.pairing.dutch import pair_round
    from arrocco.hall.pairing.explanation import explain as explained

    tournament = _tournament(file, rounds, edition, baku)
    number = number or tournament.played + 1
    if number > tournament.played + 1:
        raise Refusal.of("pairing.refused.later_round", round=number, next=tournament.played + 1)
    if number > tournament.rounds:
        raise Refusal.of("pairing.refused.rounds", round=number, rounds=tournament.rounds)
    field = tournament.before(number)
    pairing = pair_round(field)
    reasons = explained(field) if explain else []
    if checklist is not None:
        _write_checklist(checklist, tournament, [number])
    if output is not None:
        output.write_text(_plain(pairing), encoding="ascii")
    if out.is_json:
        out.json(_record(out, tournament, number, pairing, reasons))
    elif plain:
        click.echo(_plain(pairing), nl=False)
    elif output is None or explain:
        _print(out, tournament, number, pairing, reasons)
    elif sys.stdout.isatty():
        out.line(out.say("pairing.make.written", file=output))


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
@_rounds_and_edition
@click.option("--baku", is_flag=True, help="Accelerated (C.04.7), where the file does not say.")
@_checklist
@output_options
def check(
    out: Output,
    file: Path,
    rounds: int | None,
    edition: str | None,
    baku: bool,
    checklist: Path | None,
) -> None:
    """Pair every round of FILE again and compare, and its ranks; status 1 where something differs.

    Ranks are compared where the file states its tie-breaks (202, 212).
    """
    from arrocco.hall.pairing.check import check_rounds
    from arrocco.hall.pairing.tournament import Numbering

    tournament = _tournament(file, rounds, edition, baku)
    round_checks = list(check_rounds(tournament))
    differ = sum(not round_check.is_same for round_check in round_checks)
    standings = standings_of(file)
    wrong = () if standings is None else standings.wrong
    if checklist is not None:
        _write_checklist(checklist, tournament, range(1, tournament.played + 1))
    if out.is_json:
        out.json(
            {
                "file": str(file),
                "edition": tournament.edition.value,
                "rounds": [_checked_record(out, round_check) for round_check in round_checks],
                "numbering": tournament.numbering.value,
                "differ": differ,
                "standings": None if standings is None else standings_record(standings),
            }
        )
    else:
        for round_check in round_checks:
            _print_check(out, tournament, round_check)
        key = "some_differ" if differ else "all_same"
        out.line(
            out.say(f"pairing.check.{key}", differ=differ, rounds=len(round_checks)), bold=True
        )
        if differ and tournament.numbering is not Numbering.BY_RATING:
            out.line(out.say(f"pairing.check.{tournament.numbering.value}"))
        if standings is not None:
            print_standings(out, tournament, standings)
    if differ or wrong:
        click.get_current_context().exit(1)


@command.command()
@click.option("--players", type=click.IntRange(2, MAX_PLAYERS), help="[40]")
@click.option("--rounds", type=click.IntRange(1, MAX_ROUNDS), help="[9]")
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="The same seed gives the same file.",
)
@click.option("--baku", is_flag=True, help="Accelerate (C.04.7).")
@click.option(
    "--edition", type=_EDITIONS, default="2026", show_default=True, help="The text of C.04.3."
)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Settings as of other programs: PlayersNumber=40, one a line.",
)
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A tournament whose ratings, rounds, draws, forfeits and byes are imitated.",
)
@click.option(
    "--tie-breaks",
    metavar="CODES",
    default="",
    help="Rank by these, as record 212 has them: BH/C1,BH,SB.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where to write it.  [standard output]",
)
@_checklist
@output_options
def generate(
    out: Output,
    players: int | None,
    rounds: int | None,
    seed: int,
    baku: bool,
    edition: str,
    config: Path | None,
    model: Path | None,
    tie_breaks: str,
    output: Path | None,
    checklist: Path | None,
) -> None:
    """Generate a tournament with random results that fit the ratings, as a TRF26 file."""
    from arrocco.hall.pairing import generator
    from arrocco.hall.pairing.records import Edition

    usual = generator.Settings(40, 9)
    if model is not None:
        usual = generator.settings_like(_tournament(model, None, None, False), ratings_of(model))
    settings = settings_of(config, usual)
    settings = replace(
        settings,
        players=players or settings.players,
        rounds=rounds or settings.rounds,
        baku=baku or settings.baku,
        edition=Edition(edition),
    )
    made = generator.generate(settings, seed)
    data = ranked_file(made, seed, tie_breaks)
    if checklist is not None:
        _write_checklist(checklist, made.tournament, range(1, settings.rounds + 1))
    if output is not None:
        output.write_bytes(data)
    if out.is_json:
        record = {"seed": seed, "players": settings.players, "rounds": settings.rounds}
        out.json({**record, "trf": data.decode(), "file": None if output is None else str(output)})
    elif output is None:
        click.echo(data, nl=False)
    elif sys.stdout.isatty():
        out.line(out.say("pairing.make.written", file=output))


def _write_checklist(file: Path, tournament: Tournament, numbers: Iterable[int]) -> None:
    from arrocco.hall.pairing.checklist import checklist
    from arrocco.hall.pairing.dutch import pair_round

    text = ""
    for number in numbers:
        is_new = number > tournament.played
        field = tournament.before(number)
        pairing = pair_round(field) if is_new else tournament.pairing_of(number)
        text += checklist(field, pairing, number)
    file.write_text(text, encoding="ascii")


def _tournament(file: Path, rounds: int | None, edition: str | None, baku: bool) -> Tournament:
    from arrocco.formats.trf.document import MAX_BYTES
    from arrocco.hall.pairing.records import Edition
    from arrocco.hall.pairing.tournament import with_acceleration
    from arrocco.hall.pairing.trf_tournament import read_tournament

    with file.open("rb") as stream:
        tournament = read_tournament(stream.read(MAX_BYTES + 1), str(file))
    if rounds is not None:
        tournament = replace(tournament, rounds=max(rounds, tournament.played))
    if edition is not None:
        tournament = replace(tournament, edition=Edition(edition))
    if baku and not any(player.virtual for player in tournament.players):
        tournament = replace(tournament, players=with_acceleration(tournament))
    return tournament


def _plain(pairing: RoundPairing) -> str:
    rows = [f"{white} {black}" for white, black in pairing.boards]
    if pairing.bye is not None:
        rows.append(f"{pairing.bye} 0")
    return "\n".join([str(len(rows)), *rows]) + "\n"


def _record(
    out: Output,
    tournament: Tournament,
    number: int,
    pairing: RoundPairing,
    reasons: list[ExplainedBoard],
) -> dict[str, Any]:
    rows: list[dict[str, Any]] = [
        {"white": white, "black": black, "bye": False} for white, black in pairing.boards
    ]
    if pairing.bye is not None:
        rows.append({"white": pairing.bye, "black": None, "bye": True})
    for row, board in zip(rows, reasons, strict=False):
        row["reasons"] = [
            {"article": reason.article, "text": reason.said(out.language)}
            for reason in board.reasons
        ]
    return {"round": number, "edition": tournament.edition.value, "pairs": rows}


def _print(
    out: Output,
    tournament: Tournament,
    number: int,
    pairing: RoundPairing,
    reasons: list[ExplainedBoard],
) -> None:
    def named(player: int) -> str:
        return f"{player} {tournament.names.get(player, '')}".strip()

    say = out.say
    out.table(
        [
            Column(say("pairing.make.board"), right=True),
            say("pairing.make.white"),
            say("pairing.make.black"),
        ],
        [
            [str(board), named(white), named(black)]
            for board, (white, black) in enumerate(pairing.boards, start=1)
        ],
        title=say("pairing.make.title", round=number, boards=len(pairing.boards)),
    )
    if pairing.bye is not None:
        out.line(say("pairing.make.bye", player=named(pairing.bye)))
    out.line(say("pairing.make.edition", edition=tournament.edition.value), dim=True)
    for place, board in enumerate(reasons, start=1):
        text = " ".join(reason.said(out.language) for reason in board.reasons)
        head = "-" if board.black is None else str(place)
        out.line(f"{head:>4}  {text}", indent=6)


def _checked_record(out: Output, round_check: RoundCheck) -> dict[str, Any]:
    def pairs(pairing: RoundPairing) -> list[list[int | None]]:
        boards: list[list[int | None]] = [list(board) for board in pairing.boards]
        return boards + ([] if pairing.bye is None else [[pairing.bye, None]])

    record: dict[str, Any] = {"round": round_check.round, "same": round_check.is_same}
    if not round_check.is_same:
        ours = [] if round_check.rules is None else pairs(round_check.rules)
        theirs = pairs(round_check.file)
        record |= {
            "rules": [pair for pair in ours if pair not in theirs],
            "file": [pair for pair in theirs if pair not in ours],
            "criterion": round_check.criterion,
            "text": _decided(out, round_check),
        }
    return record


def _decided(out: Output, round_check: RoundCheck) -> str:
    from arrocco.hall.pairing.explanation import criterion_words

    criterion = round_check.criterion
    if not criterion:
        return ""
    if criterion in ("C2", "?"):
        return out.say(f"pairing.check.{'C2' if criterion == 'C2' else 'better'}")
    if criterion.startswith("5"):
        return out.say("pairing.check.colours", article=criterion)
    shown = criterion if criterion.startswith("C") else f"C.04.3 {criterion}"
    return out.say(
        "pairing.check.decides", words=criterion_words(round_check.meaning), criterion=shown
    )


def _print_check(out: Output, tournament: Tournament, round_check: RoundCheck) -> None:
    if round_check.is_same:
        out.line(out.say("pairing.check.same", round=round_check.round))
        return
    if round_check.rules is None:
        out.line(out.say("pairing.check.none", round=round_check.round))
        return
    decided = _decided(out, round_check)
    out.line(f"{out.say('pairing.check.differs', round=round_check.round)} {decided}")
    for key, pairing, other in (
        ("rules", round_check.rules, round_check.file),
        ("file", round_check.file, round_check.rules),
    ):
        rows = [
            f"{white}-{black}"
            for white, black in pairing.boards
            if (white, black) not in other.boards
        ]
        if pairing.bye != other.bye and pairing.bye is not None:
            rows.append(f"{pairing.bye} {out.say('pairing.check.bye')}")
        out.line(f"    {out.say(f'pairing.check.{key}')}: {', '.join(rows)}", indent=8)
