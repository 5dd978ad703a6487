"""Encodings: tables that keep the same kind of rows in different ways, and strings of any bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from helpers.cluster.session import Row
from helpers.context import this
from steps.partitions import replace_each
from steps.tables import NO_MERGES, Table, by_partition, create_table, insert

ROWS = 20
TEXT = "Zürich, Köln"
TEXTS = {
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


@dataclass(frozen=True)
class Form:
    """How a table keeps its rows: codecs of its number, float and string column, and settings."""

    codecs: tuple[str, str, str] = ("Default", "Default", "Default")
    settings: Mapping[str, Any] = field(default_factory=dict)


def table_of(name: str, form: Form, partitions: Sequence[int]) -> Table:
    """A table of this form with rows in these partitions; `z` is zero in most of them."""
    number, real, text = form.codecs
    columns = (
        f"p UInt64, i UInt64 CODEC({number}), f Float64 CODEC({real}), "
        f"owner String CODEC({text}), z UInt64"
    )
    settings = {**NO_MERGES, **form.settings}
    table = create_table(name, columns=columns, settings=settings)
    dice = this().random
    insert(
        table,
        [
            (partition, dice.randrange(2**64), dice.random(), table.name, int(number == 0))
            for partition in partitions
            for number in range(ROWS)
        ],
    )
    return table


def replace_every_form(forms: Mapping[str, Form]) -> list[str]:
    """Each form into each: a partition of the destination for every form of the source. What went
    wrong, also after a merge has written the destination anew, in its own form."""
    numbered = dict(enumerate(forms, start=1))
    sources = {one: table_of("source", forms[name], [one]) for one, name in numbered.items()}
    wrong = []
    for name, form in forms.items():
        destination = table_of("destination", form, [0, *numbered])
        names = {one: f"{source} to {name}" for one, source in numbered.items()}
        wrong += replace_each(destination, sources, names)
        taken = by_partition(destination)
        destination.node.query(f"OPTIMIZE TABLE {destination} FINAL")
        for one, rows in by_partition(destination).items():
            if rows != taken[one]:
                wrong.append(f"{names.get(one, one)}: other rows after a merge")
    return wrong


def kept_in_sparse_form(table: Table) -> bool:
    """Whether the column that is mostly zero is kept as such."""
    return table.node.column(
        "SELECT DISTINCT serialization_kind FROM system.parts_columns WHERE active AND column = 'z' "
        f"AND database = '{table.database}' AND table = '{table.name}'"
    ) == ["Sparse"]


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
    found: list[Row] = []
    for number, text in enumerate(texts):
        digits, padded = text.hex().upper(), text.ljust(LONGEST, b"\0").hex().upper()
        found.append((number, digits, digits, digits, padded, [digits, digits]))
    return found
