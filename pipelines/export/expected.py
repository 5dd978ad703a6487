"""What the files of parts must hold, computed by the server that has the parts."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from pipelines.clickhouse.rows import ClickHouseRows
from pipelines.clickhouse.types import literal, quoted
from pipelines.compare.fingerprint import Fingerprint, hash_sql, sums_sql
from pipelines.errors import PipelineError
from pipelines.export.plan import Plan, PlannedPart

# How many rows, and their fingerprint unless a column's type has none.
Expected = tuple[int, Fingerprint | None]


def expected_rows(
    plan: Plan, parts: Sequence[PlannedPart], with_fingerprint: bool
) -> dict[str, Expected]:
    """How many rows a reader of each part sees, and their fingerprint; one query for all of them."""
    names = [planned.part.name for planned in parts]
    columns = ", ".join(map(quoted, plan.columns))
    extra = ", ".join(f"{name} = {value}" for name, value in plan.snapshot.settings.items())
    settings = f" SETTINGS {extra}" if extra else ""
    if len(parts) == 1:
        part, source, group = literal(names[0]), f"({parts[0].select}{settings})", ""
    else:
        listed = ", ".join(map(literal, names))
        part, group = "_part", " GROUP BY _part"
        source = (
            f"(SELECT _part, {columns} FROM {plan.source.sql} WHERE _part IN ({listed}){settings})"
        )
    numbers, none = "count()", _expected(0)
    if with_fingerprint:
        with suppress(PipelineError):  # a type that has none
            rows = ClickHouseRows(plan.server, str(plan.source), source, plan.columns)
            numbers, none = sums_sql(hash_sql(rows.types)), _expected(0, 0, 0)
    found = plan.server.rows(f"SELECT {part}, {numbers} FROM {source}{group}")
    expected = {str(name): _expected(*map(int, values)) for name, *values in found}
    # A part whose rows are all removed has no group.
    return {name: expected.get(name, none) for name in names}


def _expected(rows: int, *sums: int) -> Expected:
    return rows, Fingerprint(rows, *sums) if sums else None
