"""What Spark asks of a scenario's node is recorded and can be changed on its way, by whomever it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.client.tampering import INTERCEPTOR, Answer, InterceptedStatement
from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse import rows as clickhouse_rows
from pipelines.clickhouse.data_source import read_table
from pipelines.compare import oracle
from steps.spark.session import server
from tests.sensitivity.conftest import Sabotaged

pytestmark = pytest.mark.xdist_group("spark")
SCENARIOS = """
def replaced_rows(wrong):
    from pipelines.clickhouse import rows as clickhouse_rows
    from pipelines.compare import oracle
    from steps.spark.session import dataframe, server
    node = this().node()
    with Given("a table in which a row was replaced"):
        node.query("CREATE TABLE t (k Int64, v Int64) ENGINE = ReplacingMergeTree ORDER BY k")
        for v in (1, 2):
            node.query(f"INSERT INTO t VALUES (1, {v})")
    with Then("FINAL shows the last one"):
        expected = dataframe([(1, 3 if wrong else 2)], "k bigint, v bigint")
        difference = oracle.compare(expected, clickhouse_rows.table(server(node), "t", final=True))
        assert difference is None, str(difference)


@TestScenario
@Requirements(Requirement("RQ.Example", "1.0"))
def right_expectation(self):
    replaced_rows(wrong=False)


@TestScenario
def wrong_expectation(self):
    replaced_rows(wrong=True)
"""
MUTANTS = """
@mutant(violates=["RQ.Example"])
def final_is_ignored(statement):
    \"\"\"FINAL is removed.\"\"\"
    if " FINAL" not in statement.sql:
        return statement.execute()
    return statement.substitute(statement.sql.replace(" FINAL", ""))
"""


@pytest.fixture
def table(node: EmbeddedNode) -> Iterator[EmbeddedNode]:
    """A node with a table of two parts, in which one of four rows was replaced."""
    node.query("CREATE TABLE t (k Int64, v String) ENGINE = ReplacingMergeTree ORDER BY k")
    node.query("SYSTEM STOP MERGES t")
    node.query("INSERT INTO t VALUES (1, 'old'), (2, 'b')")
    node.query("INSERT INTO t VALUES (1, 'new'), (3, 'c')")
    try:
        yield node
    finally:
        INTERCEPTOR.activate(None)


def without_final(statement: InterceptedStatement) -> Answer:
    return statement.substitute(statement.sql.replace(" FINAL", ""))


def test_a_comparison_is_recorded_and_can_be_changed(
    spark: SparkSession, table: EmbeddedNode
) -> None:
    expected = spark.createDataFrame([(1, "new"), (2, "b"), (3, "c")], "k long, v string")
    rows = clickhouse_rows.table(server(table), "t", final=True)
    before = len(table.recorder.statements)
    assert oracle.compare(expected, rows, key=["k"]) is None
    (asked,) = table.recorder.statements[before:]
    assert asked.sql.startswith("SELECT count(), ") and asked.sql.endswith("FROM `t` FINAL")
    assert table.query(asked.sql)[0][0] == 3  # it can be repeated as it was recorded
    INTERCEPTOR.activate(without_final)
    difference = oracle.compare(expected, rows, key=["k"])
    assert difference is not None and "old" in str(difference)
    assert all("FINAL" in asked.sql for asked in table.recorder.statements[before + 2 :])


def test_what_workers_read_is_recorded_and_can_be_changed(
    spark: SparkSession, table: EmbeddedNode
) -> None:
    before = len(table.recorder.statements)
    frame = read_table(spark, server(table), "t")
    reads = [asked for asked in table.recorder.statements[before:] if asked.query_id]
    assert len(reads) == frame.rdd.getNumPartitions() == 2
    assert all("FROM `t` WHERE (_part = " in asked.sql for asked in reads)
    assert len({asked.query_id for asked in reads}) == 2
    assert sorted(row.v for row in frame.collect()) == ["b", "c", "new", "old"]
    INTERCEPTOR.activate(
        lambda statement: statement.substitute(
            statement.sql.replace("SELECT `k`, `v`", "SELECT 9 AS k, `v`")
        )
    )
    changed = read_table(spark, server(table), "t", split="none")
    INTERCEPTOR.activate(None)
    assert {row.k for row in changed.collect()} == {9}


def test_answers_and_refusals_in_place_of_the_server_reach_the_driver(
    spark: SparkSession, table: EmbeddedNode
) -> None:
    def only_reads(statement: InterceptedStatement, answer: str) -> Answer:
        if not statement.sql.startswith("SELECT `k`"):
            return statement.execute()
        return statement.acknowledge() if answer == "empty" else statement.refuse(241, "no memory")

    INTERCEPTOR.activate(lambda statement: only_reads(statement, "empty"))
    assert read_table(spark, server(table), "t", split="none").collect() == []
    INTERCEPTOR.activate(lambda statement: only_reads(statement, "refusal"))
    with pytest.raises(QueryFailed, match="no memory"):
        read_table(spark, server(table), "t", split="none")


@pytest.mark.nightly
def test_a_scenario_of_the_referee_notices_a_mutant_and_tells_its_select(tmp_path: Path) -> None:
    """In one run, hence with one Spark: as they are, and the right one without FINAL."""
    suite = Sabotaged(tmp_path)
    suite.write(SCENARIOS)
    suite.mutants(MUTANTS)
    ended = suite.run("--workers", "1")
    assert ended.scenario("right expectation")["result"] == "OK"
    entry = ended.scenario("wrong expectation")
    assert entry["result"] == "Fail", entry
    script = (ended.results / "latest" / entry["folder"] / "repro.sql").read_text()
    assert "SELECT count(), " in script and "FROM `t` FINAL;" in script
    assert "default_format" not in script
    noticed = {
        scenario["name"].rpartition("/")[2]: scenario["mutants"]
        for scenario in ended.document["sensitivity"]["scenarios"]
    }
    assert noticed["right expectation"] == {"final-is-ignored": "killed"}
