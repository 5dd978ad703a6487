"""The command `export`, and the environment that it reads."""

from __future__ import annotations

import pytest

from helpers.cli.options.export import parser
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.object_store import ObjectStore


def run(*arguments: str) -> int:
    given = parser().parse_args(list(arguments))
    return int(given.implementation()(given))


@pytest.fixture
def environment(
    node: EmbeddedNode, object_store: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, who = node.endpoint, object_store.identities["admin"]
    monkeypatch.setenv("CLICKHOUSE_URL", where.http_url)
    monkeypatch.setenv("CLICKHOUSE_USER", where.user)
    monkeypatch.setenv("CLICKHOUSE_PASSWORD", where.password)
    monkeypatch.setenv("AWS_ENDPOINT_URL", object_store.url)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", who.access_key)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", who.secret_key)
