"""The oldest version that PyPI has, and only for some Pythons: it and each other one take over what the
other wrote."""

from testflows.core import Requirements, TestScenario

from helpers.cluster.capabilities import Capability
from helpers.cluster.engines.wheels import OLDEST
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_Crash,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_StepBack,
)
from scenarios.replace_partition.versions import _cells as cells
from steps.replace_partition.version_matrix import FROM_OLDEST, TO_OLDEST

DEVIATIONS = "version-matrix-oldest"  # the beginning of their ids


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions("1.0"))
@cells.matrix(Capability.OLDEST_ENGINE)
def parts_of_the_oldest_version(self):
    """Every version attaches parts of the oldest one and replaces partitions from and into them."""
    cells.attached(pairs=FROM_OLDEST)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions("1.0"))
@cells.matrix(Capability.OLDEST_ENGINE)
def data_of_the_oldest_version(self):
    """Every version opens the data folder of the oldest one and replaces partitions in it."""
    cells.opened(pairs=FROM_OLDEST)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_StepBack("1.0"))
@cells.matrix(Capability.OLDEST_ENGINE)
def parts_for_the_oldest_version(self):
    """The oldest version takes parts of every other one as they are, or refuses to attach them."""
    cells.attached(pairs=TO_OLDEST, is_step_back=True)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_StepBack("1.0"))
@cells.matrix(Capability.OLDEST_ENGINE)
@cells.loses_rows(TO_OLDEST)
def data_for_the_oldest_version(self):
    """After a step back to the oldest version rows are served as they are, or refused and not lost."""
    cells.opened(pairs=TO_OLDEST, is_step_back=True)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_Crash("1.0"))
@cells.matrix(Capability.OLDEST_ENGINE)
@cells.restores_replaced_rows((OLDEST,))
def oldest_killed_right_after_the_answer(self):
    """Once the oldest version has answered, the new rows are there for good, and only they."""
    cells.killed(versions=(OLDEST,))
