"""Detached parts that this table did not write: strange names, other partitions, other tables."""

from functools import partial
from typing import Any

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.client.interception import action
from helpers.scenario.marks import deviates, equivalent
from helpers.scenario.violations import assert_no_violations
from requirements.srs103_attach_and_move import (
    RQ_SRS_103_ClickHouse_AttachAndMove_ForeignNames,
    RQ_SRS_103_ClickHouse_AttachAndMove_ForeignParts,
    RQ_SRS_103_ClickHouse_AttachAndMove_OtherPartition,
)
from steps.refusals import attempt
from steps.table_parts.part_files import (
    copy_to_detached,
    detached_files,
    detached_folder,
    lost_files,
)
from steps.table_parts.part_life import FORMATS, active_parts, detached_parts, filled_parts
from steps.tables import COLUMNS, Table, contents, create_table, insert

DEVIATIONS = "foreign-parts"  # the beginning of their ids
ROWS = [(1, 1, "first"), (1, 2, "second")]  # 2 variants
UNKNOWN_NAME = 233
OTHER_PARTITION = 246
# Levels of directories, and whether they are those of a part: the greatest of today, that of earlier
# versions, and greater ones.
LEVELS = {  # 5 variants
    999_999_998: True,
    999_999_999: True,
    2**32 - 1: True,
    2**32: False,
    2**32 + 1: False,
}
MERGED = "an attached part is merged with others"


@action
def rename(table: Table, old: str, new: str) -> None:
    """Give a directory among the detached parts another name."""
    folder = detached_folder(table)
    (folder / old).rename(folder / new)


def detached_as(name: str) -> Table:
    """A table with a row, and a detached part with another one in a directory of this name."""
    table = create_table("renamed", settings={})
    for row in ROWS:
        insert(table, [row])
    table.node.query(f"ALTER TABLE {table} DETACH PART '1_2_2_0'")
    rename(table, "1_2_2_0", name)
    assert list(detached_parts(table)) == [name] and contents(table) == ROWS[:1], error()
    return table


@TestScenario
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_ForeignNames("1.0"))
@deviates(
    step=MERGED,
    observed={
        f"level {2**32 - 1}, {statement}": "OPTIMIZE is refused with code 49"
        for statement in ("ATTACH PART", "ATTACH PARTITION")  # 2 variants
    },
    reason="the greatest level of earlier versions stays in the name of the attached part, whose level is "
    "0: no merged part seems to cover it, so that it is never merged and no mutation ends",
    kind="bug",
    severity="wrong refusal or acceptance",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/58558",
    no_sql="it renames the directory of a detached part",
)
@equivalent(
    mutant="omit[FINAL]",
    statement="OPTIMIZE TABLE",
    reason="the two parts are merged, with FINAL or without",
)
@equivalent(
    mutant="other-table*",
    statement="min_block_number, max_block_number",
    reason="the tables of all cases end with the same part",
)
@equivalent(
    mutant="first-variant",
    statement="min_block_number, max_block_number",
    reason="the tables of all cases end with the same part",
)
def levels_of_other_servers(self):
    """A part with a level that no server gives is attached and merged; a greater number is no part."""
    violations: dict[str, object] = {}
    for level, is_part in LEVELS.items():
        for statement in ("ATTACH PART", "ATTACH PARTITION"):
            with When(f"a detached part has the level {level}, and I execute {statement}"):
                name = f"1_2_2_{level}"
                table = detached_as(name)
                named = f"'{name}'" if statement == "ATTACH PART" else "1"
                outcome = attempt(table.node, f"ALTER TABLE {table} {statement} {named}")

            with Then("it is attached if it is a part, and otherwise left as it is"):
                refused = not is_part and statement == "ATTACH PART"
                assert outcome.code == (UNKNOWN_NAME if refused else None), error()
                assert contents(table) == (ROWS if is_part else ROWS[:1]), error()
                assert list(detached_parts(table)) == ([] if is_part else [name]), error()

            with And("it is merged with the other part"):
                merged = attempt(table.node, f"OPTIMIZE TABLE {table} FINAL")
                if not merged.accepted:
                    violations[f"level {level}, {statement}"] = (
                        f"OPTIMIZE is refused with code {merged.code}"
                    )
                elif len(filled_parts(table)) != 1:
                    violations[f"level {level}, {statement}"] = list(filled_parts(table))

    with Then(MERGED):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_OtherPartition("1.0"))
def directory_of_another_partition(self):
    """A part in a directory that is named after another partition is refused, and stays there."""
    with Given("a part of partition 1 whose directory is called 2_1_1_0"):
        table = detached_as("2_1_1_0")
        files, before = detached_files(table), active_parts(table)

    for statement in ("ATTACH PART '2_1_1_0'", "ATTACH PARTITION 2", "ATTACH PARTITION ALL"):
        with When(f"I execute {statement}"):
            sql = f"ALTER TABLE {table} {statement}"
            table.node.fails(sql, code=OTHER_PARTITION, text="differs from partition ID")

        with Then("the table and the directory are as they were"):
            assert contents(table) == ROWS[:1] and active_parts(table) == before, error()
            assert lost_files(files, detached_files(table)) == [], error()

    with And("under its own name it is attached"):
        rename(table, "2_1_1_0", "1_1_1_0")
        table.node.query(f"ALTER TABLE {table} ATTACH PARTITION 1")
        assert contents(table) == ROWS, error()


