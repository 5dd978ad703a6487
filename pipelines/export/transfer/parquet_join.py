"""Several Parquet files as one: their bytes stay as they are, one after the other, and get one footer.

Processes that know nothing of each other write files with the same columns, ClickHouse each of them
here. Put behind each other, without their footers, they become one file once a footer says where
the row groups of each have come to lie. What is inside a footer is Thrift's compact protocol.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipelines.errors import PipelineError

MAGIC = b"PAR1"
TRAILER = 8
# Thrift's compact types.
TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)
WHOLE = (I16, I32, I64)
# Fields of the footer: FileMetaData, RowGroup, ColumnChunk and ColumnMetaData.
NUM_ROWS, ROW_GROUPS = 3, 4
COLUMNS, ROW_GROUP_OFFSET, ORDINAL = 1, 5, 7
CHUNK_OFFSET, CHUNK_METADATA, CHUNK_INDEXES = 2, 3, (4, 5, 6, 7)
METADATA_OFFSETS = (9, 10, 11, 14)
Struct = dict[int, "Value"]


@dataclass
class Value:
    """A value with its type; of a list `item` is the type of its elements."""

    kind: int
    held: Any
    item: int = 0


def footer_of(end: bytes | bytearray) -> bytes | None:
    """The footer of a Parquet file out of its last bytes; None if it does not end as one."""
    if len(end) < TRAILER or not end.endswith(MAGIC):
        return None
    size = int.from_bytes(end[-TRAILER:-4], "little")
    return bytes(end[-TRAILER - size : -TRAILER]) if 0 < size <= len(end) - TRAILER else None


def rows_in(footer: bytes) -> int:
    """The number of rows that a footer speaks of."""
    return int(_decode(footer)[NUM_ROWS].held)


def join(pieces: Sequence[tuple[bytes, int]]) -> bytes:
    """The end of the joined file: of each piece its footer and how many bytes lie before its end.

    The pieces lie behind each other from the beginning of the file, each without its footer and the
    eight bytes behind that; what is returned follows them.
    """
    base, rows = 0, 0
    groups: list[Struct] = []
    joined = _decode(pieces[0][0])
    for footer, size in pieces:
        read = _decode(footer)
        if _encode_field(read, 2) != _encode_field(joined, 2):
            raise PipelineError("Parquet files with different columns cannot be joined.")
        rows += read[NUM_ROWS].held
        for group in read[ROW_GROUPS].held:
            _move(group, base)
            if ORDINAL in group:
                group[ORDINAL].held = len(groups)
            groups.append(group)
        base += size
    joined[NUM_ROWS].held = rows
    joined[ROW_GROUPS].held = groups
    footer = bytes(_encode_struct(joined))
    return footer + len(footer).to_bytes(4, "little") + MAGIC


def _move(group: Struct, base: int) -> None:
    """A row group that lies so many bytes further behind; page indexes, which do not, are left out."""
    _add(group, (ROW_GROUP_OFFSET,), base)
    for chunk in group[COLUMNS].held:
        _add(chunk, (CHUNK_OFFSET,), base)
        for index in CHUNK_INDEXES:
            chunk.pop(index, None)
        _add(chunk[CHUNK_METADATA].held, METADATA_OFFSETS, base)


def _add(struct: Struct, fields: Sequence[int], base: int) -> None:
    for field in fields:
        if field in struct:
            struct[field].held += base


def _encode_field(struct: Struct, field: int) -> bytes:
    return bytes(_encode_struct({field: struct[field]}))


class _Reader:
    """Bytes of Thrift's compact protocol, read from the front."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed(self) -> int:
        value = self.number()
        return (value >> 1) ^ -(value & 1)

    def bytes(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def struct(self) -> Struct:
        fields: Struct = {}
        field = 0
        while (head := self.byte()) != 0:
            kind = head & 0x0F
            field = field + (head >> 4) if head >> 4 else self.signed()
            fields[field] = self.value(kind, in_list=False)
        return fields

    def value(self, kind: int, *, in_list: bool) -> Value:
        if kind in (TRUE, FALSE):
            return Value(kind, self.byte() if in_list else None)
        if kind == BYTE:
            return Value(kind, self.byte())
        if kind in WHOLE:
            return Value(kind, self.signed())
        if kind == DOUBLE:
            return Value(kind, self.bytes(8))
        if kind == BINARY:
            return Value(kind, self.bytes(self.number()))
        if kind == STRUCT:
            return Value(kind, self.struct())
        if kind in (LIST, SET):
            head = self.byte()
            size = head >> 4 if head >> 4 < 15 else self.number()
            item = head & 0x0F
            values = [self.value(item, in_list=True) for _ in range(size)]
            # Of structures the fields themselves are what is worked with.
            return Value(kind, [v.held for v in values] if item == STRUCT else values, item)
        raise PipelineError(f"A Parquet footer has a value of type {kind}, which none should have.")


def _decode(footer: bytes) -> Struct:
    try:
        return _Reader(footer).struct()
    except IndexError:
        raise PipelineError("A Parquet footer ends too early.") from None


def _encode_number(value: int) -> bytes:
    encoded = bytearray()
    while value >= 0x80:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def _encode_signed(value: int) -> bytes:
    return _encode_number(value << 1 if value >= 0 else (-value << 1) - 1)


def _encode_struct(struct: Struct) -> bytearray:
    encoded = bytearray()
    before = 0
    for field, value in sorted(struct.items()):
        step = field - before
        encoded += bytes([step << 4 | value.kind]) if 0 < step < 16 else bytes([value.kind])
        if not 0 < step < 16:
            encoded += _encode_signed(field)
        encoded += _encode_value(value, in_list=False)
        before = field
    return encoded + b"\0"


def _encode_value(value: Value, *, in_list: bool) -> bytes:
    kind, held = value.kind, value.held
    if kind in (TRUE, FALSE):
        return bytes([held]) if in_list else b""
    if kind == BYTE:
        return bytes([held])
    if kind in WHOLE:
        return _encode_signed(held)
    if kind == DOUBLE:
        return bytes(held)
    if kind == BINARY:
        return _encode_number(len(held)) + bytes(held)
    if kind == STRUCT:
        return bytes(_encode_struct(held))
    size = len(held)
    head = bytes([min(size, 15) << 4 | value.item])
    encoded = bytearray(head + (_encode_number(size) if size >= 15 else b""))
    for item in held:
        encoded += (
            _encode_struct(item) if value.item == STRUCT else _encode_value(item, in_list=True)
        )
    return bytes(encoded)
