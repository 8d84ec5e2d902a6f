"""Following by mail, and feeds that any program reads (Atom, RFC 4287)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from litestar import Response
from litestar.params import FromPath
from lxml import etree

from arrocco.desk.mail_settings import site_from
from arrocco.errors import NotFound
from arrocco.office.roles import Permission
from arrocco.store.office_folder import read_id
from arrocco.store.sql.follows import Followed
from arrocco.web.pages.public_asking import known_system, player_number, system_name
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View
from arrocco.web.writing import day as written_day

MAX_ENTRIES = 50
_LONGEST_NUMBER = 12
_ATOM = "http://www.w3.org/2005/Atom"
_PATHS = {
    Followed.PLAYER: "/players/",
    Followed.LIST: "/lists/",
    Followed.TOURNAMENT: "/tournaments/",
}


class Entry(NamedTuple):
    """A piece of news: when, what, and the page that has it whole."""

    at: datetime
    title: str
    path: str


@page("/following", permission=Permission.SEE_OWN_ACCOUNT)
def following(view: TheView) -> Response[str]:
    """What one follows."""
    followed = [
        (kind, subject, _PATHS[kind] + subject, _name(view, kind, subject))
        for kind, subject in view.office.following.of(view.asker)
    ]
    return view.page("following.html", followed=followed)


@act("/follow/{kind:str}/{subject:str}", permission=Permission.SEE_OWN_ACCOUNT)
def follow(view: TheView, kind: FromPath[str], subject: FromPath[str]) -> Response[Any]:
    """Follows something by mail."""
    what = _kind(kind)
    if what is Followed.PLAYER and not _is_known(view, subject):
        raise NotFound.of("follow.refused.nothing")
    view.office.following.follow(view.asker, what, subject)
    return view.go(_PATHS[what] + subject, "follow.page.followed")


@act("/unfollow/{kind:str}/{subject:str}", permission=Permission.SEE_OWN_ACCOUNT)
def unfollow(
    view: TheView, form: TheForm, kind: FromPath[str], subject: FromPath[str]
) -> Response[Any]:
    """Follows something no longer."""
    what = _kind(kind)
    view.office.following.unfollow(view.asker, what, subject)
    back = "/following" if form.value("back") == "following" else _PATHS[what] + subject
    return view.go(back, "follow.page.unfollowed")


def _kind(text: str) -> Followed:
    if text not in [kind.value for kind in Followed]:
        raise NotFound.of("follow.refused.nothing")
    return Followed(text)


def _is_known(view: View, subject: str) -> bool:
    """Whether a list, or what the ledger says of who left them, has a player of this number."""
    if not (subject.isascii() and subject.isdecimal() and len(subject) <= _LONGEST_NUMBER):
        return False
    number, people = int(subject), view.office.people
    departed = view.office.departed.get(number)
    return bool(departed or people.on_lists(number) or people.history(number))


def _name(view: View, kind: Followed, subject: str) -> str:
    if kind is Followed.LIST:
        return system_name(view.language, subject)
    if kind is Followed.TOURNAMENT:
        return view.office.tournaments.public(int(subject)).name
    return _player_name(view, int(subject))


def _player_name(view: View, number: int) -> str:
    """A player by name, as the newest list that has them says; by number where none does."""
    for row in view.office.people.on_lists(number).values():
        return row.name
    departed = view.office.departed.get(number)
    name = departed.name if departed else ""
    return name or view.t("follow.page.player", number=number)


# --- feeds ----------------------------------------------------------------------------------------


@page("/lists/{system:str}/feed.atom", permission=Permission.LOOK_UP)
def list_feed(view: TheView, system: FromPath[str]) -> Response[bytes]:
    """The lists of a system as they are published."""
    name = system_name(view.language, known_system(system))
    published = view.office.lists.published(system)
    entries = [
        Entry(
            publication.published_at,
            view.t("follow.page.entry_list", system=name, day=_day(view, publication.list_date)),
            f"/lists/{system}/{publication.list_date}",
        )
        for publication in sorted(
            published, key=lambda publication: publication.published_at, reverse=True
        )[:MAX_ENTRIES]
    ]
    return _feed(view, name, f"/lists/{system}", entries)


@page("/players/{player:int}/feed.atom", permission=Permission.LOOK_UP)
def player_feed(view: TheView, player: FromPath[int]) -> Response[bytes]:
    """What the lists bring a player."""
    player_number(player)
    history = view.office.people.history(player)
    rows = [row for rows in history.values() for row in rows if row.player == player]
    if not rows:
        raise NotFound.of("public.refused.no_player", player=player)
    entries = []
    for row in sorted(rows, key=lambda row: (row.list_date, row.system), reverse=True)[
        :MAX_ENTRIES
    ]:
        key = "entry_player" if row.rating else "entry_unrated"
        told = {"system": system_name(view.language, row.system), "day": _day(view, row.list_date)}
        title = view.t(
            f"follow.page.{key}", **told, **({"rating": row.rating} if row.rating else {})
        )
        path = f"/players/{player}/{row.system}/{row.list_date}"
        entries.append(Entry(_midnight(row.list_date), title, path))
    return _feed(view, _player_name(view, player), f"/players/{player}", entries)


@page("/tournaments/{tournament:int}/feed.atom", permission=Permission.LOOK_UP)
def tournament_feed(view: TheView, tournament: FromPath[int]) -> Response[bytes]:
    """What becomes of a tournament."""
    public_tournament = view.office.tournaments.public(tournament)
    entries = [
        Entry(
            _midnight(one.list_date),
            view.t(
                "follow.page.entry_tournament",
                system=system_name(view.language, one.system),
                day=_day(view, one.list_date),
            ),
            f"/lists/{one.system}/{one.list_date}",
        )
        for one in sorted(public_tournament.rated, key=lambda one: one.list_date, reverse=True)
    ]
    return _feed(view, public_tournament.name, f"/tournaments/{tournament}", entries)


def _feed(view: View, title: str, path: str, entries: Iterable[Entry]) -> Response[bytes]:
    """An Atom feed; ids stay the same whatever address the site is reached by."""
    site = site_from() or str(view.request.base_url).rstrip("/")
    office = read_id(view.office.folder) or ""
    shown = list(entries)
    names: Any = {None: _ATOM}
    feed = etree.Element(f"{{{_ATOM}}}feed", nsmap=names)
    feed.set("{http://www.w3.org/XML/1998/namespace}lang", view.language)

    def add(parent: Any, name: str, text: str = "", **attributes: str) -> None:
        child = etree.SubElement(parent, f"{{{_ATOM}}}{name}", attributes)
        child.text = "".join(c if c.isprintable() else " " for c in text) or None

    def common(parent: Any, title: str, path: str, at: datetime) -> None:
        add(parent, "title", title)
        add(parent, "id", uuid5(NAMESPACE_URL, f"arrocco:{office}:{path}").urn)
        add(parent, "updated", at.astimezone(UTC).isoformat(timespec="seconds"))
        add(parent, "link", href=f"{site}{view.url(path)}", rel="alternate", type="text/html")

    newest = max((entry.at for entry in shown), default=datetime(1970, 1, 1, tzinfo=UTC))
    common(feed, title, path, newest)
    own = f"{site}{view.url(path + '/feed.atom')}"
    add(feed, "link", href=own, rel="self", type="application/atom+xml")
    author = etree.SubElement(feed, f"{{{_ATOM}}}author")
    add(author, "name", view.identity.name or "Arrocco")
    for entry in shown:
        common(etree.SubElement(feed, f"{{{_ATOM}}}entry"), entry.title, entry.path, entry.at)
    body = etree.tostring(feed, xml_declaration=True, encoding="utf-8")
    headers = {"cache-control": "no-cache", "content-language": view.language}
    return Response(body, media_type="application/atom+xml", headers=headers)


def _midnight(on: date) -> datetime:
    return datetime.combine(on, time(), UTC)


def _day(view: View, on: date) -> str:
    return written_day(view.language, on)
