"""Which row survives where a version decides, and where versions are equal."""

from itertools import permutations, product

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Equal,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Maximum,
)
from steps.refusals import listed
from steps.replacing import (
    AS_THEY_COME,
    Deduplicated,
    deduplicate,
    insert_each,
    merge,
    replacing_table,
    stored,
    survivors,
)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Maximum("1.0"))
def greatest_version_wins_in_any_order(self):
    """Whatever the order of the inserts, the row with the greatest version survives."""
    wrong = []
    versions = (0, 7, 8, 2**64 - 1)
    with When("I insert the same versions in every order, a key for each order"):
        table = replacing_table("version")
        orders = list(permutations(versions))
        inserts = [
            [(key, f"{order[turn]}", order[turn]) for key, order in enumerate(orders)]
            for turn in range(len(versions))
        ]
        wrong += deduplicate(table, *inserts).wrong(
            [(key, f"{max(versions)}", max(versions)) for key in range(len(orders))], "all orders"
        )

    with Then("the greatest survives for each"):
        assert wrong == [], listed("wrong survivors", wrong)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Maximum("1.0"))
def greatest_version_wins_in_one_insert(self):
    """The order of the rows in an insert does not matter either."""
    rows = [(1, "newer", 2), (1, "older", 1), (2, "older", 5), (2, "newer", 9), (2, "old", 6)]
    newest = [(1, "newer", 2), (2, "newer", 9)]
    with When("an insert compares its rows"):
        table = replacing_table("version")
        insert_each(table, rows)

    with Then("it writes the newest"):
        assert stored(table) == newest, error()

    with When("rows are written as they come"):
        table = replacing_table("version")
        insert_each(table, rows, settings=AS_THEY_COME)
        assert stored(table) == sorted(rows), error()
        final = survivors(table)
        merge(table)
        found = Deduplicated(final, stored(table))

    with Then("FINAL and a merge leave the newest"):
        wrong = found.wrong(newest, "as they come")
        assert wrong == [], listed("wrong survivors", wrong)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Maximum("1.0"))
def edited_documents(self):
    """A late message about an older edit does not bring the older text back."""
    with Given("documents with the time of their last edit"):
        documents = replacing_table(
            "edited", columns="key UInt64, body String, edited DateTime('UTC')"
        )

    with When("the newer edit arrives first"):
        for body, edited in (("newer", "2024-05-02 10:00:00"), ("older", "2024-05-01 10:00:00")):
            documents.node.query(f"INSERT INTO {documents} VALUES (1, '{body}', '{edited}')")
        assert len(stored(documents)) == 2, error()

    with Then("it stays"):
        assert [row[1] for row in survivors(documents)] == ["newer"], error()

    with And("a merge leaves it too"):
        merge(documents)
        assert [row[1] for row in stored(documents)] == ["newer"], error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Equal("1.0"))
def last_of_equal_versions_wins(self):
    """Of several rows with the greatest version the one inserted last survives."""
    with When("three inserts have every combination of two versions, a key for each"):
        table = replacing_table("version")
        orders = list(product((1, 2), repeat=3))
        inserts = [
            [(key, f"insert {turn}", order[turn]) for key, order in enumerate(orders)]
            for turn in range(3)
        ]
        expected = [
            max((rows[key] for rows in inserts), key=lambda row: (row[2], row[1]))
            for key in range(len(orders))
        ]
        wrong = deduplicate(table, *inserts).wrong(expected, "several inserts")

    with And("one insert has them"):
        table = replacing_table("version")
        rows = [(1, f"row {number}", version) for number, version in enumerate((3, 5, 5, 4))]
        insert_each(table, rows)
        if stored(table) != [(1, "row 2", 5)]:
            wrong.append(f"one insert: {stored(table)}")

    with Then("the last of the greatest survives"):
        assert wrong == [], listed("wrong survivors", wrong)
