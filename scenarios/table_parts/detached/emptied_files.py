"""Small files that a power failure leaves empty: the rest of the part has all rows."""

from datetime import date

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import deviates, needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Detached_EmptiedFile,
)
from steps.damage import damage
from steps.restarts import restart
from steps.table_parts.part_life import FORMATS, active_parts, detached_parts
from steps.tables import Table, by_partition, create_table, divided

DEVIATIONS = "detached-emptied-files"  # the beginning of their ids
FILES = (  # 2 variants
    *("checksums.txt", "columns_substreams.txt", "count.txt", "metadata_version.txt"),
    *("minmax_p.idx", "partition.dat", "serialization.json", "ttl.txt", "uuid.txt"),
)
SOUND = len(FILES)
WRITTEN = date(2020, 1, 1)
# Two rows in each partition.
ROWS = [(number % (SOUND + 1), number, WRITTEN) for number in range(2 * SOUND + 2)]  # 1 variant
ROWS_BY_PARTITION = divided(sorted(ROWS))
SERVED = "all rows are served"


def table_of_parts(kind: str) -> Table:
    """A table with a part for each file and a sound one, each in its partition."""
    table = create_table(
        "emptied",
        columns="p UInt64, i UInt64, d Date",
        more="TTL d + INTERVAL 50 YEAR",
        settings={**FORMATS[kind], "assign_part_uuids": 1},
    )
    table.node.query(
        f"INSERT INTO {table} SELECT number % {SOUND + 1}, number, '{WRITTEN}' "
        f"FROM numbers({len(ROWS)})"
    )
    assert by_partition(table) == ROWS_BY_PARTITION, error()
    return table


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Detached_EmptiedFile("1.0"))
@needs(Capability.PROCESS_CONTROL)
@deviates(
    step=SERVED,
    observed={f"{kind}, {file}": "broken-on-start" for kind in FORMATS for file in FILES},
    reason="an empty file is an error where a missing one often is none: the part is set aside with all its "
    "rows, and the table is served without them",
    kind="bug",
    severity="data lost",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/119602",
    no_sql="it empties files of the table's parts while the server is down",
)
def emptied_file_costs_no_rows(self):
    """A part is served after a start although a small file that others determine is empty."""
    with Given("a table of each format with a part for each file, and a sound one"):
        tables = {kind: table_of_parts(kind) for kind in FORMATS}
        parts = {
            kind: {int(part.partition_id): part for part in active_parts(table).values()}
            for kind, table in tables.items()
        }
        assert {part.kind for part in parts["Wide"].values()} == {"Wide"}, error()
        assert {part.kind for part in parts["Compact"].values()} == {"Compact"}, error()

    with When("the files are emptied, and the server starts again"):
        for kind in tables:
            for number, file in enumerate(FILES):
                damage(parts[kind][number].folder / file, "emptied")
        restart(tables["Wide"].node)

    with Then("the rows of sound parts are served"):
        served = {kind: by_partition(table) for kind, table in tables.items()}
        assert all(rows[SOUND] == ROWS_BY_PARTITION[SOUND] for rows in served.values()), error()

    with And(SERVED):
        violations = {}
        for kind, table in tables.items():
            reasons = detached_parts(table)
            for number, file in enumerate(FILES):
                if served[kind].get(number) != ROWS_BY_PARTITION[number]:
                    name = f"broken-on-start_{parts[kind][number].name}"
                    violations[f"{kind}, {file}"] = reasons.get(name) or "other rows"
        assert_no_violations(violations)
