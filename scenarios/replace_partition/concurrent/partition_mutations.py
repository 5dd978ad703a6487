"""Mutations of a partition wait for a running REPLACE PARTITION of it, and change the new rows."""

from functools import partial

from testflows.core import Requirements, TestScenario

from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_ClearColumnInPartition,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_ClearIndex,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_DeleteInPartition,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_UpdateInPartition,
)
from scenarios.replace_partition.concurrent._waits_for_replace import (
    takes_effect_first,
    waits_for_replace,
)
from steps.replace_partition import partition_operations as operations

# The mutation waits, but the new parts get their numbers after it: it is not applied to them.
not_applied = partial(takes_effect_first, returns_early=False)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_ClearColumnInPartition(
        "1.0"
    ),
)
@not_applied(
    {
        "CLEAR COLUMN IN PARTITION": {
            "the partition meanwhile": "all 20 cleared old rows",
            "the partition": "all 20 new rows",
        }
    },
)
def clear_column_in_partition(self):
    """CLEAR COLUMN IN PARTITION resets the column in every new row."""
    waits_for_replace(operations=operations.CLEAR_COLUMN)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_ClearIndex(
        "1.0"
    ),
)
@not_applied({"CLEAR INDEX IN PARTITION": {"the index": "kept in 2 of 2 new parts"}})
def clear_index_in_partition(self):
    """CLEAR INDEX IN PARTITION takes the index out of every new part."""
    waits_for_replace(operations=operations.CLEAR_INDEX)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_UpdateInPartition(
        "1.0"
    ),
)
@not_applied({"UPDATE IN PARTITION": {"the partition": "all 20 new rows"}})
def update_in_partition(self):
    """UPDATE IN PARTITION changes every new row that meets its condition."""
    waits_for_replace(operations=operations.UPDATE)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_DeleteInPartition(
        "1.0"
    ),
)
@not_applied({"DELETE IN PARTITION": {"the partition": "all 20 new rows"}})
def delete_in_partition(self):
    """DELETE IN PARTITION removes the new rows that meet its condition, and only those."""
    waits_for_replace(operations=operations.DELETE)
