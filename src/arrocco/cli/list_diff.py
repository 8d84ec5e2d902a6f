"""What changed between two lists, as text, JSON and CSV."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from arrocco.cli.list import head_line, head_record, read
from arrocco.cli.output import Column, Output
from arrocco.engine.columns import BoolColumn, IntColumn
from arrocco.engine.diff import BESIDE, CLASSES, ListDiff
from arrocco.findings import Finding, Place, Severity
from arrocco.formats.csv_cells import defused_row
from arrocco.ratinglist import UNKNOWN, Int32
from arrocco.store.steps import read_steps
from arrocco.units import decimal, signed
from arrocco.words import number

LISTED = ("new", "delisted", "gone", "inactive", "active", "k", "title", "federation", "name")
"""Classes of which the first few are shown one by one."""


def compare(before: Path, after: Path, kind: str | None) -> tuple[ListDiff, list[Finding]]:
    """Reads both lists, and the calculations stored with the second."""
    one, of_one = read(before, kind)
    other, of_other = read(after, kind)
    findings = [*of_one, *of_other]
    if one.system != other.system:
        details = {"before": one.system or "-", "after": other.system or "-"}
        place = Place(other.source)
        findings.append(Finding(Severity.WARNING, "list.kinds_differ", place, details=details))
    return ListDiff(one, other, read_steps(after) if after.is_dir() else None), findings


# --- one player -----------------------------------------------------------------------------------


def player_record(found: ListDiff, row: int) -> dict[str, Any]:
    """One player on both lists, with the step between them where it was stored."""
    one, other = int(found.row_before[row]), int(found.row_after[row])
    was = found.before.at(one) if one >= 0 else None
    now = found.after.at(other) if other >= 0 else None
    shown = now or was
    assert shown is not None
    is_rated = found.rating_before[row] > 0 and found.rating_after[row] > 0
    record: dict[str, Any] = {
        "id": shown.id,
        "name": shown.name,
        "federation": shown.federation,
        "title": shown.title,
        "before": was and was.rating,
        "after": now and now.rating,
        "change": int(found.change[row]) if is_rated else None,
        "k_before": was and was.k,
        "k_after": now and now.k,
    }
    for name in ("title", "federation", "name"):
        if found.masks[name][row]:
            record[f"{name}_before"] = getattr(was, name)
    if found.steps is not None:
        record["why"] = _why(found, int(found.step_row[row]))
        record["explained"] = not found.unexplained[row]
    return record


def _why(found: ListDiff, row: int) -> dict[str, Any] | None:
    steps = found.steps
    if steps is None or row < 0:
        return None
    return {
        "rating": int(steps.rating[row]) or None,
        "stands_in": bool(steps.stands_in[row]),
        "n": int(steps.games[row]),
        "k": int(steps.k[row]),
        "k_reason": str(steps.k_reason[row]),
        "k_applied": int(steps.k_applied[row]),
        "variation": decimal(int(steps.variation[row])),
        "first_games": int(steps.first_games[row]) or None,
    }


def reason_text(out: Output, found: ListDiff, row: int) -> str:
    """Why a player's rating is another, in a few words."""
    steps, at = found.steps, int(found.step_row[row])
    if steps is None or at < 0:
        return ""
    if found.unexplained[row]:
        return out.say("list.why.unexplained")
    n = int(steps.games[at])
    if int(steps.rating[at]) == 0:
        return out.say("list.why.first", n=int(steps.first_games[at]))
    variation = number(out.language, signed(int(steps.variation[at])))
    reason, applied = str(steps.k_reason[at]), int(steps.k_applied[at])
    if applied == 0:
        text = out.say("list.why.by_tournament", n=n, variation=variation)
    else:
        words = out.say(f"explain.k.{reason}", k=int(steps.k[at]))
        text = out.say("list.why.games", n=n, k=applied, variation=variation, words=words)
    if steps.stands_in[at]:
        text = f"{out.say('list.why.entered', rating=int(steps.rating[at]))} {text}"
    if steps.new_rating[at] == 0:
        fallen_to = int(steps.rating[at] + steps.change[at])
        text = f"{text} {out.say('explain.delisted', rating=fallen_to)}"
    return text


