"""All versions of ClickHouse that PyPI has for every Python: each takes over what each other one wrote."""

from testflows.core import Requirements, TestScenario

from helpers.cluster.capabilities import Capability
from helpers.marks import deviates, needs, time_limit
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_Crash,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_StepBack,
)
from scenarios.replace_partition._version_cells import (
    REPLACED_FOR_GOOD,
    SECONDS,
    TAKEN_OVER_OR_REFUSED,
    attached,
    killed,
    opened,
    resurrected,
    unreadable,
)
from steps.version_matrix import BACKWARDS, FORWARDS, RECENT


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions("1.0"))
@needs(Capability.EVERY_ENGINE)
@time_limit(SECONDS)
def parts_of_every_older_version(self):
    """Every version attaches parts of every older one and replaces partitions from and into them."""
    attached(FORWARDS)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions("1.0"))
@needs(Capability.EVERY_ENGINE)
@time_limit(SECONDS)
def data_of_every_older_version(self):
    """Every version opens the data folder of every older one and replaces partitions in it."""
    opened(FORWARDS)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_StepBack("1.0"))
@needs(Capability.EVERY_ENGINE)
@time_limit(SECONDS)
def parts_of_every_newer_version(self):
    """Every version takes parts of every newer one as they are, or refuses to attach them."""
    attached(BACKWARDS, is_step_back=True)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_StepBack("1.0"))
@needs(Capability.EVERY_ENGINE)
@time_limit(SECONDS)
@deviates(
    step=TAKEN_OVER_OR_REFUSED,
    observed=unreadable(BACKWARDS),
    reason="parts that a version cannot read are put aside as broken when it loads the table, which is "
    "then served without their rows; the version that wrote them does not find them either",
)
def data_of_every_newer_version(self):
    """After a step back rows are served as they are, or refused and all there on the way forwards."""
    opened(BACKWARDS, is_step_back=True)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_Crash("1.0"))
@needs(Capability.EVERY_ENGINE)
@time_limit(SECONDS)
@deviates(
    step=REPLACED_FOR_GOOD,
    observed=resurrected(RECENT),
    reason="before 26.7 nothing on disk says that the old parts were replaced: until they are removed, "
    "whoever loads the table takes them for active ones",
)
def killed_right_after_the_answer(self):
    """Once a version has answered, the new rows are there for good, and only they."""
    killed(RECENT)
