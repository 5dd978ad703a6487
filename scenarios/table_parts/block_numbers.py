"""Block numbers: every insert into a partition gets one that is greater than all before."""

from collections.abc import Callable, Mapping
from functools import partial

from testflows.asserts import error
from testflows.core import Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.context import this
from helpers.marks import deviates, needs
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Name_BlockNumber
from steps.part_life import (
    CLEANED,
    KEPT,
    active_parts,
    detached_parts,
    in_background,
    merge,
    mutate,
    part_records,
    tidy_node,
)
from steps.refusals import listed
from steps.tables import NO_MERGES, Table, create_table, insert

PARTITIONS = (1, 2)
# What takes the newest of three parts away.
TAKING_AWAY = {
    "DROP PART": "ALTER TABLE {table} DROP PART '{newest}'",
    "DETACH PART": "ALTER TABLE {table} DETACH PART '{newest}'",
    "TRUNCATE": "TRUNCATE TABLE {table}",
}


def inserted_block(table: Table, partition: int) -> int:
    """The block number of the part that an insert into the partition makes."""
    before = part_records(table)
    insert(table, [(partition, this().random.randrange(1_000_000), "row")])
    (new,) = (part for name, part in active_parts(table).items() if name not in before)
    assert new.min_block == new.max_block, f"{new.name} is not of one block"
    return new.min_block


def newest(table: Table, partition: int) -> str:
    parts = [one for one in active_parts(table).values() if one.partition_id == str(partition)]
    return max(parts, key=lambda part: part.max_block).name


def count_parts(table: Table) -> int:
    return len(part_records(table))


def detach_and_attach(table: Table) -> None:
    name = newest(table, 1)
    table.node.query(f"ALTER TABLE {table} DETACH PART '{name}'")
    table.node.query(f"ALTER TABLE {table} ATTACH PART '{name}'")


LIFE: Mapping[str, Callable[[Table], object]] = {
    "nothing": lambda table: None,
    "a merge": merge,
    "a mutation": lambda table: mutate(table, "UPDATE owner = 'changed' WHERE i % 2"),
    "a part detached and attached": detach_and_attach,
    "a part dropped": lambda table: table.node.query(
        f"ALTER TABLE {table} DROP PART '{newest(table, 1)}'"
    ),
    "a partition dropped": lambda table: table.node.query(f"ALTER TABLE {table} DROP PARTITION 2"),
    "a restart": lambda table: table.node.restart(),
    "a crash": lambda table: (table.node.kill(), table.node.start()),
}


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Name_BlockNumber("1.0"))
@needs(Capability.PROCESS_CONTROL)
def block_numbers_grow(self):
    """Whatever happens between two inserts into a partition, the later one has the greater number."""
    with Given("a table that keeps its superseded parts"):
        table = create_table("growing", settings={**NO_MERGES, **KEPT})
        greatest = {partition: inserted_block(table, partition) for partition in PARTITIONS}

    violations = []
    for what, happen in LIFE.items():
        with When(f"there is {what} between inserts"):
            happen(table)
            # An attached part has taken a number as well.
            for part in active_parts(table).values():
                partition = int(part.partition_id)
                greatest[partition] = max(greatest[partition], part.max_block)
            for partition in PARTITIONS * 2:
                block = inserted_block(table, partition)
                if block <= greatest[partition]:
                    violations.append(f"{what}: {block} after {greatest[partition]}")
                greatest[partition] = max(block, greatest[partition])

    with Then("every number was greater than all before in its partition"):
        assert violations == [], error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Name_BlockNumber("1.0"))
@needs(Capability.PROCESS_CONTROL)
@deviates(
    step="the next number is greater than all that were given",
    effect="numbers given again: DROP PART: 3 after 3; DETACH PART: 3 after 3; TRUNCATE: 1 after 3",
    reason="the server remembers no number: at its start it goes on from the greatest one among the "
    "parts that it finds, so that those of parts which were taken away are given again",
)
def number_of_a_part_that_was_taken_away(self):
    """The number of a part that was dropped or detached is not given again after a restart."""
    with Given("tables with three parts"):
        node = tidy_node()
        settings = {**NO_MERGES, **CLEANED}
        tables = {name: create_table("taken", node=node, settings=settings) for name in TAKING_AWAY}
        given = {}
        for name, table in tables.items():
            given[name] = [inserted_block(table, 1) for _ in range(3)]

    with When(
        "the newest part, or all of them, is taken away without a trace, and the server restarts"
    ):
        for name, table in tables.items():
            node.query(TAKING_AWAY[name].format(table=table, newest=newest(table, 1)))
        for name, left in {"DROP PART": 2, "DETACH PART": 2, "TRUNCATE": 0}.items():
            in_background(partial(count_parts, tables[name]), equals=left)
        assert list(detached_parts(tables["DETACH PART"])) == ["1_3_3_0"], error()
        node.restart()

    with Then("the next number is greater than all that were given"):
        next_numbers = {name: inserted_block(table, 1) for name, table in tables.items()}
        again = [
            f"{name}: {number} after {max(given[name])}"
            for name, number in next_numbers.items()
            if number <= max(given[name])
        ]
        assert not again, listed("numbers given again", again)
