"""Inserts at the same time: of several users, and of several servers."""

from dataclasses import replace

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.client.recording import literal
from helpers.cluster.node import User
from helpers.faults.s3_proxy import RequestKind, S3FaultProxy
from helpers.scenario.context import this
from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import RQ_HivePartitioning_Writes_ParallelInserts
from steps.hive_partitioning.objects import new_lake
from steps.hive_partitioning.writes import hive_table, insert_values, objects
from steps.outages import frozen
from steps.tables import contents

DEVIATIONS = "writes-parallel"  # the beginning of their ids

NEEDS = (Capability.OBJECT_STORE,)
COLUMNS, KEY = "year UInt16, x UInt32", "year"
USERS, INSERTS, ROWS = ("ada", "bob", "eve"), 5, 100
SERVERS, AT_ONCE, ROUNDS = ("lake", "lake2", "lake3"), 24, 40
EXISTS_ALREADY = 36


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_ParallelInserts("1.0"))
def inserts_of_several_users(self):
    """Inserts into the same partitions of one table, all of them under way at once, all keep their rows."""
    with Given("a table with a row, and users who may insert into it"):
        lake = new_lake()
        table = hive_table(lake, columns=COLUMNS, partition_by=KEY)
        insert_values(table, "(1, 0)")
        lake.node.add_users([User(name, (f"INSERT ON {table}",)) for name in USERS])

    with When("all of them insert at once, held by a store that does not answer"):
        numbers = iter(range(1, 1000))
        with frozen(lake.store):
            inserts = [
                lake.node.background(
                    f"INSERT INTO {table} SELECT number % 2 + 1, {next(numbers)} * 1000 + number "
                    f"FROM numbers({ROWS})",
                    user=user,
                )
                for user in USERS
                for _ in range(INSERTS)
            ]
            under_way = "SELECT user FROM system.processes WHERE query_kind = 'Insert'"
            expected = sorted(USERS * INSERTS)
            this().eventually(lambda: sorted(lake.node.column(under_way)), equals=expected)
        for insert in inserts:
            insert.wait()

    with Then("every row of every insert is there, once"):
        rows = [(1, 0)] + [
            (number % 2 + 1, insert * 1000 + number)
            for insert in range(1, len(inserts) + 1)
            for number in range(ROWS)
        ]
        assert contents(table) == sorted(rows), error()

    with And("every insert has a whole object of its own in each partition"):
        held = objects(lake, table.name)
        values = {
            directory: sorted(sorted(map(int, file.split())) for file in files)
            for directory, files in held.items()
        }
        own = [[insert * 1000 + number for number in range(ROWS)] for insert in range(1, 16)]
        assert values == {
            "year=1": [[0], *(insert[::2] for insert in own)],
            "year=2": [insert[1::2] for insert in own],
        }, error()


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_ParallelInserts("1.0"))
@deviates(
    step="no insert has lost its rows",
    observed={
        "an object of two servers": "acknowledged rows of one are lost",
    },
    reason="an object is named after the millisecond and ten bits of the server's UUID, and it is PUT "
    "without a condition: servers with the same ten bits, such as all that have no UUID, overwrite each "
    "other",
    kind="environment",
    severity="data lost",
    where=Capability.SERVERS_WITHOUT_UUID,
    no_sql="it takes several servers that insert in the same millisecond",
)
def inserts_of_several_servers(self):
    """Servers that write into the same partition at once do not overwrite each other's objects."""
    with Given(
        "a table with the same path on three servers, which reach the store through a proxy"
    ):
        lakes = [new_lake(name) for name in SERVERS]
        lake = lakes[0]
        lakes = [replace(other, folder=lake.folder) for other in lakes]

    with S3FaultProxy(lake.store.url) as proxy:
        url = literal(f"{proxy.url}/{lake.bucket}/")
        tables = [
            hive_table(
                other,
                columns=COLUMNS,
                partition_by=KEY,
                url=url,
                filename=literal(lake.filename("shared")),
            )
            for other in lakes
        ]
        inserted: list[tuple[int, int]] = []
        sizes: dict[str, set[int]] = {}

        with When(
            "each inserts row after row, until two have written the same object or all are done"
        ):
            for attempt in range(ROUNDS):
                inserts = {}
                for number in range(attempt * AT_ONCE, (attempt + 1) * AT_ONCE):
                    server = number % len(tables)
                    # Objects of different servers differ in size, so a repeated request is told from
                    # that of another server.
                    row = (1, 10 ** (server + 5) + number)
                    sql = f"INSERT INTO {tables[server]} VALUES {row}"
                    inserts[row] = tables[server].node.background(sql)
                for row, insert in inserts.items():
                    failed = insert.outcome()
                    # An object that was seen in time is not overwritten: the insert is refused.
                    if not isinstance(failed, QueryFailed) or failed.code != EXISTS_ALREADY:
                        insert.wait()
                        inserted.append(row)
                for request in proxy.of_kind(RequestKind.PUT):
                    sizes.setdefault(request.key, set()).add(request.size)
                overwritten = sum(len(of_key) - 1 for of_key in sizes.values())
                if overwritten:
                    break

        with Then("every insert wrote an object, and what is there is whole"):
            assert len(sizes) + overwritten == len(inserted), error()
            held = objects(lake, "shared")["year=1"]
            assert len(held) == len(sizes), error()
            rows = contents(tables[-1])
            assert rows == sorted((1, int(file)) for file in held), error()
            assert set(rows) <= set(inserted), error()

        with And("no insert has lost its rows"):
            lost = len(inserted) - len(rows)
            assert lost == overwritten, error()
            assert_no_violations(
                {"an object of two servers": "acknowledged rows of one are lost"} if lost else {}
            )
