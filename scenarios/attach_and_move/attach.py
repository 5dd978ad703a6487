"""Detached parts that come back: those that are named, with masked rows masked, at level 0."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.violations import assert_no_violations
from requirements.srs103_attach_and_move import (
    RQ_SRS_103_ClickHouse_AttachAndMove_Attach,
    RQ_SRS_103_ClickHouse_AttachAndMove_Level,
    RQ_SRS_103_ClickHouse_AttachAndMove_MaskedRows,
    RQ_SRS_103_ClickHouse_AttachAndMove_Nothing,
)
from steps.refusals import Refusal, state, wrong_refusals
from steps.table_parts.part_life import (
    FORMATS,
    active_parts,
    detached_parts,
    filled_parts,
    merge,
    rows_by_part,
)
from steps.tables import NO_MERGES, Table, contents, create_table, fill, insert

# Parts of three partitions, and which of them each statement attaches when the earlier ones are done.
PARTS = ["1_1_1_0", "1_2_2_0", "2_3_3_0", "2_4_4_0", "3_5_5_0", "3_6_6_0"]
NAMED = {  # 4 variants
    "ATTACH PART '1_1_1_0'": ["1_1_1_0"],
    "ATTACH PARTITION 2": ["2_3_3_0", "2_4_4_0"],
    "ATTACH PARTITION ID '1'": ["1_2_2_0"],
    "ATTACH PARTITION ALL": ["3_5_5_0", "3_6_6_0"],
}


@TestScenario
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_Attach("1.0"))
def named_parts_are_attached(self):
    """Each form of ATTACH brings back the parts that it names, and no others."""
    with Given("a table whose six parts are detached"):
        table = create_table("shelf")
        inserted, read = fill(table, [1, 2, 3], parts=2), rows_by_part(table)
        assert list(read) == PARTS, error()
        table.node.query(f"ALTER TABLE {table} DETACH PARTITION ALL")
        assert contents(table) == [], error()
        assert detached_parts(table) == dict.fromkeys(PARTS, ""), error()

    left, expected = list(PARTS), []
    for statement, names in NAMED.items():
        with When(f"I execute {statement}"):
            table.node.query(f"ALTER TABLE {table} {statement}")
            left = [name for name in left if name not in names]
            expected += [row for name in names for row in read[name]]

        with Then("the rows of the named parts are there, and the other parts are detached"):
            assert contents(table) == sorted(expected), error()
            assert detached_parts(table) == dict.fromkeys(left, ""), error()

    with And("in the end all rows are there"):
        assert contents(table) == inserted, error()


@TestScenario
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_Nothing("1.0"))
def parts_that_are_not_there(self):
    """A part that is not there is refused; of a partition without parts nothing is attached or moved."""
    with Given("two tables, one with an active and a detached part"):
        table, other = create_table("table"), create_table("other")
        fill(table, [1, 2])
        fill(other, [1])
        table.node.query(f"ALTER TABLE {table} DETACH PARTITION 2")
        detached, before = detached_parts(table), (state(table), state(other))
        assert list(detached) == ["2_2_2_0"], error()

    with When("I name parts that are not there"):
        wrong = wrong_refusals(
            table,
            {
                statement: Refusal(f"ALTER TABLE {table} {statement}", code, text)
                for statement, code, text in (
                    ("ATTACH PART '9_9_9_0'", 233, "not found"),
                    ("ATTACH PART '1_1_1_0'", 233, "not found"),
                    ("DETACH PART '9_9_9_0'", 232, "No part 9_9_9_0"),
                    ("DETACH PART '2_2_2_0'", 232, "2_2_2_0"),
                    ("ATTACH PART 'notes'", 233, "Unexpected part name"),
                    ("ATTACH PART '../detached/2_2_2_0'", 79, "Invalid part name"),
                )
            },
        )

    with Then("each statement is refused"):
        assert_no_violations(wrong)

    with When("I name a partition without parts"):
        for command in (
            "ATTACH PARTITION 9",
            "ATTACH PARTITION 1",
            "DETACH PARTITION 9",
            f"MOVE PARTITION 9 TO TABLE {other}",
        ):
            table.node.query(f"ALTER TABLE {table} {command}")

    with Then("nothing has changed"):
        assert (state(table), state(other)) == before, error()
        assert detached_parts(table) == detached, error()

    with And("the same statements do something where there is a part"):
        table.node.query(f"ALTER TABLE {table} ATTACH PARTITION 2")
        table.node.query(f"ALTER TABLE {table} MOVE PARTITION 1 TO TABLE {other}")
        own, others = ([row for row in rows.rows if row[0] == 1] for rows in before)
        assert contents(other) == sorted(own + others), error()
        assert {row[0] for row in contents(table)} == {2} and detached_parts(table) == {}, error()


ROWS = [(1, number, "row") for number in range(10)]
MASKED = 4
CARRIED = {  # 4 variants
    "DETACH and ATTACH PARTITION": ("DETACH PARTITION 1", "ATTACH PARTITION 1"),
    "DETACH and ATTACH PART": ("DETACH PART '1_1_1_0_2'", "ATTACH PART '1_1_1_0_2'"),
    "MOVE PARTITION TO TABLE": ("MOVE PARTITION 1 TO TABLE {other}",),
    "ATTACH PARTITION FROM": ("ATTACH PARTITION 1 FROM {other}",),
}


def masked(name: str, kind: str) -> Table:
    """A table with a part of ten rows, of which four are masked."""
    table = create_table(name, settings={**NO_MERGES, **FORMATS[kind]})
    insert(table, ROWS)
    table.node.query(f"DELETE FROM {table} WHERE i < {MASKED}")
    assert {part: (own.rows, own.kind) for part, own in active_parts(table).items()} == {
        "1_1_1_0_2": (len(ROWS), kind)
    }, error()
    return table


@TestScenario
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_MaskedRows("1.0"))
def masked_rows_stay_masked(self):
    """Rows that were deleted and are in the files still do not come back, and a merge removes them."""
    violations: dict[str, object] = {}
    for kind in FORMATS:
        for name, statements in CARRIED.items():
            with Given(f"a part with masked rows, {kind}"):
                origin = masked("origin", kind)
                other = create_table("other", settings={**NO_MERGES, **FORMATS[kind]})

            with When(f"it is carried by {name}"):
                # ATTACH PARTITION FROM is a statement on the table that gets the rows.
                from_other = name == "ATTACH PARTITION FROM"
                on, named = (other, origin) if from_other else (origin, other)
                for statement in statements:
                    on.node.query(f"ALTER TABLE {on} {statement.format(other=named)}")
                table = other if "{other}" in statements[-1] else origin

            with Then("all rows are in its files"):
                assert [part.rows for part in filled_parts(table).values()] == [len(ROWS)], error()
                if (rows := contents(table)) != ROWS[MASKED:]:
                    violations[f"{kind}, {name}"] = rows

            with And("a merge leaves the others"):
                merge(table)
                left = [part.rows for part in filled_parts(table).values()]
                if left != [len(ROWS) - MASKED] or contents(table) != ROWS[MASKED:]:
                    violations[f"{kind}, {name}, merged"] = contents(table)

    with Then("no masked row was seen"):
        assert_no_violations(violations)


ATTACHED_BY = ("ATTACH PART '{part}'", "ATTACH PARTITION 1")  # 2 variants


@TestScenario
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_Level("1.0"))
def level_begins_anew(self):
    """A part that was merged twice has level 0 when it is attached, and is merged like an inserted one."""
    for statement in ATTACHED_BY:
        with Given("a detached part of level 2"):
            table = create_table("merged")
            rows = fill(table, [1])
            for _ in range(2):
                rows += fill(table, [1], check=False)
                merge(table)
            assert list(active_parts(table)) == ["1_1_3_2"], error()
            table.node.query(f"ALTER TABLE {table} DETACH PARTITION 1")
            assert contents(table) == [] and list(detached_parts(table)) == ["1_1_3_2"], error()

        with When(f"I execute {statement}"):
            table.node.query(f"ALTER TABLE {table} {statement.format(part='1_1_3_2')}")

        with Then("its level is 0, and it has a number of its own"):
            (part,) = filled_parts(table).values()
            assert part.level == 0 and part.min_block == part.max_block > 3, error()
            assert contents(table) == sorted(rows), error()

        with And("it is merged with an inserted part"):
            rows += fill(table, [1], check=False)
            merge(table)
            (merged,) = filled_parts(table).values()
            assert merged.level == 1 and merged.min_block == part.min_block, error()
            assert contents(table) == sorted(rows), error()
