"""Who may do what: the table of grants, and how far a grant reaches."""

from __future__ import annotations

import pytest

from arrocco.office.roles import GRANTS, Asker, Forbidden, Permission, Role, Subject, may, require
from tests.office.build import ADA, BRUNO, said

ARBITER = Asker(account=1, role=Role.ARBITER)
OFFICER = Asker(account=2, role=Role.FEDERATION_OFFICER, federation="ITA")
PLAYER = Asker(account=3, role=Role.PLAYER, player=ADA)
ADMINISTRATOR = Asker(account=4, role=Role.RATING_ADMINISTRATOR)
SYSTEM = Asker(account=5, role=Role.SYSTEM_ADMINISTRATOR)
PUBLIC = Asker()


def test_every_permission_is_granted_to_somebody() -> None:
    assert set(GRANTS) == set(Permission)
    assert all(GRANTS.values())


def test_the_public_only_looks_things_up() -> None:
    assert [p for p in Permission if may(PUBLIC, p)] == [Permission.LOOK_UP]


def test_only_the_rating_administrator_decides_about_ratings() -> None:
    for permission in (
        Permission.DECIDE_REPORT, Permission.BUILD_LIST, Permission.PUBLISH_LIST,
        Permission.CORRECT, Permission.APPROVE_REGISTRATION,
    ):  # fmt: skip
        assert [role for role in Role if may(Asker(account=9, role=role), permission)] == [
            Role.RATING_ADMINISTRATOR
        ]


def test_only_the_system_administrator_gives_accounts() -> None:
    for permission in (Permission.INVITE, Permission.MANAGE_ACCOUNTS):
        assert may(SYSTEM, permission)
        assert not any(may(asker, permission) for asker in (ADMINISTRATOR, OFFICER, ARBITER))


def test_an_arbiter_reaches_their_own_tournaments_only() -> None:
    assert may(ARBITER, Permission.SEND_REPORT, Subject(owner=1))
    assert not may(ARBITER, Permission.SEND_REPORT, Subject(owner=2))
    assert not may(ARBITER, Permission.SEND_REPORT, Subject())
    assert not may(Asker(role=Role.ARBITER), Permission.SEND_REPORT, Subject())


def test_an_officer_reaches_their_own_federation_only() -> None:
    assert may(OFFICER, Permission.CHANGE_PLAYER, Subject(federation="ITA"))
    assert not may(OFFICER, Permission.CHANGE_PLAYER, Subject(federation="FRA"))
    nowhere = Asker(account=2, role=Role.FEDERATION_OFFICER)
    assert not may(nowhere, Permission.CHANGE_PLAYER, Subject(federation=""))


def test_a_player_reaches_their_own_record_only() -> None:
    assert may(PLAYER, Permission.SEE_OWN_ACCOUNT, Subject(player=ADA))
    assert not may(PLAYER, Permission.SEE_OWN_ACCOUNT, Subject(player=BRUNO))


def test_the_administrator_reaches_everything_granted() -> None:
    assert may(ADMINISTRATOR, Permission.SEND_REPORT, Subject(owner=1, federation="FRA"))


def test_what_is_not_allowed_is_refused_in_both_languages() -> None:
    with pytest.raises(Forbidden) as refusal:
        require(ARBITER, Permission.PUBLISH_LIST)
    assert said(refusal.value)[0] == "forbidden"
    require(ADMINISTRATOR, Permission.PUBLISH_LIST)
