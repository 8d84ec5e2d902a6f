"""Caddy and nginx with the files that are shipped, before a real server: what a visitor gets.

Their certificates come from an authority that only the visitor here trusts; nothing else differs
from a server on the internet but ports and folders. The visitor comes from 127.0.0.2, so that the
address of the proxy and that of the visitor can be told apart.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from arrocco.desk import Office
from arrocco.store.sql import audit
from tests.install.certificates import write_certificate
from tests.install.servers import environment, log_in, serving
from tests.web.offices import FIRST, PASSWORD, email_of
from tools.requirements import ROOT

CADDY, NGINX = shutil.which("caddy"), shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
HOST = "ratings.example.org"
VISITOR = "127.0.0.2"
_START_SECONDS = 90
_SOURCES = os.pathsep.join(sys.path)


@dataclass(frozen=True)
class Site:
    """The site behind its proxy, as a visitor reaches it."""

    office: Path
    http: int
    https: int
    trust: ssl.SSLContext

    @property
    def origin(self) -> str:
        return f"https://{HOST}:{self.https}"

    def visitor(self, **options: Any) -> httpx.Client:
        """A browser whose name service knows this machine under the name of the site."""
        transport = _Named(httpx.HTTPTransport(verify=self.trust, local_address=VISITOR))
        return httpx.Client(base_url=self.origin, transport=transport, timeout=60, **options)

    def socket(self, client: httpx.Client, origin: str) -> ClientConnection:
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        connected = socket.create_connection(
            ("127.0.0.1", self.https), source_address=(VISITOR, 0), timeout=60
        )
        return connect(
            f"wss://{HOST}:{self.https}/hall/socket?lang=en",
            sock=connected,
            ssl=self.trust,
            server_hostname=HOST,
            origin=Origin(origin),
            additional_headers={"Cookie": cookies},
        )


class _Named(httpx.BaseTransport):
    """Sends requests for the site to this machine, under the site's name."""

    def __init__(self, transport: httpx.BaseTransport) -> None:
        self._transport = transport

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        sent = httpx.Request(
            request.method,
            request.url.copy_with(host="127.0.0.1"),
            headers=request.headers,
            stream=request.stream,
            extensions={**request.extensions, "sni_hostname": HOST},
        )
        return self._transport.handle_request(sent)

    def close(self) -> None:
        self._transport.close()


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        port: int = probe.getsockname()[1]
        return port


_PROXIES = [
    pytest.param("caddy", marks=pytest.mark.skipif(CADDY is None, reason="NO CADDY: not tried")),
    pytest.param("nginx", marks=pytest.mark.skipif(NGINX is None, reason="NO NGINX: not tried")),
]


