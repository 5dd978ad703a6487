"""A row policy hides rows from a user; REPLACE PARTITION by that user copies them all the same."""

from dataclasses import dataclass
from uuid import uuid4

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from helpers.scenario.marks import needs
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RowPolicy,
)
from steps.partitions import replace_partition
from steps.statement_log import executed_by
from steps.tables import Table, contents, partitioned_pair

# What a policy lets through.
SOME, NONE = "i % 2 = 0", "0"


@dataclass(frozen=True)
class Policy:
    """A user and what it may see of the source and of the destination; '' is no policy."""

    user: str
    source: str
    destination: str = ""


POLICIES = (  # 5 variants
    Policy("sees_some", SOME),
    Policy("sees_nothing", NONE),
    Policy("sees_some_of_both", SOME, SOME),
    Policy("sees_nothing_of_both", NONE, NONE),
    Policy("sees_some_of_destination", "", SOME),
)


def declare(policies: dict[Policy, tuple[Table, Table]]) -> str:
    """The users with their row policies, as a server reads them at its start."""
    users = []
    for policy, (source, destination) in policies.items():
        filters = "".join(
            f"<{table.name}><filter>{what}</filter></{table.name}>"
            for table, what in ((source, policy.source), (destination, policy.destination))
            if what
        )
        users.append(
            f"<{policy.user}><password></password><networks><ip>::/0</ip></networks>"
            "<profile>default</profile><quota>default</quota>"
            f"<databases><{source.database}>{filters}</{source.database}></databases></{policy.user}>"
        )
    return f"<clickhouse><users>{''.join(users)}</users></clickhouse>"


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RowPolicy("1.0"))
@needs(Capability.ROW_POLICIES)
def hidden_rows_are_copied(self):
    """Whatever the user may see, the partition is copied whole, and policies stay where they are."""
    with Given("a pair of tables for each policy, and a user under it"):
        node = this().node("row_policies")
        pairs = {policy: partitioned_pair(partitions=2, parts=1, node=node) for policy in POLICIES}
        node = this().node("row_policies", users={"row-policies": declare(pairs)})

    with And("the policies hide what they should, no two of them the same"):
        assert len({(policy.source, policy.destination) for policy in pairs}) == len(pairs), error()
        rows = {policy: contents(source) for policy, (source, _) in pairs.items()}
        for policy, (source, _) in pairs.items():
            assert seen(source, policy.user) == filtered(rows[policy], policy.source), error()

    with When("each user replaces a partition"):
        expected, ids = {}, {policy: str(uuid4()) for policy in pairs}
        for policy, (source, destination) in pairs.items():
            expected[policy] = contents(source, partition=1) + contents(destination, partition=2)
            replace_partition(
                destination, source=source, partition=1, user=policy.user, query_id=ids[policy]
            )

    with Then("it was that user who has replaced it"):
        users = {ids[policy]: policy.user for policy in pairs}
        assert executed_by(node, ids.values()) == users, error()

    with And("a user without a policy finds all rows of the source's partition"):
        assert [
            policy.user
            for policy, (_, destination) in pairs.items()
            if contents(destination) != expected[policy]
        ] == [], error()

    with And("the sources are what they were"):
        assert {policy: contents(source) for policy, (source, _) in pairs.items()} == rows, error()

    with And("the user sees what the destination's own policy lets through, and no less"):
        assert [
            policy.user
            for policy, (_, destination) in pairs.items()
            if seen(destination, policy.user) != filtered(expected[policy], policy.destination)
        ] == [], error()


def seen(table: Table, user: str) -> list[Row]:
    """All that this user can read."""
    return sorted(table.node.query(f"SELECT * FROM {table}", user=user))


def filtered(rows: list[Row], policy: str) -> list[Row]:
    """The rows that a policy lets through."""
    if not policy:
        return rows
    return [row for row in rows if policy == SOME and row[1] % 2 == 0]
