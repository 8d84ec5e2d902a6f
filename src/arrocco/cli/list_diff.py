"""What changed between two lists, as text, JSON and CSV."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from arrocco.cli.list_files import head_line, head_record, read
from arrocco.cli.output import Column, Output
from arrocco.engine.columns import BoolColumn, IntColumn
from arrocco.engine.diff import BESIDE, CLASSES, ListDiff
from arrocco.findings import Finding, Place, Severity
from arrocco.formats.csv_cells import defused_row
from arrocco.records.ratinglist import UNKNOWN, Int32
from arrocco.store.steps import read_steps
from arrocco.units import decimal, signed
from arrocco.words import number

LISTED = ("new", "delisted", "gone", "inactive", "active", "k", "title", "federation", "name")
"""Classes of which the first few are shown one by one."""


def compare(before: Path, after: Path, kind: str | None) -> tuple[ListDiff, list[Finding]]:
    """Reads both lists, and the calculations stored with the second."""
    rating_list, of_one = read(before, kind)
    other, of_other = read(after, kind)
    findings = [*of_one, *of_other]
    if rating_list.system != other.system:
        details = {"before": rating_list.system or "-", "after": other.system or "-"}
        place = Place(other.source)
        findings.append(Finding(Severity.WARNING, "list.kinds_differ", place, details=details))
    return ListDiff(rating_list, other, read_steps(after) if after.is_dir() else None), findings


# --- one player -----------------------------------------------------------------------------------


def player_record(diff: ListDiff, row: int) -> dict[str, Any]:
    """One player on both lists, with the step between them where it was stored."""
    first, other = int(diff.row_before[row]), int(diff.row_after[row])
    was = diff.before.at(first) if first >= 0 else None
    now = diff.after.at(other) if other >= 0 else None
    shown = now or was
    assert shown is not None
    is_rated = diff.rating_before[row] > 0 and diff.rating_after[row] > 0
    record: dict[str, Any] = {
        "id": shown.id,
        "name": shown.name,
        "federation": shown.federation,
        "title": shown.title,
        "before": was and was.rating,
        "after": now and now.rating,
        "change": int(diff.change[row]) if is_rated else None,
        "k_before": was and was.k,
        "k_after": now and now.k,
    }
    for name in ("title", "federation", "name"):
        if diff.masks[name][row]:
            record[f"{name}_before"] = getattr(was, name)
    if diff.steps is not None:
        record["why"] = _why(diff, int(diff.step_row[row]))
        record["explained"] = not diff.unexplained[row]
    return record


def _why(diff: ListDiff, row: int) -> dict[str, Any] | None:
    steps = diff.steps
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


def reason_text(out: Output, diff: ListDiff, row: int) -> str:
    """Why a player's rating is another, in a few words."""
    steps = diff.steps
    if steps is not None and diff.id[row] in steps.adjusted:
        to = int(steps.adjusted_to[np.searchsorted(steps.adjusted, diff.id[row])])
        before = int(diff.rating_before[row])
        adjusted = out.say("list.why.adjusted", rating=to, change=f"{to - before:+d}")
        return f"{adjusted} {_reason_of_step(out, diff, row)}".strip()
    return _reason_of_step(out, diff, row)


def _reason_of_step(out: Output, diff: ListDiff, row: int) -> str:
    steps, at = diff.steps, int(diff.step_row[row])
    if steps is None or at < 0:
        return ""
    if diff.unexplained[row]:
        return out.say("list.why.unexplained")
    n = int(steps.games[at])
    if int(steps.rating[at]) == 0:
        return out.say("list.why.first", n=int(steps.first_games[at]))
    variation = number(out.language, signed(int(steps.variation[at])))
    reason, applied = str(steps.k_reason[at]), int(steps.k_applied[at])
    if applied == 0:
        text = out.say("list.why.by_tournament", n=n, variation=variation)
    else:
        details = steps.law.k_details(reason)
        words = out.say(f"explain.k.{reason}", k=int(steps.k[at]), **details)
        text = out.say("list.why.games", n=n, k=applied, variation=variation, words=words)
    if steps.stands_in[at]:
        text = f"{out.say('list.why.entered', rating=int(steps.rating[at]))} {text}"
    if steps.new_rating[at] == 0:
        fallen_to = int(steps.rating[at] + steps.change[at])
        text = f"{text} {out.say('explain.delisted', rating=fallen_to)}"
    return text


# --- JSON -----------------------------------------------------------------------------------------


def diff_record(out: Output, diff: ListDiff, findings: list[Finding], top: int) -> dict[str, Any]:
    """Everything counted, and the first few of each class."""

    def people(rows: IntColumn) -> list[dict[str, Any]]:
        return [player_record(diff, row) for row in rows.tolist()]

    return {
        "before": head_record(diff.before),
        "after": head_record(diff.after),
        "counts": {name: diff.count(name) for name in (*CLASSES, *BESIDE)},
        "histogram": [
            {"from": low, "to": high, "gained": gained, "lost": lost}
            for low, high, gained, lost in diff.histogram()
        ],
        "points": diff.points(),
        "has_calculations": diff.steps is not None,
        "unexplained": int(diff.unexplained.sum()),
        "gains": people(diff.gains(top)),
        "losses": people(diff.losses(top)),
        **{name: people(diff.rows(name, top)) for name in LISTED},
        "findings": [out.finding_record(finding) for finding in findings],
    }


# --- text -----------------------------------------------------------------------------------------