# The rows of a foreign part, not in the order of i; what another table writes them with.
FOREIGN = [(1, 9, "a"), (1, 3, "b"), (1, 5, "c")]  # 3 variants
MORE = f"{COLUMNS}, more UInt64"
FEWER = "p UInt64, i UInt64"
TEXT = "p UInt64, i String, owner String"
# What the other table is created with, the rows that its part gives here, None where it is refused.
TABLES: dict[str, tuple[dict[str, Any], list[tuple[int, int, str]] | None]] = {  # 10 variants
    "the same definition": ({}, FOREIGN),
    "a column more": ({"columns": MORE}, FOREIGN),
    "a column less": ({"columns": FEWER}, [(p, i, "") for p, i, _ in FOREIGN]),
    "another engine": ({"engine": "ReplacingMergeTree"}, FOREIGN),
    "the partition key written otherwise": ({"partition_by": "p + 0"}, FOREIGN),
    "a partition key of another type": (
        {"columns": "p String, i UInt64, owner String"},
        None,
    ),
    "another column as partition key": ({"partition_by": "i - i + 1"}, None),
    "a column of another type": ({"columns": TEXT}, FOREIGN),
    "another sorting key": ({"order_by": "owner"}, FOREIGN),
    "a sorting key of the same type": ({"order_by": "p"}, FOREIGN),
}
FOUND_ALL = "all"
PART = "1_1_1_0"
FOUND = "every row is found, and those of other parts can be read"
IN_ORDER = "in the order of the key"
BY_KEY = "; ".join(f"with i = {i}: code 33" for i in (1, 3, 5, 9))
# What is attached and not found, by the definition of the other table.
NOT_FOUND = {  # 3 variants
    "a column of another type": f"{IN_ORDER}: code 33; {BY_KEY}",
    "another sorting key": f"{IN_ORDER}: code 33; {BY_KEY}",
    "a sorting key of the same type": f"{IN_ORDER}: another order; "
    + "; ".join(f"with i = {i}: 0 rows" for i in (3, 5, 9)),
}
NOT_FOUND_BEFORE = {  # 3 variants
    **NOT_FOUND,
    "a column of another type": BY_KEY,
    "another sorting key": f"{IN_ORDER}: another order; {BY_KEY}",
}
not_compared = partial(
    deviates,
    step=FOUND,
    reason="the types of the columns and the sorting key of a detached part are not compared with those of "
    "the table; rows that lie in another order are not found by the key, or no row can be read",
    kind="bug",
    severity="wrong answer",
    no_sql="it copies a part among the detached parts of another table",
)


def by_kind(not_found: dict[str, str]) -> dict[str, str]:
    return {f"{kind}, {name}": seen for kind in FORMATS for name, seen in not_found.items()}


def foreign_part(options: dict[str, Any], kind: str) -> tuple[Table, str]:
    """A part of another table, copied among the detached parts of a table with a row."""
    table = create_table("table", settings=FORMATS[kind])
    insert(table, ROWS[:1])
    origin = create_table("origin", **{"settings": FORMATS[kind], **options})
    rows = ", ".join(str(row[:2] if options.get("columns") == FEWER else row) for row in FOREIGN)
    names = "p, i" if options.get("columns") == FEWER else "p, i, owner"
    origin.node.query(f"INSERT INTO {origin} ({names}) VALUES {rows}")
    (part,) = active_parts(origin).values()
    copy_to_detached(part.folder, table)
    return table, part.name


def what_is_read(table: Table, came: list[tuple[int, int, str]]) -> str:
    """What goes wrong when the rows are read: in full, in the order of the key, by each value of the key, and
    those of the part that was there."""
    rows = sorted([*ROWS[:1], *came])
    questions = {
        "in full": (f"SELECT * FROM {table} ORDER BY ALL", rows),
        "in the order of the key": (f"SELECT * FROM {table} ORDER BY i", rows),
        "of the part that was there": (f"SELECT * FROM {table} WHERE _part = '{PART}'", ROWS[:1]),
        **{
            f"with i = {row[1]}": (f"SELECT * FROM {table} WHERE i = {row[1]}", [row])
            for row in rows
        },
    }
    return "; ".join(
        f"{name}: {found}"
        for name, (sql, expected) in questions.items()
        if (found := what_is_found(table, sql, expected)) != FOUND_ALL
    )


def what_is_found(table: Table, sql: str, expected: list[tuple[int, int, str]]) -> str:
    try:
        found = table.node.query(sql)
    except QueryFailed as failed:
        return f"code {failed.code}"
    if found == expected:
        return FOUND_ALL
    return "another order" if sorted(found) == sorted(expected) else f"{len(found)} rows"


@TestScenario
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_ForeignParts("1.0"))
@not_compared(when="clickhouse >= 26.8", observed=by_kind(NOT_FOUND))
@not_compared(
    when="clickhouse < 26.8",
    observed=by_kind(NOT_FOUND_BEFORE),
    id="foreign-parts.parts-of-other-tables-before-26-8",
)
def parts_of_other_tables(self):
    """A part of a table with another definition is refused, or all of its rows are found."""
    violations: dict[str, object] = {}
    for kind in FORMATS:
        for name, (options, rows) in TABLES.items():
            with Given(f"a detached part of a table with {name}, {kind}"):
                table, part = foreign_part(options, kind)
                files = detached_files(table)

            with When("I attach it"):
                outcome = attempt(table.node, f"ALTER TABLE {table} ATTACH PART '{part}'")
                if outcome.accepted:
                    if rows is None:
                        violations[f"{kind}, {name}"] = "attached"
                    elif read := what_is_read(table, rows):
                        violations[f"{kind}, {name}"] = read
                elif rows is not None and name not in NOT_FOUND:
                    violations[f"{kind}, {name}"] = str(outcome)

            with Then("one that is refused changes nothing"):
                if not outcome.accepted:
                    assert contents(table) == ROWS[:1], error()
                    assert lost_files(files, detached_files(table)) == [], error()
                else:
                    assert detached_files(table) == {}, error()

    with Then(FOUND):
        assert_no_violations(violations)
