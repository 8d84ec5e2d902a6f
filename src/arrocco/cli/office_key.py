"""`arrocco office key`: the key that signs published lists."""

from __future__ import annotations

from pathlib import Path

import click

from arrocco.cli.office_options import office_option, opened, opened_to_read
from arrocco.cli.output import Column, Output, output_options


@click.command("key")
@office_option
@output_options
def key(out: Output, folder: Path) -> None:
    """Show the public keys of the office, the one in use last."""
    with opened_to_read(folder) as office:
        known = office.keys.known()
    if out.is_json:
        out.json(
            {
                "keys": [
                    {
                        "seq": known_key.seq,
                        "at": known_key.at,
                        "public": known_key.public,
                        "fingerprint": known_key.fingerprint,
                        "proved": known_key.is_proved,
                        "reason": known_key.reason,
                    }
                    for known_key in known
                ]
            }
        )
        return
    if not known:
        out.line(out.say("outside.cli.no_key"))
        return
    titles = out.say("outside.cli.since"), out.say("outside.cli.print")
    columns = [Column("#", right=True), *(Column(title) for title in titles)]
    rows = [
        (str(known_key.seq), known_key.at.date().isoformat(), known_key.fingerprint)
        for known_key in known
    ]
    out.table(columns, rows)


@click.command("rotate-key")
@click.option("--reason", required=True, help="Why; it stands in the ledger.")
@click.option("--lost", is_flag=True, help="The key in use is lost: nothing vouches for the new.")
@office_option
@output_options
def rotate_key(out: Output, reason: str, lost: bool, folder: Path) -> None:
    """Take a new key; the one in use vouches for it in the ledger."""
    from arrocco.desk.desk import operator
    from arrocco.office.roles import Role

    with opened(folder) as office:
        new = office.keys.rotate(operator(Role.SYSTEM_ADMINISTRATOR), reason, lost=lost)
    if out.is_json:
        out.json({"seq": new.seq, "public": new.public, "fingerprint": new.fingerprint})
        return
    out.line(out.say("outside.cli.rotated", fingerprint=new.fingerprint, seq=new.seq))
