"""Kill what takes part in exports at random moments, export again, and count every row.

    .venv/bin/python bench/export_random_kills.py [--kills N] [--minutes N] [--seed N]

Every turn has a table of random parts on one server or on two, and exports all of it: in one file a part
or in several, as a first export or an overwrite by merged parts, with a registration in Iceberg or without.
The driver, one of the processes that it started, a server or the store is killed (SIGKILL); servers and
store start again. Then the same command runs again, until it succeeds. Ends with exit code 1 if a row is
lost, doubled or unexpected, a file disagrees with its commit file, or a process, a lock or an upload is left.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from helpers.base.errors import USAGE
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.object_store import ObjectStore
from helpers.cluster.processes.process import start_time, wait_until_gone
from pipelines.clickhouse.server import Server
from pipelines.export.destination import place_destination
from pipelines.export.verify import verify
from pipelines.s3.store import Place, Store
from pipelines.system.processes import descendants
from pipelines.system.waiting import poll

ROOT = Path(__file__).resolve().parents[1]
BUCKET, DATABASE = "killed", "killed"
VICTIMS = ("driver", "child", "server", "store")
SECONDS, GONE_SECONDS, MOST_ROWS, ATTEMPTS = 900.0, 60.0, 30_000, 4
ROW = "cityHash64(p, n, s)"


@dataclass
class Tally:
    """What became of all rows."""

    kills: Counter[str] = field(default_factory=Counter)
    missed: int = 0
    rows: int = 0
    lost: int = 0
    doubled: int = 0
    unexpected: int = 0
    processes: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        return not (self.lost or self.doubled or self.unexpected or self.processes or self.wrong)

    def report(self) -> None:
        print(f"{time.strftime('%H:%M:%S')} {self}")

    def __str__(self) -> str:
        killed = ", ".join(f"{name} {count}" for name, count in sorted(self.kills.items()))
        return (
            f"{self.kills.total()} kills ({killed}), {self.missed} came too late; {self.rows:,} rows: lost "
            f"{self.lost}, doubled {self.doubled}, unexpected {self.unexpected}; processes left "
            f"{self.processes}; other {len(self.wrong)}"
        )


@dataclass
class Turn:
    """One export that is killed; its choices are made by the generator."""

    number: int
    chance: random.Random
    nodes: list[EmbeddedNode]
    objects: ObjectStore
    folder: Path

    def __post_init__(self) -> None:
        self.used = self.nodes if self.chance.random() < 0.5 else self.nodes[:1]
        self.files = self.chance.choice((0, 0, 1_000, 7_000))
        self.merges = self.chance.random() < 0.3
        self.iceberg = self.chance.random() < 0.4
        self.victim = self.chance.choice(VICTIMS)
        self.table, self.path = f"t{self.number}", f"s3://{BUCKET}/{self.number}"

    def __str__(self) -> str:
        kinds = [
            f"{len(self.used)} servers",
            f"{self.files or 'all'} rows a file",
            *(["merged"] if self.merges else []),
            *(["iceberg"] if self.iceberg else []),
        ]
        return f"{self.number}: {', '.join(kinds)}; kill {self.victim}"

    @property
    def store(self) -> Store:
        return self.objects.store()

    def fill(self) -> None:
        for node in self.used:
            node.query(
                f"CREATE TABLE {DATABASE}.{self.table} (p UInt8, n UInt64, s String) "
                "ENGINE = MergeTree PARTITION BY p ORDER BY n"
            )
            node.query(f"SYSTEM STOP MERGES {DATABASE}.{self.table}")
            self._insert(node, self.chance.randint(1, 3))

    def _insert(self, node: EmbeddedNode, parts: int) -> None:
        for _ in range(parts):
            rows = self.chance.randint(1, MOST_ROWS)
            node.query(
                f"INSERT INTO {DATABASE}.{self.table} SELECT {self.chance.randint(1, 2)}, "
                f"intDiv(rand64(), 2), randomPrintableASCII(60) FROM numbers({rows})"
            )

    def merge(self) -> None:
        for node in self.used:
            self._insert(node, 1)
            node.query(f"SYSTEM START MERGES {DATABASE}.{self.table}")
            node.query(f"OPTIMIZE TABLE {DATABASE}.{self.table} FINAL")

    def start(self, overwrite: bool) -> subprocess.Popen[bytes]:
        where = self.used[0].endpoint
        variables = {
            "CLICKHOUSE_URL": ",".join(node.endpoint.http_url for node in self.used),
            "CLICKHOUSE_USER": where.user,
            "CLICKHOUSE_PASSWORD": where.password,
            "AWS_ENDPOINT_URL": self.store.endpoint,
            "AWS_ACCESS_KEY_ID": self.store.access_key,
            "AWS_SECRET_ACCESS_KEY": self.store.secret_key,
            "PYTHONPATH": str(ROOT),
        }
        command = [sys.executable, "-P", "-m", "helpers.cli.main", "export", "--all"]
        command += ["--source", f"{DATABASE}.{self.table}", "--to", self.path]
        command += ["--max-rows-per-file", str(self.files)] if self.files else []
        command += ["--overwrite"] if overwrite else []
        if self.iceberg:
            catalog = f"sqlite:///{self.folder}/catalog.db"
            command += ["--register", "iceberg", "--catalog", catalog, "--keys-in-file"]
        return subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **variables},
            stdout=(self.folder / f"{self.number}.log").open("ab"),
            stderr=subprocess.STDOUT,
        )

    def run(self, overwrite: bool) -> None:
        """To the end, as often as a user would."""
        for _ in range(ATTEMPTS):
            process = self.start(overwrite)
            if (code := process.wait(SECONDS)) == 0:
                return
            assert code != USAGE, f"it is refused: see {self.folder}/{self.number}.log"
        raise AssertionError(f"it fails again and again: see {self.folder}/{self.number}.log")

    def kill(self, driver: subprocess.Popen[bytes]) -> list[int]:
        """Kill the victim; which of the driver's processes do not end by themselves then."""
        started = {pid: start_time(pid) for pid in descendants(driver.pid)}
        if self.victim == "driver":
            driver.kill()
        elif self.victim == "child" and started:
            os.kill(self.chance.choice(sorted(started)), 9)
        elif self.victim == "server":
            node = self.chance.choice(self.used)
            node.kill()
            node.start()
        elif self.victim == "store":
            self.objects.kill()
            self.objects.start()
        driver.wait(SECONDS)
        return [
            pid
            for pid, when in started.items()
            if when and not wait_until_gone(pid, when, GONE_SECONDS)
        ]

    def count(self, tally: Tally) -> None:
        """Compare the rows of the tables with those that readers find."""
        expected = self._hashes(f"SELECT {ROW} FROM {DATABASE}.{self.table}", self.used)
        place = Place.parse(self.path)
        keys = f"'{self.store.access_key}', '{self.store.secret_key}'"
        url = f"{self.store.endpoint}/{place.bucket}/{place.prefix}"
        files = f"s3('{url}**.parquet', {keys}, 'Parquet', 'n UInt64, s String, p UInt8')"
        self._compare(
            f"SELECT {ROW} FROM {files} SETTINGS use_hive_partitioning = 1", expected, tally
        )
        if self.iceberg:
            sql = f"SELECT cityHash64(p, n, s) FROM icebergS3('{url}_iceberg/', {keys})"
            self._compare(sql, expected, tally)
        tally.rows += expected.total()
        left = [key for key, _ in self.store.objects(place) if "_exporting_" in key]
        left += [upload.key for upload in self.store.uploads(place)]
        wrong = [
            text
            for item in verify(place_destination(self.store, self.path))
            for text in item.violations
        ]
        tally.wrong += [f"{self}: left {key}" for key in left]
        tally.wrong += [f"{self}: {text}" for text in wrong]

    def _compare(self, sql: str, expected: Counter[str], tally: Tally) -> None:
        found = self._hashes(sql, self.used[:1])
        lost, more = (expected - found).total(), found - expected
        doubled = sum(count for row, count in more.items() if row in expected)
        tally.lost += lost
        tally.doubled += doubled
        tally.unexpected += more.total() - doubled
        if lost or more:
            tally.wrong.append(f"{self}: {sql[:60]}: lost {lost}, more {more.total()}")

    def _hashes(self, sql: str, nodes: list[EmbeddedNode]) -> Counter[str]:
        found: Counter[str] = Counter()
        for node in nodes:
            where = node.endpoint
            server = Server(where.http_url, where.user, where.password)
            found.update(server.execute(f"{sql} FORMAT TSV", {}).decode().split())
        return found


