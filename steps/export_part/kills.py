"""Exports that are killed in the middle: who is killed when, and what became of every row."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from helpers.cluster.client.interception import action
from helpers.cluster.object_store import ADMIN
from helpers.cluster.processes import process
from helpers.faults.s3_proxy import Fault, RequestKind, S3FaultProxy, Stall
from helpers.scenario.context import this
from pipelines.system.processes import descendants
from steps.export_part.exports import Lake, source_table
from steps.tables import Table

if TYPE_CHECKING:
    from pipelines.spark.standalone import StandaloneCluster

ROOT = Path(__file__).resolve().parents[2]
# A part of rows that cannot be compressed: tasks have something to upload before the end.
ROWS, WIDTH = 120_000, 100
SECONDS = 120.0
# Statements that read a part, and how many of them have begun to send rows.
READING = "query LIKE '%_part = %FORMAT Parquet' AND NOT query LIKE '%system.processes%'"
SENDING = f"SELECT count() FROM system.processes WHERE read_rows > 0 AND {READING}"


@dataclass(frozen=True)
class Account:
    """What became of the rows of a part."""

    attempted: int
    acknowledged: int
    lost: int = 0
    duplicated: int = 0
    unexpected: int = 0


def large_source(lake: Lake) -> Table:
    """A table with one part of 12 MB."""
    source = source_table(lake)
    lake.node.query(
        f"INSERT INTO {source} SELECT 1, number, randomPrintableASCII({WIDTH}) "
        f"FROM numbers({ROWS})",
        settings={"max_insert_block_size": ROWS, "min_insert_block_size_rows": ROWS},
    )
    parts = lake.node.value(
        f"SELECT count() FROM system.parts WHERE database = '{source.database}' "
        f"AND table = '{source.name}' AND active"
    )
    assert parts == 1, f"the fixture has {parts} parts"
    return source


def account(source: Table, destination: Table, acknowledged: int) -> Account:
    """Compare all rows of source and destination."""
    row = "cityHash64(p, i, owner)"
    ours, theirs = (f"(SELECT {row} FROM {table})" for table in (source, destination))
    node = source.node
    (attempted,) = node.column(f"SELECT count() FROM {source}")
    (lost,) = node.column(f"SELECT count() FROM {source} WHERE {row} NOT IN {theirs}")
    (duplicated,) = node.column(f"SELECT count() - uniqExact({row}) FROM {destination}")
    (unexpected,) = node.column(f"SELECT count() FROM {destination} WHERE {row} NOT IN {ours}")
    return Account(attempted, acknowledged, lost, duplicated, unexpected)


@dataclass(frozen=True)
class Moment:
    """When to kill: before the store gets a request, or after it has processed it and before it answers.

    `seen` is how many rows a reader then sees, and `again` how the next export ends. `alone` is a driver
    that has started neither Java nor Python by then.
    """

    kind: RequestKind
    key: str = ""
    processed: bool = False
    seen: int = 0
    again: str = "succeeded"
    alone: bool = False


@contextmanager
def held(lake: Lake, moment: Moment) -> Iterator[tuple[S3FaultProxy, Fault]]:
    """A store that answers no request of this kind until the block ends, when they are reset."""
    effect = Stall(after_reply=moment.processed)
    with (
        S3FaultProxy(lake.store.url) as proxy,
        proxy.fault(moment.kind, effect, times=None, key=moment.key) as fault,
    ):
        yield proxy, fault


def kill_driver_at(moment: Moment, lake: Lake, source: Table, path: str, *options: str) -> None:
    """Start the command `export`, kill -9 it at a moment, and see that all it had started ends."""
    with held(lake, moment) as (proxy, fault):
        driver = start_driver(lake, source, lake.place(path), proxy.url, *options)
        wait_until_held(fault, driver)
        if moment.processed:
            this().eventually(lambda: fault.processed > 0, timeout=SECONDS)
        started = processes_of(driver)
        assert bool(started) != moment.alone, f"the driver has started {started}"
        kill_driver(driver)
        assert driver.ending == "killed by SIGKILL", f"the driver {driver.ending}"
    running = still_running(started)
    assert running == [], f"the driver's processes {running} still run"


def start_driver(lake: Lake, source: Table, to: str, url: str, *options: str) -> process.Child:
    """The command `export` as a process of its own, which finds the store at `url`."""
    where, who = lake.node.endpoint, lake.store.identities[ADMIN]
    variables = {
        "CLICKHOUSE_URL": where.http_url,
        "CLICKHOUSE_USER": where.user,
        "CLICKHOUSE_PASSWORD": where.password,
        "AWS_ENDPOINT_URL": url,
        "AWS_ACCESS_KEY_ID": who.access_key,
        "AWS_SECRET_ACCESS_KEY": who.secret_key,
    }
    command = [sys.executable, "-P", "-m", "helpers.cli.main", "export", "--all"]
    return process.start(
        [*command, "--source", str(source), "--to", to, *options],
        cwd=ROOT,
        output=this().folder / f"{this().unique('driver')}.log",
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
    )


def wait_until_held(fault: Fault, driver: process.Child) -> None:
    """Until a request of the driver waits at the store; it must not have ended before."""
    this().eventually(lambda: fault.hits or not driver.alive, timeout=SECONDS)
    assert fault.hits and driver.alive, f"the driver {driver.ending}: {driver.last_output()}"


@contextmanager
def standalone_cluster() -> Iterator[StandaloneCluster]:
    """A Spark cluster of two workers, each for one task at a time."""
    from pipelines.spark.standalone import StandaloneCluster

    with StandaloneCluster(workers=2) as cluster:
        yield cluster


@action
def kill_executor(cluster: StandaloneCluster, number: int) -> None:
    """Kill -9 a worker with what runs on it."""
    cluster.kill_worker(number)


@action
def kill_driver(driver: process.Child) -> None:
    """Kill -9 the process, and nothing of what it had started."""
    driver.kill()


def processes_of(driver: process.Child) -> dict[int, float]:
    """What a driver has started, Java and Python, with the time of its start."""
    found = {pid: process.start_time(pid) for pid in descendants(driver.pid)}
    return {pid: when for pid, when in found.items() if when}


def still_running(started: dict[int, float]) -> list[int]:
    """Which of these processes do not end by themselves."""
    return [pid for pid, when in started.items() if not process.wait_until_gone(pid, when, SECONDS)]
