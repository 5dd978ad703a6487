"""Several Parquet files as one, read by another library than the one that joins them."""

from __future__ import annotations

import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines.errors import PipelineError
from pipelines.export.transfer.parquet_join import (
    I16,
    I32,
    I64,
    LIST,
    STRUCT,
    TRAILER,
    Struct,
    Value,
    _decode,
    _encode_struct,
    footer_of,
    join,
    rows_in,
)

SCHEMA = pa.schema(
    {
        "n": pa.uint64(),
        "s": pa.string(),
        "l": pa.list_(pa.int64()),
        "b": pa.bool_(),
        "o": pa.float64(),
    }
)


def encoded(table: pa.Table, **options: object) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, row_group_size=100, **options)
    return sink.getvalue()


def joined(*files: bytes) -> bytes:
    body, pieces = b"", []
    for file in files:
        footer = footer_of(file)
        assert footer is not None
        size = len(file) - len(footer) - TRAILER
        body += file[:size]
        pieces.append((footer, size))
    return body + join(pieces)


def rows(first: int, count: int) -> pa.Table:
    numbers = list(range(first, first + count))
    columns = {
        "n": numbers,
        "s": [str(number) * 3 for number in numbers],
        "l": [[number, None] for number in numbers],
        "b": [number % 2 == 0 for number in numbers],
        "o": [None if number % 7 == 0 else number / 3 for number in numbers],
    }
    return pa.table(columns, schema=SCHEMA)


@pytest.mark.parametrize("counts", [(1,), (250, 3), (1000, 0, 17), (0,)])
def test_the_rows_of_all_files_in_their_order(counts: tuple[int, ...]) -> None:
    tables = [rows(1000 * number, count) for number, count in enumerate(counts)]
    file = joined(*map(encoded, tables))
    assert pq.read_table(io.BytesIO(file)).equals(pa.concat_tables(tables))
    footer = footer_of(file)
    assert footer is not None and rows_in(footer) == sum(counts)


def test_one_file_keeps_its_metadata_and_page_indexes_are_left_out() -> None:
    table = rows(0, 300).replace_schema_metadata({"who": "me"})
    file = joined(encoded(table, write_page_index=True))
    read = pq.ParquetFile(io.BytesIO(file))
    assert read.metadata.num_row_groups == 3
    assert read.schema_arrow.metadata[b"who"] == b"me"
    assert not read.metadata.row_group(0).column(0).has_offset_index


def test_other_columns_are_refused() -> None:
    other = pa.table({"n": pa.array([1], pa.int32())})
    with pytest.raises(PipelineError, match="different columns"):
        joined(encoded(rows(0, 3)), encoded(other))


def test_what_does_not_end_as_a_file_has_no_footer() -> None:
    file = encoded(rows(0, 10))
    assert footer_of(file[:-1]) is None
    assert footer_of(b"") is None
    assert footer_of(b"\xff\xff\xff\x7fPAR1") is None


def test_all_offsets_and_numbers_are_those_of_the_joined_file() -> None:
    """Also those that this writer leaves out and another one writes."""

    def footer() -> bytes:
        metadata: Struct = {field: Value(I64, 4) for field in (9, 10, 11, 14)}
        chunk = {2: Value(I64, 4), 3: Value(STRUCT, metadata)}
        group = {1: Value(LIST, [chunk], STRUCT), 5: Value(I64, 4), 7: Value(I16, 0)}
        fields = {2: Value(I32, 0), 3: Value(I64, 5), 4: Value(LIST, [group], STRUCT)}
        return bytes(_encode_struct(fields))

    end = join([(footer(), 1000), (footer(), 1000)])
    read = _decode(footer_of(end) or b"")
    assert read[3].held == 10
    for number, group in enumerate(read[4].held):
        (chunk,) = group[1].held
        offsets = [group[5], chunk[2], *chunk[3].held.values()]
        assert {value.held for value in offsets} == {4 + number * 1000}
        assert len(offsets) == 6 and group[7].held == number
