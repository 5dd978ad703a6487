"""Parts set aside by command have no lifetime: they stay until they are attached or dropped."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import needs
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Detached_Kept
from steps.restarts import RESTARTS, restarts_since
from steps.table_parts.part_files import detached_files
from steps.table_parts.part_life import (
    CLEANED,
    detached_parts,
    filled_parts,
    mutate,
    rows_by_part,
    sorted_rows,
    tidy_node,
    wait_until_removed,
)
from steps.tables import NO_MERGES, Table, contents, create_table, fill

NAMES = ["1_1_1_0", "1_2_2_0", "1_3_3_0"]  # 3 variants


def detach_three_parts(table: Table) -> None:
    for name in NAMES:
        table.node.query(f"ALTER TABLE {table} DETACH PART '{name}'")
    assert detached_parts(table) == dict.fromkeys(NAMES, ""), "the parts were not detached"


def assert_detached(table: Table, names: list[str]) -> None:
    """These parts are detached, as the server lists them and as the disk has them."""
    assert detached_parts(table) == dict.fromkeys(names, ""), error()
    assert sorted(detached_files(table)) == names, error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Detached_Kept("1.0"))
@needs(Capability.PROCESS_CONTROL)
def detached_parts_are_kept(self):
    """Cleaning, restarts and crashes leave detached parts alone; attaching and dropping them do not."""
    with Given("detached parts in a table that removes superseded parts at once"):
        settings = {**NO_MERGES, **CLEANED, "old_parts_lifetime": 0}
        table = create_table("shelf", node=tidy_node(), settings=settings)
        inserted = fill(table, [1, 2], parts=3)
        node, read = table.node, rows_by_part(table)
        assert sorted_rows(read) == inserted, error()
        detach_three_parts(table)
        before = detached_files(table)
        position = node.log_position()

    with When("superseded parts have been removed, and the server was restarted and killed"):
        removed = []
        for restart in RESTARTS.values():
            superseded = filled_parts(table)
            assert [part.partition_id for part in superseded.values()] == ["2"] * 3, error()
            mutate(table, "UPDATE owner = concat(owner, '!') WHERE 1")
            removed += [part.folder for part in superseded.values()]
            wait_until_removed(removed)
            restart(node)
        assert restarts_since(node, position) == ["a restart", "a crash"], error()

    with Then("the detached parts are there, file for file"):
        assert detached_files(table) == before, error()
        assert_detached(table, NAMES)
        assert [folder.name for folder in removed if folder.exists()] == [], error()

    with And("the rows of the others were mutated twice"):
        expected = [(p, i, f"{owner}!!") for p, i, owner in inserted if p == 2]
        assert contents(table) == expected, error()

    with And("one that is attached is not detached any more"):
        node.query(f"ALTER TABLE {table} ATTACH PART '{NAMES[0]}'")
        assert contents(table, partition=1) == sorted(read[NAMES[0]]), error()
        assert_detached(table, NAMES[1:])

    with And("one that is dropped is gone"):
        drop = f"ALTER TABLE {table} DROP DETACHED PART '{NAMES[1]}'"
        node.query(drop, settings={"allow_drop_detached": 1})
        assert_detached(table, NAMES[2:])
