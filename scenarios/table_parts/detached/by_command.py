"""Parts set aside by command: out of the table's data, until somebody wants them back."""

from collections.abc import Callable, Mapping

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Detached_Attach,
    RQ_SRS_102_ClickHouse_TableParts_Detached_Command,
)
from steps.table_parts.part_files import detached_files, detached_folder, files_of
from steps.table_parts.part_life import (
    active_parts,
    detached_parts,
    filled_parts,
    merge,
    mutate,
    rows_by_part,
    sorted_rows,
)
from steps.tables import contents, create_table, fill

# Inserted, merged and mutated ones.
PARTS = ["1_1_1_0_8", "1_2_2_0_8", "1_3_3_0_8", "2_4_6_1_8", "2_7_7_0_8"]
# Commands, and the parts that each of them is to take away of those that are there.
MEANT: Mapping[str, Callable[[list[str]], list[str]]] = {  # 3 variants
    "DETACH PART '{part}'": lambda names: names[:1],
    "DETACH PARTITION 2": lambda names: [name for name in names if name.startswith("2_")],
    "DETACH PARTITION ID '1'": lambda names: [name for name in names if name.startswith("1_")],
}


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Detached_Command("1.0"))
def detached_parts_leave_the_data(self):
    """DETACH PART takes one part out, DETACH PARTITION all of a partition; both list them, unchanged."""
    with Given("a table with inserted, merged and mutated parts"):
        table = create_table("shelf")
        inserted = fill(table, [1, 2], parts=3)
        merge(table, partition=2)
        inserted += fill(table, [2], check=False)
        mutate(table, "UPDATE owner = concat(owner, '!') IN PARTITION 2 WHERE 1")
        expected = sorted((p, i, owner if p == 1 else f"{owner}!") for p, i, owner in inserted)
        assert list(active_parts(table)) == PARTS, error()

    detached: dict[str, str] = {}
    for command, chosen in MEANT.items():
        with When(f"I run {command}"):
            before, rows = filled_parts(table), rows_by_part(table)
            assert sorted_rows(rows) == expected, error()
            files = {name: files_of(part.folder) for name, part in before.items()}
            meant = chosen(sorted(before))
            assert meant, error()
            table.node.query(f"ALTER TABLE {table} {command.format(part=meant[0])}")

        with Then("the parts are no longer data of the table, and no others"):
            kept = {name: part for name, part in before.items() if name not in meant}
            assert filled_parts(table) == kept, error()
            expected = sorted(row for name in kept for row in rows[name])
            assert contents(table) == expected, error()

        with And("they are listed without a reason"):
            detached |= dict.fromkeys(meant, "")
            assert detached_parts(table) == detached, error()

        with And("their files are what they were"):
            actual_files = detached_files(table)
            assert actual_files.keys() == detached.keys(), error()
            contents_of = {
                name: {file: state.content for file, state in actual_files[name].items()}
                for name in meant
            }
            assert contents_of == {
                name: {file: state.content for file, state in files[name].items()} for name in meant
            }, error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Detached_Attach("1.0"))
def attached_part_gets_a_new_number(self):
    """ATTACH PART brings the rows back, in a part whose block number nobody had before."""
    with Given("a table of which parts were detached"):
        table = create_table("shelf")
        rows, read = fill(table, [1, 2], parts=3), rows_by_part(table)
        assert sorted_rows(read) == rows and len(read) == 6, error()
        greatest = 6
        names = ["1_1_1_0", "1_3_3_0", "2_5_5_0"]
        for name in names:
            table.node.query(f"ALTER TABLE {table} DETACH PART '{name}'")
        assert detached_parts(table) == dict.fromkeys(names, ""), error()
        expected = {name: of_part for name, of_part in read.items() if name not in names}
        assert rows_by_part(table) == expected, error()

    for name in names:
        with When(f"I attach {name}"):
            before = filled_parts(table)
            table.node.query(f"ALTER TABLE {table} ATTACH PART '{name}'")

        with Then("its rows are data again, in a part with a new number"):
            after = filled_parts(table)
            (new,) = (part for part in after.values() if part.name not in before)
            assert after == {**before, new.name: new}, error()
            expected[new.name] = read[name]
            assert rows_by_part(table) == expected, error()
            assert new.min_block == new.max_block and new.min_block > greatest, error()
            assert new.partition_id == name[0] and new.level == 0, error()
            greatest = new.max_block

    with And("all rows are there once more, and nothing is detached"):
        assert contents(table) == rows and detached_parts(table) == {}, error()
        assert list(detached_folder(table).iterdir()) == [], error()
