"""Mail reaches a real mail server: protected, once, again after a refusal, never lost."""

from __future__ import annotations

import socket
from datetime import timedelta
from pathlib import Path

import pytest

from arrocco.desk import Office
from arrocco.desk.mail import MailKind, queue, queue_to
from arrocco.desk.mail_delivery import KEPT, LEASE, MAX_AGE, RETRIES, MailDelivery
from arrocco.desk.mail_settings import MailSettings, mail_settings_from
from arrocco.errors import Malformed
from arrocco.store.sql import accounts, mails
from arrocco.store.sql.mails import MailState
from tests.desk.mail_server import certificate, mail_server
from tests.desk.offices import Clock, people_of

ADDRESS = "anna@example.org"


def reset(office: Office, address: str = ADDRESS) -> None:
    with office.desk.database.writing() as connection:
        now = office.desk.now()
        queue_to(connection, now, MailKind.RESET, address, "en", "/reset?token=x", minutes=30)


def spool(office: Office) -> list[mails.Mail]:
    with office.desk.database.reading() as connection:
        return mails.newest(connection)


def test_a_mail_is_sent_with_its_link_and_its_secret_is_forgotten(small_office: Office) -> None:
    reset(small_office)
    with mail_server() as (box, settings):
        assert MailDelivery(small_office.desk, settings).deliver() == 1
        assert MailDelivery(small_office.desk, settings).deliver() == 0
    (message,) = box.messages
    assert box.recipients == [[ADDRESS]]
    assert message["To"] == ADDRESS
    assert message["From"] == "Arrocco <office@chess.example>"
    plain = message.get_body(("plain",))
    html = message.get_body(("html",))
    assert plain is not None
    assert html is not None
    assert "https://chess.example/en/reset?token=x" in plain.get_content()
    assert 'href="https://chess.example/en/reset?token=x"' in html.get_content()
    assert message["List-Unsubscribe"] is None
    (sent,) = spool(small_office)
    assert sent.state is MailState.SENT
    assert "token=x" not in sent.params


@pytest.mark.parametrize("starttls", [True, False])
def test_mail_goes_over_tls_with_a_password(
    small_office: Office, tmp_path: Path, starttls: bool
) -> None:
    reset(small_office)
    with mail_server(certificate(tmp_path), starttls=starttls) as (box, settings):
        MailDelivery(small_office.desk, settings).deliver()
        assert len(box.messages) == 1


def test_nothing_goes_to_a_server_whose_certificate_is_unknown(
    small_office: Office, tmp_path: Path
) -> None:
    reset(small_office)
    with mail_server(certificate(tmp_path)) as (box, settings):
        delivery = MailDelivery(small_office.desk, settings._replace(authorities=""))
        with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
            delivery.deliver()
        assert "CERTIFICATE" in delivery.said
    assert box.messages == []
    assert spool(small_office)[0].attempts == 0


def test_nothing_goes_open_where_starttls_is_asked(small_office: Office) -> None:
    reset(small_office)
    with mail_server() as (box, settings):
        delivery = MailDelivery(small_office.desk, settings._replace(scheme="smtp"))
        with pytest.raises(OSError, match="STARTTLS"):
            delivery.deliver()
    assert box.messages == []


def test_a_wrong_password_costs_no_mail_a_try(small_office: Office, tmp_path: Path) -> None:
    reset(small_office)
    with mail_server(certificate(tmp_path)) as (box, settings):
        delivery = MailDelivery(small_office.desk, settings._replace(password="other"))
        with pytest.raises(OSError, match="535"):
            delivery.deliver()
        assert spool(small_office)[0].attempts == 0
        MailDelivery(small_office.desk, settings).deliver()
        assert len(box.messages) == 1


def test_4xx_is_tried_again_after_a_growing_time(small_office: Office, clock: Clock) -> None:
    reset(small_office)
    with mail_server() as (box, settings):
        delivery = MailDelivery(small_office.desk, settings)
        for wait in RETRIES[:3]:
            box.answers.append("451 later")
            assert delivery.deliver() == 0
            clock.at += wait - timedelta(seconds=1)
            assert delivery.deliver() == 0
            assert not box.answers
            clock.at += timedelta(seconds=1)
        assert spool(small_office)[0].said == "451 later"
        assert delivery.deliver() == 1
        assert len(box.messages) == 1


def test_5xx_is_not_tried_again_and_stops_no_other(small_office: Office, clock: Clock) -> None:
    reset(small_office, "gone@example.org")
    reset(small_office)
    with mail_server() as (box, settings):
        box.refuses["gone@example.org"] = "550 no such person"
        delivery = MailDelivery(small_office.desk, settings)
        assert delivery.deliver() == 1
        clock.at += timedelta(days=1)
        assert delivery.deliver() == 0
    taken, refused = spool(small_office)
    assert (refused.state, refused.said) == (MailState.FAILED, "550 no such person")
    assert "token" not in refused.params
    assert taken.state is MailState.SENT


def test_a_server_that_refuses_for_days_is_given_up(small_office: Office, clock: Clock) -> None:
    reset(small_office)
    with mail_server() as (box, settings):
        clock.at += MAX_AGE
        box.answers.append("451 later")
        MailDelivery(small_office.desk, settings).deliver()
    assert spool(small_office)[0].state is MailState.FAILED


