"""Parts that a mutation has left without rows go away by themselves."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Mutation_EmptyPart
from steps.part_life import (
    CLEANED,
    active_parts,
    in_background,
    mutate,
    part_records,
    seen_removed,
    tidy_node,
)
from steps.tables import NO_MERGES, contents, create_table, insert


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Mutation_EmptyPart("1.0"))
def empty_parts_go_away(self):
    """A part that a mutation has left without rows is removed, unless remove_empty_parts is 0."""
    with Given("a table that removes empty parts, one that keeps them, each with two parts"):
        node = tidy_node()
        tables = {
            keeps: create_table(
                "emptied",
                node=node,
                settings={**NO_MERGES, **CLEANED, "remove_empty_parts": 0 if keeps else 1},
            )
            for keeps in (False, True)
        }
        for table in tables.values():
            insert(table, [(1, 1, "to be deleted")])
            insert(table, [(1, 2, "to be kept")])

    with When("a mutation deletes all rows of one part"):
        for table in tables.values():
            mutate(table, "DELETE WHERE i = 1")

    with Then("the empty part goes away by itself, with its folder"):
        folder = next(iter(active_parts(tables[True]).values())).folder
        assert folder.name == "1_1_1_0_3" and folder.exists(), error()
        in_background(lambda: sorted(active_parts(tables[False])), equals=["1_2_2_0_3"])
        other = active_parts(tables[False])["1_2_2_0_3"].folder
        seen_removed([other.parent / "1_1_1_0_3"])

    with And("stays where it is not to be removed, though what it has superseded is gone"):
        in_background(lambda: sorted(part_records(tables[True])), equals=["1_1_1_0_3", "1_2_2_0_3"])
        rows = {name: part.rows for name, part in active_parts(tables[True]).items()}
        assert rows == {"1_1_1_0_3": 0, "1_2_2_0_3": 1} and folder.exists(), error()

    with And("the other rows are there"):
        for table in tables.values():
            assert contents(table) == [(1, 2, "to be kept")], error()
