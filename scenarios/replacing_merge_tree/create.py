"""Tables of the engine with all that may be said about them."""

from typing import Any

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.context import this
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_Clauses,
)
from steps.parts import parts
from steps.refusals import listed
from steps.replacing import (
    COLUMNS_FOR,
    deduplicate,
    definition,
    keys_of,
    replacing_table,
    stored,
)
from steps.tables import NO_MERGES, create_table

DELETABLE = COLUMNS_FOR["version, deleted"]
NEWER, OLDER = (1, "newer", 2, 0), (1, "older", 1, 0)
THERE, GONE = (2, "there", 1, 0), (2, "gone", 2, 1)
# What each form makes of the same rows: the last ones, the newest ones, those that are not deleted.
FORMS = {
    "ReplacingMergeTree": [OLDER, GONE],
    "ReplacingMergeTree()": [OLDER, GONE],
    "ReplacingMergeTree(version)": [NEWER, GONE],
    "ReplacingMergeTree(version, deleted)": [NEWER],
}
DELETION_COLUMN = "ReplacingMergeTree(version, deleted)"
VISITS: dict[str, Any] = {
    "columns": "id UInt64, page String",
    "partition_by": "id % 2",
    "order_by": "(id, intHash32(id), page)",
    "more": "PRIMARY KEY (id, intHash32(id)) SAMPLE BY intHash32(id)",
    "settings": {**NO_MERGES, "index_granularity": 128},
}


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree("1.0"))
def every_form_of_the_engine(self):
    """No parameter, a version column, a version and a deletion column: each makes a table, and each
    makes something else of the same rows."""
    wrong = []
    for engine, expected in FORMS.items():
        with When(f"I create a table of {engine} and give it duplicates"):
            table = create_table(
                "form", engine=engine, columns=DELETABLE, partition_by="", order_by="key"
            )
            found = deduplicate(table, [NEWER, THERE], [OLDER, GONE])
            name = engine.removesuffix("()")
            if not definition(table).startswith(f"{name} ORDER BY"):
                wrong.append(f"{engine}: it is {definition(table)}")
            # A merge keeps a deletion row: it has to go on hiding what comes late.
            kept = [NEWER, GONE] if engine == DELETION_COLUMN else expected
            wrong += [] if found.final == expected else [f"{engine}, FINAL: {found.final}"]
            wrong += [] if found.merged == kept else [f"{engine}, merged: {found.merged}"]

    with Then("each does what its parameters say"):
        assert wrong == [], listed("wrong forms", wrong)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_Clauses("1.0"))
def clauses_mean_what_they_mean_for_mergetree(self):
    """Keys, partitions, sampling and settings are those of a MergeTree table with the same clauses."""
    with Given("a MergeTree and a ReplacingMergeTree table with the same clauses and rows"):
        first = this().random.randrange(1_000_000)
        plain = create_table("plain", **VISITS)
        table = replacing_table(**VISITS)
        for one in (plain, table):
            one.node.query(
                f"INSERT INTO {one} SELECT {first} + number, toString(number % 7) FROM numbers(2000)"
            )
        assert len(stored(table)) == 2000, error()

    with Then("the keys are those of the clauses"):
        expected = ("id % 2", "id, intHash32(id), page", "id, intHash32(id)", "intHash32(id)")
        assert keys_of(table) == expected, error()
        assert keys_of(table) == keys_of(plain), error()

    with And("rows are divided into the same parts"):
        shapes = [[(part.partition_id, part.rows) for part in parts(one)] for one in (plain, table)]
        assert shapes[0] == shapes[1] == [("0", 1000), ("1", 1000)], error()

    with And("a sample holds the same rows, and not all"):
        samples = [
            sorted(one.node.query(f"SELECT * FROM {one} SAMPLE 1 / 4")) for one in (plain, table)
        ]
        assert samples[0] == samples[1], error()
        assert 100 < len(samples[1]) < 1000, error()

    with And("the setting divides each part into granules of that size"):
        granules = [
            table.node.column(
                "SELECT marks FROM system.parts WHERE active AND database = "
                f"'{one.database}' AND table = '{one.name}' ORDER BY name"
            )
            for one in (plain, table)
        ]
        # 1000 rows in granules of 128 are 8, and one mark more says where the last one ends.
        assert granules[0] == granules[1] == [9, 9], error()
