"""Numbers in addresses: those that a database can have; any other names no page."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from litestar.params import PathParameter

_HIGHEST = (1 << 63) - 1

Number: TypeAlias = Annotated[int, PathParameter(ge=0, le=_HIGHEST)]
