"""The oldest version that PyPI has, and only for some Pythons: it and each other one take over what the
other wrote."""

from testflows.core import Requirements, TestScenario

from helpers.cluster.capabilities import Capability
from helpers.cluster.wheels import OLDEST
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
from steps.version_matrix import FROM_OLDEST, TO_OLDEST


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions("1.0"))
@needs(Capability.EVERY_ENGINE, Capability.OLDEST_ENGINE)
@time_limit(SECONDS)
def parts_of_the_oldest_version(self):
    """Every version attaches parts of the oldest one and replaces partitions from and into them."""
    attached(FROM_OLDEST)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions("1.0"))
@needs(Capability.EVERY_ENGINE, Capability.OLDEST_ENGINE)
@time_limit(SECONDS)
def data_of_the_oldest_version(self):
    """Every version opens the data folder of the oldest one and replaces partitions in it."""
    opened(FROM_OLDEST)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_StepBack("1.0"))
@needs(Capability.EVERY_ENGINE, Capability.OLDEST_ENGINE)
@time_limit(SECONDS)
def parts_for_the_oldest_version(self):
    """The oldest version takes parts of every other one as they are, or refuses to attach them."""
    attached(TO_OLDEST, is_step_back=True)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_StepBack("1.0"))
@needs(Capability.EVERY_ENGINE, Capability.OLDEST_ENGINE)
@time_limit(SECONDS)
@deviates(
    step=TAKEN_OVER_OR_REFUSED,
    observed=unreadable(TO_OLDEST),
    reason="parts that a version cannot read are put aside as broken when it loads the table, which is "
    "then served without their rows; the version that wrote them does not find them either",
)
def data_for_the_oldest_version(self):
    """After a step back to the oldest version rows are served as they are, or refused and not lost."""
    opened(TO_OLDEST, is_step_back=True)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_Crash("1.0"))
@needs(Capability.EVERY_ENGINE, Capability.OLDEST_ENGINE)
@time_limit(SECONDS)
@deviates(
    step=REPLACED_FOR_GOOD,
    observed=resurrected((OLDEST,)),
    reason="before 26.7 nothing on disk says that the old parts were replaced: until they are removed, "
    "whoever loads the table takes them for active ones",
)
def oldest_killed_right_after_the_answer(self):
    """Once the oldest version has answered, the new rows are there for good, and only they."""
    killed((OLDEST,))
