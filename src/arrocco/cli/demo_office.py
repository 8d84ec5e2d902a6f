"""`arrocco demo office` and `arrocco demo serve`: an invented office to look around in."""

from __future__ import annotations

import contextlib
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.output import Column, Output, output_options

if TYPE_CHECKING:
    from arrocco.generate.year import Glance

_HEADS = (
    "system", "imported", "published", "latest", "players", "rated", "reports", "corrections",
)  # fmt: skip


def _demo_option(command: Any) -> Any:
    """Gives a command ``--office DIR``; ARROCCO_OFFICE is not asked, it may name a real one."""
    return click.option(
        "--office", "folder", type=click.Path(path_type=Path), default="demo-office",
        show_default=True, metavar="DIR", help="The folder of the invented office.",
    )(command)  # fmt: skip


def _months_option(command: Any) -> Any:
    return click.option(
        "--months", type=click.IntRange(1, 12), default=12, show_default=True,
        help="How many months it lives through; fewer make it smaller, too.",
    )(command)  # fmt: skip


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
    glance = _glance(folder)
    if out.is_json:
        out.json({"folder": str(folder), "ends": end, "accounts": _log_ins(), **_record(glance)})
        return
    _print(out, folder, end, glance)


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
@output_options
def serve(out: Output, folder: Path, months: int, host: str, port: int) -> None:
    """Answer browsers with an invented office, made first where there is none, until Ctrl+C.

    Its time goes on from the day on which its story ends.
    """
    import time

    from arrocco.cli.serve import PARTS
    from arrocco.cli.serving import run
    from arrocco.store.sql.database import sqlite_url
    from arrocco.wiring.hall.server_time import NS_PER_MS, as_moment
    from arrocco.wiring.office import DATABASE_VARIABLE

    with contextlib.closing(run.listening_at(host, port)) as listening:
        if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
            _make(out, folder, months, seed=1)
        with contextlib.closing(_going_on(folder)) as opened:
            now = opened.desk.now()
        address = run.address_of(listening)

        def ready() -> None:
            if out.is_json:
                out.json({"address": address, "office": str(folder), "accounts": _log_ins()})
            else:
                _print_log_ins(out)
                out.line(
                    out.say("demo_office.open", folder=folder, address=address, day=now.date())
                )

        run.run_server(
            folder, listening, PARTS, secure=False, address=address, on_ready=ready,
            ahead=as_moment(now) * NS_PER_MS - time.monotonic_ns(),
            # Whatever the environment names may belong to an office that is real.
            environment={DATABASE_VARIABLE: sqlite_url(folder.absolute())},
        )  # fmt: skip


def _make(out: Output, folder: Path, months: int, seed: int) -> date:
    from arrocco.generate.year import make_year, require_empty

    require_empty(folder)
    out.remark(out.say("demo_office.making", folder=folder))

    def told(system: str, day: date) -> None:
        if system == "fide":
            out.remark("  " + out.say("demo_office.month", list_date=day))

    return make_year(folder, months=months, seed=seed, progress=told)


def _glance(folder: Path) -> Glance:
    from arrocco.generate.year import glance_at

    with contextlib.closing(_going_on(folder)) as opened:
        return glance_at(opened)


def _going_on(folder: Path) -> Any:
    from arrocco.generate.year import reopen

    return reopen(folder)


def _log_ins() -> list[dict[str, str]]:
    from arrocco.generate.year import LOG_INS, PASSWORD

    return [
        {
            "email": one.email,
            "role": one.role.value,
            "federation": one.federation,
            "password": PASSWORD,
        }
        for one in LOG_INS
    ]


def _record(glance: Glance) -> dict[str, Any]:
    return {
        "systems": [{head: getattr(one, head) for head in _HEADS} for one in glance.systems],
        "merged": glance.merged,
        "changed": glance.changed,
        "tournaments": glance.status.tournaments,
        "awaiting_approval": glance.status.awaiting_approval,
        "reports_to_decide": glance.status.reports_to_decide,
    }


def _print(out: Output, folder: Path, end: date, glance: Glance) -> None:
    status = glance.status
    out.line(
        out.say("demo_office.made", folder=folder, end=end, tournaments=status.tournaments),
        bold=True,
    )
    out.line()
    right = set(_HEADS) - {"system", "latest"}
    out.table(
        [Column(out.say(f"demo_office.head.{head}"), right=head in right) for head in _HEADS],
        [[str(getattr(one, head)) for head in _HEADS] for one in glance.systems],
    )
    out.line()
    out.line(out.say("demo_office.people", merged=glance.merged, changed=glance.changed))
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
    from arrocco.generate.year import LOG_INS, PASSWORD

    out.line(out.say("demo_office.log_ins", password=PASSWORD))
    out.table(
        [Column(out.say("demo_office.head.email")), Column(out.say("demo_office.head.role"))],
        [
            [one.email, " ".join((out.say(f"web.role.{one.role.value}"), one.federation))]
            for one in LOG_INS
        ],
    )
