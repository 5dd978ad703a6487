"""Damaged parts in the source: what the statement refuses, and what it takes over unseen."""

from collections.abc import Callable, Sequence

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.marks import deviates
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted,
)
from steps.corruption import (
    CELLS,
    WIDE,
    Cell,
    all_accepted,
    damage_partitions,
    expect_errors,
    replace_all,
    sound_pair,
)
from steps.refusals import listed
from steps.tables import Table, contents, fill

# Codes that speak of a file which cannot be read as what it should be, is missing, or has a wrong size.
ABOUT_DAMAGE = {26, 27, 32, 33, 40, 107, 226, 228, 432}
CONTENT_ONLY = ("changed", "garbled")


def is_unread(cell: Cell) -> bool:
    """Bytes that cloning does not look at: it compares the sizes of these files and nothing else."""
    later = ("data", "index", "marks") if cell.part_type == WIDE else ("data", "index")
    return cell.file in later and cell.damage in CONTENT_ONLY


def is_another_count(cell: Cell) -> bool:
    """A count that is a number still, but not the number of the rows."""
    return (cell.file, cell.damage) == ("count", "changed")


def is_written_anew(cell: Cell) -> bool:
    """Files that the server makes again from what it finds in the part."""
    return cell.damage == "removed" and (
        cell.file == "checksums" or (cell.file == "columns" and cell.part_type == WIDE)
    )


def is_empty_list_of_columns(cell: Cell) -> bool:
    """A wide part whose list of columns is there and empty."""
    return (cell.file, cell.damage, cell.part_type) == ("columns", "emptied", WIDE)


UNSEEN = (is_unread, is_another_count, is_written_anew, is_empty_list_of_columns)
REFUSED = [cell for cell in CELLS if not any(unseen(cell) for unseen in UNSEEN)]


def chosen(rule: Callable[[Cell], bool]) -> list[Cell]:
    return [cell for cell in CELLS if rule(cell)]


def is_sound(table: Table, partition: int) -> bool:
    """What CHECK TABLE says of a partition."""
    sql = f"CHECK TABLE {table} PARTITION {partition}"
    return bool(table.node.value(sql, settings={"check_query_single_value_result": 1}))


def check_damaged_source(cells: Sequence[Cell]) -> None:
    with Given("a source with one damage in each partition"):
        source, destination = sound_pair(cells)
        damage_partitions(source, cells)
        before = contents(destination)

    with When("I replace each partition"):
        outcomes = replace_all(source, destination, cells)

    with Then("every one is answered with an error"):
        expect_errors(cells, outcomes)

    with And("the errors speak of the damage"):
        codes = {outcome.code for outcome in outcomes}
        assert codes <= ABOUT_DAMAGE, error()

    with And("the destination has what it had"):
        assert contents(destination) == before, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted("1.0"))
def damaged_source_is_refused(self):
    """Files of a wrong size, and those that are read to load a part, are refused; nothing changes."""
    check_damaged_source(REFUSED)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted("1.0"))
@deviates(
    step="every one is answered with an error",
    effect=all_accepted(chosen(is_unread)),
    reason="parts are cloned by hard links and checked by the sizes of their files: damaged bytes "
    "in data, in the index and in the marks of a wide part's later columns are taken over unseen",
)
def damaged_bytes_in_the_source(self):
    """Data, index and marks of the right size with wrong bytes in them are refused."""
    check_damaged_source(chosen(is_unread))


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted("1.0"))
@deviates(
    step="every one is answered with an error",
    effect=all_accepted(chosen(is_another_count)),
    reason="the number in count.txt is believed as long as it has as many digits as before: the "
    "destination takes the partition over with a wrong number of rows",
)
def wrong_count_in_the_source(self):
    """A part that says it has another number of rows than it has is refused."""
    check_damaged_source(chosen(is_another_count))


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted("1.0"))
@deviates(
    step="every one is answered with an error",
    effect=all_accepted(chosen(is_written_anew)),
    reason="checksums.txt, and columns.txt of a wide part, are made anew where they are missing",
)
def missing_lists_in_the_source(self):
    """A part without its checksums, or a wide one without its list of columns, is refused."""
    check_damaged_source(chosen(is_written_anew))


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted("1.0"))
@deviates(
    when="clickhouse >= 26.9",
    step="every one is answered with an error",
    effect=all_accepted(chosen(is_empty_list_of_columns)),
    reason="an empty columns.txt of a wide part counts as a missing one and is made anew",
)
def empty_list_of_columns_in_the_source(self):
    """A wide part whose list of columns is empty is refused."""
    check_damaged_source(chosen(is_empty_list_of_columns))


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted("1.0"))
def unseen_damage_is_found_by_check_table(self):
    """What is taken over unseen is not lost from sight: CHECK TABLE finds it in the destination."""
    with Given("a destination that took over damaged partitions, and a sound one"):
        cells = chosen(is_unread)
        source, destination = sound_pair(cells)
        damage_partitions(source, cells)
        outcomes = replace_all(source, destination, cells)
        assert all(outcome.accepted for outcome in outcomes), error()
        sound = len(cells) + 1
        fill(destination, [sound])

    with Then("CHECK TABLE finds each of them"):
        passed = [
            str(cell) for number, cell in enumerate(cells, 1) if is_sound(destination, number)
        ]
        assert not passed, listed("not found", passed)

    with And("nothing where nothing is damaged"):
        assert is_sound(destination, sound), error()
