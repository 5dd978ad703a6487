"""What a statement on a partition has to leave after REPLACE PARTITION, and how it is prepared for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from steps.replace_partition.concurrent_statement import (
    INDEXED,
    OTHER_PARTITION,
    Check,
    Tables,
    rows,
)
from steps.replace_partition.frozen_parts import VERBOSE, files_of, frozen_rows
from steps.replace_partition.held_statements import HOLDABLE, PARTITION
from steps.tables import Table, fill, insert

ALTER = "ALTER TABLE {destination} "
FREEZE = f"{ALTER}FREEZE PARTITION 1 WITH NAME '{{backup}}'"
PARTITION_CELL = "the partition"
THIRD_CELL = "the third table"
INDEX_SIZE = "secondary_indices_compressed_bytes"


def both_tables(
    destination: Callable[[Tables], list[Row]], third: Callable[[Tables], list[Row]]
) -> Check:
    """What the partition has to hold in the destination and in the third table."""

    def check(tables: Tables) -> dict[str, str]:
        return {
            **tables.differ(PARTITION_CELL, rows(tables.destination), destination(tables)),
            **tables.differ(THIRD_CELL, rows(tables.third), third(tables)),
        }

    return check


def changed_rows(change: Callable[[Row], Row | None]) -> Check:
    """The partition ends with the new rows, each changed so, or left out where that gives None."""

    def check(tables: Tables) -> dict[str, str]:
        expected = [row for row in map(change, tables.new) if row is not None]
        return tables.differ(PARTITION_CELL, rows(tables.destination), expected)

    return check


new_rows = changed_rows(lambda row: row)


def detached_rows(tables: Tables) -> list[Row]:
    """The rows of the detached parts: they show when the parts are attached."""
    before = Counter(rows(tables.destination))
    tables.node.query(f"ALTER TABLE {tables.destination} ATTACH PARTITION {PARTITION}")
    after = Counter(rows(tables.destination))
    assert before <= after, f"ATTACH PARTITION has removed {before - after}"
    return list((after - before).elements())


partition_is_empty = both_tables(lambda _: [], lambda tables: tables.other)


def new_rows_are_detached(tables: Tables) -> dict[str, str]:
    violations = partition_is_empty(tables)
    return violations | tables.differ("what is detached", detached_rows(tables), tables.new)


def nothing_is_detached(tables: Tables) -> dict[str, str]:
    violations = new_rows(tables)
    return violations | tables.differ("what is detached", detached_rows(tables), [])


def detach_some(tables: Tables) -> None:
    """Rows that ATTACH can bring back."""
    numbers = this().numbers.draw(5)
    insert(tables.destination, [(PARTITION, number, "attached") for number in numbers])
    tables.detached = rows(tables.destination)
    tables.node.query(f"ALTER TABLE {tables.destination} DETACH PARTITION {PARTITION}")
    (tables.detached_part,) = detached_parts(tables)


def detached_parts(tables: Tables) -> list[str]:
    table = tables.destination
    return table.node.column(
        "SELECT name FROM system.detached_parts "
        f"WHERE database = '{table.database}' AND table = '{table.name}'"
    )


def detached_rows_are_there(tables: Tables) -> dict[str, str]:
    """What was detached earlier is there as long as REPLACE PARTITION is running."""
    there = detached_parts(tables) == [tables.detached_part]
    return {} if there else {"the detached part": "is gone while REPLACE PARTITION is running"}


def detached_rows_are_gone(tables: Tables) -> dict[str, str]:
    """In the end it is gone, and the partition has the new rows."""
    violations = {"the detached part": "is there in the end"} if detached_parts(tables) else {}
    return violations | new_rows(tables)


def freeze_some(tables: Tables) -> None:
    """A backup that UNFREEZE can remove."""
    fill(tables.destination, [PARTITION])
    sql = FREEZE.format(**vars(tables))
    tables.frozen = tables.node.query(sql, settings=VERBOSE)
    tables.backed_up = rows(tables.destination)
    actual = rows_in(tables.frozen, tables)
    assert actual and actual == tables.backed_up, "the backup is not complete"


def rows_in(answer: list[Row], tables: Tables) -> list[Row]:
    """The rows of the parts that FREEZE says it has copied."""
    return frozen_rows(answer, tables.node, columns=INDEXED, settings=HOLDABLE)


def new_rows_are_frozen(tables: Tables) -> dict[str, str]:
    """The backup holds the new rows, and the partition as well."""
    return frozen_with(tables, [])


def whole_table_is_frozen(tables: Tables) -> dict[str, str]:
    """The backup holds those of the other partition, too."""
    return frozen_with(tables, tables.untouched)


def frozen_with(tables: Tables, others: list[Row]) -> dict[str, str]:
    frozen = rows_in(tables.answer, tables)
    missing = {} if all(row in frozen for row in others) else {"the backup": "one partition only"}
    of_partition = [row for row in frozen if row not in others]
    return new_rows(tables) | missing | tables.differ("the backup", of_partition, tables.new)


def backup_is_gone(tables: Tables) -> dict[str, str]:
    violations = {"the backup": "is there in the end"} if files_of(tables.frozen) else {}
    return violations | new_rows(tables)


def backup_is_there(tables: Tables) -> dict[str, str]:
    """The backup stays complete as long as REPLACE PARTITION is running."""
    if not files_of(tables.frozen):
        return {"the backup": "is gone while REPLACE PARTITION is running"}
    return tables.differ("the backup", rows_in(tables.frozen, tables), tables.backed_up)


def on_disk(disk: str | None = None) -> Check:
    """All new parts are on this disk, or where they are in the source; and so are all new rows."""

    def check(tables: Tables) -> dict[str, str]:
        actual, expected = disks_of(tables.destination), disk or disks_of(tables.source)
        violations = {} if actual == expected else {"the new parts": f"on {actual}"}
        return violations | new_rows(tables)

    return check


def index_is_cleared(tables: Tables) -> dict[str, str]:
    sizes = [size for _, size in active(tables.destination, INDEX_SIZE)]
    kept = len([size for size in sizes if size])
    violations = {"the index": f"kept in {kept} of {len(sizes)} new parts"} if kept else {}
    if not all(size for _, size in active(tables.destination, INDEX_SIZE, OTHER_PARTITION)):
        violations["the index of another partition"] = "cleared"
    return violations | new_rows(tables)


def old_parts_are_not_moved(tables: Tables) -> dict[str, str]:
    disks = disks_of(tables.destination)
    return {} if disks == "default" else {"the old parts meanwhile": f"on {disks}"}


def disks_of(table: Table) -> str:
    return ", ".join(sorted({disk for _, disk in active(table, "disk_name")}))


def active(table: Table, column: str, partition: int = PARTITION) -> list[Row]:
    """Name and one more column of the active parts of a partition."""
    return table.node.query(
        f"SELECT name, {column} FROM system.parts WHERE database = '{table.database}' "
        f"AND table = '{table.name}' AND active AND rows > 0 AND partition_id = '{partition}'"
    )
