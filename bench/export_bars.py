"""More figures of bench/export.py: two servers against one, a small part against a bare session, Iceberg."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.export_ways import BUCKET, Lake, session
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.server import Server
from pipelines.export.exporter import Exporter
from pipelines.export.iceberg.registration import Registration
from pipelines.export.plan import Request
from pipelines.export.servers import plan_servers

ROOT = Path(__file__).resolve().parents[1]
TWO_SERVERS, SMALL_PART, REGISTERED, BY_FAR = 1.7, 0.9, 0.1, 2.0
PARTS, ROWS_OF_PART, CORES_OF_TWO = 100, 1_000, 4
BARE_SESSION = (
    "from pyspark.sql import SparkSession; s = SparkSession.builder.master('local[2]').getOrCreate(); "
    "s.sparkContext.parallelize([1], 1).count(); s.stop()"
)


def seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def servers(lake: Lake, node: EmbeddedNode, rows: int, turns: int) -> bool:
    """How much faster two servers with a part of ROWS rows each are than one of them."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedCluster(Path(folder)) as cluster:
        where = cluster.node("second").endpoint
        other = Server(where.http_url, where.user, where.password)
        for server in (lake.server, other):
            replace(lake, server=server).fill("servers", rows)

        def export(used: list[Server], path: str) -> None:
            request = Request("servers", f"s3://{BUCKET}/{path}")
            plans = plan_servers(used, request, lake.store)
            exporter = Exporter(used[0], lake.store, session=session)
            failed = [outcome.error for outcome in exporter.execute(plans) if outcome.error]
            assert not failed, failed[0]

        ratios = []
        for turn in range(turns + 1):
            one = seconds(lambda turn=turn: export([lake.server], f"one/{turn}"))  # type: ignore[misc]
            two = seconds(lambda turn=turn: export([lake.server, other], f"two/{turn}"))  # type: ignore[misc]
            if turn:  # the first one warms up
                ratios.append(2 * one / two)
                print(f"turn {turn}: one server {one:.2f} s, two with twice the rows {two:.2f} s")
    cores = os.cpu_count() or 1
    ratio = statistics.median(ratios)
    print(
        f"  two servers against one {ratio:.2f} ({min(ratios):.2f}–{max(ratios):.2f}; bar {TWO_SERVERS} "
        f"from {CORES_OF_TWO} cores on, here are {cores})"
    )
    return ratio >= TWO_SERVERS / BY_FAR or cores < CORES_OF_TWO


def small(lake: Lake, node: EmbeddedNode, rows: int, turns: int) -> bool:
    """The command `export` of one small part against a bare PySpark session with one job, in turn."""
    lake.fill("small", ROWS_OF_PART)
    variables = {
        "CLICKHOUSE_URL": lake.server.url,
        "CLICKHOUSE_USER": lake.server.user,
        "CLICKHOUSE_PASSWORD": lake.server.password,
        "AWS_ENDPOINT_URL": lake.store.endpoint,
        "AWS_ACCESS_KEY_ID": lake.store.access_key,
        "AWS_SECRET_ACCESS_KEY": lake.store.secret_key,
        "PYTHONPATH": str(ROOT),
    }

    def run(*arguments: str) -> None:
        command = [sys.executable, "-P", *arguments]
        subprocess.run(
            command, cwd=ROOT, env={**os.environ, **variables}, check=True, capture_output=True
        )

    ratios = []
    for turn in range(turns + 1):
        bare = seconds(lambda: run("-c", BARE_SESSION))
        to = f"s3://{BUCKET}/small/{turn}"
        arguments = ("-m", "helpers.cli.main", "export", "--all", "--source", "small", "--to", to)
        taken = seconds(lambda arguments=arguments: run(*arguments))  # type: ignore[misc]
        if turn:
            ratios.append(taken / bare)
            print(f"turn {turn}: bare session {bare:.2f} s, export of one small part {taken:.2f} s")
    ratio = statistics.median(ratios)
    print(
        f"  export of a small part against a bare session {ratio:.2f} "
        f"({min(ratios):.2f}–{max(ratios):.2f}; bar {SMALL_PART})"
    )
    return ratio <= SMALL_PART * BY_FAR


def registered(lake: Lake, node: EmbeddedNode, rows: int, turns: int) -> bool:
    """What a snapshot in Iceberg adds to an export of 100 parts."""
    name = "registered"
    lake.server.run(
        f"CREATE TABLE {name} (p UInt32, n UInt32, s String) ENGINE = MergeTree PARTITION BY p ORDER BY n"
    )
    lake.server.run(
        f"INSERT INTO {name} SELECT number % {PARTS}, number, toString(number) "
        f"FROM numbers({PARTS * ROWS_OF_PART})",
        max_partitions_per_insert_block=0,
    )
    shares = []
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(turns + 1):
            exporter = Exporter(lake.server, lake.store, session=session)
            request = Request(name, f"s3://{BUCKET}/{name}/{turn}", keys_in_file=True)
            plan = exporter.plan(request)
            assert len(plan.parts) == PARTS
            registration = Registration(f"sqlite:///{folder}/{turn}.db", "bench.registered")
            started = time.perf_counter()
            assert not [one.error for one in exporter.execute(plan) if one.error]
            exported = time.perf_counter()
            registration.register([plan])
            taken, more = exported - started, time.perf_counter() - exported
            if turn:
                shares.append(more / taken)
                print(f"turn {turn}: export of {PARTS} parts {taken:.2f} s, snapshot {more:.2f} s")
    share = statistics.median(shares)
    print(
        f"  a snapshot adds {share:.0%} ({min(shares):.0%}–{max(shares):.0%}; bar {REGISTERED:.0%})"
    )
    return share <= REGISTERED * BY_FAR
