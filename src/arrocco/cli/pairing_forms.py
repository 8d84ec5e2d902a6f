"""The command lines and settings files of other pairing programs, as this one's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arrocco.errors import Malformed

if TYPE_CHECKING:
    from arrocco.hall.pairing.generator import Settings

MAX_CONFIG_BYTES = 10_000
_ACTS = {"-p": "make", "-c": "check", "-g": "generate"}
_RELEASE = "-r"
_IGNORED = ("--dutch", "-w", "-q")
_LIST = "--checklist"
_NAMES = {"-o": "--output", "-s": "--seed", "-l": _LIST}
_SETTINGS = {
    "PlayersNumber": "players",
    "RoundsNumber": "rounds",
    "DrawPercentage": "draw_percentage",
    "ForfeitRate": "forfeit_rate",
    "RetiredRate": "retired_rate",
    "HalfPointByeRate": "half_point_bye_rate",
    "ZeroPointByeRate": "zero_point_bye_rate",
    "FullPointByeRate": "full_point_bye_rate",
    "OddResultRate": "odd_result_rate",
    "HighestRating": "highest_rating",
    "LowestRating": "lowest_rating",
}


class PairingGroup(click.Group):
    """A group that also understands `FILE -p [OUT]`, `FILE -c` and `-g [CONFIG] -o OUT`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        is_ours = any(arg in self.commands for arg in args[:1])
        if not is_ours and _RELEASE in args:
            from arrocco import __version__

            click.echo(f"arrocco {__version__}")
            args = [arg for arg in args if arg != _RELEASE]
            if not args:
                ctx.exit()
        act = next((arg for arg in args if arg in _ACTS), None)
        return super().parse_args(ctx, args if act is None or is_ours else translated(args, act))


def translated(args: list[str], act: str) -> list[str]:
    """Arguments in the manner of bbpPairings and JaVaFo as those of a command here."""
    rest = [_NAMES.get(arg, arg) for arg in args if arg not in _IGNORED]
    at = rest.index(act)
    before, after = rest[:at], rest[at + 1 :]
    value = after.pop(0) if act != "-c" and after and not after[0].startswith("-") else None
    if act == "-p":
        return _with_list(
            ["make", *before, *(["--output", value] if value else ["--plain"]), *after]
        )
    if act == "-c":
        return _with_list(["check", *before, *after])
    model = before.pop(0) if before and not before[0].startswith("-") else None
    given = [*(["--model", model] if model else []), *(["--config", value] if value else [])]
    return _with_list(["generate", *before, *given, *after])


def _with_list(args: list[str]) -> list[str]:
    """The same with a name for a checklist without one: that of the tournament's file, `.list`."""
    at = args.index(_LIST) + 1 if _LIST in args else 0
    if not at or (at < len(args) and not args[at].startswith("-")):
        return args
    is_made = "--output" in args and args[0] == "generate"
    file = args[args.index("--output") + 1 :][:1] if is_made else args[1:2]
    return [*args[:at], *(str(Path(name).with_suffix(".list")) for name in file), *args[at:]]


def settings_of(file: Path | None, usual: Settings) -> Settings:
    """The settings of a file, one `Name=value` a line; what it leaves out is as usual."""
    if file is None:
        return usual
    with file.open("rb") as stream:
        text = stream.read(MAX_CONFIG_BYTES).decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), start=1):
        name, _, value = (part.strip() for part in line.partition("="))
        if not name or name.startswith("#"):
            continue
        if name not in _SETTINGS or not value.isdigit() or len(value) > 4:
            raise Malformed.of("pairing.refused.config", file=file, line=number, text=line[:40])
        change: dict[str, Any] = {_SETTINGS[name]: int(value)}
        usual = replace(usual, **change)
    return usual
