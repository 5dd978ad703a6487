"""Parts that are taken away before a change of the table has reached their files."""

from functools import partial
from typing import NamedTuple

from testflows.asserts import error
from testflows.core import Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Travel_ChangedWhileDetached,
    RQ_SRS_102_ClickHouse_TableParts_Travel_PendingChanges,
)
from steps.background_changes import in_background, until_done
from steps.table_parts.part_life import FORMATS, detached_parts
from steps.tables import Table, create_table

DEVIATIONS = "travel-pending-changes"  # the beginning of their ids
COLUMNS = "p UInt64, i UInt64, v UInt64"
INSERT = "INSERT INTO {table} VALUES (1, 1, 11), (1, 2, 12)"


class Change(NamedTuple):
    """An ALTER, what completes it, and the rows that the table has then."""

    sql: str
    rows: list[tuple[object, ...]]
    completed_by: str = ""


CHANGES = {  # 5 variants
    "UPDATE": Change("UPDATE v = 9 WHERE i = 1", [(1, 1, 9), (1, 2, 12)]),
    "DELETE": Change("DELETE WHERE i = 1", [(1, 2, 12)]),
    "RENAME COLUMN": Change("RENAME COLUMN v TO renamed", [(1, 1, 11), (1, 2, 12)]),
    "MODIFY COLUMN": Change("MODIFY COLUMN v String", [(1, 1, "11"), (1, 2, "12")]),
    "DROP COLUMN": Change("DROP COLUMN v", [(1, 1, 7), (1, 2, 7)], "ADD COLUMN v UInt64 DEFAULT 7"),
}
COMMANDS = {  # 3 variants
    "DETACH and ATTACH": (
        "ALTER TABLE {source} DETACH PARTITION 1",
        "ALTER TABLE {source} ATTACH PARTITION 1",
    ),
    "ATTACH PARTITION FROM": ("ALTER TABLE {other} ATTACH PARTITION 1 FROM {source}",),
    "MOVE PARTITION TO TABLE": ("ALTER TABLE {source} MOVE PARTITION 1 TO TABLE {other}",),
}
OF_STRUCTURE = ("RENAME COLUMN", "MODIFY COLUMN", "DROP COLUMN")  # 3 variants
# A copy may have the old rows where the change has not been carried out in the source.
CASES = [
    (kind, change, command)
    for kind in FORMATS
    for change in CHANGES
    for command in COMMANDS
    if change in OF_STRUCTURE or command != "ATTACH PARTITION FROM"
]
DONE = "every change that was answered is carried out"
OLD = "[(1, 1, 11), (1, 2, 12)]"
LOST = {"UPDATE": OLD, "DELETE": OLD, "RENAME COLUMN": "[(1, 1, 0), (1, 2, 0)]", "DROP COLUMN": OLD}


def name_of(kind: str, change: str, command: str) -> str:
    return f"{kind}, {change}, {command}"


def pending_table(kind: str, change: str) -> Table:
    """A table in which this change waits, because nothing may be written in the background."""
    table = create_table("pending", columns=COLUMNS, settings=FORMATS[kind])
    table.node.query(f"SYSTEM STOP MERGES {table}")
    sql = f"ALTER TABLE {table} {CHANGES[change].sql}"
    table.node.query(INSERT.format(table=table))
    table.node.query(sql, settings=in_background(sql))
    assert unfinished(table) == 1, error()
    return table


def unfinished(table: Table) -> int:
    """How many changes wait to be carried out in the parts."""
    return int(
        table.node.value(
            "SELECT count() FROM system.mutations WHERE NOT is_done "
            f"AND database = '{table.database}' AND table = '{table.name}'"
        )
    )


