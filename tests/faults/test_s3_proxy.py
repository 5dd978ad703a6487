"""The fault proxy in front of a real store: signatures stay valid, faults hit what they are meant for."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from minio import Minio
from minio.error import S3Error
from urllib3 import PoolManager, Retry
from urllib3.exceptions import HTTPError

from helpers.base.time_limits import scaled
from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.object_store import ADMIN
from helpers.cluster.services.seaweed import Seaweed
from helpers.faults.s3_proxy import Delay, RequestKind, Reset, S3FaultProxy, Stall, Status, classify
from pipelines.system.waiting import poll
from tests.databases import cluster_fixture

PART = 5 << 20


cluster = cluster_fixture("module")


@pytest.fixture(scope="module")
def store(cluster: EmbeddedCluster) -> Seaweed:
    store = cluster.object_store()
    store.make_bucket("bucket")
    return store


@pytest.fixture
def proxy(store: Seaweed) -> Iterator[S3FaultProxy]:
    with S3FaultProxy(store.url) as proxy:
        yield proxy


@pytest.fixture
def client(store: Seaweed, proxy: S3FaultProxy) -> Minio:
    """A client that does not try again, so that every fault shows."""
    identity = store.identities[ADMIN]
    return Minio(
        proxy.url.partition("://")[2],
        identity.access_key,
        identity.secret_key,
        secure=False,
        region="us-east-1",
        http_client=PoolManager(retries=Retry(0)),
    )


def put(client: Minio, key: str, content: bytes = b"content") -> None:
    client.put_object("bucket", key, io.BytesIO(content), len(content), part_size=PART)


def get(client: Minio, key: str) -> bytes:
    with client.get_object("bucket", key) as answer:
        return bytes(answer.read())


def test_requests_pass_and_are_recorded(client: Minio, proxy: S3FaultProxy) -> None:
    large = bytes(range(256)) * (PART // 256) + b"end"
    put(client, "pass/a b=ü", b"small")
    put(client, "pass/large", large)
    assert get(client, "pass/a b=ü") == b"small"
    assert get(client, "pass/large") == large
    assert client.stat_object("bucket", "pass/large").size == len(large)
    keys = [entry.object_name for entry in client.list_objects("bucket", "pass/")]
    assert sorted(map(str, keys)) == ["pass/a b=ü", "pass/large"]
    client.remove_object("bucket", "pass/large")
    kinds = [request.kind for request in proxy.requests]
    assert kinds == [
        RequestKind.PUT,
        RequestKind.CREATE_UPLOAD,
        *[RequestKind.UPLOAD_PART] * 2,
        RequestKind.COMPLETE_UPLOAD,
        *[RequestKind.GET] * 2,
        RequestKind.HEAD,
        RequestKind.LIST,
        RequestKind.DELETE,
    ]
    assert proxy.requests[0].key == "bucket/pass/a b=ü"
    assert [request.status for request in proxy.of_kind(RequestKind.UPLOAD_PART)] == [200, 200]


def test_the_nth_request_is_refused_and_healed(
    client: Minio, proxy: S3FaultProxy, store: Seaweed
) -> None:
    with proxy.fault(RequestKind.PUT, Status(503, "SlowDown"), nth=2) as fault:
        put(client, "nth/1")
        with pytest.raises(S3Error, match="SlowDown"):
            put(client, "nth/2")
        put(client, "nth/3")
    put(client, "nth/4")
    assert (fault.seen, fault.hits) == (3, 1)
    assert store.keys("bucket", "nth/") == ["nth/1", "nth/3", "nth/4"]


def test_a_fault_for_one_key_only(client: Minio, proxy: S3FaultProxy) -> None:
    with proxy.fault(RequestKind.PUT, Status(), times=None, key="k=2/") as fault:
        put(client, "some/k=1/x")
        for _ in range(2):
            with pytest.raises(S3Error):
                put(client, "some/k=2/x")
    assert fault.hits == 2


@pytest.mark.parametrize("after_reply", [False, True])
def test_a_reset_before_and_after_the_store_processed(
    client: Minio, proxy: S3FaultProxy, store: Seaweed, after_reply: bool
) -> None:
    key = f"reset/{after_reply}"
    with proxy.fault(RequestKind.PUT, Reset(after_reply=after_reply)), pytest.raises(HTTPError):
        put(client, key)
    assert (store.keys("bucket", key) == [key]) is after_reply
    assert proxy.requests[-1].status == 0


def test_a_delay_ends_when_it_is_healed(client: Minio, proxy: S3FaultProxy) -> None:
    with proxy.fault(RequestKind.PUT, Delay(0.4)):
        started = time.monotonic()
        put(client, "delay/x")
        assert time.monotonic() - started >= 0.4


def test_what_is_stalled_never_reaches_the_store(
    client: Minio, proxy: S3FaultProxy, store: Seaweed
) -> None:
    with ThreadPoolExecutor(1) as pool:
        with proxy.fault(RequestKind.PUT, Stall(), key="stalled") as fault:
            waiting = pool.submit(put, client, "stalled")
            assert poll(lambda: fault.hits == 1, scaled(30))
            assert not waiting.done()
        with pytest.raises(HTTPError):
            waiting.result(scaled(30))
    assert "stalled" not in store.keys("bucket")
    put(client, "stalled")
    assert "stalled" in store.keys("bucket")


def test_what_is_stalled_after_the_reply_was_processed(
    client: Minio, proxy: S3FaultProxy, store: Seaweed
) -> None:
    with ThreadPoolExecutor(1) as pool:
        with proxy.fault(RequestKind.PUT, Stall(after_reply=True), key="processed") as fault:
            waiting = pool.submit(put, client, "processed")
            assert poll(lambda: fault.processed == 1, scaled(30))
            assert "processed" in store.keys("bucket") and not waiting.done()
        with pytest.raises(HTTPError):
            waiting.result(scaled(30))


def test_clickhouse_writes_and_reads_through_it(
    cluster: EmbeddedCluster, store: Seaweed, proxy: S3FaultProxy
) -> None:
    node, identity = cluster.node(), store.identities[ADMIN]
    place = (
        f"s3('{proxy.url}/bucket/clickhouse/x.parquet', '{identity.access_key}', "
        f"'{identity.secret_key}', 'Parquet')"
    )
    node.query(f"INSERT INTO FUNCTION {place} SELECT number FROM numbers(1000)")
    assert node.value(f"SELECT sum(number) FROM {place}") == 499500
    assert {RequestKind.PUT, RequestKind.GET} <= {request.kind for request in proxy.requests}
    with (
        proxy.fault(RequestKind.PUT, Status(403, "AccessDenied"), times=None) as fault,
        pytest.raises(QueryFailed, match=r"AccessDenied|refused on purpose"),
    ):
        node.query(
            f"INSERT INTO FUNCTION {place} SETTINGS s3_truncate_on_insert = 1 SELECT 1 AS number"
        )
    assert fault.hits >= 1
    assert node.value(f"SELECT sum(number) FROM {place}") == 499500


def test_a_store_that_is_gone_is_a_reset(store: Seaweed) -> None:
    with S3FaultProxy("http://127.0.0.1:1") as proxy:
        client = Minio(
            proxy.url.partition("://")[2],
            *("a", "b"),
            secure=False,
            region="us-east-1",
            http_client=PoolManager(retries=Retry(0)),
        )
        with pytest.raises(HTTPError):
            put(client, "x")


def test_https_is_refused() -> None:
    with pytest.raises(ValueError, match="http://"):
        S3FaultProxy("https://127.0.0.1:1")


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("PUT", "/b", RequestKind.OTHER),
        ("PUT", "/b/k?partNumber=1&uploadId=x", RequestKind.UPLOAD_PART),
        ("POST", "/b/k?uploads", RequestKind.CREATE_UPLOAD),
        ("POST", "/b/k?uploads=", RequestKind.CREATE_UPLOAD),
        ("POST", "/b/k?uploadId=x", RequestKind.COMPLETE_UPLOAD),
        ("POST", "/b?delete", RequestKind.DELETE_MANY),
        ("DELETE", "/b/k?uploadId=x", RequestKind.ABORT_UPLOAD),
        ("GET", "/b?list-type=2&prefix=k", RequestKind.LIST),
        ("GET", "/b?policy", RequestKind.OTHER),
        ("GET", "/b/k", RequestKind.GET),
    ],
)
def test_kinds_of_requests(method: str, path: str, kind: RequestKind) -> None:
    assert classify(method, path)[0] == kind
