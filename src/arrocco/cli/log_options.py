"""Options of commands that run a server: what is logged, in which form, and where."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from arrocco.operation.logs import LogSettings

F = TypeVar("F", bound=Callable[..., Any])


def log_options(command: F) -> F:
    """Gives a command the options of `log_settings`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_OPTIONS = (
    click.option(
        "--log-format",
        type=click.Choice(("text", "json")),
        default="text",
        show_default=True,
        envvar="ARROCCO_LOG_FORMAT",
        help="How the log on standard error is written.",
    ),
    click.option(
        "--log-level",
        type=click.Choice(("debug", "info", "warning", "error")),
        default="warning",
        show_default=True,
        envvar="ARROCCO_LOG_LEVEL",
        help="The least that is logged.",
    ),
    click.option(
        "--access-log",
        default="off",
        show_default=True,
        metavar="FILE|-|off",
        envvar="ARROCCO_ACCESS_LOG",
        help="A line for each request, in a file that is rotated, or - for standard error.",
    ),
    click.option(
        "--access-log-addresses",
        "logged_addresses",
        type=click.Choice(("whole", "short", "none")),
        default="short",
        show_default=True,
        envvar="ARROCCO_ACCESS_LOG_ADDRESSES",
        help="How much of a visitor's address the access log keeps.",
    ),
)


def log_settings(log_format: Any, log_level: str, access_log: str) -> LogSettings:
    from arrocco.operation.logs import LogSettings

    return LogSettings(log_format, log_level, access_log)
