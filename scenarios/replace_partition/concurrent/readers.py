"""Readers while REPLACE PARTITION runs see the old partition or the new one, nothing else."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.background import Background
from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from helpers.scenario.marks import equivalent
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Readers,
)
from steps.partitions import replace_partition, replacing
from steps.replace_partition.clone_progress import PhaseMissed, many_parts
from steps.replace_partition.held_statements import PARTITION
from steps.row_origins import describe_rows
from steps.sleeping import lasting_read
from steps.tables import Table, contents, create_table, partitioned_pair

READERS = 2
READ_PARTS = 30
ROUNDS = 30
# So many reads begin and end while the statement is seen running.
ENOUGH = 10
# The statement has to end while the read goes on, one row after the other; on a busy machine it takes longer.
PAUSES = (0.05, 0.4, 1.4)  # 3 variants
ROWS_PER_PART, SLOW_PARTS = 2, 15


@dataclass
class Readings:
    """What the readers saw, and while which statement."""

    statement: Background | None = None
    over: bool = False
    meanwhile: list[list[Row]] = field(default_factory=list)
    others: list[list[Row]] = field(default_factory=list)

    def read(self, table: Table) -> None:
        """Read until it is over."""
        while not self.over:
            statement = self.statement
            before = statement is not None and statement.running
            rows = contents(table, partition=PARTITION)
            # Running before and after the read is running all the time in between.
            meanwhile = before and statement is not None and statement.running
            (self.meanwhile if meanwhile else self.others).append(rows)


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
                    assert contents(destination, partition=PARTITION) == states[turn % 2], error()
                    # After an odd turn it holds the second state, which the last reads then see.
                    if turn % 2 and len(readings.meanwhile) >= ENOUGH:
                        break
                so_far = len(readings.others)
                this().eventually(lambda: len(readings.others) > so_far + READERS)
            finally:
                readings.over = True
        for reader in readers:
            reader.result()
        if len(readings.meanwhile) < ENOUGH:
            raise PhaseMissed(f"only {len(readings.meanwhile)} reads ran while a statement ran")

    with Then("every single read gave all rows of the one or all rows of the other"):
        assert readings.meanwhile and readings.others, error()
        every = readings.meanwhile + readings.others
        known = dict(zip(("first", "second"), states, strict=True))
        wrong = [describe_rows(rows, known) for rows in every if rows not in states]
        assert wrong == [], error()

    with And("both states were seen"):
        assert all(state in every for state in states), error()


def has_begun(read: Background) -> bool:
    """Whether a read has got its first rows, or is over."""
    return read.done or rows_read(read) > 0


def rows_read(read: Background) -> int:
    """How many rows a query that the server works on has read so far."""
    sql = f"SELECT sum(read_rows) FROM system.processes WHERE query_id = '{read.query_id}'"
    return int(read.node.value(sql))


@TestScenario
@equivalent(
    mutant="omit[max_*]",
    statement="sleepEachRow",
    reason="it only sets the pace of the read; a read that is too fast is repeated with longer pauses",
)
@equivalent(
    mutant="*",
    statement="sum(read_rows)",
    reason="the number only has to lie between none and all; where it does not, the round is repeated",
)
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Readers("1.0"))
def read_that_began_before_sees_the_old_rows(self):
    """A read that is still going on when the statement is done goes on with what it began with."""
    for pause in PAUSES:
        with Given("a partition and the rows to replace it with"):
            source, destination = partitioned_pair(
                partitions=1, rows=ROWS_PER_PART, parts=SLOW_PARTS
            )
            old, new = contents(destination), contents(source)

        with When(f"it is replaced in the middle of a read of {pause} s a row"):
            read = lasting_read(
                destination, where="p = 1", seconds_per_row=pause, rows_per_part=ROWS_PER_PART
            )
            this().eventually(partial(has_begun, read))
            replace_partition(destination, source=source, partition=1)
            if 0 < rows_read(read) < len(old):
                break
            read.wait()
    else:
        raise PhaseMissed("the statement never ended in the middle of the read")

    with Then("it has read exactly the old rows"):
        rows = sorted(row[:-1] for row in read.wait())
        assert rows == old, describe_rows(rows, {"old": old, "new": new})

    with And("the next read finds exactly the new ones"):
        assert contents(destination) == new, error()
