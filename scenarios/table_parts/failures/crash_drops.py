"""Crashes while the parts of a partition or a table are dropped: all of them are there, or none."""

import math
import os

from testflows.asserts import error
from testflows.core import And, Requirements, TestOutline, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.background import Background
from helpers.cluster.client.failures import QueryFailed
from helpers.scenario.context import this
from helpers.scenario.marks import deviates, needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Crash_Detach,
    RQ_SRS_102_ClickHouse_TableParts_Crash_Drop,
    RQ_SRS_102_ClickHouse_TableParts_Crash_Truncate,
)
from steps.parts import data_path
from steps.replace_partition.clone_progress import (
    ALMOST,
    LONGER_PAUSE,
    MOST_PARTS,
    PAUSE,
    PhaseMissed,
    many_parts,
)
from steps.row_origins import describe_rows
from steps.table_parts.part_life import detached_parts, rows_by_part
from steps.tables import contents, fill

ATTEMPTS = 15
# Of fewer parts a busy machine renames all before it has killed the server.
PARTS = 120
# Seconds in which also a busy machine has written a thousand of them.
LONGEST = 60.0
# Each part that is dropped gets a successor without rows; these are renamed when all are written.
EMPTY = "tmp_empty_"
CELL = "killed between two renames"
NOT_COVERED = "the rows of those parts whose successors had not been renamed"
ALL_OR_NONE = "after the crash all rows were there, or none"
REASON = (
    "each part gets a successor without rows, these are renamed one by one, and nothing on disk says that "
    "they belong together: after a crash between two renames the other parts are there"
)
partly_dropped = deviates(
    step=ALL_OR_NONE,
    observed={CELL: NOT_COVERED},
    reason=REASON,
    kind="bug",
    severity="wrong answer",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/104628",
    no_sql="it kills the server between two renames, which it watches in the table's folder",
)


class Dropped:
    """A table of many parts with one row each, and how far a statement that drops them has come."""

    def __init__(self, number: int) -> None:
        self.table = many_parts("dropped", number)
        self.node = self.table.node
        read = self._read()
        self.rows = {part: tuple(row) for part, *row in read}
        assert len(read) == len(self.rows) == number, error()
        assert rows_by_part(self.table) == {part: [row] for part, row in self.rows.items()}, error()
        self._folder = data_path(self.table)
        self._before = self._names()

    def crash(self, statement: str) -> bool:
        """SIGKILL the server as soon as one successor is renamed; whether others were not. It stays
        down."""
        running = self.node.background(statement.format(table=self.table))
        # As long as there are many left to write, nothing passes by in a moment.
        self._come(running, ALMOST * len(self.rows), LONGER_PAUSE)
        self._come(running, math.inf, PAUSE)
        self.node.kill()
        assert not self.node.running, "the server survived SIGKILL"
        outcome = running.outcome()
        assert not isinstance(outcome, QueryFailed), f"the statement was refused: {outcome}"
        assert outcome or self.renamed(), "the statement was answered and has done nothing"
        return bool(self.renamed()) and self.unfinished() > 0 and outcome is not None

    def _come(self, running: Background, written: float, pause: float) -> None:
        """Wait until so many successors are written, or one is renamed."""
        this().eventually(
            lambda: running.done or self.renamed() or self.unfinished() >= written,
            timeout=LONGEST,
            pause=pause,
            longest_pause=pause,
        )

    def renamed(self) -> set[str]:
        """The parts whose successors have their names: 1_7_7_1 is that of 1_7_7_0."""
        names = (name for name in self._names() - self._before if name[0].isdigit())
        return {f"{name.rpartition('_')[0]}_0" for name in names}

    def unfinished(self) -> int:
        """How many successors have not."""
        return sum(name.startswith(EMPTY) for name in self._names())

    def _read(self) -> list[tuple[object, ...]]:
        return self.node.query(f"SELECT _part, * FROM {self.table}")

    def _names(self) -> set[str]:
        return set(os.listdir(self._folder))  # noqa: PTH208 - it is asked a thousand times a second


