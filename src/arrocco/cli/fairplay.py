"""`arrocco fairplay`: what an engine says of games, figures with their limits, no verdicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.office_options import office_option
from arrocco.cli.output import Output, output_options

if TYPE_CHECKING:
    from arrocco.fairplay.baseline import Baseline
    from arrocco.fairplay.helper import HelperRates
    from arrocco.fairplay.records import GameAnalysis
    from arrocco.fairplay.screen import Figure, Screen, Screened

NODES = 10_000
"""Those of the site's own screen: a baseline made with others cannot be compared with it."""
PACES = ("bullet", "blitz", "rapid", "standard")
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_OUT = click.Path(dir_okay=False, path_type=Path)


def _asked(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option(
            "--kept",
            type=_OUT,
            help="Keep analyses in this file, and go on from it where a run was stopped.",
        ),
        click.option(
            "--nodes",
            type=click.IntRange(1_000, 10_000_000),
            default=NODES,
            envvar="ARROCCO_ENGINE_NODES",
            show_default=True,
            help="Positions the engine looks at for each move; by itself those of the site.",
        ),
        click.argument("files", type=_FILE, nargs=-1, required=True, metavar="FILE.pgn..."),
    ):
        function = option(function)
    return function


@click.group()
def command() -> None:
    """Analyse games with an engine: figures with intervals and limits, never a verdict.

    Needs Stockfish (Debian's package `stockfish`). The same engine and the same nodes give the
    same figures, to the byte.
    """


