"""Encrypted and unencrypted tables in every pairing, and what can be read on the disks afterwards."""

import itertools

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

from helpers.cluster.node import Node
from helpers.scenario.context import this
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encryption,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encryption_Cleartext,
)
from steps.partitions import replace_partition, replacing
from steps.refusals import attempt, state
from steps.replace_partition.conditions import BAD_ARGUMENTS
from steps.restarts import restart
from steps.storage import (
    UNTOUCHED,
    cells,
    disks_of,
    encrypted_with,
    is_in_cleartext,
    lay_out,
    parts_in_cleartext,
    place,
    replace_cells,
    stored_table,
)
from steps.tables import Table, contents, drop_table, fill

# Policies of configs/fragments/encrypted.xml: new parts are unencrypted in the first, encrypted in the other.
PLAIN_FIRST, ENCRYPTED_FIRST = "encryption", "encryption_first"
PLAIN, LOCKED = "plain", "locked"
# 'locked' and 'same_key' are two disks with one key.
ENCRYPTED = (LOCKED, "same_key", "other_key")  # 3 variants
PLACES = ((PLAIN,), *((disk,) for disk in ENCRYPTED), (PLAIN, LOCKED))


def server() -> Node:
    return this().node("encrypted", fragments=("encrypted",))


def disks_in_cleartext(node: Node, marker: str) -> list[str]:
    """The disks on which this text can be read."""
    return [disk for disk in (PLAIN, *ENCRYPTED) if is_in_cleartext(node, disk, marker)]


def parts_on(table: Table, disk: str) -> dict[str, str]:
    """The active parts that lie on a disk, with its name."""
    located = (part for parts in disks_of(table).values() for part in parts.items())
    return {part: lies_on for part, lies_on in located if lies_on == disk}


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encryption("1.1"))
def every_pairing(self):
    """Encrypted or not, with the same key or another: each partition takes the other's place."""
    with Given("two tables with a partition for every pairing of plain and encrypted disks"):
        node = server()
        matrix = cells(PLACES)
        source, destination = lay_out(node, PLAIN_FIRST, matrix)

    with And("rows that can be read in the files of plain parts, and in those of no encrypted one"):
        for table in (source, destination):
            assert parts_in_cleartext(table, table.name) == parts_on(table, PLAIN), error()

    with And("two encrypted disks with the same key, and one with another"):
        (locked,), (same,), (other,) = (encrypted_with(node, disk) for disk in ENCRYPTED)
        assert locked == same != other, error()

    with When("I replace each of these partitions"):
        wrong = replace_cells(matrix, source, destination)

    with Then("every one has the rows of the source, and nothing else has changed"):
        assert wrong == [], error()

    with And("no encrypted part has become readable"):
        replaced = parts_in_cleartext(destination, source.name)
        others = parts_in_cleartext(destination, destination.name)
        assert replaced and others and not replaced.keys() & others.keys(), error()
        assert {**replaced, **others} == parts_on(destination, PLAIN), error()

    with And("all of them are there when the files are read and decrypted anew"):
        rows = contents(destination)
        restart(node)
        assert contents(destination) == rows, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encryption("1.1"))