@pytest.fixture(scope="module", params=_PROXIES)
def site(
    request: pytest.FixtureRequest, office: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """`arrocco serve --secure` behind a proxy with the file of `packaging`."""
    folder = tmp_path_factory.mktemp("proxy")
    http, https = free_port(), free_port()
    trusted = environment(ARROCCO_TRUSTED_PROXIES="127.0.0.1 ::1", PYTHONPATH=_SOURCES)
    with serving(office, "--secure", env=trusted) as address:
        upstream = address.removeprefix("http://")
        proxy = _caddy if request.param == "caddy" else _nginx
        with proxy(folder, upstream, http, https) as root:
            yield Site(office, http, https, _trust(root, https))


@contextmanager
def _caddy(folder: Path, upstream: str, http: int, https: int) -> Iterator[Path]:
    """Caddy, with the certificate of its own authority."""
    assert CADDY
    file = ROOT / "packaging" / "Caddyfile"
    settings = environment(
        XDG_DATA_HOME=str(folder),
        XDG_CONFIG_HOME=str(folder),
        HOME=str(folder),
        ARROCCO_HOST=HOST,
        ARROCCO_HTTP_PORT=str(http),
        ARROCCO_HTTPS_PORT=str(https),
        ARROCCO_UPSTREAM=upstream,
        ARROCCO_CADDY_OPTIONS="admin off\nlocal_certs\nskip_install_trust",
    )
    with _started(
        [CADDY, "run", "--config", str(file), "--adapter", "caddyfile"], folder, settings
    ):
        yield folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"


@contextmanager
def _nginx(folder: Path, upstream: str, http: int, https: int) -> Iterator[Path]:
    """nginx, with a certificate that stands for the one of certbot."""
    assert NGINX
    root = write_certificate(folder, HOST)
    shipped = (ROOT / "packaging" / "nginx.conf").read_text()
    changed = {
        "server 127.0.0.1:8000;": f"server {upstream};",
        "listen 80;": f"listen {http};",
        "listen [::]:80;": f"listen [::]:{http};",
        "listen 443 ssl http2;": f"listen {https} ssl http2;",
        "listen [::]:443 ssl http2;": f"listen [::]:{https} ssl http2;",
        f"/etc/letsencrypt/live/{HOST}": str(folder),
    }
    for before, after in changed.items():
        assert before in shipped, f"packaging/nginx.conf no longer has {before}"
        shipped = shipped.replace(before, after)
    (folder / "site.conf").write_text(shipped)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    main = (
        f"daemon off; pid {folder}/pid; error_log {folder}/errors; "
        f"events {{}} http {{ access_log off; {places} include {folder}/site.conf; }}"
    )
    (folder / "nginx.conf").write_text(main)
    command = [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")]
    with _started(command, folder, environment()):
        yield root


@contextmanager
def _started(command: list[str], folder: Path, settings: dict[str, str]) -> Iterator[None]:
    with (folder / "log").open("wb") as log:
        proxy = subprocess.Popen(command, env=settings, stdout=log, stderr=log)
    try:
        yield
    finally:
        proxy.terminate()
        proxy.wait(20)


def _trust(root: Path, port: int) -> ssl.SSLContext:
    """What trusts the proxy's authority, once the proxy answers with a certificate of it."""
    until = time.monotonic() + _START_SECONDS
    while True:
        try:
            trust = ssl.create_default_context(cafile=str(root))
            with (
                socket.create_connection(("127.0.0.1", port), timeout=5) as plain,
                trust.wrap_socket(plain, server_hostname=HOST),
            ):
                return trust
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


@pytest.fixture
def visitor(site: Site) -> Iterator[httpx.Client]:
    with site.visitor() as client:
        yield client


def test_pages_come_over_https_and_say_that_it_stays_so(visitor: httpx.Client) -> None:
    page = visitor.get("/en/")
    assert page.status_code == 200
    assert "max-age=" in page.headers["strict-transport-security"]


def test_http_is_sent_to_https(site: Site) -> None:
    with httpx.Client(timeout=60) as client:
        answer = client.get(f"http://127.0.0.1:{site.http}/en/lists?page=2", headers={"Host": HOST})
    assert answer.status_code in (301, 308)
    assert answer.headers["location"] == f"https://{HOST}/en/lists?page=2"


def test_who_is_asked_by_another_name_has_no_certificate_for_it(site: Site) -> None:
    with (
        socket.create_connection(("127.0.0.1", site.https), timeout=5) as plain,
        pytest.raises(ssl.SSLError),
    ):
        site.trust.wrap_socket(plain, server_hostname="other.example.org")


def test_a_session_begins_with_cookies_for_https_only(visitor: httpx.Client) -> None:
    answer = log_in(visitor, email_of(FIRST), PASSWORD)
    assert answer.status_code == 303
    cookies = answer.headers.get_list("set-cookie")
    session = next(cookie for cookie in cookies if "arrocco_session" in cookie)
    assert session.startswith("__Host-")
    assert {"secure", "httponly", "path=/"} <= {part.strip().lower() for part in session.split(";")}
    assert visitor.get("/en/account").status_code == 200


def test_the_hall_is_reached_through_the_proxy(site: Site, visitor: httpx.Client) -> None:
    assert log_in(visitor, email_of(FIRST), PASSWORD).status_code == 303
    with site.socket(visitor, site.origin) as hall:
        assert json.loads(hall.recv(60))["type"] == "welcome"
        hall.send(json.dumps({"type": "ping", "id": "1"}))
        assert json.loads(hall.recv(60))["type"] == "pong"
    with pytest.raises(InvalidStatus):
        site.socket(visitor, "https://elsewhere.example.org")


def test_the_visitors_address_is_known_and_cannot_be_claimed(site: Site) -> None:
    claims = {"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9"}
    with site.visitor(headers=claims) as client:
        log_in(client, email_of(FIRST), PASSWORD)
    with closing(Office.open(site.office)) as office, office.desk.database.reading() as connection:
        (last,) = audit.page(connection, action="log_in", outcome="done", limit=1)
    assert last.address == VISITOR


def test_a_visitor_through_the_proxy_is_not_taken_for_the_operator(visitor: httpx.Client) -> None:
    assert visitor.get("/metrics").status_code == 404
    assert visitor.get("/ready").json() == {"ready": True}
    assert visitor.get("/health").status_code == 200
