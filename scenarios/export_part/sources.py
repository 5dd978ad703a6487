"""Parts of every engine of the family, and of every partition key that names folders, are exported."""

from testflows.asserts import error
from testflows.core import Given, Requirements, TestScenario, Then, When

from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs015_export_part import (
    RQ_ClickHouse_ExportPart_PartitionKeyTypes,
    RQ_ClickHouse_ExportPart_SourceEngines,
)
from scenarios.export_part._marks import exports
from steps.engines import CONFIGURATION, FAMILY, FAMILY_COLUMNS
from steps.export_part.exports import (
    Lake,
    export,
    export_to_place,
    new_lake,
    part_of,
    place_refusal,
    s3_table,
    source_table,
    statement,
)
from steps.tables import Table, contents, create_table

STORED = FAMILY_COLUMNS.replace(" DEFAULT 1", "")
# A server refuses such keys by itself unless it is told otherwise.
FLOATS = {"allow_floating_point_partition_key": 1}
# Of each row of the requirement's table: the type of the column c and the key, a value of c, and the folder.
EXPORTED = {  # 21 variants
    "UInt8": ("UInt8", "c", "200", "c=200"),
    "UInt16": ("UInt16", "c", "65535", "c=65535"),
    "UInt32": ("UInt32", "c", "4294967295", "c=4294967295"),
    "UInt64": ("UInt64", "c", "18446744073709551615", "c=18446744073709551615"),
    "Int8": ("Int8", "c", "-5", "c=-5"),
    "Int16": ("Int16", "c", "-32768", "c=-32768"),
    "Int32": ("Int32", "c", "-2147483648", "c=-2147483648"),
    "Int64": ("Int64", "c", "-9223372036854775808", "c=-9223372036854775808"),
    "Date": ("Date", "c", "'2026-01-02'", "c=2026-01-02"),
    "DateTime": ("DateTime('UTC')", "c", "'2026-01-02 03:04:05'", "c=2026-01-02 03%3A04%3A05"),
    "DateTime64": (
        "DateTime64(3, 'UTC')",
        "c",
        "'2026-01-02 03:04:05.678'",
        "c=2026-01-02 03%3A04%3A05.678",
    ),
    "String": ("String", "c", "'a b'", "c=a b"),
    "FixedString": ("FixedString(3)", "c", "'abc'", "c=abc"),
    "toYYYYMM": ("Date", "toYYYYMM(c)", "'2026-01-02'", "toYYYYMM(c)=202601"),
    "toMonday": ("Date", "toMonday(c)", "'2026-01-07'", "toMonday(c)=2026-01-05"),
    "toYear": ("Date", "toYear(c)", "'2026-01-02'", "toYear(c)=2026"),
    "sum": ("UInt8", "i + c", "7", "i + c=8"),
    "arithmetic": ("UInt8", "c * 1000", "7", "c %2A 1000=7000"),
    "substring": ("String", "substring(c, 1, 2)", "'abc'", "substring(c, 1, 2)=ab"),
    "tuple": ("Date", "(toYear(c), c)", "'2026-01-02'", "toYear(c)=2026/c=2026-01-02"),
    "none": ("UInt8", "", "1", ""),
}
REFUSED = {  # 7 variants
    "UUID": ("UUID", "c", "'00000000-0000-0000-0000-000000000001'"),
    "Enum8": ("Enum8('a' = 1)", "c", "'a'"),
    "Enum16": ("Enum16('a' = 1)", "c", "'a'"),
    "Float32": ("Float32", "c", "1.5"),
    "Float64": ("Float64", "c", "1.5"),
    "intHash32": ("UInt8", "intHash32(c)", "1"),
    "cityHash64": ("UInt8", "cityHash64(c)", "1"),
}


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_SourceEngines("1.0"))
@exports()
def engines_of_the_family(self):
    """A part of every engine of the MergeTree family is exported with all its rows."""
    with Given("a node that knows how to roll up Graphite's metrics"):
        lake = new_lake("family", config={"family": CONFIGURATION})

    wrong = {}
    for engine in FAMILY:
        with Given(f"a table of the engine {engine} and an S3 table"):
            source = source_table(lake, columns=FAMILY_COLUMNS, engine=engine)
            source.node.query(
                f"INSERT INTO {source} (p, i, owner) VALUES", data=[(1, 1, "a"), (1, 2, "b")]
            )
            expected = contents(source)
            assert expected, error()
            destination = s3_table(lake, columns=STORED)

        with When("I export its part"):
            outcome = export(lake, statement(source, part_of(source), destination))

        with Then("its rows arrive"):
            if outcome.error or contents(destination) != expected:
                wrong[engine] = outcome.error or "other rows arrived"

    with Then("every engine's rows arrived"):
        covers(
            "`MergeTree` | nothing",
            "`SummingMergeTree`",
            "`AggregatingMergeTree`",
            "`CollapsingMergeTree`",
            "`VersionedCollapsingMergeTree`",
            "`GraphiteMergeTree`",
            "every other engine derived from `MergeTreeData`",
        )
        assert_no_violations(wrong)


def partitioned_by(lake: Lake, kind: str, key: str, value: str) -> tuple[Table, str]:
    """A table whose key is made of a column of this type, and its part, which has this value."""
    source = create_table(
        "source",
        node=lake.node,
        columns=f"i UInt8, c {kind}",
        partition_by=key,
        settings=FLOATS if kind.startswith("Float") else {},
    )
    source.node.query(f"INSERT INTO {source} VALUES (1, {value})")
    ((table, part),) = source.node.query(
        f"SELECT table, name FROM system.parts WHERE database = '{source.database}' "
        f"AND table = '{source.name}' AND active"
    )
    assert table == source.name, error()
    return source, part


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_PartitionKeyTypes("1.0"))
@exports()
def keys_that_suit_and_do_not(self):
    """Keys of integers, dates, times and strings name folders; all others are refused."""
    lake = new_lake()
    wrong = {}
    for name, (kind, key, value, folder) in EXPORTED.items():
        with When(f"I export a part whose key is {name}"):
            source, part = partitioned_by(lake, kind, key, value)
            outcome = export_to_place(lake, source, part, name)

        with Then("the file lies in the folder of its value"):
            end = f"{folder}/" if folder else ""
            keys = [path.rpartition("/")[0] for path in lake.keys(path=f"{name}/")]
            if outcome.error or keys != [f"{name}/{end}".rstrip("/")]:
                wrong[name] = outcome.error or f"the file is in {keys}"

    for name, (kind, key, value) in REFUSED.items():
        with When(f"I export a part whose key is {name}"):
            source, part = partitioned_by(lake, kind, key, value)
            text = place_refusal(lake, source, part, name)

        with Then("it is refused for its key, and nothing is written"):
            written = lake.keys("", path=f"{name}/")
            if written or not text.startswith("BAD_ARGUMENTS: The partition key"):
                wrong[name] = f"{text} {written}"

    with Then("every key was taken or refused as the requirement says"):
        covers(
            "integer | yes",
            "date or time | yes",
            "string | yes | `String`",
            "function of a date",
            "arithmetic | yes",
            "function of a string",
            "tuple | yes",
            "none | yes",
            "UUID | no",
            "enumeration | no",
            "floating point | no",
            "hash function | no",
        )
        assert_no_violations(wrong)
