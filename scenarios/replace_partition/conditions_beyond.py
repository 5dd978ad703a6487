"""What tables may differ in beyond their structure and keys, and where ClickHouse is stricter."""

from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions,
)
from steps.conditions import (
    BAD_ARGUMENTS,
    Definition,
    Difference,
    both_ways,
    expect_refusals,
    make_pair,
    wrong_refusals,
    wrong_replacements,
)

KEYS = "p UInt64, i UInt64"
DATED = f"{KEYS}, v String, d Date DEFAULT '2020-01-01'"
PLAIN = Definition()
HASH, SET = "INDEX x v TYPE bloom_filter", "INDEX x v TYPE set(0)"
COUNTS, SUMS = (f"PROJECTION x (SELECT v, {what} GROUP BY v)" for what in ("count()", "sum(i)"))


def columns(name: str, other: str) -> Difference:
    return Difference(name, PLAIN, Definition(f"{KEYS}, {other}"))


MAY_DIFFER = (
    Difference("the order of the columns", PLAIN, Definition("v String, p UInt64, i UInt64")),
    columns("a default", "v String DEFAULT ''"),
    columns("a materialized column", "v String MATERIALIZED ''"),
    columns("a comment", "v String COMMENT 'x'"),
    columns("a codec", "v String CODEC(ZSTD)"),
    columns("a constraint", "v String, CONSTRAINT x CHECK i > 1000000 OR v = ''"),
    Difference(
        "the TTL of the rows", Definition(DATED), Definition(DATED, more="TTL d + INTERVAL 99 YEAR")
    ),
    Difference(
        "the TTL of a column",
        Definition(DATED),
        Definition(DATED.replace("v String", "v String TTL d + INTERVAL 99 YEAR")),
    ),
    Difference("sampling", PLAIN, Definition(more="SAMPLE BY i")),
    Difference("granularity", PLAIN, Definition(settings={"index_granularity": 2})),
    Difference("the engine", PLAIN, Definition(engine="ReplacingMergeTree")),
)
INDICES = (
    ("an index", PLAIN, Definition(f"{KEYS}, v String, {HASH}")),
    ("a projection", PLAIN, Definition(f"{KEYS}, v String, {COUNTS}")),
)
OTHER_INDICES = (
    Difference(
        "an index", Definition(f"{KEYS}, v String, {SET}"), Definition(f"{KEYS}, v String, {HASH}")
    ),
)
OTHER_PROJECTIONS = (
    Difference(
        "a projection",
        Definition(f"{KEYS}, v String, {SUMS}"),
        Definition(f"{KEYS}, v String, {COUNTS}"),
    ),
)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"))
def what_may_differ(self):
    """Tables of the same structure, keys and policy are replaced, whatever else they differ in."""
    with Given("pairs of tables that differ in something else, each way round"):
        pairs = both_ways(MAY_DIFFER)

    with When("I replace a partition in each of them"):
        wrong = wrong_replacements(pairs)

    with Then("every one is replaced"):
        assert not wrong, str(wrong)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"))
def indices_and_projections(self):
    """The destination may have an index or a projection that the source lacks, not the other way round.

    The specification leaves this open; the server takes parts that lack what can be built later, and
    refuses those that have what the destination does not know.
    """
    with Given("pairs of tables in which one has an index or a projection more"):
        richer_destination = [make_pair(name, poor, rich, None) for name, poor, rich in INDICES]
        richer_source = [make_pair(name, rich, poor, None) for name, poor, rich in INDICES]
        others = [*both_ways(OTHER_INDICES), *both_ways(OTHER_PROJECTIONS)]

    with When("I replace a partition in each of them"):
        wrong = wrong_replacements(richer_destination)
        refused = [*richer_source, *others]
        badly_refused = wrong_refusals(refused, BAD_ARGUMENTS, "Tables have different")

    with Then("what only the destination has is no obstacle"):
        assert not wrong, str(wrong)

    with And("what only the source has, or has otherwise, is refused"):
        expect_refusals(refused, badly_refused)
