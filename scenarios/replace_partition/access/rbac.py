"""Who may replace a partition: every combination of privileges on source and destination."""

from collections.abc import Mapping, Sequence
from uuid import uuid4

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.cluster.node import Node, User
from helpers.scenario.context import this
from helpers.scenario.marks import time_limit
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RBAC,
)
from steps.partitions import replacing
from steps.parts import parts
from steps.refusals import attempt, state, wrong_refusal
from steps.statement_log import executed_by
from steps.tables import contents, one_part_pair
from steps.users import (
    NOT_ENOUGH_PRIVILEGES,
    Privileges,
    all_but,
    combinations,
    define_roles,
    effective,
    granted_privileges,
    granted_roles,
    grants,
    tables_by_privileges,
)

PRIVILEGES = ("SELECT", "INSERT", "ALTER", "ALTER TABLE", "ALTER DELETE")
TEXT = "Not enough privileges"
USER = "replacer"
# Who has which role, and which privileges on the two tables without any role, of users and roles.
GRANTED_ROLES = {
    "with_one_role": ["replacer"],
    "with_two_roles": ["reader", "writer"],
    "with_a_role_and_a_grant": ["reader"],
    "with_a_role_of_a_role": ["manager"],
    "with_half_of_it": ["reader"],
    "with_the_other_half": ["writer"],
    "manager": ["replacer"],
}
GRANTED_PRIVILEGES = {
    "reader": ["SELECT"],
    "writer": ["ALTER DELETE", "INSERT"],
    "replacer": ["ALTER DELETE", "INSERT", "SELECT"],
    "with_a_role_and_a_grant": ["ALTER DELETE", "INSERT"],
    "with_the_other_half": ["SELECT"],
}


def may_replace(on_source: Privileges, on_destination: Privileges) -> bool:
    """The rule: SELECT on the source, INSERT and ALTER DELETE on the destination."""
    needed = {"INSERT", "ALTER DELETE"}
    return "SELECT" in effective(on_source) and needed <= effective(on_destination)


def cell(on_source: Privileges, on_destination: Privileges) -> str:
    source, destination = (", ".join(granted) or "none" for granted in (on_source, on_destination))
    return f"{source} on the source and {destination} on the destination"


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RBAC("1.1"))
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
        violations: dict[str, str] = {}
        replaced = refused = 0
        for on_destination, destination in destinations.items():
            before = state(destination)
            for on_source in [
                granted for granted in sources if not may_replace(granted, on_destination)
            ]:
                sql = replacing(destination, sources[on_source], 1)
                outcome = attempt(node, sql, user=USER)
                refused += 1
                if outcome.code != NOT_ENOUGH_PRIVILEGES or TEXT not in outcome.message:
                    violations[cell(on_source, on_destination)] = str(outcome)
            if state(destination) != before:
                violations[f"destination with {on_destination}"] = "changed by a refusal"
            for on_source in [
                granted for granted in sources if may_replace(granted, on_destination)
            ]:
                sql = replacing(destination, sources[on_source], 1)
                outcome = attempt(node, sql, user=USER)
                replaced += 1
                if not outcome.accepted or contents(destination) != rows[on_source]:
                    violations[cell(on_source, on_destination)] = str(outcome)

    with Then("it is replaced where the rule says so, and refused and kept everywhere else"):
        covers("`ALTER DELETE`, `INSERT` |", "`ALTER TABLE`, `INSERT` |", "`ALTER`, `INSERT` |")
        covers("none, or any one of", "none, or any without `SELECT`")
        assert_no_violations(violations)

    with And("every combination was tried, those that may and those that may not"):
        # 16 combinations have SELECT; 14 have INSERT and one of the three that allow to delete.
        assert (replaced, refused) == (16 * 14, 1024 - 16 * 14), error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RBAC("1.1"))
def privileges_from_elsewhere(self):
    """What counts is what a user has, not where it was granted; and nothing else makes up for it."""
    with Given("users who have their privileges in other ways"):
        node = this().node("rbac")
        source, destination = one_part_pair(partitions=1, node=node)
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
            "with_everything_else": ("ALL ON {s}", f"{all_but(node, 'ALTER DELETE')} ON {{d}}"),
        }
        tables = {"s": source, "d": destination, "b": this().database}
        users = allowed | forbidden
        add_users(node, {name: [grant.format(**tables) for grant in users[name]] for name in users})

    only_these_users_may_replace(
        source=source, destination=destination, allowed=allowed, forbidden=forbidden
    )


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RBAC("1.1"))
def privileges_from_roles(self):
    """Privileges of a role count as long as it is enabled, also those of a role that it was given."""
    with Given("roles with privileges, and users who have the roles"):
        node = this().node("rbac")
        source, destination = one_part_pair(partitions=1, node=node)
        write = f"INSERT, ALTER DELETE ON {destination}"
        define_roles(
            node,
            {
                "reader": [f"SELECT ON {source}"],
                "writer": [write],
                "replacer": [f"SELECT ON {source}", write],
                "manager": ["replacer"],
            },
        )
        allowed = {
            "with_one_role": ("replacer",),
            "with_two_roles": ("reader", "writer"),
            "with_a_role_and_a_grant": ("reader", write),
            "with_a_role_of_a_role": ("manager",),
        }
        forbidden = {
            "with_half_of_it": ("reader",),
            "with_the_other_half": ("writer", f"SELECT ON {destination}"),
        }
        add_users(node, allowed | forbidden)

    with And("the server has granted it all in this way, and nothing else"):
        assert granted_roles(node) == GRANTED_ROLES, error()
        assert granted_privileges(node, [source, destination]) == GRANTED_PRIVILEGES, error()

    only_these_users_may_replace(
        source=source, destination=destination, allowed=allowed, forbidden=forbidden
    )

    with When("a user who has everything by a role disables it"):
        statement = replacing(destination, source, 1)
        before = state(destination)
        with node.session(user="with_one_role") as session:
            session.query("SET ROLE NONE")
            session.fails(statement, code=NOT_ENOUGH_PRIVILEGES, text=TEXT)
            refused = state(destination)
            session.query("SET ROLE replacer")
            session.query(statement)

    with Then("the statement is refused and the destination kept"):
        assert refused == before, error()

    with And("accepted when the role is enabled again"):
        assert state(destination).rows == contents(source), error()
        assert state(destination).parts != before.parts, error()


def add_users(node: Node, users: Mapping[str, Sequence[str]]) -> None:
    node.add_users([User(name, tuple(granted)) for name, granted in users.items()])


@TestOutline
def only_these_users_may_replace(self, *, source, destination, allowed, forbidden):
    """Those who may replace the partition do, and those who may not are refused."""
    with When("each of those who lack something replaces the partition"):
        statement = replacing(destination, source, 1)
        violations = {
            name: wrong_refusal(
                destination, statement, code=NOT_ENOUGH_PRIVILEGES, text=TEXT, user=name
            )
            for name in forbidden
        }

    with Then("every one is refused and the destination kept"):
        assert_no_violations({name: reason for name, reason in violations.items() if reason})

    with And("each of those who have it all replaces it, every time with new parts"):
        ids = {str(uuid4()): name for name in allowed}
        for query_id, name in ids.items():
            (before,) = parts(destination)
            destination.node.query(statement, user=name, query_id=query_id)
            (after,) = parts(destination)
            assert before.name != after.name, error()
            assert contents(destination) == contents(source), error()

    with And("it was each of them who did it"):
        assert executed_by(destination.node, ids) == ids, error()
