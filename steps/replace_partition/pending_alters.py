"""ALTERs that have not been carried out in the parts yet, in the source, in the destination or in both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from steps.background_changes import in_background
from steps.partitions import replace_partition
from steps.tables import Table, create_table, definition, insert

COLUMNS = "p UInt64, i UInt64, owner String, v UInt64, w UInt64 DEFAULT i + 3"
INDEXED = f"{COLUMNS}, INDEX k v TYPE minmax GRANULARITY 1"


@dataclass(frozen=True)
class Case:
    """An ALTER to be carried out later.

    `structure` changes the definition of a table, so that both have to have it; `data` does not.
    `pending` are the mutations that are to be done then, and `condition` is one that an index serves.
    """

    name: str
    structure: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    columns: str = COLUMNS
    condition: str = ""


def _structure(name: str, *commands: str, pending: str = "") -> Case:
    return Case(name, structure=commands, pending=(pending,) if pending else ())


def _data(name: str, command: str, *, before: str = "") -> Case:
    structure = (before,) if before else ()
    return Case(name, structure=structure, data=(command,), pending=(f"({command})",))


CASES = (  # 17 variants
    _structure("ADD COLUMN", "ADD COLUMN z UInt64 DEFAULT i + 5"),
    _structure("COMMENT COLUMN", "COMMENT COLUMN v 'a number'"),
    _structure("MODIFY COLUMN of a codec", "MODIFY COLUMN v CODEC(ZSTD(3))"),
    _structure("MODIFY COLUMN of a default", "MODIFY COLUMN w DEFAULT i + 77"),
    _structure(
        "MODIFY COLUMN of a type", "MODIFY COLUMN v String", pending="(MODIFY COLUMN `v` String)"
    ),
    _structure(
        "MODIFY COLUMN to Nullable",
        "MODIFY COLUMN v Nullable(UInt64)",
        pending="(MODIFY COLUMN `v` Nullable(UInt64))",
    ),
    _structure("RENAME COLUMN", "RENAME COLUMN v TO x", pending="(RENAME COLUMN v TO x)"),
    _structure("DROP COLUMN", "DROP COLUMN v", pending="(DROP COLUMN v)"),
    _structure(
        "DROP COLUMN and ADD COLUMN",
        "DROP COLUMN v",
        "ADD COLUMN v UInt64 DEFAULT 8 AFTER owner",
        pending="(DROP COLUMN v)",
    ),
    _data("CLEAR COLUMN", "CLEAR COLUMN v"),
    _data("CLEAR COLUMN IN PARTITION", "CLEAR COLUMN v IN PARTITION 1"),
    _data("UPDATE", "UPDATE v = v + 1000 WHERE 1"),
    _data("DELETE", "DELETE WHERE i < 100"),
    _data("MATERIALIZE COLUMN", "MATERIALIZE COLUMN z", before="ADD COLUMN z UInt64 DEFAULT i + 5"),
    _data("MATERIALIZE INDEX", "MATERIALIZE INDEX k", before="ADD INDEX k w TYPE minmax"),
    _data(
        "MATERIALIZE PROJECTION",
        "MATERIALIZE PROJECTION k",
        before="ADD PROJECTION k (SELECT owner, sum(v) GROUP BY owner)",
    ),
    Case(
        "DROP INDEX and ADD INDEX",
        structure=("DROP INDEX k", "ADD INDEX k w TYPE minmax GRANULARITY 1"),
        pending=("(DROP INDEX k)",),
        columns=INDEXED,
        condition="w = 22",
    ),
)


def pair_with_pending(case: Case, sides: tuple[str, ...]) -> tuple[Table, Table]:
    """Source and destination, both altered, and the ALTER pending on these sides."""
    tables = {}
    for number, side in enumerate(("source", "destination")):
        table = tables[side] = create_table(side, columns=case.columns, settings={})
        base = 40 * number
        insert(
            table,
            [
                (
                    partition,
                    base + i,
                    side,
                    base + 10 * partition + i,
                    base + 10 * partition + 10 + i,
                )
                for partition in (1, 2)
                for i in (1, 2)
            ],
        )
        expected = list(case.pending) if side in sides else []
        if expected:
            table.node.query(f"SYSTEM STOP MERGES {table}")
        for command in case.structure + (case.data if side in sides else ()):
            sql = f"ALTER TABLE {table} {command}"
            waits = expected and not command.startswith("ADD")
            table.node.query(sql, settings=in_background(sql) if waits else {})
        assert pending(table) == expected, f"{table} has {pending(table)} to do, not {expected}"
    definitions = {definition(table) for table in tables.values()}
    assert len(definitions) == 1, f"source and destination differ: {definitions}"
    return tables["source"], tables["destination"]


@dataclass(frozen=True)
class Trial:
    """A partition that was replaced while an ALTER was pending: its rows and those of the other one."""

    case: Case
    destination: Table
    unfinished: tuple[Table, ...]
    expected: list[Row]
    actual: list[Row]
    kept: list[Row]
    others: list[Row]


def replace_while_pending(case: Case, sides: tuple[str, ...]) -> Trial:
    source, destination = pair_with_pending(case, sides)
    expected, kept = rows(source, "p = 1"), rows(destination, "p = 2")
    assert len(expected) == len(kept) == 2, f"the fixture of {case.name} has lost rows"
    replace_partition(destination, source=source, partition=1)
    actual, others = rows(destination, "p = 1"), rows(destination, "p = 2")
    tables = {"source": source, "destination": destination}
    for side, table in tables.items():
        wanted = list(case.pending) if side in sides else []
        assert pending(table) == wanted, f"{table} has {pending(table)} to do after REPLACE"
    unfinished = tuple(tables[side] for side in sides if case.pending)
    return Trial(case, destination, unfinished, expected, actual, kept, others)


def carry_out(trials: Sequence[Trial]) -> None:
    """Let the pending mutations run to their end."""
    tables = [table for trial in trials for table in trial.unfinished]
    for table in tables:
        table.node.query(f"SYSTEM START MERGES {table}")
    for table in tables:
        this().eventually(partial(pending, table), equals=[])


def violations_of(trial: Trial) -> dict[str, str]:
    """What is wrong with the replaced partition, at once and now that nothing is pending any more."""
    case, destination = trial.case, trial.destination
    later = rows(destination, "p = 1")
    pairs = {
        case.name: (trial.actual, trial.expected),
        f"{case.name}, other partition": (trial.others, trial.kept),
        f"{case.name}, carried out": (later, trial.actual),
    }
    if case.condition:
        by_scan = rows(destination, f"p = 1 AND {case.condition}", use_skip_indexes=0)
        assert len(by_scan) == 1, f"{case.condition} means {by_scan}"
        pairs[f"{case.name}, by index"] = rows(destination, f"p = 1 AND {case.condition}"), by_scan
    return {
        cell: f"{shown(actual)} instead of {shown(expected)}"
        for cell, (actual, expected) in pairs.items()
        if actual != expected
    }


def rows(table: Table, where: str, **settings: int) -> list[Row]:
    return sorted(table.node.query(f"SELECT * FROM {table} WHERE {where}", settings=settings))


def shown(rows: list[Row]) -> str:
    """What follows the key and the owner of each row."""
    return str([row[3:] for row in rows])


def pending(table: Table) -> list[str]:
    """The mutations that are still to be done."""
    # One row, whatever their number: an answer that lacks it is none.
    commands: list[str] = table.node.value(
        "SELECT groupArray(command) FROM (SELECT command FROM system.mutations WHERE NOT is_done "
        f"AND database = '{table.database}' AND table = '{table.name}' ORDER BY mutation_id)"
    )
    return commands
