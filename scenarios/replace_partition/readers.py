"""Readers beside REPLACE PARTITION see the old partition or the new one, nothing else."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.background import Background
from helpers.cluster.session import Row
from helpers.context import this
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Readers,
)
from steps.overlap import PARTITION
from steps.partitions import replace_partition, replacing
from steps.phases import PhaseMissed, many_parts, mixture
from steps.tables import Table, contents, create_table, partitioned_pair

READERS = 2
READ_PARTS = 30
ROUNDS = 30
# So many reads begin and end while the statement is seen running.
BESIDE = 10
# A row takes this long to read, one after the other.
SLOW_READ = "SELECT *, sleepEachRow(0.02) FROM {table} WHERE p = 1"
ROW_AT_A_TIME = {"max_block_size": 1, "max_threads": 1}


@dataclass
class Readings:
    """What the readers saw, and while which statement."""

    statement: Background | None = None
    over: bool = False
    beside: list[list[Row]] = field(default_factory=list)
    others: list[list[Row]] = field(default_factory=list)

    def read(self, table: Table) -> None:
        """Read until it is over."""
        while not self.over:
            statement = self.statement
            before = statement is not None and statement.running
            rows = contents(table, partition=PARTITION)
            # Running before and after the read is running all the time in between.
            beside = before and statement is not None and statement.running
            (self.beside if beside else self.others).append(rows)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Readers("1.0"))
def every_read_is_of_one_partition(self):
    """Readers that never rest while a partition goes back and forth between two states."""
    with Given("two sources of many parts and a destination that holds the rows of the first"):
        sources = [many_parts(name, READ_PARTS) for name in ("first", "second")]
        states = [contents(source, partition=PARTITION) for source in sources]
        assert states[0] and states[1] and not set(states[0]) & set(states[1]), error()
        destination = create_table("destination")
        replace_partition(destination, source=sources[0], partition=PARTITION)

    readings = Readings()
    with When("readers read it before, while and after it is replaced by one and the other"):
        with ThreadPoolExecutor(READERS) as pool:
            readers = [pool.submit(readings.read, destination) for _ in range(READERS)]
            try:
                this().eventually(lambda: readings.others)
                for turn in range(1, ROUNDS):
                    readings.statement = destination.node.background(
                        replacing(destination, sources[turn % 2], PARTITION)
                    )
                    readings.statement.wait()
                    # After an odd turn it holds the second state, which the last reads then see.
                    if turn % 2 and len(readings.beside) >= BESIDE:
                        break
                so_far = len(readings.others)
                this().eventually(lambda: len(readings.others) > so_far + READERS)
            finally:
                readings.over = True
        for reader in readers:
            reader.result()
        if len(readings.beside) < BESIDE:
            raise PhaseMissed(f"only {len(readings.beside)} reads ran beside a statement")

    with Then("every single read gave all rows of the one or all rows of the other"):
        every = readings.beside + readings.others
        wrong = [mixture(rows, *states) for rows in every if rows not in states]
        assert wrong == [], error()

    with And("both states were seen"):
        assert all(state in every for state in states), error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Readers("1.0"))
def read_that_began_before_sees_the_old_rows(self):
    """A read that is still going on when the statement is done goes on with what it began with."""
    with Given("a partition and the rows to replace it with"):
        source, destination = partitioned_pair(partitions=1, parts=3)
        old, new = contents(destination), contents(source)

    with When("it is replaced in the middle of a slow read"):
        node = destination.node
        read = node.background(SLOW_READ.format(table=destination), settings=ROW_AT_A_TIME)
        read_rows = (
            f"SELECT sum(read_rows) FROM system.processes WHERE query_id = '{read.query_id}'"
        )
        this().eventually(lambda: node.value(read_rows) > 0)
        replace_partition(destination, source=source, partition=1)
        assert read.running, "the read was over before the partition was replaced"

    with Then("it has read exactly the old rows"):
        rows = sorted(row[:-1] for row in read.wait())
        assert rows == old, mixture(rows, old, new)

    with And("the next read finds exactly the new ones"):
        assert contents(destination) == new, error()
