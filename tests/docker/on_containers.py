"""A driver whose Spark is in containers: where its tasks run, what comparisons say, and an export.

`on_containers URL CONF SERVER STORE DESTINATION` says `middle DONE OF` in the middle of a comparison, and
in the end everything in one line.
"""

from __future__ import annotations

import json
import socket
import sys
import threading

from pyspark.sql import SparkSession

from pipelines.clickhouse.server import Server
from pipelines.export.exporter import Exporter
from pipelines.export.plan import Request
from pipelines.s3.store import Store
from pipelines.spark.session import spark_session
from pipelines.system.waiting import poll
from tests.pipelines.spark.on_cluster import executors, tell_the_middle, verdicts

TASKS = 8
PATIENCE = 120.0


def hosts(session: SparkSession) -> list[str]:
    """The machines on which tasks run."""
    tasks = session.sparkContext.parallelize(range(TASKS), TASKS)
    return sorted(set(tasks.map(lambda _: socket.gethostname()).collect()))


def main(url: str, conf: str, server: str, store: str, destination: str) -> None:
    session = spark_session(url, conf=json.loads(conf))
    assert poll(lambda: executors(session) == 2, PATIENCE, pause=0.1), "no two executors"
    before = hosts(session)
    source = Server(**json.loads(server))
    threading.Thread(target=tell_the_middle, args=[session], daemon=True).start()
    results = verdicts(session, source)
    after = hosts(session)
    exporter = Exporter(source, Store(**json.loads(store)), session=lambda: session)
    exported = [(part.status, part.error) for part in exporter.export(Request("t", destination))]
    print(json.dumps({"before": before, "verdicts": results, "after": after, "exported": exported}))


if __name__ == "__main__":
    main(*sys.argv[1:])
