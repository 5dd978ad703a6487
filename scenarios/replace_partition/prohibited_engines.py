"""Sources of every engine: those without partitions are refused, those of the family are taken."""

import itertools

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_IncorrectTableEngines,
)
from steps.engines import (
    FAMILY,
    IN_FRONT_OF_OTHERS,
    OTHERS_WITHOUT_PARTITIONS,
    SPECIFIED_WITHOUT_PARTITIONS,
    Engine,
    engines_node,
    make_family_table,
    make_table,
)
from steps.partitions import replacing
from steps.refusals import attempt, listed, wrong_refusal
from steps.tables import Table, assert_differ, contents, partitioned_pair

NOT_IMPLEMENTED = 48


def check_refused(engines: tuple[Engine, ...]) -> None:
    with Given("a source of each engine, and a destination with a table like it"):
        behind, destination = partitioned_pair(partitions=2, node=engines_node())
        sources = {engine.name: make_table(engine, behind) for engine in engines}

    with When("I replace a partition from each source"):
        found = {
            name: wrong_refusal(
                destination,
                replacing(destination, source, 1),
                code=NOT_IMPLEMENTED,
                text=f"with storage {name} to table",
            )
            for name, source in sources.items()
        }

    with Then("every one is refused and the destination kept"):
        wrong = [f"{name}: {reason}" for name, reason in found.items() if reason]
        assert not wrong, listed(f"{len(wrong)} of {len(found)} are wrong", wrong)


def wrong_replacement(source: Table, destination: Table) -> str | None:
    """What is wrong with a partition that was to be replaced, or None."""
    for partition in (1, 2):
        assert_differ(source, destination, partition=partition)
    other = contents(destination, partition=2)
    outcome = attempt(destination.node, replacing(destination, source, 1))
    if not outcome.accepted:
        return str(outcome)
    if contents(destination, partition=1) != contents(source, partition=1):
        return "the rows are not those of the source"
    return None if contents(destination, partition=2) == other else "another partition changed"


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_IncorrectTableEngines("1.0"),
)
def engines_without_partitions(self):
    """The engines that the specification names as having no partitions are refused."""
    check_refused(SPECIFIED_WITHOUT_PARTITIONS)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_IncorrectTableEngines("1.0"),
)
def other_engines_without_partitions(self):
    """So are those that it does not name: key-value stores, other databases, files, dictionaries."""
    check_refused(OTHERS_WITHOUT_PARTITIONS)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited("1.0"))
def engines_in_front_of_other_tables(self):
    """A table that only stands in front of one with partitions is refused; nothing reaches through it."""
    check_refused(IN_FRONT_OF_OTHERS)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_IncorrectTableEngines("1.0"),
)
def engines_of_the_family(self):
    """Every engine of the MergeTree family is taken as the source of every one of them."""
    with Given("a source and a destination of each engine"):
        sources = {engine: make_family_table(engine, "source") for engine in FAMILY}
        destinations = {engine: make_family_table(engine, "destination") for engine in FAMILY}
        before = {engine: contents(source) for engine, source in sources.items()}

    with When("I replace a partition of each destination from each source"):
        found = {
            f"{engine} to {other}": wrong_replacement(sources[engine], destinations[other])
            for engine, other in itertools.product(FAMILY, FAMILY)
        }

    with Then("every one is replaced"):
        wrong = [f"{cell}: {reason}" for cell, reason in found.items() if reason]
        assert not wrong, listed(f"{len(wrong)} of {len(found)} are wrong", wrong)

    with And("the sources are what they were"):
        assert {engine: contents(source) for engine, source in sources.items()} == before, error()
