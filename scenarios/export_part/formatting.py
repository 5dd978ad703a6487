"""Rows are formatted by several threads where it pays, and by one where that is asked for."""

from dataclasses import dataclass

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.obligations import covers
from requirements.srs015_export_part import RQ_ClickHouse_ExportPart_ParallelFormatting
from scenarios.export_part._marks import exports
from steps.export_part.exports import (
    Lake,
    export,
    new_lake,
    part_of,
    s3_table,
    source_table,
    statement,
)
from steps.statement_log import finished_statements
from steps.tables import Table

MANY, FEW = 1_500_000, 100
SETTING = "output_format_parallel_formatting"
TURNS = 3
# Processor time, which other work on the machine changes little.
EVEN = 3.0


@dataclass(frozen=True)
class Effort:
    """What the server spent on reading and formatting a part."""

    threads: int
    jobs: int
    seconds: float


def formatting_efforts(lake: Lake, source: Table, part: str) -> list[Effort]:
    """Threads at a time, jobs handed to other threads and processor time of each export of a part."""
    rows = finished_statements(
        lake.node,
        "peak_threads_usage, ProfileEvents['LocalThreadPoolJobs'], "
        "ProfileEvents['UserTimeMicroseconds'] / 1e6",
        f"query LIKE '%{source.name}%WHERE _part = %{part}%' AND query LIKE '%FORMAT Parquet' "
        f"AND has(databases, '{source.database}') ORDER BY event_time_microseconds",
    )
    return [Effort(*row) for row in rows]


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_ParallelFormatting("1.0"))
@exports()
def threads_by_size_and_setting(self):
    """A large export is formatted in parallel without being told to, a small one with fewer threads, and
    with the setting 0 by one thread; the rows are the same, and so is the effort each time."""
    with Given("a large part and a small one"):
        lake = new_lake()
        source = source_table(lake)
        for partition, rows in (("1", MANY), ("2", FEW)):
            lake.node.query(
                f"INSERT INTO {source} SELECT {partition}, number, toString(intHash64(number)) "
                f"FROM numbers({rows})",
                settings={"max_insert_block_size": MANY, "min_insert_block_size_rows": MANY},
            )
        large, small = part_of(source, "1"), part_of(source, "2")

    with When("I export the large one several times, once with the setting 0, and the small one"):
        alike = []
        given: list[dict[str, int]] = [*[{}] * TURNS, {SETTING: 0}]
        for settings in given:
            outcome = export(lake, statement(source, large, s3_table(lake), **settings))
            alike.append((outcome.error, outcome.rows))
        export(lake, statement(source, small, s3_table(lake)))
        efforts = formatting_efforts(lake, source, large)
        (little,) = formatting_efforts(lake, source, small)
        assert len(efforts) == len(given), error()

    with Then("the large one took several threads without being told to"):
        covers("large exports use parallel formatting")
        *parallel, single = efforts
        assert min(effort.threads for effort in parallel) > 1, error()
        assert min(effort.jobs for effort in parallel) > 1, error()

    with And("with the setting 0 it took one"):
        covers("`output_format_parallel_formatting` switches it")
        assert (single.threads, single.jobs) == (1, 0), error()

    with And("the small one took less than the large one"):
        covers("the effort follows the size")
        assert little.jobs < min(effort.jobs for effort in parallel), error()
        assert little.seconds < min(effort.seconds for effort in parallel), error()

    with And("the effort is much the same from one export to the next, and so are the rows"):
        covers("formatting performs evenly")
        seconds = [effort.seconds for effort in parallel]
        assert 0 < max(seconds) <= EVEN * min(seconds), error()
        assert alike == [("", MANY)] * (TURNS + 1), error()
