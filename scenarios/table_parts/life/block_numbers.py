"""Block numbers: every insert into a partition gets one that is greater than all before."""

from collections.abc import Callable, Mapping
from functools import partial

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.context import this
from helpers.scenario.marks import needs
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Name_BlockNumber
from steps.restarts import RESTARTS, restart, restarts_since
from steps.table_parts.part_life import (
    CLEANED,
    KEPT,
    PartRecord,
    detached_parts,
    filled_parts,
    in_background,
    part_records,
    supersede,
    tidy_node,
)
from steps.tables import NO_MERGES, Table, contents, create_table, insert

PARTITIONS = (1, 2)  # 2 variants
# What takes parts away, and the numbers of those that are left of three.
TAKING_AWAY = {  # 3 variants
    "DROP PART": ("ALTER TABLE {table} DROP PART '1_3_3_0'", [1, 2]),
    "DETACH PART": ("ALTER TABLE {table} DETACH PART '1_3_3_0'", [1, 2]),
    "TRUNCATE": ("TRUNCATE TABLE {table}", []),
}


def inserted_block(table: Table, partition: int = 1) -> int:
    """The block number of the part that an insert into the partition makes."""
    before = filled_parts(table)
    (number,) = this().numbers.draw(1)
    insert(table, [(partition, number, "row")])
    after = filled_parts(table)
    (new,) = (part for name, part in after.items() if name not in before)
    assert after == {**before, new.name: new}, f"not only {new.name} is new: {sorted(after)}"
    assert new.min_block == new.max_block, f"{new.name} is not of one block"
    assert new.partition_id == str(partition), f"{new.name} is not of partition {partition}"
    return new.min_block


def block_numbers(table: Table) -> list[int]:
    return [part.min_block for part in part_records(table).values()]


def newest(parts: Mapping[str, PartRecord]) -> str:
    """The part of partition 1 with the greatest number."""
    of_partition = [part for part in parts.values() if part.partition_id == "1"]
    return max(of_partition, key=lambda part: part.max_block).name


def detach_and_attach(table: Table) -> None:
    before, rows = filled_parts(table), contents(table)
    name = newest(before)
    table.node.query(f"ALTER TABLE {table} DETACH PART '{name}'")
    table.node.query(f"ALTER TABLE {table} ATTACH PART '{name}'")
    after = filled_parts(table)
    assert before.keys() - after.keys() == {name}, f"{name} was not detached: {sorted(after)}"
    assert len(after) == len(before), f"{name} was not attached: {sorted(after)}"
    assert contents(table) == rows, "rows were lost with a part that was detached and attached"


def drop_newest(table: Table) -> None:
    before = filled_parts(table)
    name = newest(before)
    table.node.query(f"ALTER TABLE {table} DROP PART '{name}'")
    del before[name]
    assert filled_parts(table) == before, f"{name} was not dropped, or others were"


def drop_partition(table: Table) -> None:
    table.node.query(f"ALTER TABLE {table} DROP PARTITION 2")
    assert contents(table, partition=2) == [], "the partition was not dropped"


def restarted(how: str) -> Callable[[Table], None]:
    return lambda table: RESTARTS[how](table.node)


# What can happen between two inserts; each proves that it has happened.
BETWEEN: Mapping[str, Callable[[Table], object]] = {  # 7 variants
    "nothing": lambda table: None,
    "a merge": lambda table: supersede(table, "a merge"),
    "a mutation": lambda table: supersede(table, "a mutation"),
    "a part detached and attached": detach_and_attach,
    "a part dropped": drop_newest,
    "a partition dropped": drop_partition,
    **{how: restarted(how) for how in RESTARTS},
}

# What of that the names of the parts tell.
CHANGES = {
    **dict.fromkeys(("nothing", *RESTARTS), "gone 0, new 0"),
    "a merge": "merged",
    "a mutation": "mutated",
    "a part detached and attached": "gone 1, new 1",
    "a part dropped": "gone 1, new 0",
    "a partition dropped": "gone ['2'], new 0",
}


def change(before: Mapping[str, PartRecord], after: Mapping[str, PartRecord]) -> str:
    """What has happened to the parts of a table, as their names tell."""
    gone = [part for name, part in before.items() if name not in after]
    new = [part for name, part in after.items() if name not in before]
    places = {part.place for part in gone}, {part.place for part in new}
    if gone and places[0] == places[1]:
        return "mutated"
    if new and all(any(part.covers(old) for old in gone) for part in new):
        return "merged"
    left = {part.partition_id for part in after.values()}
    of_partitions = sorted({part.partition_id for part in gone} - left)
    return f"gone {len(gone) if of_partitions == [] else of_partitions}, new {len(new)}"


def numbers_given_again(table: Table, greatest: dict[int, int], what: str) -> list[str]:
    """Block numbers of inserts after an event that are not greater than all before."""
    before = filled_parts(table)
    BETWEEN[what](table)
    parts = filled_parts(table)
    assert change(before, parts) == CHANGES[what], f"{what}: {change(before, parts)}"
    # An attached part has taken a number as well.
    for part in parts.values():
        partition = int(part.partition_id)
        greatest[partition] = max(greatest[partition], part.max_block)
    wrong, inserted = [], set()
    for partition in PARTITIONS * 2:
        block = inserted_block(table, partition)
        inserted.add(f"{partition}_{block}_{block}_0")
        if block <= greatest[partition]:
            wrong.append(f"{what}: {block} after {greatest[partition]}")
        greatest[partition] = max(block, greatest[partition])
    assert filled_parts(table).keys() == parts.keys() | inserted, f"{what}: parts are missing"
    return wrong


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Name_BlockNumber("1.1"))
@needs(Capability.PROCESS_CONTROL)
def block_numbers_grow(self):
    """Whatever happens between two inserts into a partition, the later one has the greater number."""
    with Given("a table that keeps its superseded parts"):
        table = create_table("growing", settings={**NO_MERGES, **KEPT})
        greatest = {partition: inserted_block(table, partition) for partition in PARTITIONS}

    with When("I insert after everything that can happen to a table"):
        position = table.node.log_position()
        violations = [
            wrong for what in BETWEEN for wrong in numbers_given_again(table, greatest, what)
        ]

    with Then("every number was greater than all before in its partition"):
        assert violations == [], error()

    with And("the server was restarted and has crashed meanwhile"):
        assert restarts_since(table.node, position) == ["a restart", "a crash"], error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Name_BlockNumber("1.1"))
@needs(Capability.PROCESS_CONTROL)
def number_of_a_part_that_was_taken_away(self):
    """It is not given again while the server runs; after a restart the numbers follow what is left."""
    with Given("tables with three parts"):
        node, tables = tidy_node(), {}
        position = node.log_position()
        for name in TAKING_AWAY:
            table = create_table("taken", node=node, settings={**NO_MERGES, **CLEANED})
            tables[name] = table
            assert [inserted_block(table) for _ in range(3)] == [1, 2, 3], error()

    with When("the newest part, or all of them, is taken away without a trace"):
        for name, (statement, left) in TAKING_AWAY.items():
            table = tables[name]
            node.query(statement.format(table=table))
            in_background(partial(block_numbers, table), equals=left)
        assert detached_parts(tables["DETACH PART"]) == {"1_3_3_0": ""}, error()

    with Then("the next number is greater than all that were given"):
        assert [inserted_block(table) for table in tables.values()] == [4, 4, 4], error()

    with And("after a restart, too, it is greater than those of the parts that are there"):
        restart(node)
        assert restarts_since(node, position) == ["a restart"], error()
        assert [inserted_block(table) for table in tables.values()] == [5, 5, 5], error()
