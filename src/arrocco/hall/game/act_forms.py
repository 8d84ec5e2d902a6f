"""What a page needs to ask for each act: its articles, its fields, and what they can be."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any, get_args, get_origin

import msgspec
from msgspec import Struct

from arrocco.hall.game.acts import COMMANDS
from arrocco.hall.game.acts.base import OF_THE_COMMITTEE, ArbiterCommand
from arrocco.laws.online.law import OnlineLaw
from arrocco.laws.online.side import Side

_NEVER_LEFT_OUT = ("call", "act", "inspection")


class FieldForm(Struct, frozen=True, kw_only=True):
    """A field of an act, and how it is asked for."""

    name: str
    kind: str
    optional: bool
    choices: dict[str, tuple[str, ...]] = {}
    """What a ``choice`` can be, by the article."""
    when: dict[str, tuple[str, ...]] = {}
    """What other fields must be for this one to be asked for."""


class ActForm(Struct, frozen=True, kw_only=True):
    """An act as a page offers it; `phases` are those of the game, all if none."""

    type: str
    articles: tuple[str, ...]
    chosen: bool
    """Whether the arbiter says which article it is, with none proposed."""
    fields: tuple[FieldForm, ...]
    phases: tuple[str, ...]
    key: str
    """The key that opens it on the wall, or none."""


def act_forms(law: OnlineLaw) -> tuple[ActForm, ...]:
    """Every act that an arbiter can do in a game, those that are needed most often first."""
    return tuple(_form(command, law) for command in COMMANDS)


def _form(command: type[ArbiterCommand], law: OnlineLaw) -> ActForm:
    own = command.__annotations__
    return ActForm(
        type=str(command.__struct_config__.tag),
        articles=tuple(article for article in command.ARTICLES if article not in OF_THE_COMMITTEE),
        chosen=command.ARTICLE_IS_CHOSEN,
        fields=tuple(
            _field(command, field, law)
            for field in msgspec.structs.fields(command)
            if field.name in own
        ),
        phases=tuple(phase.value for phase in command.PHASES),
        key=command.KEY,
    )


def _field(
    command: type[ArbiterCommand], field: msgspec.structs.FieldInfo, law: OnlineLaw
) -> FieldForm:
    base, extra = _type_of(field.type)
    kind = extra.get("form", "text")
    choices: dict[str, tuple[str, ...]] = {}
    if base is Side:
        kind = "side"
    elif base is bool:
        kind = "yes"
    elif isinstance(base, type) and issubclass(base, Enum):
        kind = "choice"
        everything = tuple(str(one.value) for one in base)
        for article in command.ARTICLES:
            limited = command.choices(field.name, article, law)
            choices[article] = everything if limited is None else limited
    return FieldForm(
        name=field.name,
        kind=kind,
        optional=not field.required and kind not in _NEVER_LEFT_OUT,
        choices=choices,
        when={name: tuple(values) for name, values in extra.get("when", {}).items()},
    )


def _type_of(annotation: Any) -> tuple[Any, dict[str, Any]]:
    """What a field holds, without whether it may be left out, and what its type says of forms."""
    if get_origin(annotation) is Annotated:
        base, *metas = get_args(annotation)
        return base, next((meta.extra for meta in metas if meta.extra), {})
    kinds = [kind for kind in get_args(annotation) if kind is not type(None)]
    if get_origin(annotation) is not tuple and kinds:
        return _type_of(kinds[0])
    return annotation, {}