@command.command()
@_asked
@click.option(
    "--time-class",
    type=click.Choice(PACES),
    help="The pace of the games; without it each game has that of its TimeControl.",
)
@click.option(
    "--add",
    "others",
    type=_FILE,
    multiple=True,
    metavar="BASELINE.json",
    help="A baseline of other paces that goes into the same file.",
)
@click.option(
    "--source",
    "sources",
    multiple=True,
    required=True,
    help="Where the games come from, in words; it stands in every report.",
)
@click.option(
    "--helper",
    "helpers",
    type=_FILE,
    multiple=True,
    metavar="FILE.pgn",
    help="Games with an engine's moves from move 9, both sides: what help looks like.",
)
@click.option(
    "--helper-source",
    "helper_sources",
    multiple=True,
    help="Where those come from, in words; without it the names of the files.",
)
@click.option("--out", "target", type=_OUT, required=True, help="The baseline to write (JSON).")
@output_options
def baseline(
    out: Output,
    files: Sequence[Path],
    time_class: str | None,
    others: Sequence[Path],
    nodes: int,
    kept: Path | None,
    sources: Sequence[str],
    helpers: Sequence[Path],
    helper_sources: Sequence[str],
    target: Path,
) -> None:
    """Count what players of each strength do, in games that are taken to be honest.

    Several paces can be in one file: the site compares each event with its own.
    With `--helper` it also counts how often a helper's moves are the screen's own choices; without,
    or from fewer than 500 decisions, the screen takes a stated helper that is hard to find.
    """
    import msgspec

    from arrocco.fairplay.baseline import make_baseline
    from arrocco.fairplay.calibration import making
    from arrocco.fairplay.helper import STATED, count_helper, rates_of
    from arrocco.fairplay.joined import joined

    known = [_baseline(file) for file in others]
    with making(target) as maker:  # the screen tells that it is under way
        analyses = _analysed(out, files, time_class or "", nodes, kept, maker.tell)
        # What help looks like is counted over all paces: one of them is as good as another.
        pace = time_class or PACES[0]
        planted = _analysed(out, helpers, pace, nodes, kept, maker.tell) if helpers else []
    helper = count_helper(planted, helper_sources or [file.name for file in helpers])
    made = joined(make_baseline(analyses, analyses[0].setting, sources, helper), known)
    target.write_bytes(msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n")
    decisions = sum(cell.decisions for cell in made.cells.values())
    if out.is_json:
        out.json(
            {
                "games": made.games,
                "decisions": decisions,
                "file": str(target),
                "helper": msgspec.to_builtins(rates_of(made.helper or STATED)),
            }
        )
        return
    out.line(out.say("fairplay.baseline_made", games=made.games, decisions=decisions, file=target))
    _show_helper(out, rates_of(made.helper or STATED))


@command.command()
@_asked
@click.option(
    "--time-class", type=click.Choice(PACES), required=True, help="The pace of the games."
)
@click.option(
    "--baseline",
    "base",
    type=_FILE,
    required=True,
    help="What honest players do, from `fairplay baseline`.",
)
@output_options
def screen(
    out: Output, files: Sequence[Path], time_class: str, nodes: int, kept: Path | None, base: Path
) -> None:
    """Screen every player of an event against a baseline, with what the screen can find at all."""
    import msgspec

    from arrocco.fairplay.screen import screen as screened

    known = _baseline(base)
    result = screened(_analysed(out, files, time_class, nodes, kept), known)
    if out.is_json:
        out.json(msgspec.to_builtins(result))
        return
    _show(out, result)


@command.command()
@click.option("--once", is_flag=True, help="Analyse what there is, and end.")
@office_option
@output_options
def watch(out: Output, folder: Path, once: bool) -> None:
    """Watch the games of an office's hall, as `serve` does by itself, until stopped with Ctrl+C.

    What it takes comes from the environment: ARROCCO_ENGINE, ARROCCO_ENGINE_NODES,
    ARROCCO_ENGINE_PROCESSES, ARROCCO_ENGINE_LATE. The server of the office may run or not.
    """
    import signal
    from contextlib import closing
    from threading import Event

    from arrocco.desk import Office
    from arrocco.fairplay.calibration import CalibrationState, calibration_of
    from arrocco.fairplay.engine import NoEngine
    from arrocco.live.opening import log_reader
    from arrocco.priority import step_back
    from arrocco.store.sql.migrate import require_newest
    from arrocco.watch.settings import watch_settings_from
    from arrocco.watch.watch import NICE, Watch

    settings = watch_settings_from()
    if not settings.is_on:
        raise NoEngine.of("fairplay.no_engine")
    step_back(NICE)
    with closing(Office.open_to_read(folder)):  # there is one, and it is whole
        pass
    with closing(Office.attach(folder)) as office:
        database = office.desk.database
        require_newest(database)
        with closing(log_reader(office.folder, database)) as logs:
            watched = Watch(database, logs, settings, office.desk.now, office.folder)
            if once:
                watched.run_until_empty()
            else:
                stop = Event()
                for number in (signal.SIGINT, signal.SIGTERM):
                    signal.signal(number, lambda *_: stop.set())
                watched.start()
                if not out.is_json:
                    out.line(out.say("watch.at_work", engine=settings.engine, folder=folder))
                    at = calibration_of(settings.baseline)
                    if at.state is not CalibrationState.READY:
                        key = f"watch.calibration.{at.state}"
                        out.line(out.say(key, done=at.done, total=at.total))
                stop.wait()
                watched.stop()
            waiting = watched.count_waiting()
    if out.is_json:
        out.json({"waiting": waiting})
    else:
        out.line(out.say("watch.ended", waiting=waiting))


def _baseline(file: Path) -> Baseline:
    import msgspec

    from arrocco.errors import Malformed
    from arrocco.fairplay.baseline import Baseline

    try:
        return msgspec.json.decode(file.read_bytes(), type=Baseline)
    except msgspec.DecodeError:
        raise Malformed.of("fairplay.no_baseline", file=file) from None


def _analysed(
    out: Output,
    files: Sequence[Path],
    time_class: str,
    nodes: int,
    kept: Path | None,
    tell: Callable[[int, int], None] = lambda *_: None,
) -> list[GameAnalysis]:
    from arrocco.errors import Malformed
    from arrocco.fairplay.engine import Analyser
    from arrocco.fairplay.kept import KeptAnalyses, analyse_games
    from arrocco.fairplay.pgn import watched_games

    read = [
        game for file in files for game in watched_games(file.read_bytes(), file.name, time_class)
    ]
    games = [game for game in read if game.time_class]
    if not games:
        raise Malformed.of("fairplay.no_games", games=len(read))
    if len(games) < len(read) and not out.is_json:
        out.line(out.say("fairplay.without_pace", games=len(read) - len(games)))

    def progress(done: int, total: int) -> None:
        tell(done, total)
        if not out.is_json:
            click.echo(
                f"\r{out.say('fairplay.progress', done=done, total=total)}", nl=False, err=True
            )

    with Analyser(nodes) as analyser:
        analyses = list(analyse_games(games, analyser, KeptAnalyses(kept), progress))
    if not out.is_json:
        click.echo(err=True)
    return analyses


def _show(out: Output, result: Screen) -> None:
    out.line(
        out.say("fairplay.made_with", engine=result.setting.engine, nodes=result.setting.nodes)
    )
    if not result.comparable:
        out.line(out.say("fairplay.not_comparable"), bold=True)
    elif result.spread is None:
        out.line(out.say("watch.screen.no_pace"), bold=True)
    if result.spread in ("few_players", "single_games"):
        out.line(out.say(f"fairplay.spread.{result.spread}"), bold=True)
    out.line(out.say("fairplay.threshold", z=result.threshold))
    _show_helper(out, result.helper)
    for player in result.players:
        out.line()
        rating = player.rating or "-"
        out.line(
            out.say(
                "fairplay.player",
                name=player.player,
                rating=rating,
                games=player.games,
                decisions=player.decisions,
            ),
            bold=True,
        )
        if player.too_few:
            out.line(out.say("fairplay.too_few"), indent=2)
        _table(out, player)
    out.line()
    out.line(out.say("fairplay.limits"))


def _show_helper(out: Output, helper: HelperRates) -> None:
    out.line(
        out.say(
            f"fairplay.helper.{'counted' if helper.sources else 'stated'}",
            first=round(100 * helper.first),
            third=round(100 * helper.third),
            decisions=helper.decisions,
            sources="; ".join(helper.sources),
        )
    )


def _table(out: Output, player: Screened) -> None:
    heads = ("figure", "seen", "interval", "expected", "z", "power")
    out.table(
        [out.say(f"fairplay.head.{head}") for head in heads],
        [_row(out, figure) for figure in player.figures],
    )


def _row(out: Output, figure: Figure) -> list[str]:
    def shown(value: float | None) -> str:
        return "-" if value is None else f"{value:.3f}"

    mark = " *" if figure.stands_out else ""
    return [
        out.say(f"fairplay.figure.{figure.name}"),
        shown(figure.seen),
        f"{figure.low:.3f}-{figure.high:.3f}",
        shown(figure.expected),
        "-" if figure.z is None else f"{figure.z:.2f}{mark}",
        " / ".join(
            f"{power.chance:.2f} ({power.low:.2f}-{power.high:.2f})" for power in figure.power
        )
        or "-",
    ]
