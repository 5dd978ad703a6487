"""Privileges: every combination of them on tables of their own, and what they amount to."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence

from helpers.cluster.node import Node
from helpers.scenario.context import this
from helpers.scenario.step import step
from steps.tables import Table, create_table, fill

Privileges = tuple[str, ...]
NOT_ENOUGH_PRIVILEGES = 497
# Each of these has the next one in it.
CONTAINED: Mapping[str, str] = {"ALTER": "ALTER TABLE", "ALTER TABLE": "ALTER DELETE"}


def combinations(privileges: Collection[str]) -> list[Privileges]:
    """All subsets, from none to all of them."""
    return [
        subset
        for size in range(len(privileges) + 1)
        for subset in itertools.combinations(privileges, size)
    ]


def effective(granted: Iterable[str]) -> set[str]:
    """What a user has who was granted these: a privilege and all that it contains."""
    effective_privileges = set()
    for granted_privilege in granted:
        privilege: str | None = granted_privilege
        while privilege is not None:
            effective_privileges.add(privilege)
            privilege = CONTAINED.get(privilege)
    return effective_privileges


@step("I create a table {name} for each combination of privileges")
def tables_by_privileges(
    name: str, node: Node, privileges: Iterable[Privileges]
) -> dict[Privileges, Table]:
    """A filled table for each combination: a user with the grants has this combination there."""
    tables = {granted: create_table(name, node=node, settings={}) for granted in privileges}
    for table in tables.values():
        fill(table, [1], parts=1)
    return tables


def grants(tables: Mapping[Privileges, Table]) -> list[str]:
    """What follows GRANT, so that a user has on each table the privileges it stands for."""
    return [f"{privilege} ON {table}" for granted, table in tables.items() for privilege in granted]


def all_but(node: Node, *privileges: str) -> str:
    """Every other privilege that the server knows for tables and columns, as a list for GRANT."""
    ((names, number),) = node.query(
        "SELECT groupArray(privilege), count() FROM system.privileges "
        "WHERE level IN ('TABLE', 'COLUMN')"
    )
    assert {*privileges} <= {*names} and len(set(names)) == number, f"{number} privileges: {names}"
    return ", ".join(name for name in names if name not in privileges)


@step("I define roles on {node}")
def define_roles(node: Node, roles: Mapping[str, Sequence[str]]) -> None:
    """Roles with what follows GRANT; the node is restarted with them and without earlier users."""
    texts = [
        f"<{name}><grants>{''.join(f'<query>GRANT {grant}</query>' for grant in granted)}</grants>"
        f"</{name}>"
        for name, granted in roles.items()
    ]
    this().node(
        node.name, users={"roles": f"<clickhouse><roles>{''.join(texts)}</roles></clickhouse>"}
    )
    known = node.column("SELECT name FROM system.roles ORDER BY name")
    assert known == sorted(roles), f"the server knows the roles {known}"


def granted_roles(node: Node) -> dict[str, list[str]]:
    """The roles that were granted to each user and to each role, as the server lists them."""
    return _by_holder(node, "granted_role_name", "system.role_grants")


def granted_privileges(node: Node, tables: Sequence[Table]) -> dict[str, list[str]]:
    """The privileges that were granted on these tables to each user and to each role, not by a role."""
    named = ", ".join(f"('{table.database}', '{table.name}')" for table in tables)
    where = f"system.grants WHERE (database, table) IN ({named})"
    return _by_holder(node, "toString(access_type)", where)


def _by_holder(node: Node, granted: str, listed: str) -> dict[str, list[str]]:
    rows = node.query(
        f"SELECT ifNull(user_name, role_name) AS holder, arraySort(groupArray({granted})) "
        f"FROM {listed} GROUP BY holder"
    )
    assert len(dict(rows)) == len(rows), f"somebody is listed twice: {rows}"
    return dict(rows)
