"""Statements on a partition wait for a running REPLACE PARTITION of it."""

from testflows.core import Requirements, TestScenario

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
from scenarios.replace_partition.concurrent._waits_for_replace import (
    takes_effect_first,
    waits_for_replace,
)
from steps.replace_partition import partition_operations as operations

GONE_EARLY = "is gone while REPLACE PARTITION is running"
ANSWER, MEANWHILE, PARTITION = "its answer", "the partition meanwhile", "the partition"


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Detach(
        "1.0"
    ),
)
@takes_effect_first(
    {
        "DETACH PARTITION": {
            MEANWHILE: "no rows",
            PARTITION: "all 20 new rows",
            "what is detached": "all 20 old rows",
        },
        "DETACH PART": {
            ANSWER: "accepted",
            MEANWHILE: "all 10 other part's rows",
            "what is detached": "all 10 named part's rows",
        },
    }
)
def detach_partition(self):
    """DETACH PARTITION takes the new rows out, and the partition ends empty."""
    waits_for_replace(operations=operations.DETACH)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Drop(
        "1.0"
    ),
)
@takes_effect_first(
    {
        "DROP PARTITION": {MEANWHILE: "no rows", PARTITION: "all 20 new rows"},
        "DROP PART": {ANSWER: "accepted", MEANWHILE: "all 10 other part's rows"},
    }
)
def drop_partition(self):
    """DROP PARTITION leaves neither old nor new rows."""
    waits_for_replace(operations=operations.DROP)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Attach(
        "1.0"
    ),
)
@takes_effect_first(
    {
        "ATTACH PARTITION": {
            MEANWHILE: "all 20 old rows and all 5 attached rows",
            PARTITION: "all 20 new rows",
        },
        "ATTACH PART": {
            MEANWHILE: "all 20 old rows and all 5 attached rows",
            PARTITION: "all 20 new rows",
        },
    }
)
def attach_partition(self):
    """ATTACH PARTITION adds its rows to the new ones."""
    waits_for_replace(operations=operations.ATTACH)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0")
)
@takes_effect_first(
    {
        "DROP DETACHED PARTITION": {"the detached part": GONE_EARLY},
        "DROP DETACHED PART": {"the detached part": GONE_EARLY},
    }
)
def drop_detached_partition(self):
    """DROP DETACHED PARTITION and PART remove what was detached when REPLACE PARTITION has finished."""
    waits_for_replace(operations=operations.DROP_DETACHED)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_AttachFrom(
        "1.0"
    ),
)
@takes_effect_first(
    {
        "ATTACH PARTITION FROM": {
            MEANWHILE: "all 20 old rows and all 20 other rows",
            PARTITION: "all 20 new rows",
        }
    }
)
def attach_partition_from(self):
    """ATTACH PARTITION FROM adds the rows of a third table to the new ones."""
    waits_for_replace(operations=operations.ATTACH_FROM)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_MoveToTable(
        "1.0"
    ),
)
@takes_effect_first(
    {
        "MOVE PARTITION TO TABLE": {
            MEANWHILE: "no rows",
            PARTITION: "all 20 new rows",
            "the third table": "all 20 old rows and all 20 other rows",
        }
    }
)
def move_partition_to_table(self):
    """MOVE PARTITION TO TABLE moves the new rows, all of them and nothing else."""
    waits_for_replace(operations=operations.MOVE_TO_TABLE)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Freeze(
        "1.0"
    ),
)
@takes_effect_first(
    {
        "FREEZE PARTITION": {"the backup": "all 20 old rows"},
        "FREEZE": {"the backup": "all 20 old rows"},
    }
)
def freeze_partition(self):
    """FREEZE PARTITION makes a backup of the new rows."""
    waits_for_replace(operations=operations.FREEZE_PARTITION)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Unfreeze(
        "1.0"
    ),
)
@takes_effect_first(
    {
        "UNFREEZE PARTITION": {"the backup": GONE_EARLY},
        "UNFREEZE": {"the backup": GONE_EARLY},
    }
)
def unfreeze_partition(self):
    """UNFREEZE PARTITION removes the backup when REPLACE PARTITION has finished."""
    waits_for_replace(operations=operations.UNFREEZE)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Move(
        "1.0"
    ),
)
@takes_effect_first(
    {
        "MOVE PARTITION TO DISK": {
            "the old parts meanwhile": "on hold_other",
            "the new parts": "on hold_s3",
        },
        "MOVE PARTITION TO VOLUME": {
            "the old parts meanwhile": "on hold_other",
            "the new parts": "on hold_s3",
        },
        "MOVE PART TO DISK": {
            ANSWER: "accepted",
            "the old parts meanwhile": "on default, hold_other",
        },
        "MOVE PART TO VOLUME": {
            ANSWER: "accepted",
            "the old parts meanwhile": "on default, hold_other",
        },
    }
)
def move_partition_to_disk_or_volume(self):
    """MOVE PARTITION TO DISK or VOLUME takes every new part there."""
    waits_for_replace(operations=operations.MOVE)
