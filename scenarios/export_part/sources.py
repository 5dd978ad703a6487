"""What is exported: parts of every engine of the family, of every kind, with what changes their rows."""

from testflows.asserts import error
from testflows.core import Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import deviates, equivalent
from helpers.scenario.violations import assert_no_violations
from requirements.srs015_export_part import (
    RQ_ClickHouse_ExportPart_PartitionKeyTypes,
    RQ_ClickHouse_ExportPart_PartTypes,
    RQ_ClickHouse_ExportPart_SourceEngines,
)
from scenarios.export_part._marks import exports
from steps.engines import CONFIGURATION, FAMILY, FAMILY_COLUMNS
from steps.export_part.exports import (
    Lake,
    export,
    export_to_place,
    filled_source,
    new_lake,
    part_of,
    place_refusal,
    refusal,
    rows_of,
    s3_table,
    source_table,
    statement,
)
from steps.tables import Table, contents, create_table, fill

STORED = FAMILY_COLUMNS.replace(" DEFAULT 1", "")
WIDE = {"min_bytes_for_wide_part": 0}
# A server refuses such keys by itself unless it is told otherwise.
FLOATS = {"allow_floating_point_partition_key": 1}
COMPACT = {"min_bytes_for_wide_part": 10**9}
# By which a part can be patched by a lightweight update.
PATCHED = {"enable_block_number_column": 1, "enable_block_offset_column": 1}
# Of each row of the requirement's table: the type of the column c and the key, a value of c, and the folder.
EXPORTED = {  # 15 variants
    "UInt8": ("UInt8", "c", "200", "c=200"),
    "UInt64": ("UInt64", "c", "18446744073709551615", "c=18446744073709551615"),
    "Int8": ("Int8", "c", "-5", "c=-5"),
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
            assert_no_violations(wrong)

    for name, (kind, key, value) in REFUSED.items():
        with When(f"I export a part whose key is {name}"):
            source, part = partitioned_by(lake, kind, key, value)
            text = place_refusal(lake, source, part, name)

        with Then("it is refused for its key, and nothing is written"):
            if not text.startswith("BAD_ARGUMENTS: The partition key"):
                wrong[name] = text
            assert_no_violations(wrong)
            assert lake.keys("", path=f"{name}/") == [], error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_PartTypes("1.0"))
@exports()
def what_a_reader_of_the_part_sees(self):
    """Wide and compact parts, deleted rows, mutations that are pending or done, patches, and renamed
    columns."""
    lake = new_lake()
    for name, settings, change in (
        ("wide", WIDE, ""),
        ("compact", COMPACT, ""),
        ("lightweight delete", WIDE, "DELETE FROM {} WHERE i <= {middle}"),
        ("mutated", WIDE, "ALTER TABLE {} UPDATE owner = 'changed' WHERE i % 2 = 0"),
        ("patched", PATCHED, "UPDATE {} SET owner = 'patched' WHERE i <= {middle}"),
    ):
        with Given(f"a part: {name}"):
            source = source_table(lake, settings={**settings, "index_granularity": 8192})
            fill(source, [1], parts=1, rows=40)
            before = contents(source)
            if change:
                # The first row of a part is the one that tells the value of its key.
                changed = change.format(source, middle=before[20][1])
                source.node.query(changed, settings={"mutations_sync": 1})
                assert contents(source) != before, error()
                made = source.node.value(
                    f"SELECT count() FROM system.parts WHERE database = '{source.database}' "
                    f"AND table = '{source.name}' AND active AND startsWith(name, 'patch-')"
                )
                assert made == (settings is PATCHED), error()
            destination = s3_table(lake)

        with When("I export it"):
            part = part_of(source)
            export(lake, statement(source, part, destination))

        with Then("the destination has the rows that a reader of the part sees"):
            expected = rows_of(source, part)
            assert expected and contents(destination) == expected, error()

    for name, command, left in (
        ("update", "UPDATE owner = 'pending' WHERE i > {middle}", None),
        ("delete", "DELETE WHERE i <= {middle}", []),
    ):
        with Given(f"a part with a mutation that is pending: {name}"):
            source, destination = filled_source(lake, (1,)), s3_table(lake)
            source.node.query(f"SYSTEM STOP MERGES {source}")
            part = part_of(source)
            before = rows_of(source, part)
            middle = len(before) // 2
            source.node.query(
                f"ALTER TABLE {source} {command.format(middle=before[middle - 1][1])}",
                settings={"mutations_sync": 0},
            )
            assert rows_of(source, part) == before != [], error()

        with When("I export it"):
            export(lake, statement(source, part, destination))

        with Then("the mutation is applied to what was exported"):
            kept = before[:middle] if left is None else left
            after = [
                (p, i, "pending" if left is None else owner) for p, i, owner in before[middle:]
            ]
            assert contents(destination) == kept + after, error()
            assert rows_of(source, part) == before, error()

    with Given("a part that has a column under its former name"):
        source = filled_source(lake, (1,))
        before = contents(source)
        source.node.query(f"SYSTEM STOP MERGES {source}")
        rename = f"ALTER TABLE {source} RENAME COLUMN owner TO holder"
        source.node.query(rename, settings={"alter_sync": 0})
        destination = s3_table(lake, columns="p UInt64, i UInt64, holder String")

    with When("I export it"):
        export(lake, statement(source, part_of(source), destination))

    with Then("the column has its name of now"):
        holders = lake.node.query(f"SELECT p, i, holder FROM {destination} ORDER BY ALL")
        assert holders == before != [], error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_PartTypes("1.0"))
@exports()
@deviates(
    step="it is exported",
    observed={"outdated part": "NO_SUCH_DATA_PART"},
    reason="the exporter reads parts by SELECT, which sees active ones only; the builds with the "
    "statement refuse outdated parts as well",
    no_sql="upstream servers cannot export a part; the exporter refuses it",
)
@equivalent(
    mutant="change-value",
    statement="SELECT (SELECT groupArray(mutation_id)",
    reason="it decides about the rows of a part that is exported, and this one is refused",
)
def outdated_parts(self):
    """A part that was superseded and is still there is exported, for backups."""
    with Given("a part that a merge superseded"):
        lake = new_lake()
        source, destination = (
            filled_source(lake, (1,), settings={"old_parts_lifetime": 3600}),
            s3_table(lake),
        )
        part = part_of(source)
        source.node.query(f"OPTIMIZE TABLE {source} FINAL")
        states = source.node.query(
            f"SELECT active FROM system.parts WHERE database = '{source.database}' "
            f"AND table = '{source.name}' AND name = '{part}'"
        )
        assert states == [(0,)], error()

    with When("I export it"):
        text = refusal(lake, statement(source, part, destination))

    with Then("it is exported"):
        assert_no_violations(
            {"outdated part": text.partition(":")[0]} if text != "accepted" else {}
        )
