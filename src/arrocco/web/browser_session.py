"""How a browser gets a session, whatever it was opened by: cookies, and where it goes next."""

from __future__ import annotations

from litestar.response import Redirect

from arrocco.desk.account_parts import LoggedIn
from arrocco.web.view import View

YEAR = 365 * 24 * 3600
PENDING_SECONDS = 600


def agent_of(view: View) -> str:
    """What the browser says it is, to tell one's sessions apart."""
    agent = view.request.headers.get("user-agent", "")
    return "".join(c for c in agent if c.isprintable())[:200]


def logged_in(view: View, opened: LoggedIn, following: str) -> Redirect:
    """Goes on with a session; without one yet to the page of the second factor."""
    if opened.pending:
        answer = Redirect(view.url("/log-in/second", next=following), status_code=303)
        cookie = view.jar.made(view.jar.pending, opened.pending, seconds=PENDING_SECONDS)
        answer.set_cookie(cookie)
        return answer
    answer = Redirect(following or view.url("/"), status_code=303)
    answer.set_cookie(view.jar.made(view.jar.session, opened.token))
    answer.set_cookie(view.jar.made(view.jar.device, opened.device, seconds=YEAR))
    answer.set_cookie(view.jar.gone(view.jar.visit))
    answer.set_cookie(view.jar.gone(view.jar.pending))
    return answer
