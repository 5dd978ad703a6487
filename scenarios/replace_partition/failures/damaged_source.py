"""Damaged parts in the source: what the statement refuses, and what it takes over unseen."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.scenario.context import this
from helpers.scenario.marks import Marked, deviates
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted,
)
from steps.partitions import replace_partition
from steps.replace_partition.damaged_partitions import (
    CELLS,
    CHECK_FINDS,
    CHECK_FINDS_NOTHING,
    COMPACT,
    READS_RIGHT,
    WIDE,
    Cell,
    accepted_cells,
    chosen,
    damage_partitions,
    damaged_partitions,
    is_healed,
    is_lost_when_loaded,
    load_anew,
    replace_all,
    sound_table,
    written,
)
from steps.replace_partition.part_kinds import PartKind
from steps.tables import by_partition, contents

DEVIATIONS = "corrupted"  # the beginning of their ids

# Codes that speak of a file which cannot be read as what it should be, is missing, or has a wrong size.
ABOUT_DAMAGE = {26, 27, 32, 33, 40, 107, 226, 228, 246, 432, 1000}
CONTENT_ONLY = ("changed", "garbled")
FAILS = "read in full fails, by partition fails, by keys fails"
UNNOTICED = f"{READS_RIGHT}; {CHECK_FINDS_NOTHING}"
Rule = Callable[[Cell], bool]
Observation = Callable[[int, Cell], str]
ANSWERED = "every damaged one is answered with an error"


def is_unread(cell: Cell) -> bool:
    """Bytes that cloning does not look at: it compares the sizes of these files and nothing else."""
    later = ("marks", "last marks", "marks of sizes") if cell.part_type == WIDE else ()
    unread = ("data", "first data", "last data", "sizes", "index", *later)
    return cell.file in unread and cell.damage in CONTENT_ONLY


def reading_unread_bytes(partition: int, cell: Cell) -> str:
    return f"{'read by keys fails' if cell.file == 'index' else FAILS}; {CHECK_FINDS}"


def is_other_statistics(cell: Cell) -> bool:
    """Statistics of the right size with wrong bytes in them."""
    return cell.file == "statistics" and cell.damage in CONTENT_ONLY


def reading_with_statistics(partition: int, cell: Cell) -> str:
    """A query with a condition on a column reads the statistics."""
    return f"read by partition fails, by keys fails; {CHECK_FINDS}"


def reading_without_statistics(partition: int, cell: Cell) -> str:
    """A server that passes over damaged statistics."""
    return f"{READS_RIGHT}; {CHECK_FINDS}"


def is_another_range(cell: Cell) -> bool:
    """Other bounds of the partition key than those of the rows."""
    return cell.file == "minmax" and cell.damage in CONTENT_ONLY


def reading_by_bounds(partition: int, cell: Cell) -> str:
    """A bit changed makes the upper bound of an odd partition smaller, that of an even one greater."""
    if cell.damage == "changed" and partition % 2 == 0:
        return f"{READS_RIGHT}; {CHECK_FINDS}"
    rows = "some of the rows" if cell.kind is PartKind.MIXED else "nothing"
    return f"read by partition finds {rows}; {CHECK_FINDS}"


def is_another_count(cell: Cell) -> bool:
    """A count that is a number still, but not the number of the rows."""
    return (cell.file, cell.damage) == ("count", "changed")


def reading_by_count(partition: int, cell: Cell) -> str:
    failures = f"{FAILS}, counted" if cell.part_type == COMPACT else "read counted"
    return f"{failures} finds something else; {CHECK_FINDS}"


def reading_until_loaded(partition: int, cell: Cell) -> str:
    return f"{UNNOTICED}; the source loses the part when it is loaded"


class Acceptance(NamedTuple):
    """What is observed after REPLACE PARTITION of damaged cells, by partition and cell, and why."""

    observation: Observation
    reason: str
    kind: str
    severity: str
    upstream: str | None = None


# What ClickHouse accepts.
ACCEPTED: Mapping[Rule, Acceptance] = {  # 5 variants
    is_unread: Acceptance(
        reading_unread_bytes,
        "parts are cloned by hard links and checked by the sizes of their files: damaged bytes "
        "in data, in the index and in the marks of a wide part's later columns are taken over unseen. To "
        "find them the statement would have to read all of the data, which CHECK TABLE does",
        "requirement",
        "wrong refusal or acceptance",
    ),
    is_other_statistics: Acceptance(
        reading_with_statistics,
        "parts are cloned by hard links and checked by the sizes of their files: damaged statistics are "
        "taken over unseen. A server that reads them (26.9, not 26.7) refuses queries with conditions",
        "requirement",
        "wrong refusal or acceptance",
    ),
    is_another_range: Acceptance(
        reading_by_bounds,
        "the bounds of the partition key are believed as they are: a query by the partition key "
        "passes over the part, and its rows are missing from the answer without a word",
        "bug",
        "wrong answer",
    ),
    is_another_count: Acceptance(
        reading_by_count,
        "the number in count.txt is believed as long as it has as many digits as before: the "
        "destination takes the partition over with a wrong number of rows",
        "bug",
        "wrong answer",
    ),
    is_lost_when_loaded: Acceptance(
        reading_until_loaded,
        "metadata_version.txt is written anew for the clone and not looked at in the source: where it is "
        "empty, the source's part is put aside as broken as soon as its table is loaded again",
        "bug",
        "data lost",
        "https://github.com/ClickHouse/ClickHouse/issues/116481",
    ),
}
REFUSED = [cell for cell in CELLS if not (is_healed(cell) or any(rule(cell) for rule in ACCEPTED))]


def accepts(
    rule: Rule,
    *,
    when: str | None = None,
    observation: Observation | None = None,
    id: str | None = None,
) -> Callable[[Marked], Marked]:
    """ClickHouse accepts the cells that meet this rule; some versions with another observation."""
    accepted = ACCEPTED[rule]
    seen = observation or accepted.observation
    observed = {
        str(cell): f"accepted; {seen(partition, cell)}"
        for partition, cell in enumerate(chosen(rule), start=1)
    }
    return deviates(
        step=ANSWERED,
        observed=observed,
        reason=accepted.reason,
        when=when,
        id=id,
        kind=accepted.kind,
        severity=accepted.severity,
        upstream=accepted.upstream,
        no_sql="it damages files of a part on the disk",
    )


@TestOutline
def damage_is_refused(self, *, cells):
    """A source with one of these damages in each partition: no partition is taken that is corrupted."""
    with Given("a source with one damage in each partition but the last"):
        cells = written(this().node(), cells)
        source, rows = sound_table("source", cells)
        destination, before = sound_table("destination", cells)
        damages = damage_partitions(source, cells)
        sound = len(cells) + 1

    with When("I replace each damaged partition"):
        outcomes = replace_all(source, destination, cells, damages)
        accepted = accepted_cells(cells, outcomes, destination, rows)

    with Then("the errors speak of the damage"):
        codes = {outcome.code for outcome in outcomes if not outcome.accepted}
        assert codes <= ABOUT_DAMAGE, error()

    with And("what was refused, and the sound partition, have what they had"):
        refused = [number for number, outcome in enumerate(outcomes, 1) if not outcome.accepted]
        numbers = ", ".join(f"'{number}'" for number in (*refused, sound))
        kept = destination.node.query(
            f"SELECT * FROM {destination} WHERE _partition_id IN ({numbers}) ORDER BY ALL"
        )
        assert kept == [row for number in (*refused, sound) for row in before[number]], error()

    with And("the sound partition can be replaced, and CHECK TABLE finds nothing in it"):
        replace_partition(destination, source=source, partition=sound)
        assert contents(destination, partition=sound) == rows[sound], error()
        assert sound not in damaged_partitions(destination), error()

    unnoticed = [number for number, seen in accepted.items() if seen == f"accepted; {UNNOTICED}"]
    if unnoticed:
        with When("the server reads the files of the source again"):
            load_anew(source)
            loaded = by_partition(source)
            for number in unnoticed:
                if loaded.get(number) == rows[number]:
                    del accepted[number]  # healed: whatever the damage was, nothing came of it
                else:
                    accepted[number] += "; the source loses the part when it is loaded"

    with Then(ANSWERED):
        covers(
            "partitions with compact parts",
            "partitions with wide parts",
            "partitions with compact and wide parts",
        )
        assert_no_violations({str(cells[number - 1]): seen for number, seen in accepted.items()})


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted("1.1"))
def damaged_source_is_refused(self):
    """Files of a wrong size, and those that are read to load a part, are refused; nothing changes."""
    damage_is_refused(cells=REFUSED)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted("1.1"))
@accepts(is_unread)
def damaged_bytes_in_the_source(self):
    """Data, index and marks of the right size with wrong bytes in them are refused."""
    damage_is_refused(cells=chosen(is_unread))


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted("1.1"))
@accepts(is_other_statistics, when="clickhouse >= 26.8", id="corrupted.damaged-statistics")
@accepts(
    is_other_statistics,
    when="clickhouse < 26.8",
    observation=reading_without_statistics,
    id="corrupted.damaged-statistics-before-26-8",
)
def damaged_statistics_in_the_source(self):
    """Statistics of the right size with wrong bytes in them are refused."""
    damage_is_refused(cells=chosen(is_other_statistics))


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted("1.1"))
@accepts(is_another_range)
def wrong_bounds_in_the_source(self):
    """A part whose bounds of the partition key are not those of its rows is refused."""
    damage_is_refused(cells=chosen(is_another_range))


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted("1.1"))
@accepts(is_another_count)
def wrong_count_in_the_source(self):
    """A part that says it has another number of rows than it has is refused."""
    damage_is_refused(cells=chosen(is_another_count))


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted("1.1"))
@accepts(is_lost_when_loaded)
def empty_metadata_version_in_the_source(self):
    """A part that the server cannot load again, because its metadata version is empty, is refused."""
    damage_is_refused(cells=chosen(is_lost_when_loaded))


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted("1.1"))
def damage_that_the_server_repairs(self):
    """Damage that is made good by the server itself loses nothing, whether the part is taken or refused."""
    damage_is_refused(cells=chosen(is_healed))
