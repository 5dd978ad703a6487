"""Parts set aside by command have no lifetime: they stay until they are attached or dropped."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.marks import needs
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Detached_Kept
from steps.part_files import detached_files
from steps.part_life import (
    CLEANED,
    active_parts,
    detached_parts,
    mutate,
    rows_by_part,
    seen_removed,
    tidy_node,
)
from steps.tables import NO_MERGES, contents, create_table, fill


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Detached_Kept("1.0"))
@needs(Capability.PROCESS_CONTROL)
def detached_parts_are_kept(self):
    """Cleaning, restarts and crashes leave detached parts alone; attaching and dropping them do not."""
    with Given("detached parts in a table that removes superseded parts at once"):
        settings = {**NO_MERGES, **CLEANED, "old_parts_lifetime": 0}
        table = create_table("shelf", node=tidy_node(), settings=settings)
        fill(table, [1, 2], parts=3)
        node, read = table.node, rows_by_part(table)
        names = ["1_1_1_0", "1_2_2_0", "1_3_3_0"]
        for name in names:
            node.query(f"ALTER TABLE {table} DETACH PART '{name}'")
        before = detached_files(table)
        assert sorted(before) == names, error()

    with When("superseded parts have been removed, and the server was restarted and killed"):
        for end in (node.stop, node.kill):
            superseded = active_parts(table)
            mutate(table, "UPDATE owner = concat(owner, '!') IN PARTITION 2 WHERE 1")
            seen_removed([part.folder for part in superseded.values()])
            end()
            node.start()

    with Then("the detached parts are there, file for file"):
        assert detached_files(table) == before, error()
        assert detached_parts(table) == dict.fromkeys(names, ""), error()

    with And("one that is attached is not detached any more"):
        node.query(f"ALTER TABLE {table} ATTACH PART '{names[0]}'")
        assert contents(table, partition=1) == sorted(read[names[0]]), error()
        assert sorted(detached_files(table)) == sorted(detached_parts(table)) == names[1:], error()

    with And("one that is dropped is gone"):
        node.query(
            f"ALTER TABLE {table} DROP DETACHED PART '{names[1]}'",
            settings={"allow_drop_detached": 1},
        )
        assert sorted(detached_files(table)) == sorted(detached_parts(table)) == names[2:], error()
