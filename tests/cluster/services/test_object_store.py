"""The object store: who may what, and what it survives."""

from __future__ import annotations

import io
import subprocess
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import urllib3
import urllib3.exceptions
from minio import Minio
from minio.error import S3Error

from helpers.base.errors import EnvironmentFailed
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.object_store import ADMIN, NO_ACCESS, READ_ONLY
from helpers.cluster.services import seaweed
from helpers.cluster.services.seaweed import SeaweedStore
from tests.databases import local_store


@pytest.fixture
def store(cluster: EmbeddedCluster) -> SeaweedStore:
    store = local_store(cluster)
    store.make_bucket("bucket")
    return store


def put(client: Minio, key: str, content: bytes = b"content", bucket: str = "bucket") -> None:
    client.put_object(bucket, key, io.BytesIO(content), len(content))


def get(client: Minio, key: str, bucket: str = "bucket") -> bytes:
    with client.get_object(bucket, key) as answer:
        return bytes(answer.read())


@pytest.mark.parametrize("method", ["GET", "DELETE", "POST"])
@pytest.mark.parametrize("service", ["filer", "volume", "admin"])
def test_what_is_behind_s3_answers_nobody_else(
    store: SeaweedStore, service: str, method: str
) -> None:
    put(store.client(), "private/object")
    url = f"http://127.0.0.1:{store._plain[service]}/buckets/bucket/private/object"
    answer = urllib3.request(method, url, retries=False)
    assert answer.status in (400, 401, 404), answer.data
    assert b"content" not in answer.data
    assert get(store.client(), "private/object") == b"content"


@pytest.mark.parametrize("path", ["col/delete?collection=bucket", "dir/assign", "vol/grow?count=1"])
def test_the_master_takes_no_orders_over_http(store: SeaweedStore, path: str) -> None:
    put(store.client(), "private/object")
    url = f"http://127.0.0.1:{store._plain['master']}/{path}"
    assert urllib3.request("GET", url, retries=False).status == 404
    assert get(store.client(), "private/object") == b"content"


def test_the_services_talk_to_each_other_only(store: SeaweedStore, tmp_path: Path) -> None:
    """The store's own shell, with the certificates of the store and without."""
    put(store.client(), "private/object")
    services = [
        f"-{name}=127.0.0.1:{store._plain[name]}.{store._peers[name]}"
        for name in ("master", "filer")
    ]
    listed = {}
    for place in (store.folder, tmp_path):
        shell = subprocess.Popen(
            [seaweed.find_program(), "shell", *services],
            cwd=place,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        timer = threading.Timer(5.0 if place == tmp_path else 60.0, shell.kill)
        timer.start()
        output, _ = shell.communicate("fs.ls /buckets/bucket/private\nexit\n")
        timer.cancel()
        listed[place] = "object" in output
    assert listed == {store.folder: True, tmp_path: False}


def test_identities_differ(store: SeaweedStore) -> None:
    admin, reader, nobody = map(store.client, (ADMIN, READ_ONLY, NO_ACCESS))
    put(admin, "rights/object")
    assert get(reader, "rights/object") == b"content"
    assert [entry.object_name for entry in reader.list_objects("bucket", "rights/")] == [
        "rights/object"
    ]
    refused: list[Callable[[], object]] = [
        lambda: put(reader, "rights/new"),
        lambda: reader.remove_object("bucket", "rights/object"),
        lambda: reader.make_bucket("readers-own"),
        lambda: get(nobody, "rights/object"),
        lambda: put(nobody, "rights/new"),
        lambda: list(nobody.list_objects("bucket")),
    ]
    for attempt in refused:
        with pytest.raises(S3Error) as caught:
            attempt()
        assert caught.value.code == "AccessDenied"
    assert store.keys("bucket", "rights/") == ["rights/object"]


def test_a_stranger_gets_nothing(store: SeaweedStore) -> None:
    host = store.url.partition("://")[2]
    put(store.client(), "private")
    for keys in ({}, {"access_key": "admin", "secret_key": "guessed"}):
        stranger = Minio(host, secure=False, region="us-east-1", **keys)  # type: ignore[arg-type]
        with pytest.raises(S3Error):
            get(stranger, "private")


def test_one_prefix_can_be_denied_and_allowed_again(store: SeaweedStore) -> None:
    store.make_bucket("policies")
    admin = store.client()
    store.deny("policies", "year=2024/")
    with pytest.raises(S3Error) as caught:
        put(admin, "year=2024/a", bucket="policies")
    assert caught.value.code == "AccessDenied"
    put(admin, "year=2025/a", bucket="policies")
    store.set_policy("policies", None)
    put(admin, "year=2024/a", bucket="policies")
    assert store.keys("policies") == ["year=2024/a", "year=2025/a"]
    assert store.keys("policies", "year=2024/") == ["year=2024/a"]


def test_buckets_do_not_make_themselves(store: SeaweedStore) -> None:
    with pytest.raises(S3Error) as caught:
        put(store.client(), "object", bucket="nobody-made-it")
    assert caught.value.code == "NoSuchBucket"
    assert not store.client().bucket_exists("nobody-made-it")
    assert "-s3.autoCreateBucket=false" in Path(f"/proc/{store.pid}/cmdline").read_text()


def test_a_frozen_store_hangs_and_goes_on(store: SeaweedStore) -> None:
    store.freeze()
    try:
        with ThreadPoolExecutor(1) as pool:
            writing = pool.submit(put, store.client(), "frozen")
            with pytest.raises(TimeoutError):
                writing.result(0.3)
            store.thaw()
            writing.result(20)
    finally:
        store.thaw()
    assert get(store.client(), "frozen") == b"content"


def test_objects_survive_a_kill(store: SeaweedStore) -> None:
    admin = store.client()
    for number in range(20):
        put(admin, f"kill/{number:02}", b"x" * number)
    pid = store.pid
    store.kill()
    assert not store.running
    with pytest.raises(urllib3.exceptions.HTTPError):
        get(admin, "kill/01")
    with pytest.raises(EnvironmentFailed, match="not running"):
        store.freeze()
    store.start()
    assert store.pid not in (None, pid)
    assert store.keys("bucket", "kill/") == [f"kill/{number:02}" for number in range(20)]
    assert [len(get(admin, f"kill/{number:02}")) for number in range(20)] == list(range(20))
    assert store.client().list_buckets()


def test_tls_is_trusted_by_its_authority_only(cluster: EmbeddedCluster) -> None:
    store = cluster.object_store(tls=True)
    assert store.url.startswith("https://127.0.0.1:")
    store.make_bucket("bucket")
    put(store.client(), "secure")
    assert get(store.client(), "secure") == b"content"
    store.certificate = None
    with pytest.raises(urllib3.exceptions.HTTPError, match="CERTIFICATE_VERIFY_FAILED"):
        get(store.client(), "secure")


def test_a_node_reads_and_writes_it(cluster: EmbeddedCluster, store: SeaweedStore) -> None:
    node, admin, reader = cluster.node(), store.identities[ADMIN], store.identities[READ_ONLY]
    for identity, allowed in ((admin, True), (reader, False)):
        target = (
            f"s3('{store.url}/bucket/from-node/{identity.name}.csv', "
            f"'{identity.access_key}', '{identity.secret_key}', 'CSV', 'n UInt8')"
        )
        insert = f"INSERT INTO FUNCTION {target} SELECT 7"
        if allowed:
            node.query(insert)
            assert node.query(f"SELECT n FROM {target}") == [(7,)]
        else:
            node.fails(insert, code=499, text="Access Denied")
    assert store.keys("bucket", "from-node/") == ["from-node/admin.csv"]
