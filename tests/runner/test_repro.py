"""repro.sql says again what a failed scenario said, on a server that knows nothing of it."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

import pytest

from helpers.cluster.client.recording import literal
from helpers.cluster.embedded.cluster import EmbeddedCluster
from tests.runner.suite import Suite

BODY = """
@TestScenario
def odd_values(self):
    node = this().node()
    with Given("a table with values that are hard to write"):
        node.query("CREATE TABLE t (x Int64, s String, a Array(Nullable(String)), d Date) "
                   "ENGINE = MergeTree ORDER BY x")
        import datetime
        node.query("INSERT INTO t VALUES", data=[
            (1, "it's\\\\a\\nline;", ["ü", None], datetime.date(2026, 1, 2)),
            (-2, "", [], datetime.date(1970, 1, 1)),
        ])
    with When("something is refused, and something needs a setting"):
        node.fails("SELECT * FROM no_such_table", code=60)
        node.query("INSERT INTO t (x) SELECT number FROM numbers(5)", settings={"max_block_size": 1})
    with Then("it fails"):
        assert node.value("SELECT sum(x) FROM t") == 0, error()
"""

STATEMENT = re.compile(
    r"^(?:/\*.*?\*/ )?(?P<sql>.+?);(?: -- \{ serverError (?P<code>\d+) \})?$",
    re.MULTILINE | re.DOTALL,
)


def test_it_makes_the_same_state_again(suite: Suite, tmp_path: Path) -> None:
    suite.write(BODY)
    ended = suite.run("--workers", "1")
    entry = ended.scenario("odd values")
    assert entry["result"] == "Fail", entry
    script = (ended.results / "latest" / entry["folder"] / "repro.sql").read_text()
    assert entry["rerun"] in script
    *_, step, expected, observed, select = script.splitlines()
    assert step == "-- The check that failed: Then it fails"
    assert (expected, observed) == (
        "-- expected: 0",
        "-- observed: node.value('SELECT sum(x) FROM t'): is 9, expected 0",
    )
    assert select.endswith("SELECT sum(x) FROM t;")
    text = "\n".join(line for line in script.splitlines() if not line.startswith("--"))
    said = [(statement["sql"].strip(), statement["code"]) for statement in STATEMENT.finditer(text)]
    assert [code for _, code in said].count("60") == 1
    with EmbeddedCluster(tmp_path / "bare") as cluster, cluster.node().session() as session:
        for sql, code in said:
            if code is None:
                session.query(sql)
            else:
                session.fails(sql, code=int(code))
        assert session.query("SELECT sum(x), count() FROM t") == [(9, 7)]
        for sql, code in said:
            if code is None:
                session.query(sql)
        assert session.query("SELECT sum(x), count() FROM t") == [(9, 7)], "it runs twice"
        rows = session.query("SELECT * FROM t WHERE x = 1 AND s != ''")
        assert rows == [(1, "it's\\a\nline;", ["ü", None], datetime.date(2026, 1, 2))]


@pytest.mark.parametrize(
    ("value", "sql"),
    [
        (None, "NULL"),
        (True, "1"),
        (1.5, "1.5"),
        ("it's", "'it\\'s'"),
        ((1, "a"), "(1, 'a')"),
        ([1, None], "[1, NULL]"),
        (datetime.date(2026, 1, 2), "'2026-01-02'"),
    ],
)
def test_literals(value: object, sql: str) -> None:
    assert literal(value) == sql
