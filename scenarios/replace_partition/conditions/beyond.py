"""What tables may differ in beyond their structure and keys, and where ClickHouse is stricter."""

from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions,
)
from steps.replace_partition.conditions import (
    BAD_ARGUMENTS,
    TEXT,
    Definition,
    DefinitionPair,
    make_pair,
    make_pairs,
    not_refused,
    not_replaced,
)

KEYS = "p UInt64, i UInt64"
DATED = f"{KEYS}, v String, d Date"
DATED_VALUES = {**TEXT, "d": "toDate('2020-01-01') + n"}
COMPUTED = f"{KEYS}, v String, m String MATERIALIZED concat(v, '!'), a String ALIAS concat(m, '?')"
PLAIN = Definition()
HASH, SET = "INDEX x v TYPE bloom_filter", "INDEX x v TYPE set(0)"
COUNTS, SUMS = (f"PROJECTION x (SELECT v, {what} GROUP BY v)" for what in ("count()", "sum(i)"))


def columns(name: str, other: str) -> DefinitionPair:
    return DefinitionPair(name, PLAIN, Definition(f"{KEYS}, {other}"))


def dated(columns: str = DATED, more: str = "") -> Definition:
    return Definition(columns, values=DATED_VALUES, more=more)


MAY_DIFFER = (
    columns("a comment", "v String COMMENT 'x'"),
    columns("a codec", "v String CODEC(ZSTD)"),
    # It holds for the rows of its own two tables (i from 201 on) and for none of the others'.
    columns("a constraint", "v String, CONSTRAINT x CHECK i > 200 OR v = 'x'"),
    # What becomes of rows that expire by one TTL only is in storage/ttl.py.
    DefinitionPair("the TTL of the rows", dated(), dated(more="TTL d + INTERVAL 50 YEAR")),
    DefinitionPair(
        "the TTL of a column",
        dated(),
        dated(DATED.replace("v String", "v String TTL d + INTERVAL 50 YEAR")),
    ),
    DefinitionPair("sampling", PLAIN, Definition(more="SAMPLE BY i")),
    DefinitionPair("granularity", PLAIN, Definition(settings={"index_granularity": 2})),
    DefinitionPair("the engine", PLAIN, Definition(engine="ReplacingMergeTree")),
    DefinitionPair(
        "a codec where there are computed columns",
        Definition(COMPUTED),
        Definition(COMPUTED.replace("v String", "v String CODEC(ZSTD)")),
    ),
)
INDICES = (  # 2 variants
    ("an index", PLAIN, Definition(f"{KEYS}, v String, {HASH}")),
    ("a projection", PLAIN, Definition(f"{KEYS}, v String, {COUNTS}")),
)
OTHERS = (
    DefinitionPair(
        "another index",
        Definition(f"{KEYS}, v String, {SET}"),
        Definition(f"{KEYS}, v String, {HASH}"),
    ),
    DefinitionPair(
        "another projection",
        Definition(f"{KEYS}, v String, {SUMS}"),
        Definition(f"{KEYS}, v String, {COUNTS}"),
    ),
)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"))
def what_may_differ(self):
    """Tables of the same structure, keys and policy are replaced, whatever else they differ in."""
    with Given("tables that differ in something beyond structure, keys and policy"):
        pairs = make_pairs(MAY_DIFFER)

    with When("I replace a partition between them, each way round"):
        violations = not_replaced(pairs.different)

    with Then("every one is replaced, value for value"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"))
def indices_and_projections(self):
    """The destination may have an index or a projection that the source lacks, not the other way round.

    The specification leaves this open; the server takes parts that lack what can be built later, and
    refuses those that have what the destination does not know.
    """
    with Given("pairs of tables in which one has an index or a projection more, or another one"):
        richer_destination = [make_pair(name, poor, rich) for name, poor, rich in INDICES]
        richer_source = [make_pair(name, rich, poor) for name, poor, rich in INDICES]
        others = make_pairs(OTHERS)

    with When("I replace a partition in each of them"):
        not_taken = not_replaced(richer_destination)
        taken = not_refused(
            [*richer_source, *others.different], BAD_ARGUMENTS, "Tables have different"
        )

    with Then("what only the destination has is no obstacle"):
        assert_no_violations(not_taken)

    with And("what only the source has, or has otherwise, is refused"):
        assert_no_violations(taken)

    with And("what both have alike is no obstacle"):
        assert_no_violations(not_replaced(others.alike))
