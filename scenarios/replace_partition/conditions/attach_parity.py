"""REPLACE PARTITION and ATTACH PARTITION FROM are refused alike: both clone the source's parts."""

from dataclasses import dataclass
from typing import Any

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_AttachFromParity,
)
from steps.partitions import attaching, replacing
from steps.refusals import attempt, state
from steps.tables import COLUMNS, Table, contents, create_table, one_part_pair

BAD_ARGUMENTS = 36
STRUCTURE = (122, "Tables have different structure")
SYNTAX = (62, "Syntax error")
# Sources that do not meet the conditions, and what both statements are to be refused with.
TABLES: dict[str, tuple[dict[str, Any], tuple[int, str]]] = {  # 9 variants
    "column more": ({"columns": f"{COLUMNS}, extra UInt8"}, STRUCTURE),
    "column less": ({"columns": "p UInt64, i UInt64"}, STRUCTURE),
    "other name": ({"columns": "p UInt64, i UInt64, holder String"}, STRUCTURE),
    "other type": ({"columns": "p UInt64, i UInt64, owner Nullable(String)"}, STRUCTURE),
    "other partition key": ({"partition_by": "p % 10"}, (BAD_ARGUMENTS, "different partition key")),
    "no partition key": ({"partition_by": ""}, (BAD_ARGUMENTS, "different partition key")),
    "other sorting key": ({"order_by": "(i, owner)"}, (BAD_ARGUMENTS, "different ordering")),
    "other primary key": (
        {"order_by": "(i, owner)", "more": "PRIMARY KEY i"},
        (BAD_ARGUMENTS, "different ordering"),
    ),
    "other engine": ({"engine": "Memory", "partition_by": "", "order_by": ""}, (48, "Memory")),
}
NAMES = {  # 7 variants
    "no_such_table": (60, "no_such_table"),
    "numbers(3)": SYNTAX,
    "(SELECT 1)": SYNTAX,
    "{source} WHERE 1": SYNTAX,
    "{source} AS s": SYNTAX,
    "{source} ORDER BY i": SYNTAX,
    "{source} JOIN {destination} USING (i)": SYNTAX,
}
EXPRESSIONS = {  # 6 variants
    "toUInt64(1)": SYNTAX,
    "(1, 2)": (248, "Wrong number of fields"),
    "ID ''": (248, "Partition id is empty"),
    "'one'": (53, "'one'"),
    "NULL": (53, "NULL"),
    "-1": (69, "'-1'"),
}


@dataclass(frozen=True)
class Case:
    """A source and a partition that both statements are refused for, with this code and text."""

    source: Table | str
    partition: int | str
    refusal: tuple[int, str]


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_AttachFromParity("1.1"))
@needs(Capability.MESSAGES_OF_TODAY)
def refused_alike(self):
    """What one of the statements is refused for the other is refused for, with the same code."""
    with Given("a source and a destination that are alike, and sources that are not"):
        source, destination = one_part_pair(partitions=2)
        node = destination.node
        names = {"source": source, "destination": destination}
        cases = {
            f"FROM {template}": Case(template.format(**names), 1, refusal)
            for template, refusal in NAMES.items()
        }
        for expression, refusal in EXPRESSIONS.items():
            cases[f"PARTITION {expression}"] = Case(source, expression, refusal)
        for name, (options, refusal) in TABLES.items():
            table = create_table("other", **{"node": node, "settings": {}, **options})
            node.query(f"INSERT INTO {table} (p, i) VALUES (1, 1)")
            assert node.query(f"SELECT p, i FROM {table}") == [(1, 1)], error()
            cases[name] = Case(table, 1, refusal)
        before = state(destination)

    with When("I replace and attach the partition in each case"):
        violations = {}
        for name, case in cases.items():
            code, text = case.refusal
            for statement in (replacing, attaching):
                outcome = attempt(node, statement(destination, case.source, case.partition))
                if outcome.code != code or text not in outcome.message:
                    violations[f"{name}, {statement.__name__}"] = str(outcome)

    with Then("both are refused with the same code"):
        assert_no_violations(violations)

    with And("the destination is kept"):
        assert state(destination) == before, error()

    with And("both are taken from the source that is alike"):
        node.query(attaching(destination, source, 1))
        taken = contents(source, partition=1)
        kept = [row for row in before.rows if row[0] == 2]
        own = [row for row in before.rows if row[0] == 1]
        assert contents(destination) == sorted([*own, *taken]) + kept, error()
        node.query(replacing(destination, source, 1))
        assert contents(destination) == taken + kept, error()
