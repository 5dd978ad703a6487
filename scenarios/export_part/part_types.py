"""What a reader of a part sees is exported: wide and compact parts, and what changes their rows."""

from testflows.asserts import error
from testflows.core import (
    Examples,
    Given,
    Requirements,
    Scenario,
    TestOutline,
    TestScenario,
    Then,
    When,
)

from helpers.scenario.marks import deviates, equivalent, leaves_out
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs015_export_part import RQ_ClickHouse_ExportPart_PartTypes
from scenarios.export_part._marks import exports
from steps.export_part.exports import (
    export,
    filled_source,
    new_lake,
    part_of,
    refusal,
    rows_of,
    s3_table,
    source_table,
    statement,
)
from steps.tables import contents, fill

WIDE = {"min_bytes_for_wide_part": 0}
COMPACT = {"min_bytes_for_wide_part": 10**9}
# With these settings a part can be patched by a lightweight update.
PATCHED = {"enable_block_number_column": 1, "enable_block_offset_column": 1}
# Parts by their type, the table's settings, and what changes their rows before the export.
PARTS = {  # 5 variants
    "wide": ("Wide", WIDE, ""),
    "compact": ("Compact", COMPACT, ""),
    "lightweight delete": ("Wide", WIDE, "DELETE FROM {} WHERE i <= {middle}"),
    "mutated": ("Wide", WIDE, "ALTER TABLE {} UPDATE owner = 'changed' WHERE i % 2 = 0"),
    "patched": ("Compact", PATCHED, "UPDATE {} SET owner = 'patched' WHERE i <= {middle}"),
}
# Which rows of the requirement's tables each of them stands for.
COVERED = {
    "wide": ("wide | a file and marks",),
    "compact": ("compact | one file",),
    "lightweight delete": ("`_row_exists` |",),
    "mutated": ("mutation commands |",),
    "patched": ("patch | made by", "patch parts | lightweight"),
}
PENDING = {  # 2 variants
    "update": "UPDATE owner = 'pending' WHERE i > {middle}",
    "delete": "DELETE WHERE i <= {middle}",
}


@TestOutline(Scenario)
@Requirements(RQ_ClickHouse_ExportPart_PartTypes("1.0"))
@exports()
@Examples("part", [(part,) for part in PARTS])
@leaves_out(
    "`_block_number` |",
    "`_block_offset` |",
    "`_part_data_version` |",
    "virtual columns | such as",
    "versions of mutations |",
    reason="a file has the destination's columns only; nothing checks that more is taken along",
)
@leaves_out(
    "TTL | settings",
    "indices | primary key",
    "statistics | statistics",
    reason="a Parquet file holds none; the source leaves open what is preserved",
)
@leaves_out(
    "system metadata |",
    reason="Parquet has its own compression and encodings; the part's checksum is in the file's name",
)
def as_it_is_read(self, part):
    """A wide or compact part is exported as it is read: without deleted rows, mutated, patched."""
    kind, settings, change = PARTS[part]
    with Given(f"a part: {part}"):
        lake = new_lake()
        source = source_table(lake, settings={**settings, "index_granularity": 8192})
        fill(source, [1], parts=1, rows=40)
        before = contents(source)
        found = source.node.query(
            f"SELECT part_type FROM system.parts WHERE database = '{source.database}' "
            f"AND table = '{source.name}' AND active"
        )
        assert found == [(kind,)], error()
        destination = s3_table(lake)

    if change:
        with Given(
            "a change of some rows, but not of the one that tells the value of the part's key"
        ):
            source.node.query(
                change.format(source, middle=before[20][1]), settings={"mutations_sync": 1}
            )
            assert contents(source) != before, error()
            patches = source.node.value(
                f"SELECT count() FROM system.parts WHERE database = '{source.database}' "
                f"AND table = '{source.name}' AND active AND startsWith(name, 'patch-')"
            )
            assert patches == (settings is PATCHED), error()

    with When("I export it"):
        name = part_of(source)
        export(lake, statement(source, name, destination))

    with Then("the destination has the rows that a reader of the part sees"):
        covers("active | in use by the table", "physical columns | the columns of the table")
        covers(*COVERED[part])
        expected = rows_of(source, name)
        assert expected and contents(destination) == expected, error()


@TestOutline(Scenario)
@Requirements(RQ_ClickHouse_ExportPart_PartTypes("1.0"))
@exports()
@Examples("kind", [(kind,) for kind in PENDING])
def pending_mutation(self, kind):
    """A mutation that is pending is applied to what is exported, and the part itself stays as it is."""
    with Given("a part with a mutation that is pending"):
        lake = new_lake()
        source, destination = filled_source(lake, (1,)), s3_table(lake)
        source.node.query(f"SYSTEM STOP MERGES {source}")
        part = part_of(source)
        before = rows_of(source, part)
        half = len(before) // 2
        source.node.query(
            f"ALTER TABLE {source} {PENDING[kind].format(middle=before[half - 1][1])}",
            settings={"mutations_sync": 0},
        )
        assert rows_of(source, part) == before != [], error()

    with When("I export it"):
        export(lake, statement(source, part, destination))

    with Then("the mutation is applied to what was exported"):
        covers("mutation commands |")
        if kind == "update":
            expected = before[:half] + [(p, i, "pending") for p, i, _ in before[half:]]
        else:
            expected = before[half:]
        assert contents(destination) == expected, error()

    with Then("the part is what it was"):
        assert rows_of(source, part) == before, error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_PartTypes("1.0"))
@exports()
@leaves_out("mutation commands |", reason="`MATERIALIZE INDEX` and `DROP COLUMN` are not checked")
@leaves_out(
    "conversions by `ALTER` |",
    "changes of the schema | `ALTER`",
    reason="of these only a renamed column is checked",
)
def renamed_column(self):
    """A part that still has a column under its former name is exported with the present name."""
    with Given("a part written before a column was renamed"):
        lake = new_lake()
        source = filled_source(lake, (1,))
        before = contents(source)
        source.node.query(f"SYSTEM STOP MERGES {source}")
        rename = f"ALTER TABLE {source} RENAME COLUMN owner TO holder"
        source.node.query(rename, settings={"alter_sync": 0})
        destination = s3_table(lake, columns="p UInt64, i UInt64, holder String")

    with When("I export it"):
        export(lake, statement(source, part_of(source), destination))

    with Then("the column has its present name"):
        covers("conversions by `ALTER` |", "changes of the schema | `ALTER`")
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
    kind="exporter",
    severity="wrong refusal or acceptance",
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

    with Then("the part that the merge wrote is exported"):
        covers("regular | made by")
        assert export(lake, statement(source, part_of(source), destination)).error == "", error()
        assert contents(destination) == contents(source) != [], error()

    with Then("it is exported"):
        covers("outdated | superseded")
        assert_no_violations(
            {"outdated part": text.partition(":")[0]} if text != "accepted" else {}
        )
