"""Files of lists: the bytes of the ledger, whole or in parts."""

from __future__ import annotations

import csv
import hashlib
import io

import pytest

from tests.web.public_fixtures import *  # noqa: F403 - fixtures
from tests.web.public_fixtures import Public
from tests.web.public_office import JULY, MAY
from tests.web.visits import all_of

FILES = "/en/lists/fide/2025-07-01/files"
LIST = f"{FILES}/list.xml"


def test_every_file_has_the_hash_that_the_page_and_the_ledger_say(public: Public) -> None:
    page = public.client.get(FILES).text
    folder = public.office.lists.folder("fide", JULY)
    told = public.client.get("/api/v1/lists/fide/latest").json()["files"]
    assert len(told) == 11
    assert all(one["sealed"] for one in told)
    for one in told:
        answer = public.client.get(f"{FILES}/{one['name']}")
        assert hashlib.sha256(answer.content).hexdigest() == one["sha256"], one["name"]
        assert answer.content == (folder / one["name"]).read_bytes()
        assert one["sha256"] in page
    hashes = [str(found.text_content()) for found in all_of(page, "//td/code")]
    assert len(hashes) == len(told)
    assert "arrocco list verify fide 2025-07-01" in page


def test_an_imported_list_has_the_hashes_of_its_files_and_of_its_source(public: Public) -> None:
    told = public.client.get("/api/v1/lists/fide/2025-05-01").json()
    assert told["imported"] == "opening.csv"
    folder = public.office.lists.folder("fide", MAY)
    for one in told["files"]:
        assert not one["sealed"]
        assert one["sha256"] == hashlib.sha256((folder / one["name"]).read_bytes()).hexdigest()
    blob = public.office.desk.blobs.get(told["imported_sha256"])
    assert hashlib.sha256(blob).hexdigest() == told["imported_sha256"]


def test_a_file_has_its_length_and_its_tag_and_is_never_compressed(public: Public) -> None:
    answer = public.client.get(LIST, headers={"accept-encoding": "gzip"})
    size = (public.office.lists.folder("fide", JULY) / "list.xml").stat().st_size
    assert int(answer.headers["content-length"]) == size == len(answer.content)
    assert "content-encoding" not in answer.headers
    table = public.client.get(f"{FILES}/list.csv")
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-type"].startswith("application/xml")
    assert 'filename="fide-2025-07-01-list.xml"' in answer.headers["content-disposition"]
    again = public.client.get(LIST, headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304
    assert again.content == b""


@pytest.mark.parametrize(
    ("asked", "part"),
    [
        ("bytes=0-9", slice(0, 10)),
        ("bytes=100-", slice(100, None)),
        ("bytes=-20", slice(-20, None)),
        ("bytes=10-999999999", slice(10, None)),
        ("bytes=-999999999", slice(0, None)),
    ],
)
def test_a_part_of_a_file(public: Public, asked: str, part: slice) -> None:
    whole = public.client.get(LIST)
    answer = public.client.get(LIST, headers={"range": asked})
    assert answer.status_code == 206
    assert answer.content == whole.content[part]
    start = whole.content.index(answer.content)
    end, size = start + len(answer.content) - 1, len(whole.content)
    assert answer.headers["content-range"] == f"bytes {start}-{end}/{size}"
    assert answer.headers["content-length"] == str(len(answer.content))


def test_a_part_of_another_version_gives_the_whole(public: Public) -> None:
    headers = {"range": "bytes=0-9", "if-range": '"another"'}
    answer = public.client.get(LIST, headers=headers)
    assert answer.status_code == 200
    assert len(answer.content) > 10


def test_a_part_that_is_not_there_is_refused_and_nonsense_gives_the_whole(public: Public) -> None:
    assert public.client.get(LIST, headers={"range": "bytes=99999999-"}).status_code == 416
    for asked in ("bytes=", "bytes=-", "lines=1-2", "bytes=a-b", "bytes=0-1,5-6"):
        assert public.client.get(LIST, headers={"range": asked}).status_code == 200, asked


def test_the_rows_that_a_page_shows_come_as_a_table(public: Public) -> None:
    page = public.client.get("/it/lists/fide/latest?sex=F&sort=name").text
    (link,) = [str(one) for one in all_of(page, "//p[@class='data']/a[.='CSV']/@href")]
    answer = public.client.get(link)
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert 'filename="fide-2025-07-01-rows.csv"' in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    api = public.client.get("/api/v1/lists/fide/latest/players?sex=F&sort=name").json()["players"]
    assert [int(row["id"]) for row in rows] == [one["id"] for one in api]
    assert [row["name"] for row in rows] == [one["name"] for one in api]
    assert [row["birth"] for row in rows] == [str(one["birth_year"] or "") for one in api]
    assert {row["sex"] for row in rows} == {"F"}


def test_a_table_of_rows_is_whole_however_many_are_written_at_once(
    public: Public, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = "/en/lists/fide/latest/rows.csv"
    whole = public.client.get(path).text
    monkeypatch.setattr("arrocco.web.pages.public_csv._AT_ONCE", 3)
    assert public.client.get(path).text == whole
    assert len(whole.splitlines()) == 1 + len(public.office.lists.view("fide", JULY))
    assert len(public.client.get(f"{path}?top=4").text.splitlines()) == 5
    assert len(public.client.get(f"{path}?q=nobody").text.splitlines()) == 1
