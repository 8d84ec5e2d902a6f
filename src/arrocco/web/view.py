"""What a handler works with: who asks, in which language, and the ways to answer."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, TypeAlias
from urllib.parse import urlencode

import msgspec
from litestar import Request, Response
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.enums import MediaType
from litestar.response import Redirect
from markupsafe import Markup
from msgspec.structs import replace

from arrocco.desk import Office
from arrocco.desk.first_steps import next_step, steps_left
from arrocco.errors import Refusal
from arrocco.office.roles import Asker, Permission, Subject, may
from arrocco.office.settings import Identity, OfficeSettings, identity_of
from arrocco.operation.log_context import current_request_id
from arrocco.web.cookies import CookieJar, form_token, new_visit
from arrocco.web.form_data import form_data
from arrocco.web.forms import Form
from arrocco.web.guard import MAX_QUERY, TOKEN_FIELD, asker_of
from arrocco.web.language import (
    LANGUAGE_COOKIE,
    in_language,
    language_of_path,
    other_language,
    preferred_language,
)
from arrocco.web.navigation import MENU, TASKS, Place, is_page, places
from arrocco.web.speaker import Speaker
from arrocco.web.status import headers_of, status_of
from arrocco.web.templating import environment
from arrocco.words import catalogue

THEME_COOKIE = "arrocco_theme"
THEMES = ("light", "dark")
_YEAR = 365 * 24 * 3600
_NOTICE_SECONDS = 60
AnyRequest = Request[Any, Any, Any]


class View(Speaker):
    """One request, seen from the page that answers it."""

    def __init__(self, request: AnyRequest) -> None:
        self.request = request
        self.asker: Asker = asker_of(request)
        self.preferred = preferred_language(
            request.cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language", "")
        )
        super().__init__(language_of_path(request.url.path) or self.preferred)
        self._cookies: list[Cookie] = []
        self._form_cookie = ""
        self._identity: Identity | None = None

    # --- what there is ---

    @property
    def office(self) -> Office:
        office: Office = self.request.app.state.office
        return office

    @property
    def jar(self) -> CookieJar:
        jar: CookieJar = self.request.app.state.cookies
        return jar

    @property
    def request_id(self) -> str:
        """The id of this request, as its log records have it."""
        return current_request_id()

    @property
    def is_partial(self) -> bool:
        """Whether a script on a page asks for a part of it."""
        return self.request.headers.get("hx-request") == "true"

    @property
    def path(self) -> str:
        """The address without the language: ``/players``."""
        path = self.request.url.path
        return path[3:] or "/" if language_of_path(path) else path

    @property
    def site(self) -> str:
        """The address of this site as the browser knows it, without a slash at the end."""
        return str(self.request.base_url).rstrip("/")

    @property
    def identity(self) -> Identity:
        """Whose office this is: name, crest, colour and contact, in the language of the page."""
        if self._identity is None:
            try:
                self._identity = self.office.settings.identity(self.language)
            except Refusal:  # the page that tells of a lost database has to be shown as well
                self._identity = identity_of(OfficeSettings(), self.language)
        return self._identity

    @property
    def theme(self) -> str:
        theme = self.request.cookies.get(THEME_COOKIE, "")
        return theme if theme in THEMES else ""

    @property
    def menu(self) -> list[Place]:
        return places(MENU, self.asker, self.request.app.state.pages)

    @property
    def tasks(self) -> list[Place]:
        return places(TASKS, self.asker, self.request.app.state.pages)

    @property
    def steps_left(self) -> list[str]:
        """The first steps of a new office that its head has still before them."""
        return steps_left(self.office, self.asker)

    @property
    def next_step(self) -> str:
        """The first step that is next, the page that says all are over, or nothing."""
        return next_step(self.office, self.asker)

    def has(self, path: str) -> bool:
        """Whether there is a page of that path, so that a link to it leads somewhere."""
        return path in self.request.app.state.pages

    def article_link(self, law: str, edition: str, article: str) -> str:
        """Where the law browser shows an article; empty for an unnamed law."""
        if not law or not self.has("/law/{law:str}/{edition:str}"):
            return ""
        return f"{self.url(f'/law/{law}/{edition}')}#art-{article.replace(' ', '_')}"

    def follows(self, kind: str, subject: str) -> bool:
        """Whether the asker follows something by mail."""
        return (kind, subject) in self.office.following.of(self.asker)

    def may(self, permission: Permission, subject: Subject | None = None) -> bool:
        """Whether to show an action at all; the office asks again when it is done."""
        return may(self.asker, permission, subject)

    @property
    def session_token(self) -> str:
        """The token of the session, empty without one."""
        return self.request.cookies.get(self.jar.session, "")

    def now_has_factor(self) -> None:
        """The asker of this very request has set up the second factor that was missing."""
        self.asker = replace(self.asker, lacks_factor=False)

    @property
    def device_token(self) -> str:
        """What shows that this browser was logged in before; empty where it was not."""
        return self.request.cookies.get(self.jar.device, "")

    def language_cookie(self, language: str) -> Cookie:
        """Keeps a choice of language in the browser."""
        return Cookie(
            LANGUAGE_COOKIE, value=language, max_age=_YEAR, samesite="lax", secure=self.jar.secure
        )

    # --- words and addresses ---

    def url(self, path: str, /, **query: Any) -> str:
        """The address of a page in this language; what is empty or `None` leaves the query."""
        return f"/{self.language}{path if path != '/' else ''}" + _query(query)

    def here(self, **changes: Any) -> str:
        """This very page with some of its query changed; `None` takes a part away."""
        return self._page_path + _query(self._given | changes)

    @property
    def _given(self) -> dict[str, Any]:
        """The query of this page, to be repeated in links; one that was refused is not."""
        if len(self.request.scope["query_string"]) > MAX_QUERY:
            return {}
        return dict(self.request.query_params.items())

    @property
    def _page_path(self) -> str:
        """The address of this page; of one that answers a form, the page the form stands on."""
        path = self.request.url.path
        if self.request.method == "GET" or language_of_path(path) is None:
            return path
        while path.count("/") > 1 and not is_page(path[3:], self.request.app.state.pages):
            path = path.rpartition("/")[0]
        return path

    @property
    def in_other_language(self) -> str:
        """The same page in the other language."""
        path = self._page_path
        if language_of_path(path) is None:
            return f"/{other_language(self.language)}"
        return in_language(path, other_language(self.language)) + _query(self._given)

    def asset(self, name: str) -> str:
        url: str = self.request.app.state.assets.url(name)
        return url

    # --- forms ---

    def form_token(self) -> str:
        """A token for a form of this page; before one has a session it comes with a cookie."""
        if not self._form_cookie:
            cookies = self.request.cookies
            known = cookies.get(self.jar.session) or cookies.get(self.jar.visit, "")
            self._form_cookie = known or new_visit()
            if not known:
                self._cookies.append(self.jar.made(self.jar.visit, self._form_cookie))
        return form_token(self._form_cookie)

    def form_field(self) -> Markup:
        """The hidden field that every form has."""
        field = Markup('<input type="hidden" name="{}" value="{}">')
        return field.format(TOKEN_FIELD, self.form_token())

    # --- answers ---

    def page(
        self, template: str, *, status: int = 200, refusal: Refusal | None = None, **context: Any
    ) -> Response[str]:
        """A page made of a template. A refusal is told above it, and decides the status."""
        notice = self._notice()
        body = self._rendered(template, context | {"refusal": refusal, "notice": notice})
        if self.preferred != self.language and self.request.method == "GET":
            self._cookies.append(self.language_cookie(self.language))
        public = self.asker.account is None and not self._cookies
        return Response(
            body,
            media_type=MediaType.HTML,
            status_code=status_of(refusal) if refusal else status,
            cookies=self._cookies,
            headers={
                "cache-control": "no-cache" if public else "no-store",
                "vary": "cookie, accept-language, hx-request",
                "content-language": self.language,
                **headers_of(refusal),
            },
        )

    def partial(self, template: str, *, status: int = 200, **context: Any) -> Response[str]:
        """A part of a page, for a script that puts it in its place."""
        body = self._rendered(template, context)
        return Response(body, media_type=MediaType.HTML, status_code=status, cookies=self._cookies)

    def go(self, path: str, /, said: str = "", **details: Any) -> Redirect:
        """Sends on to another page after something was done; `said` is told there, once."""
        answer = Redirect(self.url(path), status_code=303)
        if said:
            told = msgspec.json.encode({"key": said, "details": details}, enc_hook=str)
            value = base64.urlsafe_b64encode(told).decode()
            answer.set_cookie(self.jar.made(self.jar.notice, value, seconds=_NOTICE_SECONDS))
        return answer

    def refused(
        self,
        template: str,
        refusal: Refusal,
        *,
        fields: Mapping[str, str] | None = None,
        **context: Any,
    ) -> Response[str]:
        """The page a form came from, again, with why it was refused.

        `fields` names the field of the form that a kind of refusal is about, by its key: it is
        then told beside that field, and otherwise above the page.
        """
        form = context.get("form")
        if fields and isinstance(form, Form) and form.refused(refusal, fields):
            return self.page(template, status=status_of(refusal), **context)
        return self.page(template, refusal=refusal, **context)

    def _notice(self) -> str:
        """What the request before left to be told; it is told once."""
        value = self.request.cookies.get(self.jar.notice, "")
        if not value:
            return ""
        self._cookies.append(self.jar.gone(self.jar.notice))
        try:
            told = msgspec.json.decode(base64.urlsafe_b64decode(value), type=_Notice)
            catalogue(self.language, told.key.partition(".")[0])
            return self.t(told.key, **told.details)
        except (ValueError, KeyError, OSError):  # somebody else wrote that cookie
            return ""

    def _rendered(self, template: str, context: dict[str, Any]) -> str:
        shared = {
            "view": self,
            "t": self.t,
            "url": self.url,
            "language": self.language,
            "asker": self.asker,
            "form": Form(language=self.language),
            "refusal": None,
            "notice": "",
            "Permission": Permission,
        }
        return environment().get_template(template).render(shared | context)


class _Notice(msgspec.Struct):
    key: str
    details: dict[str, str | int]


def _query(query: dict[str, Any]) -> str:
    kept = {name: value for name, value in query.items() if value not in (None, "")}
    return f"?{urlencode(kept, doseq=True)}" if kept else ""


def provide_view(request: AnyRequest) -> View:
    """The view of a request, as handlers ask for it by the name `view`."""
    return View(request)


async def provide_form(request: AnyRequest) -> Form:
    """What the form sent, as handlers ask for it by the name `form`."""
    sent = await form_data(request)
    fields = {name: _single(values) for name, values in sent.items()}
    return Form(fields, language_of_path(request.url.path) or "en")


def _single(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values


TheView: TypeAlias = NamedDependency[View]
TheForm: TypeAlias = NamedDependency[Form]
"""How handlers ask for them: ``view: TheView, form: TheForm``."""
