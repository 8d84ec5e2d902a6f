"""The table by which a person follows the pairing of a round: who comes to it with what."""

from __future__ import annotations

from arrocco.hall.pairing.contenders import Contender, Strength, contenders
from arrocco.hall.pairing.records import Field, Past, RoundPairing
from arrocco.laws.online.side import Side

_HEAD = "  ID   Pts  Pref  -1 -2  Bye  Now   Colours and opponents"
_STRENGTH = {
    Strength.NONE: "{}",
    Strength.MILD: "{}",
    Strength.STRONG: "({})",
    Strength.ABSOLUTE: "{0}{0}",
}


def checklist(field: Field, pairing: RoundPairing, number: int) -> str:
    """The players of a round, the highest ranked first.

    A colour wanted mildly is ``w``, strongly ``(W)``, absolutely ``WW``; ``v`` and ``^`` are floats
    one and two rounds ago; ``-`` under Bye bars from the allocated one.
    """
    now = {white: f"{black}w" for white, black in pairing.boards}
    now |= {black: f"{white}b" for white, black in pairing.boards}
    if pairing.bye is not None:
        now[pairing.bye] = "bye"
    history = {player.number: player.past for player in field.players}
    rows = [
        _row(player, now.get(player.number, ""), history[player.number])
        for player in contenders(field)
    ]
    return "\n".join([f"Round {number}", "", _HEAD, *(row.rstrip() for row in rows), "", ""])


def _row(player: Contender, now: str, history: tuple[Past, ...]) -> str:
    score, bye = player.score / 10, "-" if player.barred else " "
    floats = f"{_float(player, 0)}  {_float(player, 1)}"
    rounds = " ".join(
        f"{past.opponent or '-'}{past.colour.value[0] if past.colour else ''}" for past in history
    )
    return (
        f"{player.number:4} {score:5.1f}  {_wanted(player):4}  {floats}   {bye}   {now:5} {rounds}"
    )


def _wanted(player: Contender) -> str:
    if player.wanted is None:
        return ""
    colour = "w" if player.wanted is Side.WHITE else "b"
    if player.strength is not Strength.MILD:
        colour = colour.upper()
    return _STRENGTH[player.strength].format(colour)


def _float(player: Contender, back: int) -> str:
    return "v" if player.down[back] else "^" if player.up[back] else " "
