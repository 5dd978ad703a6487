"""Who reads what: a new SELECT the active parts, a running one those that were active when it began."""

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

from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Active_Read,
    RQ_SRS_102_ClickHouse_TableParts_Active_RunningQuery,
    RQ_SRS_102_ClickHouse_TableParts_Inactive_Removal,
)
from steps.table_parts.part_life import (
    CLEANED,
    SUPERSEDING,
    active_parts,
    inactive_parts,
    rows_by_part,
    sorted_rows,
    supersede,
    table_of_parts,
    tidy_node,
    wait_until_forgotten,
    wait_until_removed,
)
from steps.table_parts.part_readers import bulky_table, expected_rows, held_read
from steps.tables import NO_MERGES, Table

ROUNDS = (1, 2)  # 2 variants
ROWS_READ = [(number % 2, number, "a") for number in range(20)]


def wrong_reads(table: Table, how: str, owner: str) -> list[str]:
    """What is wrong with a read of the table right after its parts were superseded."""
    before, earlier = active_parts(table), inactive_parts(table)
    after = supersede(table, how)
    read, superseded = rows_by_part(table), inactive_parts(table)
    wrong = []
    if superseded.keys() != before.keys() | earlier.keys():
        wrong.append(f"{how}: {sorted(superseded)} are inactive, {sorted(before)} were active")
    if read.keys() != after.keys():
        wrong.append(f"{how}: rows of {sorted(read)}, active are {sorted(after)}")
    rows = sorted_rows(read)
    if rows != sorted((p, i, owner) for p, i, _ in ROWS_READ):
        wrong.append(f"{how}: {len(rows)} rows are not those of the table")
    return wrong


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Active_Read("1.0"))
def new_read_sees_active_parts_only(self):
    """After each merge and mutation every row comes from an active part, though older ones are there."""
    with Given("a table that keeps its superseded parts"):
        table = table_of_parts("read", [ROWS_READ[:10], ROWS_READ[10:]])
        assert list(active_parts(table)) == ["0_1_1_0", "0_3_3_0", "1_2_2_0", "1_4_4_0"], error()

    with When("merges and mutations finish, and I read after each of them"):
        violations, owner = [], "a"
        for turn in ROUNDS:
            for how in SUPERSEDING:
                owner = "b" if how == "a mutation" else owner
                violations += [f"round {turn}, {wrong}" for wrong in wrong_reads(table, how, owner)]

    with Then("no row came from a part that was not active, and all rows came"):
        assert violations == [], error()


@TestOutline(Scenario)
@Requirements(
    RQ_SRS_102_ClickHouse_TableParts_Active_RunningQuery("1.0"),
    RQ_SRS_102_ClickHouse_TableParts_Inactive_Removal("1.0"),
)
@Examples("how", [(how,) for how in SUPERSEDING])
def running_read_keeps_its_parts(self, how):
    """A SELECT reads to the end what it has begun with; until then the server does not remove it."""
    with Given(f"two equal tables without a lifetime for parts superseded by {how}"):
        settings = {**NO_MERGES, **CLEANED, "old_parts_lifetime": 0}
        table, unread = (
            bulky_table(name, node=tidy_node(), settings=settings) for name in ("read", "unread")
        )
        sources = active_parts(table)
        folders = [part.folder for part in sources.values()]

    with held_read(table) as read:
        with When(f"{how} supersedes their parts in the middle of a SELECT from one of them"):
            supersede(table, how)
            supersede(unread, how)

        with And("the server removes the superseded parts that nobody reads"):
            wait_until_forgotten(unread)

        with Then("those that the SELECT reads are still there, inactive"):
            assert inactive_parts(table).keys() == sources.keys(), error()
            assert all(folder.exists() for folder in folders), error()

        with And("it is still in the middle"):
            assert read.is_in_the_middle, error()

        with And("reads all rows as they were when it began"):
            assert read.finish() == expected_rows(), error()

    with And("when it is over the server removes them as well"):
        wait_until_forgotten(table)
        wait_until_removed(folders)
