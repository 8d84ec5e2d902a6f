"""`arrocco serve`: the office on the web, until it is stopped."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import click

from arrocco.cli.log_options import log_options, log_settings
from arrocco.cli.office_options import office_option, tell_moved_aside
from arrocco.cli.output import Output, output_options

PARTS = ("site", "hall")
_LAST_PORT = 65535


@click.command()
@office_option
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to answer at; 0.0.0.0 answers the whole network.",
)
@click.option(
    "--port",
    type=click.IntRange(0, _LAST_PORT),
    default=8000,
    show_default=True,
    help="The port to answer at; 0 takes a free one.",
)
@click.option(
    "--secure",
    is_flag=True,
    help="The public reaches it over https, by way of a proxy: cookies are marked for https only.",
)
@click.option(
    "--trusted-proxy",
    "trusted",
    multiple=True,
    envvar="ARROCCO_TRUSTED_PROXIES",
    metavar="ADDRESS",
    help="A proxy, or a network of them (10.0.0.0/8), that is believed when it says for whom it"
    " asks. May be given several times.",
)
@click.option(
    "--proxy-header",
    type=click.Choice(["x-forwarded-for", "forwarded"]),
    default="x-forwarded-for",
    envvar="ARROCCO_PROXY_HEADER",
    show_default=True,
    help="The header that these proxies write.",
)
@click.option(
    "--only",
    type=click.Choice(PARTS),
    help="Run one part alone: the pages or the live games, each as a service of its own.",
)
@click.option(
    "--restart",
    is_flag=True,
    help="Have the running server of the folder start its parts anew, and hand its games over.",
)
@click.option(
    "--site",
    envvar="ARROCCO_SITE",
    metavar="URL",
    help="The address of the site as the public has it, for the links in e-mail and feeds.",
)
@click.option(
    "--smtp",
    envvar="ARROCCO_SMTP",
    metavar="URL",
    help="The mail server: smtp://user@host:587 with STARTTLS, smtps:// or smtp+insecure://. Its"
    " password is in ARROCCO_SMTP_PASSWORD.",
)
@click.option(
    "--mail-from", envvar="ARROCCO_MAIL_FROM", metavar="ADDRESS", help="The sender of e-mail."
)
@log_options
@output_options
def command(
    out: Output,
    folder: Path,
    host: str,
    port: int,
    secure: bool,
    trusted: tuple[str, ...],
    proxy_header: str,
    only: str | None,
    restart: bool,
    log_format: str,
    log_level: str,
    access_log: str,
    logged_addresses: str,
    site: str | None,
    smtp: str | None,
    mail_from: str | None,
) -> None:
    """Answer browsers and programs with the office of a folder, until stopped with Ctrl+C."""
    from arrocco.cli.serving import run

    parts = PARTS if only is None else (only,)
    if restart:
        told = run.ask_for_restart(folder, parts)
        if out.is_json:
            out.json({"restarted": told})
        else:
            out.line(out.say("web.serve.restarted", folder=folder))
        return
    from arrocco.desk import Office
    from arrocco.desk.mail_settings import FROM, SITE, SMTP, mail_settings_from
    from arrocco.operation.backups.settings import schedule_from
    from arrocco.operation.logs import OFF, Logs
    from arrocco.operation.settings import settings_from
    from arrocco.video.janus.configuration import is_installed
    from arrocco.video.settings import EngineName, video_from_environment
    from arrocco.watch.settings import watch_settings_from
    from arrocco.web.client_address import Proxies

    settings_from()  # what cannot be read is refused here, not in a part
    schedule_from()
    watch_settings_from()
    if video_from_environment() is EngineName.JANUS and not is_installed():
        out.remark(out.say("web.serve.no_janus"))
    given = {SITE: site, SMTP: smtp, FROM: mail_from}  # the parts read them from the environment
    os.environ.update({name: value for name, value in given.items() if value})
    mail_settings_from()
    networks = [one for text in trusted for one in text.split(",")]
    Proxies(networks, proxy_header)
    written = log_settings(log_format, log_level, access_log)
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.closing(Logs(written._replace(access=OFF), "server")))
        listening = None
        if only != "hall":
            listening = run.inherited_socket() or run.listening_at(host, port)
            stack.enter_context(listening)
        with contextlib.closing(Office.open(folder)) as office:  # put in order, before any part
            tell_moved_aside(out, office)
        address = "" if listening is None else run.address_of(listening)

        def ready() -> None:
            if out.is_json:
                out.json({"address": address, "office": str(folder)})
            elif listening is None:
                out.line(out.say("web.serve.hall_open", folder=folder))
            else:
                out.line(out.say("web.serve.open", folder=folder, address=address))

        run.run_server(
            folder,
            listening,
            parts,
            secure=secure,
            address=address,
            on_ready=ready,
            logs=written,
            logged_addresses=logged_addresses,
            trusted_proxies=networks,
            proxy_header=proxy_header,
        )
    if not out.is_json:
        out.line(out.say("web.serve.closed"))
