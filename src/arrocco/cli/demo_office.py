"""`arrocco demo office` and `arrocco demo serve`: an invented office to look around in."""

from __future__ import annotations

import contextlib
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.output import Column, Output, output_options

if TYPE_CHECKING:
    from arrocco.demo.year import Overview

_VIDEO_QUOTA = "512"
"""Megabytes; an event of the living hall takes some eighty."""
_HEADS = tuple("system imported published latest players rated reports corrections".split())


def _demo_option(command: Any) -> Any:
    """Gives a command ``--office DIR``; ARROCCO_OFFICE is not asked, it may name a real one."""
    return click.option(
        "--office",
        "folder",
        type=click.Path(path_type=Path),
        default="demo-office",
        show_default=True,
        metavar="DIR",
        help="The folder of the invented office.",
    )(command)


def _months_option(command: Any) -> Any:
    return click.option(
        "--months",
        type=click.IntRange(1, 12),
        default=12,
        show_default=True,
        help="How many months it lives through; fewer make it smaller, too.",
    )(command)


@click.command()
@_demo_option
@_months_option
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="The same seed gives the same bytes of every list.",
)
@output_options
def office(out: Output, folder: Path, months: int, seed: int) -> None:
    """Make an office and live a year in it: accounts, tournaments, reports, lists, mistakes.

    Everything goes through the office itself, as arbiters and administrators do it. DIR is new or
    empty. Nobody in it exists, and everybody's password is known: it is for looking around only.
    """
    end = _make(out, folder, months, seed)
    overview = _overview(folder)
    if out.is_json:
        out.json({"folder": str(folder), "ends": end, "accounts": _log_ins(), **_record(overview)})
        return
    _print(out, folder, end, overview)


@click.command("serve")
@_demo_option
@_months_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to answer at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="The port to answer at; 0 takes a free one.",
)
@click.option("--quiet-hall", is_flag=True, help="Leave the hall empty: nobody plays there.")
@output_options
def serve(out: Output, folder: Path, months: int, host: str, port: int, quiet_hall: bool) -> None:
    """Answer browsers with an invented office, made first where there is none, until Ctrl+C.

    Its time goes on from the day on which its story ends. In its hall an event is being played: the
    player's account has a seat, the first arbiter's one has calls to answer.
    """
    import time

    from arrocco.cli.serve import PARTS
    from arrocco.cli.serving import run
    from arrocco.demo.living.cast import cast_of
    from arrocco.demo.living.process import LivingHall
    from arrocco.desk import DATABASE_VARIABLE
    from arrocco.live.server_time import NS_PER_MS, as_moment
    from arrocco.store.sql.database import sqlite_url
    from arrocco.video.settings import ENGINE, QUOTA, EngineName

    with contextlib.closing(run.listening_at(host, port)) as listening:
        if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
            _make(out, folder, months, seed=1)
        address = run.address_of(listening)
        with contextlib.closing(_going_on(folder)) as opened:
            cast = None if quiet_hall else cast_of(opened, address)
            now = opened.desk.now()
        ahead = as_moment(now) * NS_PER_MS - time.monotonic_ns()

        def ready() -> None:
            if cast is not None:
                living.start(cast, ahead)
            if out.is_json:
                out.json({"address": address, "office": str(folder), "accounts": _log_ins()})
            else:
                _print_log_ins(out)
                out.line(
                    out.say("demo_office.open", folder=folder, address=address, day=now.date())
                )

        with contextlib.closing(LivingHall()) as living:
            run.run_server(
                folder,
                listening,
                PARTS,
                secure=False,
                address=address,
                on_ready=ready,
                ahead=ahead,
                # Whatever the environment names may belong to an office that is real; the players'
                # pictures come in slices, and nobody wants them on the disk for ever.
                environment={
                    DATABASE_VARIABLE: sqlite_url(folder.absolute()),
                    ENGINE: EngineName.SEGMENTS,
                    QUOTA: _VIDEO_QUOTA,
                },
            )


def _make(out: Output, folder: Path, months: int, seed: int) -> date:
    from arrocco.demo.year import make_year, require_empty

    require_empty(folder)
    out.remark(out.say("demo_office.making", folder=folder))

    def told(system: str, day: date) -> None:
        if system == "fide":
            out.remark("  " + out.say("demo_office.month", list_date=day))

    return make_year(folder, months=months, seed=seed, progress=told)


def _overview(folder: Path) -> Overview:
    from arrocco.demo.year import overview_of

    with contextlib.closing(_going_on(folder)) as opened:
        return overview_of(opened)


def _going_on(folder: Path) -> Any:
    from arrocco.demo.year import reopen

    return reopen(folder)


def _log_ins() -> list[dict[str, str]]:
    from arrocco.demo.year import LOG_INS, PASSWORD

    return [
        {
            "email": login.email,
            "role": login.role.value,
            "federation": login.federation,
            "password": PASSWORD,
        }
        for login in LOG_INS
    ]


def _record(overview: Overview) -> dict[str, Any]:
    return {
        "systems": [
            {head: getattr(system, head) for head in _HEADS} for system in overview.systems
        ],
        "merged": overview.merged,
        "changed": overview.changed,
        "tournaments": overview.status.tournaments,
        "awaiting_approval": overview.status.awaiting_approval,
        "reports_to_decide": overview.status.reports_to_decide,
    }


def _print(out: Output, folder: Path, end: date, overview: Overview) -> None:
    status = overview.status
    out.line(
        out.say("demo_office.made", folder=folder, end=end, tournaments=status.tournaments),
        bold=True,
    )
    out.line()
    right = set(_HEADS) - {"system", "latest"}
    out.table(
        [Column(out.say(f"demo_office.head.{head}"), right=head in right) for head in _HEADS],
        [[str(getattr(system, head)) for head in _HEADS] for system in overview.systems],
    )
    out.line()
    out.line(out.say("demo_office.people", merged=overview.merged, changed=overview.changed))
    out.line(
        out.say(
            "demo_office.left",
            approvals=status.awaiting_approval,
            reports=status.reports_to_decide,
        )
    )
    out.line()
    _print_log_ins(out)
    out.line()
    out.line(out.say("demo_office.next"))
    for command in (f"demo serve --office {folder}", f"list verify --all --office {folder}"):
        out.line(f"    arrocco {command}")


def _print_log_ins(out: Output) -> None:
    from arrocco.demo.year import LOG_INS, PASSWORD

    out.line(out.say("demo_office.log_ins", password=PASSWORD))
    out.table(
        [Column(out.say("demo_office.head.email")), Column(out.say("demo_office.head.role"))],
        [
            [login.email, " ".join((out.say(f"web.role.{login.role.value}"), login.federation))]
            for login in LOG_INS
        ],
    )
