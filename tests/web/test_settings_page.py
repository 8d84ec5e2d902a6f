"""The office's settings: name, crest, colours, and who may come in."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image, PngImagePlugin

from arrocco.desk import Office
from arrocco.office.roles import Role
from arrocco.office.settings import SignUp, contrast_with_white
from arrocco.web.pages.settings import CREST_BYTES
from tests.web.conftest import Client, LogIn
from tests.web.visits import posted

IDENTITY = {
    "name_en": "Chess Federation of Rocca",
    "name_it": "Federazione di Rocca",
    "federation": "rcc",
    "accent": "#7A1F2B",
    "contact_email": "office@example.org",
    "contact": "Via Inventata 1\r\nRocca",
    "website": "https://example.org",
}


def picture(kind: str = "PNG", size: tuple[int, int] = (40, 60)) -> bytes:
    file = BytesIO()
    about = PngImagePlugin.PngInfo()
    about.add_text("Comment", "<script>alert(1)</script>")
    extra = {"pnginfo": about} if kind == "PNG" else {}
    Image.new("RGB", size, "red").save(file, kind, **extra)
    return file.getvalue()


@pytest.fixture
def admin(logged_in: LogIn) -> Client:
    return logged_in(Role.SYSTEM_ADMINISTRATOR)


def test_the_identity_is_kept_in_both_languages(admin: Client, office: Office) -> None:
    answer = posted(admin, "/en/settings/identity", IDENTITY)
    assert answer.status_code == 303, answer.text
    assert office.settings.identity("it").name == "Federazione di Rocca"
    shown = office.settings.identity("en")
    assert (shown.name, shown.federation, shown.accent) == (
        "Chess Federation of Rocca",
        "RCC",
        "#7a1f2b",
    )
    assert shown.contact == "Via Inventata 1\nRocca"
    assert "Federazione di Rocca" in admin.get("/it/settings").text


def test_a_name_in_one_language_serves_for_the_other(admin: Client, office: Office) -> None:
    posted(admin, "/en/settings/identity", IDENTITY | {"name_en": ""})
    assert office.settings.identity("en").name == "Federazione di Rocca"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("accent", "red", "is not a colour"),
        ("accent", "#ffff00", "cannot be read"),
        ("website", "javascript:alert(1)", "address of a website"),
        ("contact_email", "nobody", "not a valid e-mail"),
        ("federation", "12", "not a federation"),
    ],
)
def test_what_cannot_be_kept_is_told_beside_its_field(
    admin: Client, office: Office, field: str, value: str, said: str
) -> None:
    answer = posted(admin, "/en/settings/identity", IDENTITY | {field: value})
    assert answer.status_code in (409, 422)
    assert said in answer.text
    assert f'id="{field}-wrong"' in answer.text
    assert office.settings.get().name_en == ""


def test_the_limit_of_colours_is_that_of_wcag() -> None:
    assert contrast_with_white("#767676") >= 4.5 > contrast_with_white("#777777")
    assert contrast_with_white("#000000") == pytest.approx(21)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_crest_is_drawn_anew_and_served(admin: Client, office: Office, kind: str) -> None:
    sent = picture(kind, (700, 1400))
    answer = posted(admin, "/en/settings/crest", {}, files={"crest": ("x.png", sent)})
    assert answer.status_code == 303, answer.text
    served = admin.get(office.settings.identity("en").crest_url)
    assert served.headers["content-type"] == "image/png"
    assert "immutable" in served.headers["cache-control"]
    with Image.open(BytesIO(served.content)) as kept:
        assert (kept.format, kept.size, kept.info) == ("PNG", (256, 512), {})
    posted(admin, "/en/settings/crest", {"do": "remove"})
    assert office.settings.identity("en").crest_url == ""


BAD = {
    "svg": b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    "gif": picture("GIF"),
    "cut": picture()[:60],
    "text": b"no picture",
    "wide": picture(size=(2049, 1)),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_crest_is_refused(admin: Client, office: Office, name: str) -> None:
    answer = posted(admin, "/en/settings/crest", {}, files={"crest": ("crest.png", BAD[name])})
    assert answer.status_code == 422
    assert 'id="crest-wrong"' in answer.text
    assert office.settings.get().crest == ""


def test_a_file_beyond_the_limit_is_not_read(admin: Client) -> None:
    large = {"crest": ("x.png", bytes(CREST_BYTES))}
    assert posted(admin, "/en/settings/crest", {}, files=large).status_code == 413


def test_who_may_come_in_is_set(admin: Client, office: Office) -> None:
    answer = posted(
        admin,
        "/en/settings/coming-in",
        {"sign_up": "link", "second_factor": ["rating_administrator", "nobody"]},
    )
    assert answer.status_code == 303
    settings = office.settings.get()
    assert settings.sign_up is SignUp.LINK
    assert settings.second_factor == (Role.RATING_ADMINISTRATOR,)
    shown = posted(admin, "/en/settings/sign-up-link", {"days": "30"})
    assert "/en/sign-up?token=" in shown.text
    assert "sign-up?token=" not in admin.get("/en/settings").text
    assert posted(admin, "/en/settings/sign-up-link", {"days": "999"}).status_code == 409


def test_7_1_3_until_when_reports_are_taken_is_set_and_told(admin: Client, office: Office) -> None:
    assert office.settings.get().report_days == 1
    assert posted(admin, "/en/settings/reports", {"report_days": "3"}).status_code == 303
    assert office.settings.get().report_days == 3
    shown = admin.get("/it/settings").text
    assert 'name="report_days" type="text" value="3"' in shown
    for wrong in ("8", "-1", "", "x"):
        answer = posted(admin, "/en/settings/reports", {"report_days": wrong})
        assert answer.status_code in (409, 422)
        assert 'id="report_days-wrong"' in answer.text
    assert office.settings.get().report_days == 3


def test_10_1_a_federation_is_marked_as_suspended_and_unmarked(
    admin: Client, office: Office
) -> None:
    mark = {"suspended_code": "xin", "suspended_since": "2025-01-02", "suspended_until": ""}
    assert posted(admin, "/en/settings/suspended", mark).status_code == 303
    (kept,) = office.settings.get().suspended
    assert (kept.federation, kept.since.isoformat(), kept.until) == ("XIN", "2025-01-02", None)
    assert "XIN 2025-01-02" in admin.get("/it/settings").text
    wrong = mark | {"suspended_until": "2024-01-01"}
    answer = posted(admin, "/en/settings/suspended", wrong)
    assert 'id="suspended_until-wrong"' in answer.text
    assert posted(admin, "/en/settings/suspended", {"suspended_code": "XIN"}).status_code == 422
    removed = {"do": "remove", "mark": "XIN 2025-01-02"}
    assert posted(admin, "/en/settings/suspended", removed).status_code == 303
    assert office.settings.get().suspended == ()
