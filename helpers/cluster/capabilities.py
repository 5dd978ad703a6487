"""What an environment may or may not have. Scenarios say what they need; a probe finds out.

A probe asks a running node and returns the reason why it cannot, or None if it can: nothing is
guessed from version numbers. A scenario that needs what is missing is Skip, with that reason.
"""

from __future__ import annotations

import enum
import importlib.util
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from helpers.base.errors import failure_of
from helpers.cluster.binary.program import why_no_old_server
from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.services.java import find_java_program

if TYPE_CHECKING:
    from helpers.cluster.cluster import Cluster
    from helpers.cluster.node import Node


class Capability(enum.Enum):
    """One thing that scenarios ask for by name: `@needs(Capability.REPLICATION)`."""

    REPLICATION = "replication"
    OBJECT_STORE = "object store"
    PROCESS_CONTROL = "process control"
    NETWORK_PARTITION = "network partition"
    FAILPOINTS = "failpoints"
    SQL_USERS = "sql users"
    ROW_POLICIES = "row policies"
    SETTINGS_OF_ALTER = "ALTER with SETTINGS"
    REFUSAL_OF_MISSING_PARTITION = "refusal of a partition that the source has not"
    MESSAGES_OF_TODAY = "messages of today"
    TABLE_FUNCTIONS = "table functions"
    TRANSACTIONS = "transactions"
    ASYNC_INSERTS = "asynchronous inserts"
    SECOND_ENGINE = "second engine"
    EVERY_ENGINE = "every engine"
    OLDEST_ENGINE = "the oldest engine"
    OLD_SERVER = "old server"
    SPARK = "spark"
    PYARROW = "pyarrow"
    DUCKDB = "duckdb"
    ICEBERG = "pyiceberg"
    EXPORT_PART = "export part"
    HDFS = "hdfs"
    SERVERS_WITHOUT_UUID = "servers that have no UUID of their own"


EXPECTED: Mapping[str, frozenset[Capability]] = {
    "embedded": frozenset(
        {
            Capability.OBJECT_STORE,
            Capability.PROCESS_CONTROL,
            Capability.FAILPOINTS,
            Capability.ROW_POLICIES,
            Capability.MESSAGES_OF_TODAY,
            Capability.TABLE_FUNCTIONS,
            Capability.SPARK,
            Capability.PYARROW,
        }
    ),
    "docker": frozenset({Capability.PROCESS_CONTROL}),
    "binary": frozenset({Capability.PROCESS_CONTROL, Capability.OBJECT_STORE}),
    "remote": frozenset(),
}
"""What an environment has to have, whatever the server: a probe that says no is an Error there."""
LEAST_TABLE_FUNCTIONS = 30
NO_UUID = "00000000-0000-0000-0000-000000000000"
Probe = Callable[["Cluster"], str | None]


def why_not(cluster: Cluster, capability: Capability) -> str | None:
    """Why this environment lacks it, or None if it has it."""
    return PROBES[capability](cluster)


def why_broken(cluster: Cluster, environment: str, needed: Iterable[Capability]) -> str | None:
    """What this environment lacks of these though it has to have it, or None."""
    for capability in needed:
        reason = why_not(cluster, capability) if capability in EXPECTED[environment] else None
        if reason is not None:
            return f"{environment} has to have {capability.value}, and the probe says: {reason}"
    return None


def _replication(cluster: Cluster) -> str | None:
    """Whether a node that is configured for it has a session with the coordination service."""
    reason = cluster.why_no_coordination()
    if reason is not None:
        return reason
    node = cluster.node(fragments=("replication",))
    return _refusal(node, "SELECT count() FROM system.zookeeper WHERE path = '/'")


def _sql_users(cluster: Cluster) -> str | None:
    refusal = _refusal(cluster.node(), "CREATE USER capability_probe IDENTIFIED BY 'x'")
    return refusal or _refusal(cluster.node(), "DROP USER capability_probe")


def _settings_of_alter(cluster: Cluster) -> str | None:
    """Whether the server parses the clause; the table in the statement does not exist."""
    sql = "ALTER TABLE system.no_such_table DELETE WHERE 1 SETTINGS max_threads = 1"
    refusal = _refusal(cluster.node(), sql)
    return refusal if refusal and refusal.startswith("code 62:") else None


def _refusal_of_missing_partition(cluster: Cluster) -> str | None:
    """A server that has the setting refuses the statement unless it is set."""
    name = "allow_replace_partition_from_empty_source"
    known = cluster.node().value(f"SELECT count() FROM system.settings WHERE name = '{name}'")
    return None if known else f"this server has no setting {name}: it accepts it always"


