"""Indexes and projections that are added and dropped before the parts have been rewritten."""

from functools import partial
from pathlib import Path

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from helpers.scenario.marks import equivalent
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Freeze_PendingProjection,
    RQ_SRS_102_ClickHouse_TableParts_Indexes_PendingChanges,
)
from steps.background_changes import UNTIL_DONE, in_background
from steps.table_parts.part_files import copy_to_detached, table_folder
from steps.table_parts.part_life import FORMATS, filled_parts, merge
from steps.tables import Table, contents, create_table, drop_table, fill

# Changes that wait, one after the other.
CHANGES = (  # 6 variants
    "ADD COLUMN z UInt64 DEFAULT i + 5",
    "ADD INDEX a z TYPE minmax GRANULARITY 1",
    "ADD INDEX b z TYPE set(100) GRANULARITY 1",
    "MATERIALIZE INDEX a",
    "MATERIALIZE INDEX b",
    "MATERIALIZE COLUMN z",
)


def mutations(table: Table) -> list[tuple[int, str]]:
    """Whether each mutation is done, and why it failed."""
    return [
        (done, reason)
        for done, reason in table.node.query(
            "SELECT is_done, latest_fail_reason FROM system.mutations "
            f"WHERE database = '{table.database}' AND table = '{table.name}' ORDER BY mutation_id"
        )
    ]


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Indexes_PendingChanges("1.0"))
@equivalent(
    mutant="omit[alter_sync]",
    statement=" ADD ",
    reason="a change of the definition alone leaves nothing to wait for",
)
@equivalent(
    mutant="other-table*",
    statement="EXPLAIN indexes",
    reason="both tables have the same index, and the same number of rows",
)
def index_is_dropped_while_it_is_built(self):
    """A column and two indexes are added and one is dropped, all of it waiting: every change ends."""
    for kind, settings in FORMATS.items():
        with Given(f"a table with rows, in which nothing is written in the background, {kind}"):
            table = create_table("indexed", settings={**settings, "index_granularity": 4})
            rows = fill(table, [1, 2], rows=20)
            table.node.query(f"SYSTEM STOP MERGES {table}")

        with When("its columns and indexes are changed"):
            for change in CHANGES:
                sql = f"ALTER TABLE {table} {change}"
                table.node.query(sql, settings=in_background(sql))
            waiting = mutations(table)
            assert len(waiting) >= 3 and {done for done, _ in waiting} == {0}, error()

        with Then("an index that waits to be built cannot be dropped, and nothing is lost by it"):
            drop = f"ALTER TABLE {table} DROP INDEX a"
            table.node.fails(drop, code=36, text="mutation")
            assert mutations(table) == waiting, error()

        with And("the rows can be read meanwhile"):
            expected = [(*row, row[1] + 5) for row in rows]
            assert contents(table) == expected, error()

        with When("the background works"):
            table.node.query(f"SYSTEM START MERGES {table}")
            done = [(1, "")] * len(waiting)
            this().eventually(partial(mutations, table), equals=done, timeout=30)

        with Then("the index can be dropped, and the one that is left finds the rows"):
            table.node.query(drop, settings=UNTIL_DONE)
            assert contents(table) == expected, error()
            for _, i, _, z in expected[:3]:
                found = table.node.column(f"SELECT i FROM {table} WHERE z = {z}")
                assert found == [i], error()
            used = table.node.column(f"EXPLAIN indexes = 1 SELECT i FROM {table} WHERE z = {z}")
            assert any("Name: b" in line for line in used), error()
            assert not any("Name: a" in line for line in used), error()


PROJECTION = "PROJECTION sums (SELECT owner, sum(i) GROUP BY owner)"


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Freeze_PendingProjection("1.0"))
def projection_is_dropped_while_a_partition_is_frozen(self):
    """A snapshot that is taken while DROP PROJECTION waits has all rows, in a table with it and without."""
    for kind, settings in FORMATS.items():
        with Given(f"a table with a projection that waits to be dropped, {kind}"):
            table = create_table(
                "projected",
                columns=f"p UInt64, i UInt64, owner String, {PROJECTION}",
                settings=settings,
            )
            rows = fill(table, [1])
            table.node.query(f"SYSTEM STOP MERGES {table}")
            drop = f"ALTER TABLE {table} DROP PROJECTION sums"
            table.node.query(drop, settings=in_background(drop))
            assert [done for done, _ in mutations(table)] == [0], error()

        with When("I freeze the partition"):
            (frozen,) = table.node.query(
                f"ALTER TABLE {table} FREEZE PARTITION 1 WITH NAME '{table.database}_{table.name}'",
                settings={"alter_partition_verbose_result": 1},
            )
            snapshot = str(frozen[-1])
            assert snapshot.rstrip("/").endswith("/1_1_1_0"), error()

        with And("the projection is dropped"):
            table.node.query(f"SYSTEM START MERGES {table}")
            this().eventually(partial(mutations, table), equals=[(1, "")], timeout=30)

        with Then("the table has its rows"):
            assert contents(table) == rows, error()
            (part,) = filled_parts(table).values()
            assert part.folder.parent == table_folder(table), error()
            assert not (part.folder / "sums.proj").exists(), error()

        for more in ("", f", {PROJECTION}"):
            with And(f"the snapshot has them in a table with{more or 'out a projection'}"):
                copy = create_table(
                    "copy", columns=f"p UInt64, i UInt64, owner String{more}", settings=settings
                )
                copy_to_detached(Path(snapshot), copy)
                copy.node.query(f"ALTER TABLE {copy} ATTACH PARTITION 1")
                assert contents(copy) == rows, error()
                if more:
                    checked = copy.node.query(f"CHECK TABLE {copy}")
                    assert [passed for _, passed, _ in checked] == [1], error()
                merge(copy)
                assert [part.level for part in filled_parts(copy).values()] == [1], error()
                sums = f"SELECT owner, sum(i) FROM {copy} GROUP BY owner ORDER BY owner"
                assert copy.node.query(sums) == sorted((o, i) for _, i, o in rows), error()
                drop_table(copy)
