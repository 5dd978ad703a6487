"""Why parts are detached: covered by another one, or of no known name."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.interception import action
from helpers.scenario.marks import needs
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Detached_Covered,
    RQ_SRS_102_ClickHouse_TableParts_Detached_Unknown,
)
from steps.restarts import restart, restarts_since
from steps.table_parts.part_files import copy_to_detached, detached_files, detached_folder
from steps.table_parts.part_life import (
    active_parts,
    by_name,
    detached_parts,
    merge,
    rows_by_part,
    table_of_parts,
)
from steps.tables import Table, contents

COVERED = ["1_1_1_0", "1_2_2_0"]  # 2 variants
ROWS = [(1, 1, "first"), (1, 2, "second")]  # 2 variants


def partition_ids(table: Table) -> dict[str, str | None]:
    """The partition that each detached part belongs to, as the server lists it."""
    answer = table.node.query(
        "SELECT name, partition_id FROM system.detached_parts "
        f"WHERE database = '{table.database}' AND table = '{table.name}' ORDER BY name"
    )
    return {name: partition for name, (partition,) in by_name(answer).items()}


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Detached_Covered("1.1"))
def covered_parts_stay_detached(self):
    """ATTACH PARTITION attaches the merged part, and not the parts that it was made of."""
    with Given("detached: a merged part and copies of its sources"):
        table = table_of_parts("covered", [[row] for row in ROWS])
        for part in active_parts(table).values():
            copy_to_detached(part.folder, table)
        copies = detached_files(table)
        merge(table)
        assert rows_by_part(table) == {"1_1_2_1": ROWS}, error()
        table.node.query(f"ALTER TABLE {table} DETACH PARTITION 1")
        expected = dict.fromkeys([*COVERED, "1_1_2_1"], "")
        assert detached_parts(table) == expected, error()

    with When("I attach the partition"):
        table.node.query(f"ALTER TABLE {table} ATTACH PARTITION 1")

    with Then("the rows are there once"):
        assert rows_by_part(table) == {"1_3_3_0": ROWS}, error()

    with And("the covered parts are still detached, unchanged, under another name"):
        left = detached_files(table)
        assert left == {f"inactive_{name}": copies[name] for name in COVERED}, error()

    with And("they are listed"):
        assert sorted(detached_parts(table)) == sorted(left), error()


@action
def make_folder(table: Table, name: str) -> None:
    (detached_folder(table) / name).mkdir()


def table_with_detached_folders() -> Table:
    """A table with a detached part and two folders that no command has made."""
    table = table_of_parts("unknown", [[row] for row in ROWS])
    table.node.query(f"ALTER TABLE {table} DETACH PART '{COVERED[0]}'")
    for name in ("notes", "broken_1_7_7_0"):
        make_folder(table, name)
    return table


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Detached_Unknown("1.0"))
@needs(Capability.PROCESS_CONTROL)
def folders_of_unknown_names(self):
    """A folder that is no part is listed without reason and partition, and kept over a restart."""
    with When("the server starts with a detached part and folders of other names"):
        table = table_with_detached_folders()
        position = table.node.log_position()
        restart(table.node)

    with Then("the unknown name has neither a reason nor a partition, unlike the others"):
        reasons = {COVERED[0]: "", "broken_1_7_7_0": "broken", "notes": None}
        assert detached_parts(table) == reasons, error()
        partitions = {COVERED[0]: "1", "broken_1_7_7_0": "1", "notes": None}
        assert partition_ids(table) == partitions, error()
        assert restarts_since(table.node, position) == ["a restart"], error()

    with And("all are there"):
        folders = sorted(entry.name for entry in detached_folder(table).iterdir())
        assert folders == sorted(reasons), error()
        assert contents(table) == ROWS[1:], error()