def print_diff(out: Output, diff: ListDiff, top: int) -> None:
    """Counts, the histogram, the points, then the first few of each class."""
    out.line(head_line(out, "list.before", diff.before))
    out.line(head_line(out, "list.after", diff.after))
    out.line()
    out.table(
        [Column(out.say("list.diff.what")), Column(out.say("list.diff.players"), right=True)],
        [[out.say(f"list.class.{name}"), _apart(diff.count(name))] for name in (*CLASSES, *BESIDE)],
    )
    out.line()
    heads = ("points", "gained", "lost")
    out.table(
        [Column(out.say(f"list.diff.{head}"), right=True) for head in heads],
        [
            ["0", _apart(diff.count("same")), ""],
            *(
                [f"{low}–{high}" if high else f"> {low - 1}", _apart(gained), _apart(lost)]
                for low, high, gained, lost in diff.histogram()
            ),
        ],
        title=out.say("list.diff.histogram"),
    )
    out.line()
    out.table(
        [Column(out.say("list.diff.points_of")), Column(out.say("list.diff.points"), right=True)],
        [[out.say(f"list.points.{name}"), _apart(value)] for name, value in diff.points().items()],
    )
    if diff.steps is not None:
        unexplained = int(diff.unexplained.sum())
        key = "list.diff.unexplained" if unexplained else "list.diff.all_explained"
        out.line(out.say(key, count=unexplained))
    if top:
        _print_people(out, diff, "gains", diff.gains(top))
        _print_people(out, diff, "losses", diff.losses(top))
        for name in LISTED:
            _print_people(out, diff, name, diff.rows(name, top))


def _print_people(out: Output, diff: ListDiff, name: str, rows: IntColumn) -> None:
    if not len(rows):
        return
    heads = ["id", "name", "federation", "before", "after"]
    extra = {"gains": "change", "losses": "change", "k": "k"}.get(name)
    if name in ("title", "federation", "name"):
        heads = ["id", "name", "was", "is"]
    elif extra is not None:
        heads.append(extra)
    if diff.steps is not None and name in ("gains", "losses", "new", "delisted"):
        heads.append("why")
    right = {"id", "before", "after", "change"}
    out.line()
    out.table(
        [Column(out.say(f"list.heading.{head}"), right=head in right) for head in heads],
        [_cells(out, diff, name, row, heads) for row in rows.tolist()],
        title=out.say(f"list.people.{name}"),
    )


def _cells(out: Output, diff: ListDiff, name: str, row: int, heads: list[str]) -> list[str]:
    record = player_record(diff, row)
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
        "why": reason_text(out, diff, row) if "why" in heads else "",
    }
    return [cells[head] for head in heads]


def _apart(value: int) -> str:
    """A number with its thousands apart."""
    return f"{value:,}".replace(",", " ")


# --- CSV ------------------------------------------------------------------------------------------

_QUIET = ("same", "unrated")
_WHY = ("games", "k", "k_reason", "k_applied", "variation", "stands_in", "first_games")


def write_csv(diff: ListDiff, stream: BinaryIO) -> None:
    """One row for everybody for whom anything changed, by id; `what` names the classes.

    `variation` is in hundredths. Columns are written whole: a list of millions may have changed.
    """
    import pyarrow as pa
    import pyarrow.csv as pcsv

    classes = [name for name in (*CLASSES, *BESIDE) if name not in _QUIET]
    rows = np.flatnonzero(np.logical_or.reduce([diff.masks[name] for name in classes]))
    first, other = diff.row_before[rows], diff.row_after[rows]
    columns: dict[str, Any] = {
        "what": _classes_of(diff, rows, classes),
        "id": diff.id[rows],
        "name": defused_row(_text(diff, "name", rows)),
        "federation": defused_row(_text(diff, "federation", rows)),
        "title": defused_row(_text(diff, "title", rows)),
        "before": _known(diff.rating_before[rows], 0),
        "after": _known(diff.rating_after[rows], 0),
        "change": pa.array(diff.change[rows], mask=~_is_rated_on_both(diff, rows)),
        "k_before": _known(_taken(diff.before.k, first), UNKNOWN),
        "k_after": _known(_taken(diff.after.k, other), UNKNOWN),
    }
    for name in ("name", "federation", "title"):
        was = np.where(diff.masks[name][rows], getattr(diff.before, name)[first], None)
        columns[f"{name}_before"] = pa.array(defused_row(was), pa.string())
    if diff.steps is not None:
        at = diff.step_row[rows]
        for name in _WHY:
            column = getattr(diff.steps, name)
            values = column[at] if len(column) else np.zeros(len(at), dtype=np.int64)
            columns[name] = pa.array(values, mask=at < 0)
        columns["explained"] = ~diff.unexplained[rows]
    options = pcsv.WriteOptions(quoting_style="needed")
    pcsv.write_csv(pa.table(columns), stream, options)


def _classes_of(diff: ListDiff, rows: IntColumn, classes: list[str]) -> Any:
    """The classes of each row, joined with plus signs."""
    codes = np.zeros(len(rows), dtype=np.int64)
    for bit, name in enumerate(classes):
        codes |= diff.masks[name][rows].astype(np.int64) << bit
    distinct, places = np.unique(codes, return_inverse=True)
    words = [
        "+".join(name for bit, name in enumerate(classes) if code >> bit & 1)
        for code in distinct.tolist()
    ]
    return np.array(words, dtype=np.object_)[places]


def _text(diff: ListDiff, name: str, rows: IntColumn) -> Any:
    """A text as the list after has it; of who is gone, as the list before had it."""
    texts = np.full(len(rows), "", dtype=np.object_)
    for listed, row in ((diff.before, diff.row_before), (diff.after, diff.row_after)):
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


def _is_rated_on_both(diff: ListDiff, rows: IntColumn) -> BoolColumn:
    both: BoolColumn = (diff.rating_before[rows] > 0) & (diff.rating_after[rows] > 0)
    return both
