"""Tables of the engine with all that may be said about them."""

from typing import Any

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from helpers.scenario.violations import assert_no_violations, differing
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_Clauses,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_ColumnExpressions,
)
from steps.replacing_merge_tree.stored_rows import definition, keys_of, part_values, stored
from steps.replacing_merge_tree.tables import (
    COLUMNS_FOR,
    deduplication_violations,
    insert_each,
    merge,
    replacing_table,
)
from steps.tables import NO_MERGES, create_table

DELETABLE = COLUMNS_FOR["version, deleted"]
NEWER, OLDER = (1, "newer", 2, 0), (1, "older", 1, 0)
THERE, GONE = (2, "there", 1, 0), (2, "gone", 2, 1)
# What FINAL and a merge make of the same rows: the last ones, the newest, those that are not deleted
# (a merge keeps a deletion row: it has to go on hiding what comes late).
FORMS = {  # 4 variants
    "ReplacingMergeTree": ([OLDER, GONE], [OLDER, GONE]),
    "ReplacingMergeTree()": ([OLDER, GONE], [OLDER, GONE]),
    "ReplacingMergeTree(version)": ([NEWER, GONE], [NEWER, GONE]),
    "ReplacingMergeTree(version, deleted)": ([NEWER], [NEWER, GONE]),
}
VISITS: dict[str, Any] = {
    "columns": "id UInt64, page String",
    "partition_by": "id % 2",
    "order_by": "(id, intHash32(id), page)",
    "more": "PRIMARY KEY (id, intHash32(id)) SAMPLE BY intHash32(id)",
    "settings": {**NO_MERGES, "index_granularity": 128},
}


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_Clauses("1.0"))
def clauses_mean_what_they_mean_for_mergetree(self):
    """Keys, partitions, sampling and settings are those of a MergeTree table with the same clauses."""
    with Given("a MergeTree and a ReplacingMergeTree table with the same clauses and rows"):
        first = this().random.randrange(1_000_000)
        tables = create_table("plain", **VISITS), replacing_table(**VISITS)
        for table in tables:
            table.node.query(
                f"INSERT INTO {table} SELECT {first} + number, toString(number % 7) FROM numbers(2000)"
            )
            expected = sorted((first + number, str(number % 7)) for number in range(2000))
            assert sorted(table.node.query(f"SELECT * FROM {table}")) == expected, error()

    with Then("the keys are those of the clauses"):
        expected_keys = ("id % 2", "id, intHash32(id), page", "id, intHash32(id)", "intHash32(id)")
        assert [keys_of(table) for table in tables] == [expected_keys] * 2, error()

    with And("rows are divided into the same parts"):
        assert [part_values(table, "partition_id") for table in tables] == [["0", "1"]] * 2, error()
        assert [part_values(table, "rows") for table in tables] == [[1000, 1000]] * 2, error()

    with And("a sample holds the same rows, and not all"):
        samples = [
            sorted(table.node.query(f"SELECT * FROM {table} SAMPLE 1 / 4")) for table in tables
        ]
        assert samples[0] == samples[1], error()
        assert 100 < len(samples[1]) < 1000, error()

    with And("the setting divides each part into granules of that size"):
        # 1000 rows in granules of 128 are 8, and one mark more says where the last one ends.
        assert [part_values(table, "marks") for table in tables] == [[9, 9]] * 2, error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_ColumnExpressions("1.0"))
def columns_with_expressions(self):
    """A version or a deletion mark that is computed decides as one that is inserted; a column that is
    computed from the others belongs to the surviving row."""
    columns = (
        "key UInt64, value String, size UInt64 DEFAULT length(value), "
        "version UInt64 MATERIALIZED size * 10, deleted UInt8 DEFAULT value = 'none!', "
        "shown String ALIAS concat(value, '!')"
    )
    everything = "key, value, size, version, deleted, shown"
    with Given("a table whose version and deletion mark are computed"):
        table = replacing_table("version, deleted", columns=columns)

    with When("I insert values of different lengths, the longest not last"):
        for values in (["a", "ccc"], ["bbbb", "ddd"], ["aa", "none!"]):
            rows = ", ".join(f"({key}, '{value}')" for key, value in enumerate(values, start=1))
            table.node.query(f"INSERT INTO {table} (key, value) VALUES {rows}")
        insert_each(table, [(3, "given", 7, 0), (3, "default", 6, 0)])
        inserted = [(1, "a", 1, 0), (1, "aa", 2, 0), (1, "bbbb", 4, 0), (2, "ccc", 3, 0)]
        inserted += [(2, "ddd", 3, 0), (2, "none!", 5, 1), (3, "given", 7, 0)]
        assert stored(table) == inserted, error()

    with Then("the computed version decides, and the computed mark deletes"):
        expected = [(1, "bbbb", 4, 40, 0, "bbbb!"), (3, "given", 7, 70, 0, "given!")]
        read = f"SELECT {everything} FROM {table}"
        assert table.node.query(f"{read} FINAL ORDER BY key") == expected, error()

    with And("a merge leaves the same, and the deletion row"):
        merge(table)
        merged = [expected[0], (2, "none!", 5, 50, 1, "none!!"), expected[1]]
        assert table.node.query(f"{read} ORDER BY key") == merged, error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree("1.0"))
def every_form_of_the_engine(self):
    """No parameter, a version column, a version and a deletion column: each makes a table, and each
    makes something else of the same rows."""
    violations: dict[str, object] = {}
    for engine, (expected, merged) in FORMS.items():
        with When(f"I create a table of {engine} and give it duplicates"):
            table = create_table(
                "form", engine=engine, columns=DELETABLE, partition_by="", order_by="key"
            )
            (setting,) = NO_MERGES.items()
            expected_definition = (
                f"{engine.removesuffix('()')} ORDER BY key "
                f"SETTINGS {setting[0]} = {setting[1]}, index_granularity = 8192"
            )
            checked = {"definition": (definition(table), expected_definition)}
            violations |= differing(engine, checked)
            inserts = ([NEWER, THERE], [OLDER, GONE])
            violations |= deduplication_violations(
                engine, table, *inserts, expected=expected, merged=merged
            )

    with Then("each does what its parameters say"):
        assert_no_violations(violations)
