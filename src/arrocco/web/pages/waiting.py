"""The page that waits for heavy work: the place in the queue, and then the result."""

from __future__ import annotations

from typing import Any

from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.errors import NotFound
from arrocco.office.roles import Permission
from arrocco.web.heavy import WAITING, lanes_of
from arrocco.web.routes import waiting_page
from arrocco.web.view import TheView

_REFRESH_SECONDS = 2


@waiting_page(f"{WAITING}/{{ticket:str}}", permission=Permission.LOOK_UP)
async def waiting(view: TheView, ticket: FromPath[str]) -> Response[Any]:
    """The answer to what was sent, once it is there; until then the place in the queue."""
    heavy, job = lanes_of(view).find(ticket, view.asker)
    if job is None or job.then is None:
        raise NotFound.of("heavy.refused.no_ticket")
    if job.future.done():
        then = job.then
        return await to_thread.run_sync(lambda: then(view, job.outcome()))
    answer = await to_thread.run_sync(lambda: view.page("waiting.html", place=heavy.place(job)))
    answer.headers["refresh"] = str(_REFRESH_SECONDS)
    return answer
