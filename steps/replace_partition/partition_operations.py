"""The statements that manipulate a partition, and what each has to leave after REPLACE PARTITION.

A statement that names a part names an old one. After REPLACE PARTITION that part is gone: the statement is
refused and nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from steps.background_changes import UNTIL_DONE
from steps.replace_partition.concurrent_statement import Check, Operation, Tables
from steps.replace_partition.frozen_parts import VERBOSE
from steps.replace_partition.partition_checks import (
    ALTER,
    FREEZE,
    backup_is_gone,
    backup_is_there,
    both_tables,
    changed_rows,
    detach_some,
    detached_rows_are_gone,
    detached_rows_are_there,
    freeze_some,
    index_is_cleared,
    new_rows_are_detached,
    new_rows_are_frozen,
    nothing_is_detached,
    old_parts_are_not_moved,
    on_disk,
    partition_is_empty,
    whole_table_is_frozen,
)

EVEN = "i % 2 = 0"
NO_SUCH_PART = 232


def named_part(statement: str, check: Check) -> Operation:
    """A statement about an old part, which is gone after REPLACE PARTITION."""
    return Operation(ALTER + statement, check, refused=NO_SUCH_PART)


class Prepared(NamedTuple):
    """What a statement removes: how it comes to be there, and how one sees that it is there or gone."""

    make: Callable[[Tables], None]
    is_there: Check
    is_gone: Check


def removing(prepared: Prepared, statements: Mapping[str, str]) -> dict[str, Operation]:
    """Statements that remove it; it has to be there as long as REPLACE PARTITION is running."""
    return {
        name: Operation(
            ALTER + sql, prepared.is_gone, prepare=prepared.make, meanwhile=prepared.is_there
        )
        for name, sql in statements.items()
    }


DETACHED = Prepared(detach_some, detached_rows_are_there, detached_rows_are_gone)
BACKUP = Prepared(freeze_some, backup_is_there, backup_is_gone)
ATTACHED = both_tables(lambda tables: tables.new + tables.detached, lambda tables: tables.other)
DETACH = {
    "DETACH PARTITION": Operation(ALTER + "DETACH PARTITION 1", new_rows_are_detached),
    "DETACH PART": named_part("DETACH PART '{part}'", nothing_is_detached),
}
DROP = {
    "DROP PARTITION": Operation(ALTER + "DROP PARTITION 1", partition_is_empty),
    "DROP PART": named_part("DROP PART '{part}'", nothing_is_detached),
}
ATTACH = {
    "ATTACH PARTITION": Operation(ALTER + "ATTACH PARTITION 1", ATTACHED, prepare=detach_some),
    "ATTACH PART": Operation(
        ALTER + "ATTACH PART '{detached_part}'", ATTACHED, prepare=detach_some
    ),
}
DROP_DETACHED = removing(
    DETACHED,
    {
        "DROP DETACHED PARTITION": "DROP DETACHED PARTITION 1 SETTINGS allow_drop_detached = 1",
        "DROP DETACHED PART": "DROP DETACHED PART '{detached_part}' SETTINGS allow_drop_detached = 1",
    },
)
UNFREEZE = removing(
    BACKUP,
    {
        "UNFREEZE PARTITION": "UNFREEZE PARTITION 1 WITH NAME '{backup}'",
        "UNFREEZE": "UNFREEZE WITH NAME '{backup}'",
    },
)
ATTACH_FROM = {
    "ATTACH PARTITION FROM": Operation(
        ALTER + "ATTACH PARTITION 1 FROM {third}",
        both_tables(lambda tables: tables.new + tables.other, lambda tables: tables.other),
    )
}
REPLACE = {
    "REPLACE PARTITION": Operation(
        ALTER + "REPLACE PARTITION 1 FROM {third}",
        both_tables(lambda tables: tables.other, lambda tables: tables.other),
    )
}
REPLACE_THIRD = {
    "REPLACE PARTITION of a third table": Operation(
        "ALTER TABLE {third} REPLACE PARTITION 1 FROM {destination}",
        both_tables(lambda tables: tables.new, lambda tables: tables.new),
    )
}
MOVE_TO_TABLE = {
    "MOVE PARTITION TO TABLE": Operation(
        ALTER + "MOVE PARTITION 1 TO TABLE {third}",
        both_tables(lambda _: [], lambda tables: tables.other + tables.new),
    )
}
CLEAR_COLUMN = {
    "CLEAR COLUMN IN PARTITION": Operation(
        ALTER + "CLEAR COLUMN owner IN PARTITION 1", changed_rows(lambda row: (*row[:2], ""))
    )
}
CLEAR_INDEX = {
    "CLEAR INDEX IN PARTITION": Operation(
        ALTER + "CLEAR INDEX numbers IN PARTITION 1", index_is_cleared
    )
}
FREEZE_PARTITION = {
    "FREEZE PARTITION": Operation(FREEZE, new_rows_are_frozen, settings=VERBOSE),
    "FREEZE": Operation(
        ALTER + "FREEZE WITH NAME '{backup}'", whole_table_is_frozen, settings=VERBOSE
    ),
}
MOVE = {
    f"MOVE {what} TO {target.split()[0]}": Operation(
        ALTER + f"MOVE {what} {name} TO {target}",
        on_disk(expected),
        meanwhile=old_parts_are_not_moved,
        refused=refused,
    )
    for what, name, expected, refused in (
        ("PARTITION", "1", "hold_other", None),
        ("PART", "'{part}'", None, NO_SUCH_PART),
    )
    for target in ("DISK 'hold_other'", "VOLUME 'other'")
}
UPDATE = {
    "UPDATE IN PARTITION": Operation(
        ALTER + f"UPDATE owner = 'changed' IN PARTITION 1 WHERE {EVEN}",
        changed_rows(lambda row: row if row[1] % 2 else (*row[:2], "changed")),
        settings=UNTIL_DONE,
    )
}
DELETE = {
    "DELETE IN PARTITION": Operation(
        ALTER + f"DELETE IN PARTITION 1 WHERE {EVEN}",
        changed_rows(lambda row: row if row[1] % 2 else None),
        settings=UNTIL_DONE,
    )
}
