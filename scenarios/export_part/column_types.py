"""Every type that a column of a MergeTree table can have: what each reader gets, or the refusal."""

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

from helpers.cluster.client.failures import QueryFailed
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs015_export_part import RQ_ClickHouse_ExportPart_ColumnTypes
from scenarios.export_part._marks import exports
from steps.export_part.exports import export_to_place, new_lake, place_refusal
from steps.export_part.readers import values_read
from steps.export_part.typed_values import FAMILIES, REFUSED, part_of_type


@TestOutline(Scenario)
@Requirements(RQ_ClickHouse_ExportPart_ColumnTypes("1.0"))
@exports()
@Examples("family", [(family,) for family in FAMILIES])
def values_are_read(self, family):
    """Each reader gets the values as documented: exactly, as other values, or not at all."""
    from pipelines.export.readers import CHANGED, EXACT, readings

    lake = new_lake()
    wrong = {}
    for number, (kind, (values, expected)) in enumerate(FAMILIES[family].items()):
        with When(f"I export a part with a column of the type {kind}"):
            source, part, texts = part_of_type(lake, kind, values)
            outcome = export_to_place(lake, source, part, f"type{number}")
            assert outcome.error == "", error()
            (key,) = lake.keys(path=f"type{number}/")

        with Then("readers get its values, or what is documented instead"):
            found = values_read(lake, key, kind)
            if found.pop("declared") != texts:
                wrong[f"{kind}, declared"] = f"{found} instead of {texts}"
            for reader, actual in found.items():
                status = readings(kind)[reader].status
                is_time = kind.startswith("DateTime")  # read as the same instant in UTC
                same = texts if reader == "ClickHouse" and not is_time else expected
                if reader == "ClickHouse" and is_time:
                    actual = [text.removesuffix(".000") for text in actual]
                got = (
                    EXACT if actual == same else CHANGED if isinstance(actual, list) else "refused"
                )
                if got != status:
                    wrong[f"{kind}, {reader}"] = f"{got} and not {status}: {actual} for {same}"

    with Then("all readers agree with the documentation"):
        covers(
            "the smallest and the largest value", "for readers that take the types from the file"
        )
        assert_no_violations(wrong)


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_ColumnTypes("1.0"))
@exports()
def types_without_parquet(self):
    """A column of a type that Parquet cannot hold is refused by its name, and nothing is written."""
    with Given("a lake"):
        lake = new_lake()

    wrong = {}
    for kind in REFUSED:
        with When(f"I export a part with a column of the type {kind}"):
            source, part, _ = part_of_type(lake, kind, ["DEFAULT"])
            try:
                text = place_refusal(lake, source, part, "refused")
            except QueryFailed as failed:  # the server knows best what Parquet can hold
                text = failed.message

        with Then("it is refused, and nothing is written"):
            if "not supported for conversion into Parquet" not in text or lake.keys(""):
                wrong[kind] = f"{text} {lake.keys('')}"

    with Then("every one was refused"):
        covers("`BFloat16`, `Time`, `Time64`")
        assert_no_violations(wrong)


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_ColumnTypes("1.0"))
@exports()
def computed_and_nested_columns(self):
    """Nested columns and those with DEFAULT and MATERIALIZED are in the file; ALIAS and EPHEMERAL are not."""
    from steps.export_part.exports import part_of, source_table

    with Given("a table with columns of every kind"):
        lake = new_lake()
        source = source_table(
            lake,
            columns="p UInt8, i UInt8, e UInt8 EPHEMERAL 3, d UInt8 DEFAULT e + 1, "
            "m UInt8 MATERIALIZED i + 2, a UInt8 ALIAS i + 3, n Nested(x UInt8, y String)",
        )
        source.node.query(
            f"INSERT INTO {source} (p, i, e, `n.x`, `n.y`) VALUES (1, 7, 4, [1, 2], ['a', ''])"
        )

    with When("I export its part"):
        outcome = export_to_place(lake, source, part_of(source), "columns")
        assert outcome.error == "", error()

    with Then("the file has what the part holds"):
        (key,) = lake.keys()
        described = lake.node.query(
            f"DESCRIBE s3({lake.s3(key)})", settings={"use_hive_partitioning": 0}
        )
        assert [name for name, *_ in described] == ["i", "d", "m", "n.x", "n.y"], error()
        rows = lake.node.query(f"SELECT i, d, m, `n.x`, `n.y` FROM s3({lake.s3(key)})")
        assert rows == [(7, 5, 9, [1, 2], ["a", ""])], error()
