"""Parts set aside by command: out of the table's data, kept until somebody wants them back or away."""

from collections.abc import Callable, Mapping
from typing import Any

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.marks import needs
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Detached_Attach,
    RQ_SRS_102_ClickHouse_TableParts_Detached_Command,
    RQ_SRS_102_ClickHouse_TableParts_Detached_Kept,
)
from steps.part_files import FileState, detached_folder, files_of
from steps.part_life import (
    CLEANED,
    active_parts,
    detached_parts,
    in_background,
    inactive_parts,
    merge,
    mutate,
    rows_by_part,
    tidy_node,
)
from steps.tables import NO_MERGES, Table, contents, create_table, fill

# Commands, and the parts that each of them is to take away of those that are there.
MEANT: Mapping[str, Callable[[list[str]], list[str]]] = {
    "DETACH PART '{part}'": lambda names: names[:1],
    "DETACH PARTITION 2": lambda names: [name for name in names if name.startswith("2_")],
    "DETACH PARTITION ID '1'": lambda names: [name for name in names if name.startswith("1_")],
}


def filled(**options: Any) -> Table:
    """A table with three parts in each of two partitions."""
    table = create_table("shelf", **options)
    fill(table, [1, 2], parts=3)
    return table


def shelf(table: Table) -> dict[str, dict[str, FileState]]:
    """What lies in the table's folder for detached parts, file for file."""
    return {folder.name: files_of(folder) for folder in detached_folder(table).iterdir()}


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Detached_Command("1.0"))
def detached_parts_leave_the_data(self):
    """DETACH PART takes one part out, DETACH PARTITION all of a partition; both list them, unchanged."""
    with Given("a table with inserted, merged and mutated parts"):
        table = filled()
        merge(table, partition=2)
        fill(table, [2])
        mutate(table, "UPDATE owner = 'mutated' IN PARTITION 2 WHERE 1")

    detached: dict[str, str] = {}
    for command, chosen in MEANT.items():
        with When(f"I run {command}"):
            before, rows = active_parts(table), rows_by_part(table)
            files = {name: files_of(part.folder) for name, part in before.items()}
            meant = chosen(sorted(before))
            assert meant, error()
            table.node.query(f"ALTER TABLE {table} {command.format(part=meant[0])}")

        with Then("the parts are no longer data of the table, and no others"):
            kept = {name: part for name, part in before.items() if name not in meant}
            active = {name: part for name, part in active_parts(table).items() if part.rows}
            assert active == kept, error()
            expected = sorted(row for name in kept for row in rows[name])
            assert contents(table) == expected, error()

        with And("they are listed without a reason"):
            detached |= dict.fromkeys(meant, "")
            assert detached_parts(table) == detached, error()

        with And("their files are what they were"):
            found = shelf(table)
            assert found.keys() == detached.keys(), error()
            contents_of = {
                name: {file: state.content for file, state in found[name].items()} for name in meant
            }
            assert contents_of == {
                name: {file: state.content for file, state in files[name].items()} for name in meant
            }, error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Detached_Attach("1.0"))
def attached_part_gets_a_new_number(self):
    """ATTACH PART brings the rows back, in a part whose block number nobody had before."""
    with Given("a table of which parts were detached"):
        table = filled()
        rows, read = contents(table), rows_by_part(table)
        greatest = max(part.max_block for part in active_parts(table).values())
        names = ["1_1_1_0", "1_3_3_0", "2_5_5_0"]
        for name in names:
            table.node.query(f"ALTER TABLE {table} DETACH PART '{name}'")
        assert sorted(detached_parts(table)) == names, error()
        assert contents(table) == sorted(
            row for name, some in read.items() if name not in names for row in some
        ), error()

    for name in names:
        with When(f"I attach {name}"):
            before = active_parts(table)
            table.node.query(f"ALTER TABLE {table} ATTACH PART '{name}'")

        with Then("its rows are data again, in a part with a new number"):
            (new,) = (part for one, part in active_parts(table).items() if one not in before)
            assert rows_by_part(table)[new.name] == read[name], error()
            assert new.min_block == new.max_block and new.min_block > greatest, error()
            assert new.partition_id == name[0] and new.level == 0, error()
            greatest = new.max_block

    with And("all rows are there once more, and nothing is detached"):
        assert contents(table) == rows and detached_parts(table) == {}, error()
        assert list(detached_folder(table).iterdir()) == [], error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Detached_Kept("1.0"))
@needs(Capability.PROCESS_CONTROL)
def detached_parts_are_kept(self):
    """Cleaning, restarts and crashes leave detached parts alone; attaching and dropping them do not."""
    with Given("detached parts in a table that removes superseded parts at once"):
        table = filled(node=tidy_node(), settings={**NO_MERGES, **CLEANED, "old_parts_lifetime": 0})
        node, read = table.node, rows_by_part(table)
        names = ["1_1_1_0", "1_2_2_0", "1_3_3_0"]
        for name in names:
            node.query(f"ALTER TABLE {table} DETACH PART '{name}'")
        before = shelf(table)
        assert sorted(before) == names, error()

    with When("superseded parts have been removed, and the server was restarted and killed"):
        for end in (node.stop, node.kill):
            superseded = active_parts(table)
            mutate(table, "UPDATE owner = concat(owner, '!') IN PARTITION 2 WHERE 1")
            in_background(lambda: not inactive_parts(table))
            assert not any(part.folder.exists() for part in superseded.values() if part.rows), (
                error()
            )
            end()
            node.start()

    with Then("the detached parts are there, file for file"):
        assert shelf(table) == before, error()
        assert detached_parts(table) == dict.fromkeys(names, ""), error()

    with And("one that is attached is not detached any more"):
        node.query(f"ALTER TABLE {table} ATTACH PART '{names[0]}'")
        assert contents(table, partition=1) == sorted(read[names[0]]), error()
        assert sorted(shelf(table)) == sorted(detached_parts(table)) == names[1:], error()

    with And("one that is dropped is gone"):
        node.query(
            f"ALTER TABLE {table} DROP DETACHED PART '{names[1]}'",
            settings={"allow_drop_detached": 1},
        )
        assert sorted(shelf(table)) == sorted(detached_parts(table)) == names[2:], error()
