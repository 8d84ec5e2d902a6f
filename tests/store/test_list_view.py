"""Views of lists answer as going through the list row by row would, and say when they cannot."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from datetime import date
from pathlib import Path
from random import Random
from threading import Thread

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from arrocco.errors import Inconsistent
from arrocco.formats.lists import write_list
from arrocco.records.ratinglist import ListedPlayer, RatingList
from arrocco.store import list_view_names, list_view_pages
from arrocco.store.folding import folded
from arrocco.store.list_view import (
    SORTS,
    Filters,
    ListView,
    Sort,
    build_view,
    open_view,
    remove_view,
)
from arrocco.store.list_view_names import fold_names

SURNAMES = (
    "Rossi",
    "Rosso",
    "Bianchi",
    "Ørsted",
    "D'Alì",
    "De la Cruz",
    "Łącki",
    "Ross",
    "Li",
    "Ли",
)
GIVEN = ("Anna", "Ann", "Bruno", "Zoë", "Li", "Maria Chiara", "J.", "")
DAY = date(2025, 6, 1)


def texts(values: list[str]) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    return np.array(values, object)


def invented(count: int, seed: int = 1) -> RatingList:
    rng = Random(seed)

    def some(*values: str) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
        return texts([rng.choice(values) for _ in range(count)])

    def numbers(*values: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        return np.array([rng.choice(values) for _ in range(count)], np.int32)

    ids = np.array(sorted(rng.sample(range(99_000_000, 99_900_000), count)), np.int64)
    return RatingList(
        id=ids,
        name=texts(
            [", ".join((rng.choice(SURNAMES), rng.choice(GIVEN))).strip(", ") for _ in range(count)]
        ),
        federation=some("ITA", "ITA", "GER", "NOR", "", "AAA"),
        sex=some("M", "M", "F", ""),
        title=some("", "", "", "GM", "IM", "WGM"),
        rating=numbers(0, 0, 1400, 1650, 1650, 2001, 2480, 2700),
        games=numbers(-1, 0, 3, 3, 9),
        k=numbers(-1, 10, 20, 40),
        birth=numbers(0, 19870000, 19870312, 20010000, 20150505),
        flag=some("", "", "i", "w", "wi"),
        system="standard",
        on=DAY,
        extra={
            "w_title": some("", "", "WGM", "WIM"),
            "o_title": some("", "FA", "FA,FI", "IO, FA"),
            "foa_title": some("", "", "AGM"),
        },
    )


@pytest.fixture(scope="module")
def listed() -> RatingList:
    return invented(400)


@pytest.fixture(scope="module")
def view(listed: RatingList, tmp_path_factory: pytest.TempPathFactory) -> ListView:
    folder = tmp_path_factory.mktemp("list") / "2025-06-01"
    write(listed, folder)
    build_view(folder, folder.parent / "view")
    return ListView.open(folder.parent / "view")


def write(listed: RatingList, folder: Path) -> None:
    folder.mkdir()
    write_list(listed, folder / "list.parquet", "parquet")


# --- the judge: the same answers, taken row by row ------------------------------------------------


def is_woman(player: ListedPlayer) -> bool:
    return player.sex == "F" or (player.sex == "" and "w" in player.flag)


def lets_through(filters: Filters, listed: RatingList, row: int) -> bool:
    player = listed.at(row)
    extra = {name: column[row] for name, column in listed.extra.items()}
    others = [part.strip() for part in extra["o_title"].split(",")] + [extra["foa_title"]]
    year = player.birth.year if player.birth else None
    words = folded(player.name).split()
    return (
        filters.federation in ("", player.federation)
        and (not filters.sex or is_woman(player) == (filters.sex == "F"))
        and filters.title in ("", player.title, extra["w_title"])
        and (not filters.category or filters.category in others)
        and not (filters.active_only and player.is_inactive)
        and within(year, filters.born_from, filters.born_to)
        and within(player.rating, filters.rating_from, filters.rating_to)
        and all(
            any(word.startswith(typed) for word in words) for typed in folded(filters.text).split()
        )
    )


def within(value: int | None, low: int | None, high: int | None) -> bool:
    if low is None and high is None:
        return True
    return value is not None and (low is None or value >= low) and (high is None or value <= high)


def by_rating(listed: RatingList) -> list[int]:
    def key(row: int) -> tuple[int, str, int]:
        player = listed.at(row)
        return -(player.rating or 0), folded(player.name), player.id

    return sorted(range(len(listed)), key=key)


def in_order(listed: RatingList, sort: Sort, descending: bool) -> list[int]:
    """Ids in an order: those without a value last, equals by rating or exactly the other way."""
    rows = by_rating(listed)

    def value(row: int) -> int | str | tuple[str, int] | None:
        player = listed.at(row)
        return {
            "rating": player.rating,
            "name": (folded(player.name), player.id),
            "id": player.id,
            "federation": player.federation or None,
            "birth": int(listed.birth[row]) or None,
            "games": player.games,
        }[sort]

    known = [row for row in rows if value(row) is not None]
    unknown = [row for row in rows if value(row) is None]
    own_way = sort in ("rating", "games")
    known.sort(key=value, reverse=own_way)  # type: ignore[arg-type]
    if descending != own_way:
        known.reverse()
    return [int(listed.id[row]) for row in known + unknown]


def some_filters(rng: Random) -> Filters:
    def maybe(*values: object) -> object:
        return rng.choice(values) if rng.random() < 0.35 else None

    given = {
        "federation": maybe("ITA", "GER", "AAA", "XXX"),
        "sex": maybe("F", "M"),
        "born_from": maybe(1987, 2000, 0),
        "born_to": maybe(1990, 2001, 99_999, -1),
        "title": maybe("GM", "WGM", "WIM", "nothing"),
        "category": maybe("FA", "FI", "AGM", "XX"),
        "active_only": maybe(True),
        "rating_from": maybe(1650, 2000, 100_000),
        "rating_to": maybe(2001, 1400),
        "text": maybe("ros", "ross a", "LI", "orst", "ли", "zoe", "de", "   ", "--", "chiara mar"),
    }
    return Filters(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]


# --- pages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("many", [1, 100, 20_000], ids=lambda many: f"many-{many}")
@pytest.mark.parametrize("sort", SORTS)
def test_a_page_is_what_going_through_the_list_gives(
    view: ListView, listed: RatingList, sort: Sort, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_view_names, "_MANY", many)
    monkeypatch.setattr(list_view_pages, "_BLOCK", 64)
    monkeypatch.setattr(list_view_pages, "_FEW", many)
    rng = Random(f"{sort}{many}")
    row_of = {int(number): row for row, number in enumerate(listed.id)}
    orders = {way: in_order(listed, sort, way) for way in (False, True)}
    for _ in range(40):
        filters, descending = some_filters(rng), rng.random() < 0.5
        offset, limit = rng.choice((0, 0, 7, 300, 5000)), rng.choice((0, 1, 20, 1000))
        expected = [
            number
            for number in orders[descending]
            if not folded(filters.text) == "" != filters.text.strip()  # marks alone match nobody
            and lets_through(filters, listed, row_of[number])
        ]
        total, players = view.page(filters, sort, offset, limit, descending=descending)
        assert total == len(expected), filters
        assert [player.id for player in players] == expected[offset : offset + limit], filters


def test_a_page_says_all_that_the_list_says(view: ListView, listed: RatingList) -> None:
    total, players = view.page(sort="id", limit=10_000)
    assert total == len(listed) == len(view)
    for row, player in enumerate(players):
        expected = listed.at(row)
        for field in fields(ListedPlayer):
            if field.name != "sex":  # women known by their flag only are women
                assert getattr(player, field.name) == getattr(expected, field.name)
        assert (player.sex == "F") == is_woman(expected)
        for name, column in listed.extra.items():
            assert getattr(player, name) == column[row]


def test_each_sort_goes_its_own_way_unless_told(view: ListView) -> None:
    for sort in SORTS:
        own = sort in ("rating", "games")
        assert view.page(sort=sort) == view.page(sort=sort, descending=own)
        assert view.page(sort=sort) != view.page(sort=sort, descending=not own)


def test_offsets_and_limits_below_nothing_are_nothing(view: ListView) -> None:
    assert view.page(offset=-5, limit=3) == view.page(limit=3)
    assert view.page(limit=-1) == (len(view), [])


# --- single players -------------------------------------------------------------------------------


def test_every_player_is_found_by_number_and_nobody_else(
    view: ListView, listed: RatingList
) -> None:
    there = {int(number) for number in listed.id}
    for row, number in enumerate(sorted(there)):
        player = view.player(number)
        assert player is not None
        assert player.name == listed.at(row).name
        if number + 1 not in there:
            assert view.player(number + 1) is None
    for number in (0, -1, 1, 1 << 62, 1 << 70):
        assert view.player(number) is None


def test_a_rank_counts_the_active_who_are_rated_higher(view: ListView, listed: RatingList) -> None:
    people = [listed.at(row) for row in range(len(listed))]
    ranked = [one for one in people if one.rating and not one.is_inactive]
    seen = 0
    for person in people:
        rank = view.rank_of(person.id)
        if person not in ranked:
            assert rank is None
            continue
        higher = [one for one in ranked if (one.rating or 0) > (person.rating or 0)]
        mates = [one for one in higher if one.federation == person.federation]
        assert rank == (len(higher) + 1, len(mates) + 1)
        seen += 1
    assert seen > 100
    assert view.rank_of(5) is None


def test_the_top_are_the_first_active_ones(view: ListView) -> None:
    top = view.top(10)
    assert [one.rating for one in top] == sorted((one.rating or 0 for one in top), reverse=True)
    assert not any(one.is_inactive for one in top)
    women = view.top(5, Filters(sex="F"))
    assert len(women) == 5
    assert all(one.sex == "F" for one in women)


def test_7_23b_and_7_24_marks_of_fide_2010(tmp_path: Path) -> None:
    """Who is off the list is on no page of it and still found; some inactive are among the top."""
    marked = invented(6)
    marked.rating[:] = [2600, 2500, 2400, 2300, 2200, 2100]
    marked.flag[:] = ["ix", "it", "i", "", "wix", "wi"]
    write_list(marked, tmp_path / "list.parquet", "parquet")
    build_view(tmp_path / "list.parquet", tmp_path / "view")
    view = ListView.open(tmp_path / "view")
    ids = marked.id.tolist()
    total, rows = view.page(Filters())
    assert (total, [row.id for row in rows]) == (4, [ids[1], ids[2], ids[3], ids[5]])
    assert [one.id for one in view.top(10)] == [ids[1], ids[3]]
    found = view.player(ids[0])
    assert found is not None
    assert found.is_off_list


def test_federations_are_counted(view: ListView, listed: RatingList) -> None:
    people = [listed.at(row) for row in range(len(listed))]
    found = view.federations()
    assert [one.federation for one in found] == sorted({one.federation for one in people})
    for one in found:
        own = [person for person in people if person.federation == one.federation]
        rated = [person for person in own if person.rating]
        active = [person for person in rated if not person.is_inactive]
        assert one[1:] == (len(own), len(rated), len(active))


# --- searches -------------------------------------------------------------------------------------


@pytest.mark.parametrize("many", [1, 20_000])
@pytest.mark.parametrize(
    "text",
    [
        "ross",
        "ROSSI",
        "rossi ann",
        "li",
        "Li Li",
        "d'ali",
        "ørsted",
        "orsted",
        "la cruz de",
        "Ли",
        "lacki",
        "zoe",
        "r",
        "j",
        "rossi xyz",
        "xyz",
        "",
        " , ",
        "a b",
        "zz",
    ],
)
def test_a_search_gives_whoever_has_words_that_begin_so(
    view: ListView, listed: RatingList, text: str, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_view_names, "_MANY", many)
    typed = folded(text).split()
    exact, begin = [], []
    for row in by_rating(listed) if typed else ():
        words = folded(listed.at(row).name).split()
        if all(word in words for word in typed):
            exact.append(int(listed.id[row]))
        elif all(any(word.startswith(one) for word in words) for one in typed):
            begin.append(int(listed.id[row]))
    for limit in (0, 1, 25, 1000):
        assert [one.id for one in view.search(text, limit)] == (exact + begin)[:limit]


def test_a_search_by_digits_is_for_the_number(view: ListView, listed: RatingList) -> None:
    number = int(listed.id[17])
    assert [one.id for one in view.search(f" {number} ")] == [number]
    assert view.search("12") == []
    assert view.search("9" * 30) == []
    assert view.search("²") == []


def test_a_column_of_names_is_folded_as_each_name_is() -> None:
    names = [
        "Rossi, Anna",
        "  ,x--Y_z ",
        "",
        "Ærø, Þór",
        "Straße",
        "İstanbul",
        "ÉCOLE",
        "Ли Вэй",
        "naïve’s",
        "ﬁn",
        "A\u0301",
        "ǅ",
        "1st",
        "王 伟",
    ]
    assert fold_names(pa.array(names)).to_pylist() == [folded(name) for name in names]
    plain = [name for name in names if name.isascii()]
    assert fold_names(pa.array(plain)).to_pylist() == [folded(name) for name in plain]


# --- building and opening -------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 2])
def test_small_lists_have_views_too(tmp_path: Path, count: int) -> None:
    write(invented(count), tmp_path / "list")
    view = open_view(tmp_path / "list", tmp_path / "views" / "fide" / "2025-06-01")
    assert len(view) == view.page()[0] == count
    assert view.on == DAY
    assert view.system == "standard"
    assert view.page(Filters(active_only=True, text="r", federation="ITA"), "name")[0] <= count
    assert view.search("r") == view.page(Filters(text="r"))[1]
    assert len(view.top(5)) <= count
    assert view.player(99) is None


def test_the_same_list_gives_the_same_view(listed: RatingList, tmp_path: Path) -> None:
    write(listed, tmp_path / "list")
    for name in ("one", "two"):
        build_view(tmp_path / "list", tmp_path / name)
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()


def test_a_list_in_another_order_gives_the_same_view(listed: RatingList, tmp_path: Path) -> None:
    write(listed, tmp_path / "list")
    table = pq.read_table(tmp_path / "list" / "list.parquet")
    mixed = np.random.default_rng(2).permutation(len(listed))
    pq.write_table(table.take(pa.array(mixed)), tmp_path / "mixed.parquet")
    build_view(tmp_path / "list", tmp_path / "one")
    build_view(tmp_path / "mixed.parquet", tmp_path / "two")
    assert page_of(ListView.open(tmp_path / "one")) == page_of(ListView.open(tmp_path / "two"))
    pq.write_table(table.drop_columns(["id"]), tmp_path / "no-ids.parquet")
    with pytest.raises(Inconsistent):
        build_view(tmp_path / "no-ids.parquet", tmp_path / "three")


def test_a_view_that_is_there_is_left_alone(listed: RatingList, tmp_path: Path) -> None:
    write(listed, tmp_path / "list")
    build_view(tmp_path / "list", tmp_path / "view")
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / "view").iterdir()}
    build_view(tmp_path / "list", tmp_path / "view")
    assert before == {file: file.stat().st_mtime_ns for file in (tmp_path / "view").iterdir()}


def test_several_may_build_the_same_view_at_once(listed: RatingList, tmp_path: Path) -> None:
    write(listed, tmp_path / "list")
    failures: list[Exception] = []

    def build() -> None:
        try:
            build_view(tmp_path / "list", tmp_path / "view")
        except Exception as error:
            failures.append(error)

    threads = [Thread(target=build) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(ListView.open(tmp_path / "view")) == len(listed)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["list", "view"]


@pytest.mark.parametrize("file", ["view.json", "rows.arrow", "ids.arrow", "words.arrow"])
@pytest.mark.parametrize("how", ["missing", "empty", "cut", "other"])
def test_a_damaged_view_is_refused_and_built_again(tmp_path: Path, file: str, how: str) -> None:
    write(invented(50), tmp_path / "list")
    folder = tmp_path / "view"
    build_view(tmp_path / "list", folder)
    whole = page_of(ListView.open(folder))
    damaged = folder / file
    data = damaged.read_bytes()
    damaged.unlink()
    if how != "missing":
        damaged.write_bytes({"empty": b"", "cut": data[: len(data) // 2], "other": b"{}"}[how])
    with pytest.raises(Inconsistent) as refused:
        ListView.open(folder)
    assert refused.value.key.startswith("store.refused.")
    assert page_of(open_view(tmp_path / "list", folder)) == whole


def page_of(view: ListView) -> object:
    return view.page(limit=1000), view.search("ross"), view.federations()


def test_a_view_of_another_version_is_built_again(tmp_path: Path) -> None:
    write(invented(20), tmp_path / "list")
    build_view(tmp_path / "list", tmp_path / "view")
    about = tmp_path / "view" / "view.json"
    about.write_text(json.dumps(json.loads(about.read_text()) | {"version": 0}))
    with pytest.raises(Inconsistent) as refused:
        ListView.open(tmp_path / "view")
    assert refused.value.key == "store.refused.other_view"
    assert len(open_view(tmp_path / "list", tmp_path / "view")) == 20


def test_a_view_may_be_taken_away_while_it_is_read(tmp_path: Path) -> None:
    write(invented(20), tmp_path / "list")
    view = open_view(tmp_path / "list", tmp_path / "view")
    before = page_of(view)
    remove_view(tmp_path / "view")
    remove_view(tmp_path / "view")
    assert not (tmp_path / "view").exists()
    assert page_of(view) == before


def test_a_list_that_cannot_be_read_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "list").mkdir()
    (tmp_path / "list" / "list.parquet").write_bytes(b"PAR1 this is none")
    for folder in (tmp_path / "list", tmp_path / "nowhere"):
        with pytest.raises(Inconsistent):
            build_view(folder, tmp_path / "views" / "view")
    assert not list(tmp_path.glob("views/*"))


@pytest.mark.parametrize("typed", ["rosso", "rozsi", "rosi", "rossii", "orssi", "rosis ann"])
def test_one_wrong_letter_is_forgiven_where_nobody_has_the_words(
    typed: str, tmp_path: Path
) -> None:
    players = invented(40)
    names = texts(["Rossi, Anna", *(f"Verdi, Tizio {n}" for n in range(39))])
    write(replace(players, name=names), tmp_path / "list")
    view = open_view(tmp_path / "list", tmp_path / "view")
    assert [player.name for player in view.search(typed)] == ["Rossi, Anna"]
    assert not view.search("bianchi")
    # A filter of a list shows what was asked for, nothing like it.
    assert view.page(Filters(text=typed))[0] == 0


def test_short_words_are_not_forgiven(tmp_path: Path) -> None:
    players = replace(invented(2), name=texts(["Li, Bo", "La, Ka"]))
    write(players, tmp_path / "list")
    assert not open_view(tmp_path / "list", tmp_path / "view").search("lo")
