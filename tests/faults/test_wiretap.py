"""The relay that listens: what is asked in the open is heard, what is asked over TLS is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.faults.wiretap import Wiretap
from tests.databases import cluster_fixture

cluster = cluster_fixture("module")


@pytest.mark.parametrize("tls", [False, True])
def test_requests_pass_and_are_heard(cluster: EmbeddedCluster, tls: bool) -> None:
    store = cluster.object_store(tls=tls)
    store.make_bucket("bucket")
    with Wiretap(store.url) as tap:
        behind = replace(store.store(), endpoint=tap.url)
        behind.put("bucket", "spoken-word", b"what-is-said")
        assert behind.get("bucket", "spoken-word") == b"what-is-said"
    words = (b"/bucket/spoken-word", b"what-is-said")
    assert [word in tap.heard for word in words] == [not tls] * 2
    assert tap.heard
