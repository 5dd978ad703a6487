"""Readers beside merges: they see the sources or the merged part, never both and never neither."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.background import Background
from helpers.cluster.session import Row
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Merge_SourcesInactive,
)
from steps.part_life import KEPT, PartRecord, merge, overlaps, part_records
from steps.tables import NO_MERGES, Table, create_table, insert

PARTITIONS = 25
SOURCES = 3
ROUNDS = 12
# So many reads of each kind begin and end while merges are seen running, and as many have met the
# moment in which some partitions are merged and others are not.
BESIDE = 10


@dataclass
class Watch:
    """What readers of a table saw while its partitions were merged one after the other."""

    table: Table
    expected: int
    statement: Background | None = None
    over: bool = False
    beside: int = 0
    halfway: int = 0
    wrong: list[str] = field(default_factory=list)

    def read_rows(self) -> None:
        """SELECT: every row once, from sources or from merged parts of its partition."""
        sql = f"SELECT p, groupUniqArray(_part), count(), sum(i) FROM {self.table} GROUP BY p"
        self._loop(lambda: self._judge_rows(self.table.node.query(sql)))

    def read_parts(self) -> None:
        """system.parts: the active parts cover all blocks, and no block twice."""
        self._loop(lambda: self._judge_parts(list(part_records(self.table).values())))

    def _loop(self, look: Callable[[], set[str]]) -> None:
        while not self.over:
            statement = self.statement
            before = statement is not None and statement.running
            levels = look()
            # Running before and after the read is running all the time in between.
            if before and statement is not None and statement.running:
                self.beside += 1
                self.halfway += len(levels) > 1

    def _judge_rows(self, found: list[Row]) -> set[str]:
        levels = set()
        for p, names, count, total in found:
            kinds = {name.split("_")[-1] for name in names}
            levels |= kinds
            if len(kinds) != 1 or count != self.expected or total != p * self.expected:
                self.wrong.append(f"a read of partition {p} took {count} rows from {sorted(names)}")
        if len(found) != PARTITIONS:
            self.wrong.append(f"a read found {len(found)} partitions")
        return levels

    def _judge_parts(self, records: list[PartRecord]) -> set[str]:
        active = [part for part in records if part.active]
        self.wrong += [f"active at once: {pair}" for pair in overlaps(active)]
        counts: dict[str, int] = {}
        for part in active:
            counts[part.partition_id] = counts.get(part.partition_id, 0) + part.rows
        if {*counts.values()} != {self.expected} or len(counts) != PARTITIONS:
            self.wrong.append(f"the active parts have {counts} rows")
        return {str(part.level) for part in active}


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Merge_SourcesInactive("1.0"))
def readers_never_see_both_nor_neither(self):
    """Reads of the table and of system.parts that never rest while partition by partition is merged."""
    watches = []
    for turn in range(ROUNDS):
        with Given("many partitions of some parts each"):
            table = create_table("watched", settings=NO_MERGES)
            rows = [(p, p, "row") for p in range(PARTITIONS)]
            for _ in range(SOURCES):
                insert(table, rows)
            watch = Watch(table, expected=SOURCES)
            watches.append(watch)

        with When(f"they are merged while readers read, round {turn + 1}"):
            with ThreadPoolExecutor(2) as pool:
                readers = [pool.submit(watch.read_rows), pool.submit(watch.read_parts)]
                try:
                    watch.statement = table.node.background(f"OPTIMIZE TABLE {table} FINAL")
                    watch.statement.wait()
                finally:
                    watch.over = True
            for reader in readers:
                reader.result()
            assert len(part_records(table)) >= PARTITIONS, error()

        if sum(one.halfway for one in watches) >= BESIDE:
            break

    with Then("enough of them read while some partitions were merged and others were not"):
        assert sum(watch.halfway for watch in watches) >= BESIDE, error()

    with And("none saw a merged part beside its sources, or a partition without rows"):
        assert [wrong for watch in watches for wrong in watch.wrong] == [], error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Merge_SourcesInactive("1.0"))
def sources_are_inactive_afterwards(self):
    """When a merge is over its result is active and each of its sources is not, in one answer."""
    with Given("a table that keeps superseded parts"):
        table = create_table("merged", settings={**NO_MERGES, **KEPT})
        for number in range(3):
            insert(table, [(1, number, "row"), (2, number, "row")])
        sources = part_records(table)
        assert all(part.active for part in sources.values()), error()

    with When("I merge one partition"):
        merge(table, partition=1)

    with Then(
        "its sources are inactive, the merged part is active, the other partition is as it was"
    ):
        found = {name: bool(part.active) for name, part in part_records(table).items()}
        expected = {name: part.partition_id == "2" for name, part in sources.items()}
        assert found == {**expected, "1_1_5_1": True}, error()
