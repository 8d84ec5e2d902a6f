"""What goes wrong becomes a page that says so in words, or JSON for programs; never a traceback."""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import urlencode

from litestar import Response
from litestar.exceptions import HTTPException
from litestar.response import Redirect
from litestar.types import ExceptionHandlersMap

from arrocco.errors import Refusal, Unavailable
from arrocco.office.roles import Asker, Forbidden
from arrocco.operation.log_context import current_request_id
from arrocco.store.faults import FaultLog, unavailable
from arrocco.web.bodies import BodyTooLarge, size_text
from arrocco.web.guard import ASKER, LogInFirst, SetUpFactorFirst
from arrocco.web.language import language_of_path
from arrocco.web.navigation import is_page
from arrocco.web.request_log import route_of
from arrocco.web.status import headers_of, status_of
from arrocco.web.view import AnyRequest, View
from arrocco.words import finding_advice, finding_text

log = logging.getLogger("arrocco.web")
_FAULTS = FaultLog(log, "answering requests")
_WORDED = {400, 404, 405, 413, 429, 500}
"""Statuses with words of their own; others of the same hundred borrow these."""


def handlers() -> ExceptionHandlersMap:
    """What answers each kind of failure."""
    return {
        Refusal: refusal_answer,
        LogInFirst: log_in_answer,
        SetUpFactorFirst: factor_answer,
        HTTPException: http_answer,
        Exception: unexpected_answer,
    }


def refusal_answer(request: AnyRequest, refusal: Refusal) -> Response[Any]:
    """What was refused, the article where there is one, and what to do."""
    if isinstance(refusal, Unavailable):
        _note_fault(request, refusal)
    view = View(request)
    if _is_api(request):
        message, advice = refusal.said(view.language)
        findings = [
            {
                "severity": finding.severity.value,
                "key": finding.key,
                "article": finding.article,
                "line": finding.place.line,
                "column": finding.place.column,
                "text": finding_text(view.language, finding),
                "do": finding_advice(view.language, finding),
                "more": finding.more,
            }
            for finding in refusal.findings
        ]
        body = {"refused": message, "advice": advice, "key": refusal.key, "findings": findings}
        return Response(body, status_code=status_of(refusal), headers=headers_of(refusal))
    return view.page("refused.html", refusal=refusal)


def log_in_answer(request: AnyRequest, _: LogInFirst) -> Response[Any]:
    """Somebody without an account is asked to log in, and then comes back."""
    view = View(request)
    if _is_api(request) or view.is_partial or request.method != "GET":
        return _told(view, 401, "log_in")
    back = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return Redirect(f"{view.url('/log-in')}?{urlencode({'next': back})}", status_code=303)


def factor_answer(request: AnyRequest, _: SetUpFactorFirst) -> Response[Any]:
    """Somebody whose role needs a second factor is led to where it is set up."""
    view = View(request)
    if _is_api(request) or view.is_partial or request.method != "GET":
        return refusal_answer(request, Forbidden.of("access.refused.factor_first"))
    return Redirect(view.url("/account/second-factor"), status_code=303)


def http_answer(request: AnyRequest, error: HTTPException) -> Response[Any]:
    """What the framework refuses: an unknown address, a body too large, a bad parameter."""
    status = error.status_code
    if status >= 500:
        return unexpected_answer(request, error)
    if status == 400 and request.method == "GET" and not _is_api(request):
        status = 404  # an address whose parts cannot be read names no page
    if status == 405:
        answer = _told(View(request), status, "405")
        answer.headers["allow"] = (error.headers or {}).get("allow", "")
        return answer
    if status == 404 and request.method in ("GET", "HEAD") and _lacks_language(request):
        return _with_language(request)
    if isinstance(error, BodyTooLarge):
        return _told(View(request), status, "413", limit=size_text(error.limit))
    return _told(View(request), status, str(status if status in _WORDED else 400))


def _lacks_language(request: AnyRequest) -> bool:
    """Whether somebody typed the address of a page without ``/it`` or ``/en`` before it."""
    path = request.url.path
    return language_of_path(path) is None and is_page(path, request.app.state.pages)


def _with_language(request: AnyRequest) -> Response[Any]:
    query = f"?{request.url.query}" if request.url.query else ""
    to = f"/{View(request).language}{request.url.path}{query}"
    return Redirect(to, status_code=302, headers={"vary": "accept-language, cookie"})


def unexpected_answer(request: AnyRequest, error: Exception) -> Response[Any]:
    """A defect: logged whole under the id of its request; a fault of the disk is none."""
    fault = unavailable(error)
    if fault is not None:
        return refusal_answer(request, fault)
    log.error("%s %s failed", request.method, route_of(request.scope), exc_info=error)
    return _told(View(request), 500, "500", reference=current_request_id())


def _note_fault(request: AnyRequest, fault: Unavailable) -> None:
    """Logs what is wrong, and answers as to the public: who asks may not be known now."""
    _FAULTS.failed(fault)
    if request.state.get(ASKER) is None:
        request.state[ASKER] = Asker()


def _told(view: View, status: int, key: str, **details: str) -> Response[Any]:
    text, advice = (view.t(f"web.failure.{key}.{part}", **details) for part in ("text", "do"))
    if _is_api(view.request):
        return Response({"refused": text, "advice": advice, **details}, status_code=status)
    title = view.t(f"web.failure.{key}.title")
    return view.page("failure.html", status=status, title=title, text=text, advice=advice)


def _is_api(request: AnyRequest) -> bool:
    return request.url.path.startswith("/api/")
