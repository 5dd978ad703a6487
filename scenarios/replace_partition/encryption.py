"""Encrypted and unencrypted tables in every pairing."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.context import this
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encryption,
)
from steps.partitions import replace_partition
from steps.storage import (
    UNTOUCHED,
    cells,
    disks_of,
    lay_out,
    place,
    readable_parts,
    replace_cells,
    stored_table,
)
from steps.tables import Table, contents, drop_table

POLICY = "encryption"
PLAIN = "plain"
# Disks of configs/fragments/encrypted.xml. 'locked' and 'same_key' are two disks with one key.
PLACES = ((PLAIN,), ("locked",), ("same_key",), ("other_key",), (PLAIN, "locked"))


def misplaced(table: Table) -> list[str]:
    """Parts that can be read on an encrypted disk, or cannot be read on a plain one."""
    readable = readable_parts(table, marker=table.name)
    return [
        f"{part} on {disk}"
        for located in disks_of(table).values()
        for part, disk in located.items()
        if readable[part] != (disk == PLAIN)
    ]


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encryption("1.0"))
def every_pairing(self):
    """Encrypted or not, with the same key or another: each partition takes the other's place."""
    with Given("two tables with a partition for every pairing of plain and encrypted disks"):
        node = this().node("encrypted", fragments=("encrypted",))
        matrix = cells(PLACES)
        source, destination = lay_out(node, POLICY, matrix)

    with And("rows that can be read in the files of plain parts, and in those of no encrypted one"):
        assert misplaced(source) == [], error()
        assert misplaced(destination) == [], error()

    with When("I replace each of these partitions"):
        wrong = replace_cells(matrix, source, destination)

    with Then("every one has the rows of the source, and nothing else has changed"):
        assert wrong == [], error()

    with And("all of them are there when the files are read and decrypted anew"):
        rows = contents(destination)
        node.restart()
        assert contents(destination) == rows, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encryption("1.0"))
def replaced_partition_is_encrypted_anew(self):
    """A partition that came with another key, or without one, can be moved under the destination's
    own key; it is unreadable on disk from then on and outlives its source."""
    node = this().node("encrypted", fragments=("encrypted",))
    for disk in (PLAIN, "same_key", "other_key"):
        with Given(f"an encrypted destination and a source on {disk}"):
            source, destination = (stored_table(name, node, POLICY) for name in ("from", "to"))
            place(source, {1: (disk,)})
            place(destination, {1: ("locked",)})
            expected = contents(source, partition=1)
            untouched = contents(destination, partition=UNTOUCHED)

        with When("I replace the partition, move it under the destination's key, drop the source"):
            replace_partition(destination, source=source, partition=1)
            if set(disks_of(destination)[1].values()) != {"locked"}:
                node.query(f"ALTER TABLE {destination} MOVE PARTITION 1 TO DISK 'locked'")
            drop_table(source)

        with Then("it has the rows of the source, and the other one what it had"):
            assert contents(destination, partition=1) == expected, error()
            assert contents(destination, partition=UNTOUCHED) == untouched, error()

        with And("they cannot be read in its files"):
            (part,) = disks_of(destination)[1]
            assert readable_parts(destination, marker=source.name)[part] is False, error()
