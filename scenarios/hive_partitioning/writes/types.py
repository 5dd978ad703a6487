"""Types of partition keys: every supported one with its extremes, the values they may have, and the rest."""

import re

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.recording import literal
from helpers.scenario.marks import deviates
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_Writes_DataTypesUnsupported,
    RQ_HivePartitioning_Writes_NullableDataType,
    RQ_HivePartitioning_Writes_SupportedDataTypes,
)
from steps.hive_partitioning.key_types import (
    CHARACTERS,
    NOT_ALONE,
    SUPPORTED,
    UNSUPPORTED,
    WITH_LIMITED_VALUES,
    families,
    family,
    nullable_types,
)
from steps.hive_partitioning.objects import new_lake
from steps.hive_partitioning.writes import (
    ACCEPTED,
    hive_outcome,
    hive_table,
    insert_values,
    insertion,
    is_refused,
    objects,
    outcome,
)

DEVIATIONS = "writes-types"  # the beginning of their ids

NEEDS = (Capability.OBJECT_STORE,)
DYNAMIC = (
    "549: Column with type Variant/Dynamic/JSON is not allowed in key expression. Consider using a "
    "subcolumn with a specific data type instead (for example 'column.Int64' or "
    "'json.some.path.:Int64' if its a JSON path subcolumn) or casting this column to a specific data type"
)
ILLEGAL = "6: Illegal character '{}' in partition id starting with '<folder>/<table>/k=a'"
ONLY = "36: Hive partitioning supports only partition columns of types"


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_SupportedDataTypes("1.0"))
def every_supported_type(self):
    """A key of each type, with the least, the greatest and common values, names a directory and is
    returned as it was."""
    lake = new_lake()
    violations = {}
    for kind, values in SUPPORTED.items():
        with When(f"I write keys of the type {kind}"):
            table = hive_table(lake, columns=f"k {kind}, x UInt8", partition_by="k")
            rows = [(value, number) for number, value in enumerate(values)]
            insert_values(table, ", ".join(f"({literal(text)}, {x})" for text, x in rows))
            held = objects(lake, table.name)
            returned = sorted(lake.node.query(f"SELECT toString(k), x FROM {table}"))
            if held != {f"k={text}": [b"%d\n" % x] for text, x in rows}:
                violations[f"{kind}, directories"] = str(held)
            if returned != sorted(rows):
                violations[f"{kind}, rows"] = str(returned)

    with Then("each value has a directory of its own and is returned"):
        assert_no_violations(violations)

    with And("these were all types that the requirement names"):
        covers(
            "signed integers | `Int8`",
            "unsigned integers | `UInt8`",
            "text | `String`",
            "dates and times |",
            "truth values | `Bool`",
        )
        text = RQ_HivePartitioning_Writes_SupportedDataTypes.description
        lines = [line for line in text.splitlines() if line.startswith("|")]
        named = re.findall(r"`(\w+)", "".join(lines))
        assert {family(kind) for kind in SUPPORTED} == {*named, "DateTime32"}, error()
        assert len(named) == 21, error()


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_SupportedDataTypes("1.0"))
@deviates(
    step="each is written",
    observed={
        "1023 characters": re.compile(
            r"36: Incorrect key length \(not empty, max 1023 characters\), got: 1\d{3}"
        ),
        "a tab": ILLEGAL.format(r"\x09"),
        "a line break": ILLEGAL.format(r"\x0a"),
        "a zero byte": ILLEGAL.format(r"\x00"),
    },
    reason="the limit of the store is for the whole key, path and name of the object included; control "
    "characters are refused like those that are not allowed",
    kind="requirement",
    severity="wrong refusal or acceptance",
)
def values_of_texts(self):
    """A text of fewer than 1024 characters, none of them among nine, is a partition's value."""
    with Given(
        "a table that is written with every printable character that is allowed, and 900 of one"
    ):
        lake = new_lake()
        table = hive_table(lake, columns="k String, x UInt8", partition_by="k")
        insert_values(table, f"({literal(CHARACTERS)}, 1), ('{'x' * 900}', 2)")
        expected = {f"k={CHARACTERS}": [b"1\n"], f"k={'x' * 900}": [b"2\n"]}
        assert objects(lake, table.name) == expected, error()
        rows = sorted(lake.node.query(f"SELECT k, x FROM {table}"))
        assert rows == [(CHARACTERS, 1), ("x" * 900, 2)], error()

    with When("I write other texts within the limits"):
        observed = {
            cell: outcome(lake, insertion(table, f"({value}, 3)"))
            for cell, value in WITH_LIMITED_VALUES.items()
        }

    with Then("each is written"):
        covers("is shorter than 1024 characters", "is free of `{`")
        assert_no_violations(
            {cell: answer for cell, answer in observed.items() if answer != ACCEPTED}
        )


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_NullableDataType("1.0"))
def nullable_keys_are_refused(self):
    """No nullable column names directories, whatever its type, alone or beside others."""
    with Given("a table whose nullable column is not in the clause, and is written"):
        lake = new_lake()
        table = hive_table(lake, columns="k UInt8, n Nullable(UInt8)", partition_by="k")
        insert_values(table, "(1, NULL)")
        assert objects(lake, table.name) == {"k=1": [b"\\N\n"]}, error()

    with When("I put nullable columns into the clause"):
        observed = {
            f"{clause}, {kind}": hive_outcome(
                lake, columns=f"k {kind}, other UInt8, x UInt8", partition_by=clause
            )
            for kind in nullable_types()
            for clause in ("k", "(other, k)")
        }

    with Then("each is refused, and the error names the types that are supported"):
        assert len(observed) > 2 * len(SUPPORTED), error()
        assert_no_violations(
            {cell: answer for cell, answer in observed.items() if not is_refused(answer, ONLY)}
        )


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_DataTypesUnsupported("1.0"))
@deviates(
    step="each is refused, and the error names the types that are supported",
    observed={
        **dict.fromkeys(("Dynamic", "Geometry", "JSON", "Variant(UInt8, String)"), DYNAMIC),
        "AggregateFunction(sum, UInt64)": "549: Column `k` with type AggregateFunction(sum, UInt64) "
        "is not allowed in key expression, it's not comparable",
        "Nothing": "370: Data type Nothing of column 'k' cannot be used in tables",
        "QBit(BFloat16, 8)": "549: Column `k` with type QBit(BFloat16, 8) "
        "is not allowed in key expression, it's not comparable",
        "SimpleAggregateFunction(anyLast, String)": "accepted",
        "SimpleAggregateFunction(max, UInt64)": "accepted",
    },
    reason="some types are refused as keys of any kind, before the strategy is looked at; a "
    "SimpleAggregateFunction is judged by the type of its values",
    kind="requirement",
    severity="wrong refusal or acceptance",
)
def other_types_are_refused(self):
    """A column of any other type names no directories."""
    with Given("a table that is accepted with a supported type"):
        lake = new_lake()
        supported = hive_outcome(lake, columns="k UInt8, x UInt8", partition_by="k")
        assert supported == ACCEPTED, error()

    with When("I create it with every type of the server that is not"):
        known = families(lake.node)
        observed = {
            kind: hive_outcome(lake, columns=f"k {kind}, x UInt8", partition_by="k")
            for kind in UNSUPPORTED
            if family(kind) in known
        }
        tried = {family(kind) for kind in (*SUPPORTED, *UNSUPPORTED)}
        assert known - tried - set(NOT_ALONE) == set(), error()

    with Then("nothing is in the store"):
        assert lake.paths() == [], error()

    with And("each is refused, and the error names the types that are supported"):
        assert_no_violations(
            {kind: answer for kind, answer in observed.items() if not is_refused(answer, ONLY)}
        )
