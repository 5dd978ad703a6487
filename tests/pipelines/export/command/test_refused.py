"""The command `export`: bad input is one line and an exit code, and nothing is written."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from helpers.base.errors import EnvironmentFailed, RegressionError, UsageError
from helpers.cluster import daemon
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.node import User
from helpers.cluster.object_store import READ_ONLY, ObjectStore
from tests.pipelines.conftest import BUCKET
from tests.pipelines.export.command.conftest import run

SYSTEM = ("tables", "columns", "parts", "mutations", "processes")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((), "needs --source"),
        (("--source", "a.b", "--to", "s3://x/y"), "Say what to export"),
        (("--source", "a.b", "--to", "/tmp/out", "--all"), "not into a folder of this machine"),
        (("verify", "--to", "./out"), "not into a folder of this machine"),
        (
            ("--source", "a.b", "--to", "s3://x/y", "--all", "--bandwidth", "-1"),
            "no number of bytes",
        ),
        (
            ("--source", "a.b", "--to", "s3://x/y", "--all", "--rows-per-task", "0"),
            "no number above",
        ),
        (("--source", "a.b", "--to", "s3://x/y", "--all", "--if-exists", "x"), "BAD_ARGUMENTS"),
        (("--source", "no.such", "--to", "s3://x/y", "--all"), "UNKNOWN_DATABASE"),
        (
            ("--source=a.b", "--to=s3://x/y", "--all", "--register=iceberg", "--catalog=here"),
            "--catalog here is no URI",
        ),
        (
            ("--source", "a.b", "--to", "s3://x/y", "--all", "--bandwidth", "9" * 400),
            "no number of bytes",
        ),
        (("--source", "a.\udcff", "--to", "s3://x/y", "--all"), "--source is no text in UTF-8"),
        (("--source", "a.b", "--to", "s3://x/\udcff", "--all"), "--to is no text in UTF-8"),
        (("verify",), "Say what to verify"),
        (("verify", "--to", "s3://x/y", "--part", "1_1_1_0"), "takes no --part: it verifies all"),
        (("verify", "--to", "s3://x/y", "--source", "a.b"), "takes no --source: it verifies all"),
        (("verify", "--to", f"s3://{BUCKET}/mistyped"), "nothing to verify"),
        (("history",), "--log DB"),
    ],
)
def test_bad_input_is_refused(environment: None, arguments: tuple[str, ...], text: str) -> None:
    with pytest.raises(UsageError, match=text):
        run(*arguments)


@pytest.mark.parametrize(
    ("source", "what", "to", "text"),
    [
        ("nope", ("--all",), "s3", "UNKNOWN_TABLE (60)"),
        ("t", ("--all",), "nope", "UNKNOWN_TABLE (60)"),
        (
            "t",
            ("--part", "1_77_77_0"),
            "s3",
            "NO_SUCH_DATA_PART (232): No such data part '1_77_77_0'",
        ),
        ("t", ("--partition", "77"), "s3", "NO_SUCH_DATA_PART (232)"),
        ("t", ("--all",), "merge_tree", "NOT_IMPLEMENTED (48)"),
        ("t", ("--all",), "other_key", "BAD_ARGUMENTS (36): Tables have different partition key"),
        ("t", ("--all",), "t", "BAD_ARGUMENTS (36): Exporting to the same table is not allowed"),
        ("by_uuid", ("--all",), "s3", "BAD_ARGUMENTS (36): The partition key u"),
        ("t", ("--all",), "s3://no-such-bucket/x", "S3_ERROR (499)"),
        ("t", ("--all", "--bandwidth", "-1"), "s3", "--bandwidth -1 is no number of bytes"),
        ("t", ("--all", "--where", "nope = 1"), "s3", "UNKNOWN_IDENTIFIER"),
        ("t", ("--all", "--where", "1) OR (1"), "s3", "The condition '1) OR (1' cannot be"),
        ("t", ("--all", "--older-than", "x"), "s3", "An age is a number"),
        ("t", ("--all",), "s3://no!bucket/x", "A place on S3 is s3://bucket/prefix"),
        ("t", ("--all",), f"s3://{BUCKET}/../x", "the folders . and .."),
        ("t", ("--all",), f"s3://{BUCKET}/a\nb", "control characters"),
        ("by_bytes", ("--all",), "s3", "BAD_ARGUMENTS (36): The partition key s"),
        ("t", ("--all", "--url", "http://127.0.0.1 :8123"), "s3", "is http://host:port"),
        ("t", ("--all", "--url", "http://me:sesame@[::1"), "s3", "is no URL"),
        ("t", ("--all", "--endpoint", "http://127.0.0.1 :9000"), "s3", "is http://host:port"),
        ("t", ("--all", "--spark-master", "nowhere"), "s3", "is no Spark master"),
    ],
)
def test_what_cannot_be_exported_is_refused_before_anything_is_written(
    environment: None,
    node: EmbeddedNode,
    object_store: ObjectStore,
    table: str,
    source: str,
    what: tuple[str, ...],
    to: str,
    text: str,
) -> None:
    node.query("CREATE TABLE merge_tree AS t ENGINE = MergeTree PARTITION BY p ORDER BY n")
    node.query(
        "CREATE TABLE by_uuid (u UUID, n UInt8) ENGINE = MergeTree PARTITION BY u ORDER BY n"
    )
    node.query("INSERT INTO by_uuid SELECT generateUUIDv4(), 1")
    node.query(
        "CREATE TABLE by_bytes (s String, n UInt8) ENGINE = MergeTree PARTITION BY s ORDER BY n"
    )
    node.query("INSERT INTO by_bytes VALUES ('\\xFF\\xFE', 1)")
    node.query(
        f"CREATE TABLE other_key (p UInt8, n UInt64) ENGINE = S3('{object_store.url}/{BUCKET}/other/', "
        "'Parquet', partition_strategy = 'hive') PARTITION BY n"
    )
    before = object_store.keys(BUCKET)
    place = f"s3://{BUCKET}/refused" if to == "s3" else to
    named = place if "://" in place else f"{node.database}.{place}"
    with pytest.raises(UsageError) as refused:
        run("--source", f"{node.database}.{source}", *what, "--to", named)
    assert text in str(refused.value) and "\n" not in str(refused.value)
    assert "sesame" not in str(refused.value)
    assert object_store.keys(BUCKET) == before


def test_what_is_no_store_and_no_authority(
    environment: None,
    node: EmbeddedNode,
    table: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arguments = ("--source", f"{node.database}.t", "--all", "--to", f"s3://{BUCKET}/refused")
    with pytest.raises(UsageError, match="no S3 store"):
        run(*arguments, "--endpoint", node.endpoint.http_url)
    monkeypatch.setenv("AWS_CA_BUNDLE", str(tmp_path / "nothing.pem"))
    with pytest.raises(UsageError, match=r"nothing\.pem: No such file"):
        run(*arguments)
    monkeypatch.setenv("CLICKHOUSE_PASSWORD", "sesame")
    with pytest.raises(UsageError, match="AUTHENTICATION_FAILED") as refused:
        run(*arguments)
    assert "sesame" not in str(refused.value)


def test_a_store_without_tls(
    environment: None, node: EmbeddedNode, object_store: ObjectStore, table: str
) -> None:
    url = object_store.url.replace("http://", "https://")
    with pytest.raises(EnvironmentFailed, match="does not speak TLS"):
        run(
            "--source", f"{node.database}.t", "--all", "--to", f"s3://{BUCKET}/x", "--endpoint", url
        )


def test_a_store_that_only_reads_and_a_user_without_grants_are_refused(
    environment: None,
    node: EmbeddedNode,
    object_store: ObjectStore,
    table: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arguments = ("--source", f"{node.database}.t", "--all", "--to", f"s3://{BUCKET}/refused")
    reader = object_store.identities[READ_ONLY]
    with monkeypatch.context() as changed:
        changed.setenv("AWS_ACCESS_KEY_ID", reader.access_key)
        changed.setenv("AWS_SECRET_ACCESS_KEY", reader.secret_key)
        with pytest.raises(UsageError, match="S3_ERROR"):
            run(*arguments)
    granted = ("SHOW ON *.*", *(f"SELECT ON system.{name}" for name in SYSTEM))
    # Who may read one column only is not shown the others.
    partly = (f"SELECT(n) ON {node.database}.whole", *granted[1:])
    node.query("CREATE TABLE whole (n UInt64, s String) ENGINE = MergeTree ORDER BY n")
    node.query("INSERT INTO whole VALUES (1, 'a')")
    node.add_users([User("stranger", granted), User("partly", partly)])
    monkeypatch.setenv("CLICKHOUSE_URL", node.endpoint.http_url)
    monkeypatch.setenv("CLICKHOUSE_USER", "stranger")
    monkeypatch.setenv("CLICKHOUSE_PASSWORD", node.password("stranger"))
    with pytest.raises(UsageError, match=r"Not enough privileges.*SELECT.*ACCESS_DENIED"):
        run(*arguments)
    monkeypatch.setenv("CLICKHOUSE_USER", "partly")
    monkeypatch.setenv("CLICKHOUSE_PASSWORD", node.password("partly"))
    with pytest.raises(UsageError, match=r"Not enough privileges.*SELECT.*ACCESS_DENIED"):
        run("--source", f"{node.database}.whole", *arguments[2:], "--dry-run")
    assert object_store.keys(BUCKET, "refused") == []


@pytest.mark.parametrize(
    "arguments",
    [("--url", "http://someone:sesame@127.0.0.1:9"), ("--endpoint", "http://127.0.0.1:9")],
)
def test_who_does_not_answer(
    environment: None, node: EmbeddedNode, table: str, arguments: tuple[str, ...]
) -> None:
    with pytest.raises(EnvironmentFailed, match="does not answer") as failed:
        run("--source", f"{node.database}.t", "--to", f"s3://{BUCKET}/nowhere", "--all", *arguments)
    assert "sesame" not in str(failed.value)


def test_without_keys_it_says_which_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID", raising=False)
    with pytest.raises(RegressionError, match="AWS_ACCESS_KEY_ID"):
        run("verify", "--to", "s3://x/y", "--results", "/nonexistent")


def test_keys_of_the_environment_that_is_up_are_not_used_for_a_named_server(
    environment: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_up(folder: Path) -> None:
        raise AssertionError("nobody may ask for the environment")

    monkeypatch.setattr(daemon, "find", is_up)
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    with pytest.raises(UsageError, match="AWS_ACCESS_KEY_ID"):
        run("--source", "a.b", "--to", "s3://x/y", "--all")


def test_a_registration_is_checked_before_anything_is_written(
    environment: None,
    node: EmbeddedNode,
    object_store: ObjectStore,
    table: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arguments = ("--source", f"{node.database}.t", "--all", "--to", f"s3://{BUCKET}/iceberg")
    with pytest.raises(UsageError, match="needs --catalog"):
        run(*arguments, "--register", "iceberg")
    with pytest.raises(UsageError, match="belong to --register"):
        run(*arguments, "--catalog", "sqlite://")
    catalog = ("--register", "iceberg", "--catalog", f"sqlite:///{tmp_path}/catalog.db")
    with monkeypatch.context() as without:
        without.setattr(importlib.util, "find_spec", lambda name: None)
        with pytest.raises(UsageError, match=r"needs pyiceberg: .* -m pip --python .* install"):
            run(*arguments, *catalog)
    if importlib.util.find_spec("pyiceberg"):
        with pytest.raises(UsageError, match="add --keys-in-file"):
            run(*arguments, *catalog)
    assert object_store.keys(BUCKET, "iceberg") == []
