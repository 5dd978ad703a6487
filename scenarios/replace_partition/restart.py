"""A replaced partition stays replaced: what the client was told is true after a restart, too."""

from operator import methodcaller

from testflows.asserts import error
from testflows.core import Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.marks import needs
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Restart,
)
from steps.partitions import replace_partition
from steps.tables import contents, partitioned_pair

SHUT_DOWN, KILLED = methodcaller("stop"), methodcaller("kill")
# A second end comes before the server had time to tidy up what the first one left.
ENDINGS = {
    "shut down": (SHUT_DOWN,),
    "killed": (KILLED,),
    "shut down twice": (SHUT_DOWN, SHUT_DOWN),
    "killed twice": (KILLED, KILLED),
    "killed, then shut down": (KILLED, SHUT_DOWN),
}


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Restart("1.0"))
@needs(Capability.PROCESS_CONTROL)
def answered_statement_survives(self):
    """Once the client has its answer, the new rows are there for good, and only they."""
    with Given("a table for every way in which a server may end"):
        pairs = {name: partitioned_pair(partitions=2, parts=3) for name in ENDINGS}

    violations = []
    for name, endings in ENDINGS.items():
        source, destination = pairs[name]
        node = destination.node
        expected = contents(source, partition=1) + contents(destination, partition=2)
        with When(f"the server is {name} at once after its answer"):
            replace_partition(destination, source=source, partition=1)
            for end in endings:
                end(node)
                assert not node.running, error()
                node.start()
            found = contents(destination)
            if found != expected:
                violations.append((name, f"{len(found)} rows, not the {len(expected)} expected"))

    with Then("the replaced partition holds exactly the new rows, whatever the end"):
        assert violations == [], error()
