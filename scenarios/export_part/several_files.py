"""One part as several files: one commit file decides, whatever is killed before or after it."""

from testflows.asserts import error
from testflows.core import (
    And,
    Examples,
    Given,
    Requirements,
    Scenario,
    TestOutline,
    TestScenario,
    Then,
    When,
)

from helpers.cluster.capabilities import Capability
from helpers.faults.s3_proxy import RequestKind
from helpers.scenario.context import this
from helpers.scenario.obligations import covers
from requirements.srs015_export_part import (
    RQ_ClickHouse_ExportPart_FailureHandling,
    RQ_ClickHouse_ExportPart_SeveralFiles,
)
from scenarios.export_part._marks import exports
from steps.export_part.exports import (
    export_to_place,
    new_lake,
    part_of,
    s3_table,
    violations_of,
)
from steps.export_part.kills import ROWS, Account, Moment, account, kill_driver_at, large_source
from steps.export_part.several import commit_of, rows_in_each_file

MOST = 50_000
EACH = [50_000, 50_000, 20_000]
COMMIT = "_commit_"
ALL_OF_THEM = Account(ROWS, ROWS)
# What the driver waits for when it is killed: before the decision nothing is visible, after it the next
# export completes the files.
UNDECIDED = {  # 2 variants
    "upload": Moment(RequestKind.UPLOAD_PART),
    "commit": Moment(RequestKind.PUT, COMMIT),
}
DECIDED = {  # 3 variants
    "answer to the commit": Moment(RequestKind.PUT, COMMIT, processed=True, again="skipped"),
    "first completion": Moment(RequestKind.COMPLETE_UPLOAD, ".1.parquet", again="skipped"),
    "last completion": Moment(
        RequestKind.COMPLETE_UPLOAD, ".3.parquet", seen=100_000, again="skipped"
    ),
}
KINDS = [("before the decision", UNDECIDED), ("after the decision", DECIDED)]  # 2 variants


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_SeveralFiles("1.0"))
@exports()
def as_many_as_needed(self):
    """A part arrives in files of at most so many rows or bytes, once; an overwrite replaces all of them."""
    with Given("a large part"):
        lake = new_lake()
        source, destination = large_source(lake), s3_table(lake)
        part, path = part_of(source), destination.name

    with When("I export it with a limit of rows"):
        outcome = export_to_place(lake, source, part, path, rows_per_file=MOST)

    with Then("no file has more, and every row is there once"):
        covers("no file has more rows than allowed", "one commit file names all files")
        assert rows_in_each_file(lake, path) == EACH, error()
        assert account(source, destination, outcome.rows) == ALL_OF_THEM, error()
        assert [file["rows"] for file in commit_of(lake, path)["files"]] == EACH, error()
        assert violations_of(lake, destination) == [], error()

    with When("I export it again, also without a limit"):
        before = lake.versions()
        again = [
            export_to_place(lake, source, part, path, rows_per_file=most) for most in (MOST, 0, 500)
        ]

    with Then("nothing is added"):
        covers("repeating the export adds no file")
        assert [outcome.status for outcome in again] == ["skipped"] * 3, error()
        assert lake.versions() == before, error()

    with When("I overwrite it with a limit of bytes"):
        most = 2_000_000
        outcome = export_to_place(
            lake, source, part, path, if_exists="overwrite", bytes_per_file=most
        )

    with Then("the files are others, none is larger, and every row is there once"):
        assert outcome.error == "", error()
        sizes = [file["size"] for file in commit_of(lake, path)["files"]]
        assert len(sizes) == len(lake.keys(path=path)) > len(EACH), error()
        assert max(sizes) <= most, error()
        assert account(source, destination, outcome.rows) == ALL_OF_THEM, error()
        assert violations_of(lake, destination) == lake.leftovers() == [], error()


@TestOutline(Scenario)
@Requirements(
    RQ_ClickHouse_ExportPart_SeveralFiles("1.0"),
    RQ_ClickHouse_ExportPart_FailureHandling("1.0"),
)
@exports(Capability.PROCESS_CONTROL, seconds=600)
@Examples("kind moments", KINDS)
def killed_driver(self, kind, moments):
    """The driver is killed: before the commit file a reader sees nothing, after it the next export
    completes the files without reading the part, and every row is there once."""
    with Given("a large part"):
        lake = new_lake()
        source = large_source(lake)

    for name, moment in this().sample(moments).items():
        destination = s3_table(lake)
        with When(f"a driver waits for the {name} and is killed"):
            limit = ("--max-rows-per-file", str(MOST))
            kill_driver_at(moment, lake, source, destination.name, *limit)

        with Then("a reader sees what was completed"):
            (seen,) = source.node.column(f"SELECT count() FROM {destination}")
            assert seen == moment.seen, error()

        with And("the next export leaves every row there once"):
            covers("an export that is killed between the commit file and the last file")
            outcome = export_to_place(
                lake, source, part_of(source), destination.name, rows_per_file=MOST
            )
            assert outcome.status == moment.again, error(outcome.error)
            assert account(source, destination, ROWS) == ALL_OF_THEM, error()
            assert rows_in_each_file(lake, destination.name) == EACH, error()
            assert violations_of(lake, destination) == lake.leftovers() == [], error()
