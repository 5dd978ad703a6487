"""A part never changes: what happens to a table happens in new parts."""

from typing import NamedTuple

from testflows.asserts import error
from testflows.core import And, Examples, Given, Requirements, Scenario, TestOutline, Then, When

from helpers.scenario.violations import assert_no_violations, differing
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Immutable
from steps.background_changes import until_done
from steps.table_parts.part_life import FORMATS, KEPT
from steps.table_parts.part_snapshots import active, differences, snapshot, stored
from steps.tables import NO_MERGES, contents, create_table

COLUMNS = "p UInt64, i UInt64, owner String, value UInt64, INDEX small i TYPE minmax GRANULARITY 1"
INSERT = (
    "INSERT INTO {table} SELECT number % 2, number, concat('row ', toString(number)), number "
    "FROM numbers(30)"
)
# The first parts of the table.
FIRST = ["0_1_1_0", "1_2_2_0"]


class Event(NamedTuple):
    """A statement, the parts that are active after it, and the columns and indexes that active parts store
    after it and not before, or before and not after."""

    sql: str
    active: list[str]
    stored: frozenset[str] = frozenset()


LIFE = {  # 17 variants
    "rows are inserted": Event(INSERT, [*FIRST, "0_3_3_0", "1_4_4_0"]),
    "rows are inserted into one partition": Event(
        "INSERT INTO {table} VALUES (1, 100, 'late', 100)",
        [*FIRST, "0_3_3_0", "1_4_4_0", "1_5_5_0"],
    ),
    "a partition is merged": Event(
        "OPTIMIZE TABLE {table} PARTITION 1 FINAL",
        ["0_1_1_0", "0_3_3_0", "1_2_5_1"],
    ),
    "all is merged": Event("OPTIMIZE TABLE {table} FINAL", ["0_1_3_1", "1_2_5_2"]),
    "rows are updated": Event(
        "ALTER TABLE {table} UPDATE owner = concat(owner, '!') WHERE i % 3 = 0",
        ["0_1_3_1_6", "1_2_5_2_6"],
    ),
    "one partition's rows are updated": Event(
        "ALTER TABLE {table} UPDATE value = value + 1000 IN PARTITION 1 WHERE 1",
        ["0_1_3_1_7", "1_2_5_2_7"],
    ),
    "rows are deleted": Event(
        "ALTER TABLE {table} DELETE WHERE i % 5 = 1",
        ["0_1_3_1_8", "1_2_5_2_8"],
    ),
    "rows are masked": Event(
        "DELETE FROM {table} WHERE i = 3",
        ["0_1_3_1_9", "1_2_5_2_9"],
        frozenset({"`_row_exists` UInt8"}),
    ),
    "a column is added": Event(
        "ALTER TABLE {table} ADD COLUMN extra UInt64 DEFAULT i + 1",
        ["0_1_3_1_9", "1_2_5_2_9"],
    ),
    "a column is materialized": Event(
        "ALTER TABLE {table} MATERIALIZE COLUMN extra",
        ["0_1_3_1_10", "1_2_5_2_10"],
        frozenset({"`extra` UInt64"}),
    ),
    "an index is added": Event(
        "ALTER TABLE {table} ADD INDEX late owner TYPE minmax GRANULARITY 1",
        ["0_1_3_1_10", "1_2_5_2_10"],
    ),
    "an index is materialized": Event(
        "ALTER TABLE {table} MATERIALIZE INDEX late",
        ["0_1_3_1_11", "1_2_5_2_11"],
        frozenset({"skp_idx_late"}),
    ),
    "a column's type is changed": Event(
        "ALTER TABLE {table} MODIFY COLUMN value String",
        ["0_1_3_1_12", "1_2_5_2_12"],
        frozenset({"`value` String", "`value` UInt64"}),
    ),
    "a column is renamed": Event(
        "ALTER TABLE {table} RENAME COLUMN value TO renamed",
        ["0_1_3_1_13", "1_2_5_2_13"],
        frozenset({"`renamed` String", "`value` String"}),
    ),
    "a column is dropped": Event(
        "ALTER TABLE {table} DROP COLUMN extra",
        ["0_1_3_1_14", "1_2_5_2_14"],
        frozenset({"`extra` UInt64"}),
    ),
    "no row fits a mutation": Event(
        "ALTER TABLE {table} DELETE WHERE i = 1000000",
        ["0_1_3_1_15", "1_2_5_2_15"],
    ),
    "all is merged again": Event(
        "OPTIMIZE TABLE {table} FINAL",
        ["0_1_3_2_15", "1_2_5_3_15"],
        frozenset({"`_row_exists` UInt8"}),
    ),
}
INSERTED = [
    *((n % 2, n, f"row {n}", n) for n in [*range(30)] * 2),
    (1, 100, "late", 100),
]  # 2 variants
# What is left of them, in the columns p, i, owner and renamed.
LEFT = sorted(
    (p, i, owner if i % 3 else f"{owner}!", str(value + 1000 * p))
    for p, i, owner, value in INSERTED
    if i % 5 != 1 and i != 3
)


@TestOutline(Scenario)
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Immutable("1.0"))
@Examples("kind", [(kind,) for kind in FORMATS])
def files_of_parts_never_change(self, kind):
    """Inserts, merges, every kind of mutation and reads touch no file of a part that is there."""
    violations: dict[str, object] = {}
    with Given(f"a table with {kind} parts that keeps the superseded parts"):
        table = create_table(
            "kept", columns=COLUMNS, settings={**NO_MERGES, **KEPT, **FORMATS[kind]}
        )
        table.node.query(INSERT.format(table=table))
        before, had = snapshot(table), stored(table)
        assert active(before) == FIRST, error()

    for what, event in LIFE.items():
        with When(what):
            statement = event.sql.format(table=table)
            table.node.query(statement, settings=until_done(statement))

        with Then("the new parts replace the older ones, whose files stay as they were"):
            after, has = snapshot(table), stored(table)
            violations |= differing(
                what,
                {
                    "active parts": (active(after), sorted(event.active)),
                    "stored": (had ^ has, event.stored),
                    "changes of older parts": (differences(before, after), []),
                },
            )
            before, had = after, has

    with And("the table has the rows that are left"):
        assert contents(table) == LEFT, error()

    with And("every part is of the same format"):
        assert {part.kind for part in before.values()} == {kind}, error()

    with And("no file of any part has been written to, replaced, added or removed"):
        assert_no_violations(violations)
