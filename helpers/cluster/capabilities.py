"""What an environment may or may not have. Scenarios say what they need; a probe finds out.

A probe asks a running node and returns the reason why it cannot, or None if it can: nothing is
guessed from version numbers. A scenario that needs what is missing is Skip, with that reason.
"""

from __future__ import annotations

import enum
import importlib.util
from collections.abc import Callable
from typing import TYPE_CHECKING

from helpers.cluster.engine import KNOWN, find_engine
from helpers.cluster.failures import QueryFailed
from helpers.cluster.old_server import PROGRAM, find_program
from helpers.errors import EnvironmentFailed, UsageError

if TYPE_CHECKING:
    from helpers.cluster.cluster import Cluster


class Capability(enum.Enum):
    """One thing that scenarios ask for by name: `@needs(Capability.REPLICATION)`."""

    REPLICATION = "replication"
    OBJECT_STORE = "object store"
    PROCESS_CONTROL = "process control"
    FAILPOINTS = "failpoints"
    SQL_USERS = "sql users"
    TRANSACTIONS = "transactions"
    SECOND_ENGINE = "second engine"
    OLD_SERVER = "old server"
    SPARK = "spark"


def why_not(cluster: Cluster, capability: Capability) -> str | None:
    """Why this environment lacks it, or None if it has it."""
    return PROBES[capability](cluster)


def _replication(cluster: Cluster) -> str | None:
    node = cluster.node()
    if node.value("SELECT count() FROM system.tables WHERE database='system' AND name='zookeeper'"):
        return None
    return "no coordination service: system.zookeeper does not exist on this server"


def _object_store(cluster: Cluster) -> str | None:
    return cluster.why_no_object_store()


def _process_control(cluster: Cluster) -> str | None:
    return cluster.why_no_process_control()


def _failpoints(cluster: Cluster) -> str | None:
    return _refusal(cluster, "SELECT count() FROM system.fail_points")


def _sql_users(cluster: Cluster) -> str | None:
    refusal = _refusal(cluster, "CREATE USER capability_probe IDENTIFIED BY 'x'")
    return refusal or _refusal(cluster, "DROP USER capability_probe")


def _transactions(cluster: Cluster) -> str | None:
    with cluster.node().session() as session:
        try:
            session.query("BEGIN TRANSACTION")
            session.query("ROLLBACK")
        except QueryFailed as failed:
            return f"code {failed.code}: {failed.message}"
    return None


def _second_engine(cluster: Cluster) -> str | None:
    """Whether a node's data can be given to a server of another version."""
    reason = cluster.why_no_process_control()
    if reason is not None:
        return reason
    try:
        for version in KNOWN[:2]:
            find_engine(version, say=lambda _: None)
    except (EnvironmentFailed, UsageError) as failed:
        return str(failed)
    return None


def _old_server(_: Cluster) -> str | None:
    if find_program() is None:
        return f"the program {PROGRAM} (Debian's package of this name) is not installed here"
    return None


def _spark(_: Cluster) -> str | None:
    """Whether Spark could be started; to start it takes too long for a question."""
    if importlib.util.find_spec("pyspark") is None:
        return "the package pyspark is not installed"
    # Not before it is asked for: it imports PySpark, which takes a second.
    from pipelines.errors import PipelineError
    from pipelines.java import find_java

    try:
        find_java()
    except PipelineError as failed:
        return str(failed)
    return None


def _refusal(cluster: Cluster, sql: str) -> str | None:
    try:
        cluster.node().query(sql)
    except QueryFailed as failed:
        return f"code {failed.code}: {failed.message}"
    return None


PROBES: dict[Capability, Callable[[Cluster], str | None]] = {
    Capability.REPLICATION: _replication,
    Capability.OBJECT_STORE: _object_store,
    Capability.PROCESS_CONTROL: _process_control,
    Capability.FAILPOINTS: _failpoints,
    Capability.SQL_USERS: _sql_users,
    Capability.TRANSACTIONS: _transactions,
    Capability.SECOND_ENGINE: _second_engine,
    Capability.OLD_SERVER: _old_server,
    Capability.SPARK: _spark,
}