# --- JSON -----------------------------------------------------------------------------------------


def diff_record(out: Output, found: ListDiff, findings: list[Finding], top: int) -> dict[str, Any]:
    """Everything counted, and the first few of each class."""

    def people(rows: IntColumn) -> list[dict[str, Any]]:
        return [player_record(found, row) for row in rows.tolist()]

    return {
        "before": head_record(found.before),
        "after": head_record(found.after),
        "counts": {name: found.count(name) for name in (*CLASSES, *BESIDE)},
        "histogram": [
            {"from": low, "to": high, "gained": gained, "lost": lost}
            for low, high, gained, lost in found.histogram()
        ],
        "points": found.points(),
        "has_calculations": found.steps is not None,
        "unexplained": int(found.unexplained.sum()),
        "gains": people(found.gains(top)),
        "losses": people(found.losses(top)),
        **{name: people(found.rows(name, top)) for name in LISTED},
        "findings": [out.finding_record(finding) for finding in findings],
    }


# --- text -----------------------------------------------------------------------------------------


def print_diff(out: Output, found: ListDiff, top: int) -> None:
    """Counts, the histogram, the points, then the first few of each class."""
    out.line(head_line(out, "list.before", found.before))
    out.line(head_line(out, "list.after", found.after))
    out.line()
    out.table(
        [Column(out.say("list.diff.what")), Column(out.say("list.diff.players"), right=True)],
        [
            [out.say(f"list.class.{name}"), _apart(found.count(name))]
            for name in (*CLASSES, *BESIDE)
        ],
    )
    out.line()
    heads = ("points", "gained", "lost")
    out.table(
        [Column(out.say(f"list.diff.{head}"), right=True) for head in heads],
        [
            ["0", _apart(found.count("same")), ""],
            *(
                [f"{low}–{high}" if high else f"> {low - 1}", _apart(gained), _apart(lost)]
                for low, high, gained, lost in found.histogram()
            ),
        ],
        title=out.say("list.diff.histogram"),
    )
    out.line()
    out.table(
        [Column(out.say("list.diff.points_of")), Column(out.say("list.diff.points"), right=True)],
        [[out.say(f"list.points.{name}"), _apart(value)] for name, value in found.points().items()],
    )
    if found.steps is not None:
        unexplained = int(found.unexplained.sum())
        key = "list.diff.unexplained" if unexplained else "list.diff.all_explained"
        out.line(out.say(key, count=unexplained))
    if top:
        _print_people(out, found, "gains", found.gains(top))
        _print_people(out, found, "losses", found.losses(top))
        for name in LISTED:
            _print_people(out, found, name, found.rows(name, top))


def _print_people(out: Output, found: ListDiff, name: str, rows: IntColumn) -> None:
    if not len(rows):
        return
    heads = ["id", "name", "federation", "before", "after"]
    extra = {"gains": "change", "losses": "change", "k": "k"}.get(name)
    if name in ("title", "federation", "name"):
        heads = ["id", "name", "was", "is"]
    elif extra is not None:
        heads.append(extra)
    if found.steps is not None and name in ("gains", "losses", "new", "delisted"):
        heads.append("why")
    right = {"id", "before", "after", "change"}
    out.line()
    out.table(
        [Column(out.say(f"list.heading.{head}"), right=head in right) for head in heads],
        [_cells(out, found, name, row, heads) for row in rows.tolist()],
        title=out.say(f"list.people.{name}"),
    )


def _cells(out: Output, found: ListDiff, name: str, row: int, heads: list[str]) -> list[str]:
    record = player_record(found, row)
    cells = {
        "id": str(record["id"]),
        "name": record["name"],
        "federation": record["federation"],
        "before": str(record["before"] or "-"),
        "after": str(record["after"] or "-"),
        "change": f"{record['change'] or 0:+d}",
        "k": f"{record['k_before']} → {record['k_after']}",
        "was": str(record.get(f"{name}_before", "") or "-"),
        "is": str(record.get(name, "") or "-"),
        "why": reason_text(out, found, row) if "why" in heads else "",
    }
    return [cells[head] for head in heads]


