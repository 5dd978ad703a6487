"""Each column is compressed by itself, by its own codec."""

from testflows.asserts import error
from testflows.core import And, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Compression
from steps.table_parts.compressed_files import Block, blocks
from steps.table_parts.part_files import numbers_of
from steps.table_parts.part_life import FORMATS, PartRecord, active_parts, merge
from steps.tables import NO_MERGES, Table, create_table

NEEDS = (Capability.PYARROW,)

ROWS = 1000
# Codecs of columns, and the method that their blocks have. A chain of codecs is a method by itself.
CODECS = {  # 5 variants
    "i": ("", "LZ4"),
    "plain": ("CODEC(NONE)", "NONE"),
    "high": ("CODEC(LZ4HC(9))", "LZ4"),
    "dense": ("CODEC(ZSTD(3))", "ZSTD"),
    "chain": ("CODEC(Delta, ZSTD)", "Multiple"),
}
# Each column has values of its own: a square, and in front of it which column it is.
VALUES = {name: position * 2_000_000 for position, name in enumerate(CODECS)}
INSERT = ", ".join(f"number * number + {first}" for first in VALUES.values())


def expected_values(column: str) -> list[int]:
    return [number * number + VALUES[column] for number in range(ROWS)]


def column_blocks(part: PartRecord) -> dict[str, Block]:
    """The one block that each column has, in a file of its own or one behind the other."""
    if part.kind == "Wide":
        return {
            name: block
            for name in CODECS
            for block in blocks((part.folder / f"{name}.bin").read_bytes())
        }
    return dict(zip(CODECS, blocks((part.folder / "data.bin").read_bytes()), strict=True))


def wrong_blocks(part: PartRecord) -> list[str]:
    """Columns that are compressed by another method, or hold something else."""
    wrong, blocks = [], column_blocks(part)
    # The same method at a higher level: only the size tells.
    if blocks["high"].compressed_bytes >= 0.95 * blocks["i"].compressed_bytes:
        wrong.append(f"high takes {blocks['high'].compressed_bytes} bytes, no less than i")
    for column, block in blocks.items():
        method = CODECS[column][1]
        if block.method != method:
            wrong.append(f"{column} is compressed by {block.method}")
        if method != "Multiple" and numbers_of(block.content) != expected_values(column):
            wrong.append(f"{column} holds other values")
        smaller = block.compressed_bytes < 8 * ROWS
        if smaller != (method != "NONE"):
            wrong.append(f"{column} takes {block.compressed_bytes} bytes by {block.method}")
    return wrong


def filled(kind: str) -> Table:
    """A table with one merged part of this format."""
    columns = ", ".join(f"{name} UInt64 {codec}" for name, (codec, _) in CODECS.items())
    settings = {**NO_MERGES, **FORMATS[kind]}
    table = create_table("coded", columns=columns, partition_by="", settings=settings)
    for start in (0, ROWS // 2):
        table.node.query(f"INSERT INTO {table} SELECT {INSERT} FROM numbers({start}, {ROWS // 2})")
    merge(table)
    return table


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Compression("1.0"))
def columns_are_compressed_by_their_codecs(self):
    """On disk each column's block has the method of its codec and, decompressed, the column's values."""
    with When("a table whose columns have different codecs has a part of each format"):
        tables = {kind: filled(kind) for kind in FORMATS}
        parts = {kind: active_parts(table) for kind, table in tables.items()}
        kinds = {kind: [part.kind for part in kept.values()] for kind, kept in parts.items()}
        assert kinds == {kind: [kind] for kind in FORMATS}, error()

    with Then("every column is compressed by its own method"):
        violations = {
            kind: [wrong for part in kept.values() for wrong in wrong_blocks(part)]
            for kind, kept in parts.items()
        }
        assert violations == {kind: [] for kind in FORMATS}, error()

    with And("reading gives back what was inserted"):
        for table in tables.values():
            rows = table.node.query(f"SELECT * FROM {table} ORDER BY i")
            assert rows == list(zip(*map(expected_values, CODECS), strict=True)), error()