def rows_after(table: Table, change: str) -> list[tuple[object, ...]]:
    """The rows when the change is carried out and completed."""
    if completed_by := CHANGES[change].completed_by:
        table.node.query(f"ALTER TABLE {table} {completed_by}")
    return sorted(table.node.query(f"SELECT * FROM {table}"))


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Travel_PendingChanges("1.0"))
@deviates(
    step=DONE,
    observed={name_of(*case): LOST[case[1]] for case in CASES if case[1] in LOST},
    reason="a part that is attached gets a new block number, and a change is carried out only in parts with "
    "older numbers: updates and deletions are lost, a renamed column is empty, and dropped values are back",
    kind="bug",
    severity="data lost",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/120902",
)
def pending_changes_are_carried_out(self):
    """A change that was answered reaches rows whose part was detached, copied or moved before."""
    violations: dict[str, object] = {}
    for kind in FORMATS:
        for change, (_, expected, _) in CHANGES.items():
            with Given(f"a table in which {change} waits, {kind}"):
                table = pending_table(kind, change)

            with When("it is carried out"):
                finish([table])

            with Then("a table whose part stays has the changed rows"):
                assert rows_after(table, change) == expected, error()

    tables = {}
    for kind, change, command in CASES:
        with Given(f"a table in which {change} waits, {kind}"):
            source = tables[kind, change, command] = pending_table(kind, change)

        with When(f"its part is taken away by {command}"):
            statements = COMMANDS[command]
            if "other" in statements[0]:
                other = tables[kind, change, command] = create_table(
                    "other", columns=COLUMNS, settings=FORMATS[kind]
                )
                if change in OF_STRUCTURE:
                    other.node.query(f"ALTER TABLE {other} {CHANGES[change].sql}")
            for sql in statements:
                source.node.query(sql.format(source=source, other=tables[kind, change, command]))

    with When("everything that waits is carried out"):
        finish(list(tables.values()))
        for case, table in tables.items():
            if (rows := rows_after(table, case[1])) != CHANGES[case[1]].rows:
                violations[name_of(*case)] = rows

    with Then(DONE):
        assert_no_violations(violations)


def finish(tables: list[Table]) -> None:
    """Let the background work, until nothing waits any more."""
    for table in tables:
        table.node.query(f"SYSTEM START MERGES {table}")
    for table in tables:
        this().eventually(partial(unfinished, table), equals=0, timeout=30)


STAYED = "the values are those that the table would have had"
MEANWHILE = {change: CHANGES[change] for change in OF_STRUCTURE} | {  # 4 variants
    "ADD COLUMN": Change("ADD COLUMN extra UInt64 DEFAULT v + 1", [(1, 1, 11, 12), (1, 2, 12, 13)]),
}


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Travel_ChangedWhileDetached("1.0"))
@deviates(
    step=STAYED,
    observed={
        f"{kind}, {change}": LOST[change]
        for kind in FORMATS
        for change in ("RENAME COLUMN", "DROP COLUMN")  # 3 variants
    },
    reason="a change is forgotten when no part of the table needs it; the attached part has the old column, "
    "and nothing says that it was renamed or dropped",
    kind="bug",
    severity="data lost",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/116646",
)
def columns_changed_while_a_part_is_detached(self):
    """A part that comes back has the values it would have had, whatever happened to the columns."""
    violations: dict[str, object] = {}
    for kind in FORMATS:
        for change, (alter, expected, completed_by) in MEANWHILE.items():
            with Given(f"a table with a detached part, {kind}"):
                table = create_table("shelf", columns=COLUMNS, settings=FORMATS[kind])
                table.node.query(INSERT.format(table=table))
                table.node.query(f"ALTER TABLE {table} DETACH PARTITION 1")
                assert detached_parts(table) == {"1_1_1_0": ""}, error()
                table.node.query(INSERT.format(table=table))

            with When(f"its columns are changed by {change}, and the part is attached"):
                for sql in filter(None, (alter, completed_by, "ATTACH PARTITION 1")):
                    statement = f"ALTER TABLE {table} {sql}"
                    table.node.query(statement, settings=until_done(statement))
                rows = table.node.query(f"SELECT _part, * FROM {table}")
                stayed = sorted(row[1:] for row in rows if row[0].startswith("1_2_2_0"))
                came = sorted(row[1:] for row in rows if not row[0].startswith("1_2_2_0"))

            with Then("the part that stayed has the changed values"):
                assert stayed == expected and len(rows) == 4, error()
                assert len({row[0] for row in rows}) == 2, error()
                if came != expected:
                    violations[f"{kind}, {change}"] = came

    with Then(STAYED):
        assert_no_violations(violations)
