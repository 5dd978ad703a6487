"""The ways by which a table becomes Parquet on S3: the export, and what a user would take instead.

As a program it goes one way in a process of its own, which can be killed: export_ways.py WAY TABLE PATH,
with the lake in the variable LAKE.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pyspark.sql import SparkSession

from helpers.cluster.engines.engine import default_folder
from helpers.cluster.engines.offline import PROGRAM
from pipelines.clickhouse.data_source import read_table
from pipelines.clickhouse.server import Server
from pipelines.export.encoding import ENCODING
from pipelines.export.exporter import Exporter
from pipelines.export.options import Options
from pipelines.export.plan import Request
from pipelines.s3.store import Store
from pipelines.spark.java import LONG_RUN
from pipelines.spark.session import spark_session

BUCKET, LAKE = "bench", "LAKE"
INSERT = "INSERT INTO FUNCTION s3"
LEAN = "the same, set as the export"
LOCAL = "clickhouse-local"
SPARK = "rows through Spark"
EXPORT = "export"
BARE = "export without fingerprint"
CODEC = {"output_format_parquet_compression_method": "zstd"}
ROW = (
    "number AS id, intHash64(number) AS h, concat('name ', toString(number % 10007)) AS name, "
    "toDateTime(1700000000 + number) AS at, number / 7 AS price"
)


@dataclass(frozen=True)
class Lake:
    """A server, its native port and a store; `hive` lets every way make a folder for each p."""

    server: Server
    native: str
    store: Store
    hive: bool = False

    def encoded(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def decoded(cls, text: str) -> Lake:
        read = json.loads(text)
        server, store = Server(**read.pop("server")), Store(**read.pop("store"))
        return cls(server=server, store=store, **read)

    def files(self, path: str, hive: bool = False) -> str:
        """The table function over a path."""
        url = f"{self.store.endpoint}/{BUCKET}/{path}"
        keys = f"'{self.store.access_key}', '{self.store.secret_key}'"
        return f"s3('{url}', {keys}, {'format = ' if hive else ''}'Parquet'" + (
            ", partition_strategy = 'hive') PARTITION BY p" if hive else ")"
        )

    def fill(self, name: str, rows: int, partitions: int = 1) -> None:
        """A table with one part in each partition."""
        columns = f"number % {partitions} AS p, {ROW}"
        self.server.run(
            f"CREATE TABLE {name} ENGINE = MergeTree PARTITION BY p ORDER BY id "
            f"AS SELECT {columns} FROM numbers(0)"
        )
        self.server.run(
            f"INSERT INTO {name} SELECT {columns} FROM numbers({rows})",
            max_partitions_per_insert_block=0,
            min_insert_block_size_rows=rows,
            min_insert_block_size_bytes=0,
        )


def _insert(lake: Lake, source: str, path: str) -> str:
    into = lake.files(path, True) if lake.hive else lake.files(f"{path}/all.parquet")
    return f"INSERT INTO FUNCTION {into} SELECT {'*' if lake.hive else '* EXCEPT p'} FROM {source}"


def insert(lake: Lake, table: str, path: str, **settings: str | int) -> None:
    lake.server.run(_insert(lake, table, path), **{**CODEC, **settings})


def local(lake: Lake, table: str, path: str) -> None:
    """The engine in a process of its own, which ends with the statement, as clickhouse-local does."""
    who = f"'{lake.server.user}', '{lake.server.password}'"
    source = f"remote('{lake.native}', {lake.server.database}, {table}, {who})"
    settings = ", ".join(f"{name} = '{value}'" for name, value in CODEC.items())
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "script.sql")
        script.write_text(f"{_insert(lake, source, path)} SETTINGS {settings}")
        command = [sys.executable, *map(str, (PROGRAM, default_folder(), folder, script))]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def export(lake: Lake, table: str, path: str, fingerprint: bool = True) -> None:
    request = Request(table, f"s3://{BUCKET}/{path}")
    exporter = Exporter(lake.server, lake.store, Options(fingerprint=fingerprint), session=session)
    failed = [outcome.error for outcome in exporter.export(request) if outcome.error]
    assert not failed, failed[0]


def through_spark(lake: Lake, table: str, path: str) -> None:
    """Read rows into Spark, let it write Parquet to a folder, and upload the files."""
    frame = read_table(session(), lake.server, table)
    with tempfile.TemporaryDirectory() as name:
        written, client = Path(name, "written"), lake.store.client()
        frame.write.partitionBy("p").option("compression", "zstd").parquet(str(written))
        for file in sorted(written.rglob("*.parquet")):
            client.fput_object(BUCKET, f"{path}/{file.relative_to(written)}", str(file))


def session(java_options: Sequence[str] = LONG_RUN) -> SparkSession:
    """The session there is, else one with Java's full compiler, which rows need."""
    return spark_session("local[2]", java_options=java_options)


WAYS: dict[str, Callable[[Lake, str, str], None]] = {
    INSERT: insert,
    LEAN: lambda lake, table, path: insert(lake, table, path, **ENCODING),
    EXPORT: export,
    BARE: lambda lake, table, path: export(lake, table, path, fingerprint=False),
    LOCAL: local,
    SPARK: through_spark,
}


@contextmanager
def in_a_process(way: str, lake: Lake, table: str, path: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that goes one way; it leads a group, by which all of it can be killed."""
    variables = {**os.environ, LAKE: lake.encoded()}
    command = [sys.executable, __file__, way, table, path]
    with subprocess.Popen(
        command, env=variables, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        yield process


if __name__ == "__main__":
    WAYS[sys.argv[1]](Lake.decoded(os.environ[LAKE]), *sys.argv[2:])
