"""Who may replace a partition: every combination of privileges on source and destination."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.node import User
from helpers.context import this
from helpers.marks import time_limit
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RBAC,
)
from steps.partitions import replacing
from steps.refusals import attempt, listed, state, wrong_refusal
from steps.tables import contents, partitioned_pair
from steps.users import (
    NOT_ENOUGH_PRIVILEGES,
    Privileges,
    combinations,
    effective,
    grants,
    tables_by_privileges,
)

PRIVILEGES = ("SELECT", "INSERT", "ALTER", "ALTER TABLE", "ALTER DELETE")
TEXT = "Not enough privileges"
USER = "replacer"
EVERYTHING_ELSE = (
    "SELECT, INSERT, ALTER UPDATE, ALTER COLUMN, ALTER INDEX, ALTER PROJECTION, ALTER CONSTRAINT, "
    "ALTER TTL, ALTER SETTINGS, ALTER MOVE PARTITION, ALTER FETCH PARTITION, "
    "ALTER FREEZE PARTITION, TRUNCATE, OPTIMIZE, CREATE TABLE, DROP TABLE"
)


def may_replace(on_source: Privileges, on_destination: Privileges) -> bool:
    """The rule: SELECT on the source, INSERT and ALTER DELETE on the destination."""
    needed = {"INSERT", "ALTER DELETE"}
    return "SELECT" in effective(on_source) and needed <= effective(on_destination)


def cell(on_source: Privileges, on_destination: Privileges) -> str:
    source, destination = (", ".join(granted) or "none" for granted in (on_source, on_destination))
    return f"{source} on the source and {destination} on the destination"


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RBAC("1.0"))
@time_limit(300)
def every_combination(self):
    """All 1024 combinations of the five privileges on source and destination do as the rule says.

    One user has on each of 32 sources and 32 destinations another combination of privileges.
    """
    with Given("a source and a destination for each combination, and a user who has them"):
        node = this().node("rbac")
        sources = tables_by_privileges("source", node, combinations(PRIVILEGES))
        destinations = tables_by_privileges("destination", node, combinations(PRIVILEGES))
        rows = {granted: contents(source) for granted, source in sources.items()}
        node.add_users([User(USER, (*grants(sources), *grants(destinations)))])

    with When("the user replaces the partition of each destination from each source"):
        wrong: list[str] = []
        replaced = refused = 0
        for on_destination, destination in destinations.items():
            before = state(destination)
            for on_source in [one for one in sources if not may_replace(one, on_destination)]:
                sql = replacing(destination, sources[on_source], 1)
                outcome = attempt(node, sql, user=USER)
                refused += 1
                if outcome.code != NOT_ENOUGH_PRIVILEGES or TEXT not in outcome.message:
                    wrong.append(f"{cell(on_source, on_destination)}: {outcome}")
            if state(destination) != before:
                wrong.append(f"a refusal changed the destination of {on_destination}")
            for on_source in [one for one in sources if may_replace(one, on_destination)]:
                sql = replacing(destination, sources[on_source], 1)
                outcome = attempt(node, sql, user=USER)
                replaced += 1
                if not outcome.accepted or contents(destination) != rows[on_source]:
                    wrong.append(f"{cell(on_source, on_destination)}: {outcome}")

    with Then("it is replaced where the rule says so, and refused and kept everywhere else"):
        assert not wrong, listed(f"{len(wrong)} of 1024 combinations are wrong", wrong)

    with And("every combination was tried, those that may and those that may not"):
        # 16 combinations have SELECT; 14 have INSERT and one of the three that allow to delete.
        assert (replaced, refused) == (16 * 14, 1024 - 16 * 14), error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RBAC("1.0"))
def privileges_from_elsewhere(self):
    """What counts is what a user has, not where it was granted; and nothing else makes up for it."""
    with Given("users who have their privileges in other ways"):
        node = this().node("rbac")
        source, destination = partitioned_pair(partitions=1, node=node)
        enough = ("SELECT ON {s}", "INSERT ON {d}", "ALTER DELETE ON {d}")
        allowed = {
            "on_the_database": ("SELECT, INSERT, ALTER DELETE ON {b}.*",),
            "on_everything": ("SELECT, INSERT, ALTER DELETE ON *.*",),
            "with_all_on_the_tables": ("ALL ON {s}", "ALL ON {d}"),
        }
        forbidden = {
            "with_nothing": (),
            "on_another_database": ("SELECT, INSERT, ALTER DELETE ON other.*",),
            "on_tables_exchanged": ("SELECT ON {d}", "INSERT, ALTER DELETE ON {s}"),
            "on_a_column_of_the_source": ("SELECT(p) ON {s}", *enough[1:]),
            "on_a_column_of_the_destination": (enough[0], "INSERT(p) ON {d}", enough[2]),
            "with_everything_else": ("ALL ON {s}", f"{EVERYTHING_ELSE} ON {{d}}"),
        }
        node.add_users(
            [
                User(
                    name,
                    tuple(one.format(s=source, d=destination, b=this().database) for one in given),
                )
                for name, given in (allowed | forbidden).items()
            ]
        )

    with When("each of those who lack something replaces the partition"):
        sql = replacing(destination, source, 1)
        found = {
            name: wrong_refusal(destination, sql, code=NOT_ENOUGH_PRIVILEGES, text=TEXT, user=name)
            for name in forbidden
        }

    with Then("every one is refused and the destination kept"):
        wrong = [f"{name}: {reason}" for name, reason in found.items() if reason]
        assert not wrong, listed("wrongly", wrong)

    with And("each of those who have it all replaces it"):
        before = contents(destination)
        for name in allowed:
            node.query(sql, user=name)
            assert contents(destination) == contents(source), error()
            node.query(f"TRUNCATE TABLE {destination}")
            node.query(f"INSERT INTO {destination} VALUES", data=before)