def crashed(statement: str) -> Dropped:
    """A table whose server was killed between two renames; with more parts these take longer."""
    number = PARTS
    for _ in range(ATTEMPTS):
        dropped = Dropped(number)
        if dropped.crash(statement):
            return dropped
        dropped.node.start()
        number = min(2 * number, MOST_PARTS)
    raise PhaseMissed(f"no crash in {ATTEMPTS} fell between two renames")


@TestOutline
def leaves_all_or_none(self, *, statement):
    """Behind a crash in the middle of the statement all rows are there, or none is."""
    with When("the server is killed between the first rename and the last, and started again"):
        dropped = crashed(statement)
        renamed = dropped.renamed()
        dropped.node.start()
        rows = contents(dropped.table)

    every = sorted(dropped.rows.values())
    rest = sorted(row for part, row in dropped.rows.items() if part not in renamed)
    violations = {}
    if rows not in (every, []):
        violations[CELL] = NOT_COVERED if rows == rest else describe_rows(rows, {"old": every})

    with Then("the same statement, left alone, drops all of them, and what comes later is there"):
        dropped.node.query(statement.format(table=dropped.table))
        assert contents(dropped.table) == [], error()
        inserted = fill(dropped.table, [1])
        assert contents(dropped.table) == inserted, error()

    with And(ALL_OR_NONE):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Crash_Drop("1.0"))
@needs(Capability.PROCESS_CONTROL)
@partly_dropped
def killed_during_drop(self):
    """DROP PARTITION that a crash meets has dropped all parts or none."""
    leaves_all_or_none(statement="ALTER TABLE {table} DROP PARTITION 1")


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Crash_Truncate("1.0"))
@needs(Capability.PROCESS_CONTROL)
@partly_dropped
def killed_during_truncate(self):
    """TRUNCATE TABLE that a crash meets has dropped all parts or none."""
    leaves_all_or_none(statement="TRUNCATE TABLE {table}")


ONCE = "each row is in the table or in a detached part"
LOST = "the rows of parts whose successors had been renamed are in neither"


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Crash_Detach("1.0"))
@needs(Capability.PROCESS_CONTROL)
@deviates(
    step=ONCE,
    observed={CELL: LOST},
    reason="each part is superseded by one without rows before any part is put among the detached: after "
    "a crash between two renames the rows of the first parts are gone",
    kind="bug",
    severity="data lost",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/104628",
    no_sql="it kills the server between two renames, which it watches in the table's folder",
)
def killed_during_detach(self):
    """DETACH PARTITION that a crash meets has each row in the table or in a detached part."""
    statement = "ALTER TABLE {table} DETACH PARTITION 1"
    with When("the server is killed between the first rename and the last, and started again"):
        dropped = crashed(statement)
        renamed = dropped.renamed()
        dropped.node.start()
        in_table, detached = contents(dropped.table), detached_parts(dropped.table)

    with And("all that was detached is attached"):
        dropped.node.query(f"ALTER TABLE {dropped.table} ATTACH PARTITION 1")
        rows = contents(dropped.table)

    every = sorted(dropped.rows.values())
    rest = sorted(row for part, row in dropped.rows.items() if part not in renamed)
    violations = {}
    if rows != every:
        lost = rows == in_table == rest and not detached
        violations[CELL] = LOST if lost else describe_rows(rows, {"old": every})

    with Then(
        "the same statement, left alone, detaches all that is there, and attaching brings it back"
    ):
        dropped.node.query(statement.format(table=dropped.table))
        assert contents(dropped.table) == [], error()
        dropped.node.query(f"ALTER TABLE {dropped.table} ATTACH PARTITION 1")
        assert contents(dropped.table) == rows, error()

    with And(ONCE):
        assert_no_violations(violations)
