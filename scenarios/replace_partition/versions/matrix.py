"""All versions of ClickHouse that PyPI has for every Python: each takes over what each other one wrote."""

from testflows.core import Requirements, TestScenario

from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_Crash,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_StepBack,
)
from scenarios.replace_partition.versions import _cells as cells
from steps.replace_partition.version_matrix import BACKWARDS, FORWARDS, RECENT

DEVIATIONS = "version-matrix"  # the beginning of their ids


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions("1.0"))
@cells.matrix()
def parts_of_every_older_version(self):
    """Every version attaches parts of every older one and replaces partitions from and into them."""
    cells.attached(pairs=FORWARDS)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions("1.0"))
@cells.matrix()
def data_of_every_older_version(self):
    """Every version opens the data folder of every older one and replaces partitions in it."""
    cells.opened(pairs=FORWARDS)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_StepBack("1.0"))
@cells.matrix()
def parts_of_every_newer_version(self):
    """Every version takes parts of every newer one as they are, or refuses to attach them."""
    cells.attached(pairs=BACKWARDS, is_step_back=True)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_StepBack("1.0"))
@cells.matrix()
@cells.loses_rows(BACKWARDS)
def data_of_every_newer_version(self):
    """After a step back rows are served as they are, or refused and all there on the way forwards."""
    cells.opened(pairs=BACKWARDS, is_step_back=True)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_Crash("1.0"))
@cells.matrix()
@cells.restores_replaced_rows(RECENT)
def killed_right_after_the_answer(self):
    """Once a version has answered, the new rows are there for good, and only they."""
    cells.killed(versions=RECENT)