def _apart(value: int) -> str:
    """A number with its thousands apart."""
    return f"{value:,}".replace(",", " ")


# --- CSV ------------------------------------------------------------------------------------------

_QUIET = ("same", "unrated")
_WHY = ("games", "k", "k_reason", "k_applied", "variation", "stands_in", "first_games")


def write_csv(found: ListDiff, stream: BinaryIO) -> None:
    """One row for everybody for whom anything changed, by id; `what` names the classes.

    `variation` is in hundredths. Columns are written whole: a list of millions may have changed.
    """
    import pyarrow as pa
    import pyarrow.csv as pcsv

    classes = [name for name in (*CLASSES, *BESIDE) if name not in _QUIET]
    rows = np.flatnonzero(np.logical_or.reduce([found.masks[name] for name in classes]))
    one, other = found.row_before[rows], found.row_after[rows]
    columns: dict[str, Any] = {
        "what": _classes_of(found, rows, classes),
        "id": found.id[rows],
        "name": defused_row(_text(found, "name", rows)),
        "federation": defused_row(_text(found, "federation", rows)),
        "title": defused_row(_text(found, "title", rows)),
        "before": _known(found.rating_before[rows], 0),
        "after": _known(found.rating_after[rows], 0),
        "change": pa.array(found.change[rows], mask=~_is_rated_on_both(found, rows)),
        "k_before": _known(_taken(found.before.k, one), UNKNOWN),
        "k_after": _known(_taken(found.after.k, other), UNKNOWN),
    }
    for name in ("name", "federation", "title"):
        was = np.where(found.masks[name][rows], getattr(found.before, name)[one], None)
        columns[f"{name}_before"] = pa.array(defused_row(was), pa.string())
    if found.steps is not None:
        at = found.step_row[rows]
        for name in _WHY:
            column = getattr(found.steps, name)
            values = column[at] if len(column) else np.zeros(len(at), dtype=np.int64)
            columns[name] = pa.array(values, mask=at < 0)
        columns["explained"] = ~found.unexplained[rows]
    options = pcsv.WriteOptions(quoting_style="needed")
    pcsv.write_csv(pa.table(columns), stream, options)


def _classes_of(found: ListDiff, rows: IntColumn, classes: list[str]) -> Any:
    """The classes of each row, joined with plus signs."""
    codes = np.zeros(len(rows), dtype=np.int64)
    for bit, name in enumerate(classes):
        codes |= found.masks[name][rows].astype(np.int64) << bit
    distinct, places = np.unique(codes, return_inverse=True)
    words = [
        "+".join(name for bit, name in enumerate(classes) if code >> bit & 1)
        for code in distinct.tolist()
    ]
    return np.array(words, dtype=np.object_)[places]


def _text(found: ListDiff, name: str, rows: IntColumn) -> Any:
    """A text as the list after has it; of who is gone, as the list before had it."""
    texts = np.full(len(rows), "", dtype=np.object_)
    for listed, row in ((found.before, found.row_before), (found.after, found.row_after)):
        there = row[rows] >= 0
        texts[there] = getattr(listed, name)[row[rows][there]]
    return texts


def _taken(column: Int32, rows: IntColumn) -> IntColumn:
    taken = np.full(len(rows), UNKNOWN, dtype=np.int64)
    taken[rows >= 0] = column[rows[rows >= 0]]
    return taken


def _known(values: IntColumn, blank: int) -> Any:
    import pyarrow as pa

    return pa.array(values, mask=values == blank)


def _is_rated_on_both(found: ListDiff, rows: IntColumn) -> BoolColumn:
    both: BoolColumn = (found.rating_before[rows] > 0) & (found.rating_after[rows] > 0)
    return both
