"""The walk of a list in the architecture document is the way that a published list goes."""

from __future__ import annotations

from anyio.from_thread import start_blocking_portal

from arrocco.desk import Office
from arrocco.desk.desk import operator
from arrocco.office.roles import Asker, Role
from tests.walks import LIST, called, steps
from tests.web.public_fixtures import *  # noqa: F403 - fixtures
from tests.web.public_fixtures import Public
from tests.web.public_office import AUGUST


def published_and_shown(own_public: Public) -> None:
    office: Office = own_public.office
    everybody = office.accounts.all(operator(Role.SYSTEM_ADMINISTRATOR))
    account = next(each for each in everybody if each.role is Role.RATING_ADMINISTRATOR)
    boss = Asker(account=account.id, name=account.name, role=account.role)
    number = office.lists.enter_draft(boss, "fide", AUGUST)
    assert office.lists.run_draft(number).failure is None
    office.lists.publish(boss, number, before_closing=True)
    with start_blocking_portal() as portal:  # whose threads are begun while it is looked at
        own_public.client.blocking_portal = portal
        assert own_public.client.get("/en/lists/fide/latest").status_code == 200


def test_a_list_goes_from_function_to_function_as_the_document_says(own_public: Public) -> None:
    with called(LIST) as seen:
        published_and_shown(own_public)
    assert seen == steps(LIST)
