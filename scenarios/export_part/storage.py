"""Parts of every kind of storage are exported: whatever disk they lie on, their rows arrive."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.object_store import ADMIN
from helpers.scenario.context import this
from helpers.scenario.marks import leaves_out
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs015_export_part import RQ_ClickHouse_ExportPart_SourcePartStorage
from scenarios.export_part._marks import exports
from steps.export_part.exports import (
    BUCKET,
    export,
    file_of,
    new_lake,
    part_of,
    rows_of,
    s3_table,
    statement,
)
from steps.storage import disks_of, is_in_cleartext, stored_table
from steps.tables import contents, create_table, fill

# A storage of the requirement's table: the policy of a source, and the disks of its partitions 1, 2 …
STORAGES = {  # 7 variants
    "local disk": ("single", ("one",)),
    "tiered storage": ("tiered", ("one", "two")),
    "object storage": ("s3", ("s3_one",)),
    "object storage without local metadata": ("s3_plain_rewritable", ("s3_plain",)),
    "cached disk": ("s3_cache", ("s3_cached",)),
    "tiers of local and object storage": ("s3_tiered", ("near", "s3_two")),
    "encrypted disk": ("only_locked", ("locked",)),
}
FRAGMENTS = ("disks", "encrypted", "s3_disks")
ZERO_COPY = {"allow_remote_fs_zero_copy_replication": 1, "storage_policy": "far"}


def disk(definition: str) -> dict[str, str]:
    """Configuration of a disk and a policy of it alone, both called far."""
    text = (
        f"<storage_configuration><disks><far>{definition}</far></disks><policies><far><volumes>"
        "<main><disk>far</disk></main></volumes></far></policies></storage_configuration>"
    )
    return {"far": f"<clickhouse>{text}</clickhouse>"}


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_SourcePartStorage("1.0"))
@exports()
def every_disk(self):
    """Parts on local, tiered, remote, cached and encrypted disks are exported with all their rows."""
    with Given("a node with disks of all these kinds"):
        lake = new_lake("storage", fragments=FRAGMENTS)

    wrong = {}
    for storage, (policy, disks) in STORAGES.items():
        with Given(f"a source on {storage}, a part on each disk of {', '.join(disks)}"):
            source = stored_table("source", lake.node, policy)
            fill(source, list(range(1, len(disks) + 1)), parts=1)
            for number, wanted in enumerate(disks, 1):
                ((part, lies_on),) = disks_of(source)[number].items()
                if lies_on != wanted:
                    lake.node.query(f"ALTER TABLE {source} MOVE PART '{part}' TO DISK '{wanted}'")
            destination = s3_table(lake)

        with When("I export its parts"):
            parts = [part_of(source, str(number)) for number in range(1, len(disks) + 1)]
            outcomes = [export(lake, statement(source, part, destination)) for part in parts]

        with Then("their rows arrive, and they lie where they lay"):
            expected = sorted(row for part in parts for row in rows_of(source, part))
            assert len(expected) >= len(disks), error()
            failed = [outcome.error for outcome in outcomes if outcome.error]
            if failed or contents(destination) != expected:
                wrong[storage] = failed[0] if failed else "other rows arrived"
            located = disks_of(source)
            if [list(located[number].values()) for number in range(1, len(disks) + 1)] != [
                [disk] for disk in disks
            ]:
                wrong[f"{storage}, afterwards"] = str(located)

    with Then("no storage made a difference"):
        covers(
            "local disk | a directory",
            "object storage | S3",
            "encrypted disk |",
            "cached disk |",
            "tiered storage |",
        )
        assert_no_violations(wrong)

    with And("on the encrypted disk no row can be read, in the lake they can"):
        marker = this().unique("marker")
        source = stored_table("source", lake.node, "only_locked")
        source.node.query(f"INSERT INTO {source} VALUES", data=[(1, 1, marker)])
        destination = s3_table(lake)
        export(lake, statement(source, part_of(source), destination))
        assert not is_in_cleartext(lake.node, "locked", marker), error()
        assert contents(destination) == [(1, 1, marker)], error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_SourcePartStorage("1.0"))
@exports(Capability.HDFS)
@leaves_out(
    "remote disk | HDFS",
    reason="a part on HDFS is exported; there is no store of Azure or Google here",
)
def remote_disk(self):
    """A part on HDFS is exported with all its rows."""
    with Given("a source on a disk of HDFS"):
        url = f"{this().cluster.hdfs().url}/{this().database}/"
        lake = new_lake("remote", disk(f"<type>hdfs</type><endpoint>{url}</endpoint>"))
        source = stored_table("source", lake.node, "far")
        fill(source, [1], parts=1)
        assert list(disks_of(source)[1].values()) == ["far"], error()

    with When("I export its part"):
        part, destination = part_of(source), s3_table(lake)
        outcome = export(lake, statement(source, part, destination))

    with Then("its rows arrive, in a file that is named after it"):
        covers("remote disk | HDFS")
        assert outcome.error == "", error()
        assert lake.keys() == [f"{destination.name}/p=1/{file_of(source, part)}"], error()
        assert contents(destination) == contents(source) != [], error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_SourcePartStorage("1.0"))
@exports(Capability.REPLICATION)
def zero_copy_replication(self):
    """A part whose objects two replicas share is exported by either with all its rows."""
    with Given("two replicas on one store, which share the objects of their parts"):
        store = this().cluster.object_store()
        who = store.identities[ADMIN]
        shared = disk(
            f"<type>s3</type><endpoint>{store.url}/{store.bucket(BUCKET)}/{this().database}/</endpoint>"
            f"<access_key_id>{who.access_key}</access_key_id>"
            f"<secret_access_key>{who.secret_key}</secret_access_key>"
        )
        lakes = [new_lake(name, shared, ("replication",)) for name in ("share1", "share2")]
        engine = f"ReplicatedMergeTree('/{this().database}/shared', '{{}}')"
        tables = [
            create_table(
                "source",
                node=lake.node,
                engine=engine.format(lake.node.name),
                settings=ZERO_COPY,
            )
            for lake in lakes
        ]
        fill(tables[0], [1], parts=1)
        tables[1].node.query(f"SYSTEM SYNC REPLICA {tables[1]}")
        expected = contents(tables[0])
        assert contents(tables[1]) == expected != [], error()

    with When("I export the part from each replica"):
        destinations = [s3_table(lake) for lake in lakes]
        outcomes = [
            export(lake, statement(table, part_of(table), destination))
            for lake, table, destination in zip(lakes, tables, destinations, strict=True)
        ]

    with Then("its rows arrive both times"):
        covers("zero-copy replication |")
        assert [outcome.error for outcome in outcomes] == ["", ""], error()
        assert [contents(destination) for destination in destinations] == [expected] * 2, error()
