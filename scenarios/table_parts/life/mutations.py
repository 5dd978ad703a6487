"""Mutations write new parts, in the places of the old ones."""

from collections.abc import Callable, Mapping

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.session import Row
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Mutation_Blocks,
    RQ_SRS_102_ClickHouse_TableParts_Mutation_NewPart,
)
from steps.table_parts.part_life import (
    FORMATS,
    KEPT,
    active_parts,
    inactive_parts,
    merge,
    mutate,
    rows_by_part,
    sorted_rows,
)
from steps.tables import NO_MERGES, Table, create_table, insert

# What is done to the rows (p, i, owner), in SQL and in Python.
CHANGES: Mapping[str, Callable[[list[Row]], list[Row]]] = {  # 4 variants
    "UPDATE owner = 'changed' WHERE i % 2": lambda rows: [
        (p, i, "changed" if i % 2 else owner) for p, i, owner in rows
    ],
    "DELETE WHERE i % 3 = 0": lambda rows: [row for row in rows if row[1] % 3],
    "UPDATE owner = concat(owner, '!') IN PARTITION 1 WHERE 1": lambda rows: [
        (p, i, f"{owner}!" if p == 1 else owner) for p, i, owner in rows
    ],
    "DELETE IN PARTITION 0 WHERE i > 20": lambda rows: [
        row for row in rows if row[0] or row[1] <= 20
    ],
}


# What is inserted: two parts that are merged, and one that is not.
INSERTED = [  # 3 variants
    [(1, number, f"row {number}") for number in range(0, 20, 2)],
    [(1, number, f"row {number}") for number in range(1, 20, 2)],
    [(number % 2, number, f"row {number}") for number in range(20, 40)],
]


def lived(kind: str) -> Table:
    """A table with an inserted part in one partition and a merged one and a new one in the other."""
    table = create_table("mutated", settings={**NO_MERGES, **KEPT, **FORMATS[kind]})
    for rows in INSERTED[:2]:  # part: the third one is inserted after the merge
        insert(table, rows)
    merge(table)
    insert(table, INSERTED[2])
    parts = [(part.level, part.kind) for part in active_parts(table).values()]
    assert sorted(parts) == [(0, kind), (0, kind), (1, kind)], f"the fixture has the parts {parts}"
    return table


@TestScenario
@Requirements(
    RQ_SRS_102_ClickHouse_TableParts_Mutation_NewPart("1.0"),
    RQ_SRS_102_ClickHouse_TableParts_Mutation_Blocks("1.0"),
)
def changed_rows_are_in_new_parts(self):
    """Each mutation leaves its rows in new parts at the old ones' places, and those are inactive."""
    violations, levels = [], set()
    for kind in FORMATS:
        with Given(f"a table of {kind} parts, inserted and merged ones"):
            table = lived(kind)
            expected = sorted(row for rows in INSERTED for row in rows)
            superseded = {"1_1_1_0", "1_2_2_0"}

        for change, effect in CHANGES.items():
            with When(f"I run {change}"):
                before, read = active_parts(table), rows_by_part(table)
                assert read.keys() == before.keys() and sorted_rows(read) == expected, error()
                mutate(table, change)
                name = f"{kind}, {change}"
                wanted = sorted(effect(expected))
                assert wanted != expected, f"it proves nothing: {change} changes no row"
                expected = wanted

                after, read_after = active_parts(table), rows_by_part(table)
                new = {name: part for name, part in after.items() if name not in before}
                rewritten = {part.place: part.name for part in new.values()}
                levels |= {part.level for part in new.values()}
                if read_after.keys() != after.keys() or sorted_rows(read_after) != expected:
                    violations.append(f"{name}: wrong rows")
                superseded |= before.keys() - after.keys()
                if inactive_parts(table).keys() != superseded:
                    violations.append(f"{name}: not all of {superseded} are there, inactive")
                for part in before.values():
                    successor = rewritten.pop(part.place, None)
                    changed = sorted(effect(sorted(read[part.name]))) != sorted(read[part.name])
                    if successor is None and (changed or part.name not in after):
                        violations.append(f"{name}: {part.name} has no successor in its place")
                    if successor is None:
                        continue
                    if part.name in after:
                        violations.append(f"{name}: {part.name} is active beside {successor}")
                    if sorted(read_after.get(successor, [])) != sorted(effect(read[part.name])):
                        violations.append(f"{name}: {successor} has other rows than it should")
                    if (
                        successor
                        != f"{'_'.join(map(str, part.place))}_{new[successor].data_version}"
                    ):
                        violations.append(f"{name}: {part.name} became {successor}")
                if rewritten:
                    violations.append(f"{name}: {rewritten} have blocks or levels of their own")

    with Then("new parts have taken over the places of the old ones, with the changed rows"):
        assert violations == [], error()

    with And("parts of more than one level were rewritten"):
        assert levels == {0, 1}, error()
