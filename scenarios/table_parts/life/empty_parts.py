"""Parts that a mutation has left without rows go away by themselves."""

from testflows.asserts import error
from testflows.core import And, Requirements, TestScenario, Then, When

from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Mutation_EmptyPart
from steps.table_parts.part_files import table_folder
from steps.table_parts.part_life import (
    CLEANED,
    active_parts,
    in_background,
    mutate,
    part_records,
    tidy_node,
    wait_until_removed,
)
from steps.tables import NO_MERGES, Table, contents, create_table, insert

EMPTY, FILLED = "1_1_1_0_3", "1_2_2_0_3"


def emptied_table(remove: int) -> Table:
    """A table of two parts, one of which a mutation leaves without rows."""
    settings = {**NO_MERGES, **CLEANED, "remove_empty_parts": remove}
    table = create_table("emptied", node=tidy_node(), settings=settings)
    insert(table, [(1, 1, "to be deleted")])
    insert(table, [(1, 2, "to be kept")])
    mutate(table, "DELETE WHERE i = 1")
    return table


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Mutation_EmptyPart("1.0"))
def empty_parts_go_away(self):
    """A part that a mutation has left without rows is removed, unless remove_empty_parts is 0."""
    with When(
        "mutations delete all rows of a part, in a table that keeps it and in one that does not"
    ):
        keeping, removing = emptied_table(remove=0), emptied_table(remove=1)
        folders = {table: table_folder(table) for table in (keeping, removing)}
        assert all((folder / FILLED).exists() for folder in folders.values()), error()

    with Then("the empty part goes away by itself, with its folder"):
        in_background(lambda: list(active_parts(removing)), equals=[FILLED])
        wait_until_removed([folders[removing] / EMPTY])

    with And("stays where it is not to be removed, though what it has superseded is gone"):
        in_background(lambda: list(part_records(keeping)), equals=[EMPTY, FILLED])
        rows = {name: part.rows for name, part in active_parts(keeping).items()}
        assert rows == {EMPTY: 0, FILLED: 1}, error()
        assert (folders[keeping] / EMPTY).exists(), error()

    with And("the other rows are there"):
        assert contents(keeping) == contents(removing) == [(1, 2, "to be kept")], error()
