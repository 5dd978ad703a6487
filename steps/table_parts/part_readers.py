"""A SELECT that is held in the middle of its work, while the parts that it reads are superseded."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from helpers.cluster.node import Node
from helpers.scenario.context import this
from steps.tables import Table, create_table

PARTS = 5
ROWS = 20
# The server goes on reading until the buffers between it and its client are full: some megabytes.
ROW_BYTES = 200_000
COLUMNS = "i UInt64, owner String"
ROW_AT_A_TIME = {"max_block_size": 1, "max_threads": 1}


def bulky_table(name: str, *, node: Node, settings: Mapping[str, Any]) -> Table:
    """A table of some parts that are too large to be sent to a client that does not listen."""
    table = create_table(
        name,
        node=node,
        columns=COLUMNS,
        partition_by="",
        settings={**settings, "index_granularity": 1},
    )
    for part in range(PARTS):
        table.node.query(
            f"INSERT INTO {table} SELECT number, repeat('a', {ROW_BYTES}) "
            f"FROM numbers({part * ROWS}, {ROWS})"
        )
    return table


@dataclass
class HeldRead:
    """A SELECT of all rows whose client has taken the first one and then stopped listening."""

    table: Table
    query_id: str
    answer: Iterator[tuple[Any, ...]]
    first: tuple[Any, ...] = field(repr=False)

    @property
    def is_in_the_middle(self) -> bool:
        """Whether the server has read some rows for it, and not all."""
        answer = self.table.node.column(
            f"SELECT read_rows BETWEEN 1 AND {PARTS * ROWS - 1} FROM system.processes "
            f"WHERE query_id = '{self.query_id}'"
        )
        return answer == [1]

    def finish(self) -> list[tuple[int, str]]:
        """All of its rows: the numbers, and what the bulk is made of."""
        rows = [self.first, *self.answer]
        assert all(len(bulk) == ROW_BYTES for _, bulk in rows), "a row came without its bulk"
        return sorted((number, "".join(sorted(set(bulk)))) for number, bulk in rows)


@contextmanager
def held_read(table: Table) -> Iterator[HeldRead]:
    """A SELECT that has begun and cannot end before its client listens again."""
    query_id = str(uuid.uuid4())
    with table.node.session() as session:
        answer = session.client.execute_iter(
            f"SELECT i, owner FROM {table}", settings=ROW_AT_A_TIME, query_id=query_id
        )
        read = HeldRead(table, query_id, answer, next(answer))
        this().eventually(lambda: read.is_in_the_middle)
        yield read


def expected_rows() -> list[tuple[int, str]]:
    """What a read has to return that sees the rows as they were inserted."""
    return [(number, "a") for number in range(PARTS * ROWS)]
