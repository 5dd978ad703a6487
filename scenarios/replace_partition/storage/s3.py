"""Tables whose parts lie in an object store. The objects are counted: none lost, none left behind."""

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
from helpers.cluster.node import Node
from helpers.scenario.context import this
from helpers.scenario.marks import needs
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_S3,
)
from steps.partitions import replace_partition
from steps.parts import parts
from steps.replace_partition.objects import lost_and_orphaned, objects_of, stored_objects
from steps.storage import UNTOUCHED, cells, lay_out, place, replace_cells, stored_table
from steps.tables import contents, drop_table

ALL_THERE: dict[str, set[str]] = {"lost": set(), "orphaned": set()}
# Policies of configs/fragments/s3_disks.xml with their disk, and whether a clone there refers to the data
# of the original (metadata is local and can count references) or has to be a copy of it.
POLICIES = (  # 3 variants
    ("s3", "s3_one", True),
    ("s3_cache", "s3_cached", True),
    ("s3_plain_rewritable", "s3_plain", False),
)
TIERED = "s3_tiered"
PLACES = (("near",), ("s3_one",), ("s3_plain",), ("near", "s3_two"))


# Whether a disk keeps what it has read, and where the metadata of its objects is.
DISKS = [("s3_cached", 1, "Local"), ("s3_one", 0, "Local"), ("s3_plain", 0, "PlainRewritable")]


def s3_node() -> Node:
    return this().node("s3", fragments=("s3_disks",))


@TestOutline(Scenario)
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_S3("1.0"))
@needs(Capability.OBJECT_STORE)
@Examples("policy disk shares", POLICIES)
def objects_of_both_tables(self, policy, disk, shares):
    """On every kind of S3 disk a partition is replaced, and each table owns what it needs: neither
    loses an object when the other is dropped, and nothing is left when both are."""
    node = s3_node()
    before = stored_objects(node)

    with Given("a disk of every kind"):
        names = ", ".join(f"'{disk}'" for _, disk, _ in POLICIES)
        kinds = "SELECT name, notEmpty(cache_path), toString(metadata_type) FROM system.disks"
        assert node.query(f"{kinds} WHERE name IN ({names}) ORDER BY name") == DISKS, error()

    with Given(f"two tables of the policy {policy} with different rows"):
        source, destination = (stored_table(name, node, policy) for name in ("one", "other"))
        for table in (source, destination):
            place(table, {1: (disk,)})
        expected = contents(source, partition=1)
        untouched = contents(destination, partition=UNTOUCHED)
        taken = [part.name for part in parts(source, partition=1)]
        owned = objects_of(source, taken)
        assert owned and owned <= stored_objects(node), error()

    with When("I replace a partition"):
        replace_partition(destination, source=source, partition=1)

    with Then("it has the rows of the source, and the other one what it had"):
        assert contents(destination, partition=1) == expected, error()
        assert contents(destination, partition=UNTOUCHED) == untouched, error()

    with And(f"its data is {'shared with' if shares else 'a copy of'} the source's"):
        clones = [part.name for part in parts(destination, partition=1)]
        data = objects_of(source, taken, "data.bin")
        cloned = objects_of(destination, clones, "data.bin")
        assert len(data) == len(cloned) == len(taken), error()
        assert (data == cloned) is shares and (data & cloned == set()) is not shares, error()

    with And("the source has all its objects, and the store has what the node refers to"):
        assert owned <= stored_objects(node), error()
        assert lost_and_orphaned(node) == ALL_THERE, error()

    with When("I drop the source"):
        drop_table(source)

    with Then("the destination has its rows, read anew"):
        node.query(f"DETACH TABLE {destination} SYNC")
        node.query(f"ATTACH TABLE {destination}")
        assert contents(destination, partition=1) == expected, error()

    with And("every object that nobody needs is gone, and no other"):
        this().eventually(lambda: lost_and_orphaned(node), equals=ALL_THERE)
        assert cloned <= stored_objects(node), error()

    with And(f"the source's data is {'kept, for it is shared' if shares else 'gone'}"):
        assert data & stored_objects(node) == (data if shares else set()), error()

    with When("I drop the destination"):
        drop_table(destination)

    with Then("nothing is left of the two"):
        this().eventually(lambda: stored_objects(node) - before, equals=set())


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_S3("1.0"))
@needs(Capability.OBJECT_STORE)
def every_placement_of_a_tiered_policy(self):
    """From the local disk to the store, back, and between two disks in the store."""
    with Given("two tables with a partition for every placement on local and S3 disks"):
        node = s3_node()
        before = stored_objects(node)
        matrix = cells(PLACES)
        source, destination = lay_out(node, TIERED, matrix)

    with When("I replace each of these partitions"):
        wrong = replace_cells(matrix, source, destination)

    with Then("every one has the rows of the source, and nothing else has changed"):
        assert wrong == [], error()

    with And("no object is lost and none is left without an owner"):
        assert stored_objects(node) > before, error()
        assert lost_and_orphaned(node) == ALL_THERE, error()

    with When("I drop the source"):
        expected = contents(destination)
        drop_table(source)

    with Then("the destination keeps its rows and its objects"):
        assert contents(destination) == expected, error()
        this().eventually(lambda: lost_and_orphaned(node), equals=ALL_THERE)

    with And("nothing is left when it is dropped too"):
        drop_table(destination)
        this().eventually(lambda: stored_objects(node) - before, equals=set())
