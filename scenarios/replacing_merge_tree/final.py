"""Reading with FINAL: the rows that a merge would leave, before it happened."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.context import this
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Filter,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Setting,
)
from steps.parts import parts
from steps.refusals import listed
from steps.replacing import insert_each, merge, replacing_table, stored, survivors
from steps.tables import create_table, insert

# Ways in which the server may read: none of them may change what comes out.
WAYS = {
    "by default": {},
    "in one thread": {"max_threads": 1, "max_final_threads": 1},
    "in many threads": {"max_threads": 8, "max_final_threads": 8},
    "in small blocks": {"max_block_size": 3},
    "ranges of keys apart": {"split_parts_ranges_into_intersecting_and_non_intersecting_final": 1},
    "ranges of keys together": {
        "split_parts_ranges_into_intersecting_and_non_intersecting_final": 0
    },
    "with skip indices": {"use_skip_indexes": 1, "use_skip_indexes_if_final": 1},
    "conditions moved forward": {"optimize_move_to_prewhere_if_final": 1},
}


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final("1.0"))
def rows_that_a_merge_would_leave(self):
    """FINAL returns, in whatever way it reads, the rows of a merge, and leaves the parts alone."""
    with Given("parts with keys that overlap, as the dice choose them"):
        table, twin = replacing_table("version, deleted"), replacing_table("version, deleted")
        for number in range(4):
            keys = this().random.sample(range(40), 25)
            rows = [
                (key, f"{number}", this().random.randrange(3), this().random.randrange(2))
                for key in keys
            ]
            for one in (table, twin):
                insert_each(one, rows)
        before = parts(table)
        assert len(before) == 4, error()

    with When("a twin of the table is merged"):
        merge(twin)
        expected = [row for row in stored(twin) if row[3] == 0]
        assert 0 < len(expected) < len(stored(twin)) < len(stored(table)), error()

    with Then("FINAL returns its rows, without the deleted ones"):
        wrong = [name for name, way in WAYS.items() if survivors(table, settings=way) != expected]
        assert wrong == [], listed("ways of reading that give other rows", wrong)

    with And("the parts are what they were"):
        assert parts(table) == before, error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Setting("1.0"))
def setting_reads_every_table_with_final(self):
    """With final = 1 each table of the engine in a query is read so, wherever it stands in it."""
    with Given("two tables with duplicates, and one of another engine with the same rows"):
        left, right = replacing_table(), replacing_table("version")
        plain = create_table(
            "plain", columns="key UInt64, value String", partition_by="", order_by="key"
        )
        for table in (left, plain):
            insert(table, [(1, "old"), (2, "old")])
            insert(table, [(1, "new")])
        insert_each(right, [(1, "newer", 2)], [(1, "older", 1)])

    queries = {
        f"SELECT * FROM {left}": [(1, "new"), (2, "old")],
        f"SELECT count(), uniqExact(value) FROM (SELECT * FROM {left})": [(2, 2)],
        f"SELECT l.value, r.value FROM {left} AS l JOIN {right} AS r USING key": [("new", "newer")],
        f"SELECT value FROM {left} WHERE key IN (SELECT key FROM {right} WHERE version = 1)": [],
        f"SELECT value FROM {left} WHERE key = 1 UNION ALL SELECT value FROM {right}": [
            ("new",),
            ("newer",),
        ],
        f"WITH one AS (SELECT value FROM {right}) SELECT * FROM one": [("newer",)],
        f"SELECT * FROM {plain}": [(1, "new"), (1, "old"), (2, "old")],
    }
    wrong = []
    for sql, expected in queries.items():
        with When(f"I ask {sql}"):
            found = sorted(left.node.query(sql, settings={"final": 1}))
            wrong += [] if found == expected else [f"{sql}: {found} instead of {expected}"]

    with Then("the answers are those of FINAL"):
        assert wrong == [], listed("wrong answers", wrong)

    with And("with final = 0 they are not"):
        rows = left.node.query(f"SELECT * FROM {left} ORDER BY ALL", settings={"final": 0})
        assert rows == [(1, "new"), (1, "old"), (2, "old")], error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Filter("1.0"))
def conditions_see_survivors_only(self):
    """A condition that only a replaced row meets gives nothing, by whatever index it could be found."""
    with Given("a key whose first value was replaced, with an index on the value"):
        table = replacing_table(
            columns="key UInt64, value String, number UInt64, "
            "INDEX by_value value TYPE set(0) GRANULARITY 1, "
            "INDEX by_number number TYPE minmax GRANULARITY 1"
        )
        insert_each(table, [(1, "old", 10), (2, "kept", 20)], [(1, "new", 30)])
        assert len(stored(table)) == 3, error()

    conditions = {
        "value = 'old'": [],
        "number < 15": [],
        "key = 1 AND value = 'old'": [],
        "value = 'new'": [(1, "new", 30)],
        "number > 15": [(1, "new", 30), (2, "kept", 20)],
        "key = 1": [(1, "new", 30)],
        "value != 'new'": [(2, "kept", 20)],
    }
    wrong = []
    for name, way in WAYS.items():
        with When(f"I read with conditions, {name}"):
            for condition, expected in conditions.items():
                found = survivors(table, where=condition, settings=way)
                wrong += [] if found == expected else [f"{name}, {condition}: {found}"]

    with Then("only survivors are compared with them"):
        assert wrong == [], listed("wrong answers", wrong)
