"""Servers as histories need them: settings, data in memory, and an object store with faults.

Most of what histories cost a server is files that are made and removed. A SIGKILL leaves them as it would
on a disk; what only the loss of power shows is not explored.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakKeyDictionary
from xml.sax.saxutils import escape

from helpers.cluster.cluster import Cluster
from helpers.cluster.node import Node
from helpers.cluster.object_store import ADMIN
from helpers.explore.model.schema import FRAGMENT
from helpers.explore.model.statements import MUTATIONS, HistoryStatement
from helpers.faults.s3_proxy import Fault, RequestKind, S3FaultProxy, Status
from helpers.runner.folder import RunFolder

MEMORY = Path("/dev/shm")
LEAST_BYTES = 2 << 30
S3_ERROR = 499
BUCKET = "explore"
# A request that the store refuses is not sent again: the statement meets the fault.
DISK = """<clickhouse><storage_configuration>
<disks><explore_s3>
<type>s3</type><endpoint>{url}/{bucket}/</endpoint>
<access_key_id>{key}</access_key_id><secret_access_key>{secret}</secret_access_key>
<s3_retry_attempts>0</s3_retry_attempts><retry_attempts>0</retry_attempts>
</explore_s3></disks>
<policies><explore_s3><volumes><main><disk>explore_s3</disk></main></volumes></explore_s3></policies>
</storage_configuration></clickhouse>"""
_proxies: WeakKeyDictionary[Node, S3FaultProxy] = WeakKeyDictionary()


@contextmanager
def node_with_store(cluster: Cluster, config: dict[str, str]) -> Iterator[Node]:
    """A node of this configuration with the disks of tiered and of s3 tables."""
    store = cluster.object_store()
    bucket = store.bucket(BUCKET)
    store.make_bucket(bucket)
    who = store.identities[ADMIN]
    with S3FaultProxy(store.url) as proxy:
        values = {
            "url": proxy.url,
            "bucket": bucket,
            "key": who.access_key,
            "secret": who.secret_key,
        }
        disk = DISK.format(**{name: escape(value) for name, value in values.items()})
        node = cluster.node(config={**config, "store": disk}, fragments=(FRAGMENT,))
        _proxies[node] = proxy
        yield node


@contextmanager
def faulty(node: Node, fault: HistoryStatement) -> Iterator[Fault]:
    """While the block runs, the first request of a kind is refused."""
    proxy = _proxies[node]
    with proxy.fault(RequestKind(fault.request), Status(500, "InternalError")) as injected:
        yield injected


@contextmanager
def data_folder(otherwise: Path) -> Iterator[Path]:
    """A folder in memory, which is gone afterwards, or the other one. What a run that was killed has left
    is removed by the next one."""
    if not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < LEAST_BYTES:
        yield otherwise
        return
    folder = RunFolder(MEMORY / f"regression-explore-{os.getuid()}")
    try:
        yield folder.data
    finally:
        folder.close()
        shutil.rmtree(folder.path, ignore_errors=True)


def wait_for_mutations(node: Node) -> None:
    """Have each statement that is sent to this node wait for its mutation, as scripts of findings do."""
    (name,) = MUTATIONS
    if node.value(f"SELECT count() FROM system.settings WHERE name = '{name}'"):
        node.settings = {**node.settings, **MUTATIONS}
        node.drop_connections()  # settings are those of a connection
