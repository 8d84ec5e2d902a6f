"""The wheel holds everything built and works outside the sources with the pinned packages only."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from packaging.tags import sys_tags
from packaging.utils import parse_wheel_filename
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.install.conftest import BUILT, Installed, Packed
from tests.install.servers import environment, log_in, serving
from tests.web.offices import FIRST, PASSWORD, email_of
from tools.requirements import ROOT, left_out

NOT_PACKED = {".pyc", ".so"}
MODULES = {"pyyaml": "yaml", "faker": "faker"}


def test_it_is_for_this_platform_and_any_python(packed: Packed) -> None:
    tags = parse_wheel_filename(packed.wheel.name)[3]
    assert tags <= set(sys_tags())
    assert {(tag.interpreter, tag.abi) for tag in tags} == {("py3", "none")}
    assert "any" not in {tag.platform for tag in tags}


def test_it_holds_scripts_and_compiled_core_and_nothing_of_the_making(packed: Packed) -> None:
    names = set(zipfile.ZipFile(packed.wheel).namelist())
    built = {f"arrocco/web/static/built/{file.name}" for file in BUILT.glob("[!.]*")}
    assert {Path(name).suffix for name in built} >= {".js", ".css", ".woff2"}
    assert built <= names
    own = [path for path in (ROOT / "src").rglob("[!.]*") if path.suffix not in NOT_PACKED]
    packed_too = {path.relative_to(ROOT / "src").as_posix() for path in own if path.is_file()}
    assert packed_too - names == set(), "pages, words, laws, pictures and handbooks"
    assert "arrocco/hall/unwinnable/core/search.so" in names
    assert not [name for name in names if name.endswith((".stamp", ".pyc", ".ts", ".map"))]


def test_its_library_is_loaded(installed: Installed, tmp_path: Path) -> None:
    asked = "import arrocco.hall.unwinnable.search as c; print(c.__file__, c.find_core())"
    answer = installed.run(installed.python, "-c", asked, cwd=tmp_path)
    where, _, core = answer.stdout.partition(" ")
    assert Path(where).is_relative_to(installed.folder), answer.stderr
    assert "search.so" in core


def test_what_is_left_out_is_not_there(installed: Installed, tmp_path: Path) -> None:
    unwanted = sorted(
        {
            MODULES.get(name, name.replace("-", "_"))
            for names in left_out().values()
            for name in names
        }
        | {"faker"}
    )
    asked = (
        "import importlib.util, json, sys;"
        "print(json.dumps([n for n in sys.argv[1:] if importlib.util.find_spec(n)]))"
    )
    answer = installed.run(installed.python, "-c", asked, *unwanted, "litestar", cwd=tmp_path)
    assert json.loads(answer.stdout) == ["litestar"], answer.stderr


def test_it_runs_its_own_demonstration(installed: Installed, tmp_path: Path) -> None:
    done = installed.run(installed.program, "demo", "show", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Altavilla" in done.stdout


@pytest.fixture(scope="module")
def address(installed: Installed, office: Path) -> Iterator[str]:
    with serving(office, program=[installed.program], env=environment()) as address:
        yield address


class TestServed:
    def test_pages_come_with_their_scripts(self, address: str) -> None:
        with httpx.Client(base_url=address, timeout=60) as client:
            page = client.get("/en/")
            assert page.status_code == 200
            scripts = re.findall(r"/static/built/site\.[0-9a-f]+\.js", page.text)
            assert scripts
            script = client.get(scripts[0])
            assert script.content == (BUILT / "site.js").read_bytes()

    def test_the_api_describes_itself(self, address: str) -> None:
        answer = httpx.get(f"{address}/api/v1/schema", timeout=60)
        assert answer.status_code == 200
        assert answer.json()["paths"]

    def test_an_account_talks_to_the_hall(self, address: str) -> None:
        with httpx.Client(base_url=address, timeout=60) as client:
            assert log_in(client, email_of(FIRST), PASSWORD).status_code == 303
            cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        url = f"{address.replace('http', 'ws')}/hall/socket?lang=en"
        with connect(url, additional_headers={"Cookie": cookies}, origin=Origin(address)) as socket:
            assert json.loads(socket.recv(10))["type"] == "welcome"
            socket.send(json.dumps({"type": "ping", "id": "1"}))
            assert json.loads(socket.recv(10))["type"] == "pong"
