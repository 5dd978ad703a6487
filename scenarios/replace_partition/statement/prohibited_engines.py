"""Sources of every engine: those without partitions are refused, those that have them are taken."""

import itertools

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import deviates, needs
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_IncorrectTableEngines,
)
from steps.engines import (
    ALIAS,
    DISTRIBUTED,
    FAMILY,
    MATERIALIZED_VIEW,
    OTHERS_WITHOUT_PARTITIONS,
    SPECIFIED_WITHOUT_PARTITIONS,
    engines_node,
    inner_table,
    make_family_table,
    make_table,
    replicated_engine,
)
from steps.partitions import replace_partition, replacing
from steps.refusals import Refusal, attempt, state, wrong_refusals
from steps.replace_partition.requirement_names import not_tried
from steps.tables import contents, fill, one_part_pair

NOT_IMPLEMENTED = 48


def check_every_engine_is_tried() -> None:
    """What the requirement names is in one of the tables of engines."""
    with Given("all engines that the requirement names"):
        requirement = (
            RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_IncorrectTableEngines
        )
        fronts = (*SPECIFIED_WITHOUT_PARTITIONS, DISTRIBUTED, MATERIALIZED_VIEW)
        names = [*FAMILY, *(engine.name for engine in fronts)]
        keywords = ("REPLACE PARTITION", "Replicated")
        assert not_tried(requirement, names, apart_from=keywords) == [], error()


@TestOutline
def engines_are_refused(self, *, engines):
    """A source of any of these engines is refused; the table like it is taken."""
    with Given("a source of each engine, and a destination with a table like it"):
        base, destination = one_part_pair(partitions=2, node=engines_node())
        sources = {engine.name: make_table(engine, base) for engine in engines}
        kept = contents(destination, partition=2)

    with When("I replace a partition from each source"):
        refusals = {
            name: Refusal(
                replacing(destination, source, 1), NOT_IMPLEMENTED, f"with storage {name} to table"
            )
            for name, source in sources.items()
        }
        violations = wrong_refusals(destination, refusals)

    with Then("every one is refused and the destination kept"):
        covers("`Memory`, `Log`, `TinyLog`")
        assert_no_violations(violations)

    with And("from the table like it the partition is replaced"):
        replace_partition(destination, source=base, partition=1)
        assert contents(destination) == contents(base, partition=1) + kept, error()


@TestOutline
def engines_are_taken(self, *, sources, destinations):
    """Each source for each destination: partition 1 becomes the source's, partition 2 stays."""
    with Given("what each source has"):
        rows = {name: contents(source) for name, source in sources.items()}

    with When("I replace a partition of each destination from each source"):
        violations = {}
        for (name, source), (other, destination) in itertools.product(
            sources.items(), destinations.items()
        ):
            before = contents(destination)
            expected = rows[name][:5] + before[5:]
            assert len(expected) == 10 and before[:5] != expected[:5], error()
            outcome = attempt(destination.node, replacing(destination, source, 1))
            if not outcome.accepted or contents(destination) != expected:
                violations[f"{name} to {other}"] = str(outcome)

    with Then("every one is replaced"):
        covers("`MergeTree`, `ReplacingMergeTree`")
        assert_no_violations(violations)

    with And("the sources are what they were"):
        assert {name: contents(source) for name, source in sources.items()} == rows, error()


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_IncorrectTableEngines("1.1"),
)
@needs(Capability.MESSAGES_OF_TODAY)
def engines_without_partitions(self):
    """The engines that the specification names as having no partitions are refused."""
    check_every_engine_is_tried()
    engines_are_refused(engines=SPECIFIED_WITHOUT_PARTITIONS)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_IncorrectTableEngines("1.1"),
)
def other_engines_without_partitions(self):
    """So are those that it does not name: key-value stores, other databases, files, dictionaries."""
    engines_are_refused(engines=(*OTHERS_WITHOUT_PARTITIONS, ALIAS))


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_IncorrectTableEngines("1.1")
)
@deviates(
    step="the partition is taken through each of them",
    observed={
        "Distributed": "refused with code 48",
        "MaterializedView": "refused with code 48",
    },
    reason="the requirement counts engines that have no partitions of their own: the source has to be a "
    "table of the MergeTree family itself. A materialized view stands for its inner table as a destination, "
    "but not as a source, and a Distributed table for none",
    kind="requirement",
    severity="wrong refusal or acceptance",
)
def engines_in_front_of_other_tables(self):
    """Distributed and MaterializedView have the partitions of the tables that they read."""
    with Given(
        "a table with a materialized view that has all its rows, and one Distributed over it"
    ):
        source, destination = one_part_pair([1, 2], node=engines_node())
        kept = contents(destination, partition=2)
        view = make_table(MATERIALIZED_VIEW, source)
        fronts = {"Distributed": make_table(DISTRIBUTED, source), "MaterializedView": view}
        source.node.query(f"TRUNCATE TABLE {source}")
        fill(source, [1, 2])
        rows = contents(source, partition=1)
        assert contents(view) == contents(source) and rows, error()
        # The cluster cannot be reached: what the table stands in front of is in its definition.
        definition = source.node.value(f"SHOW CREATE TABLE {fronts['Distributed']}")
        shown = f"Distributed('itself', '{source.database}', '{source.name}')"
        assert shown in definition, error()

    with When("I replace a partition from the inner table of the view"):
        replace_partition(destination, source=inner_table(view), partition=1)

    with Then("the destination has the rows of the view there"):
        assert contents(destination) == rows + kept, error()

    with When("I replace a partition of the view"):
        other, _ = one_part_pair([2], node=engines_node())
        replace_partition(view, source=other, partition=2)

    with Then("the view has the rows of that table there"):
        assert contents(view) == rows + contents(other), error()

    with When("I replace a partition through each of the tables in front"):
        violations = {}
        for name, front in fronts.items():
            before = state(destination)
            outcome = attempt(destination.node, replacing(destination, front, 1))
            after = state(destination)
            if not outcome.accepted:
                kept_all = "" if after == before else ", and the destination is not kept"
                violations[name] = f"refused with code {outcome.code}{kept_all}"
            elif after.rows != rows + kept or after.parts == before.parts:
                violations[name] = "accepted, but the partition is not replaced"

    with Then("the partition is taken through each of them"):
        covers("`Distributed`, `MaterializedView`")
        assert_no_violations(violations)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_IncorrectTableEngines("1.1"),
)
def engines_of_the_family(self):
    """Every engine of the MergeTree family is taken as the source of every one of them."""
    with Given("a source and a destination of each engine"):
        sources = {engine: make_family_table(engine, "source") for engine in FAMILY}
        destinations = {engine: make_family_table(engine, "destination") for engine in FAMILY}

    engines_are_taken(sources=sources, destinations=destinations)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_IncorrectTableEngines("1.1"),
)
@needs(Capability.REPLICATION)
def replicated_engines_of_the_family(self):
    """So is the replicated form of each, from and to a table without replicas and one with them."""
    with Given("a replicated source and destination of each engine, and MergeTree tables"):
        node = engines_node(fragments=("replication",))
        engines = {"MergeTree": "MergeTree"} | {
            f"Replicated{engine}": replicated_engine(engine, node) for engine in FAMILY
        }
        sources = {
            name: make_family_table(engine, "source", node) for name, engine in engines.items()
        }
        engines |= {f"Replicated{engine}": replicated_engine(engine, node) for engine in FAMILY}
        destinations = {
            name: make_family_table(engine, "destination", node) for name, engine in engines.items()
        }

    engines_are_taken(sources=sources, destinations=destinations)
