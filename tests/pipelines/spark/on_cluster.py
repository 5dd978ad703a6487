"""A program on a cluster: what two comparisons say, told line by line while they run.

`on_cluster compare URL CONF SERVER` says `middle DONE OF` when some tasks are done and some are not;
`on_cluster hold` starts a cluster of its own with a session on it, tells its processes and waits.
"""

from __future__ import annotations

import json
import sys
import threading
import time

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from pipelines.clickhouse.data_source import read_table
from pipelines.clickhouse.rows import table
from pipelines.clickhouse.server import Server
from pipelines.compare import oracle
from pipelines.generate.data_set import DataSet, generated
from pipelines.spark.session import spark_session
from pipelines.spark.standalone import StandaloneCluster
from pipelines.system.waiting import poll

# Longer than any test lets it run.
FOREVER = 600
# Many tasks, so that there is a middle.
DATA = DataSet(rows=8_000, seed=9, rows_per_file=250)
COLUMNS = (
    "id Int64, key Int64, amount Nullable(Decimal(18, 2)), price Float64, name Nullable(String), "
    "at DateTime64(6, 'UTC'), day Date32, flag Bool, year Int32, month Int32"
)


def fill(server: Server) -> None:
    """The table that is compared."""
    server.run(f"CREATE TABLE t ({COLUMNS}) ENGINE = MergeTree ORDER BY id")
    rows = [batch for file in DATA.files() for batch in DATA.whole_rows(file)]
    server.insert("INSERT INTO t FORMAT ArrowStream", rows[0].schema, rows)


def verdicts(session: SparkSession, server: Server) -> list[str]:
    """Of a table that is as expected, and of one that lacks a row; and a hash of what is read of it."""
    expected = generated(session, DATA)
    whole, lacking = table(server, "t"), table(server, "t", where="id != 1234")
    compared = [str(oracle.compare(expected, actual, key=["id"])) for actual in (whole, lacking)]
    rows = read_table(session, server, "t")
    return [*compared, str(rows.agg(f.count("id"), f.bit_xor(f.xxhash64("*"))).collect())]


def stages_in_the_middle(session: SparkSession) -> list[tuple[int, int]]:
    """The tasks done and all tasks of every stage that has begun and is not half done yet."""
    tracker = session.sparkContext.statusTracker()
    stages = map(tracker.getStageInfo, tracker.getActiveStageIds())
    counts = [(stage.numCompletedTasks, stage.numTasks) for stage in stages if stage]
    return [(done, total) for done, total in counts if 2 <= done < total / 2]


def tell_the_middle(session: SparkSession) -> None:
    for done, total in poll(lambda: stages_in_the_middle(session), FOREVER)[:1]:
        print("middle", done, total, flush=True)


def executors(session: SparkSession) -> int:
    return int(session.sparkContext._jsc.sc().getExecutorMemoryStatus().size()) - 1


def compare(url: str, conf: str, server: str) -> None:
    session = spark_session(url, conf=json.loads(conf))
    poll(lambda: executors(session) >= 2, FOREVER, pause=0.1)
    threading.Thread(target=tell_the_middle, args=[session], daemon=True).start()
    results = verdicts(session, Server(**json.loads(server)))
    print(json.dumps({"verdicts": results, "executors": executors(session)}), flush=True)


def hold() -> None:
    with StandaloneCluster(workers=1) as cluster:
        session = spark_session(cluster.url, conf=cluster.conf)
        assert generated(session, DataSet(100)).count() == 100
        print(json.dumps(cluster.pids), flush=True)
        time.sleep(FOREVER)


if __name__ == "__main__":
    if sys.argv[1] == "hold":
        hold()
    else:
        compare(*sys.argv[2:])
