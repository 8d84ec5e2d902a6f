"""A game of a player's file drawn on one time line: moves, times, losses, gaps, focus, offers.

Shapes tell the moves apart, and no colour says good or bad. `data-at` is the half move of a mark,
so that the script of the board can show where it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from markupsafe import Markup

from arrocco.watch.player_file import FileGameShown, OwnMove
from arrocco.watch.time_line import Stretch, StretchKind
from arrocco.web.axes import Axis, round_step
from arrocco.web.charts import Chart, svg_text
from arrocco.web.interval_chart import percent
from arrocco.web.view import View
from arrocco.words import Language, number

WIDTH = 820
_LEFT, _RIGHT, _TOP, _LANE, _BOTTOM = 150, 12, 8, 26, 34
_LOSS_HEIGHT = 46
_MAX_LOSS = 300
"""Thousandths of a point that a bar of losses has room for; longer ones are cut off."""
_MINUTE = 60_000
_MAX_TICKS = 10


class _Lane(NamedTuple):
    name: str
    top: int
    height: int

    @property
    def middle(self) -> int:
        return self.top + self.height // 2


def time_line_chart(view: View, game: FileGameShown, title: str) -> Chart:
    """The drawing, and behind it a row for each move of the player."""
    t, line = view.t, game.time_line
    lanes = _lanes(view)
    height = max(lane.top + lane.height for lane in lanes.values()) + _BOTTOM
    x = Axis(0, max(line.length, 1), _LEFT, WIDTH - _RIGHT)
    drawn = [*_axis(view, x, line.length, height), *_names(lanes.values())]
    times = {moved.ply: moved for moved in line.moves}
    for own in game.own:
        at = times[own.ply].at
        drawn += _time(lanes["time"], x, at, own)
        drawn += _choice(lanes["choice"], x.at(at), own, _said(view, own))
        drawn += _loss(lanes["loss"], x.at(at), own)
    for stretch in line.stretches:
        drawn.append(_stretch(lanes[stretch.kind.value], x, stretch))
    for offer in line.offers:
        drawn.append(_diamond(x.at(offer), lanes["offers"].middle))
    frame = '<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
    svg = Markup(frame).format(WIDTH, height, title, Markup("").join(drawn))
    heads = ("move", "time", "rank", "lost", "gap", "best", "during")
    rows = tuple(_row(view, own, times[own.ply].at, line.stretches) for own in game.own)
    return Chart(
        title,
        svg,
        tuple(t(f"watch.file.head.{head}") for head in heads),
        rows,
        source=t("watch.file.shapes"),
    )


def _lanes(view: View) -> dict[str, _Lane]:
    lanes, top = {}, _TOP
    for key in ("time", "choice", "loss", *(kind.value for kind in StretchKind), "offers"):
        height = _LOSS_HEIGHT if key == "loss" else _LANE
        lanes[key] = _Lane(view.t(f"watch.file.lane.{key}"), top, height)
        top += height
    return lanes


def _axis(view: View, x: Axis, length: int, height: int) -> list[Markup]:
    step = round_step(max(1, -(-length // _MINUTE)), _MAX_TICKS) * _MINUTE
    drawn = []
    for moment in range(0, length + 1, step):
        at, kind = x.at(moment), "grid" if moment else "axis"
        line = '<line class="{}" x1="{}" x2="{}" y1="{}" y2="{}"/>'
        drawn.append(Markup(line).format(kind, at, at, _TOP, height - _BOTTOM))
        drawn.append(svg_text(at, height - _BOTTOM + 16, str(moment // _MINUTE), "middle"))
    drawn.append(svg_text(WIDTH - _RIGHT, height - 4, view.t("watch.file.minutes"), "end"))
    return drawn


def _names(lanes: Iterable[_Lane]) -> list[Markup]:
    drawn = []
    for lane in lanes:
        drawn.append(svg_text(_LEFT - 10, lane.middle + 4, lane.name, "end"))
        line = '<line class="grid" x1="{}" x2="{}" y1="{}" y2="{}"/>'
        bottom = lane.top + lane.height
        drawn.append(Markup(line).format(_LEFT, WIDTH - _RIGHT, bottom, bottom))
    return drawn


def _time(lane: _Lane, x: Axis, at: int, own: OwnMove) -> list[Markup]:
    """The time of a move, from the opponent's move to one's own."""
    left, right = x.at(max(0, at - own.spent)), x.at(at)
    box = '<rect class="bar b" data-at="{}" x="{}" y="{}" width="{}" height="{}"/>'
    width = max(1, right - left - 1)
    return [Markup(box).format(own.ply + 1, left, lane.top + 8, width, lane.height - 14)]


def _choice(lane: _Lane, at: int, own: OwnMove, said: str) -> list[Markup]:
    """First choice a full dot, one of three a ring, another a short line; else nothing."""
    if not own.is_decision or own.position is None:
        return []
    if own.position.rank:
        kind = "dot" if own.position.rank == 1 else "mark"
        dot = '<circle class="{}" data-at="{}" cx="{}" cy="{}" r="4"><title>{}</title></circle>'
        return [Markup(dot).format(kind, own.ply + 1, at, lane.middle, said)]
    way = f"M{at} {lane.middle - 5}V{lane.middle + 5}"
    path = '<path class="line" data-at="{}" d="{}"><title>{}</title></path>'
    return [Markup(path).format(own.ply + 1, way, said)]


def _loss(lane: _Lane, at: int, own: OwnMove) -> list[Markup]:
    if not own.is_decision or own.position is None or not own.position.loss:
        return []
    tall = max(1, min(own.position.loss, _MAX_LOSS) * (lane.height - 6) // _MAX_LOSS)
    box = '<rect class="bar" data-at="{}" x="{}" y="{}" width="3" height="{}"/>'
    return [Markup(box).format(own.ply + 1, at - 1, lane.top + lane.height - tall, tall)]


def _stretch(lane: _Lane, x: Axis, stretch: Stretch) -> Markup:
    left = x.at(stretch.start)
    width = max(2, x.at(stretch.end) - left)
    said = seconds(None, stretch.end - stretch.start)
    box = '<rect class="bar" x="{}" y="{}" width="{}" height="{}"><title>{} s</title></rect>'
    return Markup(box).format(left, lane.top + 6, width, lane.height - 12, said)


def _diamond(at: int, y: int) -> Markup:
    way = f"M{at} {y - 6}L{at + 6} {y}L{at} {y + 6}L{at - 6} {y}Z"
    return Markup('<path class="mark" d="{}"/>').format(way)


def _row(view: View, own: OwnMove, at: int, stretches: Iterable[Stretch]) -> tuple[str, ...]:
    t, language, position = view.t, view.language, own.position
    during = [
        stretch.kind for stretch in stretches if stretch.start < at and stretch.end > at - own.spent
    ]
    kinds = ", ".join(t(f"watch.file.lane.{kind}") for kind in dict.fromkeys(during))
    first = (move_name(own.ply, own.san), seconds(language, own.spent))
    if position is None:
        return (*first, "–", "–", "–", "–", kinds or "–")
    best = " · ".join(
        f"{line.move} {percent(language, line.expected * 10)}" for line in position.lines
    )
    if not own.is_decision:
        return (*first, t("watch.file.no_decision"), "–", "–", best, kinds or "–")
    lost, gap = percent(language, position.loss * 10), percent(language, position.gap * 10)
    return (*first, _rank(view, position.rank), lost, gap, best, kinds or "–")


def _said(view: View, own: OwnMove) -> str:
    if own.position is None:
        return own.san
    lost = percent(view.language, own.position.loss * 10)
    return f"{move_name(own.ply, own.san)}: {_rank(view, own.position.rank)}, {lost}"


def _rank(view: View, rank: int) -> str:
    return str(rank) if rank else view.t("watch.file.another")


def move_name(ply: int, san: str) -> str:
    """A move with its number, as 12. Nf3 or 12… Nf6."""
    return f"{ply // 2 + 1}{'…' if ply % 2 else '.'} {san}"


def seconds(language: Language | None, milliseconds: int) -> str:
    shown = f"{milliseconds / 1000:.1f}"
    return shown if language is None else number(language, shown)
