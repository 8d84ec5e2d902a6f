"""Builds the view of a list: its rows in the order of ratings, other orders, and an index of names.

Everything is uncompressed Arrow that is read where it lies on the disk. ``view.json`` has what is
small: the words that codes stand for and how many players each federation has, the hashes of the
other files, and one of itself.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from arrocco.errors import Inconsistent
from arrocco.formats.lists.list_parquet import ON, SYSTEM
from arrocco.store.list_folder import LIST, new_folder
from arrocco.store.list_view_names import build_index, fold_names
from arrocco.words import system

VERSION = 3
ROWS, IDS, WORDS, POSTINGS, ABOUT = (
    "rows.arrow",
    "ids.arrow",
    "words.arrow",
    "postings.arrow",
    "view.json",
)
CODED = ("federation", "sex", "title", "flag", "w_title", "o_title", "foa_title")
"""Text columns of few words, kept as the numbers of their words."""
ORDERS = ("name", "federation", "birth", "games")
"""Orders other than those of ratings and of ids, which have the rows and the ids themselves."""
Numbers = NDArray[Any]


def build_view(list_folder: Path, view_folder: Path) -> None:
    """Builds the view of a list folder, whole or not at all; one that is there is left alone.

    `list_folder` may also be a Parquet list itself. Raises `Inconsistent` where it cannot be read.
    """
    if (view_folder / ABOUT).is_file():
        return
    path = list_folder / LIST if list_folder.is_dir() else list_folder
    try:
        table = _by_id(pq.read_table(path).combine_chunks())
    except (pa.ArrowException, OSError, KeyError) as error:
        raise Inconsistent.of(
            "store.refused.unreadable", file=path, reason=system(error), day=path.parent.name
        ) from None
    try:
        with new_folder(view_folder) as folder:
            _write(table, folder)
    except (Inconsistent, OSError):
        # Somebody else may have built the same view meanwhile, which is as good.
        if not (view_folder / ABOUT).is_file():
            raise


def remove_view(view_folder: Path) -> None:
    """Takes a view away at once, so that no half of it is ever found; readers keep theirs."""
    gone = view_folder.with_name(f".{view_folder.name}.{secrets.token_hex(6)}.gone")
    try:
        view_folder.rename(gone)
    except FileNotFoundError:
        return
    shutil.rmtree(gone, ignore_errors=True)


def _by_id(table: pa.Table) -> pa.Table:
    """The list sorted by id, as ours are; one from elsewhere may not be."""
    ids = table["id"].to_numpy()
    if len(ids) < 2 or bool((ids[1:] > ids[:-1]).all()):
        return table
    return table.take(pa.array(np.argsort(ids, kind="stable"))).combine_chunks()


def _write(table: pa.Table, folder: Path) -> None:
    listed = {name: table[name] for name in table.column_names}
    names = _texts(listed, "name", table.num_rows)
    folded_names = fold_names(names)
    by_name = pc.sort_indices(folded_names).to_numpy()  # stable, and the list is sorted by id
    name_place = np.empty(len(by_name), np.int32)
    name_place[by_name] = np.arange(len(by_name), dtype=np.int32)
    rating = _numbers(listed, "rating", 0, table.num_rows)
    order = np.lexsort((name_place, -rating))

    columns: dict[str, pa.Array] = {}
    words: dict[str, list[str]] = {}
    codes: dict[str, Numbers] = {}
    for name in CODED:
        column = _texts(listed, name, table.num_rows)
        if name == "sex":
            column = _sexes(column, _texts(listed, "flag", table.num_rows))
        codes[name], words[name] = _coded(column)
        codes[name] = codes[name][order]
        columns[name] = pa.array(codes[name])
    columns["rating"] = pa.array(rating[order].astype(np.int16))
    for name, blank, kind in (("games", -1, np.int32), ("k", -1, np.int16), ("birth", 0, np.int32)):
        values = _numbers(listed, name, blank, table.num_rows)[order]
        columns[name] = pa.array(values.astype(kind))
        if name == "birth":
            year = (values // 10_000).astype(np.int16)
            columns["year"] = pa.array(year)
    inactive = np.array(["i" in flag for flag in words["flag"]], np.bool_)[codes["flag"]]
    active = ~inactive & (rating[order] > 0)
    columns["active"] = pa.array((~inactive).astype(np.uint8))
    before = np.zeros(len(order), np.int32)
    np.cumsum(active[:-1], out=before[1:])
    columns["active_before"] = pa.array(before)
    columns["id"] = table["id"].combine_chunks().take(pa.array(order))
    columns["name"] = names.take(pa.array(order))
    orders, known = _orders(columns, name_place[order], words, codes)
    columns |= orders
    known |= {"rating": int(np.count_nonzero(rating > 0)), "id": len(order)}
    # The list is sorted by id: where a row stood in it is its place in that order.
    columns["place_id"] = pa.array(order.astype(np.int32))
    _save(folder / ROWS, pa.table(columns))

    row_of = np.empty(len(order), np.int32)
    row_of[order] = np.arange(len(order), dtype=np.int32)
    _save(folder / IDS, pa.table({"id": table["id"].to_numpy(), "row": row_of}))
    index, postings = build_index(folded_names.take(pa.array(order)))
    _save(folder / WORDS, index)
    _save(folder / POSTINGS, postings)
    _about(folder, table, words, known, codes["federation"], rating[order] > 0, active)


def _texts(listed: dict[str, Any], name: str, rows: int) -> pa.Array:
    if name not in listed:
        return pa.array([""] * rows, pa.string())
    filled = pc.fill_null(listed[name].cast(pa.string()), "")
    return filled.combine_chunks() if isinstance(filled, pa.ChunkedArray) else filled


def _numbers(listed: dict[str, Any], name: str, blank: int, rows: int) -> Numbers:
    if name not in listed:
        return np.full(rows, blank, np.int32)
    values: Numbers = pc.fill_null(listed[name].cast(pa.int32()), blank).to_numpy()
    return values


def _sexes(sex: pa.Array, flag: pa.Array) -> pa.Array:
    """Lists that give no sex mark women by their flag."""
    silent = pc.and_(pc.equal(sex, ""), pc.match_substring(flag, "w"))
    return pc.if_else(silent, "F", sex)


def _coded(column: pa.Array) -> tuple[Numbers, list[str]]:
    """Codes in the order of their words, small where there are few words."""
    encoded = column.dictionary_encode()
    words = encoded.dictionary.to_pylist()
    place = np.argsort(np.argsort(np.array(words, object), kind="stable"), kind="stable")
    kind = np.uint8 if len(words) < 1 << 8 else np.uint16 if len(words) < 1 << 16 else np.int32
    codes = place.astype(kind)[encoded.indices.to_numpy()] if words else np.empty(0, kind)
    return codes, sorted(words)


def _orders(
    columns: dict[str, pa.Array],
    name_place: Numbers,
    words: dict[str, list[str]],
    codes: dict[str, Numbers],
) -> tuple[dict[str, pa.Array], dict[str, int]]:
    """The rows in each order, their places in it, and how many have a value; others are last."""
    birth, games = columns["birth"].to_numpy(), columns["games"].to_numpy()
    last = np.iinfo(np.int64).max
    unknown_federation = np.array([word == "" for word in words["federation"]], np.bool_)
    federation = codes["federation"].astype(np.int64)
    keys = {
        "name": name_place,
        "federation": np.where(unknown_federation[codes["federation"]], last, federation),
        "birth": np.where(birth == 0, last, birth.astype(np.int64)),
        "games": np.where(games < 0, last, -games.astype(np.int64)),
    }
    made: dict[str, pa.Array] = {}
    known = {name: int(np.count_nonzero(keys[name] != last)) for name in ORDERS}
    for name in ORDERS:
        order = np.argsort(keys[name], kind="stable").astype(np.int32)
        place = np.empty(len(order), np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        made[f"by_{name}"], made[f"place_{name}"] = pa.array(order), pa.array(place)
    return made, known


def _save(path: Path, table: pa.Table) -> None:
    table = table.combine_chunks()
    with pa.OSFile(os.fspath(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def _about(
    folder: Path,
    table: pa.Table,
    words: dict[str, list[str]],
    known: dict[str, int],
    federation: Numbers,
    rated: NDArray[np.bool_],
    active: NDArray[np.bool_],
) -> None:
    count = len(words["federation"])
    told = table.schema.metadata or {}
    about: dict[str, Any] = {
        "version": VERSION,
        "system": told.get(SYSTEM, b"").decode(),
        "on": told.get(ON, b"").decode(),
        "players": table.num_rows,
        "words": words,
        "known": known,
        "federations": {
            "players": np.bincount(federation, minlength=count).tolist(),
            "rated": np.bincount(federation[rated], minlength=count).tolist(),
            "active": np.bincount(federation[active], minlength=count).tolist(),
        },
    }
    about["files"] = {name: _hash(folder / name) for name in (ROWS, IDS, WORDS, POSTINGS)}
    about["seal"] = seal_of(about)
    # Last: a folder that has it is complete.
    (folder / ABOUT).write_text(json.dumps(about, ensure_ascii=False) + "\n", "utf-8")


def seal_of(about: dict[str, Any]) -> str:
    """The hash that ``view.json`` has of all else in it."""
    rest = {name: value for name, value in about.items() if name != "seal"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def damaged_file(view_folder: Path) -> str | None:
    """The first file of a view that is not as it was built; `None` where all are.

    A view of another version is none: it is built again when it is next asked for.
    """
    try:
        about = json.loads((view_folder / ABOUT).read_text("utf-8"))
        if about["version"] < VERSION:
            return None
        if about["seal"] != seal_of(about):
            return ABOUT
        sealed = {str(name): str(value) for name, value in about["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ABOUT
    for name, expected in sealed.items():
        try:
            if _hash(view_folder / name) != expected:
                return name
        except OSError:
            return name
    return None


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
