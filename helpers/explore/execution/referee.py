"""The referee of `--spark`: states of many rows are compared by fingerprint, and not row by row.

Spark computes the fingerprint of the model's rows, part by part and once for each, ClickHouse that of
what it has; fingerprints of parts add up to those of partitions.
"""

from __future__ import annotations

from collections import defaultdict

from helpers.cluster.node import Node
from helpers.explore.execution.observe import Observation
from helpers.explore.execution.play import Counts, Player
from helpers.explore.model.histories import History
from helpers.explore.model.statements import SPARE, Statement
from helpers.explore.model.tables import Part, State
from pipelines.compare import fingerprint
from pipelines.compare.fingerprint import Fingerprint
from pipelines.spark.session import spark_session

TYPES = {"p": "UInt8", "i": "UInt32", "v": "UInt32"}
IN_SPARK = "p short, i long, v long"
LARGE = 10_000
"""States of fewer rows are read: that is quicker."""
OTHER_FINGERPRINT = "another fingerprint"
Fingerprints = dict[str, dict[int, Fingerprint]]
"""Tables → partitions that have rows → theirs."""


class Referee:
    """Fingerprints of parts of the model, as Spark computes them."""

    def __init__(self) -> None:
        self._spark = spark_session()
        self._known: dict[tuple[int, object], Fingerprint] = {}

    def of_part(self, part: Part) -> Fingerprint:
        key = (part.partition, part.rows)
        if key not in self._known:
            rows = [(part.partition, k, v) for k, v in part.rows]
            frame = self._spark.createDataFrame(rows, IN_SPARK)
            self._known[key] = fingerprint.of_frame(frame, TYPES)
        return self._known[key]

    def expected(self, state: State) -> Fingerprints:
        """What tables have to hold."""
        fingerprints: Fingerprints = {}
        for name, table in state.tables.items():
            sums: dict[int, Fingerprint] = defaultdict(Fingerprint)
            for part in table.parts:
                sums[part.partition] += self.of_part(part)
            fingerprints[name] = dict(sums)
        return fingerprints


class RefereedPlayer(Player):
    """Leaves states of many rows to the referee; where it disagrees all rows are read, to say which."""

    def __init__(
        self, referee: Referee, node: Node, history: History, counts: Counts, prefix: str
    ) -> None:
        super().__init__(node, history, counts, prefix)
        self.referee = referee

    def compare(self, statement: Statement, *, everything: bool) -> None:
        rows = sum(len(part.rows) for table in self.state.tables.values() for part in table.parts)
        if rows < LARGE:
            super().compare(statement, everything=everything)
            return
        self.observation = Observation()  # parts are not compared by name
        self.counts.by_fingerprint += 1
        expected, actual = self.referee.expected(self.state), self.fingerprints()
        for name, partitions in expected.items():
            if partitions != actual.get(name, {}):
                super().compare(statement, everything=True)
                shown = f"{name}: {partitions}", f"{name}: {actual.get(name, {})}"
                self.differs(statement, OTHER_FINGERPRINT, *shown, table=name)

    def fingerprints(self) -> Fingerprints:
        """What ClickHouse has."""
        sums = fingerprint.sums_sql(fingerprint.hash_sql(TYPES))
        return {
            name: {
                partition: Fingerprint(*map(int, numbers))
                for partition, *numbers in self.ask(
                    f"SELECT p, {sums} FROM {self.database}.{name} GROUP BY p"
                )
            }
            for name in self.state.tables
            if name in self.made or name == SPARE
        }
