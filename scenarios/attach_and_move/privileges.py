"""Who may attach, detach and move: what a statement needs is enough, and nothing makes up for it."""

import itertools
from typing import NamedTuple

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.node import Node, User
from helpers.scenario.context import this
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs103_attach_and_move import (
    RQ_SRS_103_ClickHouse_AttachAndMove_Privileges,
)
from steps.refusals import attempt, state
from steps.storage import disks_of, stored_table
from steps.table_parts.part_life import detached_parts
from steps.tables import Table, contents, insert
from steps.users import NOT_ENOUGH_PRIVILEGES, all_but


class Statement(NamedTuple):
    """A statement on a table, what a user needs on it, in one way or another, and on the other table."""

    sql: str
    own: tuple[tuple[str, ...], ...]
    other: str = ""


MOVE = (("ALTER MOVE PARTITION",), ("SELECT", "ALTER DELETE"))  # 2 variants
STATEMENTS = (  # 10 variants
    Statement("ATTACH PART '3_3_3_0'", (("INSERT",),)),
    Statement("ATTACH PARTITION 3", (("INSERT",),)),
    Statement("DETACH PART '1_1_1_0'", (("ALTER DELETE",),)),
    Statement("DETACH PARTITION 1", (("ALTER DELETE",),)),
    Statement("DROP DETACHED PART '3_3_3_0'", (("ALTER DELETE",),)),
    Statement("MOVE PARTITION 1 TO DISK 'two'", MOVE),
    Statement("MOVE PARTITION 1 TO VOLUME 'cold'", MOVE),
    Statement("MOVE PART '1_1_1_0' TO DISK 'two'", MOVE),
    Statement("MOVE PARTITION 1 TO TABLE {other}", MOVE, "INSERT"),
    Statement("ATTACH PARTITION 1 FROM {other}", (("INSERT", "ALTER DELETE"),), "SELECT"),
)
ALLOWED = {"allow_drop_detached": 1}


class Pair(NamedTuple):
    """A table with two active parts and a detached one, and another one with one part."""

    own: Table
    other: Table

    def state(self) -> tuple[object, ...]:
        return state(self.own), state(self.other), detached_parts(self.own), disks_of(self.own)


def pair(node: Node) -> Pair:
    own, other = (stored_table(name, node, "tiered") for name in ("own", "other"))
    insert(own, [(p, p, "own") for p in (1, 2, 3)])
    insert(other, [(1, 9, "other")])
    node.query(f"ALTER TABLE {own} DETACH PARTITION 3")
    tables = Pair(own, other)
    assert list(detached_parts(own)) == ["3_3_3_0"] and len(contents(own)) == 2, error()
    assert contents(other) == [(1, 9, "other")], error()
    return tables


class Case(NamedTuple):
    """A user who executes a statement on tables of his own."""

    name: str
    sql: str
    tables: Pair
    granted: list[str]
    may: bool


def cases_of(statement: Statement, node: Node) -> list[Case]:
    """Users who have everything but a part of what the statement needs, and then users with exactly that.

    A refusal changes nothing, so those who are refused have the tables of the first one who is not.
    """
    first = pair(node)
    found = []

    def add(what: str, tables: Pair, of_own: str, of_other: str, *, may: bool) -> None:
        granted = [(of_own, tables.own), (of_other, tables.other)]
        texts = [f"{privileges} ON {table}" for privileges, table in granted if privileges]
        sql = f"ALTER TABLE {tables.own} {statement.sql.format(other=tables.other)}"
        found.append(Case(f"{statement.sql}, {what}", sql, tables, texts, may))

    for missing in itertools.product(*statement.own):
        add(f"all but {', '.join(missing)}", first, all_but(node, *missing), "ALL", may=False)
    if statement.other:
        others = all_but(node, statement.other)
        add(f"all but {statement.other} on the other table", first, "ALL", others, may=False)
    for number, way in enumerate(statement.own):
        tables = pair(node) if number else first
        add(f"only {', '.join(way)}", tables, ", ".join(way), statement.other, may=True)
    return found


@TestScenario
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_Privileges("1.0"))
def every_privilege_is_needed(self):
    """A user with what a statement needs may execute it, and nobody who lacks one of it."""
    with Given("tables for each user who executes a statement"):
        node = this().node("disks", fragments=("disks",))
        cases = [case for statement in STATEMENTS for case in cases_of(statement, node)]
        users = {f"user_{number}": case for number, case in enumerate(cases)}
        node.add_users([User(name, tuple(case.granted)) for name, case in users.items()])

    violations = {}
    for user, case in users.items():
        with When(f"a user executes a statement: {case.name}"):
            before = case.tables.state()
            outcome = attempt(node, case.sql, user=user, settings=ALLOWED)
            changed = case.tables.state() != before
            code = None if case.may else NOT_ENOUGH_PRIVILEGES
            if outcome.code != code or changed != case.may:
                violations[case.name] = f"{outcome}, the tables have changed: {changed}"

    with Then("those who have all of it have changed the tables, and nobody else has"):
        covers("`ATTACH PART`, `ATTACH PARTITION` |", "`DETACH PART`, `DETACH PARTITION` |")
        covers("`DROP DETACHED PART` |", "`MOVE PARTITION TO DISK`, `TO VOLUME` |")
        covers("`MOVE PARTITION TO TABLE` |", "`ATTACH PARTITION FROM` |")
        assert_no_violations(violations)

    with And("there were users of both kinds"):
        may = sum(case.may for case in cases)
        assert (may, len(cases) - may) == (14, 17), error()
