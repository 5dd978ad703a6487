"""Which row survives where a version decides, and where versions are equal."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import permutations, product

from testflows.asserts import error
from testflows.core import Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.session import Row
from helpers.scenario.violations import assert_no_violations
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Equal,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Maximum,
)
from steps.replacing_merge_tree.stored_rows import stored, survivors
from steps.replacing_merge_tree.tables import (
    AS_THEY_COME,
    deduplication_violations,
    insert_all,
    insert_each,
    merge,
    replacing_table,
)


@dataclass(frozen=True)
class Case:
    """Inserts, and the row of each key that survives."""

    name: str
    inserts: Sequence[list[Row]]
    expected: list[Row]

    def violations(self) -> dict[str, object]:
        """Compared by an insert where there is only one, by FINAL and by a merge."""
        rows = [row for inserted in self.inserts for row in inserted]
        at_once = replacing_table("version")
        insert_each(at_once, rows)
        written = (
            {} if stored(at_once) == self.expected else {f"{self.name}, insert": stored(at_once)}
        )
        return written | deduplication_violations(
            self.name,
            replacing_table("version"),
            *self.inserts,
            expected=self.expected,
            settings=AS_THEY_COME if len(self.inserts) == 1 else None,
        )


def every_order(versions: Sequence[int]) -> Case:
    """A key for each order in which these versions can be inserted; the greatest survives."""
    orders, greatest = list(permutations(versions)), max(versions)
    assert len(set(orders)) == len(orders), f"it proves nothing: not all differ of {versions}"
    return Case(
        "every order",
        [
            [(key, f"{order[turn]}", order[turn]) for key, order in enumerate(orders, start=10)]
            for turn in range(len(versions))
        ],
        [(key, f"{greatest}", greatest) for key in range(10, 10 + len(orders))],
    )


def equal_versions() -> Case:
    """Three inserts with every combination of two versions; the last of the greatest survives."""
    orders = list(product((1, 2), repeat=3))
    inserts: list[list[Row]] = [
        [(key, f"insert {turn}", order[turn]) for key, order in enumerate(orders)]
        for turn in range(3)
    ]
    expected = [
        max((rows[key] for rows in inserts), key=lambda row: (row[2], row[1]))
        for key in range(len(orders))
    ]
    assert {row[2] for row in expected} == {1, 2}, "it proves nothing: all versions are equal"
    return Case("equal versions", inserts, expected)


IN_ONE_INSERT = Case(
    "one insert",
    [[(1, "newer", 2), (1, "older", 1), (2, "older", 5), (2, "newer", 9), (2, "old", 6)]],
    [(1, "newer", 2), (2, "newer", 9)],
)
EQUAL_IN_ONE_INSERT = Case(
    "equal versions in one insert",
    [[(1, f"row {number}", version) for number, version in enumerate((3, 5, 5, 4))]],
    [(1, "row 2", 5)],
)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Maximum("1.0"))
def edited_documents(self):
    """A late message about an older edit does not bring the older text back."""
    with Given("documents with the time of their last edit, the newer edit arriving first"):
        documents = replacing_table(
            "edited", columns="key UInt64, body String, edited DateTime('UTC')"
        )
        rows = [(1, "newer", datetime(2024, 5, 2, 10, tzinfo=UTC))]
        insert_all(documents, rows, [(1, "older", datetime(2024, 5, 1, 10, tzinfo=UTC))])

    with Then("it stays, and a merge leaves it too"):
        final = survivors(documents)
        merge(documents)
        assert (final, stored(documents)) == (rows, rows), error()


@TestScenario
@Requirements(
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Maximum("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Equal("1.0"),
)
def greatest_version_wins_in_any_order(self):
    """Whatever the order of the rows, the greatest version survives, and of equal ones the last."""
    violations: dict[str, object] = {}
    versions = every_order((0, 7, 8, 2**64 - 1))
    for case in (versions, IN_ONE_INSERT, equal_versions(), EQUAL_IN_ONE_INSERT):
        with When(f"I insert versions: {case.name}"):
            violations |= case.violations()

    with Then("the greatest survives for each, and of several the last"):
        assert_no_violations(violations)
