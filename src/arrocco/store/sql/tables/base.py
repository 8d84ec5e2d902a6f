"""What all tables share: their register, and the few types that differ between databases."""

from __future__ import annotations

from sqlalchemy import BigInteger, Integer, MetaData, String, Text

metadata = MetaData()

Id = BigInteger().with_variant(Integer, "sqlite")
"""SQLite counts rows by itself only where the key is a plain INTEGER."""

Stream = String(64, collation="C").with_variant(String(64), "sqlite")
"""Streams are found by how they begin, which needs the order of their bytes in every database."""

InOrder = Text(collation="C").with_variant(Text(), "sqlite")
