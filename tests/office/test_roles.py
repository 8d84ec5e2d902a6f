"""Who may do what: the table of grants, and how far a grant reaches."""

from __future__ import annotations

import pytest

from arrocco.office.roles import (
    GRANTS,
    Asker,
    Forbidden,
    Permission,
    Role,
    Subject,
    forbidden,
    may,
    require,
)
from arrocco.words import LANGUAGES, Language, say
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
        Permission.DECIDE_REPORT,
        Permission.BUILD_LIST,
        Permission.PUBLISH_LIST,
        Permission.CORRECT,
        Permission.APPROVE_REGISTRATION,
    ):
        assert [role for role in Role if may(Asker(account=9, role=role), permission)] == [
            Role.RATING_ADMINISTRATOR,
            Role.HEAD_OF_OFFICE,
        ]


def test_the_head_of_an_office_may_what_either_administrator_may_and_chooses_readings() -> None:
    head = Asker(account=6, role=Role.HEAD_OF_OFFICE)
    assert [role for role in Role if may(Asker(role=role), Permission.CHOOSE_READING)] == [
        Role.HEAD_OF_OFFICE
    ]
    for permission in set(Permission) - {Permission.CHOOSE_READING}:
        assert may(head, permission) == (may(ADMINISTRATOR, permission) or may(SYSTEM, permission))


def test_a_key_of_a_program_may_only_what_it_was_made_for() -> None:
    key = Asker(account=1, role=Role.ARBITER, only=frozenset({Permission.SEND_REPORT}))
    assert may(key, Permission.SEND_REPORT, Subject(owner=1))
    assert not may(key, Permission.SEND_REPORT, Subject(owner=2))
    assert not may(key, Permission.REGISTER_TOURNAMENT)
    beyond = Asker(account=1, role=Role.ARBITER, only=frozenset({Permission.PUBLISH_LIST}))
    assert not may(beyond, Permission.PUBLISH_LIST)


def test_who_lacks_the_second_factor_only_looks_and_sets_one_up() -> None:
    without = Asker(account=4, role=Role.HEAD_OF_OFFICE, lacks_factor=True)
    assert {p for p in Permission if may(without, p)} == {
        Permission.LOOK_UP,
        Permission.SEE_OWN_ACCOUNT,
    }


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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("permission", [one for one in Permission if one != "look_up"])
@pytest.mark.parametrize("role", Role)
def test_a_refusal_says_in_words_what_may_not_be_done_and_who_may(
    role: Role, permission: Permission, language: Language
) -> None:
    text, advice = forbidden(Asker(account=7, role=role), permission).said(language)
    assert not any("_" in word for word in (text + advice).split())
    assert say(language, f"office.may.{permission.value}") in text
    if permission is not Permission.SEE_OWN_ACCOUNT:
        for granted, scope in GRANTS[permission].items():
            assert say(language, f"office.who.{granted.value}_{scope.value}") in advice


def test_who_may_only_for_their_own_is_told_so() -> None:
    with pytest.raises(Forbidden) as refused:
        require(ARBITER, Permission.SEND_REPORT, Subject(owner=999))
    assert refused.value.said("en") == (
        "you may send reports only for tournaments that you registered",
        (
            "this is for the arbiter who registered the tournament, the officer of the federation "
            "concerned, rating administrators or the head of the office: ask one of them"
        ),
    )


def test_the_key_of_a_program_and_a_missing_second_factor_have_words_of_their_own() -> None:
    role = Role.RATING_ADMINISTRATOR
    key = Asker(account=1, role=role, only=frozenset({Permission.LOOK_UP}), program="Pairing")
    assert "'Pairing'" in forbidden(key, Permission.PUBLISH_LIST).said("en")[0]
    lacking = Asker(account=1, role=role, lacks_factor=True)
    assert forbidden(lacking, Permission.PUBLISH_LIST).key == "access.refused.factor_first"
