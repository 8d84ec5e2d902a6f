"""`arrocco serve`: the office on the web, until it is stopped."""

from __future__ import annotations

import contextlib
import signal
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.log_options import log_options, log_settings
from arrocco.cli.office import tell_moved_aside
from arrocco.cli.output import Output, output_options
from arrocco.errors import Inconsistent

if TYPE_CHECKING:
    import uvicorn

_LAST_PORT = 65535


@click.command()
@click.option(
    "--office",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default="office",
    envvar="ARROCCO_OFFICE",
    show_default=True,
    metavar="DIR",
    help="The folder of the office.",
)
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
@log_options
@output_options
def command(
    out: Output, folder: Path, host: str, port: int, secure: bool, trusted: tuple[str, ...],
    proxy_header: str, log_format: str, log_level: str, access_log: str, logged_addresses: str,
) -> None:  # fmt: skip
    """Answer browsers and programs with the office of a folder, until stopped with Ctrl+C."""
    from arrocco.web.app import create_app
    from arrocco.web.client_address import Proxies
    from arrocco.wiring.office import Office
    from arrocco.wiring.operation.logs import Logs
    from arrocco.wiring.operation.settings import settings_from

    settings = settings_from()
    proxies = Proxies([one for text in trusted for one in text.split(",")], proxy_header)
    listening = listening_at(host, port)
    logs = contextlib.closing(Logs(log_settings(log_format, log_level, access_log)))
    with logs, contextlib.closing(listening), contextlib.closing(Office.open(folder)) as office:
        tell_moved_aside(out, office)
        app = create_app(
            office, secure=secure, with_hall=True, settings=settings,
            logged_addresses=logged_addresses, proxies=proxies,
        )  # fmt: skip
        server = server_of(app)
        address = address_of(listening)
        if out.is_json:
            out.json({"address": address, "office": str(folder)})
        else:
            out.line(out.say("web.serve.open", folder=folder, address=address))
        serve(server, listening)
    if not out.is_json:
        out.line(out.say("web.serve.closed"))


def listening_at(host: str, port: int) -> socket.socket:
    """A socket at the address. Raises `Inconsistent` where it cannot be had."""
    from arrocco.words import system

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:  # the port is taken or the name is none
        raise Inconsistent.of(
            "web.refused.address", host=host, port=port, reason=system(error)
        ) from None


def address_of(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def server_of(app: Any) -> uvicorn.Server:
    import uvicorn

    from arrocco.web.hall_app import SOCKETS

    # uvicorn's own access log has whole addresses, and those may carry the token of an invitation.
    config = uvicorn.Config(
        app, loop="uvloop", http="httptools", lifespan="on", access_log=False,
        log_config=None, server_header=False, timeout_graceful_shutdown=10,
        proxy_headers=False,  # we believe only the proxies that the operator names
        **SOCKETS,
    )  # fmt: skip
    return uvicorn.Server(config)


def serve(server: uvicorn.Server, listening: socket.socket) -> None:
    """Runs until Ctrl+C or a request to end; requests under way are answered first."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    # The server gives signals on when it has stopped: both then mean that all went as asked.
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listening])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
