"""The server is killed while it attaches or moves a partition of many parts."""

import os

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.client.interception import action
from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs103_attach_and_move import (
    RQ_SRS_103_ClickHouse_AttachAndMove_Crash_Attach,
    RQ_SRS_103_ClickHouse_AttachAndMove_Crash_Move,
)
from steps.partitions import moving
from steps.parts import data_path
from steps.replace_partition.clone_progress import (
    MOST_PARTS,
    PAUSE,
    PhaseMissed,
    WatchedReplace,
    crash,
    many_parts,
)
from steps.replace_partition.held_statements import PARTITION
from steps.row_origins import describe_rows
from steps.table_parts.part_files import detached_folder
from steps.tables import contents

DEVIATIONS = "crashes"  # the beginning of their ids
NEEDS = (Capability.PROCESS_CONTROL,)
CELL = "killed between two renames"
NO_SQL = "it kills the server between two renames, which it watches in the table's folder"
PARTS = 120
ATTEMPTS = 15
# What a detached part is called while it is being attached.
BEING_ATTACHED = "attaching_"
ATTACH = "ALTER TABLE {table} ATTACH PARTITION 1"
ALL_OR_NONE = "all parts are attached, or none; those that are not can be attached"
HALF = (
    "the parts that had been renamed are attached, and the others keep the name attaching_, under which "
    "nothing attaches them"
)


class Attached:
    """A table whose many parts, with one row each, are detached, and how far ATTACH PARTITION has come."""

    def __init__(self, number: int) -> None:
        self.table = many_parts("attached", number)
        self.node = self.table.node
        self.rows = contents(self.table)
        assert len(self.rows) == number, error()
        self.folder, self.detached = data_path(self.table), detached_folder(self.table)
        self.node.query(f"ALTER TABLE {self.table} DETACH PARTITION 1")
        assert contents(self.table) == [] and len(self.left()) == number, error()
        self._before = self._names()

    def crash(self) -> bool:
        """SIGKILL the server as soon as a part has its name; whether others had not. It stays down."""
        running = self.node.background(ATTACH.format(table=self.table))
        this().eventually(
            lambda: running.done or self.renamed() > 0,
            timeout=60,
            pause=PAUSE,
            longest_pause=PAUSE,
        )
        self.node.kill()
        assert not self.node.running, "the server survived SIGKILL"
        outcome = running.outcome()
        assert not isinstance(outcome, QueryFailed), f"the statement was refused: {outcome}"
        assert outcome or self.renamed(), "the statement was answered and has done nothing"
        return outcome is not None and self.renamed() > 0 and bool(self.left())

    def renamed(self) -> int:
        """How many parts have the name of a part of the table."""
        return sum(name[0].isdigit() for name in self._names() - self._before)

    def left(self) -> list[str]:
        """The directories that are still among the detached ones."""
        return sorted(os.listdir(self.detached))  # noqa: PTH208 - as below

    def _names(self) -> set[str]:
        return set(os.listdir(self.folder))  # noqa: PTH208 - it is asked a thousand times a second


def crashed_while_attaching() -> Attached:
    """A table whose server was killed between two renames; with more parts these take longer."""
    number = PARTS
    for _ in range(ATTEMPTS):
        attached = Attached(number)
        if attached.crash():
            return attached
        attached.node.start()
        number = min(2 * number, MOST_PARTS)
    raise PhaseMissed(f"no crash in {ATTEMPTS} fell between two renames")


@TestScenario
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_Crash_Attach("1.0"))
@deviates(
    step=ALL_OR_NONE,
    observed={CELL: HALF},
    reason="the parts are put into the table one by one, and the others keep the name that they have "
    "meanwhile: after a crash a part of the partition is there, and ATTACH does not see the rest",
    kind="bug",
    severity="data lost",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/111433",
    no_sql=NO_SQL,
)
def killed_while_attaching(self):
    """ATTACH PARTITION that a crash meets has attached all parts or none, and the rest can be attached."""
    with When("the server is killed between the first rename and the last, and started again"):
        attached = crashed_while_attaching()
        renamed, left = attached.renamed(), attached.left()
        attached.node.start()
        rows = contents(attached.table)

    with Then("no row is lost: each is in the table or in a directory among the detached ones"):
        assert len(rows) == len(set(rows)) and set(rows) <= set(attached.rows), error()
        assert len(rows) + len(left) == len(attached.rows), error()
        assert attached.left() == left and len(rows) == renamed > 0, error()

    with When("I attach the partition again"):
        attached.node.query(ATTACH.format(table=attached.table))
        again = contents(attached.table)

    violations = {}
    if again != attached.rows or rows:
        unseen = again == rows and all(name.startswith(BEING_ATTACHED) for name in left)
        violations[CELL] = HALF if unseen else describe_rows(again, {"detached": attached.rows})

    with Then("under their own names the other parts are attached"):
        rename_back(attached)
        attached.node.query(ATTACH.format(table=attached.table))
        assert contents(attached.table) == attached.rows, error()

    with And(ALL_OR_NONE):
        assert_no_violations(violations)


@action
def rename_back(attached: Attached) -> None:
    """Give the parts that were being attached the names of detached parts."""
    for name in attached.left():
        folder = attached.detached / name
        folder.rename(attached.detached / name.removeprefix(BEING_ATTACHED))


IN_ONE = "each row is in one of the two tables"
IN_BOTH = "the rows of those parts that had been renamed are in both"


@TestScenario
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_Crash_Move("1.0"))
@deviates(
    step=IN_ONE,
    observed={CELL: IN_BOTH},
    reason="the clones are renamed one by one before the source gives up its parts, and nothing on disk says "
    "that both belong together: after a crash rows are in both tables",
    kind="bug",
    severity="wrong answer",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/104660",
    no_sql=NO_SQL,
)
def killed_while_moving(self):
    """MOVE PARTITION TO TABLE that a crash meets leaves each row in one of the tables."""
    with Given("a partition of many parts to move to another table"):
        pair = WatchedReplace(many_parts("source"), lambda to, of, p: moving(of, to, p))

    with When("the server is killed between the first rename and the last, and started again"):
        pair = crash(
            pair,
            when=lambda progress: progress.renamed > 0,
            left=lambda progress: progress.renaming,
        )
        renamed = pair.renamed_parts()
        pair.node.start()
        came: list[Row] = [row for row in pair.rows() if row not in pair.old]
        left = contents(pair.source)

    violations = {}
    if sorted(came + left) != pair.new:
        in_both = left == pair.new and came == sorted(pair.rows_of(renamed))
        found = describe_rows(came + left, {"moved": pair.new})
        violations[CELL] = IN_BOTH if in_both else found

    with Then("the rows that were there are there, and no row is lost"):
        assert [row for row in pair.rows() if row in pair.old] == pair.old, error()
        assert contents(pair.destination, partition=PARTITION + 1) == pair.other_partition, error()
        assert set(came) | set(left) == set(pair.new), error()

    with And(IN_ONE):
        assert_no_violations(violations)