def turn(one: Turn, tally: Tally, seconds: float) -> float:
    """Fill, export, kill, export again, count; how long an export takes that is not disturbed."""
    one.fill()
    if one.merges:
        one.run(False)
        one.merge()
    driver = one.start(one.merges)
    delay = one.chance.uniform(0, seconds)
    began = time.monotonic()
    if poll(lambda: driver.poll() is not None, delay):
        tally.missed += 1
        seconds = (seconds + time.monotonic() - began) / 2
    else:
        tally.kills[one.victim] += 1
    running = one.kill(driver)
    tally.processes += len(running)
    began = time.monotonic()
    one.run(one.merges)
    taken = time.monotonic() - began
    one.count(tally)
    for node in one.used:
        node.query(f"DROP TABLE {DATABASE}.{one.table} SYNC")
    return max(3.0, 0.7 * seconds + 0.3 * taken)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    given = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    print(f"seed {given.seed}")
    tally, end = Tally(), time.monotonic() + 60 * given.minutes
    with (
        tempfile.TemporaryDirectory(prefix="kills") as folder,
        EmbeddedCluster(Path(folder)) as cluster,
    ):
        nodes = [cluster.node(name) for name in ("first", "second")]
        objects = cluster.object_store()
        objects.make_bucket(BUCKET)
        for node in nodes:
            node.query(f"CREATE DATABASE {DATABASE} ENGINE = Atomic")
        number, seconds = 0, 12.0
        while tally.kills.total() < given.kills and time.monotonic() < end:
            number += 1
            one = Turn(number, random.Random(given.seed + number), nodes, objects, Path(folder))
            print(one)
            try:
                seconds = turn(one, tally, seconds)
            except Exception as error:
                tally.wrong.append(f"{one}: {error!r}")
                print((Path(folder) / f"{number}.log").read_text()[-2000:])
            if tally.wrong:
                print("\n".join(tally.wrong[-3:]))
            if number % 5 == 0:
                tally.report()
        tally.report()
    return 0 if tally.is_good else 1


if __name__ == "__main__":
    sys.exit(main())
