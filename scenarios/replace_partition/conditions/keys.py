"""The keys of source and destination: partition key, sorting key, primary key."""

import re

from testflows.core import And, Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Key,
)
from scenarios.replace_partition._marks import deviates_in_2018
from steps.replace_partition.conditions import (
    BAD_ARGUMENTS,
    Definition,
    DefinitionPair,
    make_pairs,
    not_refused,
    not_replaced,
)

DEVIATIONS = "conditions-keys"  # the beginning of their ids

BY_TWO = Definition(order_by="(i, v)")


def partition_key(name: str, other: str, usual: str = "p") -> DefinitionPair:
    return DefinitionPair(name, Definition(partition_by=usual), Definition(partition_by=other))


def sorting_key(name: str, other: str, usual: str = "i") -> DefinitionPair:
    """The setting lets keys be descending; it is on for both tables so that the key alone differs."""
    settings = {"allow_experimental_reverse_key": 1}
    return DefinitionPair(
        name,
        Definition(order_by=usual, settings=settings),
        Definition(order_by=other, settings=settings),
    )


PARTITION_KEYS = (
    partition_key("none", ""),
    partition_key("another column", "i"),
    partition_key("a function of the column", "p % 10"),
    partition_key("a coarser one", "intDiv(p, 2)"),
    partition_key("a column more", "(p, v)"),
    partition_key("columns in another order", "(v, p)", "(p, v)"),
    partition_key("a tuple of the column", "tuple(p)"),
)
SORTING_KEYS = (
    sorting_key("none", "tuple()"),
    sorting_key("another column", "v"),
    sorting_key("a column more", "(i, v)"),
    sorting_key("columns in another order", "(v, i)", "(i, v)"),
    sorting_key("a function of the column", "-i"),
    sorting_key("the other direction", "i DESC"),
)
PRIMARY_KEYS = (
    DefinitionPair("a shorter one", BY_TWO, Definition(order_by="(i, v)", more="PRIMARY KEY i")),
    DefinitionPair(
        "none",
        Definition(order_by="(i, v)", more="PRIMARY KEY i"),
        Definition(order_by="(i, v)", more="PRIMARY KEY tuple()"),
    ),
)
SAME = (
    DefinitionPair(
        "primary key written out", BY_TWO, Definition(order_by="(i, v)", more="PRIMARY KEY (i, v)")
    ),
    DefinitionPair(
        "names in quotes",
        Definition(),
        Definition(partition_by="`p`", order_by="`i`"),
        in_writing=True,
    ),
)


@TestOutline
def different_keys_are_refused(self, *, differences, text):
    """Tables that differ in these keys are refused, each way round; tables that do not are replaced."""
    with Given("tables with both keys"):
        pairs = make_pairs(differences)

    with When("I replace a partition between tables with different keys, each way round"):
        violations = not_refused(pairs.different, BAD_ARGUMENTS, text)

    with Then("every one is refused and both tables are kept"):
        covers("their partition keys, their sorting keys")
        assert_no_violations(violations)

    with And("between tables with the same key it is replaced, whichever key it is"):
        assert_no_violations(not_replaced(pairs.alike))


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Key("1.0"),
)
def different_partition_key(self):
    """Another partition key is refused, also where the two would put the rows together alike."""
    different_keys_are_refused(
        differences=PARTITION_KEYS, text="Tables have different partition key"
    )


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Key("1.0"),
)
def different_sorting_key(self):
    """Another sorting key is refused: other columns, more of them, another order or direction."""
    different_keys_are_refused(differences=SORTING_KEYS, text="Tables have different ordering")


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Key("1.0"),
)
def different_primary_key(self):
    """Another primary key is refused, though the sorting key is the same."""
    different_keys_are_refused(differences=PRIMARY_KEYS, text="Tables have different primary key")


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Key("1.0"),
)
def same_keys_written_otherwise(self):
    """What is refused is a different key and not a different spelling of it."""
    with Given("tables with the same keys, written in different ways"):
        pairs = make_pairs(SAME)

    with When("I replace a partition between them, each way round"):
        violations = not_replaced(pairs.different)

    with Then("every one is replaced, value for value"):
        assert_no_violations(violations)


deviates_in_2018(
    different_primary_key,
    step="every one is refused and both tables are kept",
    observed={
        "a shorter one (destination first)": "refused with code 32: Attempt to read after eof",
        "a shorter one (source first)": re.compile(
            r"refused with code 4: Index file \S+/primary\.idx is unexpectedly long"
        ),
        "none (destination first)": re.compile(
            r"refused with code 1000: File not found: \S+/primary\.idx"
        ),
        "none (source first)": "accepted and replaced",
    },
    reason="the primary keys are not compared; the server refuses what it then cannot read",
    kind="bug",
    severity="wrong refusal or acceptance",
)
