"""What the explorer costs beside its statements: the same ones sent by a bare driver to the same server.

Run it with the environment's Python: .venv/bin/python bench/explore.py [SECONDS]
The driver keeps its connection when a statement is refused: connecting anew would take longer than most.
Batches of histories and their statements once more take turns, so that the noise of the machine meets
both alike. Ends with exit code 1 if the bar is missed. The figure of two workers on idle processors is
the one that `./regression.py explore` prints.
"""

from __future__ import annotations

import contextlib
import sys
import time
from pathlib import Path

from clickhouse_driver.errors import ServerException

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.connection import connection_to
from bench.explorer.node import explorer_node
from helpers.cluster.client import driver
from helpers.explore.findings.known import KNOWN
from helpers.explore.model.schema import DEFAULT_TABLES
from helpers.explore.model.statements import KINDS
from helpers.explore.search.profiles import PROFILES
from helpers.explore.search.search import Search

BAR = 0.5


def seconds_of(client: driver.Client, statements: list[str]) -> float:
    """How long a driver takes that does nothing but send them and fetch the rows."""
    began = time.perf_counter()
    for sql in statements:
        with contextlib.suppress(ServerException):
            client.execute(sql)
    return time.perf_counter() - began


def main() -> int:
    deadline = time.monotonic() + (float(sys.argv[1]) if sys.argv[1:] else 20.0)
    ours = bare = 0.0
    count = batch = 0
    with explorer_node() as node:
        sent: list[str] = []
        node.recorder.on_begin = lambda statement: sent.append(statement.sql)
        client = driver.Client(**connection_to(node), settings=dict(node.settings))
        profile = PROFILES["sequential"]
        search = Search(node, profile, KINDS, DEFAULT_TABLES, KNOWN, deadline)
        while time.monotonic() < deadline:
            batch += 1
            sent.clear()
            began = time.perf_counter()
            search.batch(batch)
            ours += time.perf_counter() - began
            bare += seconds_of(client, list(sent))
            count += len(sent)
    ratio = bare / ours
    print("| statements | explorer | bare driver | ratio | bar |")
    print("|---:|---:|---:|---:|---:|")
    print(f"| {count} | {count / ours:.0f}/s | {count / bare:.0f}/s | {ratio:.2f} | ≥ {BAR} |")
    return 1 if ratio < BAR else 0


if __name__ == "__main__":
    sys.exit(main())
