"""Lightweight UPDATE and DELETE, which write patch parts and leave the parts that they change as they are."""

from testflows.asserts import error
from testflows.core import (
    And,
    Examples,
    Given,
    Requirements,
    Scenario,
    TestOutline,
    Then,
    When,
)

from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from helpers.scenario.marks import needs
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_LightweightUpdates,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PatchParts,
)
from steps.background_changes import UNTIL_DONE, until_done
from steps.partitions import replace_is_refused, replace_partition
from steps.parts import parts
from steps.replace_partition.held_statements import (
    HOLDABLE,
    HOLDING,
    began_during,
    has_begun,
    held_replace,
    holding_node,
)
from steps.restarts import restart
from steps.row_origins import describe_rows
from steps.tables import NO_MERGES, Table, contents, partitioned_pair

# What a table needs to be changed by patch parts, and DELETE FROM to write one.
PATCHABLE = {"enable_block_number_column": 1, "enable_block_offset_column": 1}
BY_PATCH = {"UPDATE": {}, "DELETE": {"lightweight_delete_mode": "lightweight_update"}}
STATEMENTS = {  # 2 variants
    "UPDATE": "UPDATE {table} SET owner = 'patched' WHERE i % 2 = 0",
    "DELETE": "DELETE FROM {table} WHERE i % 2 = 0",
}
SUPPORT_IS_DISABLED = 344


def patched(rows: list[Row], statement: str) -> list[Row]:
    """What the statement makes of rows."""
    if statement == "DELETE":
        return [row for row in rows if row[1] % 2]
    return [row if row[1] % 2 else (*row[:2], "patched") for row in rows]


def patch(table: Table, statement: str) -> None:
    """Change a table by patch parts, one for each of its partitions, and see that it is so."""
    before, expected = len(patch_parts(table)), patched(contents(table), statement)
    table.node.query(STATEMENTS[statement].format(table=table), settings=BY_PATCH[statement])
    assert len(patch_parts(table)) == before + 2, error()
    assert contents(table) == expected, error()


def patch_parts(table: Table) -> list[str]:
    return [part.name for part in parts(table) if part.name.startswith("patch-")]


@TestOutline(Scenario)
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PatchParts("1.0"))
@Examples("statement", [("UPDATE",), ("DELETE",)])
def patches_of_the_source(self, statement):
    """A source with patches is refused until they have been applied, and then copied with its changes."""
    with Given(f"a source whose rows were changed by {statement}"):
        source, destination = partitioned_pair(2, settings={**NO_MERGES, **PATCHABLE})
        patch(source, statement)
        before, changed = contents(destination), contents(source)

    with Then("replacing the partition is refused, and nothing is changed"):
        replace_is_refused(
            destination,
            source=source,
            partition=1,
            code=SUPPORT_IS_DISABLED,
            text="unapplied patch parts for partition 1",
        )
        assert contents(destination) == before and contents(source) == changed, error()

    with When("the patches have been applied"):
        source.node.query(f"ALTER TABLE {source} APPLY PATCHES", settings=UNTIL_DONE)
        replace_partition(destination, source=source, partition=1)

    with Then("the partition has the changed rows, and another one what it had"):
        expected = [row for row in changed if row[0] == 1] + [row for row in before if row[0] == 2]
        assert contents(destination) == expected, error()
        assert contents(source) == changed, error()


@TestOutline(Scenario)
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PatchParts("1.0"))
@Examples("statement", [("UPDATE",), ("DELETE",)])
def patches_of_the_destination(self, statement):
    """Patches of the old rows change none of the new ones, merged, applied or restarted."""
    with Given(f"a destination whose rows were changed by {statement}"):
        source, destination = partitioned_pair(2, settings={**NO_MERGES, **PATCHABLE})
        patch(destination, statement)
        expected = contents(source, partition=1) + contents(destination, partition=2)
        node = destination.node

    with When("I replace the partition"):
        replace_partition(destination, source=source, partition=1)

    with Then("it has exactly the new rows, and the other one its changed rows"):
        assert contents(destination) == expected, error()

    for change in (
        f"ALTER TABLE {destination} APPLY PATCHES",
        f"OPTIMIZE TABLE {destination} FINAL",
    ):
        with And(f"it is so after {change.split(' ')[0]}, which writes the parts anew"):
            before = {part.name for part in parts(destination, partition=2)}
            node.query(change, settings=until_done(change))
            after = {part.name for part in parts(destination, partition=2)}
            assert before and after and not before & after, error()
            assert contents(destination) == expected, error()

    with And("after a restart"):
        restart(node)
        assert contents(destination) == expected, error()


@TestOutline(Scenario)
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_LightweightUpdates("1.0")
)
@needs(*HOLDING)
@Examples(
    "what statement changed",
    [
        ("UPDATE of the source", "UPDATE", "source"),
        ("UPDATE of the destination", "UPDATE", "destination"),
        ("DELETE of the source", "DELETE", "source"),
        ("DELETE of the destination", "DELETE", "destination"),
    ],
)
def rows_are_changed_meanwhile(self, what, statement, changed):
    """UPDATE and DELETE FROM while the partition is replaced: all new rows are changed, or none of them."""
    with Given("two tables with different rows"):
        settings = {**HOLDABLE, **PATCHABLE}
        source, destination = partitioned_pair(2, node=holding_node(), settings=settings)
        table = source if changed == "source" else destination
        new, kept = contents(source, partition=1), contents(destination, partition=2)
        whole = contents(source)

    with held_replace(destination, source=source) as replace, When(f"I issue {what} meanwhile"):
        sql = STATEMENTS[statement].format(table=table)
        other = table.node.background(sql, settings=BY_PATCH[statement])
        this().eventually(lambda: has_begun(other))

    with Then("both succeed"):
        replace.wait()
        other.wait()
        assert began_during(other, replace), error()
        assert len(patch_parts(table)) == 2, error()

    with And("the source has its rows, changed if they were meant"):
        expected = patched(whole, statement) if table is source else whole
        assert contents(source) == expected, error()

    with And("so has the other partition of the destination"):
        expected = patched(kept, statement) if table is destination else kept
        assert contents(destination, partition=2) == expected, error()

    with And("the replaced partition has the new rows, all changed or none of them"):
        rows, changed_rows = contents(destination, partition=1), patched(new, statement)
        seen = describe_rows(rows, {"new": new, "changed": changed_rows})
        assert rows in (new, changed_rows), error(seen)
