"""Statements on a partition wait for a running REPLACE PARTITION of it."""

from collections.abc import Callable

from testflows.core import Requirements, TestScenario

from helpers.marks import Marked, deviates, needs
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Attach,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_AttachFrom,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Detach,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Drop,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Freeze,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Move,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_MoveToTable,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Unfreeze,
)
from steps import partition_operations as operations
from steps.beside_replace import EARLY, WAITED, waits_for_replace
from steps.overlap import HOLDING

NEW_ROWS = "the partition ends with 20 new rows"
AT_ONCE = "while REPLACE PARTITION clones parts, nothing keeps the statement from the old ones"


def too_early(effect: str) -> Callable[[Marked], Marked]:
    """ClickHouse does not let the statement wait, and this is what comes of it."""
    return deviates(step=WAITED, effect=f"{EARLY}; {effect}", reason=AT_ONCE)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Detach(
        "1.0"
    ),
)
@needs(*HOLDING)
@too_early(f"{NEW_ROWS}; detached are 20 old rows")
def detach_partition(self):
    """DETACH PARTITION takes the new rows out, and the partition ends empty."""
    waits_for_replace(operations.DETACH)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Drop(
        "1.0"
    ),
)
@needs(*HOLDING)
@too_early(NEW_ROWS)
def drop_partition(self):
    """DROP PARTITION leaves neither old nor new rows."""
    waits_for_replace(operations.DROP)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Attach(
        "1.0"
    ),
)
@needs(*HOLDING)
@too_early(NEW_ROWS)
def attach_partition(self):
    """ATTACH PARTITION adds its rows to the new ones."""
    waits_for_replace(operations.ATTACH)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_AttachFrom(
        "1.0"
    ),
)
@needs(*HOLDING)
@too_early(NEW_ROWS)
def attach_partition_from(self):
    """ATTACH PARTITION FROM adds the rows of a third table to the new ones."""
    waits_for_replace(operations.ATTACH_FROM)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_MoveToTable(
        "1.0"
    ),
)
@needs(*HOLDING)
@too_early(f"{NEW_ROWS}; the third table ends with 20 old and 20 other rows")
def move_partition_to_table(self):
    """MOVE PARTITION TO TABLE moves the new rows, all of them and nothing else."""
    waits_for_replace(operations.MOVE_TO_TABLE)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Freeze(
        "1.0"
    ),
)
@needs(*HOLDING)
@too_early("0 of 2 new parts are in the backup")
def freeze_partition(self):
    """FREEZE PARTITION makes a backup of the new rows."""
    waits_for_replace(operations.FREEZE_PARTITION)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Unfreeze(
        "1.0"
    ),
)
@needs(*HOLDING)
@too_early("the backup was gone by then")
def unfreeze_partition(self):
    """UNFREEZE PARTITION removes the backup when REPLACE PARTITION has finished."""
    waits_for_replace(operations.UNFREEZE)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Move(
        "1.0"
    ),
)
@needs(*HOLDING)
@too_early("the new parts are on hold_s3")
def move_partition_to_disk(self):
    """MOVE PARTITION TO DISK takes every new part there."""
    waits_for_replace(operations.MOVE_TO_DISK)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Move(
        "1.0"
    ),
)
@needs(*HOLDING)
@too_early("the new parts are on hold_s3")
def move_partition_to_volume(self):
    """MOVE PARTITION TO VOLUME takes every new part there."""
    waits_for_replace(operations.MOVE_TO_VOLUME)
