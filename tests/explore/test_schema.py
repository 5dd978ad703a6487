"""Every type and setting of drawn schemas: what is inserted is read back as the same numbers."""

from __future__ import annotations

import pytest

from helpers.cluster.node import Node
from helpers.explore.execution.play import play
from helpers.explore.model.histories import Counts, History
from helpers.explore.model.schema import (
    KEY_TYPES,
    PARTITION_BY,
    SETTINGS,
    TABLE_KINDS,
    VALUE_TYPES,
    Schema,
)
from helpers.explore.model.statements import HistoryStatement

EACH = tuple(
    HistoryStatement("insert", "a", partition=p, rows=((p, 1),), number=p) for p in (1, 2, 3)
)
STATEMENTS = (
    *EACH,
    HistoryStatement("insert-parts", "b", number=3),
    HistoryStatement("replace", "a", "b"),
    *(HistoryStatement("detach", "a", partition=p) for p in (1, 2, 3)),
    *(HistoryStatement("attach", "a", partition=p) for p in (1, 2, 3)),
    HistoryStatement("drop", "a", partition=2),
    HistoryStatement("update", "a", number=3),
)
SCHEMAS = [
    *(Schema(partition=name) for name in (*KEY_TYPES, *PARTITION_BY)),
    *(Schema(key=name) for name in KEY_TYPES),
    *(Schema(further=name) for name in VALUE_TYPES),
    *(Schema(further="String", settings=(setting,)) for setting in SETTINGS),
    Schema(patches=True, maximum=True),
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_types_and_settings(node: Node, schema: Schema) -> None:
    history = History({"a": "plain", "b": "plain"}, STATEMENTS, schema=schema)
    counts = Counts()
    assert play(node, history, counts) is None
    assert {"replace accepted", "attach accepted"} <= counts.transitions


@pytest.mark.parametrize("kind", sorted({*TABLE_KINDS} - {"s3"}))
def test_kinds_of_tables(node: Node, kind: str) -> None:
    history = History({"a": kind, "b": kind}, (*EACH, *EACH, HistoryStatement("optimize-table")))
    assert play(node, history, Counts()) is None