def test_a_server_that_is_not_there_costs_nothing(small_office: Office) -> None:
    reset(small_office)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    settings = MailSettings(
        "smtp+insecure", "127.0.0.1", port, "", "", "o@chess.example", "https://chess.example"
    )
    delivery = MailDelivery(small_office.desk, settings)
    with pytest.raises(OSError, match="refused"):
        delivery.deliver()
    assert (spool(small_office)[0].attempts, spool(small_office)[0].state) == (0, "waiting")


def test_killed_between_sending_and_marking_it_is_sent_again_as_the_same_mail(
    small_office: Office, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    reset(small_office)

    class Killed(BaseException):
        pass

    def die(*_: object) -> None:
        raise Killed

    with mail_server() as (box, settings):
        delivery = MailDelivery(small_office.desk, settings)
        with monkeypatch.context() as patch:
            patch.setattr(delivery, "_ended", die)
            with pytest.raises(Killed):
                delivery.deliver()
        assert len(box.messages) == 1
        again = MailDelivery(small_office.desk, settings)
        assert again.deliver() == 0  # the claim of the dead still holds
        clock.at += LEASE
        assert again.deliver() == 1
        first, second = box.messages
        assert first["Message-ID"] == second["Message-ID"]
        assert first.as_bytes() == second.as_bytes()
    assert spool(small_office)[0].state is MailState.SENT


def test_two_workers_do_not_send_one_mail_twice(office: Office) -> None:
    reset(office)
    desk = office.desk
    with desk.database.writing() as connection:
        claimed = mails.claim(connection, desk.now(), LEASE)
    with desk.database.writing() as connection:
        assert mails.claim(connection, desk.now(), LEASE) is None
    assert claimed is not None


def test_mail_to_people_is_in_their_language_and_can_be_refused_by_one_click(
    small_office: Office,
) -> None:
    people = people_of(small_office)
    with small_office.desk.database.writing() as connection:
        accounts.set_language(connection, people.arbiter.account or 0, "it")
        queue(
            connection,
            small_office.desk.now(),
            MailKind.REPORT_RETURNED,
            people.arbiter.account or 0,
            "/desk/reports/1",
            tournament="Città\r\nBcc: all@example.org",
            reason="<b>riga 4</b>",
        )
    with mail_server() as (box, settings):
        MailDelivery(small_office.desk, settings).deliver()
    *_, message = box.messages  # the others are the invitations
    assert message["Subject"] == "Il rapporto di Città Bcc: all@example.org torna indietro"
    assert message["Bcc"] is None
    assert message["Content-Language"] == "it"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    stop = message["List-Unsubscribe"].strip("<>")
    assert stop.startswith("https://chess.example/it/unsubscribe/")
    assert stop.endswith("/report_returned")
    html = message.get_body(("html",))
    assert html is not None
    assert "&lt;b&gt;riga 4" in html.get_content()


def test_what_never_had_a_server_fails_after_days_and_is_forgotten(
    small_office: Office, clock: Clock
) -> None:
    reset(small_office)
    delivery = MailDelivery(small_office.desk, None)
    assert delivery.deliver() == 0
    delivery.tidy()
    assert spool(small_office)[0].state is MailState.WAITING
    clock.at += MAX_AGE + timedelta(seconds=1)
    delivery.tidy()
    assert spool(small_office)[0].state is MailState.FAILED
    clock.at += KEPT + timedelta(seconds=1)
    delivery.tidy()
    assert spool(small_office) == []


GIVEN = {
    "ARROCCO_SMTP": "smtp://post%40x@mail.example:2525",
    "ARROCCO_SMTP_PASSWORD": "p",
    "ARROCCO_MAIL_FROM": "office@chess.example",
    "ARROCCO_SITE": "https://chess.example/",
}


def test_settings_are_read_from_the_environment() -> None:
    assert mail_settings_from({}) is None
    read = mail_settings_from(GIVEN)
    assert read is not None
    assert (read.user, read.host, read.port) == ("post@x", "mail.example", 2525)
    assert read.site == "https://chess.example"
    assert "p" not in read.name.partition("://")[2].replace("mail.example", "")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ARROCCO_SMTP", "mail.example"),
        ("ARROCCO_SMTP", "http://mail.example"),
        ("ARROCCO_SMTP", "smtp://a:secret@mail.example"),
        ("ARROCCO_SMTP", "smtp://mail:port"),
        ("ARROCCO_SMTP", "smtp://"),
        ("ARROCCO_MAIL_FROM", "office"),
        ("ARROCCO_SITE", ""),
        ("ARROCCO_SITE", "chess.example"),
        ("ARROCCO_SITE", "https://x/?a"),
        ("ARROCCO_SMTP_CA", "/nowhere.pem"),
    ],
)
def test_settings_that_make_no_sense_are_refused(name: str, value: str) -> None:
    with pytest.raises(Malformed) as refused:
        mail_settings_from(GIVEN | {name: value})
    assert refused.value.key == "mail.refused.setting"
    assert "secret" not in refused.value.message or name == "ARROCCO_SMTP"
