"""Passkeys: a challenge serves once, for its account, in its time; on both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest

from arrocco.desk import Office
from arrocco.desk.accounts import NotLoggedIn, TooManyAttempts
from arrocco.desk.passkeys import ANSWER_MINUTES, Challenge
from arrocco.desk.second_factor import SETTING_UP_MINUTES
from arrocco.desk.throttle import OF_FACTOR
from arrocco.errors import Inconsistent
from arrocco.office.roles import Asker, Role
from tests.desk.offices import PASSWORD, Clock, People
from tests.desk.soft_passkey import SITE, SoftPasskey
from tests.desk.test_second_factor import ARBITER, pending
from tests.desk.test_used_at_once import AT_ONCE, at_once


def with_passkey(office: Office, asker: Asker, *, counts: bool = True) -> SoftPasskey:
    """Sets up a key for somebody."""
    key = SoftPasskey(counts=counts)
    asked = office.passkeys.begin(asker, SITE, "Office")
    made = office.passkeys.add(asker, asked.attempt, key.register(asked.options), "Key", SITE)
    assert made, "the first factor brings recovery codes"
    return key


def asked(office: Office, token: str) -> Challenge:
    challenge = office.passkeys.challenge(token, SITE)
    assert challenge is not None
    return challenge


@pytest.mark.parametrize("counts", [True, False], ids=["counts", "counts nothing"])
def test_a_passkey_opens_a_session_again_and_again(
    office: Office, people: People, counts: bool
) -> None:
    key = with_passkey(office, people.arbiter, counts=counts)
    for _ in range(2):
        token = pending(office)
        challenge = asked(office, token)
        answer = key.answer(challenge.options)
        opened = office.passkeys.log_in(token, challenge.attempt, answer, SITE)
        assert office.accounts.asker_of(opened.token).account == people.arbiter.account


def test_an_answer_serves_once_also_with_another_password(office: Office, people: People) -> None:
    key = with_passkey(office, people.arbiter, counts=False)
    token = pending(office)
    challenge = asked(office, token)
    answer = key.answer(challenge.options)
    assert office.passkeys.log_in(token, challenge.attempt, answer, SITE).token
    for again in (token, pending(office)):
        with pytest.raises(NotLoggedIn):
            office.passkeys.log_in(again, challenge.attempt, answer, SITE)
    later = pending(office)
    with pytest.raises(NotLoggedIn):  # the old answer to a new question
        office.passkeys.log_in(later, asked(office, later).attempt, answer, SITE)


def test_a_wrong_answer_uses_the_challenge_up(office: Office, people: People) -> None:
    key = with_passkey(office, people.arbiter)
    token = pending(office)
    challenge = asked(office, token)
    for answer in ("{}", key.answer(challenge.options)):
        with pytest.raises(NotLoggedIn):
            office.passkeys.log_in(token, challenge.attempt, answer, SITE)
    challenge = asked(office, token)
    assert office.passkeys.log_in(
        token, challenge.attempt, key.answer(challenge.options), SITE
    ).token


def test_a_challenge_ends(office: Office, people: People, clock: Clock) -> None:
    key = with_passkey(office, people.arbiter)
    challenge = asked(office, pending(office))
    clock.at += timedelta(minutes=ANSWER_MINUTES)
    with pytest.raises(NotLoggedIn) as refused:
        office.passkeys.log_in(
            pending(office), challenge.attempt, key.answer(challenge.options), SITE
        )
    assert refused.value.key == "access.refused.passkey"


def test_of_many_at_once_with_one_answer_one_gets_in(office: Office, people: People) -> None:
    key = with_passkey(office, people.arbiter, counts=False)
    tokens = [pending(office) for _ in range(AT_ONCE)]
    challenge = asked(office, tokens[0])
    answer = key.answer(challenge.options)
    granted = at_once(lambda n: office.passkeys.log_in(tokens[n], challenge.attempt, answer, SITE))
    assert len(granted) == 1


def test_a_password_that_was_entered_once_opens_one_session(office: Office, people: People) -> None:
    key = with_passkey(office, people.arbiter, counts=False)
    token = pending(office)
    challenges = [asked(office, token) for _ in range(AT_ONCE)]
    answers = [key.answer(challenge.options) for challenge in challenges]
    granted = at_once(
        lambda n: office.passkeys.log_in(token, challenges[n].attempt, answers[n], SITE)
    )
    assert len(granted) == 1


def test_a_key_that_was_copied_is_refused_by_its_counter(office: Office, people: People) -> None:
    key = with_passkey(office, people.arbiter)
    for _ in range(2):
        token = pending(office)
        challenge = asked(office, token)
        answer = key.answer(challenge.options)
        office.passkeys.log_in(token, challenge.attempt, answer, SITE)
    key.counter -= 1
    token = pending(office)
    challenge = asked(office, token)
    with pytest.raises(NotLoggedIn):
        office.passkeys.log_in(token, challenge.attempt, key.answer(challenge.options), SITE)


def test_challenges_and_keys_of_others_and_other_sites_open_nothing(
    office: Office, people: People
) -> None:
    with_passkey(office, people.arbiter)
    strange = with_passkey(office, people.officer)
    token = pending(office)
    challenge = asked(office, token)
    with pytest.raises(NotLoggedIn):  # another person's key
        office.passkeys.log_in(token, challenge.attempt, strange.answer(challenge.options), SITE)
    theirs = office.accounts.log_in_with(
        f"{Role.FEDERATION_OFFICER.value}@example.org", PASSWORD
    ).pending
    other = asked(office, theirs)
    with pytest.raises(NotLoggedIn):  # another person's challenge, rightly answered
        office.passkeys.log_in(token, other.attempt, strange.answer(other.options), SITE)
    elsewhere = SoftPasskey("https://office.example.evil.example")
    begun = office.passkeys.begin(people.player, SITE, "Office")
    with pytest.raises(NotLoggedIn):
        office.passkeys.add(
            people.player, begun.attempt, elsewhere.register(begun.options), "Key", SITE
        )
    assert office.second_factors.own(people.player).factors == []


def test_who_knows_the_password_cannot_guess_on_nor_shut_the_owner_out(
    office: Office, people: People
) -> None:
    known = office.accounts.log_in_with(ARBITER, PASSWORD).device
    key = with_passkey(office, people.arbiter)
    token = pending(office)
    for _ in range(OF_FACTOR.burst):
        with pytest.raises(NotLoggedIn):
            office.passkeys.log_in(token, asked(office, token).attempt, "{}", SITE)
    challenge = asked(office, token)
    answer = key.answer(challenge.options)
    with pytest.raises(TooManyAttempts):
        office.passkeys.log_in(token, challenge.attempt, answer, SITE)
    # The owner's own browser has its own allowance.
    own = pending(office, known)
    challenge = asked(office, own)
    answer = key.answer(challenge.options)
    assert office.passkeys.log_in(own, challenge.attempt, answer, SITE, device=known).token


def test_a_key_is_set_up_once_from_one_question(office: Office, people: People) -> None:
    begun = office.passkeys.begin(people.arbiter, SITE, "Office")
    answers = [SoftPasskey().register(begun.options) for _ in range(AT_ONCE)]
    granted = at_once(
        lambda n: office.passkeys.add(people.arbiter, begun.attempt, answers[n], f"Key {n}", SITE)
    )
    assert len(granted) == 1
    assert len(office.second_factors.own(people.arbiter).factors) == 1
    with pytest.raises(Inconsistent):
        office.passkeys.add(
            people.arbiter, begun.attempt, SoftPasskey().register(begun.options), "Key", SITE
        )


def test_setting_a_key_up_ends_and_is_for_one_account(
    office: Office, people: People, clock: Clock
) -> None:
    begun = office.passkeys.begin(people.arbiter, SITE, "Office")
    answer = SoftPasskey().register(begun.options)
    with pytest.raises(Inconsistent):
        office.passkeys.add(people.officer, begun.attempt, answer, "Key", SITE)
    clock.at += timedelta(minutes=SETTING_UP_MINUTES)
    with pytest.raises(Inconsistent) as refused:
        office.passkeys.add(people.arbiter, begun.attempt, answer, "Key", SITE)
    assert refused.value.key == "access.refused.setting_up"
    assert office.second_factors.own(people.arbiter).factors == []


def test_one_key_belongs_to_one_account(office: Office, people: People) -> None:
    key = with_passkey(office, people.arbiter)
    for asker in (people.arbiter, people.officer):
        begun = office.passkeys.begin(asker, SITE, "Office")
        with pytest.raises(Inconsistent) as refused:
            office.passkeys.add(asker, begun.attempt, key.register(begun.options), "Key", SITE)
        assert refused.value.key == "access.refused.passkey_known"
