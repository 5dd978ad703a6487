"""FINAL next to inserts and merges: one row of each key, never an old one."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import equivalent
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Writers,
)
from steps.replacing_merge_tree.tables import replacing_table
from steps.tables import Table, insert

KEYS, VERSIONS, READERS = 20, 30, 2
# The inserts end when so many reads have met parts of several versions.
ENOUGH = 10
MOST_VERSIONS = 400


def rows_of(version: int) -> list[tuple[int, str, int]]:
    return [(key, f"{key} in version {version}", version) for key in range(KEYS)]


@dataclass
class Watch:
    """A table into which one client inserts versions, one merges, and others read with FINAL."""

    table: Table
    answered: int = 0
    over: bool = False
    wrong: list[str] = field(default_factory=list)
    reads: int = 0
    met_several: int = 0

    def insert(self) -> None:
        version = 0
        while version < VERSIONS or (self.met_several < ENOUGH and version < MOST_VERSIONS):
            version += 1
            insert(self.table, rows_of(version))
            self.answered = version
        self.over = True

    def merge(self) -> None:
        while not self.over:
            self.table.node.query(f"OPTIMIZE TABLE {self.table} FINAL")

    def read(self) -> None:
        while not self.over:
            least = self.answered
            rows = self.table.node.query(
                "SELECT key, value, version, (SELECT uniqExact(version) FROM "
                f"{self.table}) FROM {self.table} FINAL ORDER BY key"
            )
            self.reads += 1
            self.met_several += bool(rows and rows[0][3] > 1)
            self.judge(least, [row[:3] for row in rows])

    def judge(self, least: int, rows: list[tuple[int, str, int]]) -> None:
        """One row of each key, all of one insert, which was not answered too long ago."""
        versions = {version for *_, version in rows}
        (version, *others) = versions or {0}
        if (others or version < least or rows != rows_of(version)) and (least or rows):
            self.wrong.append(f"at least version {least}, and it returned {rows}")


@TestScenario
@equivalent(
    mutant="drop",
    statement="readers_see_one_version.replacing_1 FINAL",
    reason="it is one merge of many",
)
@equivalent(
    mutant="omit[FINAL]",
    statement="OPTIMIZE TABLE",
    reason="the parts are merged, with FINAL or without",
)
@equivalent(
    mutant="omit[FINAL]",
    statement="SELECT key, value, version",
    reason="it is one read of many, which may meet one version only; those that meet several are counted",
)
@equivalent(
    mutant="earlier",
    statement="SELECT key, value, version",
    reason="it is one read of many, which may meet one version only; those that meet several are counted",
)
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Writers("1.0"))
def readers_see_one_version(self):
    """Each read returns every key once, in a version that is not older than the last answered one."""
    with Given("a table"):
        watch = Watch(replacing_table("version", background_merges=True))

    with When("versions are inserted and merged while clients read with FINAL"):
        with ThreadPoolExecutor(READERS + 2) as pool:
            tasks = [pool.submit(watch.insert), pool.submit(watch.merge)]
            tasks += [pool.submit(watch.read) for _ in range(READERS)]
            try:
                tasks[0].result()
            finally:
                watch.over = True
        for task in tasks:
            task.result()

    with Then("enough reads met several versions in the table"):
        assert watch.met_several >= ENOUGH and watch.reads > watch.met_several / 2, error()

    with And("each returned every key once, of the newest version"):
        assert watch.wrong == [], error()

    with And("so does a read of two versions that no merge takes"):
        table, last = watch.table, watch.answered + 2
        table.node.query(f"SYSTEM STOP MERGES {table}")
        for version in (last - 1, last):
            insert(table, rows_of(version))
        watch.judge(last, table.node.query(f"SELECT * FROM {table} FINAL ORDER BY key"))
        assert watch.wrong == [] and last > VERSIONS, error()
