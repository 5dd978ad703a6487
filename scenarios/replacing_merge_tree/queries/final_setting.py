"""The setting `final` in every kind of query: each answer is that of the same query over the survivors."""

from typing import Any

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.session import Row
from helpers.scenario.violations import assert_no_violations
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Setting,
)
from steps.replacing_merge_tree.tables import insert_all, replacing_table
from steps.tables import Table

COLUMNS = "key UInt64, value String, version UInt64, tags Array(UInt8)"
INSERTS = (  # 3 variants
    [(key, f"old {key % 3}", 1, [key, 1]) for key in range(8)],
    [(key, f"new {key % 2}", 2, [key]) for key in range(2, 6)],
    [(key, f"late {key}", 1, [7]) for key in range(4, 6)],
)
# {l} and {r} are tables with duplicates, {v} and {m} an ordinary and a materialized view of the first.
QUERIES = {  # 31 variants
    "DISTINCT": "SELECT DISTINCT value FROM {l}",
    "LIMIT": "SELECT key, value FROM {l} ORDER BY key DESC LIMIT 3",
    "LIMIT BY": "SELECT value, key FROM {l} ORDER BY value, key LIMIT 1 BY value",
    "LIMIT WITH TIES": "SELECT value FROM {l} ORDER BY value LIMIT 2 WITH TIES",
    "OFFSET": "SELECT key, value FROM {l} ORDER BY key, value LIMIT 2 OFFSET 2",
    "GROUP BY": "SELECT value, count(), sum(version) FROM {l} GROUP BY value",
    "ROLLUP": "SELECT value, count() FROM {l} GROUP BY value WITH ROLLUP",
    "HAVING": "SELECT key FROM {l} GROUP BY key HAVING count() > 1",
    "WHERE": "SELECT key, value FROM {l} WHERE value LIKE 'old%'",
    "PREWHERE of the key": "SELECT key, value FROM {l} PREWHERE key > 2",
    "ARRAY JOIN": "SELECT key, tag FROM {l} ARRAY JOIN tags AS tag",
    "LEFT ARRAY JOIN": "SELECT key, tag FROM {l} LEFT ARRAY JOIN tags AS tag",
    "window": "SELECT key, count() OVER (PARTITION BY value) FROM {l}",
    "INNER JOIN": "SELECT l.value, r.value FROM {l} AS l INNER JOIN {r} AS r USING key",
    "LEFT JOIN": "SELECT l.value, r.value FROM {l} AS l LEFT JOIN {r} AS r USING key",
    "RIGHT JOIN": "SELECT l.value, r.value FROM {l} AS l RIGHT JOIN {r} AS r USING key",
    "FULL JOIN": "SELECT l.value, r.value FROM {l} AS l FULL JOIN {r} AS r USING key",
    "SEMI JOIN": "SELECT l.key, l.value FROM {l} AS l LEFT SEMI JOIN {r} AS r USING key",
    "ANTI JOIN": "SELECT l.key, l.value FROM {l} AS l LEFT ANTI JOIN {r} AS r USING key",
    "ASOF JOIN": (
        "SELECT l.key, r.version FROM {l} AS l ASOF JOIN {r} AS r "
        "ON l.key = r.key AND l.version >= r.version"
    ),
    "CROSS JOIN": "SELECT count() FROM {l} AS l CROSS JOIN {r} AS r",
    "nested JOIN": (
        "SELECT a.key, c.value FROM {l} AS a JOIN {r} AS b ON a.key = b.key "
        "JOIN {l} AS c ON b.key = c.key"
    ),
    "UNION ALL": "SELECT value FROM {l} UNION ALL SELECT value FROM {r}",
    "UNION DISTINCT": "SELECT value FROM {l} UNION DISTINCT SELECT value FROM {r}",
    "INTERSECT": "SELECT value FROM {l} INTERSECT SELECT value FROM {r}",
    "EXCEPT": "SELECT value FROM {l} EXCEPT SELECT value FROM {r}",
    "IN": "SELECT key, value FROM {l} WHERE value IN (SELECT value FROM {r})",
    "scalar subquery": "SELECT (SELECT count() FROM {l}), (SELECT max(value) FROM {r})",
    "WITH": "WITH few AS (SELECT * FROM {l} WHERE version = 1) SELECT key FROM few",
    "VIEW": "SELECT key, value FROM {v}",
    "MATERIALIZED VIEW": "SELECT key, value FROM {m}",
}


def ask(table: Table, sql: str, **options: Any) -> list[Row]:
    return sorted(table.node.query(sql, **options), key=repr)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Setting("1.0"))
def every_kind_of_query(self):
    """With final = 1 a query answers what it answers over tables that hold the survivors only."""
    with Given("two tables, and an ordinary and a materialized view of the first"):
        left, right = (replacing_table("version", columns=COLUMNS) for _ in range(2))
        node = left.node
        view, materialized = (Table(node, left.database, name) for name in ("view", "stored_view"))
        node.query(f"CREATE VIEW {view} AS SELECT * FROM {left}")
        node.query(
            f"CREATE MATERIALIZED VIEW {materialized} ENGINE = ReplacingMergeTree(version) "
            f"ORDER BY key SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1 "
            f"AS SELECT * FROM {left}"
        )
        tables = {"l": left, "r": right, "v": view, "m": materialized}
        queries = {name: sql.format(**tables) for name, sql in QUERIES.items()}

    with And("duplicates in all of them"):
        insert_all(left, *INSERTS)
        insert_all(right, *([row for row in part if row[0] % 2] for part in INSERTS))

    with When("I ask each query with the setting and without"):
        final = {name: ask(left, sql, settings={"final": 1}) for name, sql in queries.items()}
        plain = {name: ask(left, sql) for name, sql in queries.items()}

    with And("again when a merge has left the survivors"):
        for table in (left, right, materialized):
            node.query(f"OPTIMIZE TABLE {table} FINAL")
            count = node.value(f"SELECT count() FROM {table}")
            assert count == (4 if table is right else 8), error()
        merged = {name: ask(left, sql) for name, sql in queries.items()}

    with Then("the answers with the setting are those after the merge"):
        assert_no_violations(
            {
                name: f"{rows} instead of {merged[name]}"
                for name, rows in final.items()
                if rows != merged[name]
            }
        )

    with And("without the setting all of them are others"):
        assert not {name for name in queries if plain[name] == merged[name]}, error()
