"""Readers beside merges: they see the sources or the merged part, never both and never neither."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.background import Background
from helpers.cluster.client.session import Row
from helpers.scenario.marks import equivalent
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Merge_SourcesInactive,
)
from steps.table_parts.part_life import (
    PartRecord,
    active_parts,
    merge,
    overlaps,
    part_records,
    rows_by_partition,
    table_of_parts,
)
from steps.tables import NO_MERGES, Table, create_table, insert

PARTITIONS = 25
SOURCES = 3
ROUNDS = 12
# So many reads of each kind have met the moment in which some partitions are merged and others are not.
HALFWAY = 5
# The levels of parts in that moment.
SOME_MERGED = frozenset(("0", "1"))
# The number of a partition's row in each of its sources.
STEP = 1000


def numbers(partition: int) -> list[int]:
    """What a partition has in its column i, whatever it is made of."""
    return [partition + STEP * source for source in range(SOURCES)]


@dataclass
class Watch:
    """What readers of a table saw while its partitions were merged one after the other."""

    table: Table
    sources: dict[str, list[str]]
    statement: Background | None = None
    over: bool = False
    levels: dict[str, Counter[frozenset[str]]] = field(
        default_factory=lambda: {"rows": Counter(), "parts": Counter()}
    )
    wrong: list[str] = field(default_factory=list)

    def read_rows(self) -> None:
        """SELECT: every row once, from sources or from merged parts of its partition."""
        self._loop("rows", lambda: self.judge_rows(self.rows()))

    def rows(self) -> list[Row]:
        """Of each partition: the parts that its rows come from, and the numbers of the rows."""
        return self.table.node.query(
            f"SELECT p, groupUniqArray(_part), arraySort(groupArray(i)) FROM {self.table} GROUP BY p"
        )

    def read_parts(self) -> None:
        """system.parts: the active parts cover all blocks, and no block twice."""
        self._loop("parts", lambda: self.judge_parts(list(active_parts(self.table).values())))

    def _loop(self, kind: str, look: Callable[[], set[str]]) -> None:
        while not self.over:
            statement = self.statement
            before = statement is not None and statement.running
            levels = look()
            # Running before and after the read is running all the time in between.
            if before and statement is not None and statement.running:
                self.levels[kind][frozenset(levels)] += 1

    def judge_rows(self, rows: list[Row]) -> set[str]:
        levels = set()
        for p, names, read in rows:
            levels |= {name.split("_")[-1] for name in names}
            if sorted(names) not in self._sources_or_merged(str(p)) or read != numbers(p):
                self.wrong.append(f"a read of partition {p} took {read} from {sorted(names)}")
        if len(rows) != PARTITIONS:
            self.wrong.append(f"a read found {len(rows)} partitions")
        return levels

    def _sources_or_merged(self, partition: str) -> tuple[list[str], list[str]]:
        """The parts that a partition has before and after its merge."""
        sources = self.sources[partition]
        blocks = [int(name.split("_")[1]) for name in sources]
        return sources, [f"{partition}_{min(blocks)}_{max(blocks)}_1"]

    def judge_parts(self, active: list[PartRecord]) -> set[str]:
        self.wrong += [f"active at once: {pair}" for pair in overlaps(active)]
        counts = rows_by_partition(active)
        if counts != {str(p): SOURCES for p in range(PARTITIONS)}:
            self.wrong.append(f"the active parts have {counts} rows")
        return {str(part.level) for part in active}


def watched_merge() -> Watch:
    """Many partitions, merged one after the other while two readers never rest."""
    table = create_table("watched", settings=NO_MERGES)
    for source in range(SOURCES):
        insert(table, [(p, numbers(p)[source], "row") for p in range(PARTITIONS)])
    sources: dict[str, list[str]] = {}
    for part in active_parts(table).values():
        sources.setdefault(part.partition_id, []).append(part.name)
    watch = Watch(table, {partition: sorted(names) for partition, names in sources.items()})
    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(watch.read_rows), pool.submit(watch.read_parts)]
        try:
            watch.statement = table.node.background(f"OPTIMIZE TABLE {table} FINAL")
            watch.statement.wait()
        finally:
            watch.over = True
    for reader in readers:
        reader.result()
    merged = [part.level for part in active_parts(table).values()]
    assert merged == [1] * PARTITIONS, "not all partitions were merged"
    return watch


@TestScenario
@equivalent(
    mutant="change-value",
    statement="FROM system.processes WHERE query_id",
    reason="a read during which the statement does not seem to run is not counted, and others are",
)
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Merge_SourcesInactive("1.0"))
def readers_never_see_both_nor_neither(self):
    """Reads of the table and of system.parts that never rest while partition by partition is merged."""
    with When("many partitions are merged while readers read, until these have seen enough"):
        halfway: Counter[str] = Counter()
        wrong: list[str] = []
        for _ in range(ROUNDS):
            watch = watched_merge()
            wrong += watch.wrong
            for kind, seen in watch.levels.items():
                halfway[kind] += seen[SOME_MERGED]
            if min(halfway.values()) >= HALFWAY:
                break

    with Then("enough of each kind read while some partitions were merged and others were not"):
        assert sorted(halfway) == ["parts", "rows"] and min(halfway.values()) >= HALFWAY, error()

    with And("none saw a merged part beside its sources, or a partition without its rows"):
        assert wrong == [], error()


@TestScenario
@equivalent(
    mutant="omit[FINAL]",
    statement="PARTITION 1 FINAL",
    reason="OPTIMIZE of a partition with several parts merges all of them, with FINAL or without",
)
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Merge_SourcesInactive("1.0"))
def sources_are_inactive_afterwards(self):
    """When a merge is over its result is active and each of its sources is not, in one answer."""
    with Given("a table that keeps superseded parts"):
        parts = [[(1, number, "row"), (2, number, "row")] for number in range(3)]
        table = table_of_parts("merged", parts)
        sources = part_records(table)
        assert [part.active for part in sources.values()] == [1] * 6, error()

    with When("I merge one partition"):
        merge(table, partition=1)

    with Then(
        "its sources are inactive, the merged part is active, the other partition is as it was"
    ):
        active = {name: bool(part.active) for name, part in part_records(table).items()}
        expected = {name: part.partition_id == "2" for name, part in sources.items()}
        assert active == {**expected, "1_1_5_1": True}, error()
