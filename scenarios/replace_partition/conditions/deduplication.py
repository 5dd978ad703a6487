"""Destinations that remove duplicates go on doing so after a partition was replaced."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication_Window,
)
from steps.partitions import replace_partition
from steps.parts import parts
from steps.replace_partition.deduplication import (
    FAMILIES,
    final_rows,
    insert_again,
    insert_is_duplicate,
    insert_parts,
    merged_rows,
)
from steps.row_origins import describe_rows
from steps.tables import NO_MERGES, contents, create_table, insert

KEYS = range(1, 6)
PARTS = 3
WINDOW = {**NO_MERGES, "non_replicated_deduplication_window": 100}
# What else removes the rows of a partition.
REMOVALS = {  # 3 variants
    "dropped": "ALTER TABLE {} DROP PARTITION 1",
    "detached": "ALTER TABLE {} DETACH PARTITION 1",
    "truncated": "TRUNCATE TABLE {}",
}


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication("1.0"))
def every_engine_of_the_family(self):
    """There is one row for each key of the source, read with FINAL and also once merged: the row that
    the engine has to make of the source's rows, and of nothing that the destination had before."""
    node = this().node("graphite", fragments=("graphite",))
    violations: dict[str, str] = {}

    def check(cell: str, actual: object, expected: object) -> None:
        if actual != expected:
            violations[cell] = f"{actual} instead of {expected}"

    for family in FAMILIES:
        for engine in ("MergeTree", family.engine):
            name = f"{family.name} from {engine}"
            with Given(f"{name}: parts with the same keys, newer ones in the destination"):
                source = family.table("source", node, engine)
                destination = family.table("destination", node)
                *history, later = family.history(KEYS, parts=PARTS + 1, since=0)
                expected = family.expected(history)
                insert_parts(source, history)
                replaced = family.history([*KEYS, 99], parts=2, since=1000)
                insert_parts(destination, replaced)
                check(f"{name}, source", len(parts(source)), PARTS)
                check(f"{name}, before", final_rows(destination), family.expected(replaced))
                assert len(expected) == len(KEYS), error()
                assert family.expected(replaced) != expected, error()

            with When("I replace the partition"):
                replace_partition(destination, source=source, partition=1)

            with Then("FINAL makes one row of those with the same key"):
                check(f"{name}, FINAL", final_rows(destination), expected)

            with And("it takes later rows into account"):
                insert_parts(destination, [later])
                expected = family.expected([*history, later])
                check(f"{name}, FINAL after an insert", final_rows(destination), expected)

            with And("so does a merge"):
                check(f"{name}, merged", merged_rows(destination), expected)

    with Then("it was so for every engine"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication("1.0"))
def windows_of_inserted_blocks(self):
    """The tables' memories of inserted blocks are not mixed up: each recognises its own blocks that
    come twice, and the destination takes a block that only the source has seen."""
    with Given("two tables that recognise a block inserted twice"):
        source, destination = (
            create_table(name, settings=WINDOW) for name in ("source", "destination")
        )
        of_source, of_destination, fresh = [(1, 1, "s")], [(1, 2, "d")], [(1, 3, "f")]
        for table, block in ((source, of_source), (destination, of_destination)):
            insert(table, block)
            insert_again(table, block)
        assert (contents(source), contents(destination)) == (of_source, of_destination), error()

    with When("I replace the partition"):
        replace_partition(destination, source=source, partition=1)
        assert contents(destination) == of_source, error()

    with Then("the source still recognises its block"):
        insert_again(source, of_source)
        assert contents(source) == of_source, error()

    with And("the destination recognises a block that is inserted twice from now on"):
        assert not insert_is_duplicate(destination, fresh), error()
        insert_again(destination, fresh)
        assert contents(destination) == of_source + fresh, error()

    with And("it takes a block that it has not been sent before, though the source has"):
        assert not insert_is_duplicate(destination, of_source), error()
        assert contents(destination) == of_source * 2 + fresh, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication_Window("1.0"))
@deviates(
    step="the block that was replaced is stored again",
    observed={"the block that was replaced": "taken for a duplicate, its rows are not there"},
    reason="REPLACE PARTITION leaves the blocks of the parts it removes in the destination's memory, "
    "whereas DROP PARTITION, DETACH PARTITION and TRUNCATE take them out",
    kind="bug",
    severity="data lost",
)
def replaced_block_is_inserted_again(self):
    """A block whose rows were replaced is new to the destination; one of another partition is not."""
    new, block, other, fresh = (
        [(1, 9, "s")],
        [(1, 1, "d"), (1, 2, "e")],
        [(2, 3, "d")],
        [(1, 4, "f")],
    )

    with Given("a destination that recognises a block of each of its partitions"):
        source, destination = create_table("source"), create_table("destination", settings=WINDOW)
        insert(source, new)
        for rows in (block, other):
            insert(destination, rows)
            insert_again(destination, rows)
        assert contents(destination) == block + other, error()

    for name, removal in REMOVALS.items():
        with And(f"that is how it is if they are {name}: the block is stored again"):
            table = create_table(name, settings=WINDOW)
            insert(table, block)
            assert contents(table) == block, error()
            table.node.query(removal.format(table))
            assert contents(table) == [], error()
            insert(table, block)
            assert contents(table) == block, error()

    with When("I replace the partition"):
        replace_partition(destination, source=source, partition=1)
        assert contents(destination) == new + other, error()

    with Then("the block of the other partition is still recognised"):
        insert_again(destination, other)
        assert contents(destination) == new + other, error()

    with And("a block that never was there is stored"):
        assert not insert_is_duplicate(destination, fresh), error()
        assert contents(destination) == sorted(new + fresh) + other, error()

    with And("the block that was replaced is stored again"):
        duplicate = insert_is_duplicate(destination, block)
        rows = contents(destination)
        violations = {}
        if duplicate and rows == sorted(new + fresh) + other:
            violations["the block that was replaced"] = (
                "taken for a duplicate, its rows are not there"
            )
        elif rows != sorted(new + fresh + block) + other:
            known = {"new": new, "fresh": fresh, "replaced": block, "other": other}
            violations["the block that was replaced"] = describe_rows(rows, known)
        assert_no_violations(violations)
