"""What can be asked of an event is found in its modules, and has words."""

from __future__ import annotations

import pytest

from arrocco.hall.event.acts import COMMANDS, RECORDS, ActRecord
from arrocco.hall.event.records import EventRole
from arrocco.words import LANGUAGES, Language, catalogue


def test_every_command_says_who_may_and_decides() -> None:
    for command in COMMANDS:
        assert command.MAY, command
        assert "decide" in vars(command), command
    assert {command.__struct_config__.tag for command in COMMANDS if command.IS_SLOW} == {
        "pair_round",
        "pair_by_hand",
    }


def test_6_3_only_the_hall_itself_tells_of_its_games() -> None:
    of_the_server = {command.__name__ for command in COMMANDS if {EventRole.SERVER} == command.MAY}
    of_its_games = {"TakeBack", "CarryOut", "CarryBack", "NoteJoined"}
    assert of_the_server == of_its_games | {"CarryOutDecision", "TakeMeasure", "EndTalk"}


def test_every_record_changes_something() -> None:
    assert all(record.changes is not ActRecord.changes for record in RECORDS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_record_has_words(language: Language) -> None:
    words = catalogue(language, "hall_pages")
    tags = [str(record.__struct_config__.tag) for record in RECORDS]
    assert [tag for tag in tags if f"hall_pages.record.{tag}" not in words] == []
