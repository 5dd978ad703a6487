"""Encodings: tables that keep the same kind of rows in different ways, and strings of any bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from steps.tables import NO_MERGES, Table, create_table, distinct, insert

ROWS = 60
TEXT = "Zürich, Köln"
TEXTS = {  # 15 variants
    "ASCII": b"plain text, 'quoted' \\ and\ttabbed\r\n",
    "UTF-8": "Zürich, Αθήνα, Київ, 東京, 😀".encode(),
    "UTF-8 decomposed": "Zu\u0308rich".encode(),
    "Latin-1": TEXT.encode("latin-1"),
    "Windows-1251": "Київ".encode("cp1251"),
    "Shift JIS": "東京".encode("shift_jis"),
    "GB 18030": "北京".encode("gb18030"),
    "UTF-16 with a mark": TEXT.encode("utf-16"),
    "UTF-32": TEXT.encode("utf-32-be"),
    "EBCDIC": b"\xe9\xa4\x99\x89\x83\x88",
    "overlong UTF-8": b"a\xc0\x80b",
    "lone surrogate": b"\xed\xa0\x80",
    "cut in a character": "Zü".encode()[:-1],
    "every byte": bytes(range(256)),
    "empty": b"",
}
LONGEST = 256
TEXT_COLUMNS = (
    "p UInt64, i UInt64, s String, l LowCardinality(String), n Nullable(String), "
    f"f FixedString({LONGEST}), a Array(String)"
)


# How a compressed block begins: a checksum, then the method, or the number of methods and a list of them.
METHOD, MULTIPLE, METHODS = 16, 0x91, 25
CODECS = {
    0x02: "NONE",
    0x82: "LZ4",
    0x90: "ZSTD",
    0x92: "Delta",
    0x93: "T64",
    0x94: "DoubleDelta",
    0x95: "Gorilla",
    0x98: "FPC",
    0x9A: "GCD",
}
CODED = ("i", "f", "owner")  # 3 variants
# A part that is merged alone may stay wide, and its columns full.
KEPT_BY_MERGES = ("zeros", "part type")
WIDE: Mapping[str, Any] = {"min_bytes_for_wide_part": 0, "min_rows_for_wide_part": 0}


@dataclass(frozen=True)
class Form:
    """How a table keeps its rows: codecs of its number, float and string column, and settings.

    `shows` says what its parts show, as `traits` reads it from them.
    """

    codecs: tuple[str, str, str] = ("Default", "Default", "Default")
    settings: Mapping[str, Any] = field(default_factory=dict)
    shows: Mapping[str, Any] = field(default_factory=dict)


def coded(*codecs: str) -> Form:
    """A form with these codecs; its parts are wide, so that each column has a file to look at."""
    number, real, text = codecs
    return Form((number, real, text), WIDE, {"codecs": tuple(map(_methods, codecs))})


def _methods(codec: str) -> str:
    """The methods that a file of this codec begins with: without levels, and LZ4HC writes LZ4."""
    return re.sub(r"\(\d+\)", "", codec).replace("LZ4HC", "LZ4")


def table_of(name: str, form: Form, partitions: Sequence[int]) -> Table:
    """A table of this form with rows in these partitions; `z` is zero in most of them."""
    number, real, text = form.codecs
    columns = (
        f"p UInt64, i UInt64 CODEC({number}), f Float64 CODEC({real}), "
        f"owner String CODEC({text}), z UInt64"
    )
    table = create_table(name, columns=columns, settings={**NO_MERGES, **form.settings})
    insert(table, drawn_rows(this().random, table.name, partitions))
    others = {
        partition: shown
        for partition, shown in traits(table).items()
        if differs_in_form(form, shown)
    }
    assert not others, f"the fixture {table} does not show {form.shows}: {others}"
    return table


def drawn_rows(random: Random, name: str, partitions: Sequence[int]) -> list[Row]:
    """Values over the whole range of their types; `z` is one in one row of each partition."""
    return [
        (partition, random.randrange(2**64), random.random(), f"{name} {row}", int(row == 0))
        for partition in partitions
        for row in range(ROWS)
    ]


def traits(table: Table) -> dict[int, dict[str, Any]]:
    """How the rows of each partition are kept, read from system tables and from the files of its part."""
    kinds: dict[str, str] = dict(
        distinct(
            table.node.query(
                "SELECT partition_id, serialization_kind FROM system.parts_columns WHERE active "
                f"AND column = 'z' AND database = '{table.database}' AND table = '{table.name}'"
            )
        )
    )
    streams = {}
    parts = table.node.query(
        "SELECT count() OVER (), partition_id, part_type, marks, path FROM system.parts "
        f"WHERE active AND database = '{table.database}' AND table = '{table.name}'"
    )
    for number, partition, part_type, marks, path in parts:
        assert number == len(parts) == len(kinds), f"not all parts of {table}: {parts}"
        folder = Path(path)
        assert folder.name.startswith(f"{partition}_"), f"{partition} lies in {path}"
        names = {file.name for file in folder.iterdir()}
        streams[int(partition)] = {
            "zeros": kinds[partition],
            "part type": part_type,
            "granules": marks - 1,
            "several granules": marks > 2,
            "compressed index": "primary.cidx" in names,
            "compressed marks": any(".cmrk" in name for name in names),
            "sizes apart": b"owner.size" in (folder / "columns_substreams.txt").read_bytes(),
            "codecs": tuple(_codec(folder / f"{column}.bin") for column in CODED)
            if part_type == "Wide"
            else (),
        }
    return streams


def _codec(file: Path) -> str:
    """The methods in the first block of a column's file."""
    content = file.read_bytes()
    if content[METHOD] != MULTIPLE:
        return CODECS[content[METHOD]]
    first = METHODS + 1
    return ", ".join(CODECS[method] for method in content[first : first + content[METHODS]])


def differs_in_form(form: Form, shown: Mapping[str, Any], *, merged: bool = False) -> bool:
    """Whether a partition has other traits than this form; merges keep some traits as they were."""
    return any(
        shown[trait] != value
        for trait, value in form.shows.items()
        if not (merged and trait in KEPT_BY_MERGES)
    )


def literal(text: bytes) -> str:
    """Any bytes as a string of SQL."""
    return "'" + "".join(f"\\x{byte:02x}" for byte in text) + "'"


def insert_texts(table: Table, texts: Sequence[bytes]) -> None:
    """A row for each string, which is in all its columns."""
    rows = [
        f"(1, {number}, {text}, {text}, {text}, {text}, [{text}, {text}])"
        for number, text in enumerate(map(literal, texts))
    ]
    table.node.query(
        f"INSERT INTO {table} SELECT * FROM VALUES('{TEXT_COLUMNS}', {', '.join(rows)})"
    )


def texts_of(table: Table) -> list[Row]:
    """Every string of every row, in hexadecimal digits."""
    return table.node.query(
        "SELECT i, hex(s), hex(l), hex(n), hex(f), arrayMap(x -> hex(x), a) "
        f"FROM {table} WHERE p = 1 ORDER BY i"
    )


def as_digits(texts: Sequence[bytes]) -> list[Row]:
    """What `texts_of` has to return for these, computed here."""
    rows: list[Row] = []
    for number, text in enumerate(texts):
        digits, padded = text.hex().upper(), text.ljust(LONGEST, b"\0").hex().upper()
        rows.append((number, digits, digits, digits, padded, [digits, digits]))
    return rows
