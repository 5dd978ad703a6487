"""ALTERs before, during and after an export: the lake has the rows of the beginning, or none."""

from testflows.asserts import error
from testflows.core import Given, Requirements, TestScenario, Then, When

from helpers.faults.s3_proxy import RequestKind
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs015_export_part import RQ_ClickHouse_ExportPart_ChangesOfTheSource
from scenarios.export_part._marks import exports
from steps.export_part.alters import (
    ALTERS,
    PARTITION,
    alter,
    altered_tables,
    columns_of,
    new_path,
    rows_of_place,
    rows_of_table,
)
from steps.export_part.exports import (
    export_parts_to_place,
    new_lake,
    part_of,
    waiting_export,
)

FRAGMENTS = ("disks",)
# During an export these change nothing that decides about the rows, so the export ends with success.
HARMLESS = {  # 9 variants
    "comment column",
    "add constraint",
    "drop constraint",
    "add index",
    "modify setting",
    "attach partition from",
    "move partition to disk",
    "freeze partition",
    "remove ttl",
}


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_ChangesOfTheSource("1.0"))
@exports()
def before(self):
    """What is exported after an ALTER is what the table has then."""
    lake, wrong = new_lake("alters", fragments=FRAGMENTS), {}
    for name, change in ALTERS.items():
        with Given(f"a table after {name}"):
            source, other = altered_tables(lake)
            alter(source, other, change)
            columns, path = columns_of(source), new_path()
            expected = rows_of_table(source, columns)
            assert expected, error()

        with When("I export all of it"):
            outcomes = export_parts_to_place(lake, source, path)

        with Then("the rows are those of the table"):
            failed = [outcome.error for outcome in outcomes if outcome.error]
            if failed or rows_of_place(lake, path, columns) != expected:
                wrong[name] = f"other rows arrived {failed}"

    with Then("each was exported as it was"):
        covers("an ALTER before the export")
        assert_no_violations(wrong)


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_ChangesOfTheSource("1.0"))
@exports()
def during(self):
    """An ALTER after the plan and before the rows are read: the export fails with its reason and leaves
    nothing, or it has the rows of the beginning."""
    lake, wrong, succeeded = new_lake("alters", fragments=FRAGMENTS), {}, set()
    for name, change in ALTERS.items():
        with Given("a table and the rows of its part"):
            source, other = altered_tables(lake)
            columns, path = columns_of(source), new_path()
            part, expected = part_of(source, PARTITION), rows_of_table(source, columns, PARTITION)
            assert expected, error()

        with When(f"I do {name} while its part is exported"):
            with waiting_export(lake, source, part, path, RequestKind.CREATE_UPLOAD) as running:
                alter(source, other, change)
            (outcome,) = running.result(0)

        with Then("it fails and leaves nothing, or has the rows of the beginning"):
            arrived = rows_of_place(lake, path, columns)
            if outcome.error and (arrived or lake.keys("", path=f"{path}/")):
                wrong[name] = f"failed, and left {lake.keys('', path=f'{path}/')}"
            elif not outcome.error and arrived != expected:
                wrong[name] = f"other rows arrived: {arrived}"
            if not outcome.error:
                succeeded.add(name)

    with Then("no other rows arrived, and harmless ALTERs disturb no export"):
        covers("an ALTER during the export")
        assert_no_violations(wrong)
        assert succeeded == HARMLESS, error()
        assert lake.leftovers() == [], error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_ChangesOfTheSource("1.0"))
@exports()
def after(self):
    """What is in the lake is not changed by an ALTER of the source."""
    lake, wrong = new_lake("alters", fragments=FRAGMENTS), {}
    for name, change in ALTERS.items():
        with Given("an exported table"):
            source, other = altered_tables(lake)
            columns, path = columns_of(source), new_path()
            expected = rows_of_table(source, columns)
            outcomes = export_parts_to_place(lake, source, path)
            assert [outcome.error for outcome in outcomes] == ["", ""], error()
            assert rows_of_place(lake, path, columns) == expected != [], error()
            files = lake.keys("", path=f"{path}/")

        with When(f"I do {name}"):
            alter(source, other, change)

        with Then("the files and their rows are the same"):
            if lake.keys("", path=f"{path}/") != files:
                wrong[name] = "other files"
            elif rows_of_place(lake, path, columns) != expected:
                wrong[name] = "other rows"

    with Then("no ALTER changed what had been exported"):
        covers("an ALTER after the export")
        assert_no_violations(wrong)