def policies_of_one_disk(self):
    """A table on encrypted disks only replaces a partition of another one there; tables on other disks
    have another policy and are refused. Nothing of an encrypted table can be read on its disk."""
    node = server()
    with Given("a source and a destination on each disk alone"):
        disks = (PLAIN, *ENCRYPTED)
        sources = {disk: stored_table("source", node, f"only_{disk}") for disk in disks}
        destinations = {disk: stored_table("target", node, f"only_{disk}") for disk in disks}
        for table in (*sources.values(), *destinations.values()):
            fill(table, [1, 2])
        for disk in disks:
            for table in (sources[disk], destinations[disk]):
                assert len(parts_on(table, disk)) == 2, error()

    with When("I replace a partition from each of them in each of them"):
        violations = {}
        for ours, theirs in itertools.product(disks, disks):
            source, destination = sources[ours], destinations[theirs]
            before, kept = state(destination), state(source)
            outcome = attempt(node, replacing(destination, source, 1))
            expected = contents(source, partition=1) + contents(destination, partition=2)
            if ours == theirs:
                ended = outcome.accepted and contents(destination) == expected
            else:
                ended = outcome.code == BAD_ARGUMENTS and state(destination) == before
                ended = ended and "disk does not belong to storage policy" in outcome.message
            if not ended or state(source) != kept:
                violations[f"{ours} to {theirs}"] = str(outcome)

    with Then("it is replaced on the same disk, and refused from another one"):
        assert_no_violations(violations)

    with And("no row can be read on the encrypted disks, while those of the plain one can"):
        for disk in disks:
            for table in (sources[disk], destinations[disk]):
                readable = [PLAIN] if disk == PLAIN else []
                assert disks_in_cleartext(node, table.name) == readable, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encryption_Cleartext("1.1"))
def encrypted_rows_stay_encrypted(self):
    """An encrypted destination has rows in cleartext only if they were so in the source, and says where."""
    node = server()
    violations: dict[str, str] = {}
    for disk in (PLAIN, *ENCRYPTED):
        with Given(f"a destination whose parts are all encrypted, and a source on {disk}"):
            source, destination = (
                stored_table(name, node, ENCRYPTED_FIRST) for name in ("source", "destination")
            )
            place(source, {1: (disk,)})
            place(destination, {1: (LOCKED,)})
            expected = contents(source, partition=1) + contents(destination, partition=UNTOUCHED)
            assert parts_in_cleartext(destination, destination.name) == {}, error()
            assert parts_in_cleartext(source, source.name) == parts_on(source, PLAIN), error()

        with When("I replace the partition"):
            replace_partition(destination, source=source, partition=1)
            readable = parts_in_cleartext(destination, source.name)
            shown = parts_on(destination, PLAIN)
            if readable != shown or len(shown) != (disk == PLAIN):
                violations[f"from {disk}"] = f"{readable} in cleartext, {shown} shown as such"

        with Then("it has the rows of the source, and the other one what it had"):
            assert contents(destination) == sorted(expected), error()

        with And("rows that the destination gets from now on are encrypted"):
            added = fill(destination, [1])
            assert contents(destination) == sorted(expected + added), error()
            assert parts_in_cleartext(destination, destination.name) == {}, error()

    with Then("rows are in cleartext where they were so in the source, and nowhere else"):
        assert_no_violations(violations)


@TestOutline(Scenario)
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encryption("1.1"))
@Examples("disk", [(PLAIN,), ("same_key",), ("other_key",)])
def replaced_partition_is_encrypted_anew(self, disk):
    """A partition that came with another key, or without one, can be moved under the destination's
    own key; it is unreadable on every disk from then on and outlives its source."""
    node = server()
    with Given(f"an encrypted destination and a source on {disk}"):
        source, destination = (
            stored_table(name, node, PLAIN_FIRST) for name in ("source", "destination")
        )
        place(source, {1: (disk,)})
        place(destination, {1: (LOCKED,)})
        expected = contents(source, partition=1)
        untouched = contents(destination, partition=UNTOUCHED)
        assert disks_in_cleartext(node, source.name) == [PLAIN], error()

    with When("I replace the partition, move it under the destination's key, drop the source"):
        replace_partition(destination, source=source, partition=1)
        node.query(f"ALTER TABLE {destination} MOVE PARTITION 1 TO DISK '{LOCKED}'")
        drop_table(source)

    with Then("it has the rows of the source, and the other one what it had"):
        assert contents(destination, partition=1) == expected, error()
        assert contents(destination, partition=UNTOUCHED) == untouched, error()

    with And("it lies under the destination's key"):
        assert list(disks_of(destination)[1].values()) == [LOCKED], error()

    with And("its rows cannot be read on any disk"):
        assert disks_in_cleartext(node, source.name) == [], error()