def _messages_of_today(cluster: Cluster) -> str | None:
    """Whether refusals are worded so that scenarios recognise them."""
    # Not by SELECT: what that says depends on the analyzer that is used.
    answer = _refusal(cluster.node(), "DROP TABLE no_such_table") or "no refusal"
    return None if "does not exist" in answer else f"this server words them otherwise: {answer}"


def _table_functions(cluster: Cluster) -> str | None:
    count = cluster.node().value("SELECT count() FROM system.table_functions")
    return None if count >= LEAST_TABLE_FUNCTIONS else f"this server knows {count} of them"


def _transactions(cluster: Cluster) -> str | None:
    with cluster.node().session() as session:
        try:
            session.query("BEGIN TRANSACTION")
            session.query("ROLLBACK")
        except QueryFailed as failed:
            return f"code {failed.code}: {failed.message}"
    return None


def _package(name: str) -> Probe:
    """Whether this package is installed."""

    def probe(_: Cluster) -> str | None:
        importlib.invalidate_caches()  # it may have been installed since this worker started
        found = importlib.util.find_spec(name)
        return None if found else f"the package {name} is not installed"

    return probe


def _spark(cluster: Cluster) -> str | None:
    """Whether Spark could be started; starting it takes too long for a probe."""
    importlib.invalidate_caches()  # it may have been installed since this worker started
    if importlib.util.find_spec("pyspark") is None:
        return "the package pyspark is not installed"
    return failure_of(find_java_program) or cluster.why_no_spark()


def _export_part(cluster: Cluster) -> str | None:
    """Whether the server itself knows the statement; upstream servers do not."""
    statement = "ALTER TABLE one EXPORT PART 'all_1_1_0' TO TABLE other"
    refusal = _refusal(cluster.node(), f"EXPLAIN AST {statement}")
    return f"this server has no statement EXPORT PART: {refusal[:80]}" if refusal else None


def _servers_without_uuid(cluster: Cluster) -> str | None:
    """A server out of the wheel never loads one, so all of them take themselves for the same."""
    node = cluster.node()
    sql = "SELECT toString(serverUUID())"
    refusal = _refusal(node, sql)
    if refusal is None and node.value(sql) != NO_UUID:
        refusal = "each server has a UUID of its own"
    return refusal


def _refusal(node: Node, sql: str) -> str | None:
    try:
        node.query(sql)
    except QueryFailed as failed:
        return f"code {failed.code}: {failed.message}"
    return None


def _answers(sql: str) -> Probe:
    """The server has it if it executes this statement."""
    return lambda cluster: _refusal(cluster.node(), sql)


PROBES: dict[Capability, Probe] = {
    Capability.REPLICATION: _replication,
    Capability.OBJECT_STORE: lambda cluster: cluster.why_no_object_store(),
    Capability.PROCESS_CONTROL: lambda cluster: cluster.why_no_process_control(),
    Capability.NETWORK_PARTITION: lambda cluster: cluster.why_no_partition(),
    Capability.FAILPOINTS: _answers("SELECT count() FROM system.fail_points"),
    Capability.SQL_USERS: _sql_users,
    Capability.ROW_POLICIES: _answers("SELECT count() FROM system.row_policies"),
    Capability.SETTINGS_OF_ALTER: _settings_of_alter,
    Capability.REFUSAL_OF_MISSING_PARTITION: _refusal_of_missing_partition,
    Capability.MESSAGES_OF_TODAY: _messages_of_today,
    Capability.TABLE_FUNCTIONS: _table_functions,
    Capability.TRANSACTIONS: _transactions,
    Capability.ASYNC_INSERTS: _answers("SYSTEM FLUSH ASYNC INSERT QUEUE"),
    Capability.SECOND_ENGINE: lambda cluster: cluster.why_no_second_engine(),
    Capability.EVERY_ENGINE: lambda cluster: cluster.why_not_every_engine(),
    Capability.OLDEST_ENGINE: lambda cluster: cluster.why_no_oldest_engine(),
    Capability.OLD_SERVER: lambda _: why_no_old_server(),
    Capability.SPARK: _spark,
    Capability.PYARROW: _package("pyarrow"),
    Capability.DUCKDB: _package("duckdb"),
    Capability.ICEBERG: _package("pyiceberg"),
    Capability.EXPORT_PART: _export_part,
    Capability.HDFS: lambda cluster: cluster.why_no_hdfs(),
    Capability.SERVERS_WITHOUT_UUID: _servers_without_uuid,
}
