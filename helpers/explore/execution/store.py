"""An object store with faults for the tables of kind s3: a disk behind a proxy that refuses a request."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary
from xml.sax.saxutils import escape

from helpers.cluster.cluster import Cluster
from helpers.cluster.node import Node
from helpers.cluster.object_store import ADMIN
from helpers.explore.model.schema import FRAGMENT
from helpers.explore.model.statements import (
    HistoryStatement,
)
from helpers.faults.s3_proxy import Fault, Kind, S3FaultProxy, Status

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
    with proxy.fault(Kind(fault.request), Status(500, "InternalError")) as injected:
        yield injected
