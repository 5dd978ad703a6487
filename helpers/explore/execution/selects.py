"""SELECTs whose answer is the same under all settings: that of one that reads every row without an index."""

from __future__ import annotations

from collections.abc import Sequence

from helpers.cluster.client.session import Row
from helpers.explore.model.histories import ACCEPTED
from helpers.explore.model.schema import Schema
from helpers.explore.model.statements import HistoryStatement, columns_read, updated_value
from helpers.explore.model.tables import RULES, ModelTable

CONDITIONS = (
    "1",
    "p = {p}",
    "i = {key}",
    "NOT (i = {key})",
    "i IN ({key})",
    "p = {p} AND i = {key}",
    "i >= {key}",
    "i < {key}",
    "p <= {p}",
    "v > 1",
    "v = 11",
    "i = {key} OR v > 10",
    "d < '2050-01-01'",
    "{further} = {value}",
    "{further} IS NULL OR i = {key}",
)
SHAPES = (
    "SELECT {columns} FROM {rows} WHERE {condition} ORDER BY ALL",
    "SELECT {columns} FROM {rows} WHERE {condition} ORDER BY ALL LIMIT 1",
    "SELECT count(), sum(v) FROM {rows} WHERE {condition}",
    "SELECT count(), min(v), max(v) FROM {rows} WHERE {condition}",
    "SELECT count() FROM {rows} WHERE {condition}",
    "SELECT toString(i), max(v) FROM {rows} WHERE {condition} GROUP BY i ORDER BY ALL",
    "SELECT toString(p), count() FROM {rows} WHERE {condition} GROUP BY p ORDER BY ALL",
    "SELECT DISTINCT toString(p) FROM {rows} WHERE {condition} ORDER BY ALL",
)
SETTINGS = (
    "",
    "optimize_move_to_prewhere = 0",
    "optimize_move_to_prewhere_if_final = 1",
    "use_skip_indexes_if_final = 1",
    "use_skip_indexes_on_data_read = 0",
    "query_plan_optimize_lazy_materialization = 0",
    "optimize_use_projections = 0",
    "optimize_use_projections = 1, force_optimize_projection = 0",
    "optimize_use_implicit_projections = 0",
    "optimize_trivial_count_query = 0",
    "use_query_condition_cache = 0",
    "optimize_read_in_order = 0",
    "optimize_aggregation_in_order = 1",
    "max_threads = 4",
    "max_block_size = 1, preferred_block_size_bytes = 1",
    "enable_multiple_prewhere_read_steps = 0",
    "merge_tree_min_rows_for_concurrent_read = 1",
)
REFERENCE = (
    "query_plan_enable_optimizations = 0, optimize_use_projections = 0, use_skip_indexes = 0, "
    "optimize_trivial_count_query = 0, use_query_condition_cache = 0, optimize_move_to_prewhere = 0"
)


def selects(
    statement: HistoryStatement, database: str, table: ModelTable, schema: Schema
) -> tuple[str, str]:
    """The SELECT that reads every row, and the one with an index and drawn settings."""
    number, shape = divmod(statement.number, len(SHAPES))
    number, condition = divmod(number, len(CONDITIONS))
    settings = SETTINGS[number % len(SETTINGS)]
    name = f"{database}.{statement.table}"
    final = " FINAL" if table.kind in RULES and number % 2 else ""
    key = 1 + number % 3
    filled = CONDITIONS[condition].format(
        p=schema.partition_type.literal(statement.partition),
        key=schema.key_type.literal(key),
        further=table.further[0] if table.further else "v",
        value=schema.value_type.literal(updated_value(key)) if table.further else "1",
    )
    columns = f"ifNull(toString(p), 'NULL') AS shown, {columns_read(table.further)}"
    slow = SHAPES[shape].format(
        columns=columns,
        rows=f"(SELECT * FROM {name}{final})",
        condition=f"materialize(ifNull({filled}, 0))",
    )
    fast = SHAPES[shape].format(columns=columns, rows=f"{name}{final}", condition=filled)
    return f"{slow} SETTINGS {REFERENCE}", f"{fast} SETTINGS {settings}" if settings else fast


def lines(rows: Sequence[Row]) -> str:
    """An answer as the scripts of findings have it."""
    return "\n".join(", ".join(map(str, row)) for row in rows) or ACCEPTED
